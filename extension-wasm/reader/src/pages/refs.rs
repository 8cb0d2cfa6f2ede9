//! Refs: an element keeps the one it has; a new one gets the next number of its tab.

use drawbridge_protocol::outline::Ref;
use drawbridge_protocol::page::PageFound;
use drawbridge_protocol::reader::{Minted, ReadReply};

use crate::page::Page;

/// Refs that one read gives.
#[derive(Debug)]
pub(crate) struct Refs {
    next: u32,
    /// By document.
    minted: Vec<Vec<(u32, u32)>>,
    /// By element: what it was given in this read.
    given: std::collections::HashMap<usize, u32>,
}

impl Refs {
    /// `next` is the first number that the tab never gave, as far as the daemon knows; the documents know better.
    pub(crate) fn new(page: &Page<'_>, next: u32) -> Self {
        let highest = page.documents.iter().map(|document| document.highest).max();
        Self {
            next: next.max(highest.unwrap_or(0).saturating_add(1)).max(1),
            minted: vec![Vec::new(); page.documents.len()],
            given: std::collections::HashMap::new(),
        }
    }

    /// The ref of an element.
    pub(crate) fn of(&mut self, page: &Page<'_>, index: usize) -> Ref {
        let element = &page.elements[index];
        if element.reference > 0 {
            return Ref::element(element.reference);
        }
        let number = *self.given.entry(index).or_insert_with(|| {
            let number = self.next;
            self.next = self.next.saturating_add(1);
            if let Some(minted) = self.minted.get_mut(element.document) {
                minted.push((element.at, number));
            }
            number
        });
        Ref::element(number)
    }

    /// The reply, with what has to be told to the documents first.
    pub(crate) fn reply(self, page: &Page<'_>, found: PageFound) -> ReadReply {
        let minted = self
            .minted
            .into_iter()
            .enumerate()
            .filter(|(_, numbers)| !numbers.is_empty())
            .map(|(part, numbers)| Minted {
                part: u32::try_from(part).unwrap_or(u32::MAX),
                capture: page.documents[part].capture,
                numbers,
            })
            .collect();
        ReadReply::Page {
            header: page.documents[0].header.clone(),
            found: Box::new(found),
            minted,
            next_ref: self.next,
        }
    }
}
