//! Logs go to files in the home, never to stdout: for two of our roles every byte there is a frame. Arguments, page
//! text and addresses are never logged.

use anyhow::{Context, Result};
use tracing_appender::rolling::{Builder, Rotation};
use tracing_subscriber::EnvFilter;

use crate::home::Home;

/// Days of logs that are kept, per role.
const KEPT: usize = 5;

/// Starts logging of a role, such as `daemon`, into `logs/<role>.<date>.log`. `DRAWBRIDGE_LOG` sets the filter.
///
/// # Errors
/// When the log file cannot be created.
pub fn start(home: &Home, role: &str) -> Result<()> {
    let appender = Builder::new()
        .rotation(Rotation::DAILY)
        .filename_prefix(role)
        .filename_suffix("log")
        .max_log_files(KEPT)
        .build(home.logs())
        .context("cannot open the log file")?;
    let filter =
        EnvFilter::try_from_env("DRAWBRIDGE_LOG").unwrap_or_else(|_| EnvFilter::new("drawbridge=info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(std::sync::Mutex::new(appender))
        .try_init()
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!(location = ?panic.location().map(ToString::to_string), "panic");
        before(panic);
    }));
    Ok(())
}
