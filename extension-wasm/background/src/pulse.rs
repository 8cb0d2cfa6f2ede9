//! Waking whoever waits when shared state of this worker changed. There is one thread.

use std::cell::RefCell;
use std::future::poll_fn;
use std::task::{Poll, Waker};

/// Told after each change of the state it belongs to.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    wakers: RefCell<Vec<Waker>>,
}

impl Pulse {
    /// Says that something changed.
    pub(crate) fn beat(&self) {
        for waker in self.wakers.take() {
            waker.wake();
        }
    }

    /// Waits until `look` finds what it looks for; looks at once and after each beat.
    pub(crate) async fn until<T>(&self, mut look: impl FnMut() -> Option<T>) -> T {
        poll_fn(|context| match look() {
            Some(found) => Poll::Ready(found),
            None => {
                let mut wakers = self.wakers.borrow_mut();
                if !wakers.iter().any(|waker| waker.will_wake(context.waker())) {
                    wakers.push(context.waker().clone());
                }
                Poll::Pending
            }
        })
        .await
    }
}
