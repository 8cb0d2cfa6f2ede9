//! The columns of a subtree: its elements in document order, the scope first.

use std::borrow::Cow;

use crate::columns::{Columns, Malformed, malformed};
use crate::visible;

/// A subtree as it was at one moment.
#[derive(Debug)]
pub(crate) struct Collection<'a> {
    /// How many elements the scope's selector matched; −1: it is none. Only 1 comes with elements.
    pub(crate) matched: i32,
    /// Elements in preorder of the flat tree.
    pub(crate) elements: Vec<Element<'a>>,
    /// Elements beyond the limit of the port.
    pub(crate) left_out: u32,
}

/// One element.
#[derive(Debug)]
pub(crate) struct Element<'a> {
    /// Index of its parent; `None`: it is the scope.
    pub(crate) parent: Option<usize>,
    pub(crate) flags: i32,
    /// CSS px.
    pub(crate) width: u32,
    /// CSS px.
    pub(crate) height: u32,
    /// Siblings before it with the same tag.
    pub(crate) before: u32,
    pub(crate) tag: Cow<'a, str>,
    /// Own text, [`GAP`] standing for each element child.
    pub(crate) own: Cow<'a, str>,
    /// Names and values, in the page's order.
    pub(crate) attributes: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

/// Stands for an element child in its parent's own text.
pub(crate) const GAP: char = '\u{1}';

impl Element<'_> {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.as_ref())
    }

    pub(crate) fn has_own_text(&self) -> bool {
        self.own
            .chars()
            .any(|character| character != GAP && !character.is_whitespace())
    }

    pub(crate) fn is_visible(&self) -> bool {
        visible::is_visible(self.flags)
    }
}

/// Reads a collection to its end.
pub(crate) fn parse(mut columns: Columns<'_>) -> Result<Collection<'_>, Malformed> {
    let (matched, described, left_out) = (columns.int()?, columns.count()?, columns.count()?);
    if matched < -1 || (matched == 1) != (described > 0) {
        return Err(malformed(format!("{described} elements of {matched} scopes")));
    }
    let mut elements: Vec<Element<'_>> = Vec::new();
    // The elements whose end was not seen yet, from the scope down: only these can be a parent in preorder.
    let mut open: Vec<usize> = Vec::new();
    for index in 0..described as usize {
        let element = element(&mut columns)?;
        while open.last().copied() != element.parent {
            if open.pop().is_none() {
                return Err(malformed(format!("element {index} is not inside its parent")));
            }
        }
        if element.parent.is_none() && index > 0 {
            return Err(malformed("a second scope"));
        }
        open.push(index);
        elements.push(element);
    }
    columns.finish()?;
    Ok(Collection {
        matched,
        elements,
        left_out,
    })
}

fn element<'a>(columns: &mut Columns<'a>) -> Result<Element<'a>, Malformed> {
    let parent = match columns.int()? {
        -1 => None,
        index => Some(usize::try_from(index).map_err(|_| malformed(format!("parent {index}")))?),
    };
    let (flags, width, height, before) = (
        columns.int()?,
        columns.count()?,
        columns.count()?,
        columns.count()?,
    );
    let count = columns.count()?;
    let (tag, own) = (columns.needed_text()?, columns.needed_text()?);
    let attributes = (0..count)
        .map(|_| Ok((columns.needed_text()?, columns.needed_text()?)))
        .collect::<Result<_, Malformed>>()?;
    Ok(Element {
        parent,
        flags,
        width,
        height,
        before,
        tag,
        own,
        attributes,
    })
}
