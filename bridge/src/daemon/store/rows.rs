//! What is stored, and the statements that do it.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use drawbridge_protocol::ids::{ClientId, SessionId, TargetId};
use drawbridge_protocol::local::{Decision, Grant};
use drawbridge_protocol::tools::session::Placement;
use rusqlite::{OptionalExtension, params};
use serde::Serialize;

use super::Store;

/// Ended sessions that are remembered over a restart.
const ENDED_KEPT: i64 = 500;

/// A client that asked, admitted or not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClientRow {
    /// Subject of grants.
    pub client: ClientId,
    /// Name for people, as the client gave it.
    pub name: String,
    /// Whether a person admitted it.
    pub admitted: bool,
    /// SHA-256 of its secret, hexadecimal; `None` when it was admitted in a sandbox before it ever asked.
    #[serde(skip)]
    pub secret_hash: Option<String>,
}

/// A browser profile as it is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetKept {
    /// Its id.
    pub id: TargetId,
    /// The name people see.
    pub name: String,
    /// Its public key as it came in Hello; empty for one that was remembered before there were keys.
    pub key: String,
    /// Whether it takes calls.
    pub paired: bool,
}

/// A session as it is journaled.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionRow {
    /// Its id.
    pub id: SessionId,
    /// Its owner.
    pub client: ClientId,
    /// The profile it works in.
    pub target: TargetId,
    /// Name on its group.
    pub label: Option<String>,
    /// Where its tabs open.
    pub placement: Placement,
    /// Quiet time in milliseconds; `None` when it hangs on a connection.
    pub lease_ms: Option<u64>,
    /// Milliseconds since 1970.
    pub last_call: u64,
    /// Whether it has not ended.
    pub live: bool,
}

/// Milliseconds since 1970.
pub(in crate::daemon) fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as u64)
}

/// The word that serde writes for a plain enum case.
fn word<T: Serialize>(value: &T) -> Result<String> {
    let value = serde_json::to_value(value)?;
    Ok(value.as_str().context("an enum case is a word")?.to_owned())
}

fn from_word<T: serde::de::DeserializeOwned>(text: String) -> Result<T> {
    Ok(serde_json::from_value(text.into())?)
}

impl Store {
    /// Every client that ever asked.
    pub async fn clients(&self) -> Result<Vec<ClientRow>> {
        self.run(|db| {
            db.prepare("SELECT id, name, admitted, secret_hash FROM clients ORDER BY id")?
                .query_map([], |row| {
                    Ok(ClientRow {
                        client: ClientId(row.get(0)?),
                        name: row.get(1)?,
                        admitted: row.get(2)?,
                        secret_hash: row.get(3)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// Writes a client.
    pub async fn put_client(&self, client: ClientRow) -> Result<()> {
        self.run(move |db| {
            db.execute(
                "INSERT OR REPLACE INTO clients VALUES (?1, ?2, ?3, ?4)",
                params![client.client.0, client.name, client.admitted, client.secret_hash],
            )
            .map(drop)
        })
        .await
    }

    /// Every grant.
    pub async fn grants(&self) -> Result<Vec<Grant>> {
        let rows: Vec<(String, String, String, String)> = self
            .run(|db| {
                db.prepare("SELECT subject, action, site, decision FROM grants ORDER BY 1, 2, 3")?
                    .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
                    .collect()
            })
            .await?;
        rows.into_iter()
            .map(|(subject, action, site, decision)| {
                Ok(Grant {
                    subject: ClientId(subject),
                    action,
                    site,
                    decision: from_word::<Decision>(decision)?,
                })
            })
            .collect()
    }

    /// Replaces all grants at once.
    pub async fn put_grants(&self, grants: Vec<Grant>) -> Result<()> {
        let rows: Vec<(Grant, String)> = grants
            .into_iter()
            .map(|grant| word(&grant.decision).map(|word| (grant, word)))
            .collect::<Result<_>>()?;
        self.run(move |db| {
            let transaction = db.transaction()?;
            transaction.execute("DELETE FROM grants", [])?;
            for (grant, decision) in &rows {
                transaction.execute(
                    "INSERT INTO grants VALUES (?1, ?2, ?3, ?4)",
                    params![grant.subject.0, grant.action, grant.site, decision],
                )?;
            }
            transaction.commit()
        })
        .await
    }

    /// All profiles that are remembered.
    pub async fn targets(&self) -> Result<Vec<TargetKept>> {
        self.run(|db| {
            db.prepare("SELECT id, name, key, paired FROM targets")?
                .query_map([], |row| {
                    Ok(TargetKept {
                        id: TargetId(row.get(0)?),
                        name: row.get(1)?,
                        key: row.get(2)?,
                        paired: row.get(3)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// Remembers a profile.
    pub async fn put_target(&self, target: TargetKept) -> Result<()> {
        self.run(move |db| {
            db.execute(
                "INSERT OR REPLACE INTO targets VALUES (?1, ?2, ?3, ?4)",
                params![target.id.0, target.name, target.key, target.paired],
            )
            .map(drop)
        })
        .await
    }

    /// Forgets a profile.
    pub async fn drop_target(&self, id: TargetId) -> Result<()> {
        self.run(move |db| db.execute("DELETE FROM targets WHERE id = ?1", [id.0]).map(drop))
            .await
    }

    /// All live sessions and the ended ones that are remembered; forgets older ones.
    pub async fn sessions(&self) -> Result<Vec<SessionRow>> {
        type Raw = (
            String,
            String,
            String,
            Option<String>,
            String,
            Option<u64>,
            u64,
            bool,
        );
        let rows: Vec<Raw> = self
            .run(|db| {
                db.execute(
                    "DELETE FROM sessions WHERE live = 0 AND id NOT IN
                       (SELECT id FROM sessions WHERE live = 0 ORDER BY last_call DESC LIMIT ?1)",
                    [ENDED_KEPT],
                )?;
                db.prepare(
                    "SELECT id, client, target, label, placement, lease_ms, last_call, live FROM sessions",
                )?
                .query_map([], |row| {
                    Ok((
                        row.get(0)?,
                        row.get(1)?,
                        row.get(2)?,
                        row.get(3)?,
                        row.get(4)?,
                        row.get::<_, Option<i64>>(5)?.map(i64::unsigned_abs),
                        row.get::<_, i64>(6)?.unsigned_abs(),
                        row.get(7)?,
                    ))
                })?
                .collect()
            })
            .await?;
        rows.into_iter()
            .map(
                |(id, client, target, label, placement, lease_ms, last_call, live)| {
                    Ok(SessionRow {
                        id: SessionId(id),
                        client: ClientId(client),
                        target: TargetId(target),
                        label,
                        placement: from_word(placement)?,
                        lease_ms,
                        last_call,
                        live,
                    })
                },
            )
            .collect()
    }

    /// Journals a session.
    pub async fn put_session(&self, session: SessionRow) -> Result<()> {
        let placement = word(&session.placement)?;
        self.run(move |db| {
            db.execute(
                "INSERT OR REPLACE INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    session.id.0,
                    session.client.0,
                    session.target.0,
                    session.label,
                    placement,
                    session.lease_ms.map(|ms| ms as i64),
                    session.last_call as i64,
                    session.live
                ],
            )
            .map(drop)
        })
        .await
    }

    /// One setting; `None` when it was never set.
    pub async fn setting(&self, key: &'static str) -> Result<Option<String>> {
        self.run(move |db| {
            db.query_row("SELECT value FROM settings WHERE key = ?1", [key], |row| {
                row.get(0)
            })
            .optional()
        })
        .await
    }

    /// Keeps a setting.
    pub async fn put_setting(&self, key: &'static str, value: String) -> Result<()> {
        self.run(move |db| {
            db.execute(
                "INSERT OR REPLACE INTO settings VALUES (?1, ?2)",
                params![key, value],
            )
            .map(drop)
        })
        .await
    }
}
