//! What the pages are made of.

use std::fmt::Display;

use axum::response::Html;

/// A whole page around a body.
pub(super) fn page(title: &str, body: impl Display) -> Html<String> {
    Html(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <link rel=\"icon\" href=\"data:,\"></head>\n<body>{body}</body></html>\n"
    ))
}

/// A list page that the recipe of [`super::recipes::list`] fits: rows, then whatever follows them.
pub(super) fn list(rows: &str, after: impl Display) -> Html<String> {
    page(
        "List",
        format!("<main><h1>List</h1><ul>{rows}</ul>{after}</main>"),
    )
}

/// One row with title, link and price.
pub(super) fn row(number: usize) -> String {
    row_with("", number, &price(number))
}

/// One row with attributes of its own and whatever follows its title.
pub(super) fn row_with(attributes: &str, number: usize, after: &str) -> String {
    format!(
        "<li class=\"row\" {attributes}><a class=\"title\" href=\"/item/{number}\">Item {number}</a> {after}</li>\n"
    )
}

/// A price as rows have it.
pub(super) fn price(number: usize) -> String {
    format!("<span class=\"price\">{number}.50 EUR</span>")
}

/// Rows with numbers in a range.
pub(super) fn rows(numbers: impl IntoIterator<Item = usize>) -> String {
    numbers.into_iter().map(row).collect()
}

/// A link to the next page.
pub(super) fn next(href: impl Display) -> String {
    format!("<a class=\"next\" href=\"{href}\">Next</a>")
}
