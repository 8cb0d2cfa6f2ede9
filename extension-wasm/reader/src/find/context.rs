//! What an element is inside of, as far as that tells it from others.

use crate::locate::Locate;
use crate::text;

/// Characters of one part of the context.
const PART: usize = 80;
/// Parts of the context.
const MOST: usize = 6;
/// Elements around that are looked at.
const AROUND: usize = 200;

/// Roles that say where something is.
const PLACES: &[&str] = &[
    "banner",
    "complementary",
    "contentinfo",
    "form",
    "main",
    "navigation",
    "region",
    "search",
    "dialog",
    "alertdialog",
    "group",
    "radiogroup",
    "toolbar",
    "tabpanel",
    "menu",
    "table",
    "grid",
    "treegrid",
    "list",
    "article",
    "row",
    "listitem",
];

/// Named landmarks, dialogs, groups and rows around an element, outermost first: `dialog "Settings"`.
pub(crate) fn of(locate: &Locate<'_, '_, '_>, index: usize) -> Vec<String> {
    let (page, semantics) = (locate.page(), locate.semantics());
    let mut parts: Vec<String> = page
        .around(index)
        .take(AROUND)
        .filter_map(|around| {
            let role = semantics.role(around);
            if !PLACES.contains(&role) {
                return None;
            }
            let mut name = semantics.name(around).into_owned();
            let by_content = matches!(role, "row" | "listitem" | "article");
            if name.is_empty() && by_content {
                name = text::line(page, around, PART);
            }
            text::shorten(&mut name, PART);
            match (name.is_empty(), role) {
                (
                    true,
                    "group" | "list" | "table" | "grid" | "row" | "listitem" | "article" | "region" | "form",
                ) => None,
                (true, _) => Some(role.to_owned()),
                (false, _) => Some(format!("{role} {name:?}")),
            }
        })
        .take(MOST)
        .collect();
    parts.reverse();
    parts
}
