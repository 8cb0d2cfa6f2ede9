//! One action: the document that is there, what is allowed in it, the turn of refs, the browser.

use std::rc::Rc;

use drawbridge_protocol::act::{AGAIN, Acted, May, needs};
use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::ids::DocumentId;
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::interact::Plan;
use serde_json::Value;

use super::outcome::{dispatched, small, undone};
use crate::daemon::tools::inspect::{Spot, allowed_in, readable, site_of};
use crate::daemon::work::{Shown, Work, mismatch};

/// How often an action starts over that was not dispatched: the page replaced itself, or the person's yes came meanwhile.
pub(super) const ATTEMPTS: usize = 8;

/// Does it, and says in which document.
///
/// # Errors
/// With the effect `none` where nothing was dispatched.
pub(super) async fn perform(
    work: &mut Work,
    spot: &Spot,
    meant: Option<&DocumentId>,
    plan: &Plan,
) -> Result<(DocumentId, Acted), Error> {
    let bound = meant.is_some() || plan.is_bound();
    for _ in 0..ATTEMPTS {
        let shown = shown(work, spot, meant, plan).await.map_err(undone)?;
        match act(work, spot, &shown, plan).await {
            Ok(acted) => return Ok((shown.document, small(acted))),
            Err(error) if error.effect != Some(Effect::None) => return Err(halfway(work, &shown, error)),
            Err(error) if error.code == Code::StaleRef && !bound => {}
            // What was still on its way is there by now, and its site is looked at as any other.
            Err(error) if arrived(&error) => {}
            Err(error) if error.code == Code::NeedsApproval => ask(work, &shown, error).map_err(undone)?,
            Err(error) => return Err(error),
        }
    }
    Err(undone(
        Error::new(
            Code::PageChanging,
            format!(
                "the page, or what is allowed in it, changed {ATTEMPTS} times before anything could be done"
            ),
        )
        .hint("try again once it has come to rest"),
    ))
}

/// What was begun and then came upon a use that is not allowed: the person is asked, and nothing is done again by itself.
fn halfway(work: &mut Work, shown: &Shown, error: Error) -> Error {
    if error.code != Code::NeedsApproval {
        return error;
    }
    let effect = error.effect;
    let plain = Error {
        data: None,
        ..error.clone()
    };
    match ask(work, shown, error) {
        Ok(()) => plain,
        Err(refusal) => Error { effect, ..refusal },
    }
}

fn arrived(error: &Error) -> bool {
    let says = |data: &Value| data.get(AGAIN) == Some(&Value::Bool(true));
    error.code == Code::NotFound && error.data.as_ref().is_some_and(says)
}

/// The document that the tab shows, once it may be acted on and is the one that is meant. What is not named by a ref is
/// looked for in the page, which is a read.
async fn shown(
    work: &mut Work,
    spot: &Spot,
    meant: Option<&DocumentId>,
    plan: &Plan,
) -> Result<Shown, Error> {
    let shown = work
        .shown(&spot.chosen, &spot.session, &spot.tab, Access::Interact)
        .await?;
    if meant.is_some_and(|meant| *meant != shown.document) {
        return Err(
            Error::new(Code::StaleRef, "the tab shows another document by now")
                .hint("observe it again: refs and document ids end with their document"),
        );
    }
    if plan.target.is_some() && !plan.is_bound() {
        work.allow(Access::Read, shown.site.clone())?;
    }
    Ok(shown)
}

async fn act(work: &mut Work, spot: &Spot, shown: &Shown, plan: &Plan) -> Result<Acted, Error> {
    let hub = Rc::clone(&work.hub);
    let (deadline, token) = (work.deadline, work.ticket.token().clone());
    let mut turn = hub
        .refs
        .turn(&spot.chosen.row.id, &spot.tab, deadline, &token)
        .await
        .map_err(undone)?;
    let call = BrowserCall::Act {
        place: spot.place(&shown.document),
        frames: Some(readable(work, shown, &mut Vec::new())),
        may: May {
            act: allowed_in(work, Access::Interact, shown),
            submit: allowed_in(work, Access::Submit, shown),
        },
        target: plan.target.clone().map(Box::new),
        action: Box::new(plan.action.clone()),
        settle_ms: plan.settle_ms,
        next_ref: turn.next(),
    };
    match work.browser(&spot.chosen, call).await.map_err(dispatched)? {
        BrowserReply::Acted { acted, next_ref } => {
            turn.used(next_ref)
                .await
                .map_err(|error| error.effect(Effect::Committed))?;
            Ok(*acted)
        }
        BrowserReply::Undone { error, next_ref } => {
            turn.used(next_ref).await.map_err(|failed| Error {
                effect: error.effect,
                ..failed
            })?;
            Err(error)
        }
        _ => Err(mismatch()),
    }
}

/// The browser found that the action needs a use that was not allowed in one of the documents: the person is asked.
/// `Ok` when that use is allowed by now.
fn ask(work: &mut Work, shown: &Shown, error: Error) -> Result<(), Error> {
    let word = |name: &str| {
        let data = error.data.as_ref()?;
        data.get(name)?.as_str().map(str::to_owned)
    };
    let access = match word("needs").as_deref() {
        Some(needs::SUBMIT) => Access::Submit,
        Some(needs::INTERACT) => Access::Interact,
        Some(_) | None => return Err(error),
    };
    let document = word("document").unwrap_or_default();
    let site = site_of(shown, &DocumentId(document)).ok_or_else(|| {
        Error::new(
            Code::PageUnreadable,
            "the element is in a frame that is never acted on",
        )
    })?;
    work.allow(access, site).map_err(|refusal| Error {
        // What the caller hears is which use it lacks; documents of frames are none of its business.
        data: word("needs").map(|needs| serde_json::json!({ "needs": Value::String(needs) })),
        ..refusal
    })
}
