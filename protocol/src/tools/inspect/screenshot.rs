//! `screenshot`: a picture of what the viewport shows.

use serde::{Deserialize, Serialize};

use crate::act::PictureFormat;
use crate::ids::{DocumentId, SessionId, TabId};

/// Arguments of `screenshot`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScreenshotArgs {
    /// Which session; may be left out when you have exactly one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Which tab; default the session's current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<TabId>,
    /// Only if the tab still shows this document, else `stale_ref`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<DocumentId>,
    /// File format; default jpeg.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<PictureFormat>,
    /// Pixels of the longer side at most; default 1280, 100 to 4096.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_side: Option<u32>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Result of `screenshot`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Screenshot {
    /// The session.
    pub session: SessionId,
    /// The tab.
    pub tab: TabId,
    /// The document in it.
    pub document: DocumentId,
    /// Its address.
    pub url: String,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Secret fields that were painted over.
    pub masked: u32,
    /// `image/png` or `image/jpeg`.
    pub mime_type: String,
    /// The picture, base64; over MCP it is image content instead.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub image: String,
}
