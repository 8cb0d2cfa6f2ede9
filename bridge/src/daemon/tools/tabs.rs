//! `browser_tabs`: list, open, close.

use drawbridge_protocol::address;
use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::link::{BrowserCall, BrowserReply, BrowserTab};
use drawbridge_protocol::local::Decision;
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::tools::tabs::{
    CloseArgs, Closed, List, ListArgs, MAX_TABS, NewArgs, Opened, Owner, TabRow,
};

use super::super::grants::Site;
use super::super::targets::Chosen;
use super::super::work::{Work, mismatch};
use super::number;

/// Lists tabs. Titles and addresses of tabs that are not the caller's are left out without `browser.list`.
pub async fn list(work: &mut Work, args: ListArgs) -> Result<List, Error> {
    let limit = number("limit", args.limit, MAX_TABS, 1..=MAX_TABS)? as usize;
    let chosen = work.choose(args.target.as_deref())?;
    let BrowserReply::Tabs { tabs } = work.browser(&chosen, BrowserCall::ListTabs).await? else {
        return Err(mismatch());
    };
    let listed = may_list(work);
    let total = tabs.len();
    let query = args.query.map(|query| query.to_lowercase());
    let mut rows: Vec<TabRow> = tabs
        .into_iter()
        .map(|tab| row(work, &chosen, tab, listed))
        .filter(|row| args.owner.is_none_or(|owner| row.owner == owner))
        .filter(|row| query.as_deref().is_none_or(|query| fits(row, query)))
        .collect();
    let matched = rows.len();
    rows.truncate(limit);
    Ok(List {
        total_tabs: total as u32,
        matched_tabs: matched as u32,
        omitted_tabs: (matched - rows.len()) as u32,
        tabs: rows,
    })
}

/// Whether the caller may see titles and addresses of the user's own tabs. The call rests on a yes.
fn may_list(work: &Work) -> bool {
    let Some(action) = Access::List.action() else {
        return false;
    };
    let allowed = work.hub.access.decide(&work.caller.client, action, &Site::NONE) == Decision::Allow;
    if allowed {
        work.ticket.needs(action, Site::NONE);
    }
    allowed
}

fn row(work: &Work, chosen: &Chosen, tab: BrowserTab, listed: bool) -> TabRow {
    let session = tab
        .session
        .filter(|session| work.hub.sessions.is_of(&work.caller, session));
    let shown = listed || session.is_some();
    TabRow {
        id: tab.tab,
        target: chosen.row.id.clone(),
        window: tab.window,
        index: tab.index,
        active: tab.active,
        owner: if session.is_some() {
            Owner::Owned
        } else {
            Owner::User
        },
        session,
        lifecycle: tab.lifecycle,
        title: shown.then_some(tab.title),
        url: shown.then_some(tab.url),
    }
}

fn fits(row: &TabRow, query: &str) -> bool {
    [&row.title, &row.url]
        .into_iter()
        .flatten()
        .any(|text| text.to_lowercase().contains(query))
}

/// Opens a tab in a session.
pub async fn new(work: &mut Work, args: NewArgs) -> Result<Opened, Error> {
    let address = args
        .url
        .as_deref()
        .map(|url| address::check(url, "url"))
        .transpose()?;
    let (session, chosen) = work.session(args.session.as_ref(), None).await?;
    work.allow(Access::Interact, address.as_ref().map_or(Site::NONE, Site::from))?;
    let call = BrowserCall::OpenTab {
        session: session.id.clone(),
        url: address.as_ref().map(|address| address.url.clone()),
        placement: session.placement,
        label: session.label,
        active: args.active.unwrap_or(false),
        wait_until: if args.wait.unwrap_or(true) {
            Phase::Load
        } else {
            Phase::Commit
        },
    };
    let BrowserReply::Opened { tab, url, phase } = work.browser(&chosen, call).await? else {
        return Err(mismatch());
    };
    work.hub.sessions.opened(&session.id, &tab);
    if let Some(address) = &address {
        // The tab stays the session's: it can be closed, or led elsewhere.
        work.arrived(address, &url)
            .map_err(|error| error.data(serde_json::json!({ "tab": tab })))?;
    }
    Ok(Opened {
        session: session.id,
        tab,
        url,
        phase,
        effect: Effect::Committed,
    })
}

/// Closes a tab of a session and sees it closed.
pub async fn close(work: &mut Work, args: CloseArgs) -> Result<Closed, Error> {
    let (session, chosen) = work.session(args.session.as_ref(), Some(&args.tab)).await?;
    let tab = work.hub.sessions.tab(&session.id, Some(&args.tab))?;
    match work.shown(&chosen, &session.id, &tab, Access::Interact).await {
        Ok(_) => {}
        // A page that cannot be read can still be closed; it is no site then.
        Err(error) if error.code == Code::PageUnreadable => work.allow(Access::Interact, Site::NONE)?,
        Err(error) => return Err(error),
    }
    let call = BrowserCall::CloseTab {
        session: session.id.clone(),
        tab: tab.clone(),
    };
    let BrowserReply::Closed = work.browser(&chosen, call).await? else {
        return Err(mismatch());
    };
    work.hub.sessions.closed(&session.id, &tab);
    work.hub.refs.forget(&chosen.row.id, &tab);
    work.hub.captures.tab_gone(&session.id, &tab);
    Ok(Closed {
        session: session.id,
        tab,
        effect: Effect::Committed,
    })
}
