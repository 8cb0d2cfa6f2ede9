//! Rows and columns of a table or grid, spans resolved.

use std::collections::{BTreeSet, HashMap};

use super::cells::{self, Cell, Section};
use super::{Content, Row, cell};
use crate::page::Page;

/// Columns of a table. A page can declare a thousand per cell; nobody reads more than this.
const MAX_COLUMNS: usize = 500;
/// Places of a table that spans may cover; past them every cell is one place.
const MAX_PLACES: usize = 4_000_000;
/// Rows that a cell covers at most, as HTML has it.
const MAX_ROWSPAN: usize = 65_534;
/// What joins the parts of a header of several rows.
const JOINED: &str = " / ";

/// One row as it is found.
#[derive(Debug)]
struct Found {
    index: usize,
    section: Section,
    /// Which section it is in: a cell covers no rows of another.
    part: usize,
    cells: Vec<usize>,
}

/// What covers a place: which cell, and which row of the result it began in.
type Places = Vec<Option<usize>>;

/// Reads a table or grid; its cells are read when they are asked for.
pub(super) fn read<'c>(page: &'c Page<'_>, table: usize) -> Content<'c> {
    let mut found = find(page, table);
    found.sort_by_key(|row| row.section);
    let found = merge(page, found);
    let laid = lay(page, &found);
    let headers = header_rows(page, &found);
    let width = laid.iter().map(Vec::len).max().unwrap_or(0);
    let mut texts: HashMap<usize, String> = HashMap::new();
    let mut said = move |index: usize| {
        texts
            .entry(index)
            .or_insert_with(|| cell::read(page, index))
            .clone()
    };
    let names = (0..width)
        .map(|column| {
            let mut parts: Vec<(usize, String)> = Vec::new();
            for places in &laid[..headers] {
                // One cell that covers several rows of the header says its name once.
                if let Some(index) = places.get(column).copied().flatten()
                    && parts.last().is_none_or(|(last, _)| *last != index)
                {
                    parts.push((index, said(index)));
                }
            }
            let parts: Vec<String> = parts
                .into_iter()
                .map(|(_, text)| text)
                .filter(|text| !text.is_empty())
                .collect();
            parts.join(JOINED)
        })
        .collect();
    let declared = declared(page, table, &found[..headers]);
    let (mut rows, mut places, mut hidden) = (Vec::new(), Vec::new(), unrendered(page, table));
    for (row, own) in found.iter().zip(laid).skip(headers) {
        if is_seen(page, row) {
            places.push(own);
            rows.push(Row {
                index: row.index,
                position: cells::position(page, row.index),
            });
        } else {
            hidden += 1;
        }
    }
    Content {
        headers: names,
        rows,
        cell: Box::new(move |row, column| {
            let place = places.get(row).and_then(|row: &Places| row.get(column));
            place.copied().flatten().map(&mut said).unwrap_or_default()
        }),
        hidden,
        declared,
    }
}

/// The rows of a table itself, without those of tables inside of it, that take a place.
fn find(page: &Page<'_>, table: usize) -> Vec<Found> {
    let mut rows: Vec<Found> = Vec::new();
    // Where the section or row that is open ends.
    let (mut section, mut section_end, mut part) = (Section::Body, table, 0);
    let (mut row_end, mut index) = (table, table + 1);
    while index < page.elements[table].end {
        let element = &page.elements[index];
        let end = element.end.max(index + 1);
        if cells::kind(element).is_some() {
            index = end;
            continue;
        }
        if index >= section_end && section != Section::Body {
            section = Section::Body;
            part += 1;
        }
        if let Some(own) = cells::section(element) {
            (section, section_end) = (own, end);
            part += 1;
        } else if cells::is_row(element) {
            if !cells::takes_place(element) {
                index = end;
                continue;
            }
            row_end = end;
            rows.push(Found {
                index,
                section,
                part,
                cells: Vec::new(),
            });
        } else if index < row_end
            && cells::cell(element).is_some()
            && let Some(row) = rows.last_mut()
        {
            if cells::takes_place(element) {
                row.cells.push(index);
            }
            index = end;
            continue;
        }
        index += 1;
    }
    rows
}

/// Rows that are laid out in several boxes, such as pinned columns beside the others, and say that they are one.
fn merge(page: &Page<'_>, found: Vec<Found>) -> Vec<Found> {
    let mut by_position: HashMap<i64, usize> = HashMap::new();
    let mut merged: Vec<Found> = Vec::new();
    for row in found {
        let declared = page.elements[row.index]
            .get("aria-rowindex")
            .and_then(|value| value.trim().parse().ok());
        let known = declared.and_then(|position: i64| by_position.get(&position).copied());
        // Only rows that say of every cell which column it is in can be put together.
        let placed = row
            .cells
            .iter()
            .all(|&cell| page.elements[cell].has("aria-colindex"));
        match known.and_then(|known| merged.get_mut(known)) {
            Some(known) if placed && known.section == row.section => known.cells.extend(row.cells),
            _ => {
                if let Some(position) = declared {
                    by_position.insert(position, merged.len());
                }
                merged.push(row);
            }
        }
    }
    merged
}

/// Which cell stands in which place, row by row.
fn lay(page: &Page<'_>, rows: &[Found]) -> Vec<Places> {
    let ranks = column_ranks(page, rows);
    let mut laid: Vec<Places> = Vec::with_capacity(rows.len());
    // Per column: the cell that still covers it, and for how many rows.
    let mut covered: Vec<Option<(usize, usize)>> = Vec::new();
    let (mut part, mut places_in_all) = (None, 0);
    for row in rows {
        let is_too_much = places_in_all > MAX_PLACES;
        if is_too_much {
            covered.clear();
        }
        if part != Some(row.part) {
            covered.clear();
            part = Some(row.part);
        }
        let mut places: Places = Vec::new();
        for (column, cover) in covered.iter_mut().enumerate() {
            if let Some((cell, left)) = cover {
                put(&mut places, column, *cell);
                *left -= 1;
                if *left == 0 {
                    *cover = None;
                }
            }
        }
        let mut next = 0;
        for &cell in &row.cells {
            let element = &page.elements[cell];
            let (columns, rowspan) = match is_too_much {
                true => (1, 1),
                false => (
                    cells::span(element, "colspan", "aria-colspan", MAX_COLUMNS).max(1),
                    cells::span(element, "rowspan", "aria-rowspan", MAX_ROWSPAN),
                ),
            };
            let declared = element
                .get("aria-colindex")
                .and_then(|value| value.trim().parse::<u32>().ok());
            match declared.and_then(|declared| ranks.get(&declared)) {
                Some(rank) => next = *rank,
                None => {
                    while places.get(next).is_some_and(Option::is_some) {
                        next += 1;
                    }
                }
            }
            for column in (next..next + columns).take_while(|column| *column < MAX_COLUMNS) {
                if places.get(column).copied().flatten().is_none() {
                    put(&mut places, column, cell);
                }
                let rows_below = match rowspan {
                    // To the end of the section, which clears what covers.
                    0 => usize::MAX,
                    rows => rows - 1,
                };
                if rows_below > 0 {
                    if covered.len() <= column {
                        covered.resize(column + 1, None);
                    }
                    covered[column] = Some((cell, rows_below));
                }
            }
            next += columns;
        }
        places_in_all += places.len();
        laid.push(places);
    }
    trim(&mut laid);
    laid
}

/// Drops the columns at the end in which no cell begins: a footer that covers a hundred columns makes none.
fn trim(laid: &mut [Places]) {
    let begins = |places: &Places| {
        let last = places.iter().rposition(Option::is_some)?;
        (0..=last)
            .rev()
            .find(|&at| at == 0 || places[at - 1] != places[last])
    };
    let width = laid.iter().filter_map(begins).max().map_or(0, |last| last + 1);
    for places in laid {
        places.truncate(width);
    }
}

fn put(places: &mut Places, column: usize, cell: usize) {
    if places.len() <= column {
        places.resize(column + 1, None);
    }
    places[column] = Some(cell);
}

/// Columns by the number they declare, when every cell declares one: a grid may show only some of its columns.
fn column_ranks(page: &Page<'_>, rows: &[Found]) -> HashMap<u32, usize> {
    let mut declared: BTreeSet<u32> = BTreeSet::new();
    for &cell in rows.iter().flat_map(|row| &row.cells) {
        let element = &page.elements[cell];
        let Some(column) = element
            .get("aria-colindex")
            .and_then(|value| value.trim().parse::<u32>().ok())
        else {
            return HashMap::new();
        };
        let columns = cells::span(element, "colspan", "aria-colspan", MAX_COLUMNS).max(1);
        declared
            .extend((0..columns).map(|more| column.saturating_add(u32::try_from(more).unwrap_or(u32::MAX))));
    }
    declared
        .into_iter()
        .enumerate()
        .map(|(rank, column)| (column, rank))
        .collect()
}

/// How many rows at the beginning name the columns: those of the head, else those of nothing but headers.
fn header_rows(page: &Page<'_>, rows: &[Found]) -> usize {
    let head = rows.iter().take_while(|row| row.section == Section::Head).count();
    if head > 0 {
        return head;
    }
    let is_header = |cell: usize| cells::cell(&page.elements[cell]) == Some(Cell::ColumnHeader);
    let is_blank = |cell: usize| page.elements[cell].end == cell + 1 && !page.elements[cell].has_own_text();
    let names = |row: &Found| {
        // The corner above the names of rows is often empty, and a plain cell.
        row.cells.iter().any(|&cell| is_header(cell))
            && row.cells.iter().all(|&cell| is_header(cell) || is_blank(cell))
    };
    let spans = |row: &Found| {
        let wide = |cell: &usize| {
            ["colspan", "rowspan"]
                .iter()
                .any(|key| page.elements[*cell].has(key))
        };
        row.cells.iter().any(wide)
    };
    // A second row of names belongs to them where the first leaves room for it; else it names what follows.
    let mut more = true;
    let named = rows
        .iter()
        .take_while(|row| std::mem::replace(&mut more, spans(row)) && names(row))
        .count();
    // Names of nothing are rows themselves.
    if named == rows.len() { 0 } else { named }
}

fn is_seen(page: &Page<'_>, row: &Found) -> bool {
    let seen = |index: usize| page.elements[index].is_visible();
    seen(row.index) || row.cells.iter().any(|&cell| seen(cell))
}

/// Rows that are not rendered at all.
fn unrendered(page: &Page<'_>, table: usize) -> u32 {
    let (mut count, mut index) = (0, table + 1);
    while index < page.elements[table].end {
        let element = &page.elements[index];
        let is_gone = cells::is_row(element) && !cells::takes_place(element);
        if is_gone {
            count += 1;
        }
        index = if is_gone || cells::kind(element).is_some() {
            element.end.max(index + 1)
        } else {
            index + 1
        };
    }
    count
}

/// The rows a table says it has, without those of its header.
fn declared(page: &Page<'_>, table: usize, headers: &[Found]) -> Option<u32> {
    let all: u32 = page.elements[table].get("aria-rowcount")?.trim().parse().ok()?;
    let counted = headers
        .iter()
        .filter(|row| page.elements[row.index].has("aria-rowindex"))
        .count();
    Some(all.saturating_sub(super::number(counted)))
}

/// Which cell stands in which place, visible rows only.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) rows: Vec<Vec<Option<usize>>>,
    /// How many rows at the beginning name the columns.
    pub(crate) headers: usize,
}

/// The places of a table, without what its cells say.
pub(crate) fn layout(page: &Page<'_>, table: usize) -> Layout {
    let mut found = find(page, table);
    found.sort_by_key(|row| row.section);
    let found = merge(page, found);
    let headers = header_rows(page, &found);
    let rows: Vec<(bool, Places)> = found
        .iter()
        .map(|row| is_seen(page, row))
        .zip(lay(page, &found))
        .collect();
    Layout {
        headers: rows[..headers].iter().filter(|(seen, _)| *seen).count(),
        rows: rows
            .into_iter()
            .filter(|(seen, _)| *seen)
            .map(|(_, places)| places)
            .collect(),
    }
}
