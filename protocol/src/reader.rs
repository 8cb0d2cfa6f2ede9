//! What background, DOM port and reader say to each other.
//!
//! The background hands the port an operation as JSON; the port runs it as one synchronous task in the document and
//! returns columns: one string, `<n>;<n comma-separated integers>\n<all texts, one after another>`. The integers carry
//! the lengths of the texts in UTF-16 units (−1: no text), so that no text of a page can pass for structure. The
//! background copies that string unread into a fresh [`ReadRequest`] of the reader, a WASM module of its own.

pub mod acting;
pub mod filling;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::page::{PageFound, PageRead};
use crate::recipe::{Attribute, Issue, Read, Recipe};

/// Matches per set that the port describes; the count beyond is exact all the same.
pub const MAX_MATCHES: u32 = 2_000;
/// Matches of one field in one row that the port describes; a field with as many is ambiguous in any case.
pub const MAX_FIELD_MATCHES: u32 = 100;
/// UTF-16 units of one copied text.
pub const MAX_TEXT: u32 = 100_000;
/// UTF-16 units of one element's own text in a capture: a log is one text.
pub const MAX_OWN: u32 = 16_000_000;
/// Elements that one capture describes.
pub const MAX_NODES: u32 = 200_000;

/// What the port is asked to copy.
///
/// Every reply starts with the same nine integers: 1 (version), epoch, `readyState` (0 loading, 1 interactive,
/// 2 complete), number of frames (elements `iframe` and `frame`), then the text lengths of: address, origin, title,
/// then the UTF-16 units of text that limits left out, and 1 for the shell around a PDF (else 0). The three texts
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
    /// Copies the whole document in document order of the flat tree, and remembers what it copied until the next
    /// capture, for [`PortOp::Number`] and [`PortOp::Markup`].
    ///
    /// After the header: number of this capture; the highest ref in this document (0: none); index of this window among
    /// its parent's windows (−1: top, or not among them); width and height of the viewport, scroll position x and y
    /// (CSS px, rounded); number of elements described; number left out by [`MAX_NODES`]; per element, the root first:
    /// index of its parent (−1: it is the root), flags, x, y (CSS px, rounded, relative to the page's own top left),
    /// width, height, number of its siblings before it with the same tag, index of the host whose shadow tree it is part
    /// of (−1: none), its ref (0: none), number of keys; text lengths of tag and own text (its text-node children
    /// that are before its first element child, then after each child, joined by U+0001);
    /// per key, its index in [`KEYS`] and the text length of its value.
    ///
    /// The order is that of the flat tree: in a host its shadow tree, then the elements that no slot shows; in a slot what
    /// is assigned to it. Closed shadow roots are looked for in custom elements, in the first 1,000 elements that can have
    /// one, and behind those in what has no content of its own or does not show it.
    ///
    /// Then, per selector of `select`: matches in the document and all its shadow trees (−1: no selector), number
    /// described, their indexes in document order. Then the number of points looked at, and per point the index of
    /// the frontmost element there (−1: none).
    Capture {
        /// CSS selectors whose matches are told.
        select: Vec<String>,
        /// Whether to copy generated content of elements whose names may come from their content.
        generated: bool,
        /// Whether to watch the document, with all its shadow trees, for its next change from now on.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        watch: bool,
    },
    /// Gives refs to elements of the latest capture; one that has a ref keeps it. After the header: 1 if `capture` is
    /// the latest one, else 0.
    Number {
        /// The capture that the indexes belong to.
        capture: i32,
        /// Index in the capture, and ref.
        numbers: Vec<(u32, u32)>,
    },
    /// After the header, per ref: 1 if its element is part of the document, else 0.
    Holds {
        /// Which.
        refs: Vec<u32>,
    },
    /// Markup of one element of the latest capture, as the HTML fragment serialisation writes it, shadow trees left out;
    /// `value` attributes and text of secret fields are empty. After the header: 1 (0: another capture is the latest, or
    /// the element is gone), values taken out, text length of the markup.
    Markup {
        /// The capture that the index belongs to.
        capture: i32,
        /// Index in it.
        at: u32,
    },
    /// Scrolls one element of the latest capture, or the page. After the header: scroll position, scroll height, visible
    /// height, all vertical, after it.
    Scroll {
        /// The capture that the index belongs to.
        capture: i32,
        /// Index in it; −1: the page.
        at: i32,
        /// Where to, CSS px from the top; −1: it stays, and only where it is is told.
        to: i32,
    },
}

/// What a capture copies of an element besides tag and text: attributes as written, then facts.
///
/// Of an attribute at most 10,000 UTF-16 units, of a `data:` address the first 100. A `value` attribute of a secret or
/// hidden field is not copied. `xlink:href` counts as `href`. `hidden` is also told of an option that has no box by its style.
///
///
/// | fact | value |
/// |---|---|
/// | `:value` | current value of a field that is neither secret nor empty, of a select its chosen labels joined by U+0001 |
/// | `:checked` | `true`, `false` or `mixed`, of boxes and radios |
/// | `:selected` | `true` of a chosen option |
/// | `:before`, `:after` | computed `content` as CSS writes it, where asked for; U+0001 in front: its box is no part of the line |
/// | `:message` | why a field that the person used is invalid |
/// | `:window` | of a frame, its index among the window's frames; −1: not among them |
/// | `:layer` | computed `z-index` of a positioned element that has one |
/// | `:scroll` | of an element that scrolls vertically: position, scroll height, visible height, joined by commas |
/// | `:inset` | of a frame: where its content begins, CSS px from the left and top of its own box, joined by a comma |
pub const KEYS: &[&str] = &[
    "id",
    "class",
    "role",
    "href",
    "src",
    "alt",
    "title",
    "name",
    "type",
    "value",
    "for",
    "label",
    "placeholder",
    "autocomplete",
    "required",
    "readonly",
    "multiple",
    "size",
    "accept",
    "min",
    "max",
    "step",
    "pattern",
    "list",
    "tabindex",
    "contenteditable",
    "onclick",
    "draggable",
    "open",
    "hidden",
    "lang",
    "dir",
    "colspan",
    "rowspan",
    "scope",
    "headers",
    "datetime",
    "data-testid",
    "itemprop",
    "rel",
    "usemap",
    "popovertarget",
    "is",
    "aria-label",
    "aria-labelledby",
    "aria-describedby",
    "aria-description",
    "aria-hidden",
    "aria-checked",
    "aria-pressed",
    "aria-expanded",
    "aria-selected",
    "aria-disabled",
    "aria-required",
    "aria-invalid",
    "aria-errormessage",
    "aria-readonly",
    "aria-level",
    "aria-valuenow",
    "aria-valuetext",
    "aria-valuemin",
    "aria-valuemax",
    "aria-haspopup",
    "aria-modal",
    "aria-multiselectable",
    "aria-orientation",
    "aria-sort",
    "aria-current",
    "aria-live",
    "aria-busy",
    "aria-owns",
    "aria-controls",
    "aria-activedescendant",
    "aria-posinset",
    "aria-setsize",
    "aria-rowindex",
    "aria-colindex",
    "aria-rowcount",
    "aria-colcount",
    "aria-rowspan",
    "aria-colspan",
    "aria-placeholder",
    "aria-roledescription",
    ":value",
    ":checked",
    ":selected",
    ":before",
    ":after",
    ":message",
    ":window",
    ":layer",
    ":scroll",
    ":inset",
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
    /// Describes no more once so many described matches are like that; those beyond are counted alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enough: Option<Inside>,
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
    /// Its opacity, with that of the elements around it, is at most 0.05: by `opacity` or `filter: opacity()`.
    pub const TRANSPARENT: i32 = 4;
    /// `display: contents`.
    pub const CONTENTS: i32 = 8;
    /// Nothing is left of it: a box at most 1 px wide or high clips what overflows, its own or that of an element around
    /// it; or a clip, a clip path or a transformation leaves no area; or it is a part of a drawing that only others use.
    pub const CLIPS: i32 = 16;
    /// It has an open or closed shadow root; asked in captures only.
    pub const SHADOW: i32 = 32;
    /// It lies wholly where no scrolling reaches: left of or above the page, right of a page that cuts off what is there,
    /// outside of the window while it is pinned there, or outside of a box around it that cuts off what overflows.
    pub const OFF_PAGE: i32 = 64;
    /// `display` starts a line: anything but `inline…`, `contents` and `none`.
    pub const BLOCK: i32 = 128;
    /// A disabled form control or `inert`.
    pub const DISABLED: i32 = 256;
    /// It is part of a shadow tree, where no selector of the document reaches.
    pub const IN_SHADOW: i32 = 512;
    /// Its namespace is not HTML's. Captures only, as all below.
    pub const FOREIGN: i32 = 1 << 10;
    /// The pointer becomes a hand on it, by `cursor: pointer`.
    pub const POINTER: i32 = 1 << 11;
    /// The keyboard is there.
    pub const FOCUSED: i32 = 1 << 12;
    /// Its box meets the viewport of its window.
    pub const IN_VIEW: i32 = 1 << 13;
    /// What is typed into it is a secret.
    pub const SECRET: i32 = 1 << 14;
    /// A secret field, or any field, that holds something.
    pub const FILLED: i32 = 1 << 15;
    /// Its content can be edited: `contenteditable`, also from around.
    pub const EDITABLE: i32 = 1 << 16;
    /// `:modal`, or an open popover.
    pub const TOP_LAYER: i32 = 1 << 17;
    /// `position: fixed` or `sticky`.
    pub const PINNED: i32 = 1 << 18;
    /// Its own text has about the colour of what is behind it (at most 10 of 255 apart) or next to none (at most 0.05 of
    /// it), is too small to be read, or is indented out of its box.
    pub const BLENDS: i32 = 1 << 19;
    /// `position` is not `static`; not told of what is part of a line.
    pub const POSITIONED: i32 = 1 << 20;
    /// A box of its own inside a line, such as `display: inline-block`.
    pub const INLINE_BOX: i32 = 1 << 21;
    /// Its own text is shown in upper case, by `text-transform`; it is copied as it is in the document.
    pub const UPPERCASE: i32 = 1 << 22;
    /// The same with lower case …
    pub const LOWERCASE: i32 = 1 << 23;
    /// … and with the first letter of each word.
    pub const CAPITALIZE: i32 = 1 << 24;
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
    /// A read of captures, spliced into one tree.
    Page {
        /// What is asked.
        ask: Box<PageRead>,
        /// The captures, the main frame's first, in the order of their columns.
        parts: Vec<Part>,
        /// Frames that could not be captured.
        missing: Vec<MissingFrame>,
        /// The first ref that was never given in this tab.
        next_ref: u32,
    },
    /// Markup, over the reply to [`PortOp::Markup`].
    Markup {
        /// Bytes of UTF-8 at most.
        max_bytes: u32,
    },
}

/// One capture among several.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Bytes of its columns in UTF-8.
    pub bytes: u32,
    /// The part whose document has the frame it is in; `None`: it is the main frame.
    pub parent: Option<u32>,
}

/// A frame that could not be captured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MissingFrame {
    /// The part whose document has it.
    pub parent: u32,
    /// Its address.
    pub url: String,
    /// Why.
    pub why: Missing,
}

/// Why a frame could not be captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Missing {
    /// The caller has no grant for its site.
    NotGranted,
    /// The browser lets no extension into it: another extension's, an error page, the PDF viewer.
    Unreadable,
    /// It did not answer in time, or went away meanwhile.
    Silent,
}

/// Refs to give once a read is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Minted {
    /// Which part.
    pub part: u32,
    /// Number of its capture.
    pub capture: i32,
    /// Index in the capture, and ref.
    pub numbers: Vec<(u32, u32)>,
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
    /// To [`ReadRequest::Page`].
    Page {
        /// Where it was read.
        header: PageHeader,
        /// What was found.
        found: Box<PageFound>,
        /// Refs to give before anybody hears of them.
        minted: Vec<Minted>,
        /// The first ref that is free after it.
        next_ref: u32,
    },
    /// To a [`PageRead::Html`]: the port has to be asked for the markup of this element.
    WantMarkup {
        /// Which part.
        part: u32,
        /// Number of its capture.
        capture: i32,
        /// Index in it.
        at: u32,
    },
    /// To [`ReadRequest::Markup`].
    Markup {
        /// Where it was read.
        header: PageHeader,
        /// What was found; `None`: the element is gone.
        found: Option<Box<PageFound>>,
    },
    /// The page does not have what was asked for, such as `not_found` or `ambiguous`.
    Failed {
        /// Why.
        error: Error,
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
        enough: None,
        inside: None,
    };
    let visible = |most| {
        Some(Inside {
            with: flags::SEEN,
            without: flags::UNSEEN,
            most,
        })
    };
    let mut sets = vec![
        MatchSet {
            // One more than can be returned tells that there are more.
            enough: visible(room.saturating_add(1)),
            ..set(&Some(recipe.rows.clone()), Vec::new())
        },
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
        enough: None,
        inside: visible(room),
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
