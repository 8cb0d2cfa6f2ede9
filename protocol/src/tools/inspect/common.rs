//! What every read of a page takes and gives.

use crate::error::Error;
use crate::ids::{DocumentId, SessionId, TabId};
use crate::page::Locator;

use super::Target;

/// The arguments that every read of a page has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Common<'a> {
    /// Which session.
    pub session: Option<&'a SessionId>,
    /// Which tab.
    pub tab: Option<&'a TabId>,
    /// The document it has to be.
    pub document: Option<&'a DocumentId>,
    /// Which part.
    pub target: Option<&'a Target>,
    /// Which part, by ref.
    pub reference: Option<&'a str>,
    /// Which part, by selector.
    pub selector: Option<&'a str>,
    /// Where an earlier reply was cut.
    pub cursor: Option<&'a str>,
    /// Tokens at most.
    pub max_tokens: Option<u32>,
    /// Whether frames are read.
    pub frames: Option<bool>,
}

impl Common<'_> {
    /// The part of the page that is meant; `None`: all of it.
    ///
    /// # Errors
    /// `invalid_argument` with the path, or both paths where two arguments contradict each other.
    pub fn locator(&self) -> Result<Option<Locator>, Error> {
        super::target::locator(self.target, self.reference, self.selector)
    }
}

/// A struct of arguments with what every read of a page takes.
macro_rules! read_args {
    ($(#[$meta:meta])* $name:ident { $($(#[$about:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name {
            /// Which session; may be left out when you have exactly one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub session: Option<crate::ids::SessionId>,
            /// Which tab; default the session's current one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub tab: Option<crate::ids::TabId>,
            /// Only if the tab still shows this document, else `stale_ref`.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub document: Option<crate::ids::DocumentId>,
            /// Which part: a ref such as e12, a CSS selector, or an object with one of ref, role (+ name), label,
            /// placeholder, text, testId, selector.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub target: Option<super::Target>,
            /// Same as target.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub r#ref: Option<String>,
            /// Same as target.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub selector: Option<String>,
            /// Also frames of allowed sites; default true.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub frames: Option<bool>,
            $($(#[$about])* #[serde(default, skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)*
            /// Tokens of the reply at most; default 2000.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub max_tokens: Option<u32>,
            /// `nextCursor` of an earlier reply: goes on there, in the same capture and within the same
            /// limits unless others are given.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub cursor: Option<String>,
            /// Deadline in milliseconds.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub timeout_ms: Option<u64>,
        }

        impl $name {
            /// What every read takes.
            pub fn common(&self) -> super::Common<'_> {
                super::Common {
                    session: self.session.as_ref(),
                    tab: self.tab.as_ref(),
                    document: self.document.as_ref(),
                    target: self.target.as_ref(),
                    reference: self.r#ref.as_deref(),
                    selector: self.selector.as_deref(),
                    cursor: self.cursor.as_deref(),
                    max_tokens: self.max_tokens,
                    frames: self.frames,
                }
            }
        }
    };
}

/// A struct of results with what every read of a page gives.
macro_rules! read_result {
    ($(#[$meta:meta])* $name:ident { $($(#[$about:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            /// The session.
            pub session: crate::ids::SessionId,
            /// The tab.
            pub tab: crate::ids::TabId,
            /// The document that was read.
            pub document: crate::ids::DocumentId,
            /// Its address.
            pub url: String,
            /// Its title. Page data.
            pub title: String,
            $($(#[$about])* pub $field: $type,)*
            /// True when something is missing that was asked for.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            pub truncated: bool,
            /// What is missing, counted exactly.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub omitted: Option<crate::outline::Omitted>,
            /// How to get what is missing.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub hint: Option<String>,
            /// Goes on where this reply was cut, in the same capture.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub next_cursor: Option<String>,
        }
    };
}
