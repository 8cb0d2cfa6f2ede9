//! Calls that a client gave an id of its own: the same id gets the first outcome and never acts twice. While the first
//! runs the second waits for it; of one that a daemon died over nothing is known but that it may have been done.
//!
//! A call that did nothing leaves its id free, so that it can be made again once what stood in its way is gone.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use drawbridge_protocol::error::{Code, Effect, Error, Outcome};
use drawbridge_protocol::ids::ClientId;
use drawbridge_protocol::tools::interact::MAX_REQUEST_ID;
use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::store::Store;
use crate::hex;

/// Outcomes that are held in memory, whole.
const HELD: usize = 1_000;

/// Bytes of the random word that each stored hash is made with.
const SALT: usize = 16;

/// Fields of results that hold what a page said. They are not written down, and not told again once a grant changed.
const PAGE_DATA: &[&str] = &[
    "value",
    "selected",
    "focused",
    "validation",
    "message",
    "defaultText",
    "after",
];

/// A client and its id for a call.
type Key = (ClientId, String);

/// The table of them; clones share it.
#[derive(Clone, Debug)]
pub struct Outcomes {
    shared: Rc<Shared>,
}

#[derive(Debug)]
struct Shared {
    held: RefCell<Held>,
    /// Told whenever a call ends.
    ended: Notify,
    store: Store,
}

#[derive(Debug, Default)]
struct Held {
    entries: HashMap<Key, Entry>,
    /// Ended ones, oldest first.
    order: VecDeque<Key>,
}

#[derive(Clone, Debug)]
struct Entry {
    /// What was called, in full, hashed.
    call: String,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Running,
    /// What came of it, and how often grants had changed by then.
    Ended(Box<Result<Value, Error>>, u64),
}

/// What an id means.
#[derive(Debug)]
pub enum Claim {
    /// A call that was not made before; say how it ends.
    Ours(Claimed),
    /// What came of the first one.
    Known(Result<Value, Error>),
}

/// A call on its way that has an id.
#[derive(Debug)]
pub struct Claimed {
    shared: Rc<Shared>,
    key: Key,
    open: bool,
}

impl Outcomes {
    /// An empty table over what is stored.
    pub fn new(store: Store) -> Self {
        let shared = Shared {
            held: RefCell::default(),
            ended: Notify::new(),
            store,
        };
        Self {
            shared: Rc::new(shared),
        }
    }

    /// Takes an id for a call, or says what came of the one that had it. `grants` is how often they changed until now.
    ///
    /// # Errors
    /// `conflict` when the id was given to another call, `timeout` and `cancelled` while the first one runs, `internal`
    /// when it cannot be noted: what is not noted is not done.
    pub async fn claim(
        &self,
        client: &ClientId,
        request: &str,
        call: &str,
        grants: u64,
        deadline: Instant,
        cancelled: &CancellationToken,
    ) -> Result<Claim, Error> {
        let key = (client.clone(), request.to_owned());
        let call = hex::digest(call);
        loop {
            // Made before the look, so that an end in between is not missed.
            let ended = self.shared.ended.notified();
            match self.shared.known(&key) {
                None => break,
                Some(entry) if entry.call != call => return Err(conflict()),
                Some(Entry {
                    state: State::Ended(result, then),
                    ..
                }) => {
                    return Ok(Claim::Known(if then == grants {
                        *result
                    } else {
                        without_pages(*result)
                    }));
                }
                Some(_) => {}
            }
            tokio::select! {
                ended = timeout_at(deadline, ended) => ended.map_err(|_| still_running(Code::Timeout))?,
                () = cancelled.cancelled() => return Err(still_running(Code::Cancelled)),
            }
        }
        self.shared.begin(&key, &call);
        let claimed = Claimed {
            shared: Rc::clone(&self.shared),
            key,
            open: true,
        };
        self.first(claimed, &call, grants).await
    }

    /// The first call with this id that this daemon sees; an earlier daemon may have seen one.
    async fn first(&self, mut claimed: Claimed, call: &str, grants: u64) -> Result<Claim, Error> {
        let (client, request) = claimed.key.clone();
        let noted = match salted(call) {
            Ok(salted) => self.shared.store.claim_outcome(client, request, salted).await,
            Err(error) => Err(error),
        };
        match noted {
            Ok(None) => Ok(Claim::Ours(claimed)),
            Ok(Some(before)) => {
                if !is_of(&before.call, call) {
                    claimed.free();
                    return Err(conflict());
                }
                let outcome = before.outcome.and_then(|text| serde_json::from_str(&text).ok());
                let result = outcome.map_or_else(|| Err(lost()), |Outcome(result)| result);
                claimed.settle(result.clone(), grants);
                Ok(Claim::Known(result))
            }
            Err(error) => {
                claimed.free();
                tracing::error!(error = format!("{error:#}"), "cannot note a request id");
                Err(
                    Error::internal("the call's id could not be noted, so the call was not made")
                        .effect(Effect::None),
                )
            }
        }
    }
}

impl Claimed {
    /// Says how the call ended. One that did nothing leaves its id free.
    pub async fn end(mut self, result: &Result<Value, Error>, did_nothing: bool, grants: u64) {
        let (client, request) = self.key.clone();
        let store = self.shared.store.clone();
        let stored = if did_nothing {
            let dropped = store.drop_outcome(client, request).await;
            self.free();
            dropped
        } else {
            let told = Outcome(without_pages(result.clone()));
            let stored = match serde_json::to_string(&told) {
                Ok(text) => store.put_outcome(client, request, text).await,
                Err(error) => Err(error.into()),
            };
            self.settle(result.clone(), grants);
            stored
        };
        if let Err(error) = stored {
            // The row stays without an outcome: a later daemon says that it may have been done, which is true.
            tracing::error!(error = format!("{error:#}"), "cannot store an outcome");
        }
    }

    fn settle(&mut self, result: Result<Value, Error>, grants: u64) {
        self.open = false;
        self.shared.end(&self.key, result, grants);
    }

    fn free(&mut self) {
        self.open = false;
        self.shared.held.borrow_mut().entries.remove(&self.key);
        self.shared.ended.notify_waiters();
    }
}

impl Drop for Claimed {
    fn drop(&mut self) {
        if self.open {
            self.settle(Err(lost()), 0);
        }
    }
}

impl Shared {
    fn known(&self, key: &Key) -> Option<Entry> {
        self.held.borrow().entries.get(key).cloned()
    }

    fn begin(&self, key: &Key, call: &str) {
        let entry = Entry {
            call: call.to_owned(),
            state: State::Running,
        };
        self.held.borrow_mut().entries.insert(key.clone(), entry);
    }

    fn end(&self, key: &Key, result: Result<Value, Error>, grants: u64) {
        let mut held = self.held.borrow_mut();
        if let Some(entry) = held.entries.get_mut(key) {
            entry.state = State::Ended(Box::new(result), grants);
        }
        held.order.push_back(key.clone());
        if held.order.len() > HELD
            && let Some(oldest) = held.order.pop_front()
        {
            held.entries.remove(&oldest);
        }
        drop(held);
        self.ended.notify_waiters();
    }
}

/// A client's id for a call.
///
/// # Errors
/// `invalid_argument`.
pub fn request_id(text: &str) -> Result<&str, Error> {
    let fits = (1..=MAX_REQUEST_ID).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits {
        return Ok(text);
    }
    Err(Error::argument(
        "requestId",
        format!("must be 1 to {MAX_REQUEST_ID} characters"),
    ))
}

/// What a call is, whatever order its arguments came in and however long it may take.
pub fn fingerprint(tool: &str, args: &Value) -> String {
    let mut args = args.clone();
    if let Value::Object(args) = &mut args {
        args.remove("requestId");
        args.remove("timeoutMs");
    }
    format!("{tool} {}", sorted(&args))
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            let sorted = entries
                .into_iter()
                .map(|(name, value)| (name.clone(), sorted(value)));
            Value::Object(sorted.collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

fn salted(call: &str) -> anyhow::Result<String> {
    let salt = hex::random(SALT)?;
    Ok(format!("{salt}:{}", hex::digest(&format!("{salt}{call}"))))
}

fn is_of(stored: &str, call: &str) -> bool {
    stored
        .split_once(':')
        .is_some_and(|(salt, hash)| hash == hex::digest(&format!("{salt}{call}")))
}

/// An outcome without what the page said: how far it got, and where.
fn without_pages(result: Result<Value, Error>) -> Result<Value, Error> {
    match result {
        Ok(mut value) => {
            prune(&mut value);
            Ok(value)
        }
        Err(error) => {
            let told = Error::new(error.code, "the first call with this requestId ended so")
                .hint("look at the page; another try needs another requestId");
            Err(Error {
                effect: error.effect,
                ..told
            })
        }
    }
}

fn prune(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|name, _| !PAGE_DATA.contains(&name.as_str()));
            map.values_mut().for_each(prune);
        }
        Value::Array(items) => items.iter_mut().for_each(prune),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn conflict() -> Error {
    Error::new(Code::Conflict, "this requestId was used for another call")
        .hint("every new call needs a new requestId")
        .effect(Effect::None)
}

fn lost() -> Error {
    Error::new(
        Code::EffectUnknown,
        "a call with this requestId was begun, and what came of it was not seen",
    )
    .hint("look at the page before doing it again, with another requestId")
    .effect(Effect::Unknown)
}

fn still_running(code: Code) -> Error {
    Error::new(code, "the first call with this requestId still runs").effect(Effect::Unknown)
}

#[cfg(test)]
mod tests;
