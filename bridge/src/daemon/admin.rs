//! Commands of the command line that are no tools. None of them widens access without a person.

use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::local::Admin;
use serde::Serialize;
use serde_json::{Value, json};

use super::consent;
use super::health;
use super::hub::Hub;
use super::sessions::Caller;

/// Audit rows that one answer holds at most.
const MAX_ROWS: u32 = 10_000;

/// Does what was asked.
///
/// # Errors
/// `needs_approval` where a person has to decide, `invalid_argument`, `internal`.
pub async fn run(hub: &Rc<Hub>, caller: &Caller, admin: Admin) -> Result<Value, Error> {
    match admin {
        Admin::Links => {
            private(hub, caller)?;
            Ok(hub.targets.links())
        }
        Admin::Health { bench, settle } => {
            let patience = settle.then_some(Duration::ZERO);
            value(health::look(hub, caller, bench, patience).await)
        }
        Admin::Grants => value(hub.access.grants()),
        Admin::SetGrant { grant, yes } => value(consent::grant(hub, grant, yes).await?),
        Admin::RevokeGrant {
            subject,
            action,
            site,
        } => value(hub.access.revoke(subject, action, site).await?),
        Admin::Admit { client, yes } => value(consent::admit(hub, client, yes).await?),
        Admin::Clients => value(hub.access.clients()),
        Admin::GetSetting { key } => value(hub.settings.get(&key)?),
        Admin::SetSetting { key, value: new } => {
            let kept = consent::set(hub, &key, &new).await?;
            hub.targets.sockets();
            value(kept)
        }
        Admin::Audit { limit } => {
            private(hub, caller)?;
            value(hub.store.audit(limit.min(MAX_ROWS)).await.map_err(unreadable)?)
        }
        Admin::OpenPairing => hub.targets.open_pairing().await,
        Admin::Pair { target, yes } => value(consent::pair(hub, &target, yes).await?),
        Admin::Unpair { target } => value(hub.targets.unpair(&target).await?),
        Admin::VerifyAudit => value(hub.record.verify(hub).await.map_err(unreadable)?),
        Admin::DeleteAudit { yes } => {
            let deleted = consent::delete_audit(hub, yes).await?;
            tracing::warn!(deleted, "the audit was deleted");
            Ok(json!({ "deleted": deleted }))
        }
        // The connection ends the daemon once this answer is on its way.
        Admin::Shutdown => {
            hub.release().await;
            Ok(Value::Null)
        }
    }
}

/// Names of profiles and of visited sites are for admitted clients; a sandbox has nothing to hide.
fn private(hub: &Hub, caller: &Caller) -> Result<(), Error> {
    if hub.access.policy().is_sandbox() || hub.access.admitted(&caller.client) {
        return Ok(());
    }
    Err(Error::new(
        Code::NeedsApproval,
        format!("no person has admitted the client {} yet", caller.client),
    ))
}

fn unreadable(error: anyhow::Error) -> Error {
    Error::internal(format!("the audit cannot be read: {error:#}"))
}

fn value<T: Serialize>(result: T) -> Result<Value, Error> {
    serde_json::to_value(result).map_err(|error| Error::internal(error.to_string()))
}
