//! `table`: rows of tables, grids and repeated lists.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::outline::Ref;

read_args! {
    /// Arguments of `table`.
    TableArgs {
        /// `json` (default): rows as objects; `csv`.
        format: TableFormat,
        /// Columns to keep, by header or by number from 1.
        columns: Vec<String>,
        /// Rows at most; default 10000, up to 100000.
        max_rows: u32,
        /// Scroll a virtualised list to its end; needs `browser.interact`.
        scroll: bool,
    }
}

/// How rows are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum TableFormat {
    /// Objects, keyed by column.
    #[default]
    Json,
    /// RFC 4180, with a line of headers.
    Csv,
}

read_result! {
    /// Result of `table`.
    TableRead {
        /// The element that was read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        r#ref: Option<Ref>,
        /// `table`, `grid` or `list`.
        kind: String,
        /// Its accessible name. Page data.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Headers, unique; `column1` … where the page has none. Page data.
        columns: Vec<String>,
        /// With `format: json`: the rows, keyed by column. Page data.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rows: Option<Vec<Map<String, Value>>>,
        /// With `format: csv`: the rows below a line of headers. Page data.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        csv: Option<String>,
        /// Rows in all, of which this reply may give a part.
        total_rows: u32,
        /// Rows the page says there are, where it says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        declared_rows: Option<u32>,
        /// Random word that frames page data where this reply is written as text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        boundary: Option<String>,
    }
}
