//! `browser_page`: loading addresses, going through the history, waiting, dialogs.

mod dialog;
mod history;
mod wait;

pub use dialog::dialog;
pub use history::{back, forward, reload};
pub use wait::wait;

use drawbridge_protocol::address;
use drawbridge_protocol::error::{Effect, Error};
use drawbridge_protocol::ids::{SessionId, TabId};
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
    let reply = work.browser(&chosen, call).await?;
    let navigated = navigated(session.id, tab, reply)?;
    work.hub.sessions.select(&navigated.session, &navigated.tab);
    work.arrived(&address, &navigated.url)?;
    Ok(navigated)
}

/// What a load came to.
fn navigated(session: SessionId, tab: TabId, reply: BrowserReply) -> Result<Navigated, Error> {
    let BrowserReply::Navigated {
        document,
        url,
        phase,
        timed_out,
        redirected,
        dialog,
    } = reply
    else {
        return Err(mismatch());
    };
    Ok(Navigated {
        session,
        tab,
        url,
        document,
        phase,
        timed_out,
        redirected,
        dialog,
        effect: Effect::Committed,
    })
}

#[cfg(test)]
mod tests;
