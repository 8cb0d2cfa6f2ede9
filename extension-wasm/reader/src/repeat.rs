//! Repetition: siblings of the same shape that say something different each, such as results, cards and rows.

mod fields;
mod measure;
mod names;
mod shape;

use std::collections::HashMap;

use crate::page::Page;
use crate::selectors::looks_generated;
use crate::selectors::matching::classes;

pub(crate) use fields::{Field, fields};
pub(crate) use measure::{Measure, is_aside};

/// Rows that make a repetition.
const FEWEST: usize = 3;
/// Groups that are looked at closely, those that say most first.
const CLOSELY: usize = 48;
/// Classes of an element that can tell its group.
const CLASSES: usize = 6;

/// Elements that repeat.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// What all of them are inside of.
    pub(crate) parent: usize,
    /// In document order, none inside another, all visible.
    pub(crate) rows: Vec<usize>,
    /// The higher the more it looks like what the page lists.
    pub(crate) score: f64,
    /// Elements inside that say something.
    units: usize,
}

/// What the members of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Likeness<'p> {
    /// The parent, or the parent's parent.
    around: usize,
    tag: &'p str,
    /// Nothing: the tag is enough.
    class: &'p str,
}

impl Group {
    /// Elements inside that say something: what it counts beside a table's cells.
    pub(crate) fn size(&self) -> usize {
        self.units
    }
}

/// The groups inside `root`, best first.
pub(crate) fn groups(page: &Page<'_>, root: usize, measure: &Measure) -> Vec<Group> {
    let mut candidates: Vec<(usize, Vec<usize>)> = alike(page, root, measure)
        .into_iter()
        .filter(|(_, rows)| rows.len() >= FEWEST)
        .map(|(likeness, rows)| (likeness.around, rows))
        .collect();
    let said = |rows: &[usize]| {
        rows.iter()
            .map(|&row| measure.characters(page, row))
            .sum::<usize>()
    };
    candidates
        .sort_by_cached_key(|(around, rows)| (std::cmp::Reverse(said(rows)), *around, rows.first().copied()));
    candidates.dedup_by(|one, other| one.1 == other.1);
    candidates.truncate(CLOSELY);
    let all = measure.characters(page, root);
    let mut groups: Vec<Group> = candidates
        .into_iter()
        .filter_map(|(parent, rows)| group(page, measure, parent, rows, all))
        .collect();
    groups.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.rows.cmp(&other.rows)));
    groups
}

/// The best group inside `root`.
pub(crate) fn best(page: &Page<'_>, root: usize) -> Option<Group> {
    groups(page, root, &Measure::new(page)).into_iter().next()
}

/// The children of `parent`, as far as they are alike.
pub(crate) fn best_of(page: &Page<'_>, parent: usize) -> Option<Group> {
    let measure = Measure::new(page);
    groups(page, parent, &measure)
        .into_iter()
        .find(|group| group.parent == parent)
}

fn alike<'p>(page: &'p Page<'_>, root: usize, measure: &Measure) -> Vec<(Likeness<'p>, Vec<usize>)> {
    let mut found: HashMap<Likeness<'p>, Vec<usize>> = HashMap::new();
    for index in root + 1..page.elements[root].end {
        let element = &page.elements[index];
        if !element.is_visible() || !shape::can_be_row(page, index) || measure.characters(page, index) == 0 {
            continue;
        }
        let (Some(parent), tag) = (element.parent, element.tag.as_ref()) else {
            continue;
        };
        let grandparent = page.parent(parent).filter(|around| *around >= root);
        let mut put = |around: usize, class: &'p str| {
            found
                .entry(Likeness { around, tag, class })
                .or_default()
                .push(index);
        };
        put(parent, "");
        for class in classes(element)
            .filter(|class| !looks_generated(class))
            .take(CLASSES)
        {
            put(parent, class);
            if let Some(around) = grandparent {
                put(around, class);
            }
        }
        if let Some(around) = grandparent.filter(|_| tag == "tr") {
            put(around, "");
        }
    }
    let mut found: Vec<(Likeness<'p>, Vec<usize>)> = found.into_iter().collect();
    found.sort_unstable();
    found
}

fn group(page: &Page<'_>, measure: &Measure, parent: usize, rows: Vec<usize>, all: usize) -> Option<Group> {
    // Members inside each other are levels of one thing and no rows.
    if rows.windows(2).any(|pair| page.elements[pair[0]].end > pair[1]) {
        return None;
    }
    let shape = shape::of(page, measure, &rows);
    let said: usize = rows.iter().map(|&row| measure.characters(page, row)).sum();
    let units: usize = rows.iter().map(|&row| measure.units(page, row)).sum();
    let links: usize = rows.iter().map(|&row| measure.linked(page, row)).sum();
    let count = rows.len() as f64;
    let (each, parts) = (said as f64 / count, units as f64 / count);
    if shape.likeness < 0.5 || shape.distinct < 0.34 || each < 2.0 {
        return None;
    }
    let mut score = (1.0 + count).ln() * (1.0 + each.min(600.0)).ln() * parts.clamp(1.0, 8.0).sqrt();
    score *= shape.likeness * shape.distinct;
    score *= 0.3 + said as f64 / all.max(1) as f64;
    if parts < 1.5 {
        // A menu is a list of links and nothing else; paragraphs repeat as well.
        score *= if links * 10 > said * 9 { 0.3 } else { 0.5 };
    }
    if !page
        .elements
        .get(*rows.first()?)
        .is_some_and(|row| shape::is_usual_row(row))
    {
        score *= 0.6;
    }
    if measure.is_aside(parent) {
        score *= 0.2;
    }
    Some(Group {
        parent,
        rows,
        score,
        units,
    })
}
