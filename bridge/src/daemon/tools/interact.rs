//! `browser_interact`: doing things on pages. Grants are decided for the document that is there, and the action is fenced
//! with it; what the browser finds to need more, such as a submit, is a question to the person before anything is done.

mod acting;
mod outcome;
mod probe;
mod several;

pub use probe::probe;
pub use several::{batch, form};

use drawbridge_protocol::act::{Action, Gesture, Point};
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::DocumentId;
use drawbridge_protocol::page::Locator;
use drawbridge_protocol::tools::interact::{Acting, Done, Plan};

use super::inspect::{Spot, spot};
use crate::daemon::work::Work;

/// Does one thing.
pub async fn act(work: &mut Work, args: &impl Acting) -> Result<Done, Error> {
    let plan = args.plan()?;
    let place = args.place();
    let spot = spot(work, place.session, place.tab)
        .await
        .map_err(outcome::undone)?;
    let (document, acted) = acting::perform(work, &spot, place.document, &plan).await?;
    Ok(Done::new(spot.session, spot.tab, document, acted))
}

/// Rests the pointer on an element.
///
/// # Errors
/// Those of an action.
pub(super) async fn hover(
    work: &mut Work,
    spot: &Spot,
    document: &DocumentId,
    one: Locator,
) -> Result<(), Error> {
    let plan = Plan::with(Some(one), Action::Hover);
    acting::perform(work, spot, Some(document), &plan).await.map(drop)
}

/// Moves the pointer to the edge of the page.
///
/// # Errors
/// Those of an action; that there is a frame at the edge is none.
pub(super) async fn leave(work: &mut Work, spot: &Spot, document: &DocumentId) -> Result<(), Error> {
    let gesture = Gesture::Move { at: Point::default() };
    let plan = Plan::with(None, Action::Pointer { gesture });
    match acting::perform(work, spot, Some(document), &plan).await {
        Err(error) if error.code != Code::Unsupported => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
