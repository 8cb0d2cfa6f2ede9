//! Frames that were not read: how many there are, and what is told of something inside of one.

use drawbridge_protocol::reader::Missing;
use drawbridge_protocol::{Code, Error};

use crate::outline::{line, notes};
use crate::page::{Boundary, Page};
use crate::semantics::name;

/// Frames inside of an element that show something nobody read, each once.
pub(crate) fn count(page: &Page<'_>, root: usize) -> u32 {
    let end = page.elements.get(root).map_or(0, |element| element.end);
    let empty = (root..end).filter(|&index| is_unread(page, index)).count();
    let everything = page
        .documents
        .first()
        .is_some_and(|document| document.root == root);
    number(empty + if everything { unplaced(page) } else { 0 })
}

/// Whether an element is a frame that shows something nobody read: what is as small as one pixel shows nothing.
pub(crate) fn is_unread(page: &Page<'_>, index: usize) -> bool {
    let element = &page.elements[index];
    element.is_visible() && element.width > 1 && element.height > 1 && is_empty(page, index)
}

/// Whether an element is a frame without a document that was read.
fn is_empty(page: &Page<'_>, index: usize) -> bool {
    let is_frame = match page.elements[index].tag.as_ref() {
        "object" | "embed" => page.elements[index].has(":window"),
        _ => line::is_frame(page, index),
    };
    is_frame && inner(page, index).is_none()
}

fn inner(page: &Page<'_>, index: usize) -> Option<usize> {
    page.children(index)
        .find(|&child| page.elements[child].document != page.elements[index].document)
}

/// Frames that could not be read and cannot be any of the elements that were copied.
pub(crate) fn unplaced(page: &Page<'_>) -> usize {
    let loose = |document: usize| {
        let own = page.boundaries.iter();
        own.filter(|one| one.element.is_none() && one.document == document)
            .count()
    };
    let free = |document: usize| {
        (0..page.elements.len())
            .filter(|&index| page.elements[index].document == document && is_empty(page, index))
            .filter(|&index| page.boundaries.iter().all(|one| one.element != Some(index)))
            .count()
    };
    (0..page.documents.len())
        .filter(|&document| loose(document) > 0)
        .map(|document| loose(document).saturating_sub(free(document)))
        .sum()
}

/// Refuses to look inside of a frame whose document was not read.
///
/// # Errors
/// `not_granted` where its site has no grant, `page_unreadable` where the browser or the frame does not let it be read,
/// `not_found` where nothing is known of it.
pub(crate) fn check(page: &Page<'_>, index: usize) -> Result<(), Error> {
    if !is_empty(page, index) {
        return Ok(());
    }
    let document = page.elements[index].document;
    let own = page.boundaries.iter().find(|one| one.element == Some(index));
    let loose = || {
        page.boundaries
            .iter()
            .find(|one| one.element.is_none() && one.document == document)
    };
    Err(own.or_else(loose).map_or_else(
        || {
            Error::new(Code::NotFound, "the frame shows no document that was read")
                .hint("frames are read unless frames is false; observe shows what is there")
        },
        refusal,
    ))
}

fn refusal(boundary: &Boundary) -> Error {
    let host = name::tidy(notes::host(&boundary.url).unwrap_or(&boundary.url));
    match boundary.why {
        Missing::NotGranted => Error::new(
            Code::NotGranted,
            format!("what is in the frame was not read: there is no grant for {host}"),
        )
        .hint("a frame is read once a person allows its site"),
        Missing::Unreadable => Error::new(
            Code::PageUnreadable,
            format!("the browser lets no extension into the frame of {host}"),
        ),
        Missing::Silent => Error::new(
            Code::PageUnreadable,
            format!("the frame of {host} did not answer in time"),
        )
        .hint("try again"),
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
