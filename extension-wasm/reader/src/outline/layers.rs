//! What lies in front of the page: modal dialogs, open popovers, and whatever else covers most of the view.

use std::collections::HashMap;

use drawbridge_protocol::reader::flags;

use crate::page::{Element, Page};
use crate::semantics::{Semantics, key};

/// Points of the view, of nine, from which on something in front covers the page.
const MOST: usize = 5;
/// Texts behind a layer that show that it lies over something, and is not the page itself.
const BEHIND: usize = 3;

/// One layer in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) root: usize,
    /// Nothing behind it can be used, or hardly any of it can be seen.
    pub(super) covers: bool,
}

/// The layers of the main document, the front one first.
pub(super) fn find(semantics: &Semantics<'_, '_>) -> Vec<Layer> {
    let page = semantics.page();
    let Some(document) = page.documents.first() else {
        return Vec::new();
    };
    let hits: Vec<usize> = document.hits.iter().copied().flatten().collect();
    let mut layers = declared(semantics, document.root);
    layers.extend(by_hits(semantics, &hits, &layers));
    let share = |layer: &Layer| {
        hits.iter()
            .filter(|&&hit| page.is_within(hit, layer.root))
            .count()
    };
    let mut ordered: Vec<(usize, Layer)> = layers.into_iter().map(|layer| (share(&layer), layer)).collect();
    // Of those that show as much, the one that came later is in front.
    ordered.sort_by_key(|(share, layer)| (std::cmp::Reverse(*share), std::cmp::Reverse(layer.root)));
    ordered.into_iter().map(|(_, layer)| layer).collect()
}

/// What says that it lies in front.
fn declared(semantics: &Semantics<'_, '_>, root: usize) -> Vec<Layer> {
    let page = semantics.page();
    let mut layers: Vec<Layer> = Vec::new();
    let mut end = 0;
    for index in root..page.elements.get(root).map_or(0, |root| root.end) {
        let element = &page.elements[index];
        if index < end
            || element.document != 0
            || !element.is_visible()
            || element.width == 0
            || element.height == 0
        {
            continue;
        }
        let modal = semantics.is_modal(index);
        if modal || element.is(flags::TOP_LAYER) {
            layers.push(Layer {
                root: index,
                covers: modal,
            });
            end = element.end;
        }
    }
    layers
}

/// What most points of the view belong to, without saying so.
fn by_hits(semantics: &Semantics<'_, '_>, hits: &[usize], known: &[Layer]) -> Option<Layer> {
    let page = semantics.page();
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for &hit in hits {
        let outermost = std::iter::once(hit)
            .chain(page.around(hit))
            .filter(|&around| is_lifted(semantics, around))
            .last();
        if let Some(outermost) = outermost {
            *counts.entry(outermost).or_default() += 1;
        }
    }
    let (root, _) = counts.into_iter().find(|(_, count)| *count >= MOST)?;
    let apart = |layer: &Layer| !page.is_within(layer.root, root) && !page.is_within(root, layer.root);
    (known.iter().all(apart) && covers_something(page, root)).then_some(Layer { root, covers: true })
}

/// Whether an element is put in front of what is around it.
fn is_lifted(semantics: &Semantics<'_, '_>, index: usize) -> bool {
    let element = &semantics.page().elements[index];
    if element.document != 0 || matches!(element.tag.as_ref(), "html" | "body") {
        return false;
    }
    let above = semantics
        .get(index, key::LAYER)
        .and_then(|layer| layer.parse::<i32>().ok())
        .is_some_and(|layer| layer > 0);
    element.is(flags::PINNED) || (element.is(flags::POSITIONED) && above)
}

fn covers_something(page: &Page<'_>, root: usize) -> bool {
    let layer = &page.elements[root];
    // What is pinned is placed in the view, all else on the page; both are told from the page's corner.
    let is_behind = |element: &Element<'_>| {
        let (x, y) = (
            middle(element.x, element.width),
            middle(element.y, element.height),
        );
        let inside = |at: i64, from: i32, size: u32| {
            (i64::from(from)..i64::from(from) + i64::from(size)).contains(&at)
        };
        inside(x, layer.x, layer.width) && inside(y, layer.y, layer.height)
    };
    page.elements
        .iter()
        .enumerate()
        .filter(|(index, element)| {
            !page.is_within(*index, root) && element.document == 0 && element.is(flags::IN_VIEW)
        })
        .filter(|(_, element)| element.shows_text() && element.has_own_text() && is_behind(element))
        .nth(BEHIND - 1)
        .is_some()
}

fn middle(from: i32, size: u32) -> i64 {
    i64::from(from) + i64::from(size) / 2
}
