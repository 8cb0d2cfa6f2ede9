//! What becomes of a line when everything inside of it is known.

use drawbridge_protocol::outline::{About, Kind, Note, OutlineNode};

use super::super::kind::{self, Treat};
use super::super::lines::{At, is_text};
use super::{Open, Size, Walk};
use crate::semantics::name::{LIMIT, cut};
use crate::semantics::{Role, key};

impl<'p> Walk<'_, 'p, '_> {
    /// Leaves an element.
    pub(super) fn close(&mut self, open: &Open<'p>) {
        let (line, around) = (open.inside.line, open.at.line);
        if open.treat == Treat::Pass {
            if kind::breaks_text(self.semantics, open.index) {
                self.flush(line);
            }
            return;
        }
        self.flush(line);
        let Some(line) = line else {
            return;
        };
        match open.treat {
            Treat::Pass | Treat::Skip | Treat::Leaf => {}
            Treat::Line => self.close_line(open.index, line, around),
            Treat::Group(least) => {
                let bare = is_bare(self.lines.node(line)) || self.lines.node(line).role == "scrollable";
                if bare && self.lines.kids(Some(line)).count < least {
                    self.lines.fold(line, around);
                }
            }
            Treat::Holder => self.close_holder(line, around),
            Treat::Row => self.close_row(line, around),
            Treat::Cell => {
                let text = self.lines.take_texts(line, " ");
                self.lines.node_mut(line).name = text;
            }
            Treat::Pair => self.close_pair(open.index, line, around),
            Treat::Frame => {}
        }
    }

    fn close_line(&mut self, index: usize, line: At, around: Option<At>) {
        let kids = self.lines.kids(Some(line));
        let node = self.lines.node(line);
        if node.kind == Kind::Control {
            return;
        }
        match self.semantics.role_of(index) {
            Role::Heading => self.close_heading(line, around),
            Role::Table | Role::Grid | Role::TreeGrid => {
                let size = self.tables.pop().unwrap_or_default();
                if kids.count == 0 {
                    self.lines.fold(line, around);
                } else if let Some(text) = self.size(index, size) {
                    let about = About::Count;
                    self.lines.node_mut(line).notes.push(Note { about, text });
                }
            }
            Role::Meter
            | Role::Progressbar
            | Role::Scrollbar
            | Role::Img
            | Role::GraphicsSymbol
            | Role::GraphicsDocument => {}
            // Nothing of it can be seen.
            _ if kids.count == 0 => self.lines.fold(line, around),
            _ => {}
        }
    }

    /// A heading that is one link is told as the link.
    fn close_heading(&mut self, line: At, around: Option<At>) {
        let kids = self.lines.kids(Some(line));
        let (name, level) = (&self.lines.node(line).name, self.lines.node(line).level);
        match (kids.count, kids.first) {
            (0, _) if name.is_empty() => self.lines.fold(line, around),
            (1, Some(kid)) => {
                let same = self.lines.node(kid).name == *name && self.lines.node(kid).kind == Kind::Control;
                if same && self.lines.kids(Some(kid)).count == 0 {
                    self.lines.node_mut(kid).level = level;
                    self.lines.fold(line, around);
                }
            }
            _ => {}
        }
    }

    fn close_holder(&mut self, line: At, around: Option<At>) {
        let kids = self.lines.kids(Some(line));
        if kids.count == 0 {
            // A region that announces nothing now, or a quotation of nothing.
            self.lines.fold(line, around);
        } else if kids.count == kids.texts && self.lines.node(line).name.is_empty() {
            let text = self.lines.take_texts(line, " ");
            self.lines.node_mut(line).name = text;
        }
    }

    /// Cells become one text, and what can be acted on in them stands below.
    fn close_row(&mut self, line: At, around: Option<At>) {
        let cells: Vec<At> = self.lines.inside(line).collect();
        if let Some(table) = self.tables.last_mut() {
            table.columns = table.columns.max(u32::try_from(cells.len()).unwrap_or(u32::MAX));
        }
        let mut texts = Vec::with_capacity(cells.len());
        for cell in cells {
            let node = self.lines.node_mut(cell);
            let bare = node.kind == Kind::Other && node.states.is_empty() && node.notes.is_empty();
            let is_cell = matches!(
                node.role.as_str(),
                "cell" | "gridcell" | "columnheader" | "rowheader"
            );
            if is_text(node) || (bare && is_cell) {
                texts.push(std::mem::take(&mut node.name));
                self.lines.fold(cell, Some(line));
            } else {
                texts.push(String::new());
            }
        }
        while texts.last().is_some_and(String::is_empty) {
            texts.pop();
        }
        let kids = self.lines.kids(Some(line)).count;
        let mut name = texts.join(" | ");
        cut(&mut name, LIMIT);
        let node = self.lines.node_mut(line);
        if node.kind != Kind::Control || node.name.is_empty() {
            node.name = name;
        }
        if is_bare(node) && kids <= 1 {
            self.lines.fold(line, around);
        } else if kids > 0 {
            self.lines.needs_ref(line);
        }
    }

    /// A term and what is said of it are one line, where both are plain.
    fn close_pair(&mut self, index: usize, line: At, around: Option<At>) {
        let text = self.lines.take_texts(line, " ");
        let kids = self.lines.kids(Some(line)).count;
        let term = self.term.take();
        if text.is_empty() {
            self.lines.fold(line, around);
            return;
        }
        let is_term = self.semantics.page().elements[index].tag == "dt";
        let joined = term.filter(|&term| !is_term && kids == 0 && self.lines.kids(Some(term)).count == 0);
        match joined {
            Some(term) => {
                let name = &mut self.lines.node_mut(term).name;
                name.push_str(if name.ends_with(':') { " " } else { ": " });
                name.push_str(&text);
                cut(name, LIMIT);
                self.lines.fold(line, around);
            }
            None => {
                self.lines.node_mut(line).name = text;
                self.term = is_term.then_some(line);
            }
        }
    }

    /// How large a table is, where that is not seen at once.
    fn size(&self, index: usize, size: Size) -> Option<String> {
        let said = |key| self.semantics.said(index, key)?.trim().parse::<u32>().ok();
        let rows = match said(key::ARIA_ROWCOUNT).filter(|all| *all > size.rows) {
            Some(all) => format!("{} of {all} rows", size.rows),
            None => format!("{} rows", size.rows),
        };
        (size.rows > 1).then(|| {
            format!(
                "{rows}, {} columns",
                said(key::ARIA_COLCOUNT).unwrap_or(size.columns)
            )
        })
    }
}

/// Whether a line says nothing by itself.
fn is_bare(node: &OutlineNode) -> bool {
    node.name.is_empty()
        && node.kind == Kind::Other
        && node.states.is_empty()
        && node.notes.is_empty()
        && node.value.is_none()
}
