//! Reads a list that shows a part of its rows at a time: scrolls it from its beginning to its end, and puts it back.

mod merge;

use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::Error;
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::{PageFound, PageRead, Table, TableScroll};
use drawbridge_protocol::reader::PortOp;

use crate::capture::Capture;
use crate::chrome;
use crate::debugger::{self, Hold};
use crate::port;
use crate::read::Look;
use crate::state::App;
use crate::time::{Moment, now};
use merge::Merge;

/// How long a list may take to show anything new after it was scrolled.
const SHOWS: Duration = Duration::from_millis(600);
/// It has come to rest when nothing changed for so long …
const QUIET: Duration = Duration::from_millis(60);
/// … or after so many changes: some pages never rest.
const CHANGES: usize = 8;
/// Kept back of a call's time, to put the list back and to answer.
const KEPT_BACK: Duration = Duration::from_millis(700);

/// Where a list is scrolled to, CSS px.
#[derive(Clone, Copy, Debug)]
struct Scrolled {
    at: i32,
    shown: i32,
}

/// One look at the list.
struct Seen {
    table: Table,
    omitted: Omitted,
    scroll: TableScroll,
    document: String,
    capture: i32,
}

/// Reads every row of a list by scrolling it; one that does not scroll is read as it is.
///
/// # Errors
/// Those of a read.
pub(crate) async fn read(
    app: &Rc<App>,
    look: &Look<'_>,
    ask: &PageRead,
    most: u32,
) -> Result<Box<PageFound>, Error> {
    let until = look.until().saturating_sub(KEPT_BACK);
    let first = match see(look, ask).await? {
        Ok(seen) => seen,
        Err(found) => return Ok(found),
    };
    // Pages in the background get no frames, and most such lists wait for one.
    let _awake = Awake::keep(app, look.tab).await;
    walk(look, ask, most, until, first).await
}

async fn walk(
    look: &Look<'_>,
    ask: &PageRead,
    most: u32,
    until: Moment,
    first: Seen,
) -> Result<Box<PageFound>, Error> {
    let before = scroll(look, &first, None).await?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut merge = Merge::default();
    let mut seen = first;
    let mut at = before;
    if at.at > 0 {
        at = scroll(look, &seen, Some(0)).await?;
        rest(look, &seen, SHOWS).await;
        seen = next(look, ask, seen).await?;
    }
    let (mut is_whole, mut probed) = (false, false);
    loop {
        merge.add(std::mem::take(&mut seen.table.rows), &seen.scroll.positions);
        if merge.len() >= most || now() >= until {
            break;
        }
        // Some rows are seen twice, so that none is missed.
        let step = (at.shown * 4 / 5).max(1);
        let there = scroll(look, &seen, Some(at.at.saturating_add(step))).await?;
        let is_end = there.at <= at.at;
        let changed = rest(look, &seen, SHOWS).await;
        if !changed && is_end {
            is_whole = true;
            break;
        }
        at = there;
        if !changed && !probed {
            // Either all rows are there already, or they come by the screenful: the end tells.
            probed = true;
            scroll(look, &seen, Some(i32::MAX)).await?;
            if !rest(look, &seen, SHOWS).await {
                is_whole = true;
                break;
            }
            seen = next(look, ask, seen).await?;
            at = scroll(look, &seen, Some(there.at)).await?;
            rest(look, &seen, SHOWS).await;
        }
        seen = next(look, ask, seen).await?;
    }
    scroll(look, &seen, Some(before.at)).await?;
    // It is left as it was, drawn.
    rest(look, &seen, SHOWS).await;
    let Seen {
        mut table,
        mut omitted,
        ..
    } = seen;
    let found = merge.len();
    table.rows = merge.into_rows();
    table.rows.truncate(most);
    table.scroll = None;
    let declared = table.declared_rows.unwrap_or(0) as usize;
    let left = match (found.saturating_sub(most), is_whole) {
        (0, true) => 0,
        // How many rows there are is known where the page says it.
        (beyond, _) => beyond.max(declared.saturating_sub(table.rows.len())).max(1),
    };
    omitted.rows = u32::try_from(left).unwrap_or(u32::MAX);
    Ok(Box::new(PageFound::Table { table, omitted }))
}

/// Looks at the list; what is no list that scrolls is answered as it was found.
async fn see(look: &Look<'_>, ask: &PageRead) -> Result<Result<Seen, Box<PageFound>>, Error> {
    let (taken, found) = look.found(ask).await?;
    match *found {
        PageFound::Table { mut table, omitted } => match table.scroll.take() {
            Some(scroll) => {
                let part = scroll.scroller.map_or(0, |(part, _)| part as usize);
                Ok(Ok(Seen {
                    document: taken.documents.get(part).cloned().unwrap_or_default(),
                    capture: number(&taken, part),
                    table,
                    omitted,
                    scroll,
                }))
            }
            None => Ok(Err(Box::new(PageFound::Table { table, omitted }))),
        },
        other => Ok(Err(Box::new(other))),
    }
}

/// The next look; a list that shows no rows at the moment is as it was.
async fn next(look: &Look<'_>, ask: &PageRead, before: Seen) -> Result<Seen, Error> {
    Ok(see(look, ask).await?.unwrap_or(before))
}

fn number(taken: &Capture, part: usize) -> i32 {
    taken
        .columns
        .get(part)
        .and_then(|columns| port::ints(&columns.slice(0, 400)).get(port::HEADER).copied())
        .unwrap_or(-1)
}

/// Scrolls the list, or only asks where it is.
async fn scroll(look: &Look<'_>, seen: &Seen, to: Option<i32>) -> Result<Scrolled, Error> {
    let op = PortOp::Scroll {
        capture: seen.capture,
        at: seen
            .scroll
            .scroller
            .map_or(-1, |(_, at)| i32::try_from(at).unwrap_or(-1)),
        to: to.unwrap_or(-1),
    };
    let columns = look.run(&seen.document, &op).await?;
    match port::ints(&columns).get(port::HEADER..) {
        Some(&[at, _, shown]) if at >= 0 => Ok(Scrolled { at, shown }),
        _ => Err(Error::internal("the list went away while it was scrolled")),
    }
}

/// Waits until the list shows what it has to show there. Answers whether anything changed.
async fn rest(look: &Look<'_>, seen: &Seen, patience: Duration) -> bool {
    let changed = async |time| matches!(port::changed(look.tab, &seen.document, time).await, Ok(true));
    if !changed(patience).await {
        return false;
    }
    for _ in 0..CHANGES {
        if !changed(QUIET).await {
            break;
        }
    }
    true
}

/// A page that is made to draw although nobody sees it, until this is dropped.
struct Awake {
    hold: Option<Hold>,
}

impl Awake {
    async fn keep(app: &Rc<App>, tab: i64) -> Self {
        if chrome::tab(tab).await.is_ok_and(|tab| tab.active) {
            return Self { hold: None };
        }
        let Ok(hold) = debugger::hold(app, tab).await else {
            return Self { hold: None };
        };
        hold.draw();
        Self { hold: Some(hold) }
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        let Some(hold) = self.hold.take() else { return };
        wasm_bindgen_futures::spawn_local(async move {
            hold.end().await;
        });
    }
}
