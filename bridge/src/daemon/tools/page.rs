//! `browser_page`: loading addresses, going through the history, waiting, dialogs.

mod dialog;
mod history;
mod wait;

pub use dialog::dialog;
pub use history::{back, forward, reload};
pub use wait::wait;

use drawbridge_protocol::act::{Dialog, DialogKind};
use drawbridge_protocol::address;
use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::ids::{SessionId, TabId};
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::page::{NavigateArgs, Navigated};

use serde_json::json;

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
///
/// # Errors
/// `dialog_open` where the page that was there asks before it is left: whether it is, is not decided yet.
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
    if let Some(dialog) = dialog
        .as_ref()
        .filter(|dialog| dialog.kind == DialogKind::BeforeUnload)
    {
        return Err(asks(dialog));
    }
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

fn asks(dialog: &Dialog) -> Error {
    Error::new(
        Code::DialogOpen,
        "the page asks before it is left, and is still there",
    )
    .hint("browser_page dialog: accept goes on, dismiss stays on the page")
    .data(json!({ "dialog": dialog }))
    .effect(Effect::Unknown)
}

#[cfg(test)]
mod tests;
