//! What a picture of the page must not show: secret fields, and frames that are not read.

use drawbridge_protocol::page::{Bounds, PageFound};
use drawbridge_protocol::reader::flags;

use crate::find::bounds;
use crate::page::Page;
use crate::visible;

/// Elements that show another document.
const FRAMES: &[&str] = &["iframe", "frame", "object", "embed", "fencedframe"];

/// Boxes of all that has room on the page, whether a person can see it or not: what is clear by a hair is covered, too.
pub(crate) fn answer(page: &Page<'_>) -> PageFound {
    let (mut secrets, mut frames) = (Vec::new(), Vec::new());
    for (index, element) in page.elements.iter().enumerate() {
        if !visible::is_rendered(element.flags) {
            continue;
        }
        let unread = FRAMES.contains(&element.tag.as_ref()) && !page.shows_document(index);
        let boxes: &mut Vec<Bounds> = match (element.is(flags::SECRET), unread) {
            (true, _) => &mut secrets,
            (false, true) => &mut frames,
            (false, false) => continue,
        };
        let bounds = bounds::of(page, index);
        if bounds.width > 0 && bounds.height > 0 {
            boxes.push(bounds);
        }
    }
    let view = page.documents.first().map(|main| main.view).unwrap_or_default();
    PageFound::Covered {
        secrets,
        frames,
        width: u32::try_from(view.width).unwrap_or(0),
    }
}

impl Page<'_> {
    /// Whether a frame's document is part of what was read.
    fn shows_document(&self, frame: usize) -> bool {
        let own = self.elements[frame].document;
        self.children(frame)
            .next()
            .is_some_and(|child| self.elements[child].document != own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::ask::ask;
    use drawbridge_protocol::page::PageRead;

    #[test]
    fn frames_that_are_not_read_are_covered() {
        let html = "<p>x</p><iframe src=https://b.example/></iframe><p>y</p>";
        match ask(html, &PageRead::Cover) {
            Ok(PageFound::Covered { secrets, frames, .. }) => {
                assert_eq!((secrets.len(), frames.len()), (0, 1));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_secret_field_is_covered_whether_it_holds_something_or_not() {
        let html = "<input type=password><input type=text><input type=password value=x>";
        match ask(html, &PageRead::Cover) {
            Ok(PageFound::Covered { secrets, frames, .. }) => {
                assert_eq!((secrets.len(), frames.len()), (2, 0));
            }
            other => panic!("{other:?}"),
        }
    }
}
