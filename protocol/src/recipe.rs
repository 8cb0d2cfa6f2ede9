//! Recipes, version 1: a closed, data-only description of rows and fields on one origin.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;

/// The whole command's time, waiting included.
pub const DEADLINE_MS: u64 = 20_000;
/// Fields of a recipe.
pub const MAX_FIELDS: usize = 20;
/// Rows a recipe may return in all.
pub const MAX_ROWS: u32 = 100;
/// Pages a recipe may read.
pub const MAX_PAGES: u32 = 10;
/// UTF-8 bytes of a selector.
pub const MAX_SELECTOR: usize = 1_000;
/// UTF-8 bytes of a name, and of an input's value.
pub const MAX_NAME: usize = 64;
/// UTF-8 bytes of the description, the URL template and each input value.
pub const MAX_TEXT: usize = 2_000;
/// Declared inputs of a recipe.
pub const MAX_INPUTS: usize = 20;

/// A recipe, version 1. An unknown field is an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Recipe {
    /// Always 1.
    pub version: u32,
    /// A short name, up to 64 bytes.
    pub name: String,
    /// What it reads, up to 2,000 bytes.
    pub description: String,
    /// Scheme, host and port it reads, exactly, such as `https://shop.example`; never an input.
    pub origin: String,
    /// The first page's address on that origin, with an `{input}` placeholder for every declared input.
    pub url_template: String,
    /// Names of the inputs; each is required and stands in the template.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// CSS selector of an element that is visible once the page can be read.
    pub ready: String,
    /// CSS selector of the rows; only visible ones count.
    pub rows: String,
    /// What is read of each row, 1 to 20 fields.
    pub fields: Vec<Field>,
    /// Rows in all, 1 to 100.
    pub limit: u32,
    /// Pages in all, 1 to 10.
    pub max_pages: u32,
    /// CSS selector of the element that the site shows when there is nothing to list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty: Option<String>,
    /// CSS selector of an element that is visible only when a person has to sign in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login: Option<String>,
    /// CSS selector of the one link to the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// One field of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Field {
    /// Key in the row's object: a letter, then letters, digits or `_`, up to 64.
    pub name: String,
    /// CSS selector inside the row; absent: the row itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// `text` is rendered text; `textContent` is for a hidden copy inside the visible row; `attribute` needs `attribute`.
    pub read: Read,
    /// Which attribute, for `read: attribute`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<Attribute>,
    /// Whether exactly one nonempty match is needed; a missing optional field is null.
    pub required: bool,
}

/// How a field is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum Read {
    /// Rendered text, the browser's `innerText`; an element that is not rendered is no match.
    Text,
    /// `textContent`, rendered or not.
    TextContent,
    /// An attribute, as written in the page.
    Attribute,
}

/// The attributes a recipe may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum Attribute {
    /// Link target, as written.
    Href,
    /// Source, as written.
    Src,
    /// Accessible label.
    AriaLabel,
    /// Tooltip.
    Title,
    /// Machine-readable time.
    Datetime,
}

impl Attribute {
    /// The attribute's name in the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::Href => "href",
            Self::Src => "src",
            Self::AriaLabel => "aria-label",
            Self::Title => "title",
            Self::Datetime => "datetime",
        }
    }
}

/// Values of a recipe's inputs, by name: strings, numbers or booleans.
pub type Inputs = BTreeMap<String, Value>;

/// What a recipe found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecipeResult {
    /// What the page said; decide on this before using rows.
    pub state: State,
    /// One object per row, keyed by field name; values are strings or null.
    pub rows: Vec<serde_json::Map<String, Value>>,
    /// Whether these are all rows there are.
    pub complete: bool,
    /// Pages that were read.
    pub pages: u32,
    /// Address of the last page that was read.
    pub source_url: String,
    /// When, UTC, RFC 3339.
    pub checked_at: String,
    /// Where the tab was while it was read.
    pub visibility: Visibility,
    /// What did not fit, and why the result ends where it ends.
    pub issues: Vec<Issue>,
}

/// How a recipe ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// All rows.
    Ok,
    /// The site says that there is nothing; only with the recipe's `empty` element visible.
    Empty,
    /// A limit ended it before the last row; `rows` holds what was read.
    Incomplete,
    /// Rows or fields no longer fit; no rows.
    SourceChanged,
    /// A person has to sign in; no rows.
    LoginRequired,
}

/// Where the private tab was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// In the background of a window, where pages get no animation frames and no intersection events.
    Background,
    /// Moved once into an unfocused window of its own.
    Window,
}

/// One thing that did not fit, with the evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// What is wrong.
    pub kind: IssueKind,
    /// The field's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The selector that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// How many elements it matched, by the rule of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<u32>,
    /// The row, from 1, on its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
    /// The page, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
}

impl Issue {
    /// An issue without details.
    pub fn new(kind: IssueKind) -> Self {
        Self {
            kind,
            field: None,
            selector: None,
            matched: None,
            row: None,
            page: None,
        }
    }
}

/// The kinds of issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum IssueKind {
    /// No visible row, and the `empty` element is not there.
    NoRows,
    /// Rows and the `empty` element are both visible.
    RowsAndEmpty,
    /// A required field has no nonempty match.
    FieldMissing,
    /// A field has more than one match.
    FieldAmbiguous,
    /// The `next` selector matches several links.
    NextAmbiguous,
    /// The `next` element has no `href`.
    NextWithoutHref,
    /// The `next` link leads to a page that was read.
    NextRepeated,
    /// A row equals an earlier one.
    RepeatedRow,
    /// `limit` ended the reading.
    LimitReached,
    /// `maxPages` ended the reading.
    MaxPagesReached,
    /// The `login` element is visible.
    LoginElement,
    /// A redirect led to a page with a password field.
    LoginRedirect,
    /// A kind that this version does not know.
    #[serde(other)]
    Other,
}

/// Reads a recipe from JSON; every message names the JSON path below `path`.
///
/// # Errors
/// `invalid_argument`.
pub fn parse(value: &Value, path: &str) -> Result<Recipe, Error> {
    let recipe: Recipe = serde_path_to_error::deserialize(value).map_err(|error| {
        let inner = error.path().to_string();
        let at = if inner == "." {
            path.to_owned()
        } else {
            format!("{path}.{inner}")
        };
        Error::argument(&at, crate::tools::words::plain(&error.into_inner().to_string()))
    })?;
    check(&recipe, path)?;
    Ok(recipe)
}

/// Checks everything about a recipe that needs no address parser; [`crate::address::expand`] checks the rest.
///
/// # Errors
/// `invalid_argument` with the JSON path.
pub fn check(recipe: &Recipe, path: &str) -> Result<(), Error> {
    let at = |field: &str| format!("{path}.{field}");
    if recipe.version != 1 {
        return Err(Error::argument(&at("version"), "must be 1"));
    }
    text(&at("name"), &recipe.name, MAX_NAME)?;
    text(&at("description"), &recipe.description, MAX_TEXT)?;
    text(&at("urlTemplate"), &recipe.url_template, MAX_TEXT)?;
    between(&at("limit"), recipe.limit, MAX_ROWS)?;
    between(&at("maxPages"), recipe.max_pages, MAX_PAGES)?;
    check_inputs(recipe, path)?;
    selector(&at("ready"), &recipe.ready)?;
    selector(&at("rows"), &recipe.rows)?;
    for (name, value) in [
        ("empty", &recipe.empty),
        ("login", &recipe.login),
        ("next", &recipe.next),
    ] {
        if let Some(value) = value {
            selector(&at(name), value)?;
        }
    }
    if recipe.fields.is_empty() || recipe.fields.len() > MAX_FIELDS {
        return Err(Error::argument(
            &at("fields"),
            format!("has {} fields, must have 1 to {MAX_FIELDS}", recipe.fields.len()),
        ));
    }
    for (index, field) in recipe.fields.iter().enumerate() {
        let at = |name: &str| format!("{path}.fields[{index}].{name}");
        identifier(&at("name"), &field.name)?;
        if recipe.fields[..index]
            .iter()
            .any(|earlier| earlier.name == field.name)
        {
            return Err(Error::argument(
                &at("name"),
                format!("\"{}\" is used twice", field.name),
            ));
        }
        if let Some(value) = &field.selector {
            selector(&at("selector"), value)?;
        }
        match (field.read, field.attribute) {
            (Read::Attribute, None) => {
                return Err(Error::argument(&at("attribute"), "is needed for read: attribute"));
            }
            (Read::Text | Read::TextContent, Some(_)) => {
                return Err(Error::argument(
                    &at("attribute"),
                    "goes only with read: attribute",
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_inputs(recipe: &Recipe, path: &str) -> Result<(), Error> {
    if recipe.inputs.len() > MAX_INPUTS {
        return Err(Error::argument(
            &format!("{path}.inputs"),
            format!("more than {MAX_INPUTS}"),
        ));
    }
    let template = placeholders(&recipe.url_template)
        .map_err(|problem| Error::argument(&format!("{path}.urlTemplate"), problem))?;
    for (index, input) in recipe.inputs.iter().enumerate() {
        let at = format!("{path}.inputs[{index}]");
        identifier(&at, input)?;
        if recipe.inputs[..index].contains(input) {
            return Err(Error::argument(&at, format!("\"{input}\" is declared twice")));
        }
        if !template.contains(&input.as_str()) {
            return Err(Error::argument(&at, format!("{{{input}}} is not in urlTemplate")));
        }
    }
    match template
        .iter()
        .find(|name| !recipe.inputs.iter().any(|input| input == *name))
    {
        Some(name) => Err(Error::argument(
            &format!("{path}.urlTemplate"),
            format!("{{{name}}} is not declared in inputs"),
        )),
        None => Ok(()),
    }
}

/// The names between braces, in order.
pub(crate) fn placeholders(template: &str) -> Result<Vec<&str>, String> {
    let mut names = Vec::new();
    let mut rest = template;
    while let Some(open) = rest.find(['{', '}']) {
        let after = &rest[open + 1..];
        if rest.as_bytes()[open] == b'}' {
            return Err("has a } without a {".to_owned());
        }
        let close = after.find(['{', '}']).filter(|at| after.as_bytes()[*at] == b'}');
        let close = close.ok_or_else(|| "has a { without a }".to_owned())?;
        names.push(&after[..close]);
        rest = &after[close + 1..];
    }
    Ok(names)
}

fn text(at: &str, value: &str, limit: usize) -> Result<(), Error> {
    if value.trim().is_empty() {
        return Err(Error::argument(at, "must not be blank"));
    }
    if value.len() > limit {
        return Err(Error::argument(
            at,
            format!("has {} bytes, may have {limit}", value.len()),
        ));
    }
    if value.chars().any(char::is_control) {
        return Err(Error::argument(at, "holds a control character"));
    }
    Ok(())
}

fn between(at: &str, value: u32, limit: u32) -> Result<(), Error> {
    if (1..=limit).contains(&value) {
        return Ok(());
    }
    Err(Error::argument(at, format!("is {value}, must be 1 to {limit}")))
}

fn identifier(at: &str, value: &str) -> Result<(), Error> {
    let mut characters = value.chars();
    let fits = characters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_');
    if fits && value.len() <= MAX_NAME {
        return Ok(());
    }
    Err(Error::argument(
        at,
        "must be a letter, then letters, digits or _, 64 at most",
    ))
}

/// Refuses what can be no CSS selector whatever the page: blank, too long, unbalanced. The browser has the last word.
///
/// # Errors
/// `invalid_argument`.
pub fn selector(at: &str, value: &str) -> Result<(), Error> {
    text(at, value, MAX_SELECTOR)?;
    let mut open = Vec::new();
    let mut quote = None;
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (_, '\\') => {
                if characters.next().is_none() {
                    return Err(Error::argument(at, "ends in a backslash"));
                }
            }
            (Some(end), _) if character == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '[') => open.push(']'),
            (None, '(') => open.push(')'),
            (None, ']' | ')') if open.pop() != Some(character) => {
                return Err(Error::argument(at, format!("has a {character} too many")));
            }
            (None, '{' | '}' | ';' | '@' | '<' | '!') => {
                return Err(Error::argument(at, format!("{character} belongs to no selector")));
            }
            (None, _) => {}
        }
    }
    if quote.is_some() || !open.is_empty() {
        return Err(Error::argument(at, "has an open quote or bracket"));
    }
    let bare = value.trim();
    if bare.starts_with([',', '>', '+', '~']) || bare.ends_with([',', '>', '+', '~']) {
        return Err(Error::argument(at, "starts or ends with a combinator"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
