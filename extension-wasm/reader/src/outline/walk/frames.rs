//! Frames: what they show, where it comes from, and what could not be read.

use drawbridge_protocol::outline::{About, Kind, Note, OutlineNode};
use drawbridge_protocol::reader::Missing;

use super::super::kind::Treat;
use super::super::lines::At;
use super::super::{line, notes};
use super::{Open, Place, Walk};
use crate::semantics::key;

impl<'p> Walk<'_, 'p, '_> {
    /// A frame's element: a line, and its document below.
    pub(super) fn frame(&mut self, index: usize, place: Place) -> Option<Open<'p>> {
        let page = self.semantics.page();
        let element = &page.elements[index];
        let inner = page
            .children(index)
            .find(|&child| page.elements[child].document != element.document);
        let missing = self.boundaries.remove(&index).unwrap_or_default();
        let window = self.semantics.has(index, key::WINDOW);
        if inner.is_none() && missing.is_empty() {
            // An object shows a picture or nothing, and what it holds for those who cannot see it.
            if !window && matches!(element.tag.as_ref(), "object" | "embed") {
                return Some(self.open(index, Treat::Pass, place, place));
            }
            // What is as small as that shows nothing.
            if element.width <= 1 || element.height <= 1 {
                return None;
            }
        }
        let mut node = line::of(self.semantics, index);
        "frame".clone_into(&mut node.role);
        if node.name.is_empty() {
            let name = self
                .semantics
                .said(index, key::NAME)
                .map(crate::semantics::name::tidy);
            node.name = name.unwrap_or_default();
        }
        if let Some(inner) = inner {
            let from = &page.documents[page.elements[inner].document].header.url;
            let own = &page.documents[element.document].header.url;
            node.notes
                .extend(notes::usually_to(self.hosts.get(page.elements[inner].document)));
            node.notes.extend(from_elsewhere(from, own));
        }
        let line = self.push(index, true, node, place)?;
        for which in &missing {
            self.boundary(*which, Some(line));
        }
        if inner.is_none() && missing.is_empty() {
            self.lines.node_mut(line).notes.push(Note {
                about: About::Reason,
                text: "it shows no document that could be read".to_owned(),
            });
        }
        let hidden = place.hidden || !element.is_visible();
        let inside = Place {
            hidden,
            ..Place::top(Some(line))
        };
        Some(self.open(index, Treat::Frame, place, inside))
    }

    /// The root of a document whose frame was not found: it has a line all the same.
    pub(super) fn document(&mut self, index: usize, place: Place) -> Place {
        let page = self.semantics.page();
        let own = page.elements[index].document;
        let Some(parent) = page.parent(index) else {
            return place;
        };
        if page.elements[parent].document == own || line::is_frame(page, parent) {
            return place;
        }
        let node = OutlineNode {
            role: "frame".to_owned(),
            kind: Kind::Region,
            notes: from_elsewhere(&page.documents[own].header.url, "")
                .into_iter()
                .collect(),
            ..OutlineNode::default()
        };
        match self.push(index, true, node, Place::top(None)) {
            Some(line) => Place::top(Some(line)),
            None => place,
        }
    }

    /// Names the frames that could not be read and whose elements were not found, or cannot be seen.
    pub(super) fn loose_boundaries(&mut self, top: Option<At>) {
        if self.ask.within.is_some() {
            return;
        }
        let page = self.semantics.page();
        for (which, boundary) in page.boundaries.iter().enumerate() {
            if boundary.element.is_none() {
                self.boundary(which, top);
            }
        }
    }

    fn boundary(&mut self, which: usize, line: Option<At>) {
        let page = self.semantics.page();
        let boundary = &page.boundaries[which];
        let reason = match boundary.why {
            Missing::NotGranted => "no grant for this site",
            Missing::Unreadable => "the browser lets no extension into it",
            Missing::Silent => "it did not answer in time",
        };
        let node = OutlineNode {
            role: "boundary".to_owned(),
            name: crate::semantics::name::tidy(notes::host(&boundary.url).unwrap_or(&boundary.url)),
            notes: vec![Note {
                about: About::Reason,
                text: reason.to_owned(),
            }],
            ..OutlineNode::default()
        };
        self.lines.push(boundary.element.unwrap_or(0), line, false, node);
    }
}

/// Where a frame's document comes from, unless that is where its page comes from.
fn from_elsewhere(url: &str, own: &str) -> Option<Note> {
    let from = match notes::host(url) {
        Some(host) if notes::host(own).is_some_and(|own| own.eq_ignore_ascii_case(host)) => return None,
        Some(host) => host.to_owned(),
        None => url.split([':', ',']).next().unwrap_or_default().to_owned() + ":",
    };
    (!url.is_empty()).then(|| Note {
        about: About::From,
        text: crate::semantics::name::tidy(&from),
    })
}
