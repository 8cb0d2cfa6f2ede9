//! The shortest selector that says which element is meant.

use std::collections::HashMap;

use crate::selectors::candidates;
use crate::selectors::matching::{Compound, Inside, Path, Tree};

/// Ancestors that are tried as context.
const AROUND: usize = 12;

/// Finds selectors over one tree, and remembers what it counted.
#[derive(Debug)]
pub(crate) struct Namer<'c> {
    tree: &'c Tree<'c>,
    counts: HashMap<Path<'c>, usize>,
}

impl<'c> Namer<'c> {
    pub(crate) fn new(tree: &'c Tree<'c>) -> Self {
        Self {
            tree,
            counts: HashMap::new(),
        }
    }

    /// A selector of the element, and how many elements of the scope it matches.
    ///
    /// One that is unique by lasting names, with an ancestor's name where needed. Else the narrowest by names, since an
    /// author looks for what repeats. A place among siblings comes last.
    pub(crate) fn name(&mut self, place: usize) -> (String, u32) {
        let alone = |last| Path { around: None, last };
        let named: Vec<Path<'c>> = candidates::named(self.tree, place)
            .into_iter()
            .map(alone)
            .collect();
        let tag = alone(candidates::tag(self.tree, place));
        let around = self.around(place);
        let inside = |last: &Path<'c>| {
            let last = last.last.clone();
            around
                .iter()
                .map(move |around| Path {
                    around: Some(around.clone()),
                    last: last.clone(),
                })
                .collect::<Vec<_>>()
        };

        if let Some(path) = named.iter().chain([&tag]).find(|path| self.count(path) == 1) {
            return (path.to_string(), 1);
        }
        let narrowest = named.iter().min_by_key(|path| self.count(path)).cloned();
        if let Some(narrowest) = narrowest {
            let unique = inside(&narrowest).into_iter().find(|path| self.is_unique(path));
            let path = unique.unwrap_or(narrowest);
            return self.counted(&path);
        }
        let nth = alone(candidates::nth(self.tree, place));
        let by_place = inside(&tag).into_iter().chain(inside(&nth)).chain([nth]);
        let unique = by_place.into_iter().find(|path| self.is_unique(path));
        let path = unique.or_else(|| inside(&tag).into_iter().next()).unwrap_or(tag);
        self.counted(&path)
    }

    /// The named ancestors, the nearest first, each by its narrowest name.
    fn around(&mut self, place: usize) -> Vec<(Compound<'c>, Inside)> {
        let tree = self.tree;
        let up = |place: usize| tree.parent(place).filter(|parent| *parent != tree.scope);
        // The scope itself narrows nothing.
        let ancestors = std::iter::successors(up(place), |place| up(*place)).take(AROUND);
        let mut around = Vec::new();
        for (up, ancestor) in ancestors.enumerate() {
            let names = candidates::named(tree, ancestor).into_iter();
            let name = names.min_by_key(|name| {
                self.count(&Path {
                    around: None,
                    last: name.clone(),
                })
            });
            let inside = if up == 0 { Inside::Child } else { Inside::Below };
            around.extend(name.map(|name| (name, inside)));
        }
        around
    }

    fn counted(&mut self, path: &Path<'c>) -> (String, u32) {
        (
            path.to_string(),
            u32::try_from(self.count(path)).unwrap_or(u32::MAX),
        )
    }

    fn is_unique(&self, path: &Path<'c>) -> bool {
        self.tree.count(path, 2) == 1
    }

    fn count(&mut self, path: &Path<'c>) -> usize {
        if let Some(count) = self.counts.get(path) {
            return *count;
        }
        let count = self.tree.count(path, usize::MAX);
        self.counts.insert(path.clone(), count);
        count
    }
}
