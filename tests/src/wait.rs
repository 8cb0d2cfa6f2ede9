//! Bounded waiting for a condition.

use std::time::Duration;

use anyhow::{Result, bail};
use tokio::time::{Instant, sleep};

/// How often a condition is asked that nobody reports by itself.
const PAUSE: Duration = Duration::from_millis(15);

/// Asks until there is an answer.
///
/// # Errors
/// What the probe returns as an error, at once; or, after `bound`, that `what` did not come.
pub async fn until<T>(
    what: &str,
    bound: Duration,
    mut probe: impl AsyncFnMut() -> Result<Option<T>>,
) -> Result<T> {
    let end = Instant::now() + bound;
    loop {
        if let Some(answer) = probe().await? {
            return Ok(answer);
        }
        if Instant::now() >= end {
            bail!("{what}: not within {bound:?}");
        }
        sleep(PAUSE).await;
    }
}

/// Bounds a future that has no bound of its own.
///
/// # Errors
/// What the future returns as an error, or that `what` did not end.
pub async fn within<T>(what: &str, bound: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    match tokio::time::timeout(bound, work).await {
        Ok(done) => done,
        Err(_) => bail!("{what}: not within {bound:?}"),
    }
}
