//! Rows of a table, a grid or a repeated list.

mod cell;
mod cells;
mod choose;
mod columns;
mod grid;
mod scroll;
#[cfg(test)]
mod tests;

use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::{Locator, PageFound, Table};
use drawbridge_protocol::{Code, Error};

use crate::locate::Locate;
use crate::page::Page;
use crate::pages::Refs;
use crate::repeat;
use crate::selectors::matching::Tree;
use crate::{text, unread};

pub(crate) use cells::{is_for_looks, kind};
use choose::Choice;
pub(crate) use grid::{Layout, layout};

/// Bytes of all cells together; rows beyond are told as left out.
const MAX_BYTES: usize = 32 << 20;
/// Bytes that a cell costs besides its text.
const CELL: usize = size_of::<String>();
/// Characters of one cell.
const MAX_CELL: usize = 20_000;
/// Characters of a name.
const MAX_NAME: usize = 200;

/// What a read of a table asks for.
#[derive(Clone, Debug)]
pub(crate) struct Ask<'r> {
    /// Which; the largest without.
    pub(crate) target: Option<&'r Locator>,
    /// Columns to keep, by header or number from 1.
    pub(crate) columns: Option<&'r [String]>,
    /// Rows at most.
    pub(crate) max_rows: u32,
}

/// What stands in rows, whatever it is on the page.
struct Content<'c> {
    /// One per column, as the page has it; blank where it has none.
    headers: Vec<String>,
    rows: Vec<Row>,
    /// What a row says in a column, by their places.
    cell: Box<dyn FnMut(usize, usize) -> String + 'c>,
    /// Rows that cannot be seen.
    hidden: u32,
    /// Rows the page says there are.
    declared: Option<u32>,
}

/// One row.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The element.
    index: usize,
    /// Where the page says it stands, from 1.
    position: Option<i64>,
}

/// Answers a read of a table.
///
/// # Errors
/// `not_found` without a table, `invalid_argument` for a column that is not there, and those of the locator.
pub(crate) fn answer(
    locate: &Locate<'_, '_, '_>,
    refs: &mut Refs,
    ask: &Ask<'_>,
) -> Result<PageFound, Error> {
    let page = locate.page();
    let target = ask.target.map(|target| locate.one(target)).transpose()?;
    let choice = choose::choose(page, target).ok_or_else(|| {
        Error::new(Code::NotFound, "no table, grid or repeated list is there")
            .hint("text reads it all the same; name another target")
    })?;
    let (kind, index, mut content) = match choice {
        Choice::Grid { index, kind } => (kind, index, grid::read(page, index)),
        Choice::List(group) => ("list", group.parent, list(page, &group)),
    };
    let wanted = columns::wanted(&columns::unique(&content.headers), ask.columns)?;
    let most = usize::try_from(ask.max_rows).unwrap_or(usize::MAX);
    let mut bytes = 0;
    let rows: Vec<Vec<String>> = (0..content.rows.len().min(most))
        .map(|row| {
            wanted
                .iter()
                .map(|column| (content.cell)(row, column.at))
                .collect()
        })
        .take_while(|row: &Vec<String>| {
            bytes += row.iter().map(|cell| CELL + cell.len()).sum::<usize>();
            bytes <= MAX_BYTES
        })
        .collect();
    let mut name = locate.semantics().name(index).into_owned();
    text::shorten(&mut name, MAX_NAME);
    let omitted = Omitted {
        rows: number(content.rows.len() - rows.len()),
        hidden: content.hidden,
        frames: unread::count(page, target.unwrap_or(page.documents[0].root)),
        elements: page.left_out,
        characters: page.cut,
        ..Omitted::default()
    };
    let table = Table {
        r#ref: Some(refs.of(page, index)),
        kind: kind.to_owned(),
        name,
        columns: wanted.into_iter().map(|column| column.header).collect(),
        scroll: scroll::of(page, index, &content.rows[..rows.len()]),
        rows,
        declared_rows: content.declared,
    };
    Ok(PageFound::Table { table, omitted })
}

fn list<'c>(page: &Page<'_>, group: &repeat::Group) -> Content<'c> {
    let mut fields = repeat::fields(
        page,
        &Tree::new(page, page.documents[page.elements[group.parent].document].root),
        &group.rows,
    );
    fields.retain(repeat::Field::is_text);
    let rows = group.rows.iter().map(|&index| Row {
        index,
        position: cells::position(page, index),
    });
    Content {
        headers: fields.iter().map(|field| field.name.clone()).collect(),
        rows: rows.collect(),
        cell: Box::new(move |row, column| {
            let value = fields.get(column).and_then(|field| field.values.get(row));
            value.cloned().flatten().unwrap_or_default()
        }),
        hidden: 0,
        declared: group.rows.first().and_then(|&index| cells::set_size(page, index)),
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
