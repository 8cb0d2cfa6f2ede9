//! Numbers of refs, one counter per tab. What was told once is told of nothing else, also after a restart: before a reply
//! names a number, one that lies beyond it is on the disk.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Result;
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::{TabId, TargetId};
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::store::{Store, TabRefs};

/// Numbers that are put aside at once, so that not every read waits for the disk.
const BLOCK: u32 = 1_000;

/// Tabs that are gone and remembered.
const REMEMBERED: usize = 5_000;

/// A tab of a profile.
type Key = (TargetId, TabId);

/// A counter that whoever reads its tab holds alone.
type Shared = Arc<Mutex<Counter>>;

/// All counters.
#[derive(Debug)]
pub struct Refs {
    /// Reads of a tab come one after another, since each has to know what the one before gave out; whoever reads holds
    /// the lock.
    tabs: RefCell<HashMap<Key, Shared>>,
    /// Where the numbers of tabs ended that are gone, by the browser's own number of the tab. An extension that was loaded
    /// anew has another id for the same tab, and the page in it may still be the one that refs were given to.
    ended: RefCell<HashMap<(TargetId, String), Shared>>,
    store: Store,
}

#[derive(Debug)]
struct Counter {
    /// The first number that was not given.
    next: u32,
    /// The first number that a restart goes on with.
    reserved: u32,
}

/// The right to give refs in one tab.
#[derive(Debug)]
pub struct Turn {
    counter: OwnedMutexGuard<Counter>,
    key: Key,
    store: Store,
}

impl Refs {
    /// Goes on where the last daemon may have stopped.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn load(store: Store) -> Result<Self> {
        let tabs = store.tab_refs().await?.into_iter().map(|refs| {
            let counter = Counter {
                next: refs.reserved,
                reserved: refs.reserved,
            };
            ((refs.target, refs.tab), Arc::new(Mutex::new(counter)))
        });
        Ok(Self {
            tabs: RefCell::new(tabs.collect()),
            ended: RefCell::default(),
            store,
        })
    }

    /// Waits for the tab's turn.
    ///
    /// # Errors
    /// `timeout` and `cancelled` while another read of the tab runs.
    pub async fn turn(
        &self,
        target: &TargetId,
        tab: &TabId,
        deadline: Instant,
        cancelled: &CancellationToken,
    ) -> Result<Turn, Error> {
        let key = (target.clone(), tab.clone());
        let known = self.tabs.borrow().get(&key).map(Arc::clone);
        let counter = known.unwrap_or_else(|| {
            let next = self.free(&key);
            let counter = Arc::new(Mutex::new(Counter { next, reserved: 1 }));
            self.tabs.borrow_mut().insert(key.clone(), Arc::clone(&counter));
            counter
        });
        let counter = tokio::select! {
            locked = timeout_at(deadline, counter.lock_owned()) => locked.map_err(|_| {
                Error::new(Code::Timeout, "another read of the tab did not end in time")
            })?,
            () = cancelled.cancelled() => return Err(Error::new(Code::Cancelled, "the call was stopped")),
        };
        Ok(Turn {
            counter,
            key,
            store: self.store.clone(),
        })
    }

    /// Forgets a tab that is gone for good: no browser hands out its id again.
    pub fn forget(&self, target: &TargetId, tab: &TabId) {
        let gone = self.tabs.borrow_mut().remove(&(target.clone(), tab.clone()));
        if let Some(counter) = gone {
            let mut ended = self.ended.borrow_mut();
            if ended.len() >= REMEMBERED {
                ended.clear();
            }
            ended.insert((target.clone(), number(tab)), counter);
            self.store.drop_tab_refs(target.clone(), tab.clone());
        }
    }

    /// The first number that was never given in a tab that is new here.
    fn free(&self, (target, tab): &Key) -> u32 {
        let number_of = number(tab);
        let (tabs, ended) = (self.tabs.borrow(), self.ended.borrow());
        let others = tabs
            .iter()
            .filter(|((of, other), _)| of == target && number(other) == number_of)
            .map(|(_, counter)| counter);
        others
            .chain(ended.get(&(target.clone(), number_of.clone())))
            .filter_map(|counter| Some(counter.try_lock().ok()?.next))
            .max()
            .unwrap_or(1)
    }
}

/// The browser's own number of a tab, which the extension puts in front of what tells one run from another.
fn number(tab: &TabId) -> String {
    tab.as_str().split('.').next().unwrap_or_default().to_owned()
}

impl Turn {
    /// The first number that is free.
    pub fn next(&self) -> u32 {
        self.counter.next
    }

    /// Notes which number is free after a read. What the read gave may be told once this is done.
    ///
    /// # Errors
    /// `internal` when it cannot be written: what is not remembered is not told.
    pub async fn used(&mut self, next: u32) -> Result<(), Error> {
        let next = next.max(self.counter.next);
        if next > self.counter.reserved {
            let reserved = next.saturating_add(BLOCK);
            let refs = TabRefs {
                target: self.key.0.clone(),
                tab: self.key.1.clone(),
                reserved,
            };
            self.store.put_tab_refs(refs).await.map_err(|error| {
                tracing::error!(error = format!("{error:#}"), "cannot reserve refs");
                Error::internal("the refs of the page could not be reserved")
            })?;
            self.counter.reserved = reserved;
        }
        self.counter.next = next;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
