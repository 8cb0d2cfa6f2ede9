//! `table`.

use std::rc::Rc;

use drawbridge_protocol::error::Error;
use drawbridge_protocol::outline::{Kind, Omitted, Ref};
use drawbridge_protocol::page::{PageFound, PageRead, Table};
use drawbridge_protocol::tools::ToolId;
use drawbridge_protocol::tools::inspect::{DEFAULT_ROWS, MAX_ROWS, TableArgs, TableFormat, TableRead};
use serde_json::{Map, Value};

use super::super::number;
use super::kept::Kept;
use super::paging::{self, Limits, Missing, Pages, Part, Read};
use super::reading::{How, look_by};
use super::units::Units;
use crate::daemon::captures::Capture;
use crate::daemon::work::{Work, mismatch};

/// Columns that can be named, and characters of their names.
const MAX_COLUMNS: usize = 200;

/// Rows as they were read.
#[derive(Debug)]
pub struct Rows {
    reference: Option<Ref>,
    kind: String,
    name: String,
    columns: Vec<String>,
    declared: Option<u32>,
    format: TableFormat,
    /// One JSON text or line of CSV per row.
    rows: Units,
    /// What the page left out.
    omitted: Omitted,
}

/// Reads the rows of a table, grid or repeated list.
pub async fn table(work: &mut Work, args: TableArgs) -> Result<TableRead, Error> {
    let common = args.common();
    let limits = Limits::of(&common)?;
    let how = if args.scroll == Some(true) {
        How::Scrolling
    } else {
        How::Still
    };
    let columns = args.columns.clone().filter(|columns| !columns.is_empty());
    if let Some(columns) = &columns
        && (columns.len() > MAX_COLUMNS || columns.iter().any(|name| name.chars().count() > MAX_COLUMNS))
    {
        return Err(Error::argument(
            "columns",
            format!("takes up to {MAX_COLUMNS} names of up to {MAX_COLUMNS} characters"),
        ));
    }
    let ask = PageRead::Table {
        target: common.locator()?,
        columns,
        max_rows: number("maxRows", args.max_rows, DEFAULT_ROWS, 1..=MAX_ROWS)?,
    };
    let tool = ToolId::InspectTable;
    match paging::begin(work, &common, tool, &ask, &ALL).await? {
        Read::Kept(capture, from) => given(work, &capture, from, limits),
        Read::New(spot) => {
            let mut look = look_by(work, &spot, &common, &ask, how).await?;
            let PageFound::Table { table, omitted } = &mut look.found else {
                return Err(mismatch());
            };
            let format = args.format.unwrap_or_default();
            let rows = Rows::new(std::mem::take(table), std::mem::take(omitted), format);
            let capture = paging::capture(spot, &look, tool, (ask, limits), Kept::Table(rows));
            given(work, &capture, 0, limits)
        }
    }
}

/// What arguments ask for that say nothing.
const ALL: PageRead = PageRead::Table {
    target: None,
    columns: None,
    max_rows: DEFAULT_ROWS,
};

fn given(work: &Work, capture: &Rc<Capture>, from: usize, limits: Limits) -> Result<TableRead, Error> {
    let Kept::Table(rows) = &capture.kept else {
        return Err(mismatch());
    };
    let budget = limits.or(capture.limits).usual();
    paging::give(work, capture, rows, from, (None, budget), false)
}

impl Rows {
    fn new(table: Table, omitted: Omitted, format: TableFormat) -> Self {
        let mut rows = Units::default();
        for row in &table.rows {
            match format {
                TableFormat::Json => {
                    let cells = table.columns.iter().zip(row);
                    let cells: Map<String, Value> = cells
                        .map(|(column, cell)| (column.clone(), Value::String(cell.clone())))
                        .collect();
                    rows.push(&Value::Object(cells).to_string(), Kind::Other);
                }
                TableFormat::Csv => rows.write(Kind::Other, |out| record(out, row)),
            }
        }
        rows.shrink();
        Self {
            reference: table.r#ref,
            kind: table.kind,
            name: table.name,
            columns: table.columns,
            declared: table.declared_rows,
            format,
            rows,
            omitted,
        }
    }

    pub(super) fn size(&self) -> usize {
        self.rows.size() + self.columns.iter().map(String::capacity).sum::<usize>()
    }

    fn csv(&self, from: usize, count: usize) -> String {
        let mut out = String::new();
        record(&mut out, &self.columns);
        out.push_str(self.rows.text(from, count));
        out
    }
}

/// Writes one record. <https://www.rfc-editor.org/rfc/rfc4180>, but for lines that end as they do here.
fn record(out: &mut String, cells: &[String]) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            out.push('"');
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(cell);
        }
    }
    out.push('\n');
}

impl Pages for Rows {
    type Result = TableRead;

    fn units(&self) -> usize {
        self.rows.len()
    }

    fn bytes(&self, from: usize, count: usize) -> usize {
        self.rows.text(from, count).len()
    }

    fn result(&self, part: &Part<'_>) -> TableRead {
        let omitted = Omitted {
            rows: self.omitted.rows + self.rows.left(part.end()).all,
            ..self.omitted.clone()
        };
        let Missing {
            truncated,
            omitted,
            hint,
        } = paging::missing(
            omitted,
            part.cursor.as_ref(),
            "narrow it with columns, or raise maxTokens or maxRows",
        );
        let json = self.format == TableFormat::Json;
        TableRead {
            session: part.head.session.clone(),
            tab: part.head.tab.clone(),
            document: part.head.document.clone(),
            url: part.head.url.clone(),
            title: part.head.title.clone(),
            r#ref: self.reference,
            kind: self.kind.clone(),
            name: self.name.clone(),
            columns: self.columns.clone(),
            rows: json.then(|| self.rows.read(part.from, part.count)),
            csv: (!json).then(|| self.csv(part.from, part.count)),
            total_rows: self.rows.left(0).all + self.omitted.rows,
            declared_rows: self.declared,
            boundary: (!json).then(|| part.boundary.to_owned()),
            truncated,
            omitted,
            hint,
            next_cursor: part.cursor.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_holds_whatever_a_cell_holds() {
        let cells = ["a", "b,c", "say \"hi\"", "two\nlines", ""].map(str::to_owned);
        let mut out = String::new();
        record(&mut out, &cells);
        assert_eq!(out, "a,\"b,c\",\"say \"\"hi\"\"\",\"two\nlines\",\n");
    }
}
