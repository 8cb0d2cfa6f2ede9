//! Which tables hold data, and which only put things beside each other.

use std::collections::HashSet;

use super::key;
use crate::page::Page;

/// The table around each element, while a pass in document order goes on.
#[derive(Debug, Default)]
pub(super) struct Tables {
    open: Vec<Table>,
    /// Per element the place of its table in `all`; they come one after another.
    of: Vec<Option<usize>>,
    all: Vec<Table>,
    /// Rows that have a cell which is no header.
    rows_with_cells: HashSet<usize>,
}

/// One table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) index: usize,
    /// It holds data; else it is layout.
    pub(super) holds_data: bool,
    end: usize,
    place: usize,
}

impl Tables {
    /// Goes on with an element.
    pub(super) fn enter(&mut self, page: &Page<'_>, index: usize) {
        while self.open.last().is_some_and(|table| table.end <= index) {
            self.open.pop();
        }
        let element = &page.elements[index];
        if element.is_html("table") {
            let holds_data = self.look(page, index);
            let table = Table {
                index,
                holds_data,
                end: element.end,
                place: self.all.len(),
            };
            self.all.push(table);
            self.open.push(table);
        }
        self.of.push(self.open.last().map(|table| table.place));
    }

    /// The table that an element is, or is inside of.
    pub(super) fn of(&self, index: usize) -> Option<Table> {
        let place = self.of.get(index).copied().flatten()?;
        self.all.get(place).copied()
    }

    /// Whether a row has a cell that is no header.
    pub(super) fn has_cells(&self, row: usize) -> bool {
        self.rows_with_cells.contains(&row)
    }

    /// Looks at a table's own parts; tables inside of it are passed over, so that each element is looked at once.
    fn look(&mut self, page: &Page<'_>, table: usize) -> bool {
        let (mut rows, mut columns, mut most) = (0_u32, 0_u32, 0_u32);
        let (mut says, mut nests, mut structured) = (false, false, false);
        let end = page.elements[table].end;
        let mut index = table + 1;
        while index < end {
            let element = &page.elements[index];
            match element.tag.as_ref() {
                "table" => {
                    nests = true;
                    index = element.end.max(index + 1);
                    continue;
                }
                "caption" | "thead" | "tfoot" | "th" => says = true,
                "tr" => {
                    rows += 1;
                    columns = 0;
                }
                "td" => {
                    columns += 1;
                    most = most.max(columns);
                    says |= element.key(key::SCOPE).is_some() || element.key(key::HEADERS).is_some();
                    self.rows_with_cells.extend(page.parent(index));
                }
                "h1" | "h2" | "h3" | "h4" | "form" | "ul" | "ol" | "p" | "article" | "section" => {
                    structured = true
                }
                _ => {}
            }
            index += 1;
        }
        says || (!nests && !structured && rows > 1 && most > 1)
    }
}
