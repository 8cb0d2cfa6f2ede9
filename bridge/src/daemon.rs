//! The daemon: exactly one per home. Every link and every client ends here, and every call passes the one door.

pub mod access;
pub mod admin;
pub mod approvals;
pub mod calls;
pub mod captures;
pub mod consent;
pub mod door;
pub mod grants;
pub mod health;
pub mod hub;
pub mod link;
pub mod listener;
pub mod outcomes;
pub mod presence;
pub mod record;
pub mod refs;
pub mod sessions;
pub mod settings;
pub mod sockets;
pub mod store;
pub mod targets;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod text;
pub mod tools;
pub mod work;

use std::fs::{self, File, Permissions, TryLockError};
use std::os::unix::fs::PermissionsExt;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::net::UnixListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;
use tokio::time::timeout;

use crate::home::Home;
use access::Policy;
use hub::Hub;
use store::Store;

/// How long a daemon stays when no link, client or timed session is left.
pub const IDLE_LIMIT: Duration = Duration::from_secs(60);

/// How long running calls may take when a newer build asked for room.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(30);

/// How long connections may take to leave when the daemon ends.
const LEAVE_LIMIT: Duration = Duration::from_secs(3);

/// How a daemon process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Another one has this home; nothing was touched.
    AlreadyRunning,
    /// It served and released everything.
    Done,
}

/// Runs the daemon of a home until it is idle or told to stop.
///
/// # Errors
/// When it cannot start; the reason is also left in [`Home::start_error`] for whoever started it.
pub fn run(home: &Home) -> Result<Exit> {
    let lock = Home::lock_file(&home.daemon_lock())?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(Exit::AlreadyRunning),
        Err(TryLockError::Error(error)) => return Err(error).context("cannot take the daemon's lock"),
    }
    let served = serve(home, &lock);
    if let Err(error) = &served {
        tracing::error!(error = format!("{error:#}"), "the daemon cannot run");
        fs::write(home.start_error(), format!("{error:#}"))
            .context("cannot leave a note of the failed start")?;
    }
    served
}

/// Serves while the lock is held; the borrow keeps it from being dropped early.
fn serve(home: &Home, _lock: &File) -> Result<Exit> {
    // The leader of a process group is somebody's foreground job and stays one.
    if let Err(error) = rustix::process::setsid()
        && error != rustix::io::Errno::PERM
    {
        tracing::warn!(%error, "cannot leave the starter's terminal");
    }
    let policy = Policy::of(home)?;
    let store = Store::open(&home.database())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let local = LocalSet::new();
    local.block_on(&runtime, main(home, store, policy))?;
    Ok(Exit::Done)
}

async fn main(home: &Home, store: Store, policy: Policy) -> Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let hub = Hub::load(home.identity()?, store, policy).await?;
    let listener = bind(home)?;
    fs::write(home.pid_file(), std::process::id().to_string()).context("cannot write the process id")?;
    forget(&home.start_error());
    tracing::info!(build = crate::versions::build(), ?policy, "daemon up");
    let reaper = {
        let hub = Rc::clone(&hub);
        tokio::task::spawn_local(async move { hub.reap().await })
    };
    let mirror = tokio::task::spawn_local(record::mirror(Rc::clone(&hub)));
    let mut next = 1;
    let reason = loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    hub.tasks.spawn_local(listener::serve_socket(Rc::clone(&hub), stream, next));
                    next += 1;
                }
                // Such as no descriptor left: that is over once a connection closes.
                Err(error) => {
                    tracing::error!(%error, "cannot accept a connection");
                    hub.presence.changed().await;
                }
            },
            _ = terminate.recv() => break "terminated",
            _ = interrupt.recv() => break "interrupted",
            () = hub.stop.cancelled() => break "asked to stop",
            () = hub.drain.cancelled() => break "a newer build takes over",
            () = idle(&hub) => break "idle",
        }
    };
    tracing::info!(reason, "daemon ends");
    // First nobody new comes in, then everything is released, and the lock goes last, with the process.
    forget(&home.socket());
    drop(listener);
    if hub.drain.is_cancelled() {
        tokio::select! {
            drained = timeout(DRAIN_LIMIT, hub.calls.drained(|_| true)) => if drained.is_err() {
                tracing::warn!("calls that take too long are stopped");
            },
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            () = hub.stop.cancelled() => {}
        }
    }
    hub.release().await;
    reaper.abort();
    mirror.abort();
    hub.stop.cancel();
    hub.tasks.close();
    if timeout(LEAVE_LIMIT, hub.tasks.wait()).await.is_err() {
        tracing::warn!("connections outlast the daemon");
    }
    if let Err(error) = hub.store.settle().await {
        tracing::warn!(error = format!("{error:#}"), "the database keeps its log");
    }
    forget(&home.pid_file());
    Ok(())
}

/// Binds the socket. Whoever holds the lock owns the path, so a socket that is there is a dead daemon's.
fn bind(home: &Home) -> Result<UnixListener> {
    let path = home.socket();
    forget(&path);
    let listener = UnixListener::bind(&path).with_context(|| format!("cannot bind {}", path.display()))?;
    fs::set_permissions(&path, Permissions::from_mode(0o600)).context("cannot make the socket private")?;
    Ok(listener)
}

/// Returns when nobody needed the daemon for [`IDLE_LIMIT`].
async fn idle(hub: &Hub) {
    let needed = || hub.presence.count() > 0 || hub.sessions.any_timed();
    loop {
        if needed() {
            hub.presence.changed().await;
        } else if timeout(IDLE_LIMIT, hub.presence.changed()).await.is_err() && !needed() {
            return;
        }
    }
}

/// Removes a file that need not be there.
fn forget(path: &std::path::Path) {
    if let Err(error) = fs::remove_file(path)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(%error, path = %path.display(), "cannot remove a file");
    }
}
