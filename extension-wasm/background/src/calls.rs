//! Running calls: where each is dispatched, how it is stopped, and how much time it has.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::link::{Answer, BrowserCall, BrowserReply, Hop, ToBridge};
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::{Code, Effect, Error};
use futures_util::future::{Either, select};
use wasm_bindgen_futures::spawn_local;

use crate::pulse::Pulse;
use crate::state::App;
use crate::time::{Moment, bounded, ms_since, now, sleep};
use crate::{
    act, chrome, dialogs, history, link, navigate, picture, read, recipe, snapshot, stop, tabs, unreadable,
    wait,
};

/// Calls that run now, by link and id: ids start anew with each link.
#[derive(Default)]
pub(crate) struct Calls {
    running: RefCell<BTreeMap<(u64, CallId), Rc<Stop>>>,
}

/// Why a call is stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The bridge said so.
    Cancelled,
    /// The link it came over is gone, and so is whoever wanted it.
    LinkLost,
    /// It has no time left.
    Deadline,
    /// A person pressed Stop.
    Aborted,
}

/// How whoever runs a call learns that it has to stop.
#[derive(Default)]
pub(crate) struct Stop {
    reason: Cell<Option<Reason>>,
    /// Whether the call changes pages.
    changes: bool,
    pulse: Pulse,
}

/// What a call knows about itself.
pub(crate) struct Context {
    stop: Rc<Stop>,
    deadline: Moment,
    hops: RefCell<Vec<Hop>>,
}

/// Starts a call; its reply goes over the link it came from.
pub(crate) fn start(app: &Rc<App>, generation: u64, id: CallId, deadline_ms: u64, call: BrowserCall) {
    let stop = Rc::new(Stop {
        changes: changes(&call),
        ..Stop::default()
    });
    app.calls
        .running
        .borrow_mut()
        .insert((generation, id), Rc::clone(&stop));
    let app = Rc::clone(app);
    spawn_local(async move {
        let began = now();
        let context = Context {
            stop,
            deadline: began + allowed(deadline_ms),
            hops: RefCell::default(),
        };
        let result = match run(&app, &context, call).await {
            Ok(reply) => Answer::Done(reply),
            Err(error) => Answer::Failed(error),
        };
        app.calls.running.borrow_mut().remove(&(generation, id));
        context.hop("background", began);
        let hops = context.hops.take();
        link::send(&app, generation, &ToBridge::Reply { id, result, hops });
    });
}

/// Stops a call; it still replies.
pub(crate) fn cancel(app: &App, generation: u64, id: CallId) {
    if let Some(stop) = app.calls.running.borrow().get(&(generation, id)) {
        stop.now(Reason::Cancelled);
    }
}

impl Calls {
    /// Stops every call of a link that is gone; what they opened closes.
    pub(crate) fn link_lost(&self, generation: u64) {
        let running = self.running.borrow();
        for stop in running
            .iter()
            .filter(|((of, _), _)| *of == generation)
            .map(|(_, stop)| stop)
        {
            stop.now(Reason::LinkLost);
        }
    }

    /// Stops every call that changes pages: a person wants that.
    pub(crate) fn abort(&self) {
        for stop in self.running.borrow().values().filter(|stop| stop.changes) {
            stop.now(Reason::Aborted);
        }
    }

    /// How many run.
    pub(crate) fn count(&self) -> usize {
        self.running.borrow().len()
    }
}

impl Stop {
    fn now(&self, reason: Reason) {
        if self.reason.get().is_none() {
            self.reason.set(Some(reason));
            self.pulse.beat();
        }
    }
}

impl Context {
    /// When the call has to be done with its work. Releasing what it opened comes after.
    pub(crate) fn deadline(&self) -> Moment {
        self.deadline
    }

    /// Time until then.
    pub(crate) fn left(&self) -> Duration {
        self.deadline.saturating_sub(now())
    }

    /// Does a piece of the call's work, which is dropped where it is when the call has to stop.
    ///
    /// # Errors
    /// Those of the work, `cancelled` or `timeout`.
    pub(crate) async fn run<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        match select(pin!(work), pin!(self.stopped())).await {
            Either::Left((done, _)) => done,
            Either::Right((reason, _)) => Err(reason.error()),
        }
    }

    /// Notes how long a part took.
    pub(crate) fn hop(&self, name: &str, since: Moment) {
        self.hop_ms(name, ms_since(since));
    }

    /// Notes how long a part took.
    pub(crate) fn hop_ms(&self, name: &str, ms: f64) {
        self.hops.borrow_mut().push(Hop {
            name: name.to_owned(),
            ms: (ms * 100.0).round() / 100.0,
        });
    }

    async fn stopped(&self) -> Reason {
        bounded(self.left(), self.stop.pulse.until(|| self.stop.reason.get()))
            .await
            .unwrap_or(Reason::Deadline)
    }
}

impl Reason {
    fn error(self) -> Error {
        match self {
            Self::Cancelled => Error::new(Code::Cancelled, "the call was cancelled"),
            Self::LinkLost => Error::new(Code::NotConnected, "the bridge is gone"),
            Self::Deadline => Error::new(Code::Timeout, "the deadline passed in the browser")
                .hint("give the call more time, or ask for less"),
            Self::Aborted => stop::aborted(),
        }
    }
}

/// Whether a call does something to pages that a person may want to stop. To clean up is none of that.
fn changes(call: &BrowserCall) -> bool {
    match call {
        BrowserCall::OpenTab { .. }
        | BrowserCall::Navigate { .. }
        | BrowserCall::ReadScrolling { .. }
        | BrowserCall::Act { .. }
        | BrowserCall::History { .. } => true,
        BrowserCall::Dialog { answer, .. } => answer.is_some(),
        BrowserCall::Echo { .. }
        | BrowserCall::Health
        | BrowserCall::ListTabs
        | BrowserCall::CloseTab { .. }
        | BrowserCall::EndSession { .. }
        | BrowserCall::Document { .. }
        | BrowserCall::Read { .. }
        | BrowserCall::Snapshot { .. }
        | BrowserCall::Wait { .. }
        | BrowserCall::Picture { .. }
        | BrowserCall::Recipe { .. } => false,
    }
}

/// The extension stops earlier than the bridge gives up, so that the reply still gets there.
fn allowed(deadline_ms: u64) -> Duration {
    let kept_back = (deadline_ms / 10).clamp(20, 500);
    Duration::from_millis(deadline_ms.saturating_sub(kept_back))
}

async fn run(app: &Rc<App>, context: &Context, call: BrowserCall) -> Result<BrowserReply, Error> {
    match call {
        BrowserCall::Echo { text, fill, wait_ms } => {
            let wait = async {
                if wait_ms > 0 {
                    sleep(Duration::from_millis(wait_ms.into())).await;
                }
                Ok(())
            };
            context.run(wait).await?;
            Ok(BrowserReply::Echo {
                text,
                fill: "x".repeat(fill as usize),
            })
        }
        BrowserCall::Health => context.run(health()).await,
        BrowserCall::ListTabs => context.run(tabs::list(app)).await,
        BrowserCall::OpenTab {
            session,
            url,
            placement,
            label,
            active,
            wait_until,
        } => {
            stop::refuse(app, None)?;
            let wanted = tabs::Wanted {
                session,
                placement,
                label,
                active,
            };
            tabs::open(app, context, &wanted, url.as_deref(), wait_until).await
        }
        BrowserCall::CloseTab { session, tab } => tabs::close(app, context, &session, &tab).await,
        BrowserCall::EndSession { session } => Ok(tabs::end_session(app, &session).await),
        BrowserCall::Document { session, tab } => {
            let tab = tabs::owned(app, &session, &tab).await?;
            context.run(tabs::document(tab)).await
        }
        BrowserCall::Navigate {
            session,
            tab,
            url,
            wait_until,
        } => {
            let tab = tabs::owned(app, &session, &tab)
                .await
                .map_err(|error| error.effect(Effect::None))?;
            navigate(app, context, tab, &url, wait_until).await
        }
        BrowserCall::Read {
            place,
            frames,
            ask,
            next_ref,
        } => read::page(app, context, &place, frames.as_deref(), &ask, next_ref).await,
        BrowserCall::ReadScrolling {
            place,
            frames,
            ask,
            next_ref,
        } => {
            stop::refuse(app, None)?;
            read::scrolling(app, context, &place, frames.as_deref(), &ask, next_ref).await
        }
        BrowserCall::Snapshot { place, frames, depth } => {
            snapshot::take(app, context, &place, frames.as_deref(), depth).await
        }
        BrowserCall::Act {
            place,
            frames,
            may,
            target,
            action,
            settle_ms,
            next_ref,
        } => {
            let wanted = act::Wanted {
                place: &place,
                frames: frames.as_deref(),
                may: &may,
                target: target.as_deref(),
                action: &action,
                settle: Duration::from_millis(settle_ms.into()),
                next_ref,
            };
            act::perform(app, context, &wanted).await
        }
        BrowserCall::Wait { place, frames, wait } => {
            wait::until(app, context, &place, frames.as_deref(), &wait).await
        }
        BrowserCall::History {
            session,
            tab,
            go,
            wait_until,
            may_submit,
        } => history::go(app, context, &session, &tab, go, wait_until, may_submit).await,
        BrowserCall::Dialog { session, tab, answer } => {
            dialogs::serve(app, context, &session, &tab, answer.as_ref()).await
        }
        BrowserCall::Picture {
            place,
            frames,
            format,
            most,
        } => picture::take(app, context, &place, frames.as_deref(), format, most).await,
        BrowserCall::Recipe { recipe, url, window } => {
            let result = recipe::run(app, context, &recipe, &url, window).await?;
            Ok(BrowserReply::Recipe { result })
        }
    }
}

/// What the browser lets us do. Asks for tabs too, since a browser that answers nothing about them is of no use.
async fn health() -> Result<BrowserReply, Error> {
    let said = |failure: chrome::Failure| unreadable::failed("asking the browser", &failure);
    chrome::any_tab().await.map_err(said)?;
    Ok(BrowserReply::Health {
        all_sites: chrome::may_use_all_sites().await.map_err(said)?,
        incognito: chrome::may_use_incognito().await.map_err(said)?,
        files: chrome::may_use_files().await.map_err(said)?,
    })
}

async fn navigate(
    app: &Rc<App>,
    context: &Context,
    tab: i64,
    url: &str,
    wait_until: Phase,
) -> Result<BrowserReply, Error> {
    let began = now();
    let loaded = navigate::go(app, context, tab, url, wait_until).await?;
    context.hop("page_load", began);
    Ok(navigate::navigated(loaded, url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_stops_before_the_bridge_gives_up() {
        assert_eq!(allowed(20_000), Duration::from_millis(19_500));
        assert_eq!(allowed(1_000), Duration::from_millis(900));
        assert_eq!(allowed(100), Duration::from_millis(80));
        assert_eq!(allowed(0), Duration::ZERO);
    }
}
