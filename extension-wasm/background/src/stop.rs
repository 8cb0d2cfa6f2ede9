//! Stop: a person ends what changes pages, in the popup for all tabs or in the browser's bar for one, until Resume.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use drawbridge_protocol::{Code, Effect, Error};
use serde_json::{Value, json};

use crate::chrome;
use crate::debugger::Debuggers;
use crate::state::App;

/// Its key in what lasts as long as this run of the browser.
pub(crate) const KEY: &str = "stopped";
/// The browser's word for a debugger that a person ended in its bar.
pub(crate) const CANCELLED: &str = "canceled_by_user";

/// What is stopped. Kept beyond this worker, since a person does not know that workers end.
#[derive(Debug, Default)]
pub(crate) struct Stops {
    /// In all tabs.
    all: Cell<bool>,
    /// In these.
    tabs: RefCell<BTreeSet<i64>>,
}

impl Stops {
    /// What an earlier worker kept.
    pub(crate) fn load(kept: &Value) -> Self {
        let kept = &kept[KEY];
        let tabs = kept["tabs"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_i64);
        Self {
            all: Cell::new(kept["all"] == true),
            tabs: RefCell::new(tabs.collect()),
        }
    }

    /// Whether anything is stopped.
    pub(crate) fn is_any(&self) -> bool {
        self.all.get() || !self.tabs.borrow().is_empty()
    }

    /// A tab was closed.
    pub(crate) fn gone(&self, tab: i64) {
        self.tabs.borrow_mut().remove(&tab);
    }

    fn holds(&self, tab: Option<i64>) -> bool {
        self.all.get() || tab.is_some_and(|tab| self.tabs.borrow().contains(&tab))
    }

    fn kept(&self) -> Value {
        json!({KEY: {"all": self.all.get(), "tabs": *self.tabs.borrow()}})
    }
}

/// Fails while a person has stopped what changes this tab; without a tab, all of them. To be asked right before anything
/// is done.
///
/// # Errors
/// `user_aborted`, effect `none`.
pub(crate) fn refuse(app: &App, tab: Option<i64>) -> Result<(), Error> {
    match app.stops.holds(tab) {
        true => Err(aborted().effect(Effect::None)),
        false => Ok(()),
    }
}

/// What a call that was stopped, or comes while all is stopped, ends with.
pub(crate) fn aborted() -> Error {
    Error::new(
        Code::UserAborted,
        "a person stopped what changes pages in this browser",
    )
    .hint("ask the person; they press Resume in the extension's popup. Reads go on")
}

/// A person pressed Stop.
pub(crate) async fn all(app: &Rc<App>) {
    app.stops.all.set(true);
    app.calls.abort();
    keep(app).await;
    Debuggers::release_all(app).await;
}

/// A person ended the debugger of a tab in the browser's bar.
pub(crate) fn cancelled(app: &Rc<App>, tab: i64) {
    let is_ours = app.debuggers.of(tab).is_some();
    if !is_ours || !app.stops.tabs.borrow_mut().insert(tab) {
        return;
    }
    let app = Rc::clone(app);
    wasm_bindgen_futures::spawn_local(async move { keep(&app).await });
}

/// A person pressed Resume.
pub(crate) async fn resume(app: &App) {
    app.stops.all.set(false);
    app.stops.tabs.borrow_mut().clear();
    keep(app).await;
}

async fn keep(app: &App) {
    let kept = app.stops.kept();
    if let Err(failure) = chrome::keep_for_run(&kept).await {
        crate::log(&format!("keeping what is stopped: {failure}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stopped_outlives_a_worker() {
        let stops = Stops::default();
        assert!(!stops.is_any() && !stops.holds(Some(1)) && !stops.holds(None));
        stops.tabs.borrow_mut().insert(7);
        let after = Stops::load(&stops.kept());
        assert!(after.holds(Some(7)) && !after.holds(Some(8)) && !after.holds(None));
        after.gone(7);
        assert!(!after.is_any());
        after.all.set(true);
        let after = Stops::load(&after.kept());
        assert!(after.holds(Some(8)) && after.holds(None));
    }

    #[test]
    fn nothing_is_stopped_in_a_new_run_of_the_browser() {
        for kept in [
            Value::Null,
            json!({}),
            json!({KEY: 7}),
            json!({KEY: {"tabs": "x"}}),
        ] {
            assert!(!Stops::load(&kept).is_any(), "{kept}");
        }
    }
}
