//! What can be asked of a page, and what is found: the daemon asks, the reader answers, the background carries it.
//!
//! Every read looks at one capture: the document in a tab's main frame with all frames below it that may be read, spliced
//! into one tree.

use serde::{Deserialize, Serialize};

use crate::outline::{Omitted, OutlineNode, Ref};
use crate::tools::inspect::SelectorEntry;

/// One read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "page", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PageRead {
    /// The outline. → [`PageFound::Outline`]
    Outline {
        /// Only this part; the whole page without.
        within: Option<Locator>,
        /// Levels below the part at most.
        depth: Option<u32>,
        /// Only what lies in the viewport.
        viewport_only: bool,
        /// Also what cannot be seen, marked.
        hidden: bool,
    },
    /// Readable text. → [`PageFound::Text`]
    Text {
        /// Only this part.
        within: Option<Locator>,
        /// Which text.
        scope: TextScope,
        /// How it is written.
        format: TextFormat,
        /// Also what cannot be seen, marked.
        hidden: bool,
        /// The last characters instead of the first.
        tail: bool,
        /// Only lines that contain this, as written.
        log_match: Option<String>,
        /// Matching lines at most.
        log_max_matches: u32,
        /// Characters (Unicode scalar values) at most, cut between two graphemes.
        max_chars: u32,
    },
    /// Elements that a locator or words mean. → [`PageFound::Matches`]
    Find {
        /// Only inside this part.
        within: Option<Locator>,
        /// What is looked for.
        what: Wanted,
        /// Matches described at most.
        limit: u32,
        /// What is told of each.
        told: Told,
    },
    /// Rows of a table, grid or repeated list. → [`PageFound::Table`]
    Table {
        /// Which; the largest without.
        target: Option<Locator>,
        /// Columns to keep, by header or number from 1; all without.
        columns: Option<Vec<String>>,
        /// Rows at most.
        max_rows: u32,
    },
    /// Markup of one element, secrets removed. → [`PageFound::Html`]
    Html {
        /// Which.
        target: Locator,
        /// Bytes of UTF-8 at most.
        max_bytes: u32,
    },
    /// Visible elements as a flat list. → [`PageFound::Listed`]
    Listed {
        /// Only inside this part.
        within: Option<Locator>,
        /// Elements at most.
        limit: u32,
    },
    /// Selectors for an author, of the top document. → [`PageFound::Selectors`]
    Selectors {
        /// CSS selector of the one element to look inside.
        scope: String,
        /// Entries at most.
        limit: u32,
    },
    /// What is waited for, as far as it is there. Begins to watch every document for the next change. → [`PageFound::Watched`]
    Watch {
        /// Texts that mean failure.
        failures: Vec<String>,
        /// Texts, of which one is enough.
        texts: Vec<String>,
        /// An element.
        element: Option<Locator>,
        /// Also what comes nearest.
        nearest: bool,
    },
    /// What a picture must not show: secret fields, and frames that are not read. → [`PageFound::Covered`]
    Cover,
    /// Repeated rows, as ready recipes. → [`PageFound::Suggestions`]
    Suggest {
        /// What the author is after, in words.
        goal: Option<String>,
        /// Suggestions at most.
        limit: u32,
    },
}

/// Names elements. Exactly one of the kinds; the rest narrows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Locator {
    /// By what.
    pub by: By,
    /// Case and whole text must be equal, after white space is folded; else part of it, ignoring case.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
    /// Which of the visible matches, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Only inside the one element this means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Box<Locator>>,
    /// Only those whose visible text contains this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_text: Option<String>,
}

/// What a locator goes by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum By {
    /// A ref.
    Ref(Ref),
    /// ARIA role and, if given, accessible name.
    Role {
        /// The role.
        role: String,
        /// The name.
        name: Option<String>,
    },
    /// Name that a label gives a field.
    Label(String),
    /// Placeholder of a field.
    Placeholder(String),
    /// Visible text; the innermost elements that have it.
    Text(String),
    /// `data-testid`.
    TestId(String),
    /// CSS selector, in every shadow tree of one document. The port runs it: see [`PageRead::selectors`].
    Selector(String),
}

/// What a find looks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Wanted {
    /// Exactly this.
    Locator(Locator),
    /// What these words describe, best first.
    Words(String),
}

/// What a find tells of each match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Told {
    /// Only how many there are.
    Count,
    /// Its node in the outline, with where it stands.
    Node,
    /// Visible text, so many characters.
    Text(u32),
    /// One attribute as written; never the value of a secret field.
    Attribute(String),
    /// Visible, enabled, editable, checked, focused …
    State,
    /// Box in CSS px of the top-level viewport.
    Bounds,
}

/// Which text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum TextScope {
    /// What the page is about: the part that holds the content, by content.
    Primary,
    /// All of it.
    #[default]
    Body,
    /// Lines as a log has them: white space kept, no folding.
    Log,
}

/// How text is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum TextFormat {
    /// Plain, one line per block.
    #[default]
    Text,
    /// Markdown with headings, links, lists, code and tables.
    Markdown,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "found", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PageFound {
    /// To [`PageRead::Outline`].
    Outline {
        /// All of it, in order; the daemon cuts.
        nodes: Vec<OutlineNode>,
        /// What was left out: hidden elements, frames, elements beyond the capture's limit.
        omitted: Omitted,
    },
    /// To [`PageRead::Text`].
    Text {
        /// The text.
        text: String,
        /// What is missing.
        omitted: Omitted,
        /// With `log_match`: lines that matched in all, and the numbers (from 1) of those that are given.
        matched: Option<LogMatches>,
    },
    /// To [`PageRead::Find`].
    Matches {
        /// How many there are in all.
        total: u32,
        /// Of these, how many can be seen.
        visible: u32,
        /// The first ones; with words the best ones.
        matches: Vec<Match>,
        /// What was not looked at: frames, elements beyond the capture's limit.
        #[serde(default)]
        omitted: Omitted,
    },
    /// To [`PageRead::Table`].
    Table {
        /// The table.
        table: Table,
        /// What is missing.
        omitted: Omitted,
    },
    /// To [`PageRead::Html`].
    Html {
        /// The markup, cut between two characters.
        html: String,
        /// Bytes it has in all.
        bytes: u64,
        /// Values that were taken out.
        secrets: u32,
    },
    /// To [`PageRead::Listed`].
    Listed {
        /// Visible elements in document order; `ref` is an element ref, the daemon numbers the list.
        nodes: Vec<OutlineNode>,
        /// What is missing.
        omitted: Omitted,
    },
    /// To [`PageRead::Selectors`].
    Selectors {
        /// Entries.
        entries: Vec<SelectorEntry>,
        /// Entries left out.
        omitted: u32,
    },
    /// To [`PageRead::Watch`].
    Watched {
        /// The first failure text that can be seen.
        failure: Option<String>,
        /// The first text that can be seen.
        text: Option<String>,
        /// Elements that the locator means.
        total: u32,
        /// Of these, how many can be seen …
        visible: u32,
        /// … and how many can be seen and are enabled.
        enabled: u32,
        /// What comes nearest to what is not there, in words that quote the page.
        nearest: Option<String>,
    },
    /// To [`PageRead::Cover`].
    Covered {
        /// Secret fields, in CSS px of the top-level viewport.
        secrets: Vec<Bounds>,
        /// Frames that are not read.
        frames: Vec<Bounds>,
        /// CSS px of the viewport from left to right.
        width: u32,
    },
    /// To [`PageRead::Suggest`].
    Suggestions {
        /// Best first.
        suggestions: Vec<Suggestion>,
    },
}

/// What a filter of lines found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct LogMatches {
    /// Lines that matched in all.
    pub count: u32,
    /// Numbers of the lines that are given, from 1, in the whole text.
    pub numbers: Vec<u32>,
}

/// One match of a find.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Match {
    /// The element.
    pub node: OutlineNode,
    /// Whether it can be seen.
    pub visible: bool,
    /// What it is inside of, outermost first: named landmarks, dialogs, groups, rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<String>,
    /// With words: why it is a match, strongest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
    /// With `text` or `attribute`: what was asked for; absent: it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// With `state`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ElementState>,
    /// With `bounds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
}

/// What an element is like right now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct ElementState {
    /// A person can see it.
    pub visible: bool,
    /// It lies at least partly in the viewport.
    pub in_viewport: bool,
    /// It is not disabled.
    pub enabled: bool,
    /// It takes text.
    pub editable: bool,
    /// On or off; absent where that means nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    /// The keyboard is there.
    pub focused: bool,
    /// A field that holds something; never what.
    pub filled: bool,
}

/// A box in CSS px, relative to the top-level viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Bounds {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// Rows of a table, grid or repeated list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// The element that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<Ref>,
    /// What it is: `table`, `grid`, `list`.
    pub kind: String,
    /// Its accessible name. Page data.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Column headers, unique; `column1` … where the page has none. Page data.
    pub columns: Vec<String>,
    /// Cells by column; a spanned cell stands in every place it covers. Page data.
    pub rows: Vec<Vec<String>>,
    /// Rows the page says there are, where it says so (`aria-rowcount`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_rows: Option<u32>,
    /// What tells one row from another while a virtualised list scrolls; for the background alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scroll: Option<TableScroll>,
}

/// Where a virtualised list scrolls, and which rows were on show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct TableScroll {
    /// Part of the request and index in that part's capture of the element that scrolls; `None`: the page itself.
    pub scroller: Option<(u32, u32)>,
    /// Per row: its declared position, else its distance in px from the top of the scrolled content.
    pub positions: Vec<i64>,
}

/// A recipe that a page's repetition suggests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// Ready to be run.
    pub recipe: crate::recipe::Recipe,
    /// Rows it gives on this page.
    pub rows: u32,
    /// Per field of the recipe, in order.
    pub evidence: Vec<FieldEvidence>,
    /// Why it was suggested, strongest first.
    pub why: Vec<String>,
}

/// What a suggested field rests on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct FieldEvidence {
    /// Name of the field.
    pub field: String,
    /// Rows that have it exactly once.
    pub present: u32,
    /// Different values among them.
    pub distinct: u32,
    /// The first values. Page data.
    pub samples: Vec<String>,
}

impl PageRead {
    /// The CSS selectors the port has to run for it, each once, in this order: the reader knows their matches by it.
    pub fn selectors(&self) -> Vec<&str> {
        let mut all = Vec::new();
        if let Self::Selectors { scope, .. } = self {
            all.push(scope.as_str());
        }
        for locator in self.locators() {
            if let By::Selector(selector) = &locator.by
                && !all.contains(&selector.as_str())
            {
                all.push(selector);
            }
        }
        all
    }

    /// The refs it rests on: with one of them gone, the read is `stale_ref` before anything is copied.
    pub fn refs(&self) -> Vec<Ref> {
        let by_ref = |locator: &Locator| match locator.by {
            By::Ref(one) => Some(one),
            _ => None,
        };
        self.locators().into_iter().filter_map(by_ref).collect()
    }

    /// Every locator in it, outer ones first.
    fn locators(&self) -> Vec<&Locator> {
        let (within, wanted) = match self {
            Self::Selectors { .. } | Self::Suggest { .. } | Self::Cover => (None, None),
            Self::Watch { element, .. } => (element.as_ref(), None),
            Self::Outline { within, .. } | Self::Text { within, .. } | Self::Listed { within, .. } => {
                (within.as_ref(), None)
            }
            Self::Table { target, .. } => (target.as_ref(), None),
            Self::Html { target, .. } => (Some(target), None),
            Self::Find { within, what, .. } => match what {
                Wanted::Locator(locator) => (within.as_ref(), Some(locator)),
                Wanted::Words(_) => (within.as_ref(), None),
            },
        };
        let mut all = Vec::new();
        for mut at in [within, wanted] {
            while let Some(locator) = at {
                all.push(locator);
                at = locator.scope.as_deref();
            }
        }
        all
    }
}

impl Locator {
    /// A locator without narrowing.
    pub fn new(by: By) -> Self {
        Self {
            by,
            exact: false,
            index: None,
            scope: None,
            has_text: None,
        }
    }
}
