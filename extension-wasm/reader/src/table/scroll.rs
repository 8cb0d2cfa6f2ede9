//! What tells the rows of a virtualised list from each other while it scrolls.

use drawbridge_protocol::page::TableScroll;

use super::Row;
use crate::page::Page;

/// Where a table's rows scroll, and where each of them stands; `None` without rows.
pub(super) fn of(page: &Page<'_>, table: usize, rows: &[Row]) -> Option<TableScroll> {
    let first = rows.first()?.index;
    let scroller = page
        .around(first)
        .find(|&around| scrolls(page, around).is_some())
        // A scroller far outside moves the whole page's content and not this table's rows alone, and will do.
        .or_else(|| scrolls(page, table).map(|_| table));
    let (top, moved) = match scroller {
        Some(scroller) => {
            let moved = scrolls(page, scroller).map_or(0, |(position, _, _)| position);
            (i64::from(page.elements[scroller].y), moved)
        }
        None => (0, 0),
    };
    let declared = rows.iter().all(|row| row.position.is_some());
    let positions = rows
        .iter()
        .map(|row| match row.position {
            Some(position) if declared => position,
            _ => i64::from(page.elements[row.index].y) - top + moved,
        })
        .collect();
    let scroller = scroller.map(|scroller| {
        let element = &page.elements[scroller];
        (u32::try_from(element.document).unwrap_or(u32::MAX), element.at)
    });
    Some(TableScroll { scroller, positions })
}

/// Position, scroll height and visible height, where there is more than is shown.
fn scrolls(page: &Page<'_>, index: usize) -> Option<(i64, i64, i64)> {
    let mut parts = page.elements[index]
        .get(":scroll")?
        .split(',')
        .map(|part| part.trim().parse::<i64>().ok());
    let (position, all, shown) = (parts.next()??, parts.next()??, parts.next()??);
    (all > shown).then_some((position, all, shown))
}
