//! Captures of pages that replies gave a part of: cursors go on in them, differences are taken against them. Bounded per
//! session and in all; the newest of a tab and tool replaces the one before.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use drawbridge_protocol::ids::{DocumentId, SessionId, TabId};
use drawbridge_protocol::page::PageRead;
use drawbridge_protocol::tools::ToolId;

use super::grants::Site;
use super::tools::inspect::{Head, Kept, Limits};

/// Bytes of one session's captures; the newest stays whatever it takes.
const SESSION_BYTES: usize = 64 * 1024 * 1024;
/// Bytes of all captures.
const ALL_BYTES: usize = 192 * 1024 * 1024;

/// What one read found.
#[derive(Debug)]
pub struct Capture {
    /// Names it in cursors.
    pub(super) id: String,
    /// Whose it is; it ends with it.
    pub(super) session: SessionId,
    pub(super) tab: TabId,
    /// The tool that made it.
    pub(super) tool: ToolId,
    /// Its document; it ends with it.
    pub(super) document: DocumentId,
    /// The sites it was read from.
    pub(super) sites: Vec<Site>,
    /// What was asked.
    pub(super) ask: PageRead,
    /// What the first reply was bounded by; a cursor goes on with it.
    pub(super) limits: Limits,
    pub(super) head: Head,
    pub(super) kept: Kept,
    size: usize,
    used: Cell<u64>,
}

/// All of them.
#[derive(Debug, Default)]
pub struct Captures {
    kept: RefCell<HashMap<String, Rc<Capture>>>,
    clock: Cell<u64>,
}

impl Capture {
    /// What was found.
    pub(super) fn new(
        head: Head,
        sites: Vec<Site>,
        tool: ToolId,
        (ask, limits): (PageRead, Limits),
        kept: Kept,
    ) -> Self {
        Self {
            id: digits(),
            session: head.session.clone(),
            tab: head.tab.clone(),
            document: head.document.clone(),
            size: kept.size(),
            tool,
            sites,
            ask,
            limits,
            head,
            kept,
            used: Cell::new(0),
        }
    }

    fn is_of(&self, session: &SessionId, tab: &TabId, tool: ToolId) -> bool {
        self.session == *session && self.tab == *tab && self.tool == tool
    }
}

/// Twelve random digits. Digits take the same number of tokens whatever they are, so that what a reply takes does not
/// depend on luck.
pub(super) fn digits() -> String {
    format!("{:012}", uuid::Uuid::new_v4().as_u128() % 1_000_000_000_000)
}

impl Captures {
    /// The capture that a tool's cursor names.
    pub(super) fn find(&self, id: &str, tool: ToolId) -> Option<Rc<Capture>> {
        let kept = self.kept.borrow();
        let found = kept.get(id).filter(|capture| capture.tool == tool)?;
        found.used.set(self.tick());
        Some(Rc::clone(found))
    }

    /// The latest capture that a tool made of a tab.
    pub(super) fn latest(&self, session: &SessionId, tab: &TabId, tool: ToolId) -> Option<Rc<Capture>> {
        let kept = self.kept.borrow();
        kept.values()
            .find(|capture| capture.is_of(session, tab, tool))
            .cloned()
    }

    /// Keeps a capture in place of the one before; forgets those that were not used for longest where there is no room.
    pub(super) fn keep(&self, capture: &Rc<Capture>) {
        capture.used.set(self.tick());
        let mut kept = self.kept.borrow_mut();
        kept.retain(|_, other| {
            !other.is_of(&capture.session, &capture.tab, capture.tool)
                && (other.session != capture.session
                    || other.tab != capture.tab
                    || other.document == capture.document)
        });
        kept.insert(capture.id.clone(), Rc::clone(capture));
        let of_session = |other: &Capture| other.session == capture.session;
        Self::fit(&mut kept, SESSION_BYTES, &capture.id, of_session);
        Self::fit(&mut kept, ALL_BYTES, &capture.id, |_| true);
    }

    /// Forgets what a tool kept of a tab.
    pub(super) fn end(&self, session: &SessionId, tab: &TabId, tool: ToolId) {
        self.kept
            .borrow_mut()
            .retain(|_, other| !other.is_of(session, tab, tool));
    }

    /// Forgets one.
    pub(super) fn drop_one(&self, id: &str) {
        self.kept.borrow_mut().remove(id);
    }

    /// Forgets what a session kept.
    pub fn session_ended(&self, session: &SessionId) {
        self.kept
            .borrow_mut()
            .retain(|_, other| other.session != *session);
    }

    /// Forgets what a session kept of a tab.
    pub fn tab_gone(&self, session: &SessionId, tab: &TabId) {
        self.kept
            .borrow_mut()
            .retain(|_, other| other.session != *session || other.tab != *tab);
    }

    fn fit(
        kept: &mut HashMap<String, Rc<Capture>>,
        most: usize,
        newest: &str,
        which: impl Fn(&Capture) -> bool,
    ) {
        loop {
            let counted = || kept.values().filter(|capture| which(capture));
            if counted().map(|capture| capture.size).sum::<usize>() <= most {
                return;
            }
            let oldest = counted()
                .filter(|capture| capture.id != newest)
                .min_by_key(|capture| capture.used.get())
                .map(|capture| capture.id.clone());
            let Some(oldest) = oldest else { return };
            kept.remove(&oldest);
        }
    }

    fn tick(&self) -> u64 {
        self.clock.set(self.clock.get() + 1);
        self.clock.get()
    }
}
