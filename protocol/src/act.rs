//! What can be done on a page, and what came of it: the daemon asks, the background does it and looks.
//!
//! Input goes through the browser's debugger, so that a page cannot tell it from a person's. What counts as done is what
//! the page's own document was seen to do: its events, its fields' values.

use serde::{Deserialize, Serialize};

use crate::ids::{DocumentId, TabId};
use crate::outline::Ref;
use crate::page::Locator;

/// One thing to do with an element, or where the keyboard is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Action {
    /// Moves there, presses and releases.
    Click {
        /// Which button.
        button: Button,
        /// 1 or 2.
        count: u8,
        /// Keys held meanwhile.
        modifiers: Vec<Modifier>,
    },
    /// Moves the pointer there and leaves it.
    Hover,
    /// Gives it the keyboard.
    Focus,
    /// Takes the keyboard from it.
    Blur,
    /// Scrolls until a part of it can be seen.
    ScrollTo,
    /// Turns the wheel over it, or over the middle of the viewport.
    Wheel {
        /// CSS px to the right.
        delta_x: i32,
        /// CSS px down.
        delta_y: i32,
    },
    /// Makes this its whole value.
    Fill {
        /// The value.
        value: String,
        /// Adds it to the end of what is there.
        append: bool,
    },
    /// Types text key by key where the keyboard is, or into the target.
    Type {
        /// The text; a line feed presses Enter.
        text: String,
        /// Milliseconds between keys.
        delay_ms: u32,
    },
    /// Presses one key with its modifiers: `Enter`, `Control+A`.
    Press {
        /// The key.
        key: String,
        /// Milliseconds it is held.
        hold_ms: u32,
    },
    /// Chooses options; with several choices, exactly these.
    Select {
        /// Which.
        choose: Vec<Choice>,
    },
    /// Switches a box, radio or switch.
    Check {
        /// On or off.
        on: bool,
    },
    /// Drags it.
    Drag {
        /// Where to, in order; the last point is where it is dropped.
        path: Vec<DragPoint>,
    },
    /// Sets a field by its kind: text is filled, an option chosen, a box switched.
    Set {
        /// To what.
        value: FieldValue,
    },
    /// Submits the form that the target is, or is part of.
    Submit,
    /// Input at points of the viewport.
    Pointer {
        /// What.
        gesture: Gesture,
    },
}

/// A mouse button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum Button {
    /// The main one.
    #[default]
    Left,
    /// The wheel.
    Middle,
    /// The one for menus.
    Right,
}

/// A key that is held while another or a button is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum Modifier {
    /// Alt, or Option.
    Alt,
    /// Control.
    Control,
    /// Command, or the Windows key.
    Meta,
    /// Shift.
    Shift,
}

/// Which option of a select is meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    /// By value attribute, as written.
    Value(String),
    /// By visible label, after white space is folded.
    Label(String),
    /// By position, from 0.
    Index(u32),
    /// By value or label, whichever exactly one option has.
    Either(String),
}

/// Where a drag goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DragPoint {
    /// The middle of an element.
    Element(Box<Locator>),
    /// CSS px from where the drag began.
    By(i32, i32),
}

/// What a field is set to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FieldValue {
    /// A box: on or off.
    On(bool),
    /// A text, or the one option.
    Text(String),
    /// Options.
    Many(Vec<String>),
}

/// A point in CSS px of the top-level viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// Input at points, whatever is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "gesture", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Gesture {
    /// Moves, presses and releases.
    Click {
        /// Where.
        at: Point,
        /// Which button.
        button: Button,
        /// 1 or 2.
        count: u8,
        /// Keys held meanwhile.
        modifiers: Vec<Modifier>,
    },
    /// Moves the pointer.
    Move {
        /// Where to.
        at: Point,
    },
    /// Presses at the first point, moves along, releases at the last.
    Drag {
        /// At least two.
        path: Vec<Point>,
    },
    /// Turns the wheel.
    Scroll {
        /// Where.
        at: Point,
        /// CSS px to the right.
        delta_x: i32,
        /// CSS px down.
        delta_y: i32,
    },
}

/// Documents of the tab in which something may be done, decided by the daemon for this one call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct May {
    /// Where input may go.
    pub act: Vec<DocumentId>,
    /// Where a form may be submitted by an explicit press or key.
    pub submit: Vec<DocumentId>,
}

/// What `data.needs` of a `needs_approval` of the background holds, beside `data.document`, when the action is a submit
/// and its document is not in [`May::submit`], or goes to a document that is not in [`May::act`].
pub mod needs {
    /// `browser.submit` there.
    pub const SUBMIT: &str = "browser.submit";
    /// `browser.interact` there.
    pub const INTERACT: &str = "browser.interact";
}

/// `data` of a `not_found` of the background has it where the page was not whole when it was looked at, and something came
/// since: looking again is worth it.
pub const AGAIN: &str = "again";

/// What came of an action that was dispatched and seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Acted {
    /// The element that was meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<Ref>,
    /// How it was confirmed: events that the element was seen to get, such as `click`; `value`; `state`; `position`.
    pub confirmed: Vec<String>,
    /// Where it is now, of what was scrolled to: the part that can be seen, CSS px of the top-level viewport.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<crate::page::Bounds>,
    /// What else was seen to change.
    pub changed: Changed,
}

/// What changed between the action and its report. What is absent did not change, or was not there yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", default)]
pub struct Changed {
    /// Another document came, or is on its way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub navigation: Option<Moved>,
    /// The same document has another address now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Tabs that the page opened. They are not the session's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub new_tabs: Vec<NewTab>,
    /// A dialog is open: nothing goes on before it is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialog: Option<Dialog>,
    /// Where the keyboard is now, if that moved. Page data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focused: Option<String>,
    /// What the field holds now; `filled` for a secret. Page data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Labels of the chosen options. Page data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<Vec<String>>,
    /// `true`, `false` or `mixed`, of a box, radio or switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<String>,
    /// Whether what it opens is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<bool>,
    /// Why the field is not valid. Page data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation: Option<String>,
    /// Where the nearest scrollable box, or the page, is scrolled to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scrolled: Option<Scrolled>,
    /// The element got the press and not the click: what the press set off came in between.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unclicked: bool,
    /// Nodes that were seen to be added, removed or changed in the target's document.
    #[serde(skip_serializing_if = "is_zero")]
    pub nodes: u32,
    /// Errors in the page's console since the last report on this tab.
    #[serde(skip_serializing_if = "is_zero")]
    pub errors: u32,
}

/// A navigation of the tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Moved {
    /// Where to.
    pub url: String,
    /// The new document; absent while it is on its way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<DocumentId>,
}

/// A tab that a page opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct NewTab {
    /// The tab.
    pub tab: TabId,
    /// The tab whose page opened it.
    pub opener: TabId,
    /// Its address, as far as it is known.
    pub url: String,
}

/// Where something is scrolled to, CSS px.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Scrolled {
    /// From the left, before.
    pub from_x: i32,
    /// From the top, before.
    pub from_y: i32,
    /// From the left, now.
    pub x: i32,
    /// From the top, now.
    pub y: i32,
}

/// A dialog that blocks a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Dialog {
    /// Names it, so that an answer cannot meet another one.
    pub id: String,
    /// Its kind.
    pub kind: DialogKind,
    /// What it says. Page data.
    pub message: String,
    /// What a prompt suggests. Page data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_text: Option<String>,
    /// Whether `dialog` can answer it; else only a person can.
    pub answerable: bool,
}

/// What kind of dialog it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum DialogKind {
    /// It only tells.
    Alert,
    /// Yes or no.
    Confirm,
    /// A text.
    Prompt,
    /// Whether the page may be left.
    BeforeUnload,
    /// Not known: it opened before the browser's debugger was there.
    Unknown,
}

/// How a dialog is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DialogAnswer {
    /// Yes, or leave; else no, or stay.
    pub accept: bool,
    /// For a prompt.
    pub text: Option<String>,
    /// Only if it is this one.
    pub id: Option<String>,
}

/// What a wait waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "until", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Until {
    /// The document is loaded.
    Load,
    /// The tab's address is, or contains, this.
    Url {
        /// Which.
        text: String,
        /// All of it.
        exact: bool,
    },
    /// One of these texts can be seen.
    Text {
        /// Which, at most 20.
        any: Vec<String>,
    },
    /// This text cannot be seen any more.
    TextGone {
        /// Which.
        text: String,
    },
    /// An element is in a state.
    Element {
        /// Which.
        locator: Locator,
        /// In which.
        state: WaitState,
    },
    /// A response of the tab came, after the wait began.
    Response {
        /// Part of its address; `*` stands for anything.
        pattern: String,
        /// Its status; any without.
        status: Option<u16>,
    },
    /// Nothing changed and no request began or ended for so long.
    Idle {
        /// Milliseconds.
        ms: u32,
    },
    /// A download that the tab began after the wait did is complete.
    Download,
}

/// A state of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum WaitState {
    /// Exactly one match can be seen.
    Visible,
    /// No match can be seen.
    Hidden,
    /// Exactly one match can be seen, and it is enabled.
    Enabled,
    /// There is a match, seen or not.
    Attached,
    /// There is no match.
    Detached,
}

/// One wait in one document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Wait {
    /// For what.
    pub until: Until,
    /// Texts that end it as a failure when one of them can be seen; looked at first.
    pub failures: Vec<String>,
    /// Milliseconds that earlier parts of the same wait took.
    pub waited_ms: u64,
}

/// How one wait in one document ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ended", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Waited {
    /// What was waited for is there.
    Success {
        /// Which text, address or response; page data.
        matched: Option<String>,
    },
    /// A failure text can be seen.
    Failure {
        /// Which.
        text: String,
    },
    /// The time is over.
    TimedOut {
        /// How near it came, in words.
        nearest: Option<String>,
    },
    /// The tab shows another document: the daemon asks for its grant and goes on there.
    Left,
    /// A dialog blocks the page.
    Blocked {
        /// Which.
        dialog: Dialog,
    },
}

/// Where the history goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum History {
    /// One entry back.
    Back,
    /// One entry forward.
    Forward,
    /// The same again.
    Reload,
    /// The same again, past the caches.
    HardReload,
}

/// A picture of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// The bytes, base64.
    pub data: String,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Secret fields that were painted over.
    pub masked: u32,
}

/// The file format of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum PictureFormat {
    /// Without loss.
    Png,
    /// Small.
    #[default]
    Jpeg,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}
