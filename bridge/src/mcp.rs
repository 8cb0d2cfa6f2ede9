//! The MCP server over stdio. Nothing but its frames is written to stdout.

mod schema;
mod server;

use anyhow::Result;
use drawbridge_protocol::ids::ClientId;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;

use crate::home::Home;

pub use schema::{Offered, Surface, offered};

/// Serves MCP on stdin and stdout until stdin ends.
///
/// # Errors
/// When the first message is no MCP handshake.
pub async fn serve(home: Home, surface: Surface, client: ClientId) -> Result<()> {
    let server = server::Server::new(home, surface, client);
    let service = match server.serve(rmcp::transport::stdio_pipes()).await {
        Ok(service) => service,
        // A client that starts a server and leaves again has done nothing wrong.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let reason = service.waiting().await?;
    tracing::info!(?reason, "mcp ends");
    Ok(())
}
