//! What words ask for: what it says, what it is, where it is, beside what, which of several.

use crate::words;

/// A description in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Query {
    /// What it says.
    pub(super) own: Vec<String>,
    /// What it may be; empty: anything.
    pub(super) roles: Vec<&'static str>,
    /// What it is inside of says.
    pub(super) around: Vec<String>,
    /// What is beside it says.
    pub(super) beside: Vec<String>,
    pub(super) which: Option<Which>,
}

/// One of several that fit alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// From 0.
    Nth(usize),
    /// The last one.
    Last,
}

/// What is said of what comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Own,
    Around,
    Beside,
}

const FIELDS: &[&str] = &["textbox", "searchbox", "combobox", "spinbutton"];

/// Words for kinds of elements.
const ROLES: &[(&[&str], &[&str])] = &[
    (&["button", "btn"], &["button", "switch", "menuitem", "link"]),
    (&["link"], &["link"]),
    (
        &["field", "input", "textbox", "textfield", "textarea", "box"],
        FIELDS,
    ),
    (
        &["checkbox", "tickbox"],
        &["checkbox", "switch", "menuitemcheckbox"],
    ),
    (&["radio"], &["radio", "menuitemradio"]),
    (
        &["dropdown", "select", "combobox", "selector"],
        &["combobox", "listbox"],
    ),
    (&["tab"], &["tab"]),
    (&["heading", "headline"], &["heading"]),
    (&["icon", "picture"], &["image", "img", "button", "link"]),
    (&["switch", "toggle"], &["switch", "checkbox", "button"]),
    (&["slider"], &["slider"]),
    (&["option"], &["option", "radio", "menuitem"]),
    (&["dialog", "popup", "modal"], &["dialog", "alertdialog"]),
    (&["table", "grid"], &["table", "grid", "treegrid"]),
    (&["menu"], &["menu", "menubar", "button"]),
];

/// Words for places, by the roles that are them.
const PLACES: &[(&str, &str)] = &[
    ("header", "banner"),
    ("banner", "banner"),
    ("footer", "contentinfo"),
    ("navigation", "navigation"),
    ("nav", "navigation"),
    ("menu", "navigation"),
    ("sidebar", "complementary"),
    ("dialog", "dialog"),
    ("popup", "dialog"),
    ("modal", "dialog"),
    ("main", "main"),
    ("form", "form"),
];

/// Words that say nothing by themselves.
const EMPTY: &[&str] = &[
    "the", "a", "an", "one", "that", "this", "which", "for", "to", "with", "and", "on", "at", "is", "please",
    "element", "called", "named", "labeled", "labelled", "row", "item", "card", "section", "area",
];

const ORDINALS: &[&str] = &[
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
];

/// Understands a description.
pub(super) fn parse(text: &str) -> Query {
    let mut query = Query::default();
    let mut part = Part::Own;
    let words = words::of(text);
    let mut rest = words.iter().map(String::as_str).peekable();
    while let Some(word) = rest.next() {
        match word {
            "in" | "inside" | "within" | "of" | "under" | "below" => {
                // "the row of Alice" stays in the row.
                part = if part == Part::Beside && word == "of" {
                    Part::Beside
                } else {
                    Part::Around
                };
            }
            "near" | "beside" | "by" | "besides" => part = Part::Beside,
            // `next to`; another "next" is what it says.
            "next" if rest.peek() == Some(&"to") => part = Part::Beside,
            "last" if part != Part::Beside => query.which = Some(Which::Last),
            _ => {
                if let Some(nth) = ordinal(word) {
                    query.which = Some(Which::Nth(nth));
                } else if !EMPTY.contains(&word) {
                    add(&mut query, part, word);
                }
            }
        }
    }
    if query.own.is_empty() && query.roles.is_empty() {
        // Nothing but a place: then that is what is looked for.
        query.own = std::mem::take(&mut query.around);
    }
    query
}

/// The role of a place that has a word of its own.
pub(super) fn place(word: &str) -> Option<&'static str> {
    PLACES
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, role)| *role)
}

fn add(query: &mut Query, part: Part, word: &str) {
    let words = match part {
        Part::Own => {
            // What it says goes on after what it is: "search field" names the field.
            if let Some((_, roles)) = ROLES.iter().find(|(names, _)| names.contains(&word)) {
                query.roles.extend_from_slice(roles);
                return;
            }
            &mut query.own
        }
        Part::Around => &mut query.around,
        Part::Beside => &mut query.beside,
    };
    if !words.iter().any(|own| own == word) {
        words.push(word.to_owned());
    }
}

fn ordinal(word: &str) -> Option<usize> {
    if let Some(nth) = ORDINALS.iter().position(|ordinal| *ordinal == word) {
        return Some(nth);
    }
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))?;
    digits.parse::<usize>().ok()?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn words_are_taken_apart() {
        let query = parse("the blue buy button next to the small one");
        assert_eq!(query.own, words(&["blue", "buy"]));
        assert!(query.roles.contains(&"button"));
        assert_eq!(query.beside, words(&["small"]));
        let query = parse("delete in the row of Alice");
        assert_eq!((query.own, query.around), (words(&["delete"]), words(&["alice"])));
        let query = parse("last link in the footer");
        assert_eq!((query.roles, query.around), (vec!["link"], words(&["footer"])));
        assert_eq!(query.which, Some(Which::Last));
        assert_eq!(parse("2nd checkbox").which, Some(Which::Nth(1)));
        assert_eq!(parse("second").which, Some(Which::Nth(1)));
        assert_eq!(parse("next page").own, words(&["next", "page"]));
        assert_eq!(parse("in the sidebar").own, words(&["sidebar"]));
        assert_eq!(parse(""), Query::default());
    }
}
