//! One element's line: role, name, states, value and notes.

use drawbridge_protocol::outline::{Kind, OutlineNode, State};

use super::{hint, notes};
use crate::page::Page;
use crate::pages::Refs;
use crate::semantics::name::tidy;
use crate::semantics::{Role, Semantics};

/// The line of an element as it stands alone, with a ref: what a find tells of it.
pub(crate) fn alone(semantics: &Semantics<'_, '_>, refs: &mut Refs, index: usize) -> OutlineNode {
    let mut node = of(semantics, index);
    node.r#ref = Some(refs.of(semantics.page(), index));
    if !semantics.page().elements[index].is_visible() {
        node.states.push(State::Hidden);
    }
    node
}

/// The line of an element, without ref and depth, and without what it is among others.
pub(super) fn of(semantics: &Semantics<'_, '_>, index: usize) -> OutlineNode {
    let page = semantics.page();
    let kind = kind(semantics, index);
    let name = semantics.name_of(index);
    let mut node = OutlineNode {
        role: role(semantics, index).to_owned(),
        name: name.text.clone(),
        level: semantics.level(index),
        states: semantics.states(index),
        value: semantics.value(index),
        kind,
        ..OutlineNode::default()
    };
    // A field made of other elements that is named by what it holds says it once.
    let native = matches!(page.elements[index].tag.as_ref(), "input" | "textarea");
    if !native && node.value.as_deref() == Some(name.text.as_str()) {
        node.value = None;
    }
    notes::add(semantics, index, &mut node);
    if hint::is_wanted(&node, page, index) {
        hint::add(semantics, index, &mut node);
    }
    node
}

/// The line of a row or cell, which is called by what is seen in it.
pub(super) fn unnamed(semantics: &Semantics<'_, '_>, index: usize) -> OutlineNode {
    let mut node = OutlineNode {
        role: role(semantics, index).to_owned(),
        level: semantics.level(index),
        states: semantics.states(index),
        kind: kind(semantics, index),
        ..OutlineNode::default()
    };
    node.notes.extend(notes::sort(semantics, index));
    node
}

/// The word for an element: its role, or what an outline has a word of its own for.
pub(super) fn role(semantics: &Semantics<'_, '_>, index: usize) -> &'static str {
    let page = semantics.page();
    let element = &page.elements[index];
    if semantics.role_of(index).is_transparent() && !semantics.is_control(index) {
        match element.tag.as_ref() {
            "iframe" | "frame" | "object" | "embed" => return "frame",
            "canvas" => return "canvas",
            "video" => return "video",
            "audio" => return "audio",
            "svg" => return "img",
            _ => {}
        }
    }
    semantics.role(index)
}

/// What an element counts as.
pub(super) fn kind(semantics: &Semantics<'_, '_>, index: usize) -> Kind {
    let role = semantics.role_of(index);
    if semantics.is_control(index) {
        Kind::Control
    } else if role.is_landmark()
        || matches!(role, Role::Dialog | Role::AlertDialog)
        || is_frame(semantics.page(), index)
    {
        Kind::Region
    } else {
        Kind::Other
    }
}

/// Whether an element shows another document.
pub(crate) fn is_frame(page: &Page<'_>, index: usize) -> bool {
    matches!(
        page.elements[index].tag.as_ref(),
        "iframe" | "frame" | "object" | "embed"
    )
}

/// A line of plain text.
pub(super) fn text(text: &str) -> OutlineNode {
    OutlineNode {
        role: "text".to_owned(),
        name: tidy(text),
        ..OutlineNode::default()
    }
}
