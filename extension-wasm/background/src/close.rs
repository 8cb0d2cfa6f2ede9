//! The one way a tab of ours is closed.
//!
//! A page that a person, or somebody who passes for one, has touched may ask before it goes, and then `tabs.remove`
//! never settles: such a tab is closed with the debugger attached, which answers the question. Any other tab goes
//! without, since attaching shows a bar.

use std::rc::Rc;
use std::time::Duration;

use serde_json::json;

use crate::chrome::{self, Failure};
use crate::debugger;
use crate::state::App;
use crate::time::bounded;

/// How long the question whether a tab was touched may take; a page that does not answer counts as touched.
const PROBE: Duration = Duration::from_millis(250);
/// How long a removal may take to be seen.
const SEEN: Duration = Duration::from_secs(2);
/// How long each command of the debugger may take.
const COMMAND: Duration = Duration::from_secs(2);

/// What became of a tab that had to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closing {
    /// It was seen gone.
    Gone,
    /// It is still there; it is journaled and tried again.
    Pending,
}

/// Closes a tab and sees it closed, or answers after 2 s that it did not go yet: closing goes on, whatever the page
/// does. Safe to be called twice at once for the same tab.
pub(crate) async fn close(app: &Rc<App>, tab: i64) -> Closing {
    let navigation = app.navigations.watch(tab);
    let closer = Rc::clone(app);
    wasm_bindgen_futures::spawn_local(async move { go_on(&closer, tab).await });
    match bounded(SEEN, navigation.gone()).await {
        Ok(()) => Closing::Gone,
        Err(_) => Closing::Pending,
    }
}

/// Answers a dialog of a tab that is being closed: yes, leave.
pub(crate) fn debugger_event(app: &Rc<App>, tab: i64, method: &str) {
    if method != "Page.javascriptDialogOpening" || !app.closing.borrow().contains(&tab) {
        return;
    }
    wasm_bindgen_futures::spawn_local(async move {
        let accept = json!({"accept": true});
        if let Err(failure) =
            chrome::debugger_command(tab, "Page.handleJavaScriptDialog", &accept, COMMAND).await
        {
            crate::log(&format!("answering a dialog: {failure}"));
        }
    });
}

/// Closes a tab unless somebody does already.
async fn go_on(app: &Rc<App>, tab: i64) {
    if !app.closing.borrow_mut().insert(tab) {
        return;
    }
    // Written ahead, so that a worker that dies in the middle has a successor that goes on.
    app.journal.closing(tab);
    let done = closed(app, tab).await;
    app.closing.borrow_mut().remove(&tab);
    match done {
        // Whoever waits for it learns it here, if the browser did not say it before.
        Closing::Gone => drop(app.forget_tab(tab)),
        // The sweep tries again.
        Closing::Pending => app.journal.arm(),
    }
}

async fn closed(app: &Rc<App>, tab: i64) -> Closing {
    let Ok(found) = chrome::tab(tab).await else {
        return Closing::Gone;
    };
    if found.group().is_some()
        && let Err(failure) = chrome::ungroup_tab(tab).await
    {
        // Then the group may be saved with the window; the tab goes all the same.
        crate::log(&format!("taking a tab out of its group: {failure}"));
    }
    if !may_ask(tab).await {
        match chrome::remove_tab(tab, SEEN).await {
            Ok(()) => {}
            Err(failure) => crate::log(&format!("closing a tab: {failure}")),
        }
        if seen_gone(app, tab).await == Closing::Gone {
            return Closing::Gone;
        }
    }
    closed_with_answers(app, tab).await
}

/// Whether the page may ask before it goes.
async fn may_ask(tab: i64) -> bool {
    match chrome::was_touched(tab, PROBE).await {
        Ok(touched) => touched,
        // Blank tabs and error pages take no script, and have none that could ask.
        Err(Failure::Said(words)) => !(words.contains("about:blank") || words.contains("error page")),
        Err(Failure::Late) => true,
    }
}

async fn closed_with_answers(app: &Rc<App>, tab: i64) -> Closing {
    // The page's question cannot come before it is told of. A page that a script keeps busy does not answer; then it
    // cannot ask either.
    let hold = match debugger::hold(app, tab).await {
        Ok(hold) => Some(hold),
        Err(error) => {
            crate::log(&format!("attaching to a tab that may ask: {}", error.message));
            None
        }
    };
    if let Err(failure) = chrome::remove_tab(tab, SEEN).await {
        crate::log(&format!("closing a tab that may ask: {failure}"));
    }
    let closing = seen_gone(app, tab).await;
    if hold.is_some() && closing == Closing::Pending {
        // No bar stays on a tab that does not go.
        debugger::release(app, tab).await;
    }
    closing
}

async fn seen_gone(app: &Rc<App>, tab: i64) -> Closing {
    let navigation = app.navigations.watch(tab);
    if chrome::tab(tab).await.is_err() {
        return Closing::Gone;
    }
    match bounded(SEEN, navigation.gone()).await {
        Ok(()) => Closing::Gone,
        Err(_) => match chrome::tab(tab).await {
            Ok(_) => Closing::Pending,
            Err(_) => Closing::Gone,
        },
    }
}
