//! Tabs: listing all of them, opening and closing those of sessions, and telling whose a tab is.

use std::rc::Rc;

use drawbridge_protocol::ids::{SessionId, TabId};
use drawbridge_protocol::link::{BrowserReply, BrowserTab};
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::tools::session::Placement;
use drawbridge_protocol::tools::tabs::Lifecycle;
use drawbridge_protocol::{Code, Effect, Error};
use futures_util::future::{join, join_all};
use serde_json::json;

use crate::calls::Context;
use crate::chrome::{self, Failure, Tab};
use crate::close::{self, Closing};
use crate::fence;
use crate::journal::{Owner, birthplace};
use crate::state::App;
use crate::{address, frames, navigate, unreadable};

/// Characters of a tab's title that go to the bridge for a person's eyes.
const TITLE: usize = 200;

/// What a session asks for.
pub(crate) struct Wanted {
    pub(crate) session: SessionId,
    pub(crate) placement: Placement,
    pub(crate) label: Option<String>,
    pub(crate) active: bool,
}

/// A tab of ours that opened.
pub(crate) struct OpenTab {
    pub(crate) id: i64,
    pub(crate) window: i64,
    pub(crate) nonce: String,
}

/// Where a tab opens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    /// Last in this window.
    Window(i64),
    /// In an unfocused window of its own.
    NewWindow,
}

/// All tabs of the profile's normal windows but the private tabs of running reads and what no call may learn of: pages
/// of the browser and of extensions. A session's own tab is listed whatever it shows. No page is asked.
///
/// # Errors
/// `internal`.
pub(crate) async fn list(app: &App) -> Result<BrowserReply, Error> {
    let filter = json!({"windowType": "normal"});
    let mut all = chrome::tabs(&filter)
        .await
        .map_err(|failure| unreadable::failed("listing tabs", &failure))?;
    all.sort_by_key(|tab| (tab.window_id, tab.index));
    let tabs = all.into_iter().filter(|tab| !tab.incognito);
    Ok(BrowserReply::Tabs {
        tabs: tabs.filter_map(|tab| listed(app, tab)).collect(),
    })
}

/// Opens a tab for a session, and loads an address in it. A tab that gives no document is closed again.
///
/// # Errors
/// Those of loading; the effect is `none` if the tab is gone again.
pub(crate) async fn open(
    app: &Rc<App>,
    context: &Context,
    wanted: &Wanted,
    url: Option<&str>,
    phase: Phase,
) -> Result<BrowserReply, Error> {
    let tab = place(app, wanted).await?;
    let navigation = app.navigations.watch(tab.id);
    match navigate::load(context, &navigation, tab.id, url.unwrap_or("about:blank"), phase).await {
        Ok(loaded) => {
            let seen = loaded.seen;
            Ok(BrowserReply::Opened {
                tab: app.fence.id(tab.id),
                url: seen.url,
                phase: seen.phase,
            })
        }
        Err(error) => match close::close(app, tab.id).await {
            Closing::Gone => Err(error.effect(Effect::None)),
            Closing::Pending => Err(error.effect(Effect::Unknown)),
        },
    }
}

/// Closes a tab of a session and sees it closed.
///
/// # Errors
/// `tab_gone`, `tab_not_owned`; `effect_unknown` if it is still there, to be tried again.
pub(crate) async fn close(
    app: &Rc<App>,
    context: &Context,
    session: &SessionId,
    tab: &TabId,
) -> Result<BrowserReply, Error> {
    let number = owned(app, session, tab)
        .await
        .map_err(|error| error.effect(Effect::None))?;
    let began = crate::time::now();
    let closing = close::close(app, number).await;
    context.hop("tab_close", began);
    match closing {
        Closing::Gone => Ok(BrowserReply::Closed),
        Closing::Pending => Err(
            Error::new(Code::EffectUnknown, format!("tab {tab} did not close yet"))
                .hint("it is tried again; list the tabs to see whether it is gone")
                .effect(Effect::Unknown),
        ),
    }
}

/// Closes every tab of a session.
pub(crate) async fn end_session(app: &Rc<App>, session: &SessionId) -> BrowserReply {
    // A tab that is just opening for this session would escape.
    let opening = app.opening.lock().await;
    let tabs = app.journal.book().tabs_of(session);
    drop(opening);
    let done = join_all(
        tabs.into_iter()
            .map(|tab| async move { (tab, close::close(app, tab).await) }),
    )
    .await;
    let (mut closed, mut pending) = (Vec::new(), Vec::new());
    for (tab, closing) in done {
        match closing {
            Closing::Gone => closed.push(app.fence.id(tab)),
            Closing::Pending => pending.push(app.fence.id(tab)),
        }
    }
    BrowserReply::Ended { closed, pending }
}

/// The document that a tab shows.
///
/// # Errors
/// `tab_gone`, or `page_unreadable` for a kind of page that the browser tells extensions nothing of, such as a blob.
pub(crate) async fn document(tab: i64) -> Result<BrowserReply, Error> {
    let (frames, tab) = join(chrome::all_frames(tab), chrome::tab(tab)).await;
    let failed = |failure| unreadable::failed("reading the tab", &failure);
    let (frames, tab) = (frames.map_err(failed)?, tab.map_err(failed)?);
    let mut frames = frames.into_iter();
    match frames.next() {
        // A frame has the page's own address in a source view too, and no script of ours gets an answer from there.
        Some(_) if tab.url.starts_with("view-source:") => Err(unreadable::page(&tab.url, "")),
        Some(frame) => Ok(BrowserReply::Document {
            document: frame.document_id.as_str().into(),
            url: frame.url,
            title: tab.title.chars().take(TITLE).collect(),
            frames: frames.map(frames::seen).collect(),
        }),
        None => Err(unreadable::page(&tab.url, "")),
    }
}

/// The browser's number of a tab that a session owns.
///
/// # Errors
/// `tab_gone`, `tab_not_owned`.
pub(crate) async fn owned(app: &App, session: &SessionId, id: &TabId) -> Result<i64, Error> {
    let tab = app.fence.tab(id)?;
    let is_theirs = app.journal.book().of_tab(tab).map(|entry| entry.is_of(session));
    match (is_theirs, chrome::tab(tab).await) {
        (_, Err(Failure::Said(_))) => Err(fence::gone(id)),
        (_, Err(Failure::Late)) => Err(unreadable::failed("reading the tab", &Failure::Late)),
        (Some(true), Ok(_)) => Ok(tab),
        (Some(false) | None, Ok(_)) => Err(Error::new(
            Code::TabNotOwned,
            format!("tab {id} was not opened by this session"),
        )
        .hint("open a tab of your own")),
    }
}

/// Opens a tab of ours: the intent first, then the tab at an address that carries the intent's nonce, then its number.
///
/// # Errors
/// `internal` or `timeout`; what may have opened all the same is closed by the sweep.
pub(crate) async fn open_at(app: &Rc<App>, owner: Owner, spot: Spot) -> Result<OpenTab, Error> {
    let nonce = app.journal.intend(owner).await?;
    // From here until the tab has an owner that lasts, the sweep leaves it alone.
    app.held.borrow_mut().insert(nonce.clone());
    let opened = match create(&nonce, spot).await {
        // The window was closed in between.
        Err(Failure::Said(words)) if words.contains("No window with id") => {
            create(&nonce, Spot::NewWindow).await
        }
        other => other,
    };
    let own_window = |tab: &Tab| matches!(spot, Spot::NewWindow).then_some(tab.window_id);
    let failure = match opened {
        Ok(tab) => {
            app.navigations.watch(tab.id);
            match app.journal.opened(&nonce, tab.id, own_window(&tab)).await {
                Ok(()) => {
                    return Ok(OpenTab {
                        id: tab.id,
                        window: tab.window_id,
                        nonce,
                    });
                }
                Err(error) => {
                    close::close(app, tab.id).await;
                    error
                }
            }
        }
        Err(Failure::Said(words)) => {
            app.journal.not_opened(&nonce);
            Error::internal(format!("opening a tab: {words}"))
        }
        Err(Failure::Late) => Error::new(Code::Timeout, "the browser did not open a tab in time"),
    };
    app.held.borrow_mut().remove(&nonce);
    Err(failure)
}

async fn create(nonce: &str, spot: Spot) -> chrome::Answer<Tab> {
    let url = birthplace(nonce);
    match spot {
        Spot::Window(window) => {
            chrome::create_tab(&json!({"url": url, "active": false, "windowId": window})).await
        }
        Spot::NewWindow => {
            let window = chrome::create_window(&json!({"url": url, "focused": false})).await?;
            window
                .tabs
                .into_iter()
                .next()
                .ok_or_else(|| Failure::Said("the new window has no tab".to_owned()))
        }
    }
}

/// Opens a session's tab where the session lives. One at a time, so that one session makes one group and one window.
async fn place(app: &Rc<App>, wanted: &Wanted) -> Result<OpenTab, Error> {
    let _one_at_a_time = app.opening.lock().await;
    let (spot, group) = spot(app, wanted)
        .await
        .map_err(|failure| unreadable::failed("looking for a window", &failure))?;
    let tab = open_at(app, Owner::Session(wanted.session.clone()), spot).await?;
    let settled = settle(&tab, wanted, group).await;
    app.held.borrow_mut().remove(&tab.nonce);
    match settled {
        Ok(()) => Ok(tab),
        Err(failure) => {
            close::close(app, tab.id).await;
            Err(unreadable::failed("placing the tab", &failure))
        }
    }
}

/// Where the session's next tab goes, and the group it joins.
async fn spot(app: &App, wanted: &Wanted) -> chrome::Answer<(Spot, Option<i64>)> {
    let (siblings, window) = {
        let book = app.journal.book();
        (book.tabs_of(&wanted.session), book.window_of(&wanted.session))
    };
    match wanted.placement {
        Placement::Window => {
            let there = join_all(siblings.into_iter().map(chrome::tab)).await;
            let home = there
                .into_iter()
                .flatten()
                .find(|tab| Some(tab.window_id) == window);
            Ok((
                home.map_or(Spot::NewWindow, |tab| Spot::Window(tab.window_id)),
                None,
            ))
        }
        Placement::Group => {
            for tab in siblings {
                if let Ok(tab) = chrome::tab(tab).await
                    && let Some(group) = tab.group()
                {
                    return Ok((Spot::Window(tab.window_id), Some(group)));
                }
            }
            Ok((
                chrome::normal_window()
                    .await?
                    .map_or(Spot::NewWindow, Spot::Window),
                None,
            ))
        }
    }
}

async fn settle(tab: &OpenTab, wanted: &Wanted, group: Option<i64>) -> chrome::Answer<()> {
    chrome::update_tab(
        tab.id,
        &json!({"autoDiscardable": false, "active": wanted.active}),
    )
    .await?;
    match wanted.placement {
        Placement::Window => Ok(()),
        Placement::Group => {
            let joined = chrome::group_tab(tab.id, group, tab.window).await?;
            match group {
                Some(_) => Ok(()),
                None => chrome::name_group(joined, wanted.label.as_deref().unwrap_or("Drawbridge")).await,
            }
        }
    }
}

fn listed(app: &App, tab: Tab) -> Option<BrowserTab> {
    let session = match app.journal.book().of_tab(tab.id).map(|entry| entry.owner.clone()) {
        Some(Owner::Private) => return None,
        Some(Owner::Session(session)) => Some(session),
        None => None,
    };
    let url = if tab.url.is_empty() {
        tab.pending_url.unwrap_or_default()
    } else {
        tab.url
    };
    let (title, url) = match (address::is_kept_back(&url), &session) {
        (false, _) => (tab.title, url),
        (true, Some(_)) => (String::new(), String::new()),
        (true, None) => return None,
    };
    let lifecycle = if tab.discarded {
        Lifecycle::Discarded
    } else if tab.frozen {
        Lifecycle::Frozen
    } else {
        Lifecycle::Active
    };
    Some(BrowserTab {
        tab: app.fence.id(tab.id),
        window: tab.window_id,
        index: tab.index,
        active: tab.active,
        lifecycle,
        session,
        title,
        url,
    })
}
