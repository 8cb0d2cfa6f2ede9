//! Questions to a person: a small window with the approval page, which alone decides what counts as an answer. This side
//! only hands out the question and hands on the answer, to and from the very tab that it opened.

use std::cell::RefCell;
use std::collections::BTreeMap;
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

/// The open questions of this worker; a successor is told them anew by the bridge.
#[derive(Default)]
pub(crate) struct Approvals {
    open: RefCell<BTreeMap<ApprovalId, Open>>,
}

struct Open {
    approval: Approval,
    until: Moment,
    /// Where it is shown; `None` until the window is there.
    tab: Option<i64>,
    window: Option<i64>,
}

/// Shows a question, unless it is shown already.
pub(crate) fn ask(app: &Rc<App>, approval: Approval) {
    let id = approval.id.clone();
    let open = Open {
        until: now() + Duration::from_millis(approval.expires_ms),
        approval,
        tab: None,
        window: None,
    };
    {
        let mut all = app.approvals.open.borrow_mut();
        all.retain(|_, open| now() < open.until);
        if all.contains_key(&id) {
            return;
        }
        all.insert(id.clone(), open);
    }
    let app = Rc::clone(app);
    spawn_local(async move {
        match window(&id).await {
            Ok((window, tab)) => {
                let known = {
                    let mut all = app.approvals.open.borrow_mut();
                    let open = all.get_mut(&id);
                    open.map(|open| (open.tab, open.window) = (Some(tab), Some(window)))
                        .is_some()
                };
                if !known {
                    // It was over before its window was there.
                    close(tab);
                }
            }
            Err(failure) => crate::log(&format!("the approval page: {failure}")),
        }
        let words = "Something needs your answer. Nothing happens without it.";
        if let Err(failure) = chrome::notify(id.as_str(), "Drawbridge asks", words).await {
            crate::log(&format!("a notification: {failure}"));
        }
    });
}

/// A question is over.
pub(crate) fn withdraw(app: &App, id: &ApprovalId) {
    if let Some(tab) = end(app, id) {
        close(tab);
    }
}

/// A tab is gone. Closing a question's page is a no.
pub(crate) fn tab_removed(app: &Rc<App>, tab: i64) {
    let closed: Vec<ApprovalId> = {
        let all = app.approvals.open.borrow();
        all.iter()
            .filter(|(_, open)| open.tab == Some(tab))
            .map(|(id, _)| id.clone())
            .collect()
    };
    for id in closed {
        end(app, &id);
        link::decision(app, id, Verdict::Deny);
    }
}

/// A notification was clicked: its question comes to the front.
pub(crate) fn noticed(app: &App, notice: &str) {
    let window = app
        .approvals
        .open
        .borrow()
        .get(&ApprovalId::from(notice))
        .and_then(|open| open.window);
    if let Some(window) = window {
        spawn_local(async move {
            if let Err(failure) = chrome::focus_window(window).await {
                crate::log(&format!("the approval page: {failure}"));
            }
        });
    }
}

/// The question that a tab shows; `None` when it is over, or another tab's.
pub(crate) fn shown(app: &App, id: &ApprovalId, tab: i64) -> Option<Approval> {
    let all = app.approvals.open.borrow();
    all.get(id)
        .filter(|open| open.tab == Some(tab) && now() < open.until)
        .map(|open| open.approval.clone())
}

/// Takes the page's answer. Says whether it could be handed on.
pub(crate) fn decide(app: &Rc<App>, id: &ApprovalId, tab: i64, answer: Verdict) -> bool {
    if shown(app, id, tab).is_none() || !link::is_open(app) {
        return false;
    }
    end(app, id);
    link::decision(app, id.clone(), answer);
    close(tab);
    true
}

/// Forgets a question; answers with its tab.
fn end(app: &App, id: &ApprovalId) -> Option<i64> {
    let open = app.approvals.open.borrow_mut().remove(id)?;
    let notice = id.to_string();
    spawn_local(async move {
        // There may be none on this system.
        drop(chrome::unnotify(&notice).await);
    });
    open.tab
}

fn close(tab: i64) {
    spawn_local(async move {
        if let Err(failure) = chrome::remove_tab(tab, Duration::from_secs(2)).await {
            crate::log(&format!("closing the approval page: {failure}"));
        }
    });
}

/// Window and tab of a question: those of an earlier worker, or new ones.
async fn window(id: &ApprovalId) -> chrome::Answer<(i64, i64)> {
    let url = format!("{}?id={id}", chrome::own_address(PAGE));
    let before = chrome::tabs(&json!({ "url": url })).await.unwrap_or_default();
    if let Some(tab) = before.first() {
        return Ok((tab.window_id, tab.id));
    }
    let data = json!({"url": url, "type": "popup", "focused": true, "width": 520, "height": 620});
    let window = chrome::create_window(&data).await?;
    let tab = window.tabs.first().map(|tab| tab.id);
    tab.map(|tab| (window.id, tab))
        .ok_or_else(|| chrome::Failure::Said("the window has no tab".to_owned()))
}
