//! What elements are, to a person and to assistive technology: roles by HTML-AAM and ARIA, names by accname 1.2, both as
//! Chromium exposes them.
//!
//! | module | what it owns |
//! |---|---|
//! | [`role`] | the roles, and what each means for names |
//! | `assign`, `native`, `tables` | which role each element has |
//! | `relations` | ids, labels, owners |
//! | [`name`] | names and descriptions |
//! | [`state`] | states, values, levels |
//! | `recover` | what can be acted on, though no role says so |

mod assign;
pub(crate) mod key;
pub(crate) mod name;
pub(crate) mod native;
mod recover;
mod relations;
pub(crate) mod role;
pub(crate) mod state;
mod tables;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

use drawbridge_protocol::reader::flags;

use crate::page::{Key, Page};

use name::{Name, Scratch};
use relations::Relations;

pub(crate) use role::{Naming, Role};

/// Roles, names and states of a page. Roles are worked out at once, names when they are asked for, and kept.
#[derive(Debug)]
pub(crate) struct Semantics<'p, 'a> {
    page: &'p Page<'a>,
    relations: Relations<'p>,
    /// Per element which attributes and facts it has.
    present: Vec<u128>,
    roles: Vec<Role>,
    /// Per element what [`marks`] it has.
    marks: Vec<u8>,
    names: Vec<OnceCell<Name>>,
    scratch: RefCell<Scratch>,
}

/// What is known of each element besides its role.
mod marks {
    /// A person can act on it.
    pub(super) const CONTROL: u8 = 1;
    /// No role of it says so.
    pub(super) const RECOVERED: u8 = 2;
    /// A control is around it.
    pub(super) const IN_CONTROL: u8 = 4;
    /// It, or something around it, is `aria-hidden`.
    pub(super) const ARIA_HIDDEN: u8 = 8;
    /// It, or something around it, is `aria-disabled`.
    pub(super) const ARIA_DISABLED: u8 = 16;
    /// It starts a line, or something inside of it that is in its line does.
    pub(super) const BREAKS_LINE: u8 = 32;
}

impl<'p, 'a> Semantics<'p, 'a> {
    /// Works out what needs the whole page at once; names are left for later.
    pub(crate) fn new(page: &'p Page<'a>) -> Self {
        let relations = Relations::new(page);
        let present: Vec<u128> = page
            .elements
            .iter()
            .map(|element| key::present(&element.keys))
            .collect();
        let roles = assign::roles(page, &relations, &present);
        let mut semantics = Self {
            page,
            relations,
            present,
            roles,
            marks: vec![0; page.elements.len()],
            names: Vec::new(),
            scratch: RefCell::new(Scratch::new(page.elements.len())),
        };
        semantics.names.resize_with(page.elements.len(), OnceCell::new);
        recover::mark(&mut semantics);
        semantics
    }

    pub(crate) fn page(&self) -> &'p Page<'a> {
        self.page
    }

    /// The ARIA role, lower case; `generic` for what has none of its own, `none` for what is presentational. A plain
    /// element that can be acted on is `clickable`, one that is edited a `textbox`.
    pub(crate) fn role(&self, index: usize) -> &'static str {
        let role = self.role_of(index);
        if !self.is_recovered(index) {
            return role.name();
        }
        if self.page.elements[index].is(flags::EDITABLE) {
            return Role::Textbox.name();
        }
        match role {
            Role::Img | Role::Row | Role::Heading | Role::GridCell | Role::ColumnHeader | Role::RowHeader => {
                role.name()
            }
            _ => "clickable",
        }
    }

    /// The role, to be compared.
    pub(crate) fn role_of(&self, index: usize) -> Role {
        self.roles.get(index).copied().unwrap_or(Role::Generic)
    }

    /// The accessible name, white space folded; empty: it has none.
    pub(crate) fn name(&self, index: usize) -> Cow<'_, str> {
        Cow::Borrowed(&self.name_of(index).text)
    }

    /// The accessible name, with where it comes from.
    pub(crate) fn name_of(&self, index: usize) -> &Name {
        static NONE: Name = Name::none();
        self.names
            .get(index)
            .map_or(&NONE, |name| name.get_or_init(|| name::compute(self, index)))
    }

    /// Whether a person can act on it: a control by its role, or by what was recovered of a role-less one.
    pub(crate) fn is_control(&self, index: usize) -> bool {
        self.is_marked(index, marks::CONTROL)
    }

    /// Whether it is a control though no role says so.
    pub(crate) fn is_recovered(&self, index: usize) -> bool {
        self.is_marked(index, marks::RECOVERED)
    }

    /// Whether a control is around it.
    pub(crate) fn is_in_control(&self, index: usize) -> bool {
        self.is_marked(index, marks::IN_CONTROL)
    }

    /// Whether it, or something around it, is `aria-hidden`.
    pub(crate) fn is_aria_hidden(&self, index: usize) -> bool {
        self.is_marked(index, marks::ARIA_HIDDEN)
    }

    /// Whether it, or something around it, is `aria-disabled`.
    pub(crate) fn is_aria_disabled(&self, index: usize) -> bool {
        self.is_marked(index, marks::ARIA_DISABLED)
    }

    /// Whether styles show it, apart from how: what is wholly transparent or clipped away counts for names.
    pub(crate) fn is_styled_in(&self, index: usize) -> bool {
        self.page.elements[index].flags & flags::SEEN == flags::SEEN
    }

    /// Whether it starts a line, or something in its line does.
    pub(crate) fn breaks_line(&self, index: usize) -> bool {
        self.is_marked(index, marks::BREAKS_LINE)
    }

    /// An attribute or fact, found faster than by the element alone.
    pub(crate) fn get(&self, index: usize, key: Key) -> Option<&'p str> {
        if self.present.get(index)? & key::bit(key) == 0 {
            return None;
        }
        self.page.elements[index].key(key)
    }

    /// Whether it has an attribute or fact.
    pub(crate) fn has(&self, index: usize, key: Key) -> bool {
        self.present
            .get(index)
            .is_some_and(|bits| bits & key::bit(key) != 0)
    }

    /// An attribute, unless it says nothing.
    pub(crate) fn said(&self, index: usize, key: Key) -> Option<&'p str> {
        self.get(index, key).filter(|text| !is_blank(text))
    }

    /// The field of a label.
    pub(crate) fn field(&self, label: usize) -> Option<usize> {
        self.relations.field(label)
    }

    /// The labels of a field, in document order.
    pub(crate) fn labels(&self, field: usize) -> &[usize] {
        self.relations.labels(field)
    }

    /// The element with an id, as `from` can name it.
    pub(crate) fn by_id(&self, from: usize, id: &str) -> Option<usize> {
        self.relations.by_id(self.page, from, id)
    }

    /// What shows an element as its own, by `aria-owns`.
    pub(crate) fn owner(&self, index: usize) -> Option<usize> {
        self.relations.owner(index)
    }

    /// What an element owns by `aria-owns`; it comes after its children.
    pub(crate) fn owned(&self, index: usize) -> &[usize] {
        self.relations.owned(index)
    }

    fn is_marked(&self, index: usize, mark: u8) -> bool {
        self.marks.get(index).is_some_and(|marks| marks & mark != 0)
    }
}

/// Whether there is nothing but white space as HTML has it: a no-break space says something.
pub(crate) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}
