//! `browser_session doctor`, as a client asks it: the client and the daemon are there, so the hops behind them matter.

use std::time::Duration;

use drawbridge_protocol::error::Error;
use drawbridge_protocol::tools::doctor::{Diagnosis, DoctorArgs};
use tokio::time::Instant;

use super::super::health;
use super::super::work::Work;
use crate::browsers::Roots;
use crate::doctor::{self, Daemon, PATIENCE};
use crate::home;

/// Looks at every hop.
pub async fn doctor(work: &mut Work, args: DoctorArgs) -> Result<Diagnosis, Error> {
    let began = Instant::now();
    let gathered = tokio::task::spawn_blocking(|| {
        let home = home::chosen()?;
        anyhow::Ok(doctor::gather(&home, Roots::of_environment(None).as_ref(), &[]))
    });
    let facts = gathered
        .await
        .map_err(|error| Error::internal(error.to_string()))?
        .map_err(|error| Error::internal(format!("{error:#}")))?;
    let ms = (began.elapsed().as_secs_f64() * 100_000.0).round() / 100.0;
    let patience = if facts.expects_a_link() {
        PATIENCE
    } else {
        Duration::ZERO
    };
    let bench = args.bench.unwrap_or(false);
    let health = health::look(&work.hub, &work.caller, bench, Some(patience)).await;
    Ok(doctor::diagnose(&facts, Daemon::Up { ms, health: &health }))
}
