//! A page at one moment: the captures of a document and of the frames below it, spliced into one tree.

mod content;
mod parse;
pub(crate) mod splice;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use drawbridge_protocol::reader::{Missing, PageHeader, flags};

use crate::visible;

pub(crate) use parse::Key;
pub(crate) use splice::page;

/// Stands for an element child in its parent's own text.
pub(crate) const GAP: char = '\u{1}';

/// All that can be seen of a page at once.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    /// The documents, the main frame's first.
    pub(crate) documents: Vec<Document>,
    /// Elements in preorder of the flat tree; a frame's document follows its element, inside of it.
    pub(crate) elements: Vec<Element<'a>>,
    /// Per selector that was asked for: what it matches, in document order; `None`: the browser does not take it.
    pub(crate) selected: Vec<Option<Selected>>,
    /// Frames that could not be read.
    pub(crate) boundaries: Vec<Boundary>,
    /// Elements beyond the limit of the port, all documents together.
    pub(crate) left_out: u32,
    /// UTF-16 units of text that the port left out.
    pub(crate) cut: u32,
}

/// One document of a page.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) header: PageHeader,
    /// Number of its capture.
    pub(crate) capture: i32,
    /// The highest ref in it.
    pub(crate) highest: u32,
    /// Index of its root in [`Page::elements`].
    pub(crate) root: usize,
    /// The frame element it is shown in; `None`: it is the main document, or its element was not found.
    pub(crate) frame: Option<usize>,
    /// Size of its viewport and where it is scrolled to, CSS px.
    pub(crate) view: View,
    /// The frontmost element at points of the viewport, row by row.
    pub(crate) hits: Vec<Option<usize>>,
}

/// A window's viewport, CSS px.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct View {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) x: i32,
    pub(crate) y: i32,
}

/// What a selector matches.
#[derive(Debug, Default)]
pub(crate) struct Selected {
    /// In all.
    pub(crate) total: u32,
    /// Those that were captured.
    pub(crate) elements: Vec<usize>,
}

/// A frame that could not be read.
#[derive(Debug)]
pub(crate) struct Boundary {
    /// Its element, where it was found.
    pub(crate) element: Option<usize>,
    /// The document that has it.
    pub(crate) document: usize,
    pub(crate) url: String,
    pub(crate) why: Missing,
}

/// One element.
#[derive(Debug)]
pub(crate) struct Element<'a> {
    /// Index of its flat-tree parent; for the root of a frame's document, the frame's element.
    pub(crate) parent: Option<usize>,
    /// The first index behind everything inside of it.
    pub(crate) end: usize,
    /// Its document.
    pub(crate) document: usize,
    /// The host whose shadow tree it is part of; `None`: it is part of the document itself. Ids mean something only
    /// among elements with the same document and host.
    pub(crate) host: Option<usize>,
    /// Its index in its document's capture: what it is called towards the port.
    pub(crate) at: u32,
    /// Its ref; 0: none yet.
    pub(crate) reference: u32,
    pub(crate) flags: i32,
    /// CSS px, from the left of its own document's page.
    pub(crate) x: i32,
    /// CSS px, from the top of its own document's page.
    pub(crate) y: i32,
    /// CSS px.
    pub(crate) width: u32,
    /// CSS px.
    pub(crate) height: u32,
    /// Siblings before it with the same tag.
    pub(crate) before: u32,
    /// Local name.
    pub(crate) tag: Cow<'a, str>,
    /// Own text, [`GAP`] standing for each element child.
    pub(crate) own: Cow<'a, str>,
    /// Attributes and facts, in the page's order.
    pub(crate) keys: Vec<(Key, Cow<'a, str>)>,
}

impl Element<'_> {
    /// The value of an attribute or fact by its name in the protocol's table, `aria-label` or `:value`.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.keys
            .iter()
            .find(|(key, _)| key.name() == name)
            .map(|(_, value)| value.as_ref())
    }

    /// The value of an attribute or fact.
    pub(crate) fn key(&self, key: Key) -> Option<&str> {
        self.keys
            .iter()
            .find(|(own, _)| *own == key)
            .map(|(_, value)| value.as_ref())
    }

    /// Whether it has an attribute or fact.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Whether a flag is set.
    pub(crate) fn is(&self, flag: i32) -> bool {
        self.flags & flag != 0
    }

    /// An HTML element of this name.
    pub(crate) fn is_html(&self, tag: &str) -> bool {
        !self.is(flags::FOREIGN) && self.tag == tag
    }

    /// Whether it has text of its own that is not white space.
    pub(crate) fn has_own_text(&self) -> bool {
        self.own
            .chars()
            .any(|character| character != GAP && !character.is_whitespace())
    }

    /// Whether a person can see it.
    pub(crate) fn is_visible(&self) -> bool {
        visible::is_visible(self.flags)
    }

    /// Whether a person can read its own text.
    pub(crate) fn shows_text(&self) -> bool {
        self.is_visible() && !self.is(flags::BLENDS)
    }
}

impl Page<'_> {
    /// Children of an element, in order; of a frame, the root of its document.
    pub(crate) fn children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.elements.get(index).map_or(0, |element| element.end);
        let mut next = index + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.elements.get(child).map_or(end, |element| element.end);
                child
            })
        })
    }

    /// The elements around one, from its parent outwards.
    pub(crate) fn around(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent(index), |&index| self.parent(index))
    }

    /// The flat-tree parent.
    pub(crate) fn parent(&self, index: usize) -> Option<usize> {
        self.elements.get(index).and_then(|element| element.parent)
    }

    /// Whether `inner` is `outer` or inside of it.
    pub(crate) fn is_within(&self, inner: usize, outer: usize) -> bool {
        self.elements
            .get(outer)
            .is_some_and(|element| (outer..element.end).contains(&inner))
    }
}
