//! The extension's background: the link to the bridge, the life of our tabs, and recipes. The service worker's shim
//! hands every event of the browser to [`event`] and every message of our own pages to [`message`].
//!
//! The worker can die at any instant: what must survive is in the profile's storage (`journal`) or in the bridge.

mod act;
mod address;
mod approve;
mod calls;
mod capture;
mod chrome;
mod close;
mod columns;
mod debugger;
mod dialogs;
mod fence;
mod frames;
mod history;
mod journal;
mod link;
mod navigate;
mod picture;
mod popups;
mod port;
mod private;
mod pulse;
mod read;
mod reader;
mod recipe;
mod record;
mod scroll;
mod snapshot;
mod state;
mod stop;
mod sweep;
mod tabs;
mod target;
mod text;
mod time;
mod unreadable;
mod wait;

use std::cell::RefCell;
use std::rc::Rc;

use drawbridge_protocol::approval::Verdict;
use drawbridge_protocol::ids::ApprovalId;
use futures_util::future::join;
use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use journal::{Journal, Owner};
use navigate::Kind;
use state::App;

thread_local! {
    /// Set once, by [`boot`].
    static APP: RefCell<Option<Rc<App>>> = const { RefCell::new(None) };
}

/// Starts the background: loads what an earlier worker kept, connects, sweeps.
#[wasm_bindgen]
pub async fn boot() {
    std::panic::set_hook(Box::new(|panic| panicked(&panic.to_string())));
    let started_ms = time::wall_ms();
    let (lasting, for_run) = join(
        chrome::load_lasting(&[Journal::key(), target::TARGET]),
        chrome::load_for_run(&[target::FENCE, stop::KEY]),
    )
    .await;
    let lasting = lasting.unwrap_or_else(|failure| {
        log(&format!("loading what was kept: {failure}"));
        serde_json::Value::Null
    });
    let for_run = for_run.unwrap_or_default();
    let app = Rc::new(App {
        target: RefCell::new(target::target(&lasting).await),
        fence: target::fence(&for_run).await,
        started_ms,
        journal: Journal::load(&lasting),
        held: RefCell::default(),
        opening: futures_util::lock::Mutex::new(()),
        closing: RefCell::default(),
        sweeping: std::cell::Cell::new(false),
        navigations: navigate::Navigations::default(),
        ports: port::Ports::default(),
        snapshots: snapshot::Snapshots::default(),
        debuggers: debugger::Debuggers::default(),
        popups: popups::Popups::default(),
        stops: stop::Stops::load(&for_run),
        calls: calls::Calls::default(),
        approvals: approve::Approvals::default(),
        records: record::Records::default(),
        link: link::Link::default(),
    });
    APP.set(Some(Rc::clone(&app)));
    link::connect(&app);
    app.journal.assume_armed();
    spawn_local(async move {
        if let Err(failure) = chrome::open_keeper().await {
            // The alarm is left.
            log(&format!("opening the keeper: {failure}"));
        }
    });
    spawn_local(async move {
        sweep::run(&app).await;
        reader::warm_up().await;
        let leftovers = Rc::clone(&app);
        spawn_local(async move { debugger::sweep(&leftovers).await });
        let stored = join(
            chrome::guard_storage(),
            chrome::arm_alarm(link::ALARM, link::PERIOD),
        )
        .await;
        for failure in [stored.0.err(), stored.1.err()].into_iter().flatten() {
            log(&format!("starting: {failure}"));
        }
    });
}

/// Takes an event of the browser, in the order it was sent.
#[wasm_bindgen]
pub fn event(name: &str, details: &JsValue) {
    let Some(app) = APP.with_borrow(Clone::clone) else {
        return;
    };
    match name {
        // What the browser restored is the person's; what opened since this worker started is ours.
        "startup" => app.journal.forget(app.started_ms),
        "installed" => {}
        "kept" => link::connect(&app),
        "alarm" => alarm(&app, details.as_string().as_deref().unwrap_or_default()),
        "notice" => approve::noticed(&app, &details.as_string().unwrap_or_default()),
        "removed" => removed(&app, details),
        "before" => navigated(&app, Kind::Before, details),
        "committed" => navigated(&app, Kind::Committed, details),
        "parsed" => navigated(&app, Kind::Parsed, details),
        "completed" => navigated(&app, Kind::Completed, details),
        "failed" => navigated(&app, Kind::Failed, details),
        "moved" => navigated(&app, Kind::Moved, details),
        "debugger" => debugged(&app, details),
        "detached" => detached(&app, details),
        "opened" => opened(&app, details),
        other => log(&format!("an event without a name here: {other}")),
    }
}

/// Answers a message of one of our own pages, known by what the browser says of its sender.
///
/// # Errors
/// Words for whoever asked: it is none of our pages, or asked something else.
#[wasm_bindgen]
pub async fn message(request: JsValue, sender: JsValue) -> Result<JsValue, JsValue> {
    let refuse = |words: &str| JsValue::from(js_sys::Error::new(words));
    let sender: Sender = chrome::read(&sender).map_err(|failure| refuse(&failure.to_string()))?;
    let page = sender.page();
    if page.is_none() {
        return Err(refuse("only the extension's own pages are answered"));
    }
    let app = APP
        .with_borrow(Clone::clone)
        .ok_or_else(|| refuse("still starting"))?;
    let request: Request = chrome::read(&request).map_err(|failure| refuse(&failure.to_string()))?;
    let answer = match (request.ask, page) {
        (Ask::State, Some(Page::Popup)) => chrome::js(&state::shown(&app)),
        (Ask::Connect, Some(Page::Popup)) => {
            link::connect(&app);
            chrome::js(&state::shown(&app))
        }
        (Ask::Stop, Some(Page::Popup)) => {
            stop::all(&app).await;
            chrome::js(&state::shown(&app))
        }
        (Ask::Resume, Some(Page::Popup)) => {
            stop::resume(&app).await;
            chrome::js(&state::shown(&app))
        }
        (Ask::Approval, Some(Page::Approve(tab))) => {
            let (approval, waiting) = approve::shown(&app, tab);
            chrome::js(&json!({"approval": approval, "waiting": waiting}))
        }
        (Ask::Decide, Some(Page::Approve(tab))) => match request.answer {
            Some(answer) if approve::decide(&app, &request.id, tab, answer.clone()) => {
                let (approval, waiting) = approve::shown(&app, tab);
                chrome::js(&json!({"approval": approval, "waiting": waiting}))
            }
            Some(_) | None => return Err(refuse("the question is over, or the bridge is not connected")),
        },
        (Ask::State | Ask::Connect | Ask::Stop | Ask::Resume | Ask::Approval | Ask::Decide, _) => {
            return Err(refuse("another page asks that"));
        }
    };
    answer.map_err(|failure| refuse(&failure.to_string()))
}

/// A line in the worker's console, for whoever looks for a fault.
fn log(line: &str) {
    console_warn(line);
}

/// 32 random hexadecimal digits.
fn random_word() -> String {
    random_uuid().replace('-', "")
}

#[wasm_bindgen]
extern "C" {
    /// The shim's: rejects what waits and starts the extension anew.
    #[wasm_bindgen(js_name = panicked)]
    fn panicked(words: &str);
    #[wasm_bindgen(js_namespace = console, js_name = warn)]
    fn console_warn(line: &str);
    #[wasm_bindgen(js_namespace = crypto, js_name = randomUUID)]
    fn random_uuid() -> String;
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Sender {
    id: String,
    origin: String,
    url: String,
    frame_id: i64,
    tab: Option<chrome::Tab>,
}

/// A page of ours that may ask something.
enum Page {
    Popup,
    /// The approval page, in this tab.
    Approve(i64),
}

impl Sender {
    /// Which of our pages sent it, not inside another page.
    fn page(&self) -> Option<Page> {
        let origin = chrome::own_address("");
        if self.id != chrome::own_id() || self.origin != origin.trim_end_matches('/') || self.frame_id != 0 {
            return None;
        }
        let path = self.url.split(['?', '#']).next()?.strip_prefix(&origin)?;
        match (path, &self.tab) {
            ("popup.html", _) => Some(Page::Popup),
            (approve::PAGE, Some(tab)) => Some(Page::Approve(tab.id)),
            _ => None,
        }
    }
}

#[derive(Deserialize)]
struct Request {
    ask: Ask,
    #[serde(default = "nothing")]
    id: ApprovalId,
    #[serde(default)]
    answer: Option<Verdict>,
}

fn nothing() -> ApprovalId {
    ApprovalId::from("")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Ask {
    State,
    Connect,
    Stop,
    Resume,
    Approval,
    Decide,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct DebuggerEvent {
    tab_id: i64,
    method: String,
    /// Only of events that somebody here wants more of than their name.
    parameters: serde_json::Value,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Detached {
    tab_id: i64,
    reason: String,
}

fn alarm(app: &Rc<App>, name: &str) {
    link::connect(app);
    if name == journal::ALARM {
        let app = Rc::clone(app);
        spawn_local(async move { sweep::run(&app).await });
    }
}

fn removed(app: &Rc<App>, details: &JsValue) {
    let Ok(tab) = chrome::read::<i64>(details) else {
        return log("a removal without a tab");
    };
    approve::tab_removed(app, tab);
    let by_us = app.closing.borrow().contains(&tab);
    match app.forget_tab(tab) {
        Some(Owner::Session(session)) if !by_us => link::tab_gone(app, session, tab),
        Some(Owner::Session(_) | Owner::Private) | None => {}
    }
}

fn navigated(app: &App, kind: Kind, details: &JsValue) {
    match chrome::read(details) {
        Ok(event) => app.navigations.take(kind, &event),
        Err(failure) => log(&format!("a navigation event: {failure}")),
    }
}

fn debugged(app: &Rc<App>, details: &JsValue) {
    match chrome::read::<DebuggerEvent>(details) {
        Ok(event) => {
            close::debugger_event(app, event.tab_id, &event.method);
            snapshot::debugger_event(app, event.tab_id, &event.method, &event.parameters);
            debugger::event(app, event.tab_id, &event.method, &event.parameters);
        }
        Err(failure) => log(&format!("a debugger event: {failure}")),
    }
}

fn detached(app: &Rc<App>, details: &JsValue) {
    match chrome::read::<Detached>(details) {
        Ok(event) => {
            if event.reason == stop::CANCELLED {
                stop::cancelled(app, event.tab_id);
            }
            debugger::detached(app, event.tab_id, &event.reason);
        }
        Err(failure) => log(&format!("the end of a debugger: {failure}")),
    }
}

fn opened(app: &App, details: &JsValue) {
    match chrome::read(details) {
        Ok(event) => popups::opened(app, event),
        Err(failure) => log(&format!("a tab that a page opened: {failure}")),
    }
}
