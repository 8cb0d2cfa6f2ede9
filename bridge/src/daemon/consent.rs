//! What widens access: each of these asks a person first, and does what the person said. In a sandbox `yes` stands for
//! the person.

use std::rc::Rc;

use drawbridge_protocol::approval::{Ask, Verdict};
use drawbridge_protocol::error::Error;
use drawbridge_protocol::ids::{ClientId, TargetId};
use drawbridge_protocol::local::{Decision, Grant};
use drawbridge_protocol::tools::Access;

use super::access::Person;
use super::grants::{self, Site};
use super::hub::Hub;
use crate::hex;

/// Digits of a key's hash that a person compares.
const FINGERPRINT: usize = 16;

/// Sites of one admission at most.
const SITES: usize = 100;

/// Admits a client that asked.
///
/// # Errors
/// `not_found`, else as [`super::approvals::Approvals::ask`].
pub async fn admit(hub: &Hub, client: ClientId, yes: bool) -> Result<(), Error> {
    match hub.access.person(yes)? {
        Person::IsAnsweredFor => hub.access.admit(&client).await,
        Person::IsAsked => {
            let ask = admission(hub, &client)?;
            let _settling = hub.approvals.settling(&ask);
            let verdict = hub.approvals.ask(&hub.targets, ask, None).await?;
            admitted(hub, &client, verdict).await
        }
    }
}

/// Writes a grant. What narrows needs nobody.
///
/// # Errors
/// `invalid_argument`, else as [`super::approvals::Approvals::ask`].
pub async fn grant(hub: &Hub, grant: Grant, yes: bool) -> Result<Grant, Error> {
    let grant = hub.access.checked(grant)?;
    if grant.decision != Decision::Off && hub.access.person(yes)? == Person::IsAsked {
        let ask = Ask::Grant {
            client: grant.subject.clone(),
            action: grant.action.clone(),
            site: grant.site.clone(),
            decision: grant.decision,
        };
        hub.approvals.ask(&hub.targets, ask, None).await?;
    }
    hub.access.set(vec![grant.clone()]).await?;
    Ok(grant)
}

/// Pairs another browser profile.
///
/// # Errors
/// `target_unavailable`, else as [`super::approvals::Approvals::ask`].
pub async fn pair(hub: &Hub, target: &str, yes: bool) -> Result<(), Error> {
    let (row, key) = hub.targets.named(target)?;
    if hub.targets.is_paired(&row.id) {
        return Ok(());
    }
    if hub.access.person(yes)? == Person::IsAsked {
        let ask = Ask::Pair {
            name: row.name,
            browser: row.browser,
            fingerprint: hex::digest(&key)[..FINGERPRINT].to_owned(),
        };
        hub.approvals.ask(&hub.targets, ask, None).await?;
    }
    hub.targets.pair(&row.id).await
}

/// Changes a setting. To take a site off the list of sensitive ones needs a person, all else nobody.
///
/// # Errors
/// As [`super::settings::Settings::set`] and [`super::approvals::Approvals::ask`].
pub async fn set(hub: &Hub, key: &str, value: &str) -> Result<String, Error> {
    let sites = hub.settings.unlisted(key, value)?;
    if !sites.is_empty() && hub.access.person(false)? == Person::IsAsked {
        let ask = Ask::Unlist { sites };
        hub.approvals.ask(&hub.targets, ask, None).await?;
    }
    hub.settings.set(key, value).await
}

/// Deletes the record of calls; a tombstone stays. Returns how many rows there were.
///
/// # Errors
/// As [`super::approvals::Approvals::ask`], `internal` when the disk refuses.
pub async fn delete_audit(hub: &Hub, yes: bool) -> Result<i64, Error> {
    let broken = |error: anyhow::Error| Error::internal(format!("the audit cannot be deleted: {error:#}"));
    if hub.access.person(yes)? == Person::IsAsked {
        let rows = hub.store.verify_audit().await.map_err(broken)?.rows;
        let ask = Ask::DeleteAudit {
            rows: rows.unsigned_abs(),
        };
        hub.approvals.ask(&hub.targets, ask, None).await?;
    }
    hub.record.delete(hub).await.map_err(broken)
}

/// Raises the question whether a client is admitted, once, because it called. Nothing else happens before the answer.
pub fn raise_admission(hub: &Rc<Hub>, client: &ClientId) {
    if hub.access.asks_by_itself()
        && let Ok(ask) = admission(hub, client)
        && hub.approvals.may_raise(&ask)
    {
        let settling = hub.approvals.settling(&ask);
        let (hub_then, client) = (Rc::clone(hub), client.clone());
        hub.tasks.spawn_local(async move {
            let hub = hub_then;
            let done = match hub.approvals.ask(&hub.targets, ask, None).await {
                Ok(verdict) => admitted(&hub, &client, verdict).await,
                Err(error) => Err(error),
            };
            if let Err(error) = done {
                tracing::info!(%client, code = ?error.code, "client not admitted");
            }
            drop(settling);
        });
    }
}

/// Raises the question whether a client may do this at a site, because a call needed it.
pub fn raise_use(
    hub: &Rc<Hub>,
    client: &ClientId,
    action: &str,
    site: &Site,
    title: Option<String>,
    target: Option<TargetId>,
) {
    let ask = Ask::Use {
        client: client.clone(),
        action: action.to_owned(),
        site: site
            .host
            .as_deref()
            .map(|host| grants::registrable(host, site.local)),
        title,
    };
    if !hub.access.asks_by_itself() || !hub.approvals.may_raise(&ask) {
        return;
    }
    let settling = hub.approvals.settling(&ask);
    let (hub_then, client, action) = (Rc::clone(hub), client.clone(), action.to_owned());
    let wide = match &ask {
        Ask::Use { site, .. } => site.clone(),
        _ => None,
    };
    hub.tasks.spawn_local(async move {
        let hub = hub_then;
        let grant = Grant {
            subject: client.clone(),
            action,
            site: wide.unwrap_or_else(|| grants::ANY.to_owned()),
            decision: Decision::Allow,
        };
        let done = match hub.approvals.ask(&hub.targets, ask, target.as_ref()).await {
            Ok(_) => hub.access.set(vec![grant]).await,
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            tracing::info!(%client, code = ?error.code, "use not allowed");
        }
        drop(settling);
    });
}

fn admission(hub: &Hub, client: &ClientId) -> Result<Ask, Error> {
    let row = hub.access.asked(client)?;
    Ok(Ask::Admit {
        client: row.client,
        name: row.name,
        sensitive: hub.settings.sensitive().len() as u32,
    })
}

async fn admitted(hub: &Hub, client: &ClientId, verdict: Verdict) -> Result<(), Error> {
    let grant = |action: &str, site: &str, decision| Grant {
        subject: client.clone(),
        action: action.to_owned(),
        site: site.to_owned(),
        decision,
    };
    let grants = match verdict {
        Verdict::Deny => return Ok(()),
        Verdict::Allow => Vec::new(),
        Verdict::AllowEverywhere => {
            let sensitive = hub.settings.sensitive();
            Access::ADMITTED
                .iter()
                .flat_map(|action| {
                    let asked = sensitive.iter().map(|site| grant(action, site, Decision::Ask));
                    std::iter::once(grant(action, grants::ANY, Decision::Allow)).chain(asked)
                })
                .collect()
        }
        Verdict::AllowSites { sites } => {
            let mut written = Vec::new();
            for site in sites
                .iter()
                .take(SITES)
                .filter(|site| site.as_str() != grants::ANY)
            {
                let site = grants::site(site)?;
                written.extend(
                    Access::ADMITTED
                        .iter()
                        .map(|action| grant(action, &site, Decision::Allow)),
                );
            }
            written
        }
    };
    hub.access.admit(client).await?;
    hub.access.set(grants).await
}
