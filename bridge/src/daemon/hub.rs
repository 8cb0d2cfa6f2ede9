//! Everything that the daemon's tasks share. They run on one thread; no borrow is held over an await.

use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use drawbridge_protocol::ids::{SessionId, TabId};
use drawbridge_protocol::link::{BrowserCall, BrowserReply, Hop};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::access::{Access, Policy};
use super::approvals::Approvals;
use super::calls::{Calls, Stop};
use super::captures::Captures;
use super::health::Refusals;
use super::link::CANCEL_LIMIT;
use super::outcomes::Outcomes;
use super::presence::Presence;
use super::record::Record;
use super::refs::Refs;
use super::sessions::Sessions;
use super::settings::Settings;
use super::sockets::Sockets;
use super::store::Store;
use super::targets::Targets;

/// How long the browser may take to close the tabs of a session that nobody waits for.
const END_LIMIT: Duration = Duration::from_secs(5);

/// How long stopped calls may take to leave: the link's own limit and a little for what comes after.
const DRAIN_LIMIT: Duration = Duration::from_millis(CANCEL_LIMIT.as_millis() as u64 + 500);

/// The timer's resolution.
const TICK: Duration = Duration::from_millis(1);

/// The daemon's shared state.
#[derive(Debug)]
pub struct Hub {
    /// What is kept over a restart.
    pub store: Store,
    /// Who may do what.
    pub access: Access,
    /// Questions to a person.
    pub approvals: Approvals,
    /// Connected profiles.
    pub targets: Targets,
    /// Pieces of work.
    pub sessions: Sessions,
    /// Numbers of refs.
    pub refs: Refs,
    /// What replies gave a part of.
    pub captures: Captures,
    /// What came of calls that have an id of their client's.
    pub outcomes: Outcomes,
    /// Calls that run now.
    pub calls: Calls,
    /// Where large messages of links travel.
    pub sockets: Rc<Sockets>,
    /// What a person set.
    pub settings: Settings,
    /// Who keeps the daemon alive.
    pub presence: Presence,
    /// Whether the record of calls is as it was written.
    pub record: Record,
    /// Links that did not come up.
    pub refusals: Refusals,
    /// Cancelled once everything is released and the daemon is to end.
    pub stop: CancellationToken,
    /// Cancelled once a newer build asked for room: no new call is taken, and when those that run are done the daemon ends.
    pub drain: CancellationToken,
    /// Connections and what they left to be done; waited for, bounded, at the end.
    pub tasks: TaskTracker,
}

/// How a session's tabs ended.
#[derive(Debug, Default)]
pub struct Ended {
    /// Seen closed.
    pub closed: Vec<TabId>,
    /// Not closed yet; the extension goes on, or closes them when it comes back.
    pub pending: Vec<TabId>,
    /// Where the browser's part of the time went.
    pub hops: Vec<Hop>,
    /// The round trip to the browser.
    pub round_trip: Duration,
}

impl Hub {
    /// Loads the state of a home; `home` is what it is called towards browsers.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn load(home: String, store: Store, policy: Policy) -> Result<Rc<Self>> {
        let presence = Presence::default();
        let calls = Calls::default();
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        Ok(Rc::new(Self {
            access: Access::load(policy, store.clone(), calls.clone()).await?,
            approvals: Approvals::default(),
            targets: Targets::load(store.clone(), presence.clone(), policy.pairs_all()).await?,
            sessions: Sessions::load(store.clone()).await?,
            settings: Settings::load(store.clone()).await?,
            refs: Refs::load(store.clone()).await?,
            captures: Captures::default(),
            outcomes: Outcomes::new(store.clone()),
            calls,
            presence,
            record: Record::new(home),
            refusals: Refusals::default(),
            store,
            sockets: Sockets::new(tasks.clone(), stop.clone()),
            stop,
            drain: CancellationToken::new(),
            tasks,
        }))
    }

    /// Ends a session: no new call gets in, the running ones are stopped, its tabs are closed. `None` when it had
    /// ended or is ending already.
    pub async fn end_session(&self, id: &SessionId, deadline: Instant) -> Option<Ended> {
        let closing = self.sessions.close(id).await?;
        self.calls.stop(Stop::SessionEnded, |call| call.is_in(id));
        if timeout(DRAIN_LIMIT, self.calls.drained(|call| call.is_in(id)))
            .await
            .is_err()
        {
            tracing::warn!(session = %id, "calls outlast their session");
        }
        let mut ended = Ended {
            pending: closing.tabs,
            ..Ended::default()
        };
        if let Some(link) = self.targets.link(&closing.target) {
            let started = Instant::now();
            let answer = link
                .call(
                    BrowserCall::EndSession { session: id.clone() },
                    deadline,
                    &self.stop,
                )
                .await;
            ended.round_trip = started.elapsed();
            match answer {
                Ok((BrowserReply::Ended { closed, pending }, hops)) => {
                    ended = Ended {
                        closed,
                        pending,
                        hops,
                        ..ended
                    };
                }
                Ok(_) => tracing::error!(session = %id, "the extension answered something else"),
                // Its next Welcome no longer names the session, and it closes the tabs then.
                Err(error) => {
                    tracing::warn!(session = %id, %error, "tabs of a session are left to the extension")
                }
            }
        }
        self.sessions.remove(id);
        self.captures.session_ended(id);
        self.presence.stir();
        Some(ended)
    }

    /// Stops the calls of a connection that ended, and ends the sessions that hung on it.
    pub async fn client_left(&self, connection: u64) {
        self.calls
            .stop(Stop::ClientGone, |call| call.connection == connection);
        if timeout(
            DRAIN_LIMIT,
            self.calls.drained(|call| call.connection == connection),
        )
        .await
        .is_err()
        {
            tracing::warn!(connection, "calls outlast their client");
        }
        for session in self.sessions.attached_to(connection) {
            self.end_session(&session, Instant::now() + END_LIMIT).await;
        }
    }

    /// Stops every call and ends every session; bounded. A successor is left the timed sessions.
    pub async fn release(&self) {
        self.calls.stop(Stop::Stopping, |_| true);
        if timeout(DRAIN_LIMIT, self.calls.drained(|_| true)).await.is_err() {
            tracing::warn!("calls outlast the daemon");
        }
        let deadline = Instant::now() + END_LIMIT;
        let sessions = if self.drain.is_cancelled() {
            self.sessions.attached()
        } else {
            self.sessions.all()
        };
        for session in sessions {
            self.end_session(&session, deadline).await;
        }
    }

    /// Ends timed sessions when their quiet time is over. Runs as long as the daemon.
    pub async fn reap(&self) {
        loop {
            // Made before the look, so that a session that starts in between is not missed.
            let changed = self.sessions.changed();
            let busy = |id: &SessionId| self.calls.any(|call| call.is_in(id));
            let next = self.sessions.next_expiry(busy);
            match next {
                Some((id, at)) if at <= Instant::now() => {
                    tracing::info!(session = %id, "session ends after its quiet time");
                    self.end_session(&id, Instant::now() + END_LIMIT).await;
                }
                Some((_, at)) => {
                    // Whichever comes first, the look is taken again; past the moment, not at the timer's last step
                    // before it.
                    drop(timeout_at(at + TICK, changed).await);
                }
                None => changed.await,
            }
        }
    }
}
