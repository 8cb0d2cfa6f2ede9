//! Entries for the author of a recipe: visible elements, each with a short selector and what it matches.

mod candidates;
mod generated;
mod matching;
mod role;
mod short;

use std::collections::BTreeMap;

use drawbridge_protocol::reader::flags;
use drawbridge_protocol::tools::inspect::SelectorEntry;

use crate::collection::{Collection, Element};
use crate::selectors::matching::Tree;
use crate::selectors::short::Namer;
use crate::text;

/// Attributes that make an element worth an entry, and that an entry shows.
const TELLING: &[&str] = &["href", "src", "aria-label", "title", "datetime"];
/// Characters of an entry's text.
const TEXT: usize = 120;
/// Characters of an attribute's value.
const VALUE: usize = 200;

/// The first `limit` entries of a collection in document order, and how many are left out.
///
/// Only elements that a selector of the document reaches: the content of shadow trees is no use to a recipe. Counts are
/// exact inside the scope, the scope itself being the outermost element a selector can name.
pub(crate) fn read(collection: &Collection<'_>, limit: u32) -> (Vec<SelectorEntry>, u32) {
    let elements = &collection.elements;
    let told: Vec<usize> = (1..elements.len())
        .filter(|&index| is_told(&elements[index]))
        .collect();
    let shown = told.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
    let tree = Tree::new(elements);
    let mut namer = Namer::new(&tree);
    let entries = told[..shown]
        .iter()
        .map(|&index| entry(elements, &mut namer, index))
        .collect();
    let omitted = u32::try_from(told.len() - shown).unwrap_or(u32::MAX);
    (entries, omitted.saturating_add(collection.left_out))
}

fn is_told(element: &Element<'_>) -> bool {
    element.flags & flags::IN_SHADOW == 0
        && element.is_visible()
        // A selector that names it would be longer than a recipe takes.
        && element.tag.len() <= candidates::SHORT
        && (element.has_own_text() || TELLING.iter().any(|name| element.attribute(name).is_some()))
}

fn entry(elements: &[Element<'_>], namer: &mut Namer<'_>, index: usize) -> SelectorEntry {
    let element = &elements[index];
    let (selector, matches) = namer.name(index);
    let attributes: BTreeMap<String, String> = TELLING
        .iter()
        .filter_map(|name| {
            let mut value = element.attribute(name)?.to_owned();
            text::shorten(&mut value, VALUE);
            Some(((*name).to_owned(), value))
        })
        .collect();
    SelectorEntry {
        selector,
        matches,
        tag: element.tag.to_lowercase(),
        role: role::of(element).map(str::to_owned),
        text: text::line(elements, index, TEXT),
        attributes,
    }
}

#[cfg(test)]
mod tests;
