//! Sessions: who owns which tabs, and until when. Journaled before a browser opens anything.

mod session;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use anyhow::Result;
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::{ClientId, SessionId, TabId, TargetId};
use drawbridge_protocol::link::OwnedTab;
use drawbridge_protocol::tools::session::{Lease, Placement, SessionRow as ListedSession};
use serde_json::json;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::Instant;

use super::store::{SessionRow, Store};
use session::{Session, now_ms};

pub use session::View;

/// Sessions that one client may have at once.
const PER_CLIENT: usize = 50;

/// How old the stored time of a timed session's last call may get before it is written again.
const STORE_EVERY: Duration = Duration::from_secs(10);

/// Who calls: a client on one of its connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The subject of grants.
    pub client: ClientId,
    /// The connection; attached sessions hang on it.
    pub connection: u64,
}

/// What a new session is to be.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The profile it works in.
    pub target: TargetId,
    /// Name on its group.
    pub label: Option<String>,
    /// Where its tabs open.
    pub placement: Placement,
    /// Quiet time that ends it; `None`: it hangs on the connection.
    pub lease: Option<Duration>,
}

/// What is left to be done for a session that no longer takes calls.
#[derive(Debug)]
pub struct Closing {
    /// The profile it worked in.
    pub target: TargetId,
    /// Tabs it had.
    pub tabs: Vec<TabId>,
}

/// The table of sessions.
#[derive(Debug)]
pub struct Sessions {
    live: RefCell<BTreeMap<SessionId, Session>>,
    /// Ended ones and their clients, so that a second stop is told so.
    ended: RefCell<HashMap<SessionId, ClientId>>,
    /// The reaper waits on it.
    changed: Notify,
    store: Store,
}

impl Sessions {
    /// Loads timed sessions that outlived a daemon. Attached ones lost their connection with it: they have ended.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub async fn load(store: Store) -> Result<Self> {
        let mut live = BTreeMap::new();
        let mut ended = HashMap::new();
        for mut row in store.sessions().await? {
            if row.live && row.lease_ms.is_some() {
                live.insert(row.id.clone(), Session::restored(row));
                continue;
            }
            ended.insert(row.id.clone(), row.client.clone());
            if row.live {
                row.live = false;
                store.put_session(row).await?;
            }
        }
        Ok(Self {
            live: RefCell::new(live),
            ended: RefCell::new(ended),
            changed: Notify::new(),
            store,
        })
    }

    /// Mints and journals a session.
    ///
    /// # Errors
    /// `too_large` when the client has too many, `internal` when it cannot be journaled.
    pub async fn begin(&self, caller: &Caller, plan: Plan) -> Result<SessionId, Error> {
        let id = SessionId(format!("s-{}", uuid::Uuid::new_v4().simple()));
        let session = Session::new(id.clone(), caller, plan);
        let row = session.row.clone();
        {
            let mut live = self.live.borrow_mut();
            if live
                .values()
                .filter(|other| other.row.client == caller.client)
                .count()
                >= PER_CLIENT
            {
                return Err(
                    Error::new(Code::TooLarge, format!("more than {PER_CLIENT} sessions at once"))
                        .hint("stop one with `browser_session stop`"),
                );
            }
            live.insert(id.clone(), session);
        }
        if let Err(error) = self.store.put_session(row).await {
            self.live.borrow_mut().remove(&id);
            tracing::error!(error = format!("{error:#}"), "cannot journal a session");
            return Err(Error::internal(
                "the session could not be journaled, so nothing was opened",
            ));
        }
        self.changed.notify_waiters();
        Ok(id)
    }

    /// The session that a call means: the one named, the one that owns the tab named, or the caller's only one.
    ///
    /// # Errors
    /// `session_unknown` when there is none or it is another's, `invalid_argument` when several fit.
    pub fn resolve(
        &self,
        caller: &Caller,
        named: Option<&SessionId>,
        tab: Option<&TabId>,
    ) -> Result<View, Error> {
        let live = self.live.borrow();
        if let Some(named) = named {
            return match live.get(named).filter(|session| session.is_of(caller)) {
                Some(session) if session.closing => {
                    Err(Error::new(Code::SessionBusy, "the session is ending"))
                }
                Some(session) => Ok(session.view()),
                None => Err(unknown()),
            };
        }
        let mut mine = live
            .values()
            .filter(|session| session.is_of(caller) && !session.closing);
        let Some(first) = mine.next() else {
            return Err(Error::new(Code::SessionUnknown, "you have no session")
                .hint("`browser_session start` gives you one"));
        };
        let Some(second) = mine.next() else {
            return Ok(first.view());
        };
        let all = || [first, second].into_iter().chain(mine.clone());
        if let Some(owner) = tab.and_then(|tab| all().find(|session| session.tabs.contains(tab))) {
            return Ok(owner.view());
        }
        let ids: Vec<_> = all().map(|session| json!({ "id": session.row.id })).collect();
        Err(
            Error::argument("session", format!("is needed: you have {} sessions", ids.len()))
                .data(json!({ "sessions": ids })),
        )
    }

    /// The tab that a call in a session means: the one named, else the current one.
    ///
    /// # Errors
    /// `tab_gone`, or `tab_not_owned` for a tab that was never the session's.
    pub fn tab(&self, session: &SessionId, named: Option<&TabId>) -> Result<TabId, Error> {
        let live = self.live.borrow();
        let session = live.get(session).ok_or_else(unknown)?;
        match named {
            None => session.current.clone().ok_or_else(|| {
                Error::new(Code::TabGone, "the session has no open tab").hint("`browser_tabs new` opens one")
            }),
            Some(tab) if session.tabs.contains(tab) => Ok(tab.clone()),
            Some(tab) if session.gone.contains(tab) => Err(Error::new(Code::TabGone, "the tab is closed")),
            Some(_) => Err(Error::new(Code::TabNotOwned, "the session did not open this tab")
                .hint("`browser_tabs list` shows whose a tab is")),
        }
    }

    /// Adds a tab that was opened for a session; it becomes the current one.
    pub fn opened(&self, session: &SessionId, tab: &TabId) {
        if let Some(session) = self.live.borrow_mut().get_mut(session) {
            session.open(tab);
        }
    }

    /// Makes a tab the session's current one.
    pub fn select(&self, session: &SessionId, tab: &TabId) {
        if let Some(session) = self.live.borrow_mut().get_mut(session) {
            session.current = Some(tab.clone());
        }
    }

    /// Takes a closed tab out of a session.
    pub fn closed(&self, session: &SessionId, tab: &TabId) {
        if let Some(session) = self.live.borrow_mut().get_mut(session) {
            session.lose(tab);
        }
    }

    /// A profile reports that a tab is gone; it is believed for its own sessions only.
    pub fn tab_gone(&self, target: &TargetId, session: &SessionId, tab: &TabId) {
        if self
            .live
            .borrow()
            .get(session)
            .is_some_and(|session| session.row.target == *target)
        {
            self.closed(session, tab);
        }
    }

    /// Takes over which tabs a profile still has for its sessions, after it was away.
    pub fn reconcile(&self, target: &TargetId, owned: &[OwnedTab]) {
        for session in self
            .live
            .borrow_mut()
            .values_mut()
            .filter(|session| session.row.target == *target)
        {
            let here: Vec<_> = owned
                .iter()
                .filter(|tab| tab.session == session.row.id)
                .map(|tab| tab.tab.clone())
                .collect();
            for tab in session.tabs.clone() {
                if !here.contains(&tab) {
                    session.lose(&tab);
                }
            }
            for tab in here {
                if !session.tabs.contains(&tab) {
                    session.open(&tab);
                }
            }
        }
    }

    /// Sessions of a profile that still live; the extension closes the tabs of every other.
    pub fn live_in(&self, target: &TargetId) -> Vec<SessionId> {
        let live = self.live.borrow();
        let fits = |session: &&Session| session.row.target == *target && !session.closing;
        live.values()
            .filter(fits)
            .map(|session| session.row.id.clone())
            .collect()
    }

    /// Notes a call in a session: its quiet time starts anew.
    pub async fn touch(&self, id: &SessionId) {
        let row = {
            let mut live = self.live.borrow_mut();
            let Some(session) = live.get_mut(id) else { return };
            session.last_call = Instant::now();
            let stale = now_ms().saturating_sub(session.row.last_call) > STORE_EVERY.as_millis() as u64;
            if session.closing || session.row.lease_ms.is_none() || !stale {
                return;
            }
            session.row.last_call = now_ms();
            session.row.clone()
        };
        if let Err(error) = self.store.put_session(row).await {
            tracing::error!(%error, "cannot store a session's last call");
        }
    }

    /// The caller's sessions, as they are listed.
    pub fn list(&self, caller: &Caller) -> Vec<ListedSession> {
        let live = self.live.borrow();
        live.values()
            .filter(|session| session.is_of(caller) && !session.closing)
            .map(|session| ListedSession {
                id: session.row.id.clone(),
                target: session.row.target.clone(),
                label: session.row.label.clone(),
                lease: if session.row.lease_ms.is_some() {
                    Lease::Timed
                } else {
                    Lease::Attached
                },
                tabs: session.tabs.clone(),
                idle_ms: session.last_call.elapsed().as_millis() as u64,
            })
            .collect()
    }

    /// Whether a session is the caller's, alive or ending.
    pub fn is_of(&self, caller: &Caller, id: &SessionId) -> bool {
        self.live
            .borrow()
            .get(id)
            .is_some_and(|session| session.is_of(caller))
    }

    /// Whether a session of this client has ended, or is about to.
    pub fn has_ended(&self, caller: &Caller, id: &SessionId) -> bool {
        let ending = self
            .live
            .borrow()
            .get(id)
            .is_some_and(|session| session.closing && session.is_of(caller));
        ending || self.ended.borrow().get(id) == Some(&caller.client)
    }

    /// Takes a session out of use; `None` when it ended or is ending. [`Sessions::remove`] follows.
    pub async fn close(&self, id: &SessionId) -> Option<Closing> {
        let (row, closing) = {
            let mut live = self.live.borrow_mut();
            let session = live.get_mut(id).filter(|session| !session.closing)?;
            session.closing = true;
            session.row.live = false;
            let closing = Closing {
                target: session.row.target.clone(),
                tabs: session.tabs.clone(),
            };
            (session.row.clone(), closing)
        };
        if let Err(error) = self.store.put_session(row).await {
            // It ends all the same; a restart would find a timed one alive and end it after its quiet time.
            tracing::error!(%error, "cannot store that a session ended");
        }
        Some(closing)
    }

    /// Forgets a session that was closed.
    pub fn remove(&self, id: &SessionId) {
        if let Some(session) = self.live.borrow_mut().remove(id) {
            self.ended.borrow_mut().insert(id.clone(), session.row.client);
        }
        self.changed.notify_waiters();
    }

    /// Sessions that hang on a connection.
    pub fn attached_to(&self, connection: u64) -> Vec<SessionId> {
        let live = self.live.borrow();
        live.values()
            .filter(|s| s.connection == Some(connection))
            .map(|s| s.row.id.clone())
            .collect()
    }

    /// Sessions that hang on any connection.
    pub fn attached(&self) -> Vec<SessionId> {
        let live = self.live.borrow();
        live.values()
            .filter(|session| session.connection.is_some())
            .map(|session| session.row.id.clone())
            .collect()
    }

    /// All that live.
    pub fn all(&self) -> Vec<SessionId> {
        self.live.borrow().keys().cloned().collect()
    }

    /// Whether a session lives that outlasts its client.
    pub fn any_timed(&self) -> bool {
        self.live
            .borrow()
            .values()
            .any(|session| session.row.lease_ms.is_some())
    }

    /// Told when a session starts or ends.
    pub fn changed(&self) -> Notified<'_> {
        self.changed.notified()
    }

    /// The timed session that ends next by itself, and when; one with a running call has its whole quiet time ahead.
    pub fn next_expiry(&self, busy: impl Fn(&SessionId) -> bool) -> Option<(SessionId, Instant)> {
        let live = self.live.borrow();
        live.values()
            .filter(|session| !session.closing)
            .filter_map(|session| {
                let lease = Duration::from_millis(session.row.lease_ms?);
                let from = if busy(&session.row.id) {
                    Instant::now()
                } else {
                    session.last_call
                };
                Some((session.row.id.clone(), from + lease))
            })
            .min_by_key(|(_, at)| *at)
    }
}

/// The same words for a session that never was, one that ended and one of somebody else.
fn unknown() -> Error {
    Error::new(Code::SessionUnknown, "you have no such session").hint("`browser_session list` shows yours")
}
