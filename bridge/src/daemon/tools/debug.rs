//! `browser_debug`: the echo of sandboxes.

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::tools::debug::{EchoArgs, Echoed};

use super::super::work::{Work, mismatch};
use super::number;

/// Characters that the background adds at most.
const MAX_FILL: u32 = 50_000_000;

/// Milliseconds that the background waits at most.
const MAX_WAIT_MS: u32 = 60_000;

/// Bytes of text that are sent at most; written as JSON they fit a message.
const MAX_TEXT: usize = 8 * 1024 * 1024;

/// Sends bytes to the background and back.
pub async fn echo(work: &mut Work, args: EchoArgs) -> Result<Echoed, Error> {
    let fill = number("fill", args.fill, 0, 0..=MAX_FILL)?;
    let wait_ms = number("waitMs", args.wait_ms, 0, 0..=MAX_WAIT_MS)?;
    if args.text.len() > MAX_TEXT {
        return Err(Error::new(
            Code::TooLarge,
            format!("text has {} bytes, may have {MAX_TEXT}", args.text.len()),
        ));
    }
    let chosen = work.choose(args.target.as_deref())?;
    let call = BrowserCall::Echo {
        text: args.text,
        fill,
        wait_ms,
    };
    let BrowserReply::Echo { text, fill } = work.browser(&chosen, call).await? else {
        return Err(mismatch());
    };
    Ok(Echoed { text, fill })
}
