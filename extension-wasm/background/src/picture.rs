//! Pictures of what a tab's viewport shows: of tabs in front, in the background and in windows nobody sees.

use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::act::{Picture, PictureFormat};
use drawbridge_protocol::ids::DocumentId;
use drawbridge_protocol::link::{BrowserReply, Place};
use drawbridge_protocol::page::{Bounds, PageFound, PageRead};
use drawbridge_protocol::{Code, Error};
use serde::Deserialize;
use serde_json::json;

use crate::calls::Context;
use crate::debugger::{self, Hold};
use crate::read::{self, Shown};
use crate::state::App;
use crate::time::{Late, bounded, now};
use crate::{chrome, dialogs, tabs, unreadable};

/// What a picture may take.
const WITHIN: Duration = Duration::from_secs(5);
/// Pictures that are taken until what has to be covered stays where it is meanwhile.
const TRIES: usize = 3;

/// Takes one, secret fields painted over.
///
/// # Errors
/// `stale_ref` for another document, `page_unreadable`, `dialog_open`, `session_busy` while somebody else debugs the tab,
/// `timeout` when the browser draws nothing, and those of the call.
pub(crate) async fn take(
    app: &Rc<App>,
    context: &Context,
    place: &Place,
    frames: Option<&[DocumentId]>,
    format: PictureFormat,
    most: u32,
) -> Result<BrowserReply, Error> {
    let (session, id, document) = read::in_session(place)?;
    let tab = context.run(tabs::owned(app, session, id)).await?;
    let shown = context.run(read::in_tab(tab, id, document)).await?;
    let began = now();
    let hold = context.run(debugger::hold(app, tab)).await?;
    let taking = Taking {
        app,
        context,
        tab,
        shown: &shown,
        frames,
        hold: &hold,
    };
    let work = async {
        match bounded(WITHIN, taking.covered(format, most)).await {
            Ok(picture) => picture,
            Err(Late) => Err(
                Error::new(Code::Timeout, "the browser drew no picture within 5 s")
                    .hint("observe works without one; a script may keep the page busy"),
            ),
        }
    };
    let picture = context.run(dialogs::in_sight(app, tab, work)).await;
    hold.end().await;
    let picture = picture?;
    context.hop("picture", began);
    // What was covered is that document's, and no other's.
    let still = context.run(read::in_tab(tab, id, document)).await?;
    Ok(BrowserReply::Picture {
        document: document.clone(),
        url: still.url,
        picture,
    })
}

struct Taking<'t> {
    app: &'t App,
    context: &'t Context,
    tab: i64,
    shown: &'t Shown,
    frames: Option<&'t [DocumentId]>,
    hold: &'t Hold,
}

/// What has to be covered.
#[derive(Clone, Debug, Default, PartialEq)]
struct Cover {
    secrets: Vec<Bounds>,
    frames: Vec<Bounds>,
    /// CSS px of the viewport from left to right.
    across: u32,
}

#[derive(Deserialize)]
struct Shot {
    data: String,
}

impl Taking<'_> {
    async fn covered(&self, format: PictureFormat, most: u32) -> Result<Picture, Error> {
        // A page in the background draws nothing by itself, and a picture of it comes late or never.
        self.hold.draw();
        let mut before = self.cover().await?;
        let mut tries = 1;
        let (shot, cover) = loop {
            let shot: Shot = self
                .hold
                .ask("Page.captureScreenshot", &json!({"format": "png"}), WITHIN)
                .await
                .map_err(|failure| unreadable::failed("taking the picture", &failure))?;
            let after = self.cover().await?;
            if after == before {
                break (shot, after);
            }
            if tries == TRIES {
                break (shot, before.and(after));
            }
            (before, tries) = (after, tries + 1);
        };
        let boxes: Vec<[i32; 4]> = cover.secrets.iter().chain(&cover.frames).map(sides).collect();
        let media_type = match format {
            PictureFormat::Png => "image/png",
            PictureFormat::Jpeg => "image/jpeg",
        };
        let painted = chrome::paint(&shot.data, media_type, most, cover.across, &boxes, WITHIN)
            .await
            .map_err(|failure| unreadable::failed("painting over the picture", &failure))?;
        let masked = cover.masked(painted.width, painted.height);
        Ok(Picture {
            data: painted.data,
            width: painted.width,
            height: painted.height,
            masked,
        })
    }

    async fn cover(&self) -> Result<Cover, Error> {
        // Frames come and go: what is there now and may not be read is covered.
        let frames = chrome::all_frames(self.tab)
            .await
            .map_err(|failure| unreadable::failed("reading the tab", &failure))?;
        let now = Shown {
            document: self.shown.document.clone(),
            url: self.shown.url.clone(),
            frames: frames.into_iter().skip(1).collect(),
        };
        let ask = PageRead::Cover;
        let read = read::unnumbered(self.app, self.context, self.tab, &now, self.frames, &ask).await?;
        match read.found {
            PageFound::Covered {
                secrets,
                frames,
                width,
            } => Ok(Cover {
                secrets,
                frames,
                across: width,
            }),
            _ => Err(Error::internal("the reader answered another question")),
        }
    }
}

impl Cover {
    /// Where either has something.
    fn and(mut self, other: Self) -> Self {
        self.secrets.extend(other.secrets);
        self.frames.extend(other.frames);
        self.across = other.across;
        self
    }

    /// Secret fields that are in a picture of so many pixels.
    fn masked(&self, width: u32, height: u32) -> u32 {
        let across = i64::from(self.across.max(1));
        let down = i64::from(height) * across / i64::from(width.max(1));
        let is_in = |one: &&Bounds| {
            let (x, y) = (i64::from(one.x), i64::from(one.y));
            x + i64::from(one.width) > 0 && y + i64::from(one.height) > 0 && x < across && y < down
        };
        let mut seen: Vec<&Bounds> = self.secrets.iter().filter(is_in).collect();
        seen.dedup();
        u32::try_from(seen.len()).unwrap_or(u32::MAX)
    }
}

fn sides(bounds: &Bounds) -> [i32; 4] {
    let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
    [bounds.x, bounds.y, side(bounds.width), side(bounds.height)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(x: i32, y: i32) -> Bounds {
        Bounds {
            x,
            y,
            width: 100,
            height: 20,
        }
    }

    #[test]
    fn secrets_outside_of_the_picture_are_not_counted() {
        let cover = Cover {
            secrets: vec![bounds(10, 10), bounds(10, 590), bounds(10, 601), bounds(-100, 10)],
            frames: vec![bounds(0, 0)],
            across: 800,
        };
        // Half the size: 800 by 600 CSS px are shown.
        assert_eq!(cover.masked(400, 300), 2);
    }

    #[test]
    fn what_moves_meanwhile_is_covered_in_both_places() {
        let one = |x| Cover {
            secrets: vec![bounds(x, 0)],
            frames: Vec::new(),
            across: 800,
        };
        assert_eq!(one(0).and(one(50)).secrets, [bounds(0, 0), bounds(50, 0)]);
    }
}
