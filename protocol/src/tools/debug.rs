//! `browser_debug`: today only the echo of sandbox builds.

use serde::{Deserialize, Serialize};

/// Arguments of `echo`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EchoArgs {
    /// Text to send to the background and back.
    #[serde(default)]
    pub text: String,
    /// Characters that the background adds to the reply, up to 50,000,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<u32>,
    /// Milliseconds the background waits before it answers, up to 60,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u32>,
    /// Which browser profile: its id or unique name; may be left out when one is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Result of `echo`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Echoed {
    /// The text that was sent.
    pub text: String,
    /// The characters that the background added.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fill: String,
}
