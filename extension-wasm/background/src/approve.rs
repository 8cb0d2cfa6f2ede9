//! Questions to a person: one small window with the approval page, which alone decides what counts as an answer, and
//! which shows one question after the other. This side only hands out the question and hands on the answer, to and from
//! the very tab that it opened.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::approval::{Approval, Verdict};
use drawbridge_protocol::ids::ApprovalId;
use serde_json::json;
use wasm_bindgen_futures::spawn_local;

use crate::chrome;
use crate::link;
use crate::state::App;
use crate::time::{Moment, now};

/// The page.
pub(crate) const PAGE: &str = "approve.html";

/// The notification beside the window.
const NOTICE: &str = "approval";

/// The open questions of this worker; a successor is told them anew by the bridge, in the same order.
#[derive(Default)]
pub(crate) struct Approvals {
    /// In the order they came. The first is the one on the page.
    queue: RefCell<VecDeque<Open>>,
    /// What the page was given last: closing it is an answer to that one and to no other.
    shown: RefCell<Option<ApprovalId>>,
    window: Cell<Window>,
}

struct Open {
    approval: Approval,
    until: Moment,
}

/// Where questions are shown.
#[derive(Clone, Copy, Default, PartialEq)]
enum Window {
    /// Nowhere.
    #[default]
    Closed,
    /// It is about to be there.
    Opening,
    /// There.
    Open { tab: i64, window: i64 },
}

impl Approvals {
    /// Whether a tab is the one that shows questions.
    fn is_in(&self, tab: i64) -> bool {
        matches!(self.window.get(), Window::Open { tab: ours, .. } if ours == tab)
    }

    /// Drops what is too old. Says whether anything is left.
    fn any_open(&self) -> bool {
        let mut queue = self.queue.borrow_mut();
        queue.retain(|open| now() < open.until);
        !queue.is_empty()
    }

    fn first(&self) -> Option<ApprovalId> {
        self.queue.borrow().front().map(|open| open.approval.id.clone())
    }
}

/// Adds a question, unless it is there already.
pub(crate) fn ask(app: &Rc<App>, approval: Approval) {
    {
        let mut queue = app.approvals.queue.borrow_mut();
        if queue.iter().any(|open| open.approval.id == approval.id) {
            return;
        }
        queue.push_back(Open {
            until: now() + Duration::from_millis(approval.expires_ms),
            approval,
        });
    }
    open(app);
}

/// A question is over.
pub(crate) fn withdraw(app: &App, id: &ApprovalId) {
    app.approvals
        .queue
        .borrow_mut()
        .retain(|open| open.approval.id != *id);
    settle(app);
}

/// A tab is gone. Closing the page is a no to what it showed; what waits behind that gets a page of its own.
pub(crate) fn tab_removed(app: &Rc<App>, tab: i64) {
    let approvals = &app.approvals;
    if !approvals.is_in(tab) {
        return;
    }
    approvals.window.set(Window::Closed);
    let shown = approvals.shown.take();
    if let Some(id) = shown.filter(|id| approvals.first().as_ref() == Some(id)) {
        approvals.queue.borrow_mut().pop_front();
        link::decision(app, id, Verdict::Deny);
    }
    settle(app);
    open(app);
}

/// The notification was clicked: the questions come to the front.
pub(crate) fn noticed(app: &Rc<App>, notice: &str) {
    match app.approvals.window.get() {
        _ if notice != NOTICE => {}
        Window::Open { window, .. } => spawn_local(async move {
            if let Err(failure) = chrome::focus_window(window).await {
                crate::log(&format!("the approval page: {failure}"));
            }
        }),
        Window::Opening => {}
        Window::Closed => open(app),
    }
}

/// The question that is the turn of a tab, and how many wait behind it. None when there is none, or for another tab.
pub(crate) fn shown(app: &App, tab: i64) -> (Option<Approval>, usize) {
    let approvals = &app.approvals;
    if !approvals.is_in(tab) || !approvals.any_open() {
        return (None, 0);
    }
    let queue = approvals.queue.borrow();
    let approval = queue.front().map(|open| open.approval.clone());
    approvals
        .shown
        .replace(approval.as_ref().map(|approval| approval.id.clone()));
    (approval, queue.len().saturating_sub(1))
}

/// Takes the page's answer to the question that it shows. Says whether it could be handed on.
pub(crate) fn decide(app: &Rc<App>, id: &ApprovalId, tab: i64, answer: Verdict) -> bool {
    let approvals = &app.approvals;
    if !approvals.is_in(tab)
        || !link::is_open(app)
        || !approvals.any_open()
        || approvals.first().as_ref() != Some(id)
    {
        return false;
    }
    approvals.queue.borrow_mut().pop_front();
    link::decision(app, id.clone(), answer);
    settle(app);
    true
}

/// Closes the page when there is nothing left to ask.
fn settle(app: &App) {
    let approvals = &app.approvals;
    if approvals.any_open() {
        return;
    }
    if let Window::Open { tab, .. } = approvals.window.get() {
        approvals.window.set(Window::Closed);
        close(tab);
    }
    spawn_local(async {
        // There may be none on this system.
        drop(chrome::unnotify(NOTICE).await);
    });
}

/// Opens the page when there is something to ask and none is there.
fn open(app: &Rc<App>) {
    let approvals = &app.approvals;
    if approvals.window.get() != Window::Closed || !approvals.any_open() {
        return;
    }
    approvals.window.set(Window::Opening);
    let app = Rc::clone(app);
    spawn_local(async move {
        match window().await {
            Ok((window, tab)) => {
                app.approvals.window.set(Window::Open { tab, window });
                // They may be over before their window was there; or that was found while it closed, and its end was
                // heard before anybody knew it.
                settle(&app);
                if chrome::tab(tab).await.is_err() {
                    tab_removed(&app, tab);
                }
            }
            Err(failure) => {
                app.approvals.window.set(Window::Closed);
                crate::log(&format!("the approval page: {failure}"));
            }
        }
        if app.approvals.any_open() {
            let words = "Something needs your answer. Nothing happens without it.";
            if let Err(failure) = chrome::notify(NOTICE, "Drawbridge asks", words).await {
                crate::log(&format!("a notification: {failure}"));
            }
        }
    });
}

fn close(tab: i64) {
    spawn_local(async move {
        if let Err(failure) = chrome::remove_tab(tab, Duration::from_secs(2)).await {
            crate::log(&format!("closing the approval page: {failure}"));
        }
    });
}

/// Window and tab of the page: those of an earlier worker, or new ones.
async fn window() -> chrome::Answer<(i64, i64)> {
    let url = chrome::own_address(PAGE);
    let filter = json!({ "url": url, "windowType": "popup" });
    let before = chrome::tabs(&filter).await.unwrap_or_default();
    if let Some(tab) = before.first() {
        return Ok((tab.window_id, tab.id));
    }
    let data = json!({"url": url, "type": "popup", "focused": true, "width": 520, "height": 620});
    let window = chrome::create_window(&data).await?;
    let tab = window.tabs.first().map(|tab| tab.id);
    tab.map(|tab| (window.id, tab))
        .ok_or_else(|| chrome::Failure::Said("the window has no tab".to_owned()))
}
