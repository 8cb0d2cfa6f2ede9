//! Names of columns, and which of them were asked for.

use std::collections::{HashMap, HashSet};

use drawbridge_protocol::Error;
use serde_json::json;

use crate::fold::caseless;

/// Columns that an error names.
const NAMED: usize = 50;

/// A column that is given.
#[derive(Debug, PartialEq)]
pub(super) struct Column {
    /// Its place in the table.
    pub(super) at: usize,
    pub(super) header: String,
}

/// Headers that are different from each other and never blank: `column3`, `Price (2)`.
pub(super) fn unique(headers: &[String]) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    // A name the page gives goes to whom the page gives it, so those come first.
    let given: HashSet<&str> = headers.iter().map(String::as_str).collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    headers
        .iter()
        .enumerate()
        .map(|(at, header)| {
            let base = match header.as_str() {
                "" => format!("column{}", at + 1),
                header => header.to_owned(),
            };
            let is_free = !header.is_empty() || !given.contains(base.as_str());
            if is_free && taken.insert(base.clone()) {
                return base;
            }
            // Counted on per name, so that a thousand equal headers cost a thousand steps.
            let count = counts.entry(base.clone()).or_insert(1);
            loop {
                *count += 1;
                let name = format!("{base} ({count})");
                if !given.contains(name.as_str()) && taken.insert(name.clone()) {
                    return name;
                }
            }
        })
        .collect()
}

/// The columns that are asked for, in the order they are; all of them if none are.
///
/// # Errors
/// `invalid_argument` for one that is not there; its data names those that are.
pub(super) fn wanted(headers: &[String], ask: Option<&[String]>) -> Result<Vec<Column>, Error> {
    let column = |at: usize| Column {
        at,
        header: headers[at].clone(),
    };
    let Some(ask) = ask else {
        return Ok((0..headers.len()).map(column).collect());
    };
    ask.iter()
        .enumerate()
        .map(|(nth, asked)| {
            let name = caseless(asked);
            let number = || {
                asked
                    .trim()
                    .parse::<usize>()
                    .ok()?
                    .checked_sub(1)
                    .filter(|at| *at < headers.len())
            };
            headers
                .iter()
                .position(|header| header == asked)
                .or_else(|| headers.iter().position(|header| caseless(header) == name))
                .or_else(number)
                .map(column)
                .ok_or_else(|| {
                    let shown: Vec<&String> = headers.iter().take(NAMED).collect();
                    Error::argument(
                        &format!("columns[{nth}]"),
                        format!("there is no column {asked:?}"),
                    )
                    .hint("name a header as the table has it, or its number from 1")
                    .data(json!({"columns": shown}))
                })
        })
        .collect()
}
