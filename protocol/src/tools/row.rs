//! One row of the tool table.

use super::ToolId;

/// A capability.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name in code.
    pub id: ToolId,
    /// The domain tool it is an action of.
    pub domain: &'static str,
    /// The action; `None` where the domain tool is a single verb.
    pub action: Option<&'static str>,
    /// Its name on the flat surface.
    pub flat: &'static str,
    /// What it does, for people and models.
    pub doc: &'static str,
    /// Which grant it needs.
    pub access: Access,
    /// Whether it can change anything.
    pub effect: EffectClass,
    /// Deadline when the caller names none, in milliseconds.
    pub default_ms: u64,
    /// The longest deadline a caller may ask for, in milliseconds.
    pub max_ms: u64,
    /// Where it is offered.
    pub surface: Surface,
    /// JSON Schema of the arguments.
    #[cfg(feature = "schema")]
    pub input: fn() -> schemars::Schema,
    /// JSON Schema of the result.
    #[cfg(feature = "schema")]
    pub output: fn() -> schemars::Schema,
}

/// Classes of access; each but housekeeping is an action that a person grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Handling sessions and the connection; needs admission alone.
    Housekeeping,
    /// `browser.read`.
    Read,
    /// `browser.interact`.
    Interact,
    /// `browser.submit`: submitting a form explicitly. No row needs it by itself: a call that would submit does.
    Submit,
    /// `browser.list`: titles and addresses of the user's own tabs.
    List,
}

impl Access {
    /// The action in a grant; `None` for housekeeping.
    pub fn action(self) -> Option<&'static str> {
        match self {
            Self::Housekeeping => None,
            Self::Read => Some("browser.read"),
            Self::Interact => Some("browser.interact"),
            Self::Submit => Some("browser.submit"),
            Self::List => Some("browser.list"),
        }
    }

    /// Every action a grant can name today.
    pub const ACTIONS: &[&str] = &[
        "browser.read",
        "browser.interact",
        "browser.submit",
        "browser.list",
    ];

    /// What an admission that allows everything, or sites, allows there. To submit stays a question of its own.
    pub const ADMITTED: &[&str] = &["browser.read", "browser.interact", "browser.list"];
}

/// Whether a call can change anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectClass {
    /// It only looks.
    Reads,
    /// It changes tabs or pages and reports an outcome.
    Changes,
}

/// Where a row is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Everywhere.
    Public,
    /// Only in builds with the feature `sandbox`.
    Sandbox,
}
