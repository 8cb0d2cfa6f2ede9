//! The calls that run now, and how each of them is stopped.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use drawbridge_protocol::ids::{CallId, ClientId, SessionId};
use drawbridge_protocol::local::Decision;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::grants::Site;

/// Why a call was stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its caller cancelled it.
    Caller,
    /// Its caller's connection ended.
    ClientGone,
    /// A decision it rests on changed.
    NotGranted,
    /// The session it works in ended.
    SessionEnded,
    /// The daemon ends.
    Stopping,
}

/// The table of running calls; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    shared: Rc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    running: RefCell<BTreeMap<u64, Rc<Running>>>,
    next: Cell<u64>,
    /// Told whenever a call ends.
    ended: Notify,
}

/// What others may know of a running call.
#[derive(Debug)]
pub struct Running {
    /// Its caller's connection.
    pub connection: u64,
    /// Its number there.
    pub id: CallId,
    client: ClientId,
    session: RefCell<Option<SessionId>>,
    /// The uses it was allowed.
    needs: RefCell<Vec<(&'static str, Site)>>,
    stop: Cell<Option<Stop>>,
    token: CancellationToken,
}

/// A call's place in the table, given up when dropped.
#[derive(Debug)]
pub struct Ticket {
    shared: Rc<Shared>,
    key: u64,
    running: Rc<Running>,
}

impl Calls {
    /// Enters a call.
    pub fn enter(&self, connection: u64, id: CallId, client: ClientId) -> Ticket {
        let key = self.shared.next.replace(self.shared.next.get() + 1);
        let running = Rc::new(Running {
            connection,
            id,
            client,
            session: RefCell::default(),
            needs: RefCell::default(),
            stop: Cell::default(),
            token: CancellationToken::new(),
        });
        self.shared.running.borrow_mut().insert(key, Rc::clone(&running));
        Ticket {
            shared: Rc::clone(&self.shared),
            key,
            running,
        }
    }

    /// Stops every call that `which` picks; the first reason stays.
    pub fn stop(&self, reason: Stop, which: impl Fn(&Running) -> bool) {
        for running in self.shared.running.borrow().values() {
            if which(running) {
                running.halt(reason);
            }
        }
    }

    /// Stops every call that is no longer allowed one of the uses it was allowed.
    pub fn redecide(&self, decide: impl Fn(&ClientId, &str, &Site) -> Decision) {
        self.stop(Stop::NotGranted, |running| {
            let needs = running.needs.borrow();
            needs
                .iter()
                .any(|(action, site)| decide(&running.client, action, site) != Decision::Allow)
        });
    }

    /// Whether a call that `which` picks is running.
    pub fn any(&self, which: impl Fn(&Running) -> bool) -> bool {
        self.shared
            .running
            .borrow()
            .values()
            .any(|running| which(running))
    }

    /// How many calls of a connection are running.
    pub fn count(&self, connection: u64) -> usize {
        self.shared
            .running
            .borrow()
            .values()
            .filter(|running| running.connection == connection)
            .count()
    }

    /// Waits until no call that `which` picks is running.
    pub async fn drained(&self, which: impl Fn(&Running) -> bool) {
        loop {
            // Made before the look, so that an end in between is not missed.
            let ended = self.shared.ended.notified();
            if !self.any(&which) {
                return;
            }
            ended.await;
        }
    }
}

impl Running {
    /// Whether it works in a session.
    pub fn is_in(&self, session: &SessionId) -> bool {
        self.session.borrow().as_ref() == Some(session)
    }

    fn halt(&self, reason: Stop) {
        if self.stop.get().is_none() {
            self.stop.set(Some(reason));
        }
        self.token.cancel();
    }
}

impl Ticket {
    /// Cancelled when the call is stopped.
    pub fn token(&self) -> &CancellationToken {
        &self.running.token
    }

    /// Why it was stopped, if it was.
    pub fn stopped(&self) -> Option<Stop> {
        self.running.stop.get()
    }

    /// Says in which session it works, or that it no longer does.
    pub fn work_in(&self, session: Option<SessionId>) {
        self.running.session.replace(session);
    }

    /// Adds a use it was allowed and rests on from now.
    pub fn needs(&self, action: &'static str, site: Site) {
        self.running.needs.borrow_mut().push((action, site));
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.shared.running.borrow_mut().remove(&self.key);
        self.shared.ended.notify_waiters();
    }
}
