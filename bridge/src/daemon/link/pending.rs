//! The calls that a link waits for. When the table is dropped, each of them fails as lost.

use std::collections::HashMap;

use drawbridge_protocol::error::{Code, Effect};
use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::link::{Answer, Hop};
use tokio::sync::oneshot;

use super::{Answered, End, lost};

#[derive(Debug, Default)]
pub(super) struct Pending {
    calls: HashMap<CallId, Waiting>,
}

#[derive(Debug)]
struct Waiting {
    changes: bool,
    /// The caller holds the other end.
    reply: oneshot::Sender<Answered>,
}

impl Pending {
    pub(super) fn insert(&mut self, id: CallId, changes: bool, reply: oneshot::Sender<Answered>) {
        self.calls.insert(id, Waiting { changes, reply });
    }

    /// Hands over what came of a call; an answer that nobody waits for is dropped.
    pub(super) fn answer(&mut self, id: CallId, answer: Answer, hops: Vec<Hop>) {
        if let Some(waiting) = self.calls.remove(&id) {
            let answered = match answer {
                Answer::Done(reply) => Ok((reply, hops)),
                Answer::Failed(error) => Err(error),
            };
            // The caller may have left in this very moment.
            drop(waiting.reply.send(answered));
        }
    }

    /// Fails a call that could not be sent; one that is too large leaves the link standing.
    pub(super) fn refuse(&mut self, id: CallId, end: End) -> Result<(), End> {
        match end {
            End::Protocol(error) if error.code == Code::TooLarge => {
                if let Some(waiting) = self.calls.remove(&id) {
                    drop(waiting.reply.send(Err(error.effect(Effect::None))));
                }
                Ok(())
            }
            other => Err(other),
        }
    }

    /// Drops a call whose caller left; whether the extension may still be at it.
    pub(super) fn forget(&mut self, id: CallId) -> bool {
        self.calls.remove(&id).is_some()
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        for (_, waiting) in self.calls.drain() {
            drop(waiting.reply.send(Err(lost(waiting.changes))));
        }
    }
}
