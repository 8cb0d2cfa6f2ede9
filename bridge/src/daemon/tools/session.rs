//! `browser_session`: pieces of work, profiles, status.

use std::time::Duration;

use drawbridge_protocol::address;
use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::tools::session::{
    Lease, List, ListArgs, StartArgs, Started, Status, StatusArgs, StatusIssue, StopArgs, Stopped,
    TargetState, Targets, TargetsArgs,
};
use drawbridge_protocol::version::CAPABILITY_REVISION;
use tokio::time::Instant;

use super::super::grants::Site;
use super::super::link;
use super::super::sessions::Plan;
use super::super::targets::Chosen;
use super::super::work::{Work, mismatch};
use crate::versions::build;

/// Quiet time of a timed session that names none.
const DEFAULT_LEASE: Duration = Duration::from_mins(30);

/// The longest and the shortest quiet time.
const LEASES: std::ops::RangeInclusive<u64> = 1_000..=86_400_000;

/// How long the status waits for the extension's background.
const PROBE_LIMIT: Duration = Duration::from_secs(2);

/// How long the tabs of a session may take to close that could not be started.
const UNDO_LIMIT: Duration = Duration::from_secs(5);

/// Starts a session with its first tab, or leaves nothing behind.
pub async fn start(work: &mut Work, args: StartArgs) -> Result<Started, Error> {
    let label = args.label.as_deref().map(check_label).transpose()?;
    let lease = check_lease(args.lease.unwrap_or_default(), args.lease_ms)?;
    let address = args
        .url
        .as_deref()
        .map(|url| address::check(url, "url"))
        .transpose()?;
    let chosen = work.choose(args.target.as_deref())?;
    if let Some(address) = &address {
        work.allow(Access::Interact, Site::from(address))?;
    }
    let placement = args.placement.unwrap_or_default();
    let plan = Plan {
        target: chosen.row.id.clone(),
        label: label.clone(),
        placement,
        lease,
    };
    let session = work.hub.sessions.begin(&work.caller, plan).await?;
    work.enter(&session);
    let call = BrowserCall::OpenTab {
        session: session.clone(),
        url: address.as_ref().map(|address| address.url.clone()),
        placement,
        label,
        active: false,
        wait_until: Phase::Load,
    };
    let problem = match work.browser(&chosen, call).await {
        Ok(BrowserReply::Opened { tab, url, phase }) => {
            work.hub.sessions.opened(&session, &tab);
            let arrived = address
                .as_ref()
                .map_or(Ok(()), |address| work.arrived(address, &url));
            match (arrived, work.ticket.stopped()) {
                (Ok(()), None) => {
                    return Ok(Started {
                        session,
                        target: chosen.row.id,
                        tab,
                        url,
                        phase,
                    });
                }
                // Nobody would know of the session, so it ends here.
                (Ok(()), Some(_)) => Error::new(Code::Cancelled, "stopped while the session started"),
                (Err(refusal), _) => refusal,
            }
        }
        Ok(_) => mismatch(),
        Err(problem) => problem,
    };
    work.leave();
    let ended = work.hub.end_session(&session, Instant::now() + UNDO_LIMIT).await;
    let clean = ended.is_some_and(|ended| ended.pending.is_empty());
    Err(problem.effect(if clean { Effect::None } else { Effect::Unknown }))
}

/// Ends a session; repeatable.
pub async fn stop(work: &mut Work, args: StopArgs) -> Result<Stopped, Error> {
    let already = |session| Stopped {
        session,
        closed: Vec::new(),
        pending: Vec::new(),
        already_closed: true,
    };
    let session = match args.session {
        Some(id) if work.hub.sessions.has_ended(&work.caller, &id) => return Ok(already(id)),
        named => work.hub.sessions.resolve(&work.caller, named.as_ref(), None)?.id,
    };
    work.record_session(&session);
    work.record().await?;
    match work.hub.end_session(&session, work.deadline).await {
        Some(ended) => {
            work.note(ended.round_trip, ended.hops);
            Ok(Stopped {
                session,
                closed: ended.closed,
                pending: ended.pending,
                already_closed: false,
            })
        }
        // It ended in the meantime.
        None => Ok(already(session)),
    }
}

/// Lists the caller's sessions.
pub fn list(work: &Work, _: ListArgs) -> List {
    List {
        sessions: work.hub.sessions.list(&work.caller),
    }
}

/// Lists connected profiles.
pub fn targets(work: &Work, _: TargetsArgs) -> Targets {
    Targets {
        targets: work.hub.targets.rows(),
    }
}

/// Says whether a page can be reached. What is missing is an issue, not an error.
pub async fn status(work: &mut Work, args: StatusArgs) -> Result<Status, Error> {
    let mut status = reach(work, args).await?;
    status.issues.extend(work.hub.record.issue(&work.hub).await);
    Ok(status)
}

async fn reach(work: &mut Work, args: StatusArgs) -> Result<Status, Error> {
    let mut status = Status {
        connected: false,
        bridge: build().to_owned(),
        required_revision: CAPABILITY_REVISION,
        target: None,
        targets: work.hub.targets.rows().len() as u32,
        sessions: work.hub.sessions.list(&work.caller).len() as u32,
        round_trip_ms: None,
        issues: Vec::new(),
    };
    let chosen = match work.choose(args.target.as_deref()) {
        Ok(chosen) => chosen,
        Err(error) if error.code == Code::TargetRequired => {
            status.connected = any_alive(work).await;
            status.issues.push(choose_one(work));
            return Ok(status);
        }
        Err(error) => {
            status.issues.push(missing(error)?);
            return Ok(status);
        }
    };
    status.issues.extend(link::notice(
        &chosen.row.extension,
        chosen.row.capability_revision,
    ));
    match round_trip(work, &chosen).await {
        Ok(took) => {
            status.connected = true;
            status.round_trip_ms = Some((took.as_secs_f64() * 100_000.0).round() / 100.0);
        }
        Err(_) => status.issues.push(issue(
            "extension_silent",
            "the extension's background does not answer: reload the extension in the browser",
        )),
    }
    status.target = Some(chosen.row);
    Ok(status)
}

/// Whether some profile that takes calls gives a sign of life.
async fn any_alive(work: &Work) -> bool {
    for (chosen, _) in work.hub.targets.seats() {
        if chosen.row.state == TargetState::Connected && chosen.link.is_alive(PROBE_LIMIT).await {
            return true;
        }
    }
    false
}

/// Several profiles take calls and none was chosen: they are connected all the same.
fn choose_one(work: &Work) -> StatusIssue {
    let names: Vec<String> = work
        .hub
        .targets
        .rows()
        .into_iter()
        .filter(|row| row.state == TargetState::Connected)
        .map(|row| row.name)
        .collect();
    issue(
        "several_targets",
        &format!(
            "{} connected, choose one with `target`: {}",
            names.len(),
            names.join(", ")
        ),
    )
}

async fn round_trip(work: &mut Work, chosen: &Chosen) -> Result<Duration, Error> {
    work.deadline = work.deadline.min(Instant::now() + PROBE_LIMIT);
    let started = Instant::now();
    work.browser(
        chosen,
        BrowserCall::Echo {
            text: String::new(),
            fill: 0,
            wait_ms: 0,
        },
    )
    .await?;
    Ok(started.elapsed())
}

/// The issue behind an error that a status reports rather than fails with.
fn missing(error: Error) -> Result<StatusIssue, Error> {
    let id = match error.code {
        Code::NotConnected => "no_browser",
        Code::TargetRequired => "several_targets",
        Code::TargetUnavailable => "target_unavailable",
        Code::Unpaired => "unpaired",
        _ => return Err(error),
    };
    Ok(issue(id, error.hint.as_deref().unwrap_or(&error.message)))
}

fn issue(id: &str, repair: &str) -> StatusIssue {
    StatusIssue {
        id: id.to_owned(),
        repair: repair.to_owned(),
    }
}

fn check_label(label: &str) -> Result<String, Error> {
    if label.chars().count() > 64 || label.chars().any(char::is_control) {
        return Err(Error::argument(
            "label",
            "must be one line of at most 64 characters",
        ));
    }
    Ok(label.to_owned())
}

fn check_lease(lease: Lease, lease_ms: Option<u64>) -> Result<Option<Duration>, Error> {
    match (lease, lease_ms) {
        (Lease::Attached, None) => Ok(None),
        (Lease::Attached, Some(_)) => Err(Error::argument("leaseMs", "goes only with lease: timed")),
        (Lease::Timed, None) => Ok(Some(DEFAULT_LEASE)),
        (Lease::Timed, Some(ms)) if LEASES.contains(&ms) => Ok(Some(Duration::from_millis(ms))),
        (Lease::Timed, Some(ms)) => Err(Error::argument(
            "leaseMs",
            format!("is {ms}, must be {} to {}", LEASES.start(), LEASES.end()),
        )),
    }
}
