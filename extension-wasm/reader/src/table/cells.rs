//! Which elements are tables, rows and cells, by tag or by role.

use drawbridge_protocol::reader::flags;

use crate::page::{Element, Page};
use crate::visible;

/// The role an element was given by its author: the first one that means something here.
pub(super) fn given_role<'e>(element: &'e Element<'_>) -> Option<&'e str> {
    element.get("role")?.split_ascii_whitespace().next()
}

/// What kind of table it is, whether or not it is one for looks alone.
pub(crate) fn kind(element: &Element<'_>) -> Option<&'static str> {
    match given_role(element).map(str::to_ascii_lowercase).as_deref() {
        Some("grid") => Some("grid"),
        Some("treegrid") => Some("treegrid"),
        Some("table") => Some("table"),
        _ => element.is_html("table").then_some("table"),
    }
}

/// Whether a table says that it is none.
pub(crate) fn is_for_looks(element: &Element<'_>) -> bool {
    given_role(element)
        .is_some_and(|role| role.eq_ignore_ascii_case("none") || role.eq_ignore_ascii_case("presentation"))
}

/// Whether it is a row.
pub(super) fn is_row(element: &Element<'_>) -> bool {
    match given_role(element) {
        Some(role) => role.eq_ignore_ascii_case("row"),
        None => element.is_html("tr"),
    }
}

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Data.
    Data,
    /// It names its column.
    ColumnHeader,
    /// It names its row.
    RowHeader,
}

/// Whether it is a cell, and which.
pub(super) fn cell(element: &Element<'_>) -> Option<Cell> {
    let role = given_role(element).map(str::to_ascii_lowercase);
    match role.as_deref() {
        Some("columnheader") => return Some(Cell::ColumnHeader),
        Some("rowheader") => return Some(Cell::RowHeader),
        Some("cell" | "gridcell") => return Some(Cell::Data),
        _ => {}
    }
    if element.is_html("td") {
        return Some(Cell::Data);
    }
    element.is_html("th").then(
        || match element.get("scope").map(str::to_ascii_lowercase).as_deref() {
            Some("row" | "rowgroup") => Cell::RowHeader,
            _ => Cell::ColumnHeader,
        },
    )
}

/// Which part of a table a row is in; they are shown in this order wherever they stand in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    /// `thead`.
    Head,
    /// `tbody`, or none.
    Body,
    /// `tfoot`.
    Foot,
}

/// The part that begins with an element.
pub(super) fn section(element: &Element<'_>) -> Option<Section> {
    match element.tag.as_ref() {
        _ if element.is(flags::FOREIGN) => None,
        "thead" => Some(Section::Head),
        "tbody" => Some(Section::Body),
        "tfoot" => Some(Section::Foot),
        _ => None,
    }
}

/// Whether it takes a place, seen or not.
pub(super) fn takes_place(element: &Element<'_>) -> bool {
    visible::is_rendered(element.flags)
}

/// The position a row declares, from 1.
pub(crate) fn position(page: &Page<'_>, row: usize) -> Option<i64> {
    let element = &page.elements[row];
    ["aria-rowindex", "aria-posinset"]
        .iter()
        .find_map(|key| element.get(key)?.trim().parse::<i64>().ok())
        .filter(|position| *position > 0)
}

/// How many rows a row says there are.
pub(crate) fn set_size(page: &Page<'_>, row: usize) -> Option<u32> {
    page.elements[row].get("aria-setsize")?.trim().parse().ok()
}

/// How many columns, or rows, a cell covers; 0 rows: to the end of its section.
pub(super) fn span(element: &Element<'_>, own: &str, aria: &str, most: usize) -> usize {
    let value = element.get(own).or_else(|| element.get(aria));
    match value.and_then(|value| value.trim().parse::<usize>().ok()) {
        Some(span) => span.min(most),
        None => 1,
    }
}
