//! The one door: every call of every client comes through here. Who → what → grant → record → run → reply.

use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Effect, Error, Outcome};
use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::link::Hop;
use drawbridge_protocol::tools::{self, Call, EffectClass, Row, Surface};
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use super::calls::{Stop, Ticket};
use super::consent;
use super::hub::Hub;
use super::outcomes::{self, Claim};
use super::sessions::Caller;
use super::store::AuditRow;
use super::tools::{debug, doctor, extract, inspect, interact, page, session, tabs};
use super::work::Work;
use crate::redact::redact;

/// A call as it came.
#[derive(Clone, Debug)]
pub struct Request {
    /// Its number on the connection.
    pub id: CallId,
    /// Tool name as the client wrote it.
    pub tool: String,
    /// Its arguments.
    pub args: Value,
}

/// What came of a call, and where its time went.
#[derive(Debug)]
pub struct Reply {
    /// What came of it.
    pub outcome: Outcome,
    /// Parts of the daemon and of the extension.
    pub hops: Vec<Hop>,
}

/// Serves one call from admission to the finished audit row.
///
/// `ticket` is its place among the running calls, taken when it was read: what stops it may come right behind it.
pub async fn call(hub: &Rc<Hub>, caller: &Caller, request: Request, ticket: Ticket) -> Reply {
    let started = Instant::now();
    if hub.drain.is_cancelled() {
        let audit = AuditRow {
            tool: known_name(&request.tool),
            ..row_of(caller, "draining")
        };
        return finish(hub, audit, started, Err(draining()), Vec::new(), Duration::ZERO);
    }
    if !hub.access.admitted(&caller.client) {
        consent::raise_admission(hub, &caller.client);
        let audit = AuditRow {
            tool: known_name(&request.tool),
            ..row_of(caller, "unadmitted")
        };
        return finish(
            hub,
            audit,
            started,
            Err(unadmitted(caller)),
            Vec::new(),
            Duration::ZERO,
        );
    }
    let Read {
        row,
        call,
        deadline,
        request,
    } = match read(hub, &request) {
        Ok(read) => read,
        Err(error) => {
            let audit = AuditRow {
                tool: known_name(&request.tool),
                ..row_of(caller, "invalid")
            };
            return finish(hub, audit, started, Err(error), Vec::new(), Duration::ZERO);
        }
    };
    let mut claimed = None;
    if let Some((id, call)) = request {
        let claim = hub.outcomes.claim(
            &caller.client,
            &id,
            &call,
            hub.access.changes(),
            started + deadline,
            ticket.token(),
        );
        let known = match claim.await {
            Ok(Claim::Ours(ours)) => {
                claimed = Some(ours);
                None
            }
            Ok(Claim::Known(result)) => Some(result),
            Err(error) => Some(Err(error)),
        };
        if let Some(result) = known {
            let audit = AuditRow {
                tool: row.flat.to_owned(),
                ..row_of(caller, "repeated")
            };
            let result = stopped(&ticket, row, result);
            return finish(hub, audit, started, result, Vec::new(), Duration::ZERO);
        }
    }
    let audit = AuditRow {
        tool: row.flat.to_owned(),
        ..row_of(caller, "housekeeping")
    };
    let mut work = Work::new(
        Rc::clone(hub),
        caller.clone(),
        started + deadline,
        ticket,
        row,
        audit,
    );
    let result = dispatch(&mut work, call).await;
    let (ticket, audit, hops, in_browser, session) = work.into_parts();
    if let Some(session) = session {
        hub.sessions.touch(&session).await;
    }
    let result = stopped(&ticket, row, result);
    if let Some(claimed) = claimed {
        // Nothing reaches a browser before its row of the audit has a number.
        let did_nothing = result
            .as_ref()
            .is_err_and(|error| error.effect == Some(Effect::None) || audit.id == 0);
        let result = result.clone().map_err(clean);
        claimed.end(&result, did_nothing, hub.access.changes()).await;
    }
    finish(hub, audit, started, result, hops, in_browser)
}

/// A call that was read.
struct Read {
    row: &'static Row,
    call: Call,
    deadline: Duration,
    /// The client's own id for it, and what it is called for.
    request: Option<(String, String)>,
}

/// Reads a call: which tool, its arguments, its time.
fn read(hub: &Hub, request: &Request) -> Result<Read, Error> {
    let (id, args) = tools::resolve(&request.tool, &request.args)?;
    let row = tools::row(id);
    match row.surface {
        Surface::Public => {}
        Surface::Sandbox if hub.access.policy().is_sandbox() => {}
        Surface::Sandbox => return Err(tools::not_offered(id)),
    }
    let call = Call::read(id, &args)?;
    let wanted = args.get("timeoutMs").and_then(Value::as_u64);
    if wanted == Some(0) {
        return Err(Error::argument("timeoutMs", "must be at least 1"));
    }
    let deadline = Duration::from_millis(wanted.unwrap_or(row.default_ms).min(row.max_ms));
    let request = match args.get("requestId").and_then(Value::as_str) {
        // A blank one counts as absent, as everywhere.
        Some(id) if row.effect == EffectClass::Changes && !id.is_empty() => Some((
            outcomes::request_id(id)?.to_owned(),
            outcomes::fingerprint(row.flat, &args),
        )),
        Some(_) | None => None,
    };
    Ok(Read {
        row,
        call,
        deadline,
        request,
    })
}

async fn dispatch(work: &mut Work, call: Call) -> Result<Value, Error> {
    match call {
        Call::SessionStart(args) => value(session::start(work, args).await?),
        Call::SessionStop(args) => value(session::stop(work, args).await?),
        Call::SessionList(args) => value(session::list(work, args)),
        Call::SessionStatus(args) => value(session::status(work, args).await?),
        Call::SessionTargets(args) => value(session::targets(work, args)),
        Call::SessionDoctor(args) => value(doctor::doctor(work, args).await?),
        Call::TabsList(args) => value(tabs::list(work, args).await?),
        Call::TabsNew(args) => value(tabs::new(work, args).await?),
        Call::TabsClose(args) => value(tabs::close(work, args).await?),
        Call::PageNavigate(args) => value(page::navigate(work, args).await?),
        Call::PageBack(args) => value(page::back(work, args).await?),
        Call::PageForward(args) => value(page::forward(work, args).await?),
        Call::PageReload(args) => value(page::reload(work, args).await?),
        Call::PageWait(args) => value(page::wait(work, args).await?),
        Call::PageDialog(args) => value(page::dialog(work, args).await?),
        Call::InspectObserve(args) => value(inspect::observe(work, args).await?),
        Call::InspectSnapshot(args) => value(inspect::snapshot(work, args).await?),
        Call::InspectText(args) => value(inspect::text(work, args).await?),
        Call::InspectFind(args) => value(inspect::find(work, args).await?),
        Call::InspectTable(args) => value(inspect::table(work, args).await?),
        Call::InspectHtml(args) => value(inspect::html(work, args).await?),
        Call::InspectDom(args) => value(inspect::dom(work, args).await?),
        Call::InspectSelectors(args) => value(inspect::selectors(work, args).await?),
        Call::InspectSuggest(args) => value(inspect::suggest(work, args).await?),
        Call::InspectScreenshot(args) => value(inspect::screenshot(work, args).await?),
        Call::InteractClick(args) => value(interact::act(work, &args).await?),
        Call::InteractDoubleClick(args) => value(interact::act(work, &args).await?),
        Call::InteractHover(args) => value(interact::act(work, &args).await?),
        Call::InteractFocus(args) => value(interact::act(work, &args).await?),
        Call::InteractBlur(args) => value(interact::act(work, &args).await?),
        Call::InteractScrollTo(args) => value(interact::act(work, &args).await?),
        Call::InteractWheel(args) => value(interact::act(work, &args).await?),
        Call::InteractFill(args) => value(interact::act(work, &args).await?),
        Call::InteractType(args) => value(interact::act(work, &args).await?),
        Call::InteractPress(args) => value(interact::act(work, &args).await?),
        Call::InteractSelect(args) => value(interact::act(work, &args).await?),
        Call::InteractCheck(args) => value(interact::act(work, &args).await?),
        Call::InteractUncheck(args) => value(interact::act(work, &args).await?),
        Call::InteractDrag(args) => value(interact::act(work, &args).await?),
        Call::InteractPointer(args) => value(interact::act(work, &args).await?),
        Call::InteractForm(args) => value(interact::form(work, args).await?),
        Call::InteractBatch(args) => value(interact::batch(work, args).await?),
        Call::InteractProbe(args) => value(interact::probe(work, args).await?),
        Call::Extract(args) => value(extract::extract(work, args).await?),
        Call::DebugEcho(args) => value(debug::echo(work, args).await?),
    }
}

fn value<T: Serialize>(result: T) -> Result<Value, Error> {
    serde_json::to_value(result).map_err(|error| Error::internal(error.to_string()))
}

/// What a stopped call says instead of what it would have said. A result that the caller may no longer have is held
/// back; one that was ready when its caller cancelled is given.
fn stopped(ticket: &Ticket, row: &Row, result: Result<Value, Error>) -> Result<Value, Error> {
    let Some(reason) = ticket.stopped() else {
        return result;
    };
    let effect = match (&result, row.effect) {
        (_, EffectClass::Reads) => None,
        (Ok(_), EffectClass::Changes) => Some(Effect::Committed),
        (Err(error), EffectClass::Changes) => error.effect.or(Some(Effect::Unknown)),
    };
    let (code, message) = match (reason, &result) {
        (Stop::NotGranted, _) => (Code::NotGranted, "the access was taken back while the call ran"),
        (_, Ok(_)) => return result,
        // What went wrong before the stop reached it is the better answer.
        (_, Err(error)) if error.code != Code::Cancelled => return result,
        (Stop::Caller, Err(_)) => (Code::Cancelled, "the caller cancelled"),
        (Stop::ClientGone, Err(_)) => (Code::Cancelled, "the caller is gone"),
        (Stop::SessionEnded, Err(_)) => (Code::Cancelled, "the session ended while the call ran"),
        (Stop::Stopping, Err(_)) => (Code::NotConnected, "the bridge is stopping"),
    };
    Err(Error {
        effect,
        ..Error::new(code, message)
    })
}

fn finish(
    hub: &Hub,
    mut audit: AuditRow,
    started: Instant,
    result: Result<Value, Error>,
    browser_hops: Vec<Hop>,
    in_browser: Duration,
) -> Reply {
    let result = result.map_err(clean);
    audit.code = Some(
        result
            .as_ref()
            .map_or_else(|error| word(error.code), |_| "ok".to_owned()),
    );
    audit.effect = match &result {
        Ok(value) => value.get("effect").and_then(Value::as_str).map(str::to_owned),
        Err(error) => error.effect.map(word),
    };
    audit.ms = Some(started.elapsed().as_millis() as i64);
    match audit.id {
        // A call that got nowhere has no row yet; its failure to be written is in the log.
        0 => drop(hub.store.begin_audit(audit)),
        _ => hub.store.finish_audit(audit),
    }
    let mut hops = vec![hop("bridge", started.elapsed().saturating_sub(in_browser))];
    if !in_browser.is_zero() {
        hops.push(hop("extension", in_browser));
    }
    hops.extend(browser_hops);
    Reply {
        outcome: Outcome(result),
        hops,
    }
}

/// An error as it may be shown and kept: it may repeat an address that it was given.
pub fn clean(error: Error) -> Error {
    Error {
        message: redact(&error.message).into_owned(),
        hint: error.hint.map(|hint| redact(&hint).into_owned()),
        ..error
    }
}

fn hop(name: &str, took: Duration) -> Hop {
    // Hundredths of a millisecond are what is worth saying.
    Hop {
        name: name.to_owned(),
        ms: (took.as_secs_f64() * 100_000.0).round() / 100.0,
    }
}

fn word<T: Serialize>(case: T) -> String {
    serde_json::to_value(case)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn row_of(caller: &Caller, decision: &str) -> AuditRow {
    AuditRow {
        client: caller.client.to_string(),
        decision: decision.to_owned(),
        ..AuditRow::default()
    }
}

/// A tool name for the audit; what a client made up is not kept.
fn known_name(tool: &str) -> String {
    let known = tools::TABLE
        .iter()
        .any(|row| row.domain == tool || row.flat == tool);
    if known { tool.to_owned() } else { "?".to_owned() }
}

/// A newer build takes over: what runs finishes, nothing new begins.
fn draining() -> Error {
    Error::new(
        Code::NotConnected,
        "this bridge hands over to a newer version of itself",
    )
    .hint("call again: the next connection reaches the newer one")
    .effect(Effect::None)
}

fn unadmitted(caller: &Caller) -> Error {
    Error::new(
        Code::NeedsApproval,
        format!("no person has admitted the client {} yet", caller.client),
    )
    .hint("a person admits it in the browser: approve there, then call again")
}

#[cfg(test)]
mod tests;
