//! Logs go to files in the home, never to stdout: for two of our roles every byte there is a frame. Arguments, page
//! text and addresses are never logged; what slips in all the same is redacted.

use anyhow::{Context, Result};
use tracing_appender::rolling::{Builder, Rotation};
use tracing_subscriber::filter::{EnvFilter, FilterExt, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::home::Home;
use crate::redact::Redacting;

/// Days of logs that are kept, per role.
const KEPT: usize = 5;

/// Starts logging of a role, such as `daemon`, into `logs/<role>.<date>.log`. `DRAWBRIDGE_LOG` sets the filter.
/// Only our own lines are ever written: at their finest, libraries write down whole messages.
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
    let ours = filter_fn(|line| {
        let from = line.target();
        from == "drawbridge" || from.starts_with("drawbridge::")
    });
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer(std::sync::Mutex::new(Redacting(appender)))
        .with_filter(filter.and(ours));
    tracing_subscriber::registry()
        .with(lines)
        .try_init()
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!(location = ?panic.location().map(ToString::to_string), "panic");
        before(panic);
    }));
    Ok(())
}
