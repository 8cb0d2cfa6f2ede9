//! `probe`: one action, and a longer look at what came of it.

use std::rc::Rc;

use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::ids::DocumentId;
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::outline::{Ref, line};
use drawbridge_protocol::page::{By, Locator, PageFound, PageRead, Told, Wanted};
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::interact::{Acting, ProbeArgs, Probed};

use super::acting::perform;
use super::outcome::undone;
use crate::daemon::tools::inspect::{Spot, readable, spot};
use crate::daemon::work::{Shown, Work, mismatch};

/// Does one action and tells at length what came of it.
pub async fn probe(work: &mut Work, args: ProbeArgs) -> Result<Probed, Error> {
    let plan = args.plan()?;
    let place = Acting::place(&args);
    let spot = spot(work, place.session, place.tab).await.map_err(undone)?;
    let (document, acted) = perform(work, &spot, place.document, &plan).await?;
    // Whatever fails from here on, the action was seen.
    let done = |error: Error| error.effect(Effect::Committed);
    let (shown, url_after) = work
        .shown_at(&spot.chosen, &spot.session, &spot.tab, Access::Interact)
        .await
        .map_err(done)?;
    let after = match acted.r#ref {
        Some(element) if shown.document == document && acted.changed.dialog.is_none() => {
            look(work, &spot, &shown, element).await.map_err(done)?
        }
        _ => None,
    };
    Ok(Probed {
        session: spot.session,
        tab: spot.tab,
        document,
        effect: Effect::Committed,
        r#ref: acted.r#ref,
        confirmed: acted.confirmed,
        changed: acted.changed,
        document_after: shown.document,
        url_after,
        after,
    })
}

/// The element as an outline would show it now; `None` where it may not be read, is gone or cannot be seen.
async fn look(work: &mut Work, spot: &Spot, shown: &Shown, element: Ref) -> Result<Option<String>, Error> {
    if !work.allowed(Access::Read, &shown.site) {
        return Ok(None);
    }
    let frames = readable(work, shown, &mut Vec::new());
    match find(work, spot, &shown.document, frames, element).await {
        Ok(found) => Ok(found),
        // It went, or the document did, between the action and this look.
        Err(error) if matches!(error.code, Code::StaleRef | Code::NotFound | Code::PageChanging) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn find(
    work: &mut Work,
    spot: &Spot,
    document: &DocumentId,
    frames: Vec<DocumentId>,
    element: Ref,
) -> Result<Option<String>, Error> {
    let hub = Rc::clone(&work.hub);
    let (deadline, token) = (work.deadline, work.ticket.token().clone());
    let mut turn = hub
        .refs
        .turn(&spot.chosen.row.id, &spot.tab, deadline, &token)
        .await?;
    let call = BrowserCall::Read {
        place: spot.place(document),
        frames: Some(frames),
        ask: Box::new(PageRead::Find {
            within: None,
            what: Wanted::Locator(Locator::new(By::Ref(element))),
            limit: 1,
            told: Told::Node,
        }),
        next_ref: turn.next(),
    };
    let BrowserReply::Read { found, next_ref, .. } = work.browser(&spot.chosen, call).await? else {
        return Err(mismatch());
    };
    turn.used(next_ref).await?;
    let PageFound::Matches { matches, .. } = *found else {
        return Err(mismatch());
    };
    let seen = matches.into_iter().find(|found| found.visible);
    Ok(seen.map(|found| line::line(&found.node)))
}
