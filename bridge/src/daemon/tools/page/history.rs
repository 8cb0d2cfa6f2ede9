//! `back`, `forward`, `reload`.

use drawbridge_protocol::act::{History, needs};
use drawbridge_protocol::address::{self, Address};
use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::interact::Where;
use drawbridge_protocol::tools::page::{BackArgs, ForwardArgs, Navigated, Phase, ReloadArgs};

use serde_json::json;

use super::navigated;
use crate::daemon::grants::Site;
use crate::daemon::tools::inspect::{Spot, spot};
use crate::daemon::work::{Work, mismatch};

/// One entry back.
pub async fn back(work: &mut Work, args: BackArgs) -> Result<Navigated, Error> {
    go(work, args.place(), History::Back, args.wait_until).await
}

/// One entry forward.
pub async fn forward(work: &mut Work, args: ForwardArgs) -> Result<Navigated, Error> {
    go(work, args.place(), History::Forward, args.wait_until).await
}

/// The same document again.
pub async fn reload(work: &mut Work, args: ReloadArgs) -> Result<Navigated, Error> {
    let how = match args.hard {
        Some(true) => History::HardReload,
        Some(false) | None => History::Reload,
    };
    go(work, args.place(), how, args.wait_until).await
}

/// Stands for a page that is of no site.
const NOWHERE: &str = "about:blank";

async fn go(
    work: &mut Work,
    place: Where<'_>,
    go: History,
    wait_until: Option<Phase>,
) -> Result<Navigated, Error> {
    let undone = |error: Error| error.effect(Effect::None);
    let spot = spot(work, place.session, place.tab).await.map_err(undone)?;
    let from = leave(work, &spot, place).await.map_err(undone)?;
    let navigated = gone(
        work,
        &spot,
        &Site::from(&from),
        go,
        wait_until.unwrap_or_default(),
    )
    .await?;
    work.hub.sessions.select(&navigated.session, &navigated.tab);
    work.arrived(&from, &navigated.url)?;
    Ok(navigated)
}

/// Goes there in a tab that shows a page of a site.
///
/// # Errors
/// `needs_approval` or `not_granted`, effect `none`, where a form would be submitted again; else as [`navigated`] and
/// [`Work::browser`].
pub(super) async fn gone(
    work: &mut Work,
    spot: &Spot,
    site: &Site,
    go: History,
    wait_until: Phase,
) -> Result<Navigated, Error> {
    let call = |may_submit| BrowserCall::History {
        session: spot.session.clone(),
        tab: spot.tab.clone(),
        go,
        wait_until,
        may_submit,
    };
    let reloads = matches!(go, History::Reload | History::HardReload);
    let may_submit = reloads && work.allowed(Access::Submit, site);
    let reply = match work.browser(&spot.chosen, call(may_submit)).await {
        Err(error) if !may_submit && needs_submit(&error) => {
            work.allow(Access::Submit, site.clone())
                .map_err(|refusal| refusal.data(json!({"needs": needs::SUBMIT})))?;
            // The person's yes came meanwhile.
            work.browser(&spot.chosen, call(true)).await?
        }
        answered => answered?,
    };
    navigated(spot.session.clone(), spot.tab.clone(), reply)
}

fn needs_submit(error: &Error) -> bool {
    let named = error.data.as_ref().and_then(|data| data.get("needs"));
    error.code == Code::NeedsApproval && named.is_some_and(|named| named == needs::SUBMIT)
}

/// The address that is left, once that may be done. A page that nothing is ever done on may be left all the same.
async fn leave(work: &mut Work, spot: &Spot, place: Where<'_>) -> Result<Address, Error> {
    let call = BrowserCall::Document {
        session: spot.session.clone(),
        tab: spot.tab.clone(),
    };
    let (document, url) = match work.browser(&spot.chosen, call).await {
        Ok(BrowserReply::Document { document, url, .. }) => (Some(document), url),
        Ok(_) => return Err(mismatch()),
        Err(error) if error.code == Code::PageUnreadable => (None, String::new()),
        Err(error) => return Err(error),
    };
    if place
        .document
        .is_some_and(|meant| Some(meant) != document.as_ref())
    {
        return Err(Error::new(
            Code::StaleRef,
            "the tab shows another document by now",
        ));
    }
    // From where there is no site, wherever it goes has to be allowed.
    let from = address::check(&url, "url").or_else(|_| address::check(NOWHERE, "url"))?;
    work.allow(Access::Interact, Site::from(&from))?;
    Ok(from)
}
