//! The process that the browser starts: it relays frames between the browser and the daemon and understands none of
//! them. Only the two hellos around it and the sizes are its own.

use std::process::ExitCode;

use drawbridge_protocol::frame::{BROWSER_LIMIT, MESSAGE_LIMIT};
use drawbridge_protocol::local::{LinkHello, ToDaemon};
use drawbridge_protocol::version::{EXTENSION_ID, PROTOCOL};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::home::Home;
use crate::{client, logs, output, wire};

/// Bytes that are copied at a time; with it the memory of a relay is bounded whatever passes through.
const STEP: usize = 64 * 1024;

/// Why a relay ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// The browser closed the port.
    BrowserClosed,
    /// The daemon closed the connection.
    DaemonClosed,
    /// A frame of no bytes.
    Empty,
    /// A frame over the limit of its direction; its stated length in bytes.
    TooLarge(u32),
    /// A stream ended inside a frame.
    Truncated,
    /// A stream failed.
    Io(std::io::ErrorKind),
    /// Another extension asked.
    NotServed,
    /// No daemon.
    NoDaemon(String),
}

impl End {
    fn code(&self) -> u8 {
        match self {
            Self::BrowserClosed => 0,
            Self::NotServed => 1,
            Self::DaemonClosed | Self::NoDaemon(_) | Self::Io(_) => 2,
            Self::Empty | Self::TooLarge(_) | Self::Truncated => 3,
        }
    }
}

/// Serves the browser that started this process on behalf of an extension's `origin`. Nothing but frames is written to
/// stdout.
pub fn main(origin: &str) -> ExitCode {
    let end = start(origin);
    tracing::info!(?end, "native host ends");
    if end != End::BrowserClosed {
        // The browser forwards it to its own log.
        output::tell(&format!("drawbridge native host: {end:?}"));
    }
    // A read of stdin may still wait on a thread of its own: leave without it.
    std::process::exit(i32::from(end.code()));
}

/// `drawbridge native-host`: says what it is for, on stderr alone.
pub fn command(arguments: &[String]) -> ExitCode {
    output::tell(
        "drawbridge native-host is started by a browser, with the extension's origin as its first argument.\n\
         It speaks native messaging on stdin and stdout; there is nothing to see for people.",
    );
    let asked = arguments
        .iter()
        .any(|argument| argument == "--help" || argument == "-h");
    if asked {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn start(origin: &str) -> End {
    if origin != format!("chrome-extension://{EXTENSION_ID}/") {
        return End::NotServed;
    }
    let home = match Home::open() {
        Ok(home) => home,
        Err(error) => return End::NoDaemon(format!("{error:#}")),
    };
    if let Err(error) = logs::start(&home, "native-host") {
        output::tell(&format!("drawbridge native host: no log: {error:#}"));
    }
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return End::Io(error.kind()),
    };
    let end = runtime.block_on(serve(&home, origin));
    runtime.shutdown_background();
    end
}

async fn serve(home: &Home, origin: &str) -> End {
    let (mut browser_in, mut browser_out) = rmcp::transport::stdio_pipes();
    // The browser may close the port while a daemon starts, so its first bytes are awaited at the same time.
    let mut first = Vec::with_capacity(STEP);
    let connecting = client::connect(home);
    tokio::pin!(connecting);
    let stream = loop {
        tokio::select! {
            connected = &mut connecting => match connected {
                Ok(stream) => break stream,
                Err(error) => return End::NoDaemon(error.to_string()),
            },
            read = browser_in.read_buf(&mut first), if first.len() < STEP => match read {
                // Nobody is left to relay for; whether it ended in order is still told.
                Ok(0) => {
                    let mut rest = first.as_slice();
                    let end = relay(&mut rest, &mut tokio::io::sink(), MESSAGE_LIMIT).await;
                    return end.unwrap_or(End::BrowserClosed);
                }
                Ok(_) => {}
                Err(error) => return End::Io(error.kind()),
            },
        }
    };
    let (mut daemon_in, mut daemon_out) = stream.into_split();
    let hello = ToDaemon::Link(LinkHello {
        protocol: PROTOCOL,
        build: crate::versions::build().to_owned(),
        origin: origin.to_owned(),
        browser_pid: std::os::unix::process::parent_id(),
        label: std::env::var("DRAWBRIDGE_LINK_LABEL")
            .ok()
            .filter(|label| !label.is_empty()),
    });
    let sent = match wire::text(&hello) {
        Ok(text) => wire::write(&mut daemon_out, &text).await,
        Err(error) => Err(error),
    };
    if let Err(error) = sent {
        return End::NoDaemon(error.to_string());
    }
    fault();
    let mut from_browser = first.as_slice().chain(browser_in);
    tokio::select! {
        end = relay(&mut from_browser, &mut daemon_out, MESSAGE_LIMIT) => end.unwrap_or(End::BrowserClosed),
        end = relay(&mut daemon_in, &mut browser_out, BROWSER_LIMIT) => end.unwrap_or(End::DaemonClosed),
    }
}

/// The fault of ours that tests ask for with `DRAWBRIDGE_FAULT`, in builds for tests alone.
fn fault() {
    #[cfg(feature = "sandbox")]
    assert!(
        std::env::var_os("DRAWBRIDGE_FAULT").is_none(),
        "a fault that was asked for"
    );
}

/// Copies frames of up to `limit` bytes until the stream ends; `None` when it ended between two of them. Nothing of a
/// frame that is refused is passed on.
async fn relay<R, W>(from: &mut R, to: &mut W, limit: usize) -> Option<End>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    copy(from, to, limit).await.err()
}

async fn copy<R, W>(from: &mut R, to: &mut W, limit: usize) -> Result<(), End>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut chunk = Vec::with_capacity(STEP);
    loop {
        let mut header = [0; 4];
        let mut arrived = 0;
        while arrived < header.len() {
            match from
                .read(&mut header[arrived..])
                .await
                .map_err(|error| End::Io(error.kind()))?
            {
                0 if arrived == 0 => return Ok(()),
                0 => return Err(End::Truncated),
                count => arrived += count,
            }
        }
        let length = u32::from_le_bytes(header);
        if length == 0 {
            return Err(End::Empty);
        }
        if length as usize > limit {
            return Err(End::TooLarge(length));
        }
        chunk.clear();
        chunk.extend_from_slice(&header);
        let mut left = length as usize;
        while left > 0 {
            let room = left.min(STEP - chunk.len());
            let count = (&mut *from).take(room as u64).read_buf(&mut chunk).await;
            match count.map_err(|error| End::Io(error.kind()))? {
                0 => return Err(End::Truncated),
                count => left -= count,
            }
            to.write_all(&chunk)
                .await
                .map_err(|error| End::Io(error.kind()))?;
            chunk.clear();
        }
        to.flush().await.map_err(|error| End::Io(error.kind()))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn relayed(bytes: &[u8], limit: usize) -> (Option<End>, Vec<u8>) {
        let (mut from, mut to) = (bytes, Vec::new());
        let end = relay(&mut from, &mut to, limit).await;
        (end, to)
    }

    fn framed(length: u32, body: &[u8]) -> Vec<u8> {
        [&length.to_le_bytes()[..], body].concat()
    }

    #[tokio::test]
    async fn frames_pass_unread_and_unchanged() {
        let large = vec![7; 3 * STEP + 1];
        let bytes = [
            framed(1, b"x"),
            framed(large.len() as u32, &large),
            framed(2, b"\xff\0"),
        ]
        .concat();
        assert_eq!(relayed(&bytes, MESSAGE_LIMIT).await, (None, bytes));
    }

    #[tokio::test]
    async fn nothing_of_a_refused_frame_passes() {
        let good = framed(1, b"x");
        let cases = [
            (framed(0, b""), End::Empty),
            (framed(u32::MAX, b"xxxx"), End::TooLarge(u32::MAX)),
            (
                framed(BROWSER_LIMIT as u32 + 1, b"x"),
                End::TooLarge(BROWSER_LIMIT as u32 + 1),
            ),
            (vec![1, 0], End::Truncated),
        ];
        for (bad, end) in cases {
            let bytes = [good.clone(), bad].concat();
            assert_eq!(relayed(&bytes, BROWSER_LIMIT).await, (Some(end), good.clone()));
        }
    }

    #[tokio::test]
    async fn a_frame_that_breaks_off_ends_the_relay() {
        assert_eq!(
            relayed(&framed(5, b"xx"), MESSAGE_LIMIT).await.0,
            Some(End::Truncated)
        );
    }

    #[tokio::test]
    async fn a_frame_at_the_browsers_limit_passes() {
        let bytes = framed(BROWSER_LIMIT as u32, &vec![b'1'; BROWSER_LIMIT]);
        assert!(relayed(&bytes, BROWSER_LIMIT).await.0.is_none());
    }
}
