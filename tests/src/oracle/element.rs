//! Which nodes of the browser's tree count as interactive, and how its words for roles and states read in ours.

use std::collections::BTreeSet;

use anyhow::Result;

use super::tree::Node;

/// A visible interactive element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// As the browser calls it; [`Element::accepts`] knows its other names.
    pub role: String,
    /// Accessible name, white space folded.
    pub name: String,
    /// Its `title`, white space folded. The browser takes no name from one that only repeats the text.
    pub title: String,
    /// States that hold, in the product's words.
    pub states: BTreeSet<&'static str>,
    /// The browser's value; of a secret field a row of dots.
    pub value: Option<String>,
    /// Tag name.
    pub tag: String,
    /// Backend node id in its process; never shown by the product.
    pub backend: i64,
}

/// States that both sides tell of.
pub const STATES: &[&str] = &[
    "checked",
    "mixed",
    "unchecked",
    "pressed",
    "selected",
    "expanded",
    "collapsed",
    "disabled",
    "readonly",
    "required",
    "invalid",
];

impl Element {
    /// Whether the product may call it by this role. HTML-AAM gives no role to some fields; the browser has words of its
    /// own for those.
    pub fn accepts(&self, role: &str) -> bool {
        let also: &[&str] = match self.role.as_str() {
            "Date" | "DateTime" | "InputTime" => &["textbox", "date", "time", "combobox"],
            "ColorWell" => &["button", "color", "textbox"],
            "DisclosureTriangle" | "DisclosureTriangleGrouped" => &["button", "summary"],
            "PopUpButton" | "ToggleButton" => &["button"],
            "splitter" => &["separator"],
            _ => &[],
        };
        self.role == role || also.contains(&role)
    }

    /// Whether the product's name for it is this one, white space folded; a long one may be cut with an ellipsis.
    pub fn is_called(&self, name: &str) -> bool {
        let name = folded(name);
        name == self.name
            || (self.name.is_empty() && !self.title.is_empty() && name == self.title)
            || name
                .strip_suffix('…')
                .is_some_and(|start| start.chars().count() >= 40 && self.name.starts_with(start.trim_end()))
    }
}

/// The interactive ones among a page's nodes that can be seen.
///
/// # Errors
/// When a node that counts has no element.
pub(super) fn of(nodes: Vec<Node>) -> Result<Vec<Element>> {
    let counts = |node: &Node| node.look.visible && !node.look.built_in && is_interactive(node);
    Ok(nodes
        .into_iter()
        .filter(counts)
        .filter_map(|node| {
            Some(Element {
                states: states(&node),
                name: folded(&node.name),
                title: folded(&node.look.title),
                role: node.role,
                value: node.value,
                tag: node.look.tag,
                backend: node.backend?,
            })
        })
        .collect())
}

/// White space as one space, none at the ends.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_interactive(node: &Node) -> bool {
    // A select tells of its own options.
    if matches!(node.look.tag.as_str(), "option" | "optgroup") {
        return false;
    }
    let focusable = node
        .properties
        .get("focusable")
        .is_some_and(|value| value == "true");
    match node.role.as_str() {
        // An anchor without an address is none.
        "link" => node.look.tag != "a" || focusable || node.properties.contains_key("url"),
        "button"
        | "PopUpButton"
        | "ToggleButton"
        | "DisclosureTriangle"
        | "DisclosureTriangleGrouped"
        | "checkbox"
        | "radio"
        | "switch"
        | "textbox"
        | "searchbox"
        | "combobox"
        | "listbox"
        | "option"
        | "slider"
        | "spinbutton"
        | "menuitem"
        | "menuitemcheckbox"
        | "menuitemradio"
        | "tab"
        | "treeitem"
        | "Date"
        | "DateTime"
        | "InputTime"
        | "ColorWell" => true,
        "separator" | "splitter" | "scrollbar" => focusable,
        _ => false,
    }
}

fn states(node: &Node) -> BTreeSet<&'static str> {
    let property = |name: &str| node.properties.get(name).map(String::as_str);
    let on = |name: &str| property(name).is_some_and(|value| value != "false" && !value.is_empty());
    let mut found = BTreeSet::new();
    match property("checked") {
        Some("true") => found.insert("checked"),
        Some("mixed") => found.insert("mixed"),
        Some(_) => found.insert("unchecked"),
        None => false,
    };
    match property("pressed") {
        Some("true") => found.insert("pressed"),
        Some("mixed") => found.insert("mixed"),
        Some(_) | None => false,
    };
    match property("expanded") {
        Some("true") => found.insert("expanded"),
        Some(_) => found.insert("collapsed"),
        None => false,
    };
    for (name, state) in [
        ("selected", "selected"),
        ("disabled", "disabled"),
        ("readonly", "readonly"),
        ("required", "required"),
        ("invalid", "invalid"),
    ] {
        if on(name) {
            found.insert(state);
        }
    }
    found
}
