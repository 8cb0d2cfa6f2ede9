//! What a call says when it did not do what was asked, and the envelope every reply travels in.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The closed set a caller branches on. A code from a newer peer reads as [`Code::Internal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// A hop between client and page is missing; the message names it.
    NotConnected,
    /// Several targets are connected and none was chosen.
    TargetRequired,
    /// The chosen target is not connected now.
    TargetUnavailable,
    /// The browser profile was not confirmed by a person yet.
    Unpaired,
    /// The target restarted since the session bound to it.
    TargetChanged,
    /// Bridge and extension, or bridge and client, cannot speak with each other.
    VersionMismatch,
    /// No such session, or it is another client's.
    SessionUnknown,
    /// The session is ending or busy with something that excludes this call.
    SessionBusy,
    /// A person's decision for this client, action and site is `off`.
    NotGranted,
    /// A person has to decide first.
    NeedsApproval,
    /// The person did not lend the tab.
    BorrowDenied,
    /// The person is using the tab.
    UserActive,
    /// The person stopped the work.
    UserAborted,
    /// The tab is closed, or the id belongs to an earlier run of the browser.
    TabGone,
    /// The session neither opened the tab nor was lent it.
    TabNotOwned,
    /// The browser lets no extension read this page; the message says why.
    PageUnreadable,
    /// The page replaced itself twice while it was read.
    PageChanging,
    /// The ref's element or document is gone.
    StaleRef,
    /// The capture a cursor or snapshot id names has ended.
    StaleSnapshot,
    /// Nothing matches.
    NotFound,
    /// Several elements match where one is needed.
    Ambiguous,
    /// The element exists and cannot be seen.
    NotVisible,
    /// The element exists and is disabled.
    NotEnabled,
    /// The element takes no text.
    NotEditable,
    /// Another element is in front.
    Covered,
    /// Dispatched and seen by the page, and nothing changed.
    NoEffect,
    /// The value read back differs.
    Unconfirmed,
    /// The page undid the change.
    Reverted,
    /// The select has no such option.
    OptionNotFound,
    /// A JavaScript dialog blocks the page.
    DialogOpen,
    /// The address, or one it led to, is not allowed.
    NavigationBlocked,
    /// The deadline passed.
    Timeout,
    /// Dispatched, and what came of it was not seen.
    EffectUnknown,
    /// The result or argument is over a stated limit.
    TooLarge,
    /// The caller cancelled.
    Cancelled,
    /// The arguments do not fit; the message holds the JSON path.
    InvalidArgument,
    /// Not offered by this version, browser or surface.
    Unsupported,
    /// The page no longer has the shape that was described.
    SourceChanged,
    /// The site wants a person to sign in.
    LoginRequired,
    /// The same request key or version was used for something else.
    Conflict,
    /// A script ended with an error.
    ScriptFailed,
    /// A fault of ours, or a code this version does not know.
    #[serde(other)]
    Internal,
}

/// What a call that can change something has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing was dispatched.
    None,
    /// The change was seen.
    Committed,
    /// It was dispatched and what came of it is not known: look before doing it again.
    Unknown,
}

/// A typed failure. `message` says what happened, `hint` the next step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Error {
    /// What a caller branches on.
    pub code: Code,
    /// What happened, in one sentence.
    pub message: String,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// For calls that can change something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// Details that belong to the code, such as the targets to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl Error {
    /// An error with a code and a sentence. A sentence that repeats what it was given, such as an unknown name, is cut
    /// after [`MAX_SENTENCE`] bytes.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: sentence(message.into()),
            hint: None,
            effect: None,
            data: None,
        }
    }

    /// A wrong argument; `path` is the JSON path from the tool's arguments, such as `recipe.fields[2].read`.
    pub fn argument(path: &str, problem: impl std::fmt::Display) -> Self {
        let at = if path.is_empty() || path == "." {
            "arguments"
        } else {
            path
        };
        Self::new(Code::InvalidArgument, format!("{at}: {problem}"))
    }

    /// A fault of ours.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Code::Internal, message)
    }

    /// Adds the next step; cut like the message.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(sentence(hint.into()));
        self
    }

    /// Says what the call changed.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effect = Some(effect);
        self
    }

    /// Adds details.
    #[must_use]
    pub fn data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }
}

/// Bytes of a message or hint at most.
pub const MAX_SENTENCE: usize = 2_000;

fn sentence(mut text: String) -> String {
    if text.len() > MAX_SENTENCE {
        text.truncate(text.floor_char_boundary(MAX_SENTENCE - '…'.len_utf8()));
        text.push('…');
    }
    text
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let code = serde_json::to_value(self.code).unwrap_or_default();
        write!(f, "{}: {}", code.as_str().unwrap_or("internal"), self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// The envelope of every reply: `{"ok": true, "result": …}` or `{"ok": false, "error": …}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome(pub Result<Value, Error>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    ok: bool,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<Error>,
}

impl Serialize for Outcome {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// As [`Envelope`], without a copy of what may be megabytes.
        #[derive(Serialize)]
        struct Borrowed<'a> {
            ok: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            result: Option<&'a Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            error: Option<&'a Error>,
        }
        Borrowed {
            ok: self.0.is_ok(),
            result: self.0.as_ref().ok(),
            error: self.0.as_ref().err(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let envelope = Envelope::deserialize(deserializer)?;
        match envelope {
            Envelope {
                ok: true,
                result,
                error: None,
            } => Ok(Self(Ok(result.unwrap_or(Value::Null)))),
            Envelope {
                ok: false,
                result: None,
                error: Some(error),
            } => Ok(Self(Err(error))),
            _ => Err(D::Error::custom(
                "an outcome is either ok with a result or not ok with an error",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_never_repeats_all_of_an_endless_argument() {
        let error = Error::argument("tool", "é".repeat(1_000_000)).hint("🎉".repeat(1_000));
        assert!(error.message.starts_with("tool: éé") && error.message.ends_with("é…"));
        assert!(error.message.len() <= MAX_SENTENCE);
        assert!(
            error
                .hint
                .is_some_and(|hint| hint.len() <= MAX_SENTENCE && hint.ends_with("🎉…"))
        );
    }

    #[test]
    fn a_sentence_that_fits_stays_as_it_is() {
        assert_eq!(
            Error::internal("x".repeat(MAX_SENTENCE)).message,
            "x".repeat(MAX_SENTENCE)
        );
    }
}
