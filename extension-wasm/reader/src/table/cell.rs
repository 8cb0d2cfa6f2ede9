//! What one cell says.

use drawbridge_protocol::reader::flags;

use super::MAX_CELL;
use crate::fold::fold;
use crate::page::{Element, Page};
use crate::text::lines::{Gap, Lines, Manner};
use crate::text::{self, separates};
use crate::walk::{Step, Walk};

/// The visible text of a cell on one line, with that of tables and the values of fields inside of it, in reading order;
/// where there is none, what it shows instead: whether a box is checked, what an image is of.
pub(super) fn read(page: &Page<'_>, cell: usize) -> String {
    let mut lines = Lines::default();
    let mut instead = None;
    let mut walk = Walk::new(page, cell);
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(index) => {
                let element = &page.elements[index];
                if separates(element) {
                    lines.gap(Gap::Space);
                }
                if let Some(value) = value(element) {
                    lines.gap(Gap::Space);
                    lines.write(&value, Manner::default());
                    lines.gap(Gap::Space);
                    // Its own text is what it held at first, or all it could hold.
                    walk.pass();
                } else if instead.is_none() && element.is_visible() {
                    instead = shown(element).filter(|shown| !shown.is_empty());
                }
            }
            Step::Text(index, text) => {
                if text::is_shown(&page.elements[index]) {
                    lines.write(text, Manner::default());
                }
            }
            Step::Leave(index) => {
                if separates(&page.elements[index]) {
                    lines.gap(Gap::Space);
                }
            }
        }
    }
    let mut said = lines.finish();
    if said.is_empty() {
        said = instead.unwrap_or_default();
    }
    text::shorten(&mut said, MAX_CELL);
    said
}

/// The value of a field that a person can see.
fn value(element: &Element<'_>) -> Option<String> {
    let is_field = ["input", "select", "textarea"]
        .iter()
        .any(|tag| element.is_html(tag));
    if !is_field || !element.is_visible() || element.is(flags::SECRET) || element.has(":checked") {
        return None;
    }
    let value = element.get(":value")?.replace('\u{1}', ", ");
    Some(fold(&value).into_owned()).filter(|value| !value.is_empty())
}

fn shown(element: &Element<'_>) -> Option<String> {
    if element.is(flags::SECRET) {
        return None;
    }
    let told = if let Some(value) = element.get(":value") {
        value.replace('\u{1}', ", ")
    } else if let Some(checked) = element.get(":checked").or_else(|| element.get("aria-checked")) {
        checked.to_owned()
    } else {
        let label = text::button_label(element).or_else(|| element.get("aria-label"));
        let alt = element.get("alt").filter(|_| element.is_html("img"));
        label.or(alt).or_else(|| element.get("title"))?.to_owned()
    };
    Some(fold(&told).into_owned())
}
