//! `browser_page`: loading addresses.

use drawbridge_protocol::address;
use drawbridge_protocol::error::{Effect, Error};
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::page::{NavigateArgs, Navigated};

use super::super::grants::Site;
use super::super::work::{Work, mismatch};

/// Loads an address in a tab of a session.
pub async fn navigate(work: &mut Work, args: NavigateArgs) -> Result<Navigated, Error> {
    let address = address::check(&args.url, "url")?;
    let (session, chosen) = work.session(args.session.as_ref(), args.tab.as_ref()).await?;
    let tab = work.hub.sessions.tab(&session.id, args.tab.as_ref())?;
    work.allow(Access::Interact, Site::from(&address))?;
    let call = BrowserCall::Navigate {
        session: session.id.clone(),
        tab: tab.clone(),
        url: address.url.clone(),
        wait_until: args.wait_until.unwrap_or_default(),
    };
    let BrowserReply::Navigated {
        document,
        url,
        phase,
        timed_out,
        redirected,
    } = work.browser(&chosen, call).await?
    else {
        return Err(mismatch());
    };
    work.hub.sessions.select(&session.id, &tab);
    work.arrived(&address, &url)?;
    Ok(Navigated {
        session: session.id,
        tab,
        url,
        document,
        phase,
        timed_out,
        redirected,
        effect: Effect::Committed,
    })
}
