//! What this worker holds. One thread; every part says who else touches it.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use drawbridge_protocol::ids::TargetId;
use drawbridge_protocol::version;
use futures_util::lock::Mutex;
use serde::Serialize;

use crate::approve::Approvals;
use crate::calls::Calls;
use crate::fence::Fence;
use crate::journal::{Journal, Owner};
use crate::link::{Link, Status};
use crate::navigate::Navigations;
use crate::port::Ports;
use crate::record::Records;

/// The worker's state.
pub(crate) struct App {
    /// Who this profile is; another one only when the bridge says that its id is taken.
    pub(crate) target: RefCell<TargetId>,
    /// This run of the browser.
    pub(crate) fence: Fence,
    /// When this worker started, in milliseconds since the Unix epoch.
    pub(crate) started_ms: f64,
    /// Which tabs are ours; also read by the successor of this worker.
    pub(crate) journal: Journal,
    /// Nonces of tabs that something in this worker answers for: opening, or a running read. The sweep leaves them alone.
    pub(crate) held: RefCell<HashSet<String>>,
    /// Held while a session's tab is placed.
    pub(crate) opening: Mutex<()>,
    /// Tabs that are being closed; their dialogs are answered.
    pub(crate) closing: RefCell<HashSet<i64>>,
    /// Whether a sweep runs.
    pub(crate) sweeping: Cell<bool>,
    /// Main frames of our tabs; fed by the browser's events.
    pub(crate) navigations: Navigations,
    /// Documents that hold the DOM port.
    pub(crate) ports: Ports,
    /// What the refs of the browser's own trees mean.
    pub(crate) snapshots: crate::snapshot::Snapshots,
    /// Tabs that have the debugger attached, and their dialogs.
    pub(crate) debuggers: crate::debugger::Debuggers,
    /// Tabs that pages of ours opened and nobody was told of yet.
    pub(crate) popups: crate::popups::Popups,
    /// What a person stopped, in the popup or in the browser's bar.
    pub(crate) stops: crate::stop::Stops,
    /// Running calls; stopped by the link.
    pub(crate) calls: Calls,
    /// Questions to a person; asked by the link, answered by the approval page.
    pub(crate) approvals: Approvals,
    /// Where records of calls ended; told by the link.
    pub(crate) records: Records,
    /// The connection to the bridge.
    pub(crate) link: Link,
}

impl App {
    /// A tab was seen gone: everything about it goes too. Says whose it was.
    pub(crate) fn forget_tab(&self, tab: i64) -> Option<Owner> {
        self.navigations.gone(tab);
        self.snapshots.gone(tab);
        self.debuggers.gone(tab);
        self.popups.gone(tab);
        self.stops.gone(tab);
        self.journal.gone(tab).map(|entry| entry.owner)
    }
}

/// What the popup shows.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    state: &'static str,
    bridge: Option<String>,
    name: Option<String>,
    calls: usize,
    sessions: usize,
    message: Option<String>,
    hint: Option<String>,
    build: &'static str,
    /// Whether a person stopped what changes pages.
    stopped: bool,
    /// Tabs that have the browser's debugger attached.
    attached: usize,
    /// Seconds that tabs had it attached, each counted for itself.
    attached_seconds: f64,
}

/// The connection's state in words for people.
pub(crate) fn shown(app: &Rc<App>) -> Shown {
    let mut shown = Shown {
        state: "connecting",
        bridge: None,
        name: None,
        calls: app.calls.count(),
        sessions: app.journal.sessions().len(),
        message: None,
        hint: None,
        build: version::BUILD,
        stopped: app.stops.is_any(),
        attached: app.debuggers.count_now(),
        attached_seconds: app.debuggers.seconds(),
    };
    match app.link.status() {
        Status::Connecting => {}
        Status::Open {
            build,
            name,
            unpaired,
        } => {
            shown.state = "open";
            if unpaired {
                shown.message =
                    Some("Nobody confirmed this browser for the bridge yet; it gets no calls.".to_owned());
                shown.hint = Some(
                    "Run `drawbridge setup` for the first browser, `drawbridge targets pair` for others."
                        .to_owned(),
                );
            }
            shown.bridge = Some(build);
            shown.name = Some(name);
        }
        Status::Down(words) => {
            shown.state = "down";
            shown.hint = Some(advice(&words).to_owned());
            shown.message = Some(words);
        }
        Status::Refused(error) => {
            shown.state = "refused";
            shown.message = Some(error.message);
            shown.hint = error.hint;
        }
    }
    shown
}

/// What a person can do about the browser's words.
fn advice(words: &str) -> &'static str {
    if words.contains("not found") {
        "The bridge is not registered with this browser: its native messaging manifest is missing. Put it there again."
    } else if words.contains("forbidden") {
        "The bridge is registered for another extension: look at allowed_origins in its native messaging manifest."
    } else if words.contains("has exited") {
        "The bridge ended right away. Run `drawbridge daemon` in a terminal to see why."
    } else {
        "It is tried again by itself. If it stays, run `drawbridge chrome status` in a terminal."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browsers_words_lead_to_a_next_step() {
        assert!(advice("Specified native messaging host not found.").contains("is missing"));
        assert!(
            advice("Access to the specified native messaging host is forbidden.").contains("allowed_origins")
        );
        assert!(advice("Native host has exited.").contains("ended"));
        assert!(advice("the bridge did not answer").contains("tried again"));
    }
}
