//! How alike the members of a group are.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use drawbridge_protocol::reader::flags;

use super::Measure;
use crate::page::{Element, Page};
use crate::selectors::looks_generated;
use crate::selectors::matching::classes;
use crate::text;

/// Members that are compared.
const MEMBERS: usize = 40;
/// Elements of one member that are compared: what lies deeper says nothing about its shape.
const PARTS: usize = 80;
/// Characters that tell one member from another.
const TOLD: usize = 200;

/// How alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// From 0 to 1: the part of its shape that a member shares with most others, on average.
    pub(super) likeness: f64,
    /// From 0 to 1: different texts among the members.
    pub(super) distinct: f64,
}

/// Compares members, evenly taken from all of them.
pub(super) fn of(page: &Page<'_>, measure: &Measure, rows: &[usize]) -> Shape {
    let step = rows.len().div_ceil(MEMBERS).max(1);
    let taken: Vec<usize> = rows.iter().copied().step_by(step).collect();
    let parts: Vec<HashSet<u64>> = taken.iter().map(|&row| parts(page, measure, row)).collect();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for part in parts.iter().flatten() {
        *counts.entry(*part).or_default() += 1;
    }
    let common: HashSet<u64> = counts
        .into_iter()
        .filter(|(_, count)| count * 2 > taken.len())
        .map(|(part, _)| part)
        .collect();
    let shared = |own: &HashSet<u64>| {
        let both = own.intersection(&common).count();
        both as f64 / (own.len() + common.len() - both).max(1) as f64
    };
    let texts: HashSet<String> = taken.iter().map(|&row| text::line(page, row, TOLD)).collect();
    let count = taken.len().max(1) as f64;
    Shape {
        likeness: parts.iter().map(shared).sum::<f64>() / count,
        distinct: texts.len() as f64 / count,
    }
}

/// Kinds of element in a member: tag, and the first class a person would have given.
fn parts(page: &Page<'_>, measure: &Measure, row: usize) -> HashSet<u64> {
    let end = page.elements[row].end.min(row + PARTS);
    (row..end)
        .filter(|&index| {
            index == row || measure.characters(page, index) > 0 || page.elements[index].is_html("img")
        })
        .map(|index| {
            let element = &page.elements[index];
            let mut hasher = DefaultHasher::new();
            element.tag.hash(&mut hasher);
            if index != row {
                classes(element)
                    .find(|class| !looks_generated(class))
                    .hash(&mut hasher);
            }
            hasher.finish()
        })
        .collect()
}

/// Whether an element of this kind can be a row at all.
pub(super) fn can_be_row(page: &Page<'_>, index: usize) -> bool {
    let element = &page.elements[index];
    // Names of columns are no row.
    let names = element.is_html("tr") && page.children(index).all(|cell| page.elements[cell].is_html("th"));
    !names
        && !element.is(flags::FOREIGN)
        && !matches!(
            element.tag.as_ref(),
            "html"
                | "body"
                | "head"
                | "main"
                | "option"
                | "td"
                | "th"
                | "thead"
                | "tbody"
                | "tfoot"
                | "b"
                | "i"
                | "em"
                | "strong"
                | "br"
                | "h1"
                | "h2"
                | "h3"
                | "h4"
                | "h5"
                | "h6"
                | "label"
                | "iframe"
                | "input"
                | "select"
        )
}

/// Whether rows are usually of this kind.
pub(super) fn is_usual_row(element: &Element<'_>) -> bool {
    let role = element.get("role").unwrap_or_default();
    matches!(
        element.tag.as_ref(),
        "li" | "tr" | "article" | "div" | "section" | "a" | "dd"
    ) || element.tag.contains('-')
        || matches!(role, "listitem" | "row" | "article")
}
