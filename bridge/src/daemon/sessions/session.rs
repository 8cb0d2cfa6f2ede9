//! One session.

use std::collections::VecDeque;
use std::time::Duration;

use drawbridge_protocol::ids::{SessionId, TabId, TargetId};
use drawbridge_protocol::tools::session::Placement;
use tokio::time::Instant;

use super::{Caller, Plan, SessionRow};

pub(super) use crate::daemon::store::now_ms;

/// Closed tabs that a session remembers, to tell `tab_gone` from `tab_not_owned`.
const GONE_KEPT: usize = 64;

#[derive(Debug)]
pub(super) struct Session {
    /// As it is journaled.
    pub(super) row: SessionRow,
    /// The connection an attached session hangs on.
    pub(super) connection: Option<u64>,
    /// Open tabs, oldest first.
    pub(super) tabs: Vec<TabId>,
    pub(super) gone: VecDeque<TabId>,
    pub(super) current: Option<TabId>,
    pub(super) last_call: Instant,
    /// It takes no more calls.
    pub(super) closing: bool,
}

/// What a call needs to know of its session.
#[derive(Clone, Debug)]
pub struct View {
    /// Its id.
    pub id: SessionId,
    /// The profile it works in.
    pub target: TargetId,
    /// Name on its group.
    pub label: Option<String>,
    /// Where its tabs open.
    pub placement: Placement,
}

impl Session {
    pub(super) fn new(id: SessionId, caller: &Caller, plan: Plan) -> Self {
        let row = SessionRow {
            id,
            client: caller.client.clone(),
            target: plan.target,
            label: plan.label,
            placement: plan.placement,
            lease_ms: plan.lease.map(|lease| lease.as_millis() as u64),
            last_call: now_ms(),
            live: true,
        };
        let connection = plan.lease.is_none().then_some(caller.connection);
        Self::idle_since(row, connection, Instant::now())
    }

    /// A session from the journal; its quiet time went on while no daemon ran. Its tabs come with the profile's hello.
    pub(super) fn restored(row: SessionRow) -> Self {
        let quiet = Duration::from_millis(now_ms().saturating_sub(row.last_call));
        let now = Instant::now();
        // A machine that started later than the last call cannot express that moment; quiet since its start will do.
        let last_call = now.checked_sub(quiet).unwrap_or(now);
        Self::idle_since(row, None, last_call)
    }

    fn idle_since(row: SessionRow, connection: Option<u64>, last_call: Instant) -> Self {
        Self {
            row,
            connection,
            tabs: Vec::new(),
            gone: VecDeque::new(),
            current: None,
            last_call,
            closing: false,
        }
    }

    /// A timed session is its client's on every connection, an attached one on its own only.
    pub(super) fn is_of(&self, caller: &Caller) -> bool {
        self.row.client == caller.client
            && self
                .connection
                .is_none_or(|connection| connection == caller.connection)
    }

    pub(super) fn view(&self) -> View {
        View {
            id: self.row.id.clone(),
            target: self.row.target.clone(),
            label: self.row.label.clone(),
            placement: self.row.placement,
        }
    }

    pub(super) fn open(&mut self, tab: &TabId) {
        if !self.tabs.contains(tab) {
            self.tabs.push(tab.clone());
        }
        self.current = Some(tab.clone());
    }

    pub(super) fn lose(&mut self, tab: &TabId) {
        self.tabs.retain(|open| open != tab);
        if self.gone.len() == GONE_KEPT {
            self.gone.pop_front();
        }
        self.gone.push_back(tab.clone());
        if self.current.as_ref() == Some(tab) {
            self.current = self.tabs.last().cloned();
        }
    }
}
