//! The connection to the bridge, over the native port. An open port keeps the worker alive; each port has a generation,
//! so that what a lost one still says or is asked to send touches nothing.

mod backoff;
mod data;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::approval::Verdict;
use drawbridge_protocol::frame::{self, Assembler};
use drawbridge_protocol::ids::{ApprovalId, CallId};
use drawbridge_protocol::link::{Answer, Hello, OwnedTab, ToBridge, ToExtension, Welcome, proof_text};
use drawbridge_protocol::{Code, Error, version};
use futures_util::future::join_all;
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

use crate::chrome::{self, NativePort};
use crate::journal::Owner;
use crate::state::App;
use crate::time::sleep;
use crate::{approve, calls, record, tabs, target};
use backoff::Backoff;

/// Wakes the worker to connect, should it have gone to sleep unconnected.
pub(crate) const ALARM: &str = "link";
/// How often.
pub(crate) const PERIOD: Duration = Duration::from_secs(30);

/// How long the bridge may take from Hello to Welcome; it may have to start first.
const WELCOME: Duration = Duration::from_secs(15);

/// The connection. Only this module changes it.
pub(crate) struct Link {
    generation: Cell<u64>,
    port: RefCell<Option<NativePort>>,
    assembler: RefCell<Assembler>,
    status: RefCell<Status>,
    backoff: Cell<Backoff>,
    next_message: Cell<u64>,
    /// What the bridge's home is called.
    home: RefCell<Option<String>>,
    data: data::Data,
}

/// How the connection is.
#[derive(Clone, Debug)]
pub(crate) enum Status {
    /// A port is open, or about to be, and no Welcome came yet.
    Connecting,
    /// The bridge welcomed us.
    Open {
        /// Its version.
        build: String,
        /// The name people gave this profile.
        name: String,
        /// Whether a person still has to confirm it.
        unpaired: bool,
    },
    /// No port, and why.
    Down(String),
    /// The bridge does not want this extension.
    Refused(Error),
}

impl Default for Link {
    fn default() -> Self {
        Self {
            generation: Cell::new(0),
            port: RefCell::new(None),
            assembler: RefCell::default(),
            status: RefCell::new(Status::Connecting),
            backoff: Cell::default(),
            next_message: Cell::new(1),
            home: RefCell::default(),
            data: data::Data::default(),
        }
    }
}

impl Link {
    /// How the connection is.
    pub(crate) fn status(&self) -> Status {
        self.status.borrow().clone()
    }

    fn is_current(&self, generation: u64) -> bool {
        self.generation.get() == generation
    }
}

/// Connects if there is no port.
pub(crate) fn connect(app: &Rc<App>) {
    if app.link.port.borrow().is_some() {
        return;
    }
    let generation = app.link.generation.get() + 1;
    app.link.generation.set(generation);
    app.link.assembler.take();
    data::reset(app);
    app.link.status.replace(Status::Connecting);
    let (on_message, on_disconnect) = (Rc::clone(app), Rc::clone(app));
    let opened = chrome::connect_native(
        version::NATIVE_HOST,
        move |frame| take(&on_message, generation, frame),
        move |words| lost(&on_disconnect, generation, words),
    );
    match opened {
        Ok(port) => {
            app.link.port.replace(Some(port));
            spawn_local(greet(Rc::clone(app), generation));
        }
        Err(failure) => lost(app, generation, failure.to_string()),
    }
}

/// Sends a message over the link of a generation, if that is still the link.
pub(crate) fn send(app: &Rc<App>, generation: u64, message: &ToBridge) {
    if !app.link.is_current(generation) {
        return;
    }
    let Some(json) = write(message) else { return };
    if let Some(json) = data::route(app, generation, json) {
        post(app, generation, json);
    }
}

/// Sends a message over the port, in parts where needed.
fn post(app: &Rc<App>, generation: u64, json: String) {
    let of = app.link.next_message.replace(app.link.next_message.get() + 1);
    let frames = match frame::cut(json, of) {
        Ok(frames) => frames,
        Err(error) => return crate::log(&format!("a message for the bridge: {error}")),
    };
    if !app.link.is_current(generation) {
        return;
    }
    let failed = match app.link.port.borrow().as_ref() {
        Some(port) => frames.iter().find_map(|frame| port.post(frame).err()),
        None => return,
    };
    if let Some(failure) = failed {
        lost(app, generation, failure.to_string());
    }
}

/// Tells the bridge that a session's tab was closed by somebody else.
pub(crate) fn tab_gone(app: &Rc<App>, session: drawbridge_protocol::ids::SessionId, tab: i64) {
    let message = ToBridge::TabGone {
        session,
        tab: app.fence.id(tab),
    };
    send(app, app.link.generation.get(), &message);
}

/// Hands on what a person answered.
pub(crate) fn decision(app: &Rc<App>, id: ApprovalId, answer: Verdict) {
    let message = ToBridge::Decision { id, answer };
    send(app, app.link.generation.get(), &message);
}

/// Whether the bridge welcomed us and hears us.
pub(crate) fn is_open(app: &App) -> bool {
    matches!(app.link.status(), Status::Open { .. }) && app.link.port.borrow().is_some()
}

/// Proves that this profile holds the key that it named.
async fn prove(app: Rc<App>, generation: u64, nonce: String) {
    let target = app.target.borrow().clone();
    match chrome::sign(target.as_str(), &proof_text(&nonce, &target)).await {
        Ok(signature) => send(&app, generation, &ToBridge::Proof { signature }),
        Err(failure) => lost(
            &app,
            generation,
            format!("signing with the profile's key: {failure}"),
        ),
    }
}

async fn greet(app: Rc<App>, generation: u64) {
    let hello = hello(&app, generation).await;
    send(&app, generation, &ToBridge::Hello(hello));
    sleep(WELCOME).await;
    if app.link.is_current(generation) && matches!(app.link.status(), Status::Connecting) {
        lost(&app, generation, "the bridge did not answer".to_owned());
    }
}

async fn hello(app: &App, generation: u64) -> Hello {
    let owned: Vec<(i64, Owner)> = {
        let book = app.journal.book();
        book.entries
            .iter()
            .filter_map(|entry| Some((entry.tab?, entry.owner.clone())))
            .collect()
    };
    // Only what is still there: a journal can be older than the run of the browser.
    let there = join_all(owned.into_iter().map(|(tab, owner)| async move {
        match owner {
            Owner::Session(session) => chrome::tab(tab).await.ok().map(|_| (tab, session)),
            Owner::Private => None,
        }
    }));
    let owned = there.await.into_iter().flatten();
    let (browser, browser_version) = chrome::browser();
    let target = app.target.borrow().clone();
    let key = chrome::public_key(target.as_str())
        .await
        .unwrap_or_else(|failure| {
            // The bridge refuses it and says so.
            crate::log(&format!("the profile's key: {failure}"));
            String::new()
        });
    Hello {
        protocol: version::PROTOCOL,
        build: version::BUILD.to_owned(),
        capability_revision: version::CAPABILITY_REVISION,
        target,
        key,
        browser,
        browser_version,
        attempt: generation,
        oldest_bridge: Some(version::OLDEST_BRIDGE),
        owned: owned
            .map(|(tab, session)| OwnedTab {
                tab: app.fence.id(tab),
                session,
            })
            .collect(),
    }
}

fn take(app: &Rc<App>, generation: u64, frame: String) {
    if !app.link.is_current(generation) {
        return;
    }
    let whole = app.link.assembler.borrow_mut().take(frame);
    let text = match whole {
        Ok(Some(text)) => text,
        Ok(None) => return,
        Err(error) => return lost(app, generation, error.to_string()),
    };
    understand(app, generation, &text);
}

/// Reads a whole message and does what it says.
fn understand(app: &Rc<App>, generation: u64, text: &str) {
    match serde_json::from_str(text) {
        Ok(message) => obey(app, generation, message),
        Err(error) => refuse(app, generation, text, &error),
    }
}

fn obey(app: &Rc<App>, generation: u64, message: ToExtension) {
    match message {
        ToExtension::Welcome(welcome) => welcomed(app, generation, welcome),
        ToExtension::Challenge { nonce } => spawn_local(prove(Rc::clone(app), generation, nonce)),
        ToExtension::Paired => paired(app, generation),
        ToExtension::Record { home, end } => spawn_local(record::keep(Rc::clone(app), home, end)),
        ToExtension::Ask { approval } => approve::ask(app, approval),
        ToExtension::Withdraw { id } => approve::withdraw(app, &id),
        ToExtension::Refused { error } => refused(app, error),
        ToExtension::Call {
            id,
            deadline_ms,
            call,
        } => calls::start(app, generation, id, deadline_ms, call),
        ToExtension::Cancel { id } => calls::cancel(app, generation, id),
        ToExtension::Ping { nonce } => {
            send(app, generation, &ToBridge::Pong { nonce });
            data::beat(app, generation);
        }
        ToExtension::Socket { offer } => data::offered(app, generation, offer),
        ToExtension::Taken { number } => {
            if let Err(error) = data::taken(app, number) {
                lost(app, generation, error.to_string());
            }
        }
        ToExtension::Again { number, message } => match data::again(app, generation, number, *message) {
            Ok(Some(message)) => obey(app, generation, message),
            Ok(None) => {}
            Err(error) => lost(app, generation, error.to_string()),
        },
    }
}

/// The bridge closes the port now. When another browser has this profile's id, as after the profile was copied, the
/// next port starts with a new one.
fn refused(app: &Rc<App>, error: Error) {
    let taken = error.code == Code::Conflict;
    app.link.status.replace(Status::Refused(error));
    if taken {
        let fresh = target::mint();
        app.target.replace(fresh.clone());
        spawn_local(async move { target::keep(&fresh).await });
    }
}

fn paired(app: &Rc<App>, generation: u64) {
    if let Status::Open { unpaired, .. } = &mut *app.link.status.borrow_mut() {
        *unpaired = false;
    }
    if let Some(home) = app.link.home.borrow().clone() {
        spawn_local(record::say(Rc::clone(app), generation, home));
    }
}

fn welcomed(app: &Rc<App>, generation: u64, welcome: Welcome) {
    app.link.backoff.set(Backoff::default());
    app.link.status.replace(Status::Open {
        build: welcome.build,
        name: welcome.name,
        unpaired: welcome.unpaired,
    });
    app.link.home.replace(welcome.home.clone());
    if let (Some(home), false) = (welcome.home, welcome.unpaired) {
        spawn_local(record::say(Rc::clone(app), generation, home));
    }
    if welcome.socket.is_some() {
        data::offered(app, generation, welcome.socket);
    }
    for session in app.journal.sessions() {
        if !welcome.live_sessions.contains(&session) {
            let app = Rc::clone(app);
            spawn_local(async move {
                tabs::end_session(&app, &session).await;
            });
        }
    }
}

/// A message that this version cannot read: a call gets its reply all the same.
fn refuse(app: &Rc<App>, generation: u64, text: &str, error: &serde_json::Error) {
    crate::log(&format!("a message of the bridge: {error}"));
    let message: Value = serde_json::from_str(text).unwrap_or_default();
    if message["type"] == "call"
        && let Some(id) = message["id"].as_u64()
    {
        let error = Error::new(Code::Unsupported, "the extension does not know this call")
            .hint("update the extension");
        send(
            app,
            generation,
            &ToBridge::Reply {
                id: CallId(id),
                result: Answer::Failed(error),
                hops: Vec::new(),
            },
        );
    }
}

/// The port of a generation is gone: what runs for it stops, and the next port is opened.
fn lost(app: &Rc<App>, generation: u64, words: String) {
    if !app.link.is_current(generation) {
        return;
    }
    // From here on the old port's events are none of ours.
    app.link.generation.set(generation + 1);
    data::reset(app);
    if let Some(port) = app.link.port.take() {
        // It may be one of the port's own listeners that runs now.
        spawn_local(async move { drop(port) });
    }
    app.calls.link_lost(generation);
    if !matches!(app.link.status(), Status::Refused(_)) {
        app.link.status.replace(Status::Down(words));
    }
    let (wait, next) = app.link.backoff.get().next();
    app.link.backoff.set(next);
    let app = Rc::clone(app);
    spawn_local(async move {
        sleep(wait).await;
        if app.link.is_current(generation + 1) {
            connect(&app);
        }
    });
}

/// The JSON of a message. A reply that is too large becomes one that says so.
fn write(message: &ToBridge) -> Option<String> {
    let json = match serde_json::to_string(message) {
        Ok(json) => json,
        Err(error) => {
            crate::log(&format!("a message for the bridge: {error}"));
            return None;
        }
    };
    if let ToBridge::Reply { id, hops, .. } = message
        && json.len() > frame::MESSAGE_LIMIT
    {
        let error = frame::too_large(json.len());
        return Some(json!({"type": "reply", "id": id, "failed": error, "hops": hops}).to_string());
    }
    Some(json)
}
