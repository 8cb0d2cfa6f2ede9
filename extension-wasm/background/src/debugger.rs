//! The browser's debugger on tabs of sessions: attached for the first thing that is done there, detached after some quiet.
//!
//! Everything that needs it holds it: a hold attaches where nobody has, several share it, and the last one leaves it for
//! [`QUIET`], since whoever acted once mostly acts again. While it is attached `Page` is enabled, so that a dialog that
//! opens can be answered, and the focus is emulated, so that a tab in the background behaves as one in front.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::act::{Dialog, DialogKind};
use drawbridge_protocol::{Code, Error};
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

use crate::chrome::{self, Answer, Failure};
use crate::pulse::Pulse;
use crate::state::App;
use crate::time::{Moment, now, sleep};
use crate::unreadable;

/// How long nobody may need it before it is detached.
const QUIET: Duration = Duration::from_secs(10);
/// What attaching and detaching may take.
const COMMAND: Duration = Duration::from_secs(2);
/// What each command that sets it up may take, before the page counts as silent.
const SET_UP: Duration = Duration::from_millis(300);

/// Tabs that have the debugger attached.
#[derive(Default)]
pub(crate) struct Debuggers {
    tabs: RefCell<HashMap<i64, Rc<Attached>>>,
    /// Whole milliseconds that tabs were attached, of those that are not any more.
    spent_ms: Cell<f64>,
}

/// The debugger of one tab.
#[derive(Default)]
pub(crate) struct Attached {
    state: Cell<State>,
    holds: Cell<u32>,
    since: Cell<Moment>,
    used: Cell<Moment>,
    dialog: RefCell<Option<Dialog>>,
    /// Dialogs that opened so far.
    dialogs: Cell<u32>,
    /// Errors in the page's console so far.
    errors: Cell<u32>,
    /// What the page's own drag and drop carries, while it does.
    drag: RefCell<Option<Value>>,
    /// Why it could not be attached.
    refusal: RefCell<Option<Error>>,
    /// The page did not answer while it was attached: a dialog may have been open before.
    is_silent: Cell<bool>,
    /// Whether its page is had draw.
    draws: Cell<bool>,
    pulse: Pulse,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Attaching,
    On,
    /// The person pressed Cancel in the browser's bar.
    Cancelled,
    Off,
}

/// The debugger stays attached while this lives.
pub(crate) struct Hold {
    app: Rc<App>,
    tab: i64,
    attached: Rc<Attached>,
    /// Whether this one attached it.
    is_fresh: bool,
}

/// Attaches the debugger to a tab, or shares it.
///
/// # Errors
/// `session_busy` while somebody else debugs the tab, `page_unreadable`.
pub(crate) async fn hold(app: &Rc<App>, tab: i64) -> Result<Hold, Error> {
    let known = app.debuggers.tabs.borrow().get(&tab).cloned();
    if let Some(attached) = known {
        attached.holds.set(attached.holds.get() + 1);
        let hold = Hold {
            app: Rc::clone(app),
            tab,
            attached,
            is_fresh: false,
        };
        hold.settled().await?;
        return Ok(hold);
    }
    let attached = Rc::new(Attached::default());
    attached.holds.set(1);
    attached.since.set(now());
    app.debuggers.tabs.borrow_mut().insert(tab, Rc::clone(&attached));
    let hold = Hold {
        app: Rc::clone(app),
        tab,
        attached,
        is_fresh: true,
    };
    let (attaching, app) = (Rc::clone(&hold.attached), Rc::clone(app));
    // On its own, so that it has an end although whoever wanted it is stopped.
    spawn_local(async move { attach(&app, tab, &attaching).await });
    hold.settled().await?;
    Ok(hold)
}

async fn attach(app: &App, tab: i64, attached: &Attached) {
    let mut answer = chrome::attach_debugger(tab, COMMAND).await;
    if let Err(Failure::Said(words)) = &answer
        && words.contains("Another debugger")
        && chrome::detach_debugger(tab, COMMAND).await.is_ok()
    {
        // It was ours, of a worker that ended.
        answer = chrome::attach_debugger(tab, COMMAND).await;
    }
    match answer {
        Ok(()) => {
            attached.is_silent.set(!set_up(tab).await);
            // It may have ended meanwhile.
            if attached.state.get() == State::Attaching {
                attached.state.set(State::On);
            }
            attached.pulse.beat();
        }
        Err(failure) => {
            *attached.refusal.borrow_mut() = Some(refused(&failure));
            attached.ended(State::Off);
            app.debuggers.tabs.borrow_mut().remove(&tab);
        }
    }
}

/// What has to be on before anything is done. Answers whether the page did: with a dialog that was open before, or a
/// script that keeps it busy, it does not.
async fn set_up(tab: i64) -> bool {
    let send = async |method: &str, parameters: &Value| {
        let answer = chrome::debugger_command(tab, method, parameters, SET_UP).await;
        if let Err(failure) = &answer {
            crate::log(&format!("{method}: {failure}"));
        }
        answer.is_ok()
    };
    // They take effect in order, and late where the page answers late.
    let (page, focus) = futures_util::future::join(
        send("Page.enable", &json!({})),
        send("Emulation.setFocusEmulationEnabled", &json!({"enabled": true})),
    )
    .await;
    page && focus
}

/// Why it could not be attached.
pub(crate) fn refused(failure: &Failure) -> Error {
    match failure {
        Failure::Said(words) if words.contains("Another debugger") => Error::new(
            Code::SessionBusy,
            "somebody else debugs this tab, such as its developer tools",
        )
        .hint("observe works beside them"),
        Failure::Said(words) if words.contains("different extension") => Error::new(
            Code::PageUnreadable,
            "another extension has put a page of its own into this tab, so the browser lets nobody debug it",
        )
        .hint("observe works; a person can switch that extension off for the site"),
        Failure::Said(words) if words.contains("Cannot a") => unreadable::page("", words),
        failure => unreadable::failed("attaching the debugger", failure),
    }
}

/// Takes an event of the debugger.
pub(crate) fn event(app: &Rc<App>, tab: i64, method: &str, parameters: &Value) {
    let Some(attached) = app.debuggers.of(tab) else {
        return;
    };
    match method {
        "Page.javascriptDialogOpening" => attached.opened(parameters),
        "Page.javascriptDialogClosed" => {
            attached.dialog.take();
            attached.pulse.beat();
        }
        "Runtime.exceptionThrown" => attached.errors.set(attached.errors.get().saturating_add(1)),
        "Runtime.consoleAPICalled" if parameters["type"] == "error" => {
            attached.errors.set(attached.errors.get().saturating_add(1));
        }
        "Input.dragIntercepted" => {
            *attached.drag.borrow_mut() = Some(parameters["data"].clone());
            attached.pulse.beat();
        }
        _ => {}
    }
}

/// The browser detached it: the tab went, or the person pressed Cancel in its bar.
pub(crate) fn detached(app: &Rc<App>, tab: i64, reason: &str) {
    if let Some(attached) = app.debuggers.tabs.borrow_mut().remove(&tab) {
        app.debuggers.count(&attached);
        attached.ended(if reason == "canceled_by_user" {
            State::Cancelled
        } else {
            State::Off
        });
    }
}

impl Debuggers {
    /// The debugger of a tab, if it is attached.
    pub(crate) fn of(&self, tab: i64) -> Option<Rc<Attached>> {
        self.tabs.borrow().get(&tab).cloned()
    }

    /// The dialog that is open in a tab, as far as the debugger was there when it opened.
    pub(crate) fn dialog(&self, tab: i64) -> Option<Dialog> {
        self.of(tab).and_then(|attached| attached.dialog())
    }

    /// A tab was closed, and took it along.
    pub(crate) fn gone(&self, tab: i64) {
        if let Some(attached) = self.tabs.borrow_mut().remove(&tab) {
            self.count(&attached);
            attached.ended(State::Off);
        }
    }

    /// Seconds that tabs had it attached since this worker started.
    pub(crate) fn seconds(&self) -> f64 {
        let running: f64 = self
            .tabs
            .borrow()
            .values()
            .map(|attached| crate::time::ms_since(attached.since.get()))
            .sum();
        ((self.spent_ms.get() + running) / 1000.0).round()
    }

    /// Tabs that have it attached now.
    pub(crate) fn count_now(&self) -> usize {
        self.tabs.borrow().len()
    }

    /// Detaches it everywhere: a person wants no more of it.
    pub(crate) async fn release_all(app: &Rc<App>) {
        let tabs: Vec<i64> = app.debuggers.tabs.borrow().keys().copied().collect();
        futures_util::future::join_all(tabs.into_iter().map(|tab| release(app, tab))).await;
    }

    fn count(&self, attached: &Attached) {
        self.spent_ms
            .set(self.spent_ms.get() + crate::time::ms_since(attached.since.get()));
    }
}

impl Attached {
    /// The dialog that is open.
    pub(crate) fn dialog(&self) -> Option<Dialog> {
        self.dialog.borrow().clone()
    }

    /// Waits until a dialog is open.
    pub(crate) async fn dialog_opened(&self) -> Dialog {
        self.pulse.until(|| self.dialog()).await
    }

    /// Waits until this dialog is not open any more.
    pub(crate) async fn dialog_closed(&self, id: &str) {
        self.pulse
            .until(|| match &*self.dialog.borrow() {
                Some(open) if open.id == id && self.state.get() == State::On => None,
                _ => Some(()),
            })
            .await;
    }

    /// Whether the page did not answer while it was attached: then a dialog may be open that nobody told of.
    pub(crate) fn is_silent(&self) -> bool {
        self.is_silent.get()
    }

    /// Errors in the page's console so far; counted while somebody has `Runtime` enabled.
    pub(crate) fn errors(&self) -> u32 {
        self.errors.get()
    }

    /// What the page's own drag and drop carries.
    pub(crate) fn drag(&self) -> Option<Value> {
        self.drag.borrow().clone()
    }

    /// Waits until the page's own drag and drop began.
    pub(crate) async fn dragged(&self) -> Value {
        self.pulse.until(|| self.drag()).await
    }

    /// What an earlier drag carried is over.
    pub(crate) fn forget_drag(&self) {
        self.drag.take();
    }

    fn opened(&self, parameters: &Value) {
        let text = |name: &str| parameters[name].as_str().unwrap_or_default().to_owned();
        self.dialogs.set(self.dialogs.get() + 1);
        let kind = match parameters["type"].as_str() {
            Some("alert") => DialogKind::Alert,
            Some("confirm") => DialogKind::Confirm,
            Some("prompt") => DialogKind::Prompt,
            Some("beforeunload") => DialogKind::BeforeUnload,
            _ => DialogKind::Unknown,
        };
        *self.dialog.borrow_mut() = Some(Dialog {
            id: format!("g{}", self.dialogs.get()),
            kind,
            message: text("message"),
            default_text: (kind == DialogKind::Prompt).then(|| text("defaultPrompt")),
            answerable: true,
        });
        self.pulse.beat();
    }

    fn ended(&self, state: State) {
        self.state.set(state);
        self.dialog.take();
        self.pulse.beat();
    }
}

impl Hold {
    /// What is attached.
    pub(crate) fn attached(&self) -> &Rc<Attached> {
        &self.attached
    }

    /// Sends a command to the tab.
    ///
    /// # Errors
    /// The browser's words, or that it did not answer in time.
    pub(crate) async fn send(&self, method: &str, parameters: &Value, limit: Duration) -> Answer<()> {
        chrome::debugger_command(self.tab, method, parameters, limit).await
    }

    /// Asks the tab something.
    ///
    /// # Errors
    /// Those of [`Self::send`].
    pub(crate) async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        method: &str,
        parameters: &Value,
        limit: Duration,
    ) -> Answer<T> {
        chrome::ask_debugger(self.tab, None, method, parameters, limit).await
    }

    /// Has a page that is not in front draw at its full pace, for as long as somebody holds this: input that waits for a
    /// frame would else wait a second.
    pub(crate) fn draw(&self) {
        if self.attached.draws.replace(true) {
            return;
        }
        let tab = self.tab;
        spawn_local(async move {
            let frames = json!({"format": "jpeg", "quality": 10, "maxWidth": 32, "maxHeight": 32});
            let started = chrome::debugger_command(tab, "Page.startScreencast", &frames, COMMAND);
            if let Err(failure) = started.await {
                crate::log(&format!("having a page draw: {failure}"));
            }
        });
    }

    /// Fails once it is not attached any more.
    ///
    /// # Errors
    /// `user_aborted` when the person ended it, else `effect_unknown`.
    pub(crate) fn still(&self) -> Result<(), Error> {
        match self.attached.state.get() {
            State::Attaching | State::On => Ok(()),
            State::Cancelled => Err(Error::new(
                Code::UserAborted,
                "the person ended the browser's debugging of this tab",
            )
            .hint("ask the person before going on")),
            State::Off => Err(Error::new(
                Code::EffectUnknown,
                "the browser ended the debugging of this tab",
            )),
        }
    }

    /// Waits until the person or the browser ended it, and says so.
    pub(crate) async fn ended(&self) -> Error {
        self.attached.pulse.until(|| self.still().err()).await
    }

    /// Ends this hold; where it attached the debugger and nobody else holds it, detaches it at once.
    pub(crate) async fn end(self) {
        if self.is_fresh && self.attached.holds.get() == 1 {
            release(&self.app, self.tab).await;
        }
    }

    /// Waits until it is attached.
    async fn settled(&self) -> Result<(), Error> {
        let settled = self.attached.pulse.until(|| match self.attached.state.get() {
            State::Attaching => None,
            other => Some(other),
        });
        match settled.await {
            State::On => Ok(()),
            State::Attaching | State::Off | State::Cancelled => {
                let refusal = self.attached.refusal.borrow().clone();
                Err(refusal
                    .unwrap_or_else(|| Error::new(Code::SessionBusy, "the debugger was detached meanwhile")))
            }
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let attached = Rc::clone(&self.attached);
        attached.holds.set(attached.holds.get().saturating_sub(1));
        attached.used.set(now());
        if attached.holds.get() > 0 {
            return;
        }
        let (app, tab) = (Rc::clone(&self.app), self.tab);
        let draws = attached.draws.replace(false);
        spawn_local(async move {
            if draws && attached.state.get() == State::On {
                let nothing = json!({});
                let stopped = chrome::debugger_command(tab, "Page.stopScreencast", &nothing, COMMAND);
                if let Err(failure) = stopped.await {
                    crate::log(&format!("letting a page rest again: {failure}"));
                }
            }
            // Nobody else could answer a dialog that is open.
            loop {
                sleep(QUIET).await;
                if attached.dialog().is_none() {
                    break;
                }
            }
            let is_quiet = attached.holds.get() == 0
                && attached.state.get() == State::On
                && now().saturating_sub(attached.used.get()) >= QUIET.mul_f64(0.99);
            if is_quiet {
                release(&app, tab).await;
            }
        });
    }
}

/// Detaches what a worker that ended left attached, once that is quiet.
pub(crate) async fn sweep(app: &Rc<App>) {
    sleep(QUIET).await;
    let tabs: Vec<i64> = app
        .journal
        .book()
        .entries
        .iter()
        .filter_map(|entry| entry.tab)
        .collect();
    for tab in tabs {
        if app.debuggers.of(tab).is_none() {
            // Mostly there is none, and the browser says so.
            chrome::detach_debugger(tab, COMMAND).await.ok();
        }
    }
}

/// Detaches it now, whoever held it.
pub(crate) async fn release(app: &Rc<App>, tab: i64) {
    let Some(attached) = app.debuggers.tabs.borrow_mut().remove(&tab) else {
        return;
    };
    app.debuggers.count(&attached);
    attached.ended(State::Off);
    if let Err(failure) = chrome::detach_debugger(tab, COMMAND).await {
        crate::log(&format!("detaching the debugger: {failure}"));
    }
}
