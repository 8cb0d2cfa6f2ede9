//! The database: one connection on one thread. Nothing else opens SQLite.

mod migrations;
mod rows;

use std::path::{Path, PathBuf};
use std::sync::mpsc;

use anyhow::{Context, Result};
use rusqlite::Connection;
use tokio::sync::oneshot;

pub(super) use rows::now_ms;
pub use rows::{AuditRow, ClientRow, SessionRow};

/// Work for the database thread.
type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Stack of the database thread, in bytes.
const STACK: usize = 512 * 1024;

/// A handle to the database; clones share one connection.
#[derive(Clone, Debug)]
pub struct Store {
    /// The database thread holds the other end and leaves when the last handle is gone.
    jobs: mpsc::Sender<Job>,
}

impl Store {
    /// Opens or creates the database and brings it to this version's shape.
    ///
    /// # Errors
    /// When it cannot be opened, is damaged, or was written by a newer version.
    pub fn open(path: &Path) -> Result<Self> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let (ready, opened) = mpsc::channel();
        let path = path.to_owned();
        std::thread::Builder::new()
            .name("store".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let mut connection = match prepare(path) {
                    Ok(connection) => connection,
                    Err(error) => {
                        // The opener waits for this; when it is gone there is nobody to tell.
                        drop(ready.send(Err(error)));
                        return;
                    }
                };
                drop(ready.send(Ok(())));
                while let Ok(job) = inbox.recv() {
                    job(&mut connection);
                }
            })?;
        opened.recv().context("the database thread ended")??;
        Ok(Self { jobs })
    }

    /// Runs one piece of work on the database thread.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let (done, result) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            // A caller that no longer waits does not undo what was stored.
            drop(done.send(work(connection)));
        });
        self.jobs.send(job).ok().context("the database thread ended")?;
        Ok(result.await.context("the database thread ended")??)
    }
}

fn prepare(path: PathBuf) -> Result<Connection> {
    let mut connection =
        Connection::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    // In KiB when negative: the tables are small, and the daemon idles most of its life.
    connection.pragma_update(None, "cache_size", -256)?;
    migrations::run(&mut connection).with_context(|| format!("cannot use {}", path.display()))?;
    Ok(connection)
}

#[cfg(test)]
mod tests;
