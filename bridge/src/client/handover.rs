//! Asking an older daemon to make room for the one of this build.

use std::time::Duration;

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::local::{FromDaemon, ToDaemon};
use drawbridge_protocol::version::PROTOCOL;
use tokio::time::{Instant, sleep, timeout};

use super::connect_running;
use crate::home::Home;
use crate::versions::build;
use crate::wire::{self, FrameReader};

/// How long a daemon may take to answer.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);

/// How often the socket is looked at until it is gone.
const POLL: Duration = Duration::from_millis(10);

/// Asks the daemon that runs to drain, and waits until it takes no connection any more: it finishes running calls and
/// ends, which [`super::connect`] waits for.
///
/// # Errors
/// `version_mismatch` when it is not older, `not_connected` when it does not do it.
pub(super) async fn make_room(home: &Home) -> Result<(), Error> {
    let Some(stream) = connect_running(home).await? else {
        return Ok(());
    };
    let broken = |problem: &dyn std::fmt::Display| {
        Error::new(
            Code::NotConnected,
            format!("the older bridge does not make room: {problem}"),
        )
        .hint("end it with `drawbridge daemon --stop`")
    };
    let (reader, mut writer) = stream.into_split();
    let asked = ToDaemon::Drain {
        protocol: PROTOCOL,
        build: build().to_owned(),
    };
    let text = wire::text(&asked).map_err(|error| broken(&error))?;
    wire::write(&mut writer, &text)
        .await
        .map_err(|error| broken(&error))?;
    let mut reader = FrameReader::new(reader);
    match timeout(ANSWER_LIMIT, reader.message::<FromDaemon>()).await {
        Ok(Ok(Some(FromDaemon::Draining { .. }))) => {}
        Ok(Ok(Some(FromDaemon::Refused { error }))) => return Err(error),
        Ok(Ok(Some(FromDaemon::Welcome { .. } | FromDaemon::Reply { .. }))) => {
            return Err(broken(&"it answered something else"));
        }
        // It ended in this very moment.
        Ok(Ok(None)) => return Ok(()),
        Ok(Err(error)) => return Err(broken(&error)),
        Err(_) => return Err(broken(&"it does not answer")),
    }
    let until = Instant::now() + ANSWER_LIMIT;
    while connect_running(home).await?.is_some() {
        if Instant::now() >= until {
            return Err(broken(&"it still takes connections"));
        }
        sleep(POLL).await;
    }
    Ok(())
}
