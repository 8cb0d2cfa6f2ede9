//! The visible text of every element of a page at once, so that looking for one text costs one pass.

use crate::fold::{self, Needle, Seen};
use crate::page::Page;
use crate::text;
use crate::walk::{Step, Walk};

/// All visible text of a page, folded, and which part of it is inside which element.
#[derive(Debug)]
pub(crate) struct Said {
    text: String,
    /// Per element, first byte and the one behind the last; a space may come first.
    spans: Vec<(usize, usize)>,
}

/// Where a text was found: first bytes, ascending.
#[derive(Debug)]
pub(crate) struct Found {
    starts: Vec<usize>,
    length: usize,
}

impl Said {
    /// `caseless`: in one case.
    pub(crate) fn new(page: &Page<'_>, caseless: bool) -> Self {
        let mut said = Self {
            text: String::new(),
            spans: vec![(0, 0); page.elements.len()],
        };
        let mut gap = false;
        for step in Walk::new(page, 0) {
            match step {
                Step::Enter(index) => {
                    let element = &page.elements[index];
                    gap |= text::separates(element);
                    said.spans[index].0 = said.text.len();
                    if let Some(label) = text::button_label(element).filter(|_| element.shows_text()) {
                        said.write(label, caseless, &mut gap);
                    }
                }
                Step::Text(index, text) => {
                    if text::is_shown(&page.elements[index]) {
                        said.write(text, caseless, &mut gap);
                    }
                }
                Step::Leave(index) => {
                    said.spans[index].1 = said.text.len();
                    gap |= text::separates(&page.elements[index]);
                }
            }
        }
        said
    }

    /// The visible text inside an element.
    pub(crate) fn of(&self, index: usize) -> &str {
        let (start, end) = self.spans.get(index).copied().unwrap_or_default();
        self.text.get(start..end).unwrap_or_default().trim_matches(' ')
    }

    /// Whether a text can be seen anywhere.
    pub(crate) fn is_said(&self, needle: &str) -> bool {
        !needle.is_empty() && self.text.contains(needle)
    }

    /// Every place of a text.
    pub(crate) fn find(&self, needle: &str) -> Found {
        let mut starts = Vec::new();
        let mut from = 0;
        while let Some(at) = self
            .text
            .get(from..)
            .filter(|_| !needle.is_empty())
            .and_then(|rest| rest.find(needle))
        {
            starts.push(from + at);
            // Matches may overlap: one of them can be inside an element where the other is not.
            from += at + self.text[from + at..].chars().next().map_or(1, char::len_utf8);
        }
        Found {
            starts,
            length: needle.len(),
        }
    }

    /// Whether one of the places is inside an element.
    pub(crate) fn holds(&self, index: usize, found: &Found) -> bool {
        let (start, end) = self.spans.get(index).copied().unwrap_or_default();
        let first = found.starts.partition_point(|place| *place < start);
        found
            .starts
            .get(first)
            .is_some_and(|place| place + found.length <= end)
    }

    /// The innermost elements whose text is, or contains, what is looked for; in document order.
    pub(crate) fn innermost(&self, page: &Page<'_>, needle: &Needle) -> Vec<usize> {
        let found = self.find(needle.text());
        let fits = |index: usize| match needle.is_exact() {
            true => self.of(index) == needle.text(),
            false => self.holds(index, &found),
        };
        let mut taken = vec![false; page.elements.len()];
        let mut innermost = Vec::new();
        for index in (0..page.elements.len()).rev() {
            let inside = taken[index];
            let fits = !inside && !needle.text().is_empty() && fits(index);
            if fits {
                innermost.push(index);
            }
            if let Some(parent) = page.parent(index).filter(|_| inside || fits) {
                taken[parent] = true;
            }
        }
        innermost.reverse();
        innermost
    }

    fn write(&mut self, text: &str, caseless: bool, gap: &mut bool) {
        for character in text.chars() {
            match fold::seen(character) {
                Seen::Space => *gap = true,
                Seen::Nothing => {}
                Seen::Character => {
                    if std::mem::take(gap) && !self.text.is_empty() {
                        self.text.push(' ');
                    }
                    match caseless {
                        true => self.text.extend(fold::lower(character)),
                        false => self.text.push(character),
                    }
                }
            }
        }
    }
}
