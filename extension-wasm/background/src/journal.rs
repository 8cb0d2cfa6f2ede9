//! Which tabs are ours, kept in the profile: whatever instant the worker dies at, its successor finds them.
//!
//! An intent is written before a tab is asked for, and the tab opens at an address that carries the intent's nonce; so
//! a tab whose number was never written down is found by its address. It leaves that address only once its number is
//! written.

mod book;

pub(crate) use book::{Book, Entry, Owner, birthplace, birthplace_prefix};

use std::cell::{Cell, Ref, RefCell};
use std::time::Duration;

use drawbridge_protocol::Error;
use drawbridge_protocol::ids::SessionId;
use serde_json::{Value, json};

use crate::chrome;

/// Wakes the worker to sweep. While the journal is not empty only.
pub(crate) const ALARM: &str = "sweep";

const KEY: &str = "journal";
const PERIOD: Duration = Duration::from_secs(1);

/// The journal of this profile. Changed by whoever opens and closes tabs; this worker is its only writer.
pub(crate) struct Journal {
    book: RefCell<Book>,
    armed: Cell<bool>,
}

impl Journal {
    /// What an earlier worker left.
    pub(crate) fn load(kept: &Value) -> Self {
        // A journal of another version is of no use, and its tabs are few: start anew.
        let book = serde_json::from_value(kept.get(KEY).cloned().unwrap_or_default()).unwrap_or_default();
        Self {
            book: RefCell::new(book),
            armed: Cell::new(false),
        }
    }

    /// Its key in the profile's storage.
    pub(crate) fn key() -> &'static str {
        KEY
    }

    /// Reads it. Not to be held across an await.
    pub(crate) fn book(&self) -> Ref<'_, Book> {
        self.book.borrow()
    }

    /// Writes down that a tab is about to open, and arms the sweep that would close it.
    ///
    /// # Errors
    /// `internal` if it could not be written; then no tab may open.
    pub(crate) async fn intend(&self, owner: Owner) -> Result<String, Error> {
        let nonce = crate::random_word();
        self.book
            .borrow_mut()
            .intend(nonce.clone(), owner, crate::time::wall_ms());
        self.arm();
        match self.save().await {
            Ok(()) => Ok(nonce),
            Err(error) => {
                self.book.borrow_mut().drop_intent(&nonce);
                Err(error)
            }
        }
    }

    /// Writes down the number of the tab that opened for an intent.
    ///
    /// # Errors
    /// `internal` if it could not be written; then the tab has to keep its address.
    pub(crate) async fn opened(&self, nonce: &str, tab: i64, window: Option<i64>) -> Result<(), Error> {
        self.book.borrow_mut().opened(nonce, tab, window);
        self.save().await
    }

    /// No tab opened for an intent.
    pub(crate) fn not_opened(&self, nonce: &str) {
        self.book.borrow_mut().drop_intent(nonce);
        self.save_later();
    }

    /// A tab has to go; the sweep sees to it if whoever closes it does not. A private one it closes anyway.
    pub(crate) fn closing(&self, tab: i64) {
        if self.book.borrow_mut().closing(tab) {
            self.save_later();
        }
    }

    /// A tab is gone; answers whose it was.
    pub(crate) fn gone(&self, tab: i64) -> Option<Entry> {
        let entry = self.book.borrow_mut().gone(tab)?;
        self.save_later();
        Some(entry)
    }

    /// Forgets what an earlier run of the browser left: whatever it restored is the person's.
    pub(crate) fn forget(&self, before_ms: f64) {
        self.book.borrow_mut().forget(before_ms);
        self.save_later();
    }

    /// Drops tabs that are gone, and intents for which no tab came.
    pub(crate) fn tidy(&self, gone: &[i64]) {
        if self.book.borrow_mut().tidy(gone, crate::time::wall_ms()) {
            self.save_later();
        }
    }

    /// The sessions that own tabs, or are about to.
    pub(crate) fn sessions(&self) -> Vec<SessionId> {
        self.book.borrow().sessions()
    }

    /// Lets the sweep wake the worker while there is something to sweep, and no longer.
    pub(crate) fn arm(&self) {
        let wanted = !self.book.borrow().entries.is_empty();
        if wanted == self.armed.get() {
            return;
        }
        self.armed.set(wanted);
        wasm_bindgen_futures::spawn_local(async move {
            let done = if wanted {
                chrome::arm_alarm(ALARM, PERIOD).await
            } else {
                chrome::disarm_alarm(ALARM).await
            };
            if let Err(failure) = done {
                crate::log(&format!("the sweep's alarm: {failure}"));
            }
        });
    }

    /// An alarm that an earlier worker armed may still be there.
    pub(crate) fn assume_armed(&self) {
        self.armed.set(true);
    }

    async fn save(&self) -> Result<(), Error> {
        let values = json!({KEY: &*self.book.borrow()});
        chrome::keep_lasting(&values)
            .await
            .map_err(|failure| Error::internal(format!("the journal could not be written: {failure}")))
    }

    /// For changes that only make the journal shorter or more urgent: a sweep after a lost one finds the same again.
    fn save_later(&self) {
        let values = json!({KEY: &*self.book.borrow()});
        wasm_bindgen_futures::spawn_local(async move {
            if let Err(failure) = chrome::keep_lasting(&values).await {
                crate::log(&format!("the journal: {failure}"));
            }
        });
    }
}
