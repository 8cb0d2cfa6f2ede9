//! Tables as lines of cells.

use super::inline::{Inline, Style};
use super::kinds::{self, Kind};
use crate::page::Page;
use crate::table::{Layout, is_for_looks, kind, layout};
use crate::text::{self, separates};
use crate::walk::{Step, Walk};
use drawbridge_protocol::reader::flags;

/// Characters of a cell that still make a table; more are a page set in one.
const CELL: usize = 1_000;

/// One line of a table.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) text: String,
    /// The next line is part of the same block.
    pub(super) joins_next: bool,
}

/// Tables of data, ascending: no table inside, more than one row and column, and nothing long in a cell.
pub(super) fn of_data(page: &Page<'_>) -> Vec<usize> {
    let mut tables: Vec<usize> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut with_tables = Vec::new();
    for (index, element) in page.elements.iter().enumerate() {
        while open
            .last()
            .is_some_and(|table| index >= page.elements[*table].end)
        {
            open.pop();
        }
        if kind(element).is_some() {
            with_tables.extend(open.last().copied());
            open.push(index);
            if element.is_visible() && !is_for_looks(element) {
                tables.push(index);
            }
        } else if is_block(page, index)
            && let Some(table) = open.last()
        {
            with_tables.push(*table);
        }
    }
    with_tables.sort_unstable();
    tables.retain(|table| with_tables.binary_search(table).is_err() && is_data(page, *table));
    tables
}

/// What needs lines of its own.
fn is_block(page: &Page<'_>, index: usize) -> bool {
    let element = &page.elements[index];
    element.is_visible()
        && matches!(
            kinds::of(element),
            Kind::Heading(_) | Kind::List { .. } | Kind::Quote | Kind::Code | Kind::Rule
        )
}

fn is_data(page: &Page<'_>, table: usize) -> bool {
    let layout = layout(page, table);
    let width = layout.rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut cells = layout.rows.iter().flatten().flatten();
    layout.rows.len() > 1
        && width > 1
        && cells.all(|&cell| text::line(page, cell, CELL + 1).chars().count() <= CELL)
}

/// The lines of a table: its caption, its header, its rows. A cell that covers several places stands in the first.
pub(super) fn lines(page: &Page<'_>, table: usize) -> Vec<Line> {
    let Layout { rows, headers } = layout(page, table);
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines: Vec<Line> = Vec::new();
    let caption = page
        .children(table)
        .find(|&child| page.elements[child].is_html("caption"));
    let caption = caption
        .map(|caption| cell(page, caption))
        .filter(|text| !text.is_empty());
    lines.extend(caption.map(|text| Line {
        text,
        joins_next: false,
    }));
    let mut push = |cells: Vec<String>| {
        lines.push(Line {
            text: format!("| {} |", cells.join(" | ")),
            joins_next: true,
        });
    };
    let mut shown = std::collections::HashSet::new();
    let mut said = |row: &[Option<usize>]| -> Vec<String> {
        (0..width)
            .map(|column| match row.get(column).copied().flatten() {
                Some(index) if shown.insert(index) => cell(page, index),
                _ => String::new(),
            })
            .collect()
    };
    let mut rest = rows.iter();
    match rest.next().filter(|_| headers > 0) {
        Some(header) => push(said(header)),
        // Markdown has no table without a header.
        None => {
            rest = rows.iter();
            push(vec![String::new(); width]);
        }
    }
    push(vec!["---".to_owned(); width]);
    for row in rest {
        push(said(row));
    }
    if let Some(last) = lines.last_mut() {
        last.joins_next = false;
    }
    lines
}

/// What a cell says, on one line.
fn cell(page: &Page<'_>, cell: usize) -> String {
    let mut inline = Inline::on_one_line();
    for step in Walk::new(page, cell) {
        match step {
            Step::Enter(index) => {
                let element = &page.elements[index];
                if separates(element) {
                    inline.gap();
                }
                if !element.is_visible() {
                    continue;
                }
                match kinds::of(element) {
                    Kind::Style(style) => inline.open(style),
                    Kind::Link => {
                        inline.open_link(element.get("href").map(kinds::address).unwrap_or_default())
                    }
                    Kind::Image => {
                        let alt = element.get("alt").unwrap_or_default();
                        if !alt.trim().is_empty() {
                            inline.image(alt, &element.get("src").map(kinds::address).unwrap_or_default());
                        }
                    }
                    Kind::Term => inline.open(Style::Strong),
                    _ => {}
                }
            }
            Step::Text(index, text) => {
                let element = &page.elements[index];
                if element.shows_text() && !element.is(flags::SECRET) {
                    inline.write(text, false);
                }
            }
            Step::Leave(index) => {
                let element = &page.elements[index];
                if element.is_visible() {
                    match kinds::of(element) {
                        Kind::Style(_) | Kind::Term => inline.close(),
                        Kind::Link => inline.close_link(element.get("aria-label")),
                        _ => {}
                    }
                }
                if separates(element) {
                    inline.gap();
                }
            }
        }
    }
    inline
        .take()
        .unwrap_or_default()
        .replace('\n', " ")
        .replace('|', "\\|")
}
