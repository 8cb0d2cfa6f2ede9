//! `browser_tabs`: list, open, close.

use serde::{Deserialize, Serialize};

use super::page::Phase;
use crate::error::Effect;
use crate::ids::{SessionId, TabId, TargetId};

/// Rows that a list holds at most unless fewer are asked for.
pub const MAX_TABS: u32 = 200;

/// Arguments of `list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListArgs {
    /// Which browser profile: its id or unique name; may be left out when one is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Part of a title or address, any case; tabs whose title you may not see never match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Only tabs of this owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// Rows at most, 1 to 200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Whose a tab is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// The user's own, or another client's.
    User,
    /// Opened by one of your sessions.
    Owned,
    /// Lent to one of your sessions.
    Borrowed,
}

/// Whether a tab's page is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum Lifecycle {
    /// Loaded and running.
    Active,
    /// Loaded and stopped.
    Frozen,
    /// Not in memory; using it would load it again.
    Discarded,
}

/// Result of `list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct List {
    /// The tabs, by window and index.
    pub tabs: Vec<TabRow>,
    /// Tabs of the profile.
    pub total_tabs: u32,
    /// Tabs that fit `query` and `owner`.
    pub matched_tabs: u32,
    /// Tabs that fit and are left out by `limit`.
    pub omitted_tabs: u32,
}

/// One tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct TabRow {
    /// Its id; carries the run of the browser it belongs to.
    pub id: TabId,
    /// The profile.
    pub target: TargetId,
    /// The browser's number of its window.
    pub window: i64,
    /// Position in the window, from 0.
    pub index: u32,
    /// Whether it is the visible tab of its window.
    pub active: bool,
    /// Whose it is.
    pub owner: Owner,
    /// Your session that owns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Whether its page is alive.
    pub lifecycle: Lifecycle,
    /// Title, as the page gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Arguments of `new`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewArgs {
    /// Which session; may be left out when you have exactly one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Address to load; blank without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether it becomes the visible tab of its window; default false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Whether to wait until it loaded; default true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<bool>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Result of `new`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    /// The session it belongs to.
    pub session: SessionId,
    /// The new tab; it is the session's current tab now.
    pub tab: TabId,
    /// Its address when the call returned.
    pub url: String,
    /// How far the load got.
    pub phase: Phase,
    /// What changed.
    pub effect: Effect,
}

/// Arguments of `close`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CloseArgs {
    /// Which session; may be left out when you have exactly one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Which tab.
    pub tab: TabId,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Result of `close`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// The session it belonged to.
    pub session: SessionId,
    /// The tab, seen closed.
    pub tab: TabId,
    /// What changed.
    pub effect: Effect,
}
