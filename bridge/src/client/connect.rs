//! Reaching the daemon of a home, and starting it: one starter at a time, detached, with a scrubbed environment.

use std::fs::File;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use drawbridge_protocol::error::{Code, Error};
use tokio::net::UnixStream;
use tokio::time::{Instant, sleep};

use crate::home::Home;

/// How often the socket is tried while a daemon starts.
const POLL: Duration = Duration::from_millis(10);

/// How long a daemon may take to start, its predecessor's end included.
const START_LIMIT: Duration = Duration::from_secs(12);

/// How long a daemon that no longer takes connections may take to end: one that lets calls finish for a newer build.
const END_LIMIT: Duration = Duration::from_secs(40);

/// How long after a start that found another daemon's lock the next one is tried; doubled up to the second.
const AGAIN_AFTER: Duration = Duration::from_millis(50);
const AGAIN_AT_MOST: Duration = Duration::from_millis(400);

/// Connects to the daemon; starts one where none runs.
///
/// # Errors
/// `not_connected`, with what kept a daemon from starting.
pub async fn connect(home: &Home) -> Result<UnixStream, Error> {
    let since = Instant::now();
    let mut starter = Starter::default();
    loop {
        if let Some(stream) = connect_running(home).await? {
            return Ok(stream);
        }
        let wait = starter.step(home)?;
        let limit = if starter.found_locked == 0 {
            START_LIMIT
        } else {
            END_LIMIT
        };
        if since.elapsed() >= limit {
            return Err(
                Error::new(Code::NotConnected, "the bridge's daemon did not start in time").hint(format!(
                    "look at the log of the daemon in {}",
                    home.logs().display()
                )),
            );
        }
        sleep(wait).await;
    }
}

/// Connects to the daemon; `None` where none runs.
///
/// # Errors
/// `not_connected` when the socket belongs to somebody else or cannot be used.
pub async fn connect_running(home: &Home) -> Result<Option<UnixStream>, Error> {
    let broken = |problem: String| Error::new(Code::NotConnected, format!("the bridge's socket: {problem}"));
    let stream = match UnixStream::connect(home.socket()).await {
        Ok(stream) => stream,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(error) => return Err(broken(error.to_string())),
    };
    let us = rustix::process::geteuid().as_raw();
    match stream.peer_cred() {
        Ok(peer) if peer.uid() == us => Ok(Some(stream)),
        Ok(peer) => Err(broken(format!("user {} answers there, not we", peer.uid()))),
        Err(error) => Err(broken(error.to_string())),
    }
}

/// The one who starts a daemon, as long as it holds the spawn lock.
#[derive(Default)]
struct Starter {
    lock: Option<File>,
    child: Option<Child>,
    /// How many of its daemons found another one's lock.
    found_locked: u32,
}

impl Starter {
    /// Goes one step towards a running daemon; returns how long to wait before the socket is tried again.
    fn step(&mut self, home: &Home) -> Result<Duration, Error> {
        if self.lock.is_none() {
            let file = Home::lock_file(&home.spawn_lock()).map_err(|error| cannot(&error))?;
            if file.try_lock().is_err() {
                // Somebody else is starting one.
                return Ok(POLL);
            }
            self.lock = Some(file);
            // One more try at the socket: whoever held the lock before may just have started a daemon.
            return Ok(Duration::ZERO);
        }
        let Some(child) = &mut self.child else {
            self.child = Some(spawn(home).map_err(|error| cannot(&error))?);
            return Ok(POLL);
        };
        match child.try_wait() {
            Ok(None) => Ok(POLL),
            // It found another daemon's lock: that one is starting, or on its way out.
            Ok(Some(status)) if status.success() => {
                self.child = None;
                self.found_locked += 1;
                Ok(AGAIN_AT_MOST.min(AGAIN_AFTER * 2u32.saturating_pow(self.found_locked.min(8) - 1)))
            }
            Ok(Some(status)) => {
                let reason =
                    std::fs::read_to_string(home.start_error()).unwrap_or_else(|_| status.to_string());
                Err(cannot(&reason))
            }
            Err(error) => Err(cannot(&error)),
        }
    }
}

impl Drop for Starter {
    fn drop(&mut self) {
        // The daemon outlives this process or is waited for here, so that it never stays a zombie.
        if let Some(mut child) = self.child.take() {
            let waiting = std::thread::Builder::new()
                .name("reap".to_owned())
                .stack_size(64 * 1024);
            if let Err(error) = waiting.spawn(move || child.wait()) {
                tracing::warn!(%error, "the daemon is not waited for");
            }
        }
    }
}

fn cannot(problem: &dyn std::fmt::Display) -> Error {
    Error::new(
        Code::NotConnected,
        format!("the bridge's daemon cannot start: {problem}"),
    )
}

fn spawn(home: &Home) -> std::io::Result<Child> {
    // A note of an earlier failure must not pass for one of this start.
    if let Err(error) = std::fs::remove_file(home.start_error())
        && error.kind() != ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut command = Command::new(program()?);
    command
        .arg("daemon")
        .env_clear()
        .env("DRAWBRIDGE_HOME", home.root())
        .current_dir("/");
    // The filter of its log, and where the user's browsers are.
    for name in ["DRAWBRIDGE_LOG", "HOME", "XDG_CONFIG_HOME"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    #[cfg(feature = "sandbox")]
    if let Some(pretended) = std::env::var_os(crate::versions::PRETEND) {
        command.env(crate::versions::PRETEND, pretended);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// This very program, also when its file was replaced since it started.
fn program() -> std::io::Result<PathBuf> {
    let path = std::env::current_exe()?;
    let replaced = PathBuf::from("/proc/self/exe");
    Ok(if path.exists() || !replaced.exists() {
        path
    } else {
        replaced
    })
}
