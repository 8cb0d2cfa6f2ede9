//! Results on standard output: tables and lines, nothing else.
#![expect(
    clippy::print_stdout,
    reason = "this is the one place where commands print their results"
)]

use comfy_table::{ContentArrangement, Table, presets};

/// Columns of a table at most; longer texts wrap.
const WIDTH: u16 = 130;

/// Prints one line.
pub(crate) fn line(text: impl std::fmt::Display) {
    println!("{text}");
}

/// Prints a table under a title.
pub(crate) fn table<R: IntoIterator<Item = String>>(
    title: &str,
    head: &[&str],
    rows: impl IntoIterator<Item = R>,
) {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH)
        .set_header(head.iter().copied());
    for row in rows {
        table.add_row(row.into_iter().collect::<Vec<_>>());
    }
    println!("\n{title}\n{table}");
}
