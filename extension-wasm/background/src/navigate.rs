//! Loading addresses: what the browser's navigation events say about the main frames of our tabs, and waiting for it.

mod track;

pub(crate) use track::{Event, Kind, Seen, Trouble};

use std::cell::RefCell;
use std::collections::HashMap;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::act::Dialog;
use drawbridge_protocol::link::BrowserReply;
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::{Code, Effect, Error};
use futures_util::future::{Either, select};
use serde_json::json;

use crate::address;
use crate::calls::Context;
use crate::chrome::{self, Failure};
use crate::debugger::Hold;
use crate::pulse::Pulse;
use crate::state::App;
use crate::time::{Late, Moment, bounded, now};
use crate::{dialogs, stop, unreadable};
use track::Track;

/// How long a navigation that the page or the browser dropped may take to be followed by another one.
const DROPPED: Duration = Duration::from_millis(250);

/// How long a move to another fragment may take to be seen.
const MOVED: Duration = Duration::from_millis(250);

/// How long a blank page may take to come.
const LEFT: Duration = Duration::from_secs(1);

/// The main frames of our tabs. Fed by the browser's events, read by whoever waits.
#[derive(Default)]
pub(crate) struct Navigations {
    tabs: RefCell<HashMap<i64, Rc<Navigation>>>,
}

/// The main frame of one tab.
#[derive(Default)]
pub(crate) struct Navigation {
    track: RefCell<Track>,
    pulse: Pulse,
}

impl Navigations {
    /// Follows a tab from now on. To be called before whatever is to be waited for is set off.
    pub(crate) fn watch(&self, tab: i64) -> Rc<Navigation> {
        Rc::clone(self.tabs.borrow_mut().entry(tab).or_default())
    }

    /// Takes what the browser says.
    pub(crate) fn take(&self, kind: Kind, event: &Event) {
        let navigation = self.tabs.borrow().get(&event.tab_id).cloned();
        if let Some(navigation) = navigation
            && navigation.track.borrow_mut().take(kind, event)
        {
            navigation.pulse.beat();
        }
    }

    /// A tab was closed: whoever waits for it learns that.
    pub(crate) fn gone(&self, tab: i64) {
        if let Some(navigation) = self.tabs.borrow_mut().remove(&tab) {
            navigation.track.borrow_mut().gone = true;
            navigation.pulse.beat();
        }
    }
}

impl Navigation {
    /// How many moves inside a document there were so far.
    pub(crate) fn moves(&self) -> u64 {
        self.track.borrow().moves
    }

    /// Waits until anything happens to the tab's address after so many commits and moves, or the tab goes.
    pub(crate) async fn beyond(&self, commits: u64, moves: u64) {
        self.pulse
            .until(|| {
                let track = self.track.borrow();
                (track.gone || track.commits > commits || track.moves > moves).then_some(())
            })
            .await;
    }

    /// How many documents were committed so far: what a later wait has to go beyond.
    pub(crate) fn commits(&self) -> u64 {
        self.track.borrow().commits
    }

    /// The newest document, if it came after `before`.
    pub(crate) fn seen(&self, before: u64) -> Option<Seen> {
        self.track.borrow().seen(before)
    }

    /// Whether a form led to the document that is there, as far as it was seen to come.
    pub(crate) fn is_submitted(&self) -> bool {
        self.track.borrow().submitted
    }

    /// Says that what is under way is given up for this address. To be called right before that is asked for.
    pub(crate) fn give_up(&self, asked: &str) {
        self.track.borrow_mut().give_up(asked);
    }

    /// Whether a navigation began that has neither come nor failed yet.
    pub(crate) fn is_under_way(&self) -> bool {
        self.track.borrow().is_under_way()
    }

    /// Waits until a navigation is under way, or a document came after `before`.
    pub(crate) async fn begun(&self, before: u64) {
        self.pulse
            .until(|| {
                let track = self.track.borrow();
                (track.gone || track.is_under_way() || track.commits > before).then_some(())
            })
            .await;
    }

    /// Waits until no navigation is under way.
    pub(crate) async fn rests(&self) {
        self.pulse
            .until(|| {
                let track = self.track.borrow();
                (track.gone || !track.is_under_way()).then_some(())
            })
            .await;
    }

    /// Waits until the tab is closed.
    pub(crate) async fn gone(&self) {
        self.pulse.until(|| self.track.borrow().gone.then_some(())).await;
    }

    /// Waits until a document after `before` reached a phase. Never satisfied by the document that was there.
    ///
    /// # Errors
    /// What came instead.
    pub(crate) async fn reached(&self, before: u64, phase: Phase) -> Result<Seen, Trouble> {
        loop {
            match self.pulse.until(|| self.track.borrow().look(before, phase)).await {
                Err(Trouble::Dropped(error)) => {
                    let moved_on = self
                        .pulse
                        .until(|| self.track.borrow().moved_on(before).then_some(()));
                    if bounded(DROPPED, moved_on).await.is_err() {
                        return Err(Trouble::Dropped(error));
                    }
                }
                settled => return settled,
            }
        }
    }

    /// Waits until anything happened after `seen`: another phase, another document, the end of the tab.
    pub(crate) async fn after(&self, seen: &Seen) {
        self.pulse
            .until(|| {
                let track = self.track.borrow();
                (track.gone || track.newest().as_ref() != Some(seen)).then_some(())
            })
            .await;
    }

    /// Waits until a fragment navigation inside the document that was there.
    async fn moved(&self, moves: u64) {
        self.pulse
            .until(|| (self.track.borrow().moves > moves).then_some(()))
            .await;
    }
}

/// What became of a load in a tab of a session.
pub(crate) struct Loaded {
    pub(crate) seen: Seen,
    pub(crate) timed_out: bool,
    /// A dialog that opened meanwhile, and holds it up.
    pub(crate) dialog: Option<Dialog>,
}

/// Loads an address in a tab of a session, as [`load`] does, and answers at once when a dialog opens: one of the page that
/// comes, or the question of the one that was there.
///
/// # Errors
/// Those of [`load`]; `dialog_open` for one that was open before, `user_aborted`.
pub(crate) async fn go(
    app: &Rc<App>,
    context: &Context,
    tab: i64,
    url: &str,
    phase: Phase,
) -> Result<Loaded, Error> {
    stop::refuse(app, Some(tab))?;
    let hold = held(app, context, tab).await?;
    let navigation = app.navigations.watch(tab);
    let load = load(context, &navigation, tab, url, phase);
    in_sight(hold.as_ref(), tab, &navigation, load).await
}

/// The debugger, as far as it can be had: without it only dialogs are not told.
///
/// # Errors
/// `dialog_open`, and those of the call.
pub(crate) async fn held(app: &Rc<App>, context: &Context, tab: i64) -> Result<Option<Hold>, Error> {
    context
        .run(dialogs::hold(app, tab))
        .await
        .map_err(|error| error.effect(Effect::None))
}

/// Waits for a load, or for a dialog that opens meanwhile.
///
/// # Errors
/// Those of the load.
pub(crate) async fn in_sight(
    hold: Option<&Hold>,
    tab: i64,
    navigation: &Navigation,
    load: impl Future<Output = Result<Loaded, Error>>,
) -> Result<Loaded, Error> {
    let Some(hold) = hold else { return load.await };
    let before = navigation.commits();
    let dialog = match select(pin!(load), pin!(hold.attached().dialog_opened())).await {
        Either::Left((loaded, _)) => {
            return loaded.map(|loaded| Loaded {
                dialog: hold.attached().dialog(),
                ..loaded
            });
        }
        Either::Right((dialog, _)) => dialog,
    };
    let seen = match navigation.seen(before) {
        Some(seen) => seen,
        // It is the question of the page that was there, and still is.
        None => {
            let shown = chrome::main_frame(tab)
                .await
                .map_err(|failure| unreadable::failed("reading the tab", &failure))?
                .unwrap_or_default();
            Seen {
                document: shown.document_id,
                url: shown.url,
                phase: Phase::Commit,
            }
        }
    };
    Ok(Loaded {
        seen,
        timed_out: false,
        dialog: Some(dialog),
    })
}

/// Loads an address in a tab of a session and waits for a phase; the deadline is a result once a document came.
///
/// # Errors
/// `page_unreadable` with the browser's word, `navigation_blocked`, `timeout`, `tab_gone`, or why the call was stopped.
pub(crate) async fn load(
    context: &Context,
    navigation: &Navigation,
    tab: i64,
    url: &str,
    phase: Phase,
) -> Result<Loaded, Error> {
    // Kept back, so that the result of a load that takes too long still arrives.
    let until = context.deadline().saturating_sub(Duration::from_millis(100));
    let before = navigation.commits();
    let moves = navigation.track.borrow().moves;
    let shown = chrome::main_frame(tab)
        .await
        .map_err(|failure| unreadable::failed("reading the tab", &failure))?;
    // A tab that just opened shows no document yet.
    let shown = shown.unwrap_or_default();
    let inside = url.contains('#') && address::same_page(url, &shown.url);
    navigation.give_up(url);
    chrome::update_tab(tab, &json!({"url": url}))
        .await
        .map_err(|failure| unreadable::failed("loading the address", &failure).effect(Effect::Unknown))?;
    if inside {
        // At most the fragment differs: the document stays, and is loaded as far as it is. An equal address moves
        // nothing and tells nothing.
        let moved = async { Ok(bounded(left(until).min(MOVED), navigation.moved(moves)).await) };
        if context.run(moved).await? == Err(Late) && url != shown.url {
            crate::log("a move inside a document was not seen");
        }
        let seen = Seen {
            document: shown.document_id,
            url: url.to_owned(),
            phase: Phase::Load,
        };
        return Ok(Loaded {
            seen,
            timed_out: false,
            dialog: None,
        });
    }
    let waited = context
        .run(async { Ok(bounded(left(until), navigation.reached(before, phase)).await) })
        .await;
    let outcome = match waited.map_err(|error| error.effect(Effect::Unknown))? {
        Ok(Ok(seen)) => Ok(Loaded {
            seen,
            timed_out: false,
            dialog: None,
        }),
        Ok(Err(trouble)) => Err(trouble),
        Err(Late) => match navigation.seen(before) {
            Some(seen) => Ok(Loaded {
                seen,
                timed_out: true,
                dialog: None,
            }),
            None => {
                return Err(Error::new(
                    Code::Timeout,
                    format!("{} did not answer before the deadline", address::quoted(url)),
                )
                .hint("look at the tab before loading it again, or give the call more time")
                .effect(Effect::Unknown));
            }
        },
    };
    match outcome {
        Ok(loaded) => Ok(loaded),
        Err(trouble) => {
            if matches!(trouble, Trouble::Blocked(_)) {
                leave(navigation, tab).await;
            }
            Err(unreadable::trouble(&trouble, url).effect(unreadable::effect(&trouble)))
        }
    }
}

/// The reply to [`drawbridge_protocol::link::BrowserCall::Navigate`].
pub(crate) fn navigated(loaded: Loaded, asked: &str) -> BrowserReply {
    let Loaded {
        seen,
        timed_out,
        dialog,
    } = loaded;
    BrowserReply::Navigated {
        redirected: !address::same_page(&seen.url, asked),
        document: seen.document.as_str().into(),
        url: seen.url,
        phase: seen.phase,
        timed_out,
        dialog,
    }
}

/// Takes a tab off a page it may not show, and sees it off: the next load must not take the blank page for its own.
async fn leave(navigation: &Navigation, tab: i64) {
    let before = navigation.commits();
    match chrome::update_tab(tab, &json!({"url": "about:blank"})).await {
        Ok(()) => {}
        Err(Failure::Late | Failure::Said(_)) => {
            return crate::log("a tab could not be taken off a blocked page");
        }
    }
    let left = navigation.pulse.until(|| {
        let track = navigation.track.borrow();
        (track.gone || track.commits > before).then_some(())
    });
    if bounded(LEFT, left).await.is_err() {
        crate::log("a tab was not seen off a blocked page");
    }
}

fn left(until: Moment) -> Duration {
    until.saturating_sub(now())
}
