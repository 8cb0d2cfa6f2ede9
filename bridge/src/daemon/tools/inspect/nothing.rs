//! What to try where nothing matches.

use drawbridge_protocol::page::{By, Locator, Wanted};

/// Roles that elements are found by.
const ROLES: &[&str] = &[
    "alert",
    "alertdialog",
    "application",
    "article",
    "banner",
    "blockquote",
    "button",
    "caption",
    "cell",
    "checkbox",
    "code",
    "columnheader",
    "combobox",
    "comment",
    "complementary",
    "contentinfo",
    "definition",
    "deletion",
    "dialog",
    "document",
    "emphasis",
    "feed",
    "figure",
    "form",
    "generic",
    "graphics-document",
    "graphics-object",
    "graphics-symbol",
    "grid",
    "gridcell",
    "group",
    "heading",
    "image",
    "img",
    "insertion",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "mark",
    "marquee",
    "math",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "none",
    "note",
    "option",
    "paragraph",
    "presentation",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "searchbox",
    "sectionfooter",
    "sectionheader",
    "separator",
    "slider",
    "spinbutton",
    "status",
    "strong",
    "subscript",
    "suggestion",
    "superscript",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "term",
    "textbox",
    "time",
    "timer",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
];

/// What people call things, and the roles of these.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("a", "link"),
    ("anchor", "link"),
    ("aside", "complementary"),
    ("dropdown", "combobox"),
    ("field", "textbox"),
    ("footer", "contentinfo"),
    ("header", "banner"),
    ("input", "textbox"),
    ("li", "listitem"),
    ("modal", "dialog"),
    ("nav", "navigation"),
    ("picture", "img"),
    ("popup", "dialog"),
    ("section", "region"),
    ("select", "combobox"),
    ("td", "cell"),
    ("textarea", "textbox"),
    ("textfield", "textbox"),
    ("th", "columnheader"),
    ("title", "heading"),
    ("tr", "row"),
    ("ul", "list"),
];

/// Single steps that a misspelt name is away from a role.
const CLOSE: usize = 2;
/// Roles that are named.
const NAMED: usize = 3;

/// The next step after `what` matched nothing.
pub(super) fn hint(what: &Wanted) -> String {
    match what {
        Wanted::Words(_) => "use words that the page shows; observe shows what is there".to_owned(),
        Wanted::Locator(locator) => other_than(locator),
    }
}

/// The same where one element was needed. Which of several locators matched nothing is not known.
pub(super) fn instead(locator: &Locator) -> String {
    match &locator.scope {
        None => other_than(locator),
        Some(_) => "observe, or find without do, tells what is there".to_owned(),
    }
}

fn other_than(locator: &Locator) -> String {
    match &locator.by {
        By::Role { role, .. } if !ROLES.contains(&role.as_str()) => {
            let near = nearest(role);
            if near.is_empty() {
                "observe shows which roles are there".to_owned()
            } else {
                format!("roles with a name like it: {}", near.join(", "))
            }
        }
        By::Role { name: Some(_), .. } => "leave out name to see all of that role".to_owned(),
        By::Selector(_) => {
            "a selector is tried in one document and does not reach across shadow roots: use role, label \
                            or text there, or target.frame for a frame"
                .to_owned()
        }
        By::Role { name: None, .. }
        | By::Ref(_)
        | By::Label(_)
        | By::Placeholder(_)
        | By::Text(_)
        | By::TestId(_) => "observe shows what is there".to_owned(),
    }
}

fn nearest(role: &str) -> Vec<&'static str> {
    if let Some((_, known)) = OTHER_NAMES.iter().find(|(name, _)| *name == role) {
        return vec![known];
    }
    let mut near: Vec<_> = ROLES
        .iter()
        .map(|known| (steps(role, known), *known))
        .filter(|(steps, known)| *steps <= CLOSE && *steps * 2 < known.len())
        .collect();
    near.sort_unstable();
    near.into_iter().take(NAMED).map(|(_, known)| known).collect()
}

/// Letters to add, take away or replace. <https://en.wikipedia.org/wiki/Levenshtein_distance>
fn steps(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.bytes().enumerate().take(64) {
        let mut before = row[0];
        row[0] = index + 1;
        for (at, against) in other.bytes().enumerate() {
            let replaced = before + usize::from(letter != against);
            before = row[at + 1];
            row[at + 1] = replaced.min(before + 1).min(row[at] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(role: &str, name: Option<&str>) -> Wanted {
        Wanted::Locator(Locator::new(By::Role {
            role: role.to_owned(),
            name: name.map(str::to_owned),
        }))
    }

    #[test]
    fn a_role_that_does_not_exist_is_told_the_nearest() {
        for (wrong, right) in [
            ("buton", "button"),
            ("chekbox", "checkbox"),
            ("dropdown", "combobox"),
            ("input", "textbox"),
            ("tablst", "tablist"),
        ] {
            let hint = hint(&role(wrong, None));
            assert!(hint.contains(right), "{wrong}: {hint}");
        }
        assert_eq!(
            hint(&role("frobnicator", None)),
            "observe shows which roles are there"
        );
        assert_eq!(
            hint(&role("button", Some("Save"))),
            "leave out name to see all of that role"
        );
    }

    #[test]
    fn a_selector_is_told_where_it_does_not_look() {
        let selector = Wanted::Locator(Locator::new(By::Selector("#save".into())));
        assert!(hint(&selector).contains("shadow roots"));
    }
}
