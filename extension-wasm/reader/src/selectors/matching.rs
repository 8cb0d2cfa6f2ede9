//! The few kinds of selector that are offered, written as CSS and counted over the collection as a browser would.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::ops::Range;

use drawbridge_protocol::reader::flags;

use crate::page::{Element, Page};

/// One condition on an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Simple<'c> {
    Tag(&'c str),
    Id(&'c str),
    Class(&'c str),
    Attribute(&'static str, &'c str),
    /// From 1.
    NthOfType(u32),
}

/// All conditions on one element, in the order they are written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Compound<'c>(pub(crate) Vec<Simple<'c>>);

/// Where an element has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Inside {
    /// Anywhere below.
    Below,
    /// A child.
    Child,
}

/// A compound, perhaps inside another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Path<'c> {
    pub(crate) around: Option<(Compound<'c>, Inside)>,
    pub(crate) last: Compound<'c>,
}

/// The elements as selectors of the document see them: without shadow trees.
#[derive(Debug)]
pub(crate) struct Tree<'c> {
    pub(crate) elements: &'c [Element<'c>],
    /// The scope; the first element that a path can be inside of.
    pub(crate) scope: usize,
    /// The next element around each that selectors see.
    parents: Vec<Option<usize>>,
    /// Elements inside the scope that a condition fits, in document order.
    index: HashMap<Simple<'c>, Vec<usize>>,
}

/// Attributes whose values are looked up.
pub(crate) const NAMED: &[&str] = &["data-testid", "itemprop", "name", "rel"];

impl<'c> Tree<'c> {
    pub(crate) fn new<'a: 'c>(page: &'c Page<'a>, scope: usize) -> Self {
        let elements: &'c [Element<'c>] = &page.elements;
        let document = elements[scope].document;
        let mut parents = vec![None; elements.len()];
        let mut index: HashMap<Simple<'c>, Vec<usize>> = HashMap::new();
        for place in scope..elements[scope].end {
            let element = &elements[place];
            // Parents come first, so the parent's own parent is known when it has to stand in for it.
            let parent = element
                .parent
                .and_then(|parent| match elements[parent].flags & flags::IN_SHADOW {
                    0 => Some(parent),
                    _ => parents[parent],
                });
            let parent = parent.filter(|_| place != scope);
            parents[place] = parent;
            if place == scope || element.document != document || element.is(flags::IN_SHADOW) {
                continue;
            }
            let mut fits = |simple| index.entry(simple).or_default().push(place);
            fits(Simple::Tag(&element.tag));
            element.get("id").into_iter().for_each(|id| fits(Simple::Id(id)));
            let mut classes: Vec<&str> = classes(element).collect();
            classes.sort_unstable();
            classes.dedup();
            classes.into_iter().for_each(|class| fits(Simple::Class(class)));
            for name in NAMED {
                element
                    .get(name)
                    .into_iter()
                    .for_each(|value| fits(Simple::Attribute(name, value)));
            }
        }
        Self {
            elements,
            scope,
            parents,
            index,
        }
    }

    /// The next element around `place` that selectors see.
    pub(crate) fn parent(&self, place: usize) -> Option<usize> {
        self.parents[place]
    }

    /// How many elements of the scope `path` matches, counting no further than `most`.
    pub(crate) fn count(&self, path: &Path<'c>, most: usize) -> usize {
        self.fewest(&path.last)
            .iter()
            .filter(|place| self.fits(path, **place))
            .take(most)
            .count()
    }

    /// What `path` matches inside the scope, in document order.
    pub(crate) fn matches<'s>(&'s self, path: &'s Path<'c>) -> impl Iterator<Item = usize> + 's {
        self.matches_in(path, 0..usize::MAX)
    }

    /// The same of a range of elements.
    pub(crate) fn matches_in<'s>(
        &'s self,
        path: &'s Path<'c>,
        range: Range<usize>,
    ) -> impl Iterator<Item = usize> + 's {
        let places = self.fewest(&path.last);
        let first = places.partition_point(|place| *place < range.start);
        let places = places[first..]
            .iter()
            .copied()
            .take_while(move |place| *place < range.end);
        places.filter(|place| self.fits(path, *place))
    }

    /// Candidates of a compound: those of its rarest condition.
    fn fewest<'s>(&'s self, compound: &Compound<'c>) -> &'s [usize] {
        let indexed = compound
            .0
            .iter()
            .filter(|simple| !matches!(simple, Simple::NthOfType(_)));
        indexed
            .map(|simple| self.index.get(simple).map_or(&[][..], Vec::as_slice))
            .min_by_key(|places| places.len())
            .unwrap_or_default()
    }

    pub(crate) fn fits(&self, path: &Path<'c>, place: usize) -> bool {
        let Some((around, inside)) = &path.around else {
            return self.is(&path.last, place);
        };
        let most = match inside {
            Inside::Below => usize::MAX,
            Inside::Child => 1,
        };
        let mut above = std::iter::successors(self.parents[place], |place| self.parents[*place]).take(most);
        self.is(&path.last, place) && above.any(|place| self.is(around, place))
    }

    pub(crate) fn is(&self, compound: &Compound<'c>, place: usize) -> bool {
        let element = &self.elements[place];
        compound.0.iter().all(|simple| match *simple {
            Simple::Tag(tag) => element.tag == tag,
            Simple::Id(id) => element.get("id") == Some(id),
            Simple::Class(class) => classes(element).any(|own| own == class),
            Simple::Attribute(name, value) => element.get(name) == Some(value),
            Simple::NthOfType(nth) => element.before.checked_add(1) == Some(nth),
        })
    }
}

/// The classes of an element, as HTML splits them.
pub(crate) fn classes<'e>(element: &'e Element<'_>) -> impl Iterator<Item = &'e str> {
    element.get("class").unwrap_or_default().split_ascii_whitespace()
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.around {
            Some((around, Inside::Child)) => write!(f, "{around} > {}", self.last),
            Some((around, Inside::Below)) => write!(f, "{around} {}", self.last),
            None => self.last.fmt(f),
        }
    }
}

impl fmt::Display for Compound<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|simple| simple.fmt(f))
    }
}

impl fmt::Display for Simple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Tag(tag) => identifier(f, tag),
            Self::Id(id) => {
                f.write_char('#')?;
                identifier(f, id)
            }
            Self::Class(class) => {
                f.write_char('.')?;
                identifier(f, class)
            }
            Self::Attribute(name, value) => {
                write!(f, "[{name}=\"")?;
                for character in value.chars() {
                    if matches!(character, '"' | '\\') {
                        f.write_char('\\')?;
                    }
                    f.write_char(character)?;
                }
                f.write_str("\"]")
            }
            Self::NthOfType(nth) => write!(f, ":nth-of-type({nth})"),
        }
    }
}

/// Serializes an identifier (CSSOM, section 2.1). Control characters never come here.
fn identifier(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    for (place, character) in name.chars().enumerate() {
        let leads = place == 0 || (place == 1 && name.starts_with('-'));
        match character {
            '0'..='9' if leads => write!(f, "\\{:x} ", character as u32)?,
            '-' if name.len() == 1 => f.write_str("\\-")?,
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '\u{80}'.. => f.write_char(character)?,
            _ => write!(f, "\\{character}")?,
        }
    }
    Ok(())
}
