//! Which table is meant.

use super::cells;
use crate::page::Page;
use crate::repeat::{self, Group};

/// A table that is read.
#[derive(Debug)]
pub(super) enum Choice {
    /// With rows and cells.
    Grid { index: usize, kind: &'static str },
    /// Siblings of the same shape.
    List(Group),
}

/// The table or list that `target` is, has inside or is inside of; without target the largest of the page.
pub(super) fn choose(page: &Page<'_>, target: Option<usize>) -> Option<Choice> {
    let root = target.unwrap_or(page.documents.first()?.root);
    if let Some(target) = target
        && let Some(kind) = cells::kind(&page.elements[target])
    {
        return Some(Choice::Grid { index: target, kind });
    }
    let list = || match target {
        // The rows of a list are its children, whatever else it has.
        Some(target) => repeat::best_of(page, target).or_else(|| repeat::best(page, target)),
        None => repeat::best(page, root),
    };
    let (grid, lists) = (largest(page, root), list());
    let around = || {
        page.around(target?)
            .find_map(|index| Some((index, cells::kind(&page.elements[index])?)))
            .map(|(index, kind)| Choice::Grid { index, kind })
    };
    match (grid, lists) {
        (Some((index, kind, size)), Some(list)) if list.size() <= size => Some(Choice::Grid { index, kind }),
        (_, Some(list)) => Some(Choice::List(list)),
        (Some((index, kind, _)), None) => Some(Choice::Grid { index, kind }),
        (None, None) => around(),
    }
}

/// The table with most cells that say something; one for looks counts little.
fn largest(page: &Page<'_>, root: usize) -> Option<(usize, &'static str, usize)> {
    let mut best: Option<(usize, &'static str, usize)> = None;
    // Cells of the tables that are open, the innermost last.
    let mut open: Vec<(usize, usize, bool)> = Vec::new();
    let consider = |(index, cells, has_tables): (usize, usize, bool),
                    best: &mut Option<(usize, &'static str, usize)>| {
        let element = &page.elements[index];
        let Some(kind) = cells::kind(element).filter(|_| element.is_visible() && cells > 0) else {
            return;
        };
        let layout = cells::is_for_looks(element) || has_tables;
        let size = if layout { 1 } else { cells };
        if best.is_none_or(|(_, _, most)| size > most) {
            *best = Some((index, kind, size));
        }
    };
    for index in root..page.elements[root].end {
        while let Some(&top) = open
            .last()
            .filter(|(table, _, _)| index >= page.elements[*table].end)
        {
            open.pop();
            consider(top, &mut best);
        }
        let element = &page.elements[index];
        if cells::kind(element).is_some() {
            if let Some(around) = open.last_mut() {
                around.2 = true;
            }
            open.push((index, 0, false));
        } else if let Some(table) = open.last_mut()
            && cells::cell(element).is_some()
            && element.is_visible()
        {
            table.1 += 1;
        }
    }
    while let Some(top) = open.pop() {
        consider(top, &mut best);
    }
    best
}
