//! Readable text: what a person sees of a subtree, one line per block.

mod lines;

use drawbridge_protocol::reader::flags;
use drawbridge_protocol::tools::inspect::TextOmitted;
use unicode_segmentation::GraphemeCursor;

use crate::collection::{Collection, Element, GAP};
use crate::text::lines::{Gap, Lines};
use crate::visible;

/// The visible text of a collection, at most `max_chars` characters of it, and what is missing.
///
/// `cut` is what the port itself left out.
pub(crate) fn read(collection: &Collection<'_>, cut: u32, max_chars: u32) -> (String, Option<TextOmitted>) {
    let mut walk = Walk::new(&collection.elements, 0, usize::MAX);
    walk.run();
    let (mut text, mut omitted) = (walk.lines.finish(), walk.omitted);
    let all = text.chars().count();
    shorten(&mut text, max_chars as usize);
    let gone = u32::try_from(all - text.chars().count()).unwrap_or(u32::MAX);
    omitted.characters = gone.saturating_add(cut);
    let complete = omitted == TextOmitted::default();
    (text, (!complete).then_some(omitted))
}

/// The visible text of one element on one line, at most `most` characters of it.
pub(crate) fn line(elements: &[Element<'_>], root: usize, most: usize) -> String {
    // A grapheme across the limit needs to be seen whole, or it would be taken for one that fits.
    let mut walk = Walk::new(elements, root, most.saturating_add(64));
    walk.run();
    let mut text = walk
        .lines
        .finish()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    shorten(&mut text, most);
    text.truncate(text.trim_end().len());
    text
}

/// Cuts to at most `most` characters, between two graphemes.
pub(crate) fn shorten(text: &mut String, most: usize) {
    let Some((limit, _)) = text.char_indices().nth(most) else {
        return;
    };
    let mut cursor = GraphemeCursor::new(limit, text.len(), true);
    let end = match cursor.is_boundary(text, 0) {
        Ok(true) => limit,
        // The whole text is at hand, so neither can ask for more context.
        Ok(false) | Err(_) => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
    };
    text.truncate(end);
}

/// One pass over a subtree in document order, without recursion: a page decides how deep it is.
struct Walk<'c, 'a> {
    elements: &'c [Element<'a>],
    next: usize,
    root: usize,
    /// Enough characters.
    most: usize,
    open: Vec<Open<'c>>,
    lines: Lines,
    omitted: TextOmitted,
}

/// An element whose end was not reached yet.
struct Open<'c> {
    index: usize,
    /// Its own text that comes after the child that is open.
    own: std::str::Split<'c, char>,
    seen: bool,
    /// Inside `pre`: line breaks are the author's.
    verbatim: bool,
    edge: Gap,
}

impl<'c, 'a> Walk<'c, 'a> {
    fn new(elements: &'c [Element<'a>], root: usize, most: usize) -> Self {
        let (lines, omitted) = (Lines::default(), TextOmitted::default());
        Self {
            elements,
            next: root,
            root,
            most,
            open: Vec::new(),
            lines,
            omitted,
        }
    }

    fn run(&mut self) {
        while self.lines.characters() < self.most {
            let Some(element) = self.elements.get(self.next) else {
                break;
            };
            while self.next > self.root && self.open.last().map(|open| open.index) != element.parent {
                if self.open.is_empty() {
                    return;
                }
                self.close();
            }
            self.start(element);
            self.next += 1;
        }
        while !self.open.is_empty() {
            self.close();
        }
    }

    fn start(&mut self, element: &'c Element<'a>) {
        let seen = element.is_visible();
        if !seen && element.has_own_text() {
            self.omitted.hidden += 1;
        }
        let tag = element.tag.as_ref();
        if seen && matches!(tag, "iframe" | "frame") && element.width > 1 && element.height > 1 {
            self.omitted.frames += 1;
        }
        let edge = edge(element, tag);
        self.lines.gap(edge);
        let verbatim = tag == "pre" || self.open.last().is_some_and(|around| around.verbatim);
        self.open.push(Open {
            index: self.next,
            own: element.own.split(GAP),
            seen,
            verbatim,
            edge,
        });
        self.own_text();
    }

    fn close(&mut self) {
        if let Some(mut open) = self.open.pop() {
            // More text than children: the port left children out.
            for rest in open.own.by_ref().filter(|_| open.seen) {
                self.lines.write(rest, open.verbatim);
            }
            self.lines.gap(open.edge);
            self.own_text();
        }
    }

    /// The innermost open element's text up to its next child.
    fn own_text(&mut self) {
        if let Some(open) = self.open.last_mut()
            && let Some(text) = open.own.next()
            && open.seen
        {
            self.lines.write(text, open.verbatim);
        }
    }
}

/// What separates an element from its neighbours.
fn edge(element: &Element<'_>, tag: &str) -> Gap {
    if !visible::is_rendered(element.flags) {
        return Gap::None;
    }
    match tag {
        "br" => Gap::Line,
        "td" | "th" if element.flags & flags::BLOCK != 0 => Gap::Cell,
        _ if element.flags & flags::BLOCK != 0 => Gap::Line,
        _ => Gap::None,
    }
}

#[cfg(test)]
mod tests;
