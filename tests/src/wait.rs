//! Bounded waiting for a condition.

use std::time::Duration;

use anyhow::{Result, bail};
use tokio::time::{Instant, sleep};

/// How often a condition is asked that nobody reports by itself.
const PAUSE: Duration = Duration::from_millis(15);

/// A bound for this machine, as busy as it is now. Bounds are stated for a machine that has nothing else to do; one that
/// is slow, or that others work on, gets more, and a part that hangs is found out all the same.
pub fn patient(bound: Duration) -> Duration {
    bound.mul_f64(2.0 + busy())
}

/// Tasks that want to run, per processor, up to 8.
fn busy() -> f64 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().and_then(|load| load.parse::<f64>().ok());
    let processors = std::thread::available_parallelism().map_or(1.0, |count| count.get() as f64);
    load.map_or(0.0, |load| (load / processors).clamp(0.0, 8.0))
}

/// Asks until there is an answer, for as long as is [`patient`].
///
/// # Errors
/// What the probe returns as an error, at once; or, after `bound`, that `what` did not come.
pub async fn until<T>(
    what: &str,
    bound: Duration,
    mut probe: impl AsyncFnMut() -> Result<Option<T>>,
) -> Result<T> {
    let bound = patient(bound);
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

/// Bounds a future that has no bound of its own, as is [`patient`].
///
/// # Errors
/// What the future returns as an error, or that `what` did not end.
pub async fn within<T>(what: &str, bound: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    let bound = patient(bound);
    match tokio::time::timeout(bound, work).await {
        Ok(done) => done,
        Err(_) => bail!("{what}: not within {bound:?}"),
    }
}
