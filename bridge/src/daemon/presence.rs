//! Who keeps the daemon alive: every link and every client holds a [`Present`].

use std::cell::Cell;
use std::rc::Rc;

use tokio::sync::Notify;

/// Counts those present.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    shared: Rc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    count: Cell<u64>,
    /// The idle watch waits on it.
    changed: Notify,
}

/// One who is present, until dropped.
#[derive(Debug)]
pub struct Present {
    shared: Rc<Shared>,
}

impl Presence {
    /// Enters.
    pub fn enter(&self) -> Present {
        self.shared.count.set(self.shared.count.get() + 1);
        self.shared.changed.notify_one();
        Present {
            shared: Rc::clone(&self.shared),
        }
    }

    /// How many are present.
    pub fn count(&self) -> u64 {
        self.shared.count.get()
    }

    /// Waits until somebody came or went, or [`Presence::stir`] was called.
    pub async fn changed(&self) {
        self.shared.changed.notified().await;
    }

    /// Makes the idle watch look again.
    pub fn stir(&self) {
        self.shared.changed.notify_one();
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.shared.count.set(self.shared.count.get().saturating_sub(1));
        self.shared.changed.notify_one();
    }
}
