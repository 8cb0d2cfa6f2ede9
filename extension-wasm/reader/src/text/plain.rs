//! Plain text: one line per block, a tab between cells.

use crate::page::Page;
use crate::text::lines::{Lines, Manner};
use crate::text::{Part, Written, edge, edge_of_hidden, is_shown, shorten};
use crate::walk::{Step, Walk};
use drawbridge_protocol::reader::flags;

/// The text of a part; `hidden`: also what cannot be seen, marked.
pub(crate) fn write(page: &Page<'_>, part: &Part, hidden: bool) -> Written {
    let (mut lines, mut written) = (Lines::default(), Written::default());
    for &root in &part.roots {
        fill(page, part, root, hidden, usize::MAX, &mut lines, &mut written);
    }
    written.text = lines.finish();
    written
}

/// The visible text of one element on one line, at most `most` characters of it.
pub(crate) fn line(page: &Page<'_>, root: usize, most: usize) -> String {
    let (mut lines, mut written) = (Lines::default(), Written::default());
    // A grapheme across the limit needs to be seen whole, or it would be taken for one that fits.
    let enough = most.saturating_add(64);
    fill(
        page,
        &Part::default(),
        root,
        false,
        enough,
        &mut lines,
        &mut written,
    );
    let mut text = lines.finish().split_whitespace().collect::<Vec<_>>().join(" ");
    shorten(&mut text, most);
    text.truncate(text.trim_end().len());
    text
}

fn fill(
    page: &Page<'_>,
    part: &Part,
    root: usize,
    hidden: bool,
    enough: usize,
    lines: &mut Lines,
    written: &mut Written,
) {
    // Per open element, whether it is inside `pre`: line breaks are the author's.
    let mut verbatim: Vec<bool> = Vec::new();
    let edge = if hidden { edge_of_hidden } else { edge };
    let mut walk = Walk::new(page, root);
    while lines.characters() < enough {
        match walk.next() {
            Some(Step::Enter(index)) => {
                let element = &page.elements[index];
                if part.lacks(index) {
                    walk.pass();
                } else {
                    written.meet(page, index, hidden);
                }
                lines.gap(edge(element));
                let around = verbatim.last().copied().unwrap_or(false);
                verbatim.push(around || element.tag == "pre");
            }
            Some(Step::Text(index, text)) => {
                let element = &page.elements[index];
                let manner = Manner {
                    verbatim: verbatim.last().copied().unwrap_or(false),
                    hidden: !element.shows_text(),
                };
                if is_shown(element) || (hidden && !element.is(flags::SECRET)) {
                    lines.write(text, manner);
                }
            }
            Some(Step::Leave(index)) => {
                verbatim.pop();
                lines.gap(edge(&page.elements[index]));
            }
            None => break,
        }
    }
}
