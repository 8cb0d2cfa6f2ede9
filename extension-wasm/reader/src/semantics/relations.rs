//! What points at what: ids, labels and their fields, owners and what they own. Ids mean something only inside the same
//! document and shadow tree.

use std::cell::OnceCell;
use std::collections::HashMap;

use drawbridge_protocol::reader::flags;

use super::key;
use crate::page::{Element, Page};

/// Steps upwards that looking for circles among owners may cost in all; beyond, `aria-owns` counts for nothing.
const STEPS: usize = 2_000_000;

/// Labels inside one another that can wait for the same field; more are nothing a page means.
const NESTED: usize = 64;

/// Who points at whom on one page.
#[derive(Debug)]
pub(super) struct Relations<'p> {
    ids: OnceCell<HashMap<(usize, usize, &'p str), usize>>,
    /// Fields of labels.
    fields: HashMap<usize, usize>,
    /// Labels of fields, in document order.
    labels: HashMap<usize, Vec<usize>>,
    owners: HashMap<usize, usize>,
    owned: HashMap<usize, Vec<usize>>,
}

impl<'p> Relations<'p> {
    pub(super) fn new(page: &'p Page<'_>) -> Self {
        let mut relations = Self {
            ids: OnceCell::new(),
            fields: HashMap::new(),
            labels: HashMap::new(),
            owners: HashMap::new(),
            owned: HashMap::new(),
        };
        relations.pair_labels(page);
        relations.pair_owners(page);
        relations
    }

    /// The first element with an id in the tree that `from` is part of.
    pub(super) fn by_id(&self, page: &'p Page<'_>, from: usize, id: &str) -> Option<usize> {
        let ids = self.ids.get_or_init(|| {
            let mut ids = HashMap::new();
            for (index, element) in page.elements.iter().enumerate() {
                if let Some(id) = element.key(key::ID).filter(|id| !id.is_empty()) {
                    let (document, host) = tree(element);
                    ids.entry((document, host, id)).or_insert(index);
                }
            }
            ids
        });
        let (document, host) = tree(page.elements.get(from)?);
        ids.get(&(document, host, id)).copied()
    }

    /// The elements that a list of ids names; what does not exist is passed over.
    pub(super) fn by_ids(&self, page: &'p Page<'_>, from: usize, ids: &str) -> Vec<usize> {
        ids.split_ascii_whitespace()
            .filter_map(|id| self.by_id(page, from, id))
            .collect()
    }

    /// The labels of a field.
    pub(super) fn labels(&self, field: usize) -> &[usize] {
        self.labels.get(&field).map_or(&[], Vec::as_slice)
    }

    /// The field of a label.
    pub(super) fn field(&self, label: usize) -> Option<usize> {
        self.fields.get(&label).copied()
    }

    /// What shows an element as its own, by `aria-owns`.
    pub(super) fn owner(&self, index: usize) -> Option<usize> {
        self.owners.get(&index).copied()
    }

    /// What an element owns, in its order.
    pub(super) fn owned(&self, owner: usize) -> &[usize] {
        self.owned.get(&owner).map_or(&[], Vec::as_slice)
    }

    /// One pass: a label without `for` gets the first field that begins inside of it.
    fn pair_labels(&mut self, page: &'p Page<'_>) {
        let mut waiting: Vec<usize> = Vec::new();
        for (index, element) in page.elements.iter().enumerate() {
            while waiting
                .last()
                .is_some_and(|&label| page.elements[label].end <= index)
            {
                waiting.pop();
            }
            if element.is_html("label") {
                match element.key(key::FOR) {
                    None if waiting.len() < NESTED => waiting.push(index),
                    None => {}
                    Some(id) => {
                        let field = self.by_id(page, index, id);
                        if let Some(field) = field.filter(|&field| is_labelable(&page.elements[field])) {
                            self.fields.insert(index, field);
                        }
                    }
                }
            } else if !waiting.is_empty() && is_labelable(element) {
                // Only labels of the same tree can have it; the others go on waiting.
                waiting.retain(|&label| {
                    let same = tree(&page.elements[label]) == tree(element);
                    if same {
                        self.fields.insert(label, index);
                    }
                    !same
                });
            }
        }
        let mut pairs: Vec<(usize, usize)> = self
            .fields
            .iter()
            .map(|(label, field)| (*label, *field))
            .collect();
        pairs.sort_unstable();
        for (label, field) in pairs {
            self.labels.entry(field).or_default().push(label);
        }
    }

    fn pair_owners(&mut self, page: &'p Page<'_>) {
        let mut steps = 0;
        for (owner, element) in page.elements.iter().enumerate() {
            let Some(ids) = element.key(key::ARIA_OWNS).filter(|_| can_own(element)) else {
                continue;
            };
            for owned in self.by_ids(page, owner, ids) {
                if self.owners.contains_key(&owned) || self.is_around(page, owned, owner, &mut steps) {
                    continue;
                }
                self.owners.insert(owned, owner);
                self.owned.entry(owner).or_default().push(owned);
            }
        }
    }

    /// Whether `outer` is `inner` or around it, by what is owned so far. Also true once that became too much to find out.
    fn is_around(&self, page: &Page<'_>, outer: usize, inner: usize, steps: &mut usize) -> bool {
        let mut next = Some(inner);
        while let Some(index) = next {
            *steps += 1;
            if index == outer || *steps > STEPS {
                return true;
            }
            next = self.owner(index).or_else(|| page.parent(index));
        }
        false
    }
}

/// What a label can be for.
pub(super) fn is_labelable(element: &Element<'_>) -> bool {
    if element.is(flags::FOREIGN) {
        return false;
    }
    match element.tag.as_ref() {
        "input" => !element
            .key(key::TYPE)
            .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")),
        "button" | "meter" | "output" | "progress" | "select" | "textarea" => true,
        _ => false,
    }
}

/// Whether anything can be shown inside of it.
fn can_own(element: &Element<'_>) -> bool {
    !matches!(
        element.tag.as_ref(),
        "audio"
            | "br"
            | "canvas"
            | "hr"
            | "iframe"
            | "img"
            | "input"
            | "meter"
            | "object"
            | "option"
            | "progress"
            | "select"
            | "textarea"
            | "video"
    )
}

/// The document and shadow tree of an element; 0: no shadow tree.
fn tree(element: &Element<'_>) -> (usize, usize) {
    (element.document, element.host.map_or(0, |host| host + 1))
}
