//! The database: one connection on one thread. Nothing else opens SQLite.

mod audit;
mod migrations;
mod outcomes;
mod refs;
mod rows;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::sync::mpsc;

use anyhow::{Context, Result};
use rusqlite::Connection;
use tokio::sync::{Notify, oneshot};

pub use audit::{AuditRow, Checked, Head};
pub use outcomes::OutcomeRow;
pub use refs::TabRefs;
pub(super) use rows::now_ms;
pub use rows::{ClientRow, SessionRow, TargetKept};

/// Work for the database thread.
type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Stack of the database thread, in bytes.
const STACK: usize = 512 * 1024;

/// A handle to the database; clones share one connection.
#[derive(Clone, Debug)]
pub struct Store {
    /// The database thread holds the other end and leaves when the last handle is gone.
    jobs: mpsc::Sender<Job>,
    /// The number of the last audit row; rows are numbered before they are written.
    last_audit: Arc<AtomicI64>,
    /// Told whenever the audit has a new end.
    audit_moved: Arc<Notify>,
}

/// Something that was handed to the database thread. Whatever is asked of the store later sees it.
#[derive(Debug)]
pub struct Handed<T>(oneshot::Receiver<rusqlite::Result<T>>);

impl<T> Handed<T> {
    /// Waits until it is on the disk.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn stored(self) -> Result<T> {
        Ok(self.0.await.context("the database thread ended")??)
    }
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
                drop(ready.send(last_audit(&connection)));
                while let Ok(job) = inbox.recv() {
                    job(&mut connection);
                }
            })?;
        let last = opened.recv().context("the database thread ended")??;
        Ok(Self {
            jobs,
            last_audit: Arc::new(AtomicI64::new(last)),
            audit_moved: Arc::default(),
        })
    }

    /// Brings the database into its one file, for the end of a daemon.
    ///
    /// # Errors
    /// When the disk refuses; what was written before is safe all the same.
    pub async fn settle(&self) -> Result<()> {
        self.run(|db| db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())))
            .await
    }

    /// Runs one piece of work on the database thread.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        self.hand(work).stored().await
    }

    /// Hands one piece of work to the database thread, which does everything in the order it was handed.
    fn hand<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Handed<T> {
        let (done, result) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            // A caller that no longer waits does not undo what was stored.
            drop(done.send(work(connection)));
        });
        // When the thread is gone the job goes with it, and whoever waits for it hears of it.
        drop(self.jobs.send(job));
        Handed(result)
    }
}

fn last_audit(connection: &Connection) -> Result<i64> {
    Ok(
        connection.query_row("SELECT coalesce(max(call), 0) FROM audit_log", [], |row| {
            row.get(0)
        })?,
    )
}

fn prepare(path: PathBuf) -> Result<Connection> {
    open(&path).with_context(|| format!("cannot use the database {}", path.display()))
}

fn open(path: &Path) -> Result<Connection> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    // In KiB when negative: the tables are small, and the daemon idles most of its life.
    connection.pragma_update(None, "cache_size", -256)?;
    migrations::run(&mut connection)?;
    Ok(connection)
}

#[cfg(test)]
mod tests;
