//! What background, DOM port and reader say to each other.
//!
//! The background hands the port an operation as JSON; the port runs it as one synchronous task in the document and
//! returns columns: one string, `<n>;<n comma-separated integers>\n<all texts, one after another>`. The integers carry
//! the lengths of the texts in UTF-16 units (−1: no text), so that no text of a page can pass for structure. The
//! background copies that string unread into a fresh [`ReadRequest`] of the reader, a WASM module of its own.

use serde::{Deserialize, Serialize};

use crate::recipe::{Attribute, Issue, Read, Recipe};
use crate::tools::inspect::{SelectorEntry, TextOmitted};

/// Matches per set that the port describes; the count beyond is exact all the same.
pub const MAX_MATCHES: u32 = 2_000;
/// Matches of one field in one row that the port describes; a field with as many is ambiguous in any case.
pub const MAX_FIELD_MATCHES: u32 = 100;
/// UTF-16 units of one copied text.
pub const MAX_TEXT: u32 = 100_000;
/// Elements that one collection describes.
pub const MAX_NODES: u32 = 200_000;

/// What the port is asked to copy.
///
/// Every reply starts with the same nine integers: 1 (version), epoch, `readyState` (0 loading, 1 interactive,
/// 2 complete), number of frames (elements `iframe` and `frame`), then the text lengths of: address, origin, title,
/// then the UTF-16 units of text that [`MAX_TEXT`] and [`MAX_NODES`] left out, and a zero kept free. The three texts
/// come first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PortOp {
    /// Runs selectors.
    ///
    /// After the header, per set: number of matches in all (−1: not a selector the browser takes), number described;
    /// per described match: index of the parent match in the `within` set (−1: none), flags, width, height (CSS px,
    /// rounded), then one text length per read.
    Match {
        /// In order; a set may look inside an earlier one.
        sets: Vec<MatchSet>,
    },
    /// Copies a subtree's elements in document order.
    ///
    /// After the header: matches of `scope` (−1: no selector), number of elements described, number left out by
    /// [`MAX_NODES`]; per element, the scope itself first: index of its parent (−1: it is the scope), flags, width,
    /// height, number of its siblings before it with the same tag, number of attributes; text lengths of tag and own
    /// text (its text-node children that are before its first element child, then after each child, joined by U+0001);
    /// per attribute, lengths of name and value. Only attributes of [`COPIED_ATTRIBUTES`] are copied; values of form
    /// fields are not.
    ///
    /// Children are those of the flat tree: of a host its shadow tree, then the elements no slot shows; of a slot what
    /// is assigned to it.
    Collect {
        /// CSS selector; must match one element.
        scope: String,
    },
}

/// Attributes that a collection copies.
pub const COPIED_ATTRIBUTES: &[&str] = &[
    "id",
    "class",
    "role",
    "href",
    "src",
    "alt",
    "aria-label",
    "aria-hidden",
    "title",
    "datetime",
    "name",
    "type",
    "data-testid",
    "itemprop",
    "rel",
    "placeholder",
    "autocomplete",
];

/// One selector to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchSet {
    /// `None`: each match of `within` itself.
    pub selector: Option<String>,
    /// Index of an earlier set; `None`: the document.
    pub within: Option<u32>,
    /// What to copy of each match.
    pub reads: Vec<PortRead>,
    /// Describe at most so many matches, per parent match.
    pub most: u32,
    /// Which matches of `within` it looks inside; `None`: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<Inside>,
}

/// The first `most` matches whose flags have all bits of `with` and none of `without`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inside {
    /// Bits of [`flags`] that are needed.
    pub with: i32,
    /// Bits of [`flags`] that must not be there.
    pub without: i32,
    /// How many matches at most.
    pub most: u32,
}

/// One text to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PortRead {
    /// The browser's `innerText`.
    InnerText,
    /// `textContent`.
    TextContent,
    /// An attribute as written.
    Attribute(Attribute),
    /// `href` of a link, resolved by the browser.
    ResolvedHref,
}

/// What the port says about an element, as bits.
pub mod flags {
    /// `checkVisibility()` without options: it has a box; or it is `display: contents` inside something that has one.
    pub const RENDERED: i32 = 1;
    /// `visibility` is `visible`.
    pub const VISIBLE: i32 = 2;
    /// `opacity` of it or an ancestor is 0.
    pub const TRANSPARENT: i32 = 4;
    /// `display: contents`.
    pub const CONTENTS: i32 = 8;
    /// A box that is at most 1 px wide or high and clips what overflows leaves nothing of it: its own, or that of an
    /// element around it.
    pub const CLIPS: i32 = 16;
    /// It has an open or closed shadow root; asked in collections only.
    pub const SHADOW: i32 = 32;
    /// It lies wholly left of or above the page, where no scrolling reaches.
    pub const OFF_PAGE: i32 = 64;
    /// `display` starts a line: anything but `inline…`, `contents` and `none`.
    pub const BLOCK: i32 = 128;
    /// A disabled form control or `inert`.
    pub const DISABLED: i32 = 256;
    /// It is part of a shadow tree, where no selector of the document reaches.
    pub const IN_SHADOW: i32 = 512;
    /// What a person can see has all of these …
    pub const SEEN: i32 = RENDERED | VISIBLE;
    /// … and none of these. This is the one rule of visibility.
    pub const UNSEEN: i32 = TRANSPARENT | CLIPS | OFF_PAGE;
}

/// What the reader is asked to make of columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "read", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ReadRequest {
    /// One page of a recipe, over the reply to [`recipe_sets`].
    RecipePage {
        /// The recipe.
        recipe: Box<Recipe>,
        /// From 1.
        page: u32,
        /// Rows the recipe may still return.
        room: u32,
        /// Whether the address that was asked for led to another one.
        redirected: bool,
    },
    /// Visible text of a collection.
    Text {
        /// Characters at most.
        max_chars: u32,
    },
    /// Entries for an author, of a collection.
    Selectors {
        /// Entries at most.
        limit: u32,
    },
}

/// What the reader answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "got", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ReadReply {
    /// To [`ReadRequest::RecipePage`].
    RecipePage {
        /// Where it was read.
        header: PageHeader,
        /// What the page says.
        page: PageState,
    },
    /// To [`ReadRequest::Text`].
    Text {
        /// Where it was read.
        header: PageHeader,
        /// Visible text.
        text: String,
        /// What is missing.
        omitted: Option<TextOmitted>,
    },
    /// To [`ReadRequest::Selectors`].
    Selectors {
        /// Where it was read.
        header: PageHeader,
        /// Entries.
        entries: Vec<SelectorEntry>,
        /// Entries left out.
        omitted: u32,
    },
    /// The scope of a collection matches no element, or several; `matched` −1: it is no selector.
    Scope {
        /// How many.
        matched: i32,
    },
    /// One of the recipe's selectors is none to the browser.
    NoSelector {
        /// JSON path in the recipe, such as `fields[2].selector`.
        path: String,
    },
    /// The columns do not have the stated shape.
    Malformed {
        /// What is wrong.
        problem: String,
    },
}

/// What every port reply starts with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageHeader {
    /// Ends with the document, or when it comes back from the back/forward cache.
    pub epoch: i32,
    /// 0 loading, 1 interactive, 2 complete.
    pub ready_state: i32,
    /// Frames in the document.
    pub frames: u32,
    /// Address.
    pub url: String,
    /// Origin as the document has it; `null` for opaque ones.
    pub origin: String,
    /// Title.
    pub title: String,
}

/// What one page of a recipe says. Each is final but [`PageState::NotReady`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PageState {
    /// `ready` is not there yet.
    NotReady,
    /// A person has to sign in.
    Login {
        /// How that was seen.
        issue: Issue,
    },
    /// It does not fit.
    Changed {
        /// Why.
        issues: Vec<Issue>,
    },
    /// The `empty` element is visible and there are no rows.
    Empty,
    /// Rows.
    Rows {
        /// Each with one value per field, in the recipe's order.
        rows: Vec<Vec<Option<String>>>,
        /// Visible rows beyond the room that was left.
        beyond: u32,
        /// Where the next page is, resolved.
        next: Option<String>,
    },
}

/// The sets that one page of a recipe needs, in the order the reader expects: rows, ready, empty, login, next,
/// password fields, then one per field within rows. A missing selector is a set that matches nothing.
pub fn recipe_sets(recipe: &Recipe, room: u32) -> PortOp {
    let set = |selector: &Option<String>, reads: Vec<PortRead>| MatchSet {
        selector: Some(selector.clone().unwrap_or_else(|| NOTHING.to_owned())),
        within: None,
        reads,
        most: MAX_MATCHES,
        inside: None,
    };
    let mut sets = vec![
        set(&Some(recipe.rows.clone()), Vec::new()),
        set(&Some(recipe.ready.clone()), Vec::new()),
        set(&recipe.empty, Vec::new()),
        set(&recipe.login, Vec::new()),
        set(
            &recipe.next,
            vec![PortRead::Attribute(Attribute::Href), PortRead::ResolvedHref],
        ),
        set(&Some("input[type=password i]".to_owned()), Vec::new()),
    ];
    sets.extend(recipe.fields.iter().map(|field| MatchSet {
        selector: field.selector.clone(),
        within: Some(0),
        reads: vec![match (field.read, field.attribute) {
            (Read::Text, _) => PortRead::InnerText,
            (Read::TextContent, _) | (Read::Attribute, None) => PortRead::TextContent,
            (Read::Attribute, Some(attribute)) => PortRead::Attribute(attribute),
        }],
        most: MAX_FIELD_MATCHES,
        // Reading a field costs more than anything else: only of rows that can be returned.
        inside: Some(Inside {
            with: flags::SEEN,
            without: flags::UNSEEN,
            most: room,
        }),
    }));
    PortOp::Match { sets }
}

/// Position of each set in [`recipe_sets`].
pub mod sets {
    /// The rows.
    pub const ROWS: usize = 0;
    /// The `ready` element.
    pub const READY: usize = 1;
    /// The `empty` element.
    pub const EMPTY: usize = 2;
    /// The `login` element.
    pub const LOGIN: usize = 3;
    /// The `next` link.
    pub const NEXT: usize = 4;
    /// Password fields.
    pub const PASSWORD: usize = 5;
    /// The first field.
    pub const FIELDS: usize = 6;
}

/// A selector that matches no element.
const NOTHING: &str = ":not(*)";
