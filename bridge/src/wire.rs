//! Frames on a byte stream: a 32-bit little-endian length, then that many bytes of JSON. Reading allocates only for
//! bytes that have arrived.

use std::time::Duration;

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::frame::MESSAGE_LIMIT;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Bytes read at a time while a frame arrives.
const STEP: usize = 64 * 1024;

/// How long a peer may take to accept one frame before it counts as gone.
pub const WRITE_LIMIT: Duration = Duration::from_secs(30);

/// Why a connection cannot go on. Nothing can be read after one of these.
#[derive(Debug)]
pub enum WireError {
    /// The stream itself failed.
    Io(std::io::Error),
    /// A frame of no bytes.
    Empty,
    /// A frame over the limit; its stated length in bytes.
    TooLarge(usize),
    /// The stream ended inside a frame.
    Truncated,
    /// A frame that is no JSON of the expected shape, or is nested too deeply.
    Json(serde_json::Error),
    /// The peer took no frame for [`WRITE_LIMIT`].
    Stalled,
}

impl std::fmt::Display for WireError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the stream failed: {error}"),
            Self::Empty => f.write_str("a frame of no bytes"),
            Self::TooLarge(bytes) => write!(f, "a frame of {bytes} bytes is over the limit"),
            Self::Truncated => f.write_str("the stream ended inside a frame"),
            // Only where it went wrong, never what stood there: a frame may hold page text.
            Self::Json(error) => {
                write!(
                    f,
                    "no message at line {} column {} ({:?})",
                    error.line(),
                    error.column(),
                    error.classify()
                )
            }
            Self::Stalled => f.write_str("the peer stopped reading"),
        }
    }
}

impl std::error::Error for WireError {}

/// What the other end is told before the connection closes.
impl From<WireError> for Error {
    fn from(error: WireError) -> Self {
        let code = match &error {
            WireError::Io(_) | WireError::Stalled => Code::NotConnected,
            WireError::TooLarge(_) => Code::TooLarge,
            WireError::Empty | WireError::Truncated | WireError::Json(_) => Code::InvalidArgument,
        };
        Self::new(code, error.to_string())
    }
}

impl From<std::io::Error> for WireError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads frames. [`FrameReader::next`] may be dropped at any await without losing bytes.
#[derive(Debug)]
pub struct FrameReader<R> {
    from: R,
    arrived: Vec<u8>,
    limit: usize,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    /// A reader that takes frames up to [`MESSAGE_LIMIT`].
    pub fn new(from: R) -> Self {
        Self {
            from,
            arrived: Vec::new(),
            limit: MESSAGE_LIMIT,
        }
    }

    /// The next frame's bytes; `None` when the stream ended between frames.
    ///
    /// # Errors
    /// [`WireError`]; the reader is of no use afterwards.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, WireError> {
        loop {
            if let Some(frame) = self.take()? {
                return Ok(Some(frame));
            }
            self.arrived.reserve(STEP);
            if self.from.read_buf(&mut self.arrived).await? == 0 {
                return if self.arrived.is_empty() {
                    Ok(None)
                } else {
                    Err(WireError::Truncated)
                };
            }
        }
    }

    /// The next frame as a message; `None` when the stream ended between frames.
    ///
    /// # Errors
    /// [`WireError`]; the reader is of no use afterwards.
    pub async fn message<T: DeserializeOwned>(&mut self) -> Result<Option<T>, WireError> {
        match self.next().await? {
            Some(frame) => parse(&frame).map(Some),
            None => Ok(None),
        }
    }

    fn take(&mut self) -> Result<Option<Vec<u8>>, WireError> {
        let Some(header) = self.arrived.first_chunk::<4>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*header) as usize;
        if length == 0 {
            return Err(WireError::Empty);
        }
        if length > self.limit {
            return Err(WireError::TooLarge(length));
        }
        if self.arrived.len() < 4 + length {
            return Ok(None);
        }
        let rest = self.arrived.split_off(4 + length);
        let mut frame = std::mem::replace(&mut self.arrived, rest);
        frame.drain(..4);
        Ok(Some(frame))
    }
}

/// Reads a message out of a frame. Nesting is bounded by the JSON reader (128).
///
/// # Errors
/// [`WireError::Json`].
pub fn parse<T: DeserializeOwned>(frame: &[u8]) -> Result<T, WireError> {
    serde_json::from_slice(frame).map_err(WireError::Json)
}

/// The JSON of a message.
///
/// # Errors
/// [`WireError::Json`] for what JSON cannot hold.
pub fn text<T: Serialize>(message: &T) -> Result<String, WireError> {
    serde_json::to_string(message).map_err(WireError::Json)
}

/// Writes one frame and flushes it. Not to be dropped in the middle: give it a task of its own.
///
/// # Errors
/// [`WireError::TooLarge`], [`WireError::Stalled`] or the stream's own failure.
pub async fn write<W: AsyncWrite + Unpin>(to: &mut W, json: &str) -> Result<(), WireError> {
    if json.len() > MESSAGE_LIMIT {
        return Err(WireError::TooLarge(json.len()));
    }
    let all = async {
        to.write_all(&(json.len() as u32).to_le_bytes()).await?;
        to.write_all(json.as_bytes()).await?;
        to.flush().await
    };
    match tokio::time::timeout(WRITE_LIMIT, all).await {
        Ok(done) => done.map_err(WireError::Io),
        Err(_) => Err(WireError::Stalled),
    }
}

#[cfg(test)]
mod tests {
    use drawbridge_protocol::local::ToDaemon;

    use super::*;

    async fn read(bytes: &[u8]) -> Result<Option<Vec<u8>>, WireError> {
        FrameReader::new(bytes).next().await
    }

    fn framed(json: &[u8]) -> Vec<u8> {
        [&(json.len() as u32).to_le_bytes()[..], json].concat()
    }

    #[tokio::test]
    async fn frames_arrive_one_after_another_and_then_the_end() {
        let bytes = [framed(b"1"), framed(b"[2]")].concat();
        let mut reader = FrameReader::new(&bytes[..]);
        assert_eq!(reader.next().await.unwrap().unwrap(), b"1");
        assert_eq!(reader.next().await.unwrap().unwrap(), b"[2]");
        assert!(reader.next().await.unwrap().is_none());
    }

    #[tokio::test]
    async fn bad_lengths_end_the_connection_without_an_allocation() {
        assert!(matches!(read(&[0, 0, 0, 0]).await, Err(WireError::Empty)));
        assert!(matches!(read(&[255; 4]).await, Err(WireError::TooLarge(_))));
        let over = (MESSAGE_LIMIT as u32 + 1).to_le_bytes();
        assert!(matches!(read(&over).await, Err(WireError::TooLarge(_))));
        assert!(matches!(read(&[2, 0]).await, Err(WireError::Truncated)));
        assert!(matches!(
            read(&[2, 0, 0, 0, b'1']).await,
            Err(WireError::Truncated)
        ));
        let stated = (MESSAGE_LIMIT as u32).to_le_bytes();
        let mut reader = FrameReader::new(&stated[..]);
        assert!(matches!(reader.next().await, Err(WireError::Truncated)));
        assert!(
            reader.arrived.capacity() <= 4 * STEP,
            "{}",
            reader.arrived.capacity()
        );
    }

    #[tokio::test]
    async fn what_is_no_message_is_an_error_that_repeats_nothing_of_it() {
        for text in [
            "{",
            "nonsense",
            "{\"type\":\"other\"}",
            &format!("{}1", "[".repeat(10_000)),
            "\u{0}",
        ] {
            let bytes = framed(text.as_bytes());
            let error = FrameReader::new(&bytes[..])
                .message::<ToDaemon>()
                .await
                .unwrap_err();
            assert!(matches!(error, WireError::Json(_)));
            assert!(!error.to_string().contains("nonsense"));
        }
    }

    #[tokio::test]
    async fn a_dropped_read_loses_nothing() {
        let (mut near, far) = tokio::io::duplex(64);
        let mut reader = FrameReader::new(far);
        near.write_all(&[3, 0, 0]).await.unwrap();
        let short = Duration::from_millis(5);
        assert!(tokio::time::timeout(short, reader.next()).await.is_err());
        near.write_all(&[0, b'1', b'2']).await.unwrap();
        assert!(tokio::time::timeout(short, reader.next()).await.is_err());
        near.write_all(b"3").await.unwrap();
        assert_eq!(reader.next().await.unwrap().unwrap(), b"123");
    }
}
