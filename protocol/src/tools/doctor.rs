//! `browser_session doctor`: every hop between a client and a page, and what the daemon knows of them.

use serde::{Deserialize, Serialize};

use super::session::TargetState;
use crate::error::Error;
use crate::ids::TargetId;

/// Arguments of `doctor`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DoctorArgs {
    /// Whether to measure round trips too; default false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<bool>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Result of `doctor`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// Whether a page can be reached now.
    pub healthy: bool,
    /// From the client to the page. A hop that was not reached is not `ok` and has no issue of its own.
    pub hops: Vec<HopHealth>,
    /// The one thing to do next.
    pub recommendation: String,
    /// Browsers of this machine, and whether they would start this bridge.
    pub browsers: Vec<BrowserRow>,
    /// Connected profiles, by name; only for admitted clients.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// The revision of abilities that the bridge wants of an extension.
    pub required_capability_revision: u32,
    /// The lowest one among the connected extensions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_revision: Option<u32>,
    /// What keeps nothing from working and should be known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How the bridge is started anew.
    pub restart: String,
    /// Measured round trips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<Bench>,
}

/// One hop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct HopHealth {
    /// Which one.
    pub name: HopName,
    /// Whether it was seen to work.
    pub ok: bool,
    /// How long it took to answer, in milliseconds, where that can be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Stable id of what is wrong, such as `host_missing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// What is wrong and what to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<String>,
}

/// The hops, in the order a call takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum HopName {
    /// Whoever asks.
    Client,
    /// The daemon and its home.
    Bridge,
    /// What the browser starts: its manifest and the program it names.
    NativeHost,
    /// The extension's background.
    Worker,
    /// What the browser lets the extension do with pages.
    Page,
}

/// One browser of this machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct BrowserRow {
    /// Its name.
    pub browser: String,
    /// Its user data folder, or where it is installed.
    pub folder: String,
    /// `ready`, or the id of what is wrong with its native messaging manifest; `skipped` where none can work.
    pub host: String,
    /// `enabled`, `disabled`, `absent` or `unknown`, as the profile on disk says; seconds late while the browser runs.
    pub extension: String,
    /// Whether it runs, as its profile's lock says.
    pub running: bool,
    /// What else is to be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Round trips, from the daemon to the extension's background and back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Bench {
    /// How many were made.
    pub rounds: u32,
    /// The middle one, in milliseconds.
    pub median_ms: f64,
    /// The longest one, in milliseconds.
    pub worst_ms: f64,
    /// A reply of 10,000,000 characters, in milliseconds; only in builds with the feature `sandbox`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ten_megabytes_ms: Option<f64>,
}

/// What the daemon knows of its links; the answer to [`crate::local::Admin::Health`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// Version of the daemon.
    pub build: String,
    /// How long the daemon has been running, in milliseconds.
    pub uptime_ms: u64,
    /// Whether the client that asks is admitted; names are told only then.
    pub admitted: bool,
    /// Connected profiles.
    pub links: Vec<LinkHealth>,
    /// Links that were refused since the daemon started, the newest last.
    #[serde(default)]
    pub refusals: Vec<Refusal>,
    /// How the record of calls was changed from outside; nothing as long as it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_changed: Option<String>,
    /// Measured round trips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<Bench>,
}

/// One connected profile, as it was a moment ago.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkHealth {
    /// Its id; only for admitted clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetId>,
    /// Its name; only for admitted clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Process id of the browser.
    pub pid: u32,
    /// Version of the extension.
    pub extension: String,
    /// What the extension is able to do.
    pub capability_revision: u32,
    /// Whether calls reach it.
    pub state: TargetState,
    /// How large messages travel; nothing while that is not settled, or when the extension knows one way only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<SocketHealth>,
    /// How long the background took to give a sign of life, in milliseconds; nothing when it gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_ms: Option<f64>,
    /// What the browser lets the extension do; nothing where it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<PageHealth>,
    /// Why there is no `page` although it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_error: Option<Error>,
}

/// How large messages of a link travel. Without a socket they go over the native port, in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SocketHealth {
    /// Over the socket.
    Open,
    /// A person switched the socket off.
    Off,
    /// The daemon could not open its port.
    NoPort,
    /// The browser does not get through to the port.
    Unanswered,
}

/// What a browser lets the extension do with pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageHealth {
    /// How long the answer took, in milliseconds.
    pub ms: f64,
    /// Whether it may work on all sites; a person can withhold some in the browser.
    pub all_sites: bool,
    /// Whether it may work in incognito windows.
    pub incognito: bool,
    /// Whether it may work on `file:` pages.
    pub files: bool,
}

/// A link that was refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// Which hop does not fit.
    pub hop: HopName,
    /// Why.
    pub error: Error,
    /// How long ago, in milliseconds.
    pub age_ms: u64,
}
