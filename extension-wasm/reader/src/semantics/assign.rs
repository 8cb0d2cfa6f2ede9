//! Which role each element has: what its author says, where that counts, else what its tag means.

use drawbridge_protocol::reader::flags;

use super::key;
use super::native;
use super::relations::Relations;
use super::role::Role;
use super::tables::Tables;
use crate::page::{Element, Page};

/// One pass in document order; what is around an element has its role before it.
pub(super) struct Assign<'s, 'p, 'a> {
    page: &'p Page<'a>,
    relations: &'s Relations<'p>,
    present: &'s [u128],
    tables: Tables,
    roles: Vec<Role>,
    /// Per element the nearest role around it that means something.
    context: Vec<Role>,
    /// Per element whether it is inside of sectioning content.
    sectioned: Vec<bool>,
}

/// Attributes that say something of any element: one that has them, or that the keyboard reaches, is not presentational.
const GLOBAL: &[crate::page::Key] = &[
    key::ARIA_BUSY,
    key::ARIA_CONTROLS,
    key::ARIA_CURRENT,
    key::ARIA_DESCRIBEDBY,
    key::ARIA_DESCRIPTION,
    key::ARIA_LABEL,
    key::ARIA_LABELLEDBY,
    key::ARIA_LIVE,
    key::ARIA_OWNS,
    key::ARIA_ROLEDESCRIPTION,
];

/// The roles of all elements.
pub(super) fn roles<'p>(page: &'p Page<'_>, relations: &Relations<'p>, present: &[u128]) -> Vec<Role> {
    let count = page.elements.len();
    let mut assign = Assign {
        page,
        relations,
        present,
        tables: Tables::default(),
        roles: Vec::with_capacity(count),
        context: Vec::with_capacity(count),
        sectioned: Vec::with_capacity(count),
    };
    for index in 0..count {
        assign.tables.enter(page, index);
        let parent = page.parent(index);
        let around = match relations.owner(index) {
            Some(owner) => assign.written(owner).unwrap_or(Role::Generic),
            None => parent.map_or(Role::Document, |parent| {
                let role = assign.roles[parent];
                if role.is_transparent() {
                    assign.context[parent]
                } else {
                    role
                }
            }),
        };
        assign.context.push(around);
        let sectioned = parent.is_some_and(|parent| assign.sectioned[parent] || assign.is_sectioning(parent));
        assign.sectioned.push(sectioned);
        let role = assign.role(index);
        assign.roles.push(role);
    }
    assign.roles
}

impl<'p, 'a> Assign<'_, 'p, 'a> {
    pub(super) fn element(&self, index: usize) -> &'p Element<'a> {
        &self.page.elements[index]
    }

    /// Whether it is inside of sectioning content.
    pub(super) fn sectioning(&self, index: usize) -> bool {
        self.sectioned[index]
    }

    /// Whether its author gave it a name.
    pub(super) fn is_named(&self, index: usize) -> bool {
        let element = self.element(index);
        let says = |key| self.has(index, key) && element.key(key).is_some_and(|text| !text.trim().is_empty());
        says(key::ARIA_LABEL)
            || says(key::TITLE)
            || element
                .key(key::ARIA_LABELLEDBY)
                .is_some_and(|ids| !self.relations.by_ids(self.page, index, ids).is_empty())
    }

    /// Whether its first children have a `title`, as SVG names things.
    pub(super) fn has_title_inside(&self, index: usize) -> bool {
        title_inside(self.page, index).is_some()
    }

    /// An item is one even without a list, unless its list is something else.
    pub(super) fn item_of_list(&self, index: usize) -> Role {
        let Some(parent) = self.page.parent(index) else {
            return Role::ListItem;
        };
        let list = matches!(self.element(parent).tag.as_ref(), "ul" | "ol" | "menu");
        if list && self.roles[parent] != Role::List {
            Role::None
        } else {
            Role::ListItem
        }
    }

    /// The first summary of its details is what opens it.
    pub(super) fn summary(&self, index: usize) -> Role {
        let first = self.page.parent(index).is_some_and(|mut parent| {
            // In the browser's own shadow tree of details a slot stands between.
            while self.element(parent).tag == "slot" {
                match self.page.parent(parent) {
                    Some(around) => parent = around,
                    None => return false,
                }
            }
            self.element(parent).is_html("details") && self.element(index).before == 0
        });
        if first { Role::Button } else { Role::Generic }
    }

    /// Rows and cells are what their table is.
    pub(super) fn part_of_table(&self, index: usize) -> Role {
        let element = self.element(index);
        let Some(table) = self.tables.of(index) else {
            return Role::Generic;
        };
        if table.index == index {
            return if table.holds_data {
                Role::Table
            } else {
                Role::Generic
            };
        }
        let kind = self.roles[table.index];
        let grid = matches!(kind, Role::Grid | Role::TreeGrid);
        if kind != Role::Table && !grid {
            return Role::Generic;
        }
        match element.tag.as_ref() {
            "tr" => Role::Row,
            "td" if grid => Role::GridCell,
            "td" => Role::Cell,
            "th" => self.header(index),
            _ => Role::RowGroup,
        }
    }

    fn header(&self, index: usize) -> Role {
        let scope = self.element(index).key(key::SCOPE).unwrap_or_default();
        if ["row", "rowgroup"]
            .iter()
            .any(|row| row.eq_ignore_ascii_case(scope))
        {
            return Role::RowHeader;
        }
        if ["col", "colgroup"]
            .iter()
            .any(|column| column.eq_ignore_ascii_case(scope))
        {
            return Role::ColumnHeader;
        }
        // A header beside cells is that of its row.
        let row = self.page.parent(index);
        let group = row.and_then(|row| self.page.parent(row));
        let in_head = group.is_some_and(|group| self.element(group).is_html("thead"));
        let beside = row.is_some_and(|row| self.tables.has_cells(row));
        if beside && !in_head {
            Role::RowHeader
        } else {
            Role::ColumnHeader
        }
    }

    fn role(&self, index: usize) -> Role {
        match self.written(index) {
            None => native::role(self, index),
            Some(Role::None) => {
                let kept = self.is_focusable(index) || GLOBAL.iter().any(|key| self.has(index, *key));
                // A broken rule: what can be reached or is described is there for somebody.
                if kept {
                    native::role(self, index)
                } else {
                    Role::None
                }
            }
            Some(role) => role,
        }
    }

    /// The first role in writing that counts here.
    fn written(&self, index: usize) -> Option<Role> {
        if !self.has(index, key::ROLE) {
            return None;
        }
        let roles = self.element(index).key(key::ROLE)?;
        let role = roles.split_ascii_whitespace().find_map(Role::of_token)?;
        let counts = match role {
            Role::Form | Role::Region => self.is_named(index),
            Role::Option => self.is_inside(index, &[Role::Listbox, Role::Group]),
            Role::ListItem => self.is_inside(index, &[Role::List, Role::Group]),
            Role::TreeItem => self.is_inside(index, &[Role::Tree, Role::Group, Role::TreeItem]),
            _ => true,
        };
        // Chromium takes such an element for a plain one, whatever its tag.
        Some(if counts { role } else { Role::Generic })
    }

    fn is_inside(&self, index: usize, roles: &[Role]) -> bool {
        self.context
            .get(index)
            .is_none_or(|around| roles.contains(around))
    }

    /// Whether it is inside of a section that is more than the main part of the page.
    pub(super) fn subsection(&self, index: usize) -> bool {
        let is_main = |around: usize| self.roles[around] == Role::Main;
        self.sectioning(index)
            && self
                .page
                .around(index)
                .any(|around| self.is_sectioning(around) && !is_main(around))
    }

    fn is_sectioning(&self, index: usize) -> bool {
        let element = self.element(index);
        let tag = matches!(
            element.tag.as_ref(),
            "article" | "aside" | "main" | "nav" | "section"
        );
        (tag && !element.is(flags::FOREIGN))
            || matches!(
                self.roles[index],
                Role::Article | Role::Complementary | Role::Main | Role::Navigation | Role::Region
            )
    }

    fn is_focusable(&self, index: usize) -> bool {
        let element = self.element(index);
        if self.has(index, key::TABINDEX)
            && element
                .key(key::TABINDEX)
                .is_some_and(|at| at.trim().parse::<i32>().is_ok())
        {
            return true;
        }
        if element.is(flags::FOREIGN) || element.is(flags::DISABLED) {
            return false;
        }
        match element.tag.as_ref() {
            "a" | "area" => self.has(index, key::HREF),
            "button" | "iframe" | "input" | "select" | "summary" | "textarea" => true,
            _ => self.has(index, key::CONTENTEDITABLE),
        }
    }

    fn has(&self, index: usize, key: crate::page::Key) -> bool {
        self.present[index] & key::bit(key) != 0
    }
}

/// The `title` among an element's first children.
pub(super) fn title_inside(page: &Page<'_>, index: usize) -> Option<usize> {
    const FIRST: usize = 8;
    page.children(index)
        .take(FIRST)
        .find(|&child| page.elements[child].is(flags::FOREIGN) && page.elements[child].tag == "title")
}
