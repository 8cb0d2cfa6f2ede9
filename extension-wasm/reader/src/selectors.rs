//! Entries for the author of a recipe: visible elements, each with a short selector and what it matches.

pub(crate) mod candidates;
mod generated;
pub(crate) mod matching;
mod short;

use std::collections::BTreeMap;

use drawbridge_protocol::page::PageFound;
use drawbridge_protocol::reader::flags;
use drawbridge_protocol::tools::inspect::SelectorEntry;
use drawbridge_protocol::{Code, Error};

use crate::page::Element;
use crate::selectors::matching::Tree;
use crate::selectors::short::Namer;
use crate::semantics::Semantics;
use crate::text;

pub(crate) use generated::looks_generated;

/// Attributes that make an element worth an entry, and that an entry shows.
const TELLING: &[&str] = &["href", "src", "aria-label", "title", "datetime"];
/// Characters of an entry's text.
const TEXT: usize = 120;
/// Characters of an attribute's value.
const VALUE: usize = 200;

/// Answers a read of selectors; `scope` was the first selector that the port ran.
///
/// # Errors
/// `invalid_argument` for what is no selector, `source_changed` unless it matches one element of the top document.
pub(crate) fn answer(semantics: &Semantics<'_, '_>, scope: &str, limit: u32) -> Result<PageFound, Error> {
    let page = semantics.page();
    let matches = page
        .selected
        .first()
        .ok_or_else(|| Error::internal("a scope that was not run"))?
        .as_ref()
        .ok_or_else(|| Error::argument("scope", format!("{scope:?} is no selector the browser takes")))?;
    // A recipe reads the top document, by selectors that reach into no shadow tree.
    let reached: Vec<usize> = matches
        .elements
        .iter()
        .copied()
        .filter(|&index| page.elements[index].document == 0 && !page.elements[index].is(flags::IN_SHADOW))
        .collect();
    let &[root] = reached.as_slice() else {
        let problem = format!(
            "scope: {scope} matches {} elements, must match one",
            reached.len()
        );
        return Err(Error::new(Code::SourceChanged, problem));
    };
    let (entries, omitted) = read(semantics, root, limit);
    Ok(PageFound::Selectors { entries, omitted })
}

/// The first `limit` entries inside `scope` in document order, and how many are left out.
///
/// Only elements that a selector of the document reaches: the content of shadow trees is no use to a recipe. Counts are
/// exact inside the scope, the scope itself being the outermost element a selector can name.
pub(crate) fn read(semantics: &Semantics<'_, '_>, scope: usize, limit: u32) -> (Vec<SelectorEntry>, u32) {
    let page = semantics.page();
    let document = page.elements[scope].document;
    let told: Vec<usize> = (scope + 1..page.elements[scope].end)
        .filter(|&index| page.elements[index].document == document && is_told(&page.elements[index]))
        .collect();
    let shown = told.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
    let tree = Tree::new(page, scope);
    let mut namer = Namer::new(&tree);
    let entries = told[..shown]
        .iter()
        .map(|&index| entry(semantics, &mut namer, index))
        .collect();
    let omitted = u32::try_from(told.len() - shown).unwrap_or(u32::MAX);
    (entries, omitted.saturating_add(page.left_out))
}

fn is_told(element: &Element<'_>) -> bool {
    element.flags & flags::IN_SHADOW == 0
        && element.is_visible()
        // A selector that names it would be longer than a recipe takes.
        && element.tag.len() <= candidates::SHORT
        && (element.has_own_text() || TELLING.iter().any(|name| element.has(name)))
}

fn entry(semantics: &Semantics<'_, '_>, namer: &mut Namer<'_>, index: usize) -> SelectorEntry {
    let page = semantics.page();
    let element = &page.elements[index];
    let (selector, matches) = namer.name(index);
    let attributes: BTreeMap<String, String> = TELLING
        .iter()
        .filter_map(|name| {
            let mut value = element.get(name)?.to_owned();
            text::shorten(&mut value, VALUE);
            Some(((*name).to_owned(), value))
        })
        .collect();
    SelectorEntry {
        selector,
        matches,
        tag: element.tag.to_lowercase(),
        role: role(semantics, index),
        text: text::line(page, index, TEXT),
        attributes,
    }
}

/// The ARIA role of an element that has one of its own.
fn role(semantics: &Semantics<'_, '_>, index: usize) -> Option<String> {
    (!semantics.role_of(index).is_transparent()).then(|| semantics.role_of(index).name().to_owned())
}

#[cfg(test)]
mod tests;
