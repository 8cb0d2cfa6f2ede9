//! Accessible names and descriptions by accname 1.2, with Chromium's readings of it.
//!
//! A name is put together in one string, front to back, without recursion over how deep a page is: only references
//! (`aria-labelledby`, labels) start a run of their own, and how many of those are inside each other is bounded.

mod content;
mod own;
mod tidy;

use super::{Naming, Role, Semantics, is_blank, key};

use content::Run;

pub(super) use content::Scratch;
pub(crate) use tidy::{LIMIT, cut, tidy};

/// A name, and where it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// White space folded, at most [`LIMIT`] characters.
    pub(crate) text: String,
    pub(crate) from: From,
}

/// Where a name is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// Nowhere.
    Nothing,
    /// `aria-labelledby`.
    Reference,
    /// `aria-label`, `alt`, `value` and the like.
    Attribute,
    /// A label, legend, caption or title element.
    Label,
    /// What is inside of it.
    Content,
    /// `title`.
    Title,
    /// `placeholder`.
    Placeholder,
    /// What the browser writes on it, such as `Submit`.
    Browser,
}

impl Name {
    pub(super) const fn none() -> Self {
        Self {
            text: String::new(),
            from: From::Nothing,
        }
    }

    fn new(text: &str, from: From) -> Self {
        match tidy(text) {
            text if text.is_empty() => Self::none(),
            text => Self { text, from },
        }
    }
}

/// The name of an element; what is not rendered has none.
pub(super) fn compute(semantics: &Semantics<'_, '_>, index: usize) -> Name {
    let presentational = semantics.role_of(index) == Role::None && !semantics.is_control(index);
    // The places of a picture have no box.
    let shown = semantics.is_styled_in(index) || semantics.page.elements[index].is_html("area");
    if !shown || presentational {
        return Name::none();
    }
    of_any(semantics, index)
}

/// The name of an element, also of a hidden one.
pub(crate) fn of_any(semantics: &Semantics<'_, '_>, index: usize) -> Name {
    let scratch = &mut *semantics.scratch.borrow_mut();
    let mut run = Run::new(semantics, scratch, index);
    let from = whole(&mut run, index);
    Name::new(run.text(), from)
}

/// The text inside an element as a name would have it, whatever its role.
pub(crate) fn content(semantics: &Semantics<'_, '_>, index: usize) -> String {
    let scratch = &mut *semantics.scratch.borrow_mut();
    let mut run = Run::new(semantics, scratch, index);
    run.content(index);
    tidy(run.text())
}

/// The accessible description; empty: it has none, or only what its name says.
pub(crate) fn description(semantics: &Semantics<'_, '_>, index: usize) -> String {
    let name = semantics.name_of(index);
    let mut text = String::new();
    if let Some(ids) = semantics.said(index, key::ARIA_DESCRIBEDBY) {
        text = referenced(semantics, index, ids);
    }
    if text.is_empty() {
        if let Some(said) = semantics.said(index, key::ARIA_DESCRIPTION) {
            text = tidy(said);
        } else if name.from != From::Title {
            text = semantics.said(index, key::TITLE).map(tidy).unwrap_or_default();
        }
    }
    if text == name.text { String::new() } else { text }
}

/// The text of what a list of ids names.
pub(crate) fn referenced(semantics: &Semantics<'_, '_>, from: usize, ids: &str) -> String {
    let targets = semantics.relations.by_ids(semantics.page, from, ids);
    let scratch = &mut *semantics.scratch.borrow_mut();
    let mut run = Run::new(semantics, scratch, from);
    run.references(&targets, true);
    tidy(run.text())
}

fn whole(run: &mut Run<'_, '_, '_>, index: usize) -> From {
    let semantics = run.semantics();
    if let Some(ids) = semantics.said(index, key::ARIA_LABELLEDBY) {
        let targets = semantics.relations.by_ids(semantics.page, index, ids);
        run.references(&targets, true);
        if !is_blank(run.text()) {
            return From::Reference;
        }
        run.clear();
    }
    if let Some(label) = semantics.said(index, key::ARIA_LABEL) {
        run.write(label);
        return From::Attribute;
    }
    if let Some(from) = own::native(run, index) {
        return from;
    }
    if names_by_content(semantics, index) {
        run.content(index);
        if !is_blank(run.text()) {
            return From::Content;
        }
        run.clear();
    }
    own::fallback(run, index)
}

fn names_by_content(semantics: &Semantics<'_, '_>, index: usize) -> bool {
    let editable = semantics.page.elements[index].is(drawbridge_protocol::reader::flags::EDITABLE);
    if semantics.is_recovered(index) && !editable {
        return true;
    }
    match semantics.role_of(index) {
        // A row has one only where it can be moved to.
        Role::Row => {
            let around = semantics
                .page
                .around(index)
                .map(|around| semantics.role_of(around))
                .find(|role| !role.is_transparent() && *role != Role::RowGroup);
            matches!(around, Some(Role::Grid | Role::TreeGrid))
        }
        // The inside of a formula is no text of the page; one that is made of HTML is.
        Role::Math => !semantics.page.elements[index].is(drawbridge_protocol::reader::flags::FOREIGN),
        role => role.naming() == Naming::Content,
    }
}
