//! Elements that a locator or words mean, and what is told of them.

mod around;
pub(crate) mod bounds;
mod context;
mod query;
mod rank;
#[cfg(test)]
mod tests;
mod told;

use drawbridge_protocol::Error;
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::{By, Locator, Match, PageFound, Told, Wanted};

use crate::locate::Locate;
use crate::pages::Refs;
use crate::unread;

/// What a find asks for.
#[derive(Clone, Debug)]
pub(crate) struct Ask<'r> {
    /// Only inside this part.
    pub(crate) within: Option<&'r Locator>,
    pub(crate) what: &'r Wanted,
    /// Matches described at most.
    pub(crate) limit: u32,
    pub(crate) told: &'r Told,
}

/// Answers a find.
///
/// # Errors
/// Those of the locators, and `invalid_argument` for an attribute that no capture has.
pub(crate) fn answer(
    locate: &Locate<'_, '_, '_>,
    refs: &mut Refs,
    ask: &Ask<'_>,
) -> Result<PageFound, Error> {
    told::check(ask.told)?;
    let within = ask.within.map(|within| locate.one(within)).transpose()?;
    if let Some(within) = within {
        unread::check(locate.page(), within)?;
    }
    let limit = match ask.told {
        Told::Count => 0,
        Told::Node | Told::Text(_) | Told::Attribute(_) | Told::State | Told::Bounds => {
            usize::try_from(ask.limit).unwrap_or(usize::MAX)
        }
    };
    let found: Vec<(usize, Vec<String>)> = match ask.what {
        Wanted::Locator(locator) => {
            let found = locate.all_within(locator, within)?;
            // What can be seen first: a limit leaves out what nobody can act on.
            let (seen, hidden): (Vec<usize>, Vec<usize>) =
                found.into_iter().partition(|&index| locate.is_visible(index));
            seen.into_iter()
                .chain(hidden)
                .map(|index| (index, Vec::new()))
                .collect()
        }
        Wanted::Words(words) => rank::rank(locate, within, words),
    };
    let visible = found
        .iter()
        .filter(|(index, _)| locate.is_visible(*index))
        .count();
    let matches = found
        .iter()
        .take(limit)
        .map(|(index, why)| Match {
            why: why.clone(),
            ..told::of(locate, refs, *index, ask.told)
        })
        .collect();
    let omitted = Omitted {
        frames: unread(locate, ask.what, within)?,
        elements: locate.page().left_out,
        ..Omitted::default()
    };
    Ok(PageFound::Matches {
        total: number(found.len()),
        visible: number(visible),
        matches,
        omitted,
    })
}

/// Frames that were not read and where it might be.
fn unread(locate: &Locate<'_, '_, '_>, what: &Wanted, within: Option<usize>) -> Result<u32, Error> {
    let page = locate.page();
    let within = match what {
        // A ref is known, and a selector looks in one document.
        Wanted::Locator(locator) if matches!(locator.by, By::Ref(_) | By::Selector(_)) => return Ok(0),
        Wanted::Locator(locator) => locate.scope(locator, within)?,
        Wanted::Words(_) => within,
    };
    Ok(unread::count(page, within.unwrap_or(page.documents[0].root)))
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
