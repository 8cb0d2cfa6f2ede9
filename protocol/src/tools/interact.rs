//! `browser_interact`: doing things on pages.
//!
//! Every action takes the same common arguments and gives the same outcome back; the macros below hold them. What an
//! action's own arguments mean is [`Acting::plan`], so that alone, in a form, in a batch and in a probe they mean the same.

mod plan;
mod several;
mod single;

pub use plan::{Acting, Plan, Where, plan};
pub use several::{
    BatchArgs, BatchDone, FormArgs, FormDone, FormField, PointerArgs, PointerDo, ProbeArgs, Probed, Receipt,
};
pub use single::{
    BlurArgs, CheckArgs, ClickArgs, DoubleClickArgs, DragArgs, FillArgs, FocusArgs, HoverArgs, PressArgs,
    ScrollToArgs, SelectArgs, TypeArgs, UncheckArgs, WheelArgs,
};

use serde::{Deserialize, Serialize};

use crate::act::{Acted, Changed};
use crate::error::Effect;
use crate::ids::{DocumentId, SessionId, TabId};
use crate::outline::Ref;
use crate::page::Bounds;

/// Characters of a text that is typed or filled in.
pub const MAX_TEXT: usize = 1_000_000;
/// Milliseconds that a caller may have looked on for what comes of an action.
pub const MAX_SETTLE_MS: u32 = 10_000;
/// Milliseconds a probe looks on when the caller names no number.
pub const PROBE_SETTLE_MS: u32 = 500;
/// Milliseconds that a key may be held.
pub const MAX_HOLD_MS: u32 = 10_000;
/// Milliseconds between two keys at most.
pub const MAX_DELAY_MS: u32 = 1_000;
/// CSS px that one turn of the wheel or one step of a drag may go.
pub const MAX_PIXELS: i32 = 100_000;
/// Points of one drag.
pub const MAX_POINTS: usize = 100;
/// Options that one call may choose.
pub const MAX_CHOICES: usize = 200;
/// Fields of one form.
pub const MAX_FIELDS: usize = 50;
/// Steps of one batch.
pub const MAX_STEPS: usize = 20;
/// Characters of a key with its modifiers.
pub const MAX_KEY: usize = 64;
/// Characters of a request id.
pub const MAX_REQUEST_ID: usize = 128;

/// Result of an action: it was dispatched, and seen to arrive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// The session.
    pub session: SessionId,
    /// The tab.
    pub tab: TabId,
    /// The document that was acted on.
    pub document: DocumentId,
    /// `committed`: what was asked for was seen.
    pub effect: Effect,
    /// The element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<Ref>,
    /// How it was confirmed: events that the element was seen to get, such as `click`; `value`; `state`; `position`.
    pub confirmed: Vec<String>,
    /// Of `scroll-to`: the part of the element that can be seen, CSS px of the top-level viewport.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// What else was seen to change.
    pub changed: Changed,
}

impl Done {
    /// An outcome in its place.
    pub fn new(session: SessionId, tab: TabId, document: DocumentId, acted: Acted) -> Self {
        Self {
            session,
            tab,
            document,
            effect: Effect::Committed,
            r#ref: acted.r#ref,
            confirmed: acted.confirmed,
            bounds: acted.bounds,
            changed: acted.changed,
        }
    }
}

#[cfg(test)]
mod tests;
