//! A page as a tree of roles and names, flattened in document order: what `observe`, `find` and `snapshot` answer with.

pub mod line;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Short name of a node, `e12`, `a12` or `d12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref {
    /// Which kind.
    pub kind: RefKind,
    /// Its number, from 1; never reused in a tab.
    pub number: u32,
}

/// What a ref names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RefKind {
    /// An element of a document: `e`.
    Element,
    /// A node of the browser's own accessibility tree, in one snapshot: `a`.
    Accessibility,
    /// An element of one list of visible elements: `d`.
    Listed,
}

impl Ref {
    /// The element with this number.
    pub fn element(number: u32) -> Self {
        Self {
            kind: RefKind::Element,
            number,
        }
    }
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            RefKind::Element => 'e',
            RefKind::Accessibility => 'a',
            RefKind::Listed => 'd',
        };
        write!(f, "{kind}{}", self.number)
    }
}

impl FromStr for Ref {
    type Err = ();

    /// Reads `e12`, `@e12` and `[ref=e12]`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        let text = match text.strip_prefix("[ref=") {
            Some(inner) => inner.strip_suffix(']').ok_or(())?,
            None => text.strip_prefix('@').unwrap_or(text),
        };
        let kind = match text.as_bytes().first() {
            Some(b'e') => RefKind::Element,
            Some(b'a') => RefKind::Accessibility,
            Some(b'd') => RefKind::Listed,
            _ => return Err(()),
        };
        let digits = &text[1..];
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits.parse() {
            Ok(number) if plain && !digits.starts_with('0') => Ok(Self { kind, number }),
            _ => Err(()),
        }
    }
}

impl Serialize for Ref {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ref {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse()
            .map_err(|()| serde::de::Error::custom(format!("{text:?} is no ref such as e12")))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Ref {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ref".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "pattern": "^[ead][1-9][0-9]*$"})
    }
}

/// One line of an outline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct OutlineNode {
    /// How many nodes it is inside of.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// Its ref; only what can be acted on or scoped to has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<Ref>,
    /// ARIA role; or `text` for plain text, `clickable` for a plain element that does something, `frame`, `canvas`,
    /// `video`, `audio`, `layer` for what lies in front without a role, `scrollable` for a plain element that scrolls,
    /// `boundary` for what could not be read.
    pub role: String,
    /// Accessible name, or the text itself. Page data.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Level of a heading or tree item; of a link or button, that of the heading it is all of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// States that hold, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<State>,
    /// Current value of a field; never that of a secret one. Page data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What else is worth saying, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What it counts as where something is left out.
    #[serde(default, skip_serializing_if = "Kind::is_other")]
    pub kind: Kind,
}

/// What a node counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// A landmark, dialog or frame.
    Region,
    /// Something that can be acted on.
    Control,
    /// Anything else.
    #[default]
    Other,
}

impl Kind {
    fn is_other(&self) -> bool {
        *self == Self::Other
    }
}

/// A state that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// The keyboard is there.
    Focused,
    /// A box, radio, switch or menu item that is on.
    Checked,
    /// Half on.
    Mixed,
    /// A box, radio or switch that is off.
    Unchecked,
    /// A toggle button that is down.
    Pressed,
    /// Chosen among its siblings.
    Selected,
    /// The current page, step, place, date or time.
    Current,
    /// What it controls is shown.
    Expanded,
    /// What it controls is not shown.
    Collapsed,
    /// It cannot be used.
    Disabled,
    /// Its value cannot be changed.
    Readonly,
    /// It must be filled.
    Required,
    /// Its value is refused; the reason is a note.
    Invalid,
    /// A secret field that holds something.
    Filled,
    /// Several can be chosen.
    Multiple,
    /// Nothing outside of it can be used.
    Modal,
    /// It is loading.
    Busy,
    /// Changes in it are announced.
    Live,
    /// Hidden from assistive technology, and plainly on the screen.
    AriaHidden,
    /// Not to be seen; only where hidden content was asked for.
    Hidden,
    /// The active layer lies in front of it.
    Covered,
}

/// Something else about a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// What about.
    pub about: About,
    /// What is said. Page data.
    pub text: String,
}

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum About {
    /// Accessible description.
    Description,
    /// Placeholder of a field, where it is not its name.
    Placeholder,
    /// Why a field is invalid.
    Message,
    /// Form of a value, such as `yyyy-mm-dd`.
    Format,
    /// Least, greatest and step of a number, such as `1..10 step 1`.
    Range,
    /// Kinds of file a field takes.
    Accept,
    /// Options of a select: the first ones, the chosen ones marked `*`, then how many more.
    Options,
    /// Host of a link that leads to another one. Of a document or frame: where its links lead that do not say so.
    To,
    /// Where a frame's document comes from.
    From,
    /// How many rows, items or columns there are.
    Count,
    /// How far through: position and size of a set, such as `3/12`.
    Position,
    /// Sort order of a column.
    Sort,
    /// A hint for what has no name: what it looks like or stands next to.
    Hint,
    /// What appears when the pointer rests on it.
    Hover,
    /// What the layer lies in front of.
    Covers,
    /// Another way to look at it, such as `screenshot`.
    Visual,
    /// Why something could not be read.
    Reason,
}

/// What is missing of a read; only what is not zero is told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", default)]
pub struct Omitted {
    /// Landmarks, dialogs and frames.
    #[serde(skip_serializing_if = "is_zero")]
    pub regions: u32,
    /// Nodes of an outline or list.
    #[serde(skip_serializing_if = "is_zero")]
    pub nodes: u32,
    /// Nodes that can be acted on.
    #[serde(skip_serializing_if = "is_zero")]
    pub controls: u32,
    /// Rows of a table.
    #[serde(skip_serializing_if = "is_zero")]
    pub rows: u32,
    /// Matches or entries.
    #[serde(skip_serializing_if = "is_zero")]
    pub items: u32,
    /// Characters of text.
    #[serde(skip_serializing_if = "is_zero")]
    pub characters: u32,
    /// Elements with text that cannot be seen.
    #[serde(skip_serializing_if = "is_zero")]
    pub hidden: u32,
    /// Frames that were not read.
    #[serde(skip_serializing_if = "is_zero")]
    pub frames: u32,
    /// Elements beyond what one capture copies.
    #[serde(skip_serializing_if = "is_zero")]
    pub elements: u32,
}

impl Omitted {
    /// Whether nothing is missing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ref_is_taken_in_three_spellings() {
        for text in ["e12", "@e12", "[ref=e12]", " e12 "] {
            assert_eq!(text.parse(), Ok(Ref::element(12)), "{text}");
        }
        for text in [
            "",
            "e",
            "e0",
            "e01",
            "x1",
            "e1x",
            "[ref=e1",
            "e-1",
            "e99999999999",
            "#e1",
        ] {
            assert_eq!(text.parse::<Ref>(), Err(()), "{text}");
        }
    }
}
