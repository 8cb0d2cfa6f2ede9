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

/// One call, as it was decided and as it ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
    /// What the door said: `housekeeping`, `allow`, `ask`, `off`, `unadmitted` or `invalid`.
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
            db.prepare("SELECT id, name, admitted FROM clients ORDER BY id")?
                .query_map([], |row| {
                    Ok(ClientRow {
                        client: ClientId(row.get(0)?),
                        name: row.get(1)?,
                        admitted: row.get(2)?,
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
                "INSERT OR REPLACE INTO clients VALUES (?1, ?2, ?3)",
                params![client.client.0, client.name, client.admitted],
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

    /// Names of all profiles that ever connected.
    pub async fn targets(&self) -> Result<Vec<(TargetId, String)>> {
        self.run(|db| {
            db.prepare("SELECT id, name FROM targets")?
                .query_map([], |row| Ok((TargetId(row.get(0)?), row.get(1)?)))?
                .collect()
        })
        .await
    }

    /// Keeps the name of a profile.
    pub async fn put_target(&self, id: TargetId, name: String) -> Result<()> {
        self.run(move |db| {
            db.execute(
                "INSERT OR REPLACE INTO targets VALUES (?1, ?2)",
                params![id.0, name],
            )
            .map(drop)
        })
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
    pub async fn put_setting(&self, key: &'static str, value: &'static str) -> Result<()> {
        self.run(move |db| {
            db.execute("INSERT OR REPLACE INTO settings VALUES (?1, ?2)", [key, value])
                .map(drop)
        })
        .await
    }

    /// Adds a call to the audit and returns its number.
    pub async fn begin_audit(&self, row: AuditRow) -> Result<i64> {
        let at = now_ms() as i64;
        self.run(move |db| {
            db.prepare_cached(
                "INSERT INTO audit (at, client, tool, target, session, site, decision, code, effect, ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .insert(params![
                at,
                row.client,
                row.tool,
                row.target,
                row.session,
                row.site,
                row.decision,
                row.code,
                row.effect,
                row.ms
            ])
        })
        .await
    }

    /// Completes a call that [`Store::begin_audit`] added; `row.id` names it.
    pub async fn finish_audit(&self, row: AuditRow) -> Result<()> {
        self.run(move |db| {
            db.prepare_cached(
                "UPDATE audit SET target = ?2, session = ?3, site = ?4, decision = ?5, code = ?6, effect = ?7, ms = ?8
                 WHERE id = ?1",
            )?
            .execute(params![
                row.id,
                row.target,
                row.session,
                row.site,
                row.decision,
                row.code,
                row.effect,
                row.ms
            ])
            .map(drop)
        })
        .await
    }

    /// The last calls, newest first.
    pub async fn audit(&self, limit: u32) -> Result<Vec<AuditRow>> {
        self.run(move |db| {
            db.prepare(
                "SELECT id, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch'), client, tool, target, session,
                        site, decision, code, effect, ms
                 FROM audit ORDER BY id DESC LIMIT ?1",
            )?
            .query_map([limit], |row| {
                Ok(AuditRow {
                    id: row.get(0)?,
                    at: row.get(1)?,
                    client: row.get(2)?,
                    tool: row.get(3)?,
                    target: row.get(4)?,
                    session: row.get(5)?,
                    site: row.get(6)?,
                    decision: row.get(7)?,
                    code: row.get(8)?,
                    effect: row.get(9)?,
                    ms: row.get(10)?,
                })
            })?
            .collect()
        })
        .await
    }
}
