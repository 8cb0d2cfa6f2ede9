//! `browser_page`: loading addresses, going through the history, waiting, dialogs.

mod wait;

pub use wait::{MAX_ANY, ResponseArgs, Terminal, WaitArgs, WaitDone, WaitPlan};

use serde::{Deserialize, Serialize};

use crate::act::Dialog;
use crate::error::Effect;
use crate::ids::{DocumentId, SessionId, TabId};

/// Arguments of `navigate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NavigateArgs {
    /// Which session; may be left out when you have exactly one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Which tab; default the session's current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<TabId>,
    /// The whole address, http or https.
    pub url: String,
    /// What to wait for: `commit`, `domcontentloaded` or `load` (default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_until: Option<Phase>,
    /// A word of yours; the same one again gives the first outcome and acts no second time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

change_args! {
    /// Arguments of `back`.
    BackArgs {
        /// What to wait for: `commit`, `domcontentloaded` or `load` (default).
        wait_until: Option<Phase>,
    }
}

change_args! {
    /// Arguments of `forward`.
    ForwardArgs {
        /// What to wait for: `commit`, `domcontentloaded` or `load` (default).
        wait_until: Option<Phase>,
    }
}

change_args! {
    /// Arguments of `reload`.
    ReloadArgs {
        /// Past the caches; default false.
        hard: Option<bool>,
        /// What to wait for: `commit`, `domcontentloaded` or `load` (default).
        wait_until: Option<Phase>,
    }
}

change_args! {
    /// Arguments of `dialog`.
    DialogArgs {
        /// `status` (default) tells which is open; `accept` and `dismiss` answer it.
        r#do: Option<DialogDo>,
        /// With `accept`: the answer to a prompt; default what it suggests.
        text: Option<String>,
        /// Only if it is this dialog.
        dialog_id: Option<String>,
    }
}

/// What `dialog` does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum DialogDo {
    /// Tells which is open.
    #[default]
    Status,
    /// Says yes, or leaves the page.
    Accept,
    /// Says no, or stays on the page.
    Dismiss,
}

/// Result of `dialog`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DialogDone {
    /// The session.
    pub session: SessionId,
    /// The tab.
    pub tab: TabId,
    /// `committed` when a dialog was answered and seen closed, `none` of a mere look.
    pub effect: Effect,
    /// The one that was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<Dialog>,
    /// The one that is open now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Dialog>,
}

/// How far a load got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The new document replaced the old one.
    Commit,
    /// Its markup is read.
    DomContentLoaded,
    /// Its resources are loaded.
    #[default]
    Load,
}

/// Result of `navigate`, `back`, `forward` and `reload`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Navigated {
    /// The session.
    pub session: SessionId,
    /// The tab.
    pub tab: TabId,
    /// The address it came to rest at.
    pub url: String,
    /// The new document.
    pub document: DocumentId,
    /// How far it got.
    pub phase: Phase,
    /// True when the deadline passed before the phase that was asked for.
    pub timed_out: bool,
    /// Whether the site led to another address than the one given.
    pub redirected: bool,
    /// A dialog that opened meanwhile: the page goes on when it is answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<Dialog>,
    /// What changed.
    pub effect: Effect,
}
