//! The MCP server over stdio. Nothing but its frames is written to stdout.

mod schema;
mod server;

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use anyhow::Result;
use drawbridge_protocol::ids::ClientId;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::home::Home;

pub use schema::{Offered, Surface, offered};

/// How long calls may still run once the client closed stdin: long enough for replies that are on their way, and short
/// enough that a server is never seen to outlive its client.
const LEAVE_LIMIT: Duration = Duration::from_millis(500);

/// Serves MCP on stdin and stdout until stdin ends. Calls that run then are stopped with the connection to the daemon.
///
/// # Errors
/// When the first message is no MCP handshake.
pub async fn serve(home: Home, surface: Surface, client: ClientId) -> Result<()> {
    let server = server::Server::new(home, surface, client);
    let (from, to) = rmcp::transport::stdio_pipes();
    let (from, ended) = Watched::new(from);
    let service = match server.serve((from, to)).await {
        Ok(service) => service,
        // A client that starts a server and leaves again has done nothing wrong.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let left = async {
        ended.cancelled().await;
        tokio::time::sleep(LEAVE_LIMIT).await;
    };
    tokio::select! {
        reason = service.waiting() => tracing::info!(reason = ?reason?, "mcp ends"),
        () = left => tracing::info!("mcp ends in the middle of calls"),
    }
    Ok(())
}

/// A stream that tells when it ends.
struct Watched<R> {
    from: R,
    ended: CancellationToken,
}

impl<R> Watched<R> {
    fn new(from: R) -> (Self, CancellationToken) {
        let ended = CancellationToken::new();
        (
            Self {
                from,
                ended: ended.clone(),
            },
            ended,
        )
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.from).poll_read(cx, buffer);
        let ended = match &polled {
            Poll::Ready(Ok(())) => buffer.remaining() > 0 && buffer.filled().len() == before,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if ended {
            self.ended.cancel();
        }
        polled
    }
}
