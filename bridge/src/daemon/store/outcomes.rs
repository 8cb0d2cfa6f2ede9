//! What came of calls that a client gave an id of its own.

use anyhow::Result;
use drawbridge_protocol::ids::ClientId;
use rusqlite::{OptionalExtension, params};

use super::Store;
use super::rows::now_ms;

/// Milliseconds that an outcome is remembered.
const KEPT_MS: u64 = 24 * 60 * 60 * 1_000;

/// A call that was given an id before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeRow {
    /// What was called, hashed.
    pub call: String,
    /// What came of it, JSON; `None` where nobody wrote that down.
    pub outcome: Option<String>,
}

impl Store {
    /// Notes that a call begins, unless there was one with its id: then that. What this answers is on the disk.
    pub async fn claim_outcome(
        &self,
        client: ClientId,
        request: String,
        call: String,
    ) -> Result<Option<OutcomeRow>> {
        let now = now_ms();
        self.run(move |db| {
            let transaction = db.transaction()?;
            transaction.execute(
                "DELETE FROM outcomes WHERE at < ?1",
                [now.saturating_sub(KEPT_MS) as i64],
            )?;
            let before = transaction
                .query_row(
                    "SELECT call, outcome FROM outcomes WHERE client = ?1 AND request = ?2",
                    params![client.0, request],
                    |row| {
                        Ok(OutcomeRow {
                            call: row.get(0)?,
                            outcome: row.get(1)?,
                        })
                    },
                )
                .optional()?;
            if before.is_none() {
                transaction.execute(
                    "INSERT INTO outcomes VALUES (?1, ?2, ?3, ?4, NULL)",
                    params![client.0, request, call, now as i64],
                )?;
            }
            transaction.commit()?;
            Ok(before)
        })
        .await
    }

    /// Writes what came of a call; whatever is asked later sees it.
    pub async fn put_outcome(&self, client: ClientId, request: String, outcome: String) -> Result<()> {
        self.run(move |db| {
            db.execute(
                "UPDATE outcomes SET outcome = ?3 WHERE client = ?1 AND request = ?2",
                params![client.0, request, outcome],
            )
            .map(drop)
        })
        .await
    }

    /// Forgets a call that did nothing: its id may be used again.
    pub async fn drop_outcome(&self, client: ClientId, request: String) -> Result<()> {
        self.run(move |db| {
            db.execute(
                "DELETE FROM outcomes WHERE client = ?1 AND request = ?2",
                params![client.0, request],
            )
            .map(drop)
        })
        .await
    }
}
