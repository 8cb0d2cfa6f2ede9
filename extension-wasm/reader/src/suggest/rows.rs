//! A selector for rows.

use drawbridge_protocol::recipe::MAX_SELECTOR;

use crate::page::Page;
use crate::selectors::candidates;
use crate::selectors::matching::{Compound, Inside, Path, Tree};

/// Ancestors that are tried as context.
const AROUND: usize = 10;
/// Rows whose names are tried.
const TRIED: usize = 4;

/// Rows as a recipe finds them.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) selector: String,
    /// All it matches that can be seen, in document order.
    pub(super) elements: Vec<usize>,
}

/// A path, perhaps inside something further out.
#[derive(Clone, Debug)]
struct Long<'t> {
    outer: Option<(Compound<'t>, Inside)>,
    path: Path<'t>,
}

/// The shortest lasting selector whose visible matches are these rows, or nearly so; none if no selector is.
pub(super) fn name(page: &Page<'_>, tree: &Tree<'_>, rows: &[usize]) -> Option<Rows> {
    let mut best: Option<(usize, Rows)> = None;
    for long in longs(tree, rows) {
        let selector = long.to_string();
        if selector.len() > MAX_SELECTOR {
            continue;
        }
        let elements: Vec<usize> = matches(tree, &long)
            .filter(|&index| page.elements[index].is_visible())
            .collect();
        let both = elements
            .iter()
            .filter(|index| rows.binary_search(index).is_ok())
            .count();
        let either = elements.len() + rows.len() - both;
        let nested = elements
            .windows(2)
            .any(|pair| page.elements[pair[0]].end > pair[1]);
        // Four of five: a row of advertisements among the others is one of them to a selector.
        if nested || both * 5 < either * 4 {
            continue;
        }
        let apart = either - both;
        if best.as_ref().is_none_or(|(least, _)| apart < *least) {
            best = Some((apart, Rows { selector, elements }));
        }
        if apart == 0 {
            break;
        }
    }
    best.map(|(_, rows)| rows)
}

/// Candidates, the better first.
fn longs<'t>(tree: &Tree<'t>, rows: &[usize]) -> Vec<Long<'t>> {
    let Some(&first) = rows.first() else {
        return Vec::new();
    };
    let step = rows.len().div_ceil(TRIED).max(1);
    let mut own: Vec<Compound<'t>> = Vec::new();
    for compound in rows
        .iter()
        .step_by(step)
        .flat_map(|&row| candidates::named(tree, row))
    {
        if !own.contains(&compound) {
            own.push(compound);
        }
    }
    let tag = candidates::tag(tree, first);
    let mut longs: Vec<Long<'t>> = Vec::new();
    let path = |around: Option<(Compound<'t>, Inside)>, last: &Compound<'t>| Long {
        outer: None,
        path: Path {
            around,
            last: last.clone(),
        },
    };
    longs.extend(own.iter().map(|last| path(None, last)));
    let around: Vec<usize> = std::iter::successors(tree.parent(first), |&up| tree.parent(up))
        .filter(|up| *up != tree.scope)
        .take(AROUND)
        .collect();
    for (up, &ancestor) in around.iter().enumerate() {
        let inside = if up == 0 { Inside::Child } else { Inside::Below };
        for name in candidates::named(tree, ancestor) {
            longs.extend(
                own.iter()
                    .chain([&tag])
                    .map(|last| path(Some((name.clone(), inside)), last)),
            );
        }
    }
    longs.push(path(None, &tag));
    // Without a name of its own the parent is told by its tag, or its place, inside what has one.
    if let Some(&parent) = around.first() {
        let parents = [candidates::tag(tree, parent), candidates::nth(tree, parent)];
        for (parent, last) in parents
            .iter()
            .flat_map(|parent| own.iter().chain([&tag]).map(move |last| (parent, last)))
        {
            let short = path(Some((parent.clone(), Inside::Child)), last);
            longs.push(short.clone());
            for (up, &ancestor) in around.iter().enumerate().skip(1) {
                let inside = if up == 1 { Inside::Child } else { Inside::Below };
                let mut names = candidates::named(tree, ancestor);
                if up == 1 {
                    names.push(candidates::nth(tree, ancestor));
                }
                longs.extend(names.into_iter().map(|name| Long {
                    outer: Some((name, inside)),
                    ..short.clone()
                }));
            }
        }
    }
    longs
}

fn matches<'s, 't>(tree: &'s Tree<'t>, long: &'s Long<'t>) -> impl Iterator<Item = usize> + 's {
    tree.matches(&long.path).filter(move |&index| {
        let Some((outer, inside)) = &long.outer else {
            return true;
        };
        // The path's own context is the parent, so what is further out starts behind it.
        let most = match inside {
            Inside::Child => 1,
            Inside::Below => usize::MAX,
        };
        let parent = tree.parent(index).and_then(|parent| tree.parent(parent));
        std::iter::successors(parent, |&up| tree.parent(up))
            .take(most)
            .any(|up| tree.is(outer, up))
    })
}

impl std::fmt::Display for Long<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.outer {
            Some((outer, Inside::Child)) => write!(f, "{outer} > {}", self.path),
            Some((outer, Inside::Below)) => write!(f, "{outer} {}", self.path),
            None => self.path.fmt(f),
        }
    }
}
