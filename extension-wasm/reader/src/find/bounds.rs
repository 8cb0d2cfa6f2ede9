//! Where an element lies in the top-level viewport.

use drawbridge_protocol::page::Bounds;

use crate::page::Page;

/// The element's box in CSS px of the top-level viewport, through the frames around it.
pub(crate) fn of(page: &Page<'_>, index: usize) -> Bounds {
    let element = &page.elements[index];
    let (mut x, mut y) = (i64::from(element.x), i64::from(element.y));
    let mut document = element.document;
    // Frames nest no deeper than there are documents.
    for _ in 0..page.documents.len() {
        let view = page.documents[document].view;
        x -= i64::from(view.x);
        y -= i64::from(view.y);
        let Some(frame) = page.documents[document].frame else {
            break;
        };
        let frame = &page.elements[frame];
        let (left, top) = frame.get(":inset").and_then(inset).unwrap_or_default();
        x += i64::from(frame.x) + left;
        y += i64::from(frame.y) + top;
        if frame.document == document {
            break;
        }
        document = frame.document;
    }
    Bounds {
        x: near(x),
        y: near(y),
        width: element.width,
        height: element.height,
    }
}

fn inset(text: &str) -> Option<(i64, i64)> {
    let (left, top) = text.split_once(',')?;
    Some((left.trim().parse().ok()?, top.trim().parse().ok()?))
}

fn near(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX })
}
