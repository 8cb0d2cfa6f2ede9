//! Who waits for which answer on a connection.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Callers put themselves in; the task that reads the connection settles them and closes the table when it ends.
pub(crate) struct Pending<K, T>(Mutex<Option<HashMap<K, oneshot::Sender<T>>>>);

impl<K: Eq + Hash, T> Pending<K, T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Some(HashMap::new())))
    }

    /// A place to wait. On a closed table the receiver fails at once.
    pub(crate) fn wait(&self, key: K) -> oneshot::Receiver<T> {
        let (sender, receiver) = oneshot::channel();
        if let Some(waiting) = self.lock().as_mut() {
            waiting.insert(key, sender);
        }
        receiver
    }

    /// Hands an answer to whoever waits for it; an answer nobody waits for any more is dropped.
    pub(crate) fn settle(&self, key: &K, answer: T) {
        if let Some(sender) = self.lock().as_mut().and_then(|waiting| waiting.remove(key)) {
            let _ = sender.send(answer);
        }
    }

    /// Stops waiting.
    pub(crate) fn forget(&self, key: &K) {
        if let Some(waiting) = self.lock().as_mut() {
            waiting.remove(key);
        }
    }

    /// Every receiver fails, now and from now on.
    pub(crate) fn close(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<HashMap<K, oneshot::Sender<T>>>> {
        // The table stays whole whatever panicked beside it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
