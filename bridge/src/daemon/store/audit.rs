//! The record of what was done: a chain of rows that is only added to. Who changes, drops or slips in a row breaks it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Result;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::rows::now_ms;
use super::{Handed, Store};
use crate::hex;
use crate::redact::redact;

/// One call, as it was decided and as it ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditRow {
    /// Rises with every call; 0 before it is stored.
    pub id: i64,
    /// When it came, UTC, RFC 3339; empty before it is stored.
    pub at: String,
    /// Who called.
    pub client: String,
    /// Flat name of the tool.
    pub tool: String,
    /// Profile it went to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Session it used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Host it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// What the door said: `housekeeping`, `allow`, `ask`, `off`, `unadmitted`, `invalid`, or `repeated` for a call that
    /// was answered with what came of an earlier one.
    pub decision: String,
    /// `ok` or an error code; missing while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<String>,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<i64>,
}

/// The end of the chain: how far it goes, and the hash that covers all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Head {
    /// Number of the last row; 0 when there is none.
    pub seq: i64,
    /// Its hash; empty when there is none.
    pub hash: String,
}

/// What a look at the whole chain found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Whether every row is as it was written.
    pub intact: bool,
    /// Rows that were looked at.
    pub rows: i64,
    /// The end of the chain.
    pub head: Head,
    /// The first row that does not fit, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Clone, Copy)]
enum Kind {
    Begin,
    End,
    Deleted,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::End => "end",
            Self::Deleted => "deleted",
        }
    }
}

impl Store {
    /// Adds a call to the audit. Returns its number at once, and what to wait on until it is on the disk.
    pub fn begin_audit(&self, row: AuditRow) -> (i64, Handed<()>) {
        let id = self.last_audit.fetch_add(1, Ordering::Relaxed) + 1;
        let at = now_ms() as i64;
        let moved = Arc::clone(&self.audit_moved);
        let handed = self.hand(move |db| {
            let stamp = db
                .prepare_cached("SELECT strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch')")?
                .query_row([at], |row| row.get(0))?;
            let row = AuditRow { id, at: stamp, ..row };
            noted(append(db, Kind::Begin, id, &row)).inspect(|()| moved.notify_one())
        });
        (id, handed)
    }

    /// Completes a call that [`Store::begin_audit`] added; `row.id` names it. It is written after that row and before
    /// anything that is asked later; a daemon that dies in between leaves a call without an end.
    pub fn finish_audit(&self, row: AuditRow) {
        let moved = Arc::clone(&self.audit_moved);
        let append = move |db: &mut Connection| {
            noted(append(db, Kind::End, row.id, &row)).inspect(|()| moved.notify_one())
        };
        // The call is over: nobody waits for its row.
        drop(self.hand(append));
    }

    /// The last calls, newest first.
    pub async fn audit(&self, limit: u32) -> Result<Vec<AuditRow>> {
        let rows: Vec<(String, Option<String>)> = self
            .run(move |db| {
                db.prepare(
                    "SELECT b.body, e.body FROM audit_log b
                       LEFT JOIN audit_log e ON e.kind = 'end' AND e.call = b.call
                     WHERE b.kind = 'begin' ORDER BY b.call DESC LIMIT ?1",
                )?
                .query_map([limit], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
            })
            .await?;
        rows.into_iter()
            .map(|(begin, end)| {
                let begin: AuditRow = serde_json::from_str(&begin)?;
                let Some(end) = end else { return Ok(begin) };
                let end: AuditRow = serde_json::from_str(&end)?;
                Ok(AuditRow { at: begin.at, ..end })
            })
            .collect()
    }

    /// Looks at the whole chain.
    pub async fn verify_audit(&self) -> Result<Checked> {
        self.run(|db| verify(db)).await
    }

    /// The end of the chain.
    pub async fn audit_head(&self) -> Result<Head> {
        self.run(|db| head(db)).await
    }

    /// Returns once the chain has another end than when this was awaited last; for one who waits.
    pub async fn audit_moved(&self) {
        self.audit_moved.notified().await;
    }

    /// Whether the chain still holds what it held when this was its end: the same row, or a tombstone after it.
    pub async fn audit_covers(&self, seen: Head) -> Result<bool> {
        self.run(move |db| {
            if seen.seq == 0 {
                return Ok(true);
            }
            let hash: Option<String> = db
                .query_row("SELECT hash FROM audit_log WHERE seq = ?1", [seen.seq], |row| {
                    row.get(0)
                })
                .optional()?;
            match hash {
                Some(hash) => Ok(hash == seen.hash),
                None => db.query_row(
                    "SELECT count(*) FROM audit_log WHERE kind = 'deleted' AND seq > ?1",
                    [seen.seq],
                    |row| row.get::<_, i64>(0).map(|count| count > 0),
                ),
            }
        })
        .await
    }

    /// Deletes every row and leaves a tombstone that says so, with a number above `after`. Returns how many there were.
    pub async fn delete_audit(&self, after: i64) -> Result<i64> {
        let at = now_ms();
        self.run(move |db| {
            let transaction = db.transaction()?;
            let before = head(&transaction)?;
            let call: i64 =
                transaction.query_row("SELECT coalesce(max(call), 0) FROM audit_log", [], |row| {
                    row.get(0)
                })?;
            let rows = transaction.execute("DELETE FROM audit_log", [])? as i64;
            let body = json!({"at_ms": at, "rows": rows, "before": before.hash}).to_string();
            let hash = link(&before.hash, Kind::Deleted.word(), call, &body);
            transaction.execute(
                "INSERT INTO audit_log VALUES (?1, ?2, ?3, ?4, ?5)",
                params![before.seq.max(after) + 1, Kind::Deleted.word(), call, body, hash],
            )?;
            transaction.commit()?;
            Ok(rows)
        })
        .await
    }
}

fn noted(done: rusqlite::Result<()>) -> rusqlite::Result<()> {
    if let Err(error) = &done {
        tracing::error!(%error, "cannot write an audit row");
    }
    done
}

fn append(db: &Connection, kind: Kind, call: i64, row: &AuditRow) -> rusqlite::Result<()> {
    let site = row.site.as_deref().map(|site| redact(site).into_owned());
    let body = serde_json::to_string(&AuditRow { site, ..row.clone() })
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    let before = head(db)?;
    let hash = link(&before.hash, kind.word(), call, &body);
    db.prepare_cached("INSERT INTO audit_log VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![before.seq + 1, kind.word(), call, body, hash])
        .map(drop)
}

fn head(db: &Connection) -> rusqlite::Result<Head> {
    let last = db
        .prepare_cached("SELECT seq, hash FROM audit_log ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| {
            Ok(Head {
                seq: row.get(0)?,
                hash: row.get(1)?,
            })
        })
        .optional()?;
    Ok(last.unwrap_or(Head {
        seq: 0,
        hash: String::new(),
    }))
}

/// The hash of a row. None of the parts before the body can hold a line break.
fn link(before: &str, kind: &str, call: i64, body: &str) -> String {
    hex::digest(&format!("{before}\n{kind}\n{call}\n{body}"))
}

fn verify(db: &Connection) -> rusqlite::Result<Checked> {
    let mut select = db.prepare("SELECT seq, kind, call, body, hash FROM audit_log ORDER BY seq")?;
    let mut rows = select.query([])?;
    let mut at = Head {
        seq: 0,
        hash: String::new(),
    };
    let (mut count, mut problem) = (0, None);
    while let Some(row) = rows.next()? {
        let (seq, kind): (i64, String) = (row.get(0)?, row.get(1)?);
        let (call, body): (i64, String) = (row.get(2)?, row.get(3)?);
        let hash: String = row.get(4)?;
        if count == 0 && kind == Kind::Deleted.word() {
            // The chain goes on from what was deleted.
            let tombstone: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
            at = Head {
                seq: seq - 1,
                hash: tombstone["before"].as_str().unwrap_or_default().to_owned(),
            };
        }
        count += 1;
        if problem.is_none() && seq != at.seq + 1 {
            problem = Some(format!("row {} is missing", at.seq + 1));
        } else if problem.is_none() && hash != link(&at.hash, &kind, call, &body) {
            problem = Some(format!("row {seq} is not as it was written"));
        }
        at = Head { seq, hash };
    }
    Ok(Checked {
        intact: problem.is_none(),
        rows: count,
        head: at,
        problem,
    })
}

#[cfg(test)]
mod tests;
