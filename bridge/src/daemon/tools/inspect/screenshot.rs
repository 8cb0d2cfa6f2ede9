//! `screenshot`.

use drawbridge_protocol::act::PictureFormat;
use drawbridge_protocol::error::Error;
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::tools::inspect::{DEFAULT_SIDE, MAX_SIDE, Screenshot, ScreenshotArgs};

use super::super::number;
use super::reading::{readable, shown, spot};
use crate::daemon::work::{Work, mismatch};

/// Pixels of the longer side at least.
const MIN_SIDE: u32 = 100;

/// Takes a picture of what the tab shows. Frames that may not be read are painted over.
pub async fn screenshot(work: &mut Work, args: ScreenshotArgs) -> Result<Screenshot, Error> {
    let most = number("maxSide", args.max_side, DEFAULT_SIDE, MIN_SIDE..=MAX_SIDE)?;
    let format = args.format.unwrap_or_default();
    let spot = spot(work, args.session.as_ref(), args.tab.as_ref()).await?;
    let shown = shown(work, &spot, args.document.as_ref()).await?;
    let call = BrowserCall::Picture {
        place: spot.place(&shown.document),
        frames: Some(readable(work, &shown, &mut Vec::new())),
        format,
        most,
    };
    let BrowserReply::Picture {
        document,
        url,
        picture,
    } = work.browser(&spot.chosen, call).await?
    else {
        return Err(mismatch());
    };
    let mime_type = match format {
        PictureFormat::Png => "image/png",
        PictureFormat::Jpeg => "image/jpeg",
    };
    Ok(Screenshot {
        session: spot.session,
        tab: spot.tab,
        document,
        url,
        width: picture.width,
        height: picture.height,
        masked: picture.masked,
        mime_type: mime_type.to_owned(),
        image: picture.data,
    })
}
