//! `selectors` and `suggest`: for whoever writes a recipe.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::{SessionId, TabId};
use crate::page::Suggestion;

/// Arguments of `selectors`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SelectorsArgs {
    /// Which session, when `url` is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Which tab, when `url` is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<TabId>,
    /// Address to read in a private temporary tab instead of a tab of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Which browser profile, with `url`: its id or unique name; may be left out when one is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// CSS selector of the one element to look inside; default `body`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Entries at most, up to 200; default 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Result of `selectors`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SelectorsRead {
    /// Address of the document that was read.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Visible elements with text or a telling attribute, in document order.
    pub entries: Vec<SelectorEntry>,
    /// Entries left out by `limit`.
    pub omitted: u32,
}

/// One element, for an author.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct SelectorEntry {
    /// A short selector that matches it inside the scope.
    pub selector: String,
    /// How many elements that selector matches inside the scope.
    pub matches: u32,
    /// Tag name, lower case.
    pub tag: String,
    /// ARIA role, where the element has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Its visible text, up to 120 characters.
    pub text: String,
    /// `href`, `src`, `aria-label`, `title`, `datetime`, as written, up to 200 characters each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
}

/// Arguments of `suggest`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SuggestArgs {
    /// Which session, when `url` is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Which tab, when `url` is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<TabId>,
    /// Address to read in a private temporary tab instead of a tab of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Which browser profile, with `url`: its id or unique name; may be left out when one is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What you are after, in words; ranks what fits it first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Tokens of the reply at most; default 2000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Result of `suggest`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Suggested {
    /// Address of the document that was read.
    pub url: String,
    /// Its title. Page data.
    pub title: String,
    /// Ready recipes with their evidence, best first.
    pub suggestions: Vec<Suggestion>,
    /// Suggestions left out because the reply would have been too long.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
