//! What can be acted on: what a role says so of, and what was made of plain elements.
//!
//! Of plain elements there is one entry per real target: the outermost one that the pointer becomes a hand on, or the
//! one that has a handler.

use drawbridge_protocol::reader::flags;

use super::{Role, Semantics, key, marks};

/// Controls inside of something that the pointer becomes a hand on, up to which it may be one target itself.
const INSIDE: u32 = 8;

/// Sets the marks of all elements.
pub(super) fn mark(semantics: &mut Semantics<'_, '_>) {
    inherit(semantics);
    by_role(semantics);
    by_pointer(semantics);
    surround(semantics);
}

/// What comes from around, and what goes outwards inside a line.
fn inherit(semantics: &mut Semantics<'_, '_>) {
    let page = semantics.page;
    for index in 0..page.elements.len() {
        let above = page.parent(index).map_or(0, |parent| {
            semantics.marks[parent] & (marks::ARIA_HIDDEN | marks::ARIA_DISABLED)
        });
        let mut own = above;
        if semantics.get(index, key::ARIA_HIDDEN) == Some("true") {
            own |= marks::ARIA_HIDDEN;
        }
        if semantics.get(index, key::ARIA_DISABLED) == Some("true") {
            own |= marks::ARIA_DISABLED;
        }
        semantics.marks[index] = own;
    }
    for index in (0..page.elements.len()).rev() {
        let element = &page.elements[index];
        // Ruby is of a kind of its own, inside the line.
        if element.is(flags::BLOCK) && !matches!(element.tag.as_ref(), "ruby" | "rb" | "rt" | "rp") {
            semantics.marks[index] |= marks::BREAKS_LINE;
        }
        // A box of its own keeps its lines to itself, and is set apart as such.
        let passes = semantics.marks[index] & marks::BREAKS_LINE != 0 && !element.is(flags::INLINE_BOX);
        if let Some(parent) = element.parent.filter(|_| passes) {
            semantics.marks[parent] |= marks::BREAKS_LINE;
        }
    }
}

fn by_role(semantics: &mut Semantics<'_, '_>) {
    for index in 0..semantics.page.elements.len() {
        if is_control(semantics, index) {
            semantics.marks[index] |= marks::CONTROL;
        } else if has_handler(semantics, index) {
            semantics.marks[index] |= marks::CONTROL | marks::RECOVERED;
        }
    }
}

/// Whether a role says that it can be acted on.
fn is_control(semantics: &Semantics<'_, '_>, index: usize) -> bool {
    let element = &semantics.page.elements[index];
    let role = semantics.role_of(index);
    match role {
        // The options of a select are told with it.
        Role::Option => !element.is_html("option"),
        // What is moved to can be moved.
        Role::Separator | Role::Scrollbar => semantics.has(index, key::TABINDEX),
        _ => role.is_interactive(),
    }
}

/// Whether a plain element says that it does something.
fn has_handler(semantics: &Semantics<'_, '_>, index: usize) -> bool {
    let page = semantics.page;
    let element = &page.elements[index];
    if is_scenery(semantics, index) {
        return false;
    }
    if semantics.has(index, key::ONCLICK) {
        return true;
    }
    let editable = element.is(flags::EDITABLE)
        && !page
            .parent(index)
            .is_some_and(|parent| page.elements[parent].is(flags::EDITABLE));
    if editable {
        return true;
    }
    // What the keyboard reaches only to scroll, or to be read, does nothing.
    let plain = matches!(
        semantics.role_of(index),
        Role::Generic | Role::None | Role::Img | Role::GraphicsSymbol
    );
    let reached = semantics
        .get(index, key::TABINDEX)
        .is_some_and(|at| at.trim().parse::<i32>().is_ok_and(|at| at >= 0));
    // What guards the order of the keyboard has no size.
    let sized = element.width > 1 && element.height > 1;
    plain && reached && sized && !semantics.has(index, key::SCROLL)
}

/// Adds the outermost elements that the pointer becomes a hand on.
fn by_pointer(semantics: &mut Semantics<'_, '_>) {
    let page = semantics.page;
    let count = page.elements.len();
    // How many controls, and texts outside of controls, begin before each element.
    let mut controls = vec![0_u32; count + 1];
    let mut texts = vec![0_u32; count + 1];
    let mut control_ends = 0;
    for index in 0..count {
        let element = &page.elements[index];
        let control = semantics.marks[index] & marks::CONTROL != 0;
        if control {
            control_ends = control_ends.max(element.end);
        }
        let text = index >= control_ends && shows_something(semantics, index);
        controls[index + 1] = controls[index] + u32::from(control && element.is_visible());
        texts[index + 1] = texts[index] + u32::from(text);
    }
    let mut behind = 0;
    for index in 0..count {
        let element = &page.elements[index];
        let control = semantics.marks[index] & marks::CONTROL != 0;
        let pointer = element.is(flags::POINTER);
        let outermost = pointer
            && !page
                .parent(index)
                .is_some_and(|parent| page.elements[parent].is(flags::POINTER));
        if control {
            // Inside of a control the pointer says nothing new.
            behind = behind.max(element.end);
        } else if outermost && index >= behind && element.is_visible() && !is_scenery(semantics, index) {
            let inside = controls[element.end] - controls[index + 1];
            let more = texts[element.end] - texts[index] > 0;
            if inside == 0 || (more && inside <= INSIDE) {
                semantics.marks[index] |= marks::CONTROL | marks::RECOVERED;
            }
        }
    }
}

/// Text, or a picture that stands for one.
fn shows_something(semantics: &Semantics<'_, '_>, index: usize) -> bool {
    let element = &semantics.page.elements[index];
    element.is_visible()
        && (element.has_own_text() || matches!(element.tag.as_ref(), "img" | "svg" | "canvas"))
}

/// What is never a target itself: the page, labels of fields, what a select holds.
fn is_scenery(semantics: &Semantics<'_, '_>, index: usize) -> bool {
    let element = &semantics.page.elements[index];
    if element.is(flags::FOREIGN) {
        return false;
    }
    match element.tag.as_ref() {
        "html" | "head" | "body" | "main" | "option" | "optgroup" | "iframe" | "frame" | "script"
        | "style" => true,
        "label" => semantics.field(index).is_some(),
        _ => false,
    }
}

fn surround(semantics: &mut Semantics<'_, '_>) {
    let page = semantics.page;
    for index in 0..page.elements.len() {
        let around = page.parent(index).map_or(0, |parent| semantics.marks[parent]);
        if around & (marks::CONTROL | marks::IN_CONTROL) != 0 {
            semantics.marks[index] |= marks::IN_CONTROL;
        }
    }
}
