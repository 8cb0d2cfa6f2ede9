//! `browser_page`: loading addresses.

use serde::{Deserialize, Serialize};

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
    /// Deadline in milliseconds; when it passes after the address committed, that is a result, not an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
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

/// Result of `navigate`.
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
    /// What changed.
    pub effect: Effect,
}
