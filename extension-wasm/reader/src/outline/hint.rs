//! Hints for what has no name: the file a picture comes from, words of class names, what stands beside it.

use drawbridge_protocol::outline::{About, Kind, Note, OutlineNode};

use crate::page::{Element, GAP, Page};
use crate::semantics::name::{cut, tidy};
use crate::semantics::{Semantics, is_blank, key};

/// Characters of a hint.
const LENGTH: usize = 60;
/// Elements inside that are looked at.
const INSIDE: usize = 40;
/// Words of class names.
const WORDS: usize = 4;

/// Whether a line would say too little of what it is about.
pub(super) fn is_wanted(node: &OutlineNode, page: &Page<'_>, index: usize) -> bool {
    let element = &page.elements[index];
    let shown =
        node.kind == Kind::Control || matches!(node.role.as_str(), "img" | "canvas" | "video" | "audio");
    let named = node
        .name
        .chars()
        .any(|character| !is_private(character) && !character.is_whitespace());
    let field = matches!(element.tag.as_ref(), "input" | "textarea" | "select");
    shown && !named && (node.value.is_none() || !field)
}

/// Adds what is known of an element without a name.
pub(super) fn add(semantics: &Semantics<'_, '_>, index: usize, node: &mut OutlineNode) {
    let hint = picture(semantics, index)
        .or_else(|| words(semantics, index))
        .or_else(|| neighbour(semantics, index));
    if let Some(mut text) = hint {
        cut(&mut text, LENGTH);
        node.notes.push(Note {
            about: About::Hint,
            text,
        });
    }
}

/// Signs of icon fonts, which are nothing to read.
fn is_private(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

/// The name of the file of a picture in it, or where its link leads.
fn picture(semantics: &Semantics<'_, '_>, index: usize) -> Option<String> {
    let end = semantics.page().elements[index].end.min(index + INSIDE);
    (index..end)
        .filter_map(|inner| semantics.said(inner, key::SRC))
        .find_map(file)
        .or_else(|| {
            // An icon that is used from elsewhere is known by its name there.
            let uses = (index + 1..end).filter(|inner| semantics.page().elements[*inner].tag == "use");
            uses.filter_map(|inner| semantics.said(inner, key::HREF)?.rsplit_once('#'))
                .map(|(_, name)| name.to_owned())
                .next()
        })
}

/// The last part of an address.
fn file(address: &str) -> Option<String> {
    if address.starts_with("data:") || address.starts_with("blob:") {
        return None;
    }
    let path = address.split(['?', '#']).next()?;
    let file = path.trim_end_matches('/').rsplit('/').next()?;
    (!is_blank(file)).then(|| file.to_owned())
}

/// Names and words of classes of it and of what is in it, those that look as if somebody had written them.
fn words(semantics: &Semantics<'_, '_>, index: usize) -> Option<String> {
    let end = semantics.page().elements[index].end.min(index + INSIDE);
    let mut words: Vec<&str> = Vec::new();
    let named = [key::ID, key::NAME]
        .into_iter()
        .find_map(|key| semantics.said(index, key));
    words.extend(named.filter(|word| is_word(word)));
    for inner in index..end {
        for word in semantics
            .get(inner, key::CLASS)
            .unwrap_or_default()
            .split_ascii_whitespace()
        {
            if words.len() < WORDS && is_word(word) && !words.contains(&word) {
                words.push(word);
            }
        }
    }
    (!words.is_empty()).then(|| words.join(" "))
}

fn is_word(word: &str) -> bool {
    let letters = word.chars().filter(|character| character.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    (3..=40).contains(&word.len())
        && letters >= 3
        && digits * 3 <= letters
        && !word.starts_with(['_', ':', '['])
}

/// The text that stands before it, or begins what is around it.
fn neighbour(semantics: &Semantics<'_, '_>, index: usize) -> Option<String> {
    const AROUND: usize = 3;
    let page = semantics.page();
    let mut inner = index;
    for around in page.around(index).take(AROUND) {
        let before = before(page, around, inner);
        if let Some(text) = before.or_else(|| after(page, around, inner)) {
            return Some(format!("beside {text}"));
        }
        inner = around;
    }
    None
}

/// The last text inside of `around` before one of its children.
fn before(page: &Page<'_>, around: usize, child: usize) -> Option<String> {
    let siblings: Vec<usize> = page
        .children(around)
        .take_while(|&sibling| sibling < child)
        .take(INSIDE)
        .collect();
    let element = &page.elements[around];
    let own: Vec<&str> = if element.shows_text() {
        element.own.split(GAP).take(siblings.len() + 1).collect()
    } else {
        Vec::new()
    };
    let from = siblings.len().saturating_sub(INSIDE / 2);
    for place in (from..=siblings.len()).rev() {
        if let Some(text) = own
            .get(place)
            .map(|text| tidy(text))
            .filter(|text| !text.is_empty())
        {
            return Some(text);
        }
        let sibling = place.checked_sub(1).and_then(|place| siblings.get(place));
        if let Some(text) = sibling.and_then(|&sibling| texts(page, sibling).last()) {
            return Some(text);
        }
    }
    None
}

/// The first text inside of `around` behind one of its children.
fn after(page: &Page<'_>, around: usize, child: usize) -> Option<String> {
    let end = page.elements[around].end.min(child + INSIDE);
    let from = page.elements[child].end.min(end);
    let behind = (from..end).filter_map(|inner| text(&page.elements[inner])).next();
    behind.or_else(|| text(&page.elements[around]))
}

fn texts<'p>(page: &'p Page<'_>, index: usize) -> impl DoubleEndedIterator<Item = String> + 'p {
    let end = page.elements[index].end.min(index + INSIDE);
    (index..end).filter_map(|inner| text(&page.elements[inner]))
}

fn text(element: &Element<'_>) -> Option<String> {
    let shown = element.shows_text() && element.has_own_text();
    shown.then(|| tidy(&element.own.replace(GAP, " ")))
}
