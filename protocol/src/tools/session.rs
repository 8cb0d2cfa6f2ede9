//! `browser_session`: sessions, targets, status.

use serde::{Deserialize, Serialize};

use crate::ids::{SessionId, TabId, TargetId};

/// Arguments of `start`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartArgs {
    /// Which browser profile: its id or unique name; may be left out when one is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Where tabs open: `group` (default), a coloured group in the user's window, or `window`, an unfocused window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// Address to load in the first tab; blank without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Name that people see on the group, up to 64 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// When it ends by itself: `attached` (default) with your connection, `timed` after quiet time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// Quiet time that ends a `timed` session, in milliseconds; default 1,800,000, at most 86,400,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_ms: Option<u64>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Where a session's tabs open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// A tab group in the user's window.
    #[default]
    Group,
    /// A separate window that never takes the focus.
    Window,
}

/// What a session's life hangs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum Lease {
    /// The client's connection.
    #[default]
    Attached,
    /// Quiet time since the last call.
    Timed,
}

/// Result of `start`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Started {
    /// The session; later calls may leave it out while you have exactly one.
    pub session: SessionId,
    /// The profile it works in.
    pub target: TargetId,
    /// Its first tab.
    pub tab: TabId,
    /// Address of that tab.
    pub url: String,
    /// How far the first address got.
    pub phase: super::page::Phase,
}

/// Arguments of `stop`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StopArgs {
    /// Which session; may be left out when you have exactly one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Result of `stop`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Stopped {
    /// The session.
    pub session: SessionId,
    /// Tabs that were closed, and seen closed.
    pub closed: Vec<TabId>,
    /// Tabs that did not close yet; the extension goes on trying.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<TabId>,
    /// True when the session had ended before.
    pub already_closed: bool,
}

/// Arguments of `list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListArgs {}

/// Result of `list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct List {
    /// Your sessions.
    pub sessions: Vec<SessionRow>,
}

/// One session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    /// Its id.
    pub id: SessionId,
    /// The profile it works in.
    pub target: TargetId,
    /// The name people see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What its life hangs on.
    pub lease: Lease,
    /// Tabs it owns.
    pub tabs: Vec<TabId>,
    /// Milliseconds since its last call.
    pub idle_ms: u64,
}

/// Arguments of `status`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatusArgs {
    /// Which browser profile: its id or unique name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Result of `status`: at most 400 bytes when all is well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// Whether a page can be reached now, once a profile is chosen.
    pub connected: bool,
    /// The daemon's version.
    pub bridge: String,
    /// The `capabilityRevision` that the bridge can make use of; the target's own stands with it.
    pub required_revision: u32,
    /// The chosen or only profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetRow>,
    /// How many profiles are connected.
    pub targets: u32,
    /// How many sessions you have.
    pub sessions: u32,
    /// Round trip to the extension's background, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip_ms: Option<f64>,
    /// What is wrong, each with its repair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<StatusIssue>,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct StatusIssue {
    /// Stable id, such as `no_browser`, `several_targets`, `extension_runtime_stale`.
    pub id: String,
    /// What to do about it.
    pub repair: String,
}

/// Arguments of `targets`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetsArgs {}

/// Result of `targets`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Targets {
    /// Connected profiles, by name.
    pub targets: Vec<TargetRow>,
}

/// One connected browser profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct TargetRow {
    /// Stable id of the profile.
    pub id: TargetId,
    /// Name for people; unique.
    pub name: String,
    /// Browser and version, such as `Chromium 156`.
    pub browser: String,
    /// Version of the extension.
    pub extension: String,
    /// Raised by the extension for every new ability; the bridge states the one it needs.
    pub capability_revision: u32,
    /// Whether calls reach it.
    pub state: TargetState,
    /// How often it connected to this daemon; another number means that it was away in between.
    pub generation: u64,
}

/// Whether calls reach a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum TargetState {
    /// It takes calls.
    Connected,
    /// No person confirmed it yet; it gets no call.
    Unpaired,
}
