//! The browser profiles that are connected now, their names, and which one a call means.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::TargetId;
use drawbridge_protocol::link::{Hello, ToExtension};
use drawbridge_protocol::local::LinkHello;
use drawbridge_protocol::tools::session::{TargetRow, TargetState};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::Instant;

use super::link::Link;
use super::presence::{Presence, Present};
use super::store::{Store, TargetKept};
use super::text::one_line;

/// What a profile is called that came without a label.
const DEFAULT_NAME: &str = "Chromium";

/// How long a browser may take to answer whether it still has its seat.
const PROBE_LIMIT: Duration = Duration::from_secs(2);

/// How long a pairing that set-up began waits for the first profile.
const PAIRING_WINDOW: Duration = Duration::from_secs(5 * 60);

/// The table of profiles. Links enter and leave; everybody else looks.
#[derive(Debug)]
pub struct Targets {
    seats: RefCell<BTreeMap<TargetId, Seat>>,
    /// Every profile that is paired, and those without that are connected now.
    known: RefCell<BTreeMap<TargetId, TargetKept>>,
    /// How often each connected to this daemon.
    generations: RefCell<BTreeMap<TargetId, u64>>,
    /// Whether every profile takes calls at once, as in a sandbox; else a person has to confirm it.
    pairs_all: bool,
    /// Until when the first profile that connects is paired.
    window: Cell<Option<Instant>>,
    /// Told whenever a link is seated.
    joined: Notify,
    store: Store,
    presence: Presence,
}

/// A connected profile.
#[derive(Debug)]
struct Seat {
    link: Link,
    row: TargetRow,
    pid: u32,
    _present: Present,
}

/// What a call needs to know of its profile.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// How to reach it.
    pub link: Link,
    /// How it is shown.
    pub row: TargetRow,
}

impl Targets {
    /// Loads the names of all profiles.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn load(store: Store, presence: Presence, pairs_all: bool) -> Result<Self> {
        let kept = store.targets().await?.into_iter();
        let known = kept.map(|target| (target.id.clone(), target)).collect();
        Ok(Self {
            seats: RefCell::default(),
            known: RefCell::new(known),
            generations: RefCell::default(),
            pairs_all,
            window: Cell::default(),
            joined: Notify::new(),
            store,
            presence,
        })
    }

    /// Refuses a link under the id of a profile with another key, and one that would take the seat of another browser
    /// which is alive: a copied profile, or whoever copied its id. The same browser that connects anew gets its own
    /// seat back.
    ///
    /// # Errors
    /// `conflict`; the extension answers it with an id of its own.
    pub async fn admits(&self, hello: &Hello, local: &LinkHello) -> Result<(), Error> {
        let taken = || {
            Error::new(Code::Conflict, "this profile's id belongs to another one")
                .hint("it gets an id of its own when it connects anew")
        };
        if self
            .known
            .borrow()
            .get(&hello.target)
            .is_some_and(|known| known.key != hello.key && !(known.key.is_empty() && self.pairs_all))
        {
            return Err(taken());
        }
        let seated = {
            let seats = self.seats.borrow();
            let seat = seats.get(&hello.target);
            seat.filter(|seat| seat.pid != local.browser_pid)
                .map(|seat| seat.link.clone())
        };
        match seated {
            Some(link) if link.is_alive(PROBE_LIMIT).await => Err(taken()),
            Some(_) | None => Ok(()),
        }
    }

    /// Seats a link; an older one of the same profile is replaced. Returns the profile's name and the generation that
    /// [`Targets::leave`] wants back.
    pub async fn join(&self, link: Link, hello: Hello, local: &LinkHello) -> (String, u64) {
        let id = hello.target.clone();
        let (kept, changed) = self.remember(&hello, local.label.as_deref());
        let name = kept.name.clone();
        let generation = {
            let mut generations = self.generations.borrow_mut();
            let count = generations.entry(id.clone()).or_default();
            *count += 1;
            *count
        };
        let row = TargetRow {
            id: id.clone(),
            name: name.clone(),
            browser: one_line(&format!("{} {}", hello.browser, hello.browser_version), 64),
            extension: one_line(&hello.build, 32),
            capability_revision: hello.capability_revision,
            state: state(&kept),
            generation,
        };
        let seat = Seat {
            link,
            row,
            pid: local.browser_pid,
            _present: self.presence.enter(),
        };
        let older = self.seats.borrow_mut().insert(id.clone(), seat);
        if let Some(older) = older {
            older.link.replaced();
        }
        self.joined.notify_waiters();
        // One that no person confirmed leaves no trace.
        if changed
            && kept.paired
            && let Err(error) = self.store.put_target(kept).await
        {
            // The profile works all the same; it has to be paired again next time.
            tracing::error!(%error, "cannot remember a profile");
        }
        (name, generation)
    }

    /// Told when a link is seated.
    pub fn joined(&self) -> Notified<'_> {
        self.joined.notified()
    }

    /// Removes a link, unless a newer one of the same profile has its seat.
    pub fn leave(&self, id: &TargetId, generation: u64) {
        let mut seats = self.seats.borrow_mut();
        if seats
            .get(id)
            .is_some_and(|seat| seat.row.generation == generation)
        {
            seats.remove(id);
            let mut known = self.known.borrow_mut();
            if known.get(id).is_some_and(|kept| !kept.paired) {
                known.remove(id);
            }
        }
    }

    /// Whether a profile takes calls and answers for a person.
    pub fn is_paired(&self, id: &TargetId) -> bool {
        self.known.borrow().get(id).is_some_and(|kept| kept.paired)
    }

    /// A connected profile that can show a person something: the preferred one if it is one, else the first by name.
    pub fn shows(&self, preferred: Option<&TargetId>) -> Option<Chosen> {
        let seats = self.seats.borrow();
        let mut paired: Vec<_> = seats
            .values()
            .filter(|seat| seat.row.state == TargetState::Connected)
            .collect();
        paired.sort_by(|a, b| a.row.name.cmp(&b.row.name));
        let seat = paired
            .iter()
            .find(|seat| Some(&seat.row.id) == preferred)
            .or_else(|| paired.first())?;
        Some(Chosen {
            link: seat.link.clone(),
            row: seat.row.clone(),
        })
    }

    /// A connected profile by id or name, paired or not, and its key.
    ///
    /// # Errors
    /// `target_unavailable`.
    pub fn named(&self, wanted: &str) -> Result<(TargetRow, String), Error> {
        let seats = self.seats.borrow();
        let row = seats
            .values()
            .map(|seat| &seat.row)
            .find(|row| row.id.as_str() == wanted || row.name == wanted)
            .ok_or_else(|| {
                Error::new(
                    Code::TargetUnavailable,
                    format!("no connected browser profile is called {wanted}"),
                )
            })?;
        let key = self.known.borrow().get(&row.id).map(|kept| kept.key.clone());
        Ok((row.clone(), key.unwrap_or_default()))
    }

    /// Pairs the only profile that is connected, or opens the window in which the next one that connects is paired.
    /// Does neither once any profile is paired.
    ///
    /// # Errors
    /// `target_required` when several are connected, `internal` when it cannot be stored.
    pub async fn open_pairing(&self) -> Result<Value, Error> {
        if self.known.borrow().values().any(|kept| kept.paired) {
            return Ok(json!({"state": "closed"}));
        }
        let rows = self.rows();
        match rows.as_slice() {
            [] => {
                self.window.set(Some(Instant::now() + PAIRING_WINDOW));
                Ok(json!({"state": "open", "ms": PAIRING_WINDOW.as_millis() as u64}))
            }
            [only] => {
                self.pair(&only.id).await?;
                Ok(json!({"state": "paired", "target": {"id": only.id, "name": only.name}}))
            }
            several => Err(Error::new(
                Code::TargetRequired,
                format!(
                    "{} browser profiles are connected and none is paired",
                    several.len()
                ),
            )
            .hint("leave the extension on in the one to begin with alone; the others are confirmed there")),
        }
    }

    /// Pairs a connected profile: a person confirmed it.
    ///
    /// # Errors
    /// `target_unavailable` when it left, `internal` when it cannot be stored.
    pub async fn pair(&self, id: &TargetId) -> Result<(), Error> {
        let kept = {
            let mut seats = self.seats.borrow_mut();
            let mut known = self.known.borrow_mut();
            let (Some(seat), Some(kept)) = (seats.get_mut(id), known.get_mut(id)) else {
                return Err(Error::new(
                    Code::TargetUnavailable,
                    "the browser profile is not connected any more",
                ));
            };
            kept.paired = true;
            seat.row.state = TargetState::Connected;
            seat.link.tell(ToExtension::Paired);
            kept.clone()
        };
        self.window.set(None);
        tracing::info!(target = %id, "profile paired");
        self.store.put_target(kept).await.map_err(not_stored)
    }

    /// Takes a profile's confirmation back. It gets no call from here on; its link ends.
    ///
    /// # Errors
    /// `not_found`, `internal` when it cannot be stored.
    pub async fn unpair(&self, id: &TargetId) -> Result<(), Error> {
        let known = self.known.borrow_mut().remove(id);
        if known.is_none_or(|kept| !kept.paired) {
            return Err(Error::new(Code::NotFound, format!("no profile {id} is paired")));
        }
        let seat = self.seats.borrow_mut().remove(id);
        if let Some(seat) = seat {
            seat.link.replaced();
        }
        self.store.drop_target(id.clone()).await.map_err(not_stored)
    }

    /// Connected profiles, by name.
    pub fn rows(&self) -> Vec<TargetRow> {
        let mut rows: Vec<_> = self
            .seats
            .borrow()
            .values()
            .map(|seat| seat.row.clone())
            .collect();
        rows.sort_by(|a, b| a.name.cmp(&b.name));
        rows
    }

    /// Connected profiles with the process ids of their browsers.
    pub fn links(&self) -> Value {
        let seats = self.seats.borrow();
        let mut seats: Vec<_> = seats.values().collect();
        seats.sort_by(|a, b| a.row.name.cmp(&b.row.name));
        seats
            .iter()
            .map(|seat| {
                json!({
                    "id": seat.row.id,
                    "name": seat.row.name,
                    "browser": seat.row.browser,
                    "pid": seat.pid,
                    "generation": seat.row.generation,
                    "state": seat.row.state,
                })
            })
            .collect()
    }

    /// Connected profiles with the process ids of their browsers, by name, whether they take calls or not.
    pub fn seats(&self) -> Vec<(Chosen, u32)> {
        let seats = self.seats.borrow();
        let mut all: Vec<_> = seats
            .values()
            .map(|seat| {
                let chosen = Chosen {
                    link: seat.link.clone(),
                    row: seat.row.clone(),
                };
                (chosen, seat.pid)
            })
            .collect();
        all.sort_by(|a, b| a.0.row.name.cmp(&b.0.row.name));
        all
    }

    /// Makes every link look again at whether there is to be a socket.
    pub fn sockets(&self) {
        for seat in self.seats.borrow().values() {
            seat.link.sockets();
        }
    }

    /// The link to a profile, if it is connected.
    pub fn link(&self, id: &TargetId) -> Option<Link> {
        self.seats.borrow().get(id).map(|seat| seat.link.clone())
    }

    /// The profile a call means: by id or name, else the only one.
    ///
    /// # Errors
    /// `not_connected`, `target_required` with the list, `target_unavailable` or `unpaired`.
    pub fn choose(&self, wanted: Option<&str>) -> Result<Chosen, Error> {
        let seats = self.seats.borrow();
        let seat = match wanted {
            Some(wanted) => seats
                .iter()
                .find(|(id, seat)| id.as_str() == wanted || seat.row.name == wanted)
                .map(|(_, seat)| seat)
                .ok_or_else(|| {
                    Error::new(
                        Code::TargetUnavailable,
                        format!("no connected browser profile is called {wanted}"),
                    )
                    .data(list(&seats))
                    .hint("choose one of data.targets, or start that browser")
                })?,
            None => {
                let mut ready = seats
                    .values()
                    .filter(|seat| seat.row.state == TargetState::Connected);
                match (ready.next(), ready.next(), seats.values().next()) {
                    (Some(only), None, _) => only,
                    (Some(_), Some(_), _) => {
                        return Err(Error::new(
                            Code::TargetRequired,
                            "several browser profiles are connected".to_owned(),
                        )
                        .data(list(&seats))
                        .hint("name one with `target`: an id or name of data.targets"));
                    }
                    (None, _, Some(unpaired)) => unpaired,
                    (None, _, None) => return Err(no_browser()),
                }
            }
        };
        match seat.row.state {
            TargetState::Connected => Ok(Chosen {
                link: seat.link.clone(),
                row: seat.row.clone(),
            }),
            TargetState::Unpaired => Err(Error::new(
                Code::Unpaired,
                "no person confirmed this browser profile for the bridge yet",
            )
            .hint("`drawbridge setup` pairs the first one; `drawbridge targets pair` asks for another")),
        }
    }

    /// The profile that a session is bound to.
    ///
    /// # Errors
    /// `target_unavailable` while it is not connected.
    pub fn bound(&self, id: &TargetId) -> Result<Chosen, Error> {
        if self.seats.borrow().contains_key(id) {
            return self.choose(Some(id.as_str()));
        }
        let known = self.known.borrow().get(id).map(|kept| kept.name.clone());
        let name = known.unwrap_or_else(|| id.to_string());
        Err(Error::new(
            Code::TargetUnavailable,
            format!("{name}, where the session works, is not connected now"),
        )
        .hint("the extension reconnects by itself while that browser runs"))
    }

    /// What is known of a profile that proved its key, and whether that changed. The first of a name keeps it, later
    /// ones get a number.
    fn remember(&self, hello: &Hello, label: Option<&str>) -> (TargetKept, bool) {
        let mut known = self.known.borrow_mut();
        let id = &hello.target;
        let opened = self.window.get().is_some_and(|until| Instant::now() < until);
        let before = known.get(id).cloned();
        let paired = self.pairs_all || opened || before.as_ref().is_some_and(|kept| kept.paired);
        if opened {
            self.window.set(None);
        }
        let name = before.as_ref().map(|kept| kept.name.clone());
        let name = name.unwrap_or_else(|| free_name(&known, id, label));
        let now = TargetKept {
            id: id.clone(),
            name,
            key: hello.key.clone(),
            paired,
        };
        known.insert(id.clone(), now.clone());
        let changed = before.as_ref() != Some(&now);
        (now, changed)
    }
}

fn state(kept: &TargetKept) -> TargetState {
    if kept.paired {
        TargetState::Connected
    } else {
        TargetState::Unpaired
    }
}

fn free_name(known: &BTreeMap<TargetId, TargetKept>, id: &TargetId, label: Option<&str>) -> String {
    let label = one_line(label.unwrap_or_default(), 48);
    let base = if label.is_empty() {
        DEFAULT_NAME.to_owned()
    } else {
        label
    };
    let taken = |name: &str| known.values().any(|other| other.name == name);
    if !taken(&base) {
        return base;
    }
    (2..)
        .map(|number| format!("{base} {number}"))
        .find(|name| !taken(name))
        .unwrap_or_else(|| id.to_string())
}

fn not_stored(error: anyhow::Error) -> Error {
    tracing::error!(error = format!("{error:#}"), "cannot store a profile");
    Error::internal("the profile could not be stored").hint("look at the log of the daemon")
}

fn list(seats: &BTreeMap<TargetId, Seat>) -> Value {
    let rows: Vec<_> = seats
        .values()
        .filter(|seat| seat.row.state == TargetState::Connected)
        .map(|seat| json!({"id": seat.row.id, "name": seat.row.name}))
        .collect();
    json!({ "targets": rows })
}

fn no_browser() -> Error {
    Error::new(
        Code::NotConnected,
        "no browser is connected: the hop between the bridge and an extension is missing",
    )
    .hint("start the browser with the extension enabled; it connects by itself within seconds")
}
