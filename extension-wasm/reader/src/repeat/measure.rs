//! How much every part of a page says, in one pass.

use crate::fold::{self, Seen};
use crate::page::{Element, GAP, Page};
use crate::text;

/// Sums over the elements in document order, so that a part costs one subtraction.
#[derive(Debug)]
pub(crate) struct Measure {
    /// Visible characters before each element, white space not counted.
    characters: Vec<usize>,
    /// Of these, those inside links.
    linked: Vec<usize>,
    /// Elements with visible text of their own before each element.
    units: Vec<usize>,
    /// Whether it is beside the content, or inside of what is.
    aside: Vec<bool>,
}

impl Measure {
    /// Measures a page.
    pub(crate) fn new(page: &Page<'_>) -> Self {
        let length = page.elements.len() + 1;
        let mut measure = Self {
            characters: Vec::with_capacity(length),
            linked: Vec::with_capacity(length),
            units: Vec::with_capacity(length),
            aside: Vec::with_capacity(length),
        };
        let (mut characters, mut linked, mut units) = (0, 0, 0);
        let (mut link_end, mut aside_end) = (0, 0);
        for (index, element) in page.elements.iter().enumerate() {
            measure.push(characters, linked, units);
            if element.is_html("a") {
                link_end = link_end.max(element.end);
            }
            if is_aside(element) {
                aside_end = aside_end.max(element.end);
            }
            measure.aside.push(index < aside_end);
            let own = if text::is_shown(element) {
                count(&element.own)
            } else {
                0
            };
            characters += own;
            if index < link_end {
                linked += own;
            }
            units += usize::from(own > 0);
        }
        measure.push(characters, linked, units);
        measure
    }

    /// Visible characters inside an element.
    pub(crate) fn characters(&self, page: &Page<'_>, index: usize) -> usize {
        difference(&self.characters, page, index)
    }

    /// Those inside links.
    pub(crate) fn linked(&self, page: &Page<'_>, index: usize) -> usize {
        difference(&self.linked, page, index)
    }

    /// Elements with visible text of their own.
    pub(crate) fn units(&self, page: &Page<'_>, index: usize) -> usize {
        difference(&self.units, page, index)
    }

    /// Whether it is navigation, a footer or the like, or inside of it.
    pub(crate) fn is_aside(&self, index: usize) -> bool {
        self.aside.get(index).copied().unwrap_or(false)
    }

    fn push(&mut self, characters: usize, linked: usize, units: usize) {
        self.characters.push(characters);
        self.linked.push(linked);
        self.units.push(units);
    }
}

fn difference(sums: &[usize], page: &Page<'_>, index: usize) -> usize {
    let end = page.elements.get(index).map_or(index, |element| element.end);
    match (sums.get(index), sums.get(end)) {
        (Some(before), Some(after)) => after - before,
        _ => 0,
    }
}

fn count(text: &str) -> usize {
    text.chars()
        .filter(|character| *character != GAP && fold::seen(*character) == Seen::Character)
        .count()
}

/// Whether it is a landmark for what is beside the content.
pub(crate) fn is_aside(element: &Element<'_>) -> bool {
    let role = element
        .get("role")
        .and_then(|roles| roles.split_ascii_whitespace().next());
    match role {
        Some(role) => [
            "navigation",
            "complementary",
            "contentinfo",
            "banner",
            "menu",
            "menubar",
            "search",
        ]
        .iter()
        .any(|aside| role.eq_ignore_ascii_case(aside)),
        None => ["nav", "aside", "footer"].iter().any(|tag| element.is_html(tag)),
    }
}
