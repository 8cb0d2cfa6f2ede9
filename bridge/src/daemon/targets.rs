//! The browser profiles that are connected now, their names, and which one a call means.

use std::cell::RefCell;
use std::collections::BTreeMap;

use anyhow::Result;
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::TargetId;
use drawbridge_protocol::link::Hello;
use drawbridge_protocol::local::LinkHello;
use drawbridge_protocol::tools::session::{TargetRow, TargetState};
use serde_json::{Value, json};

use super::link::Link;
use super::presence::{Presence, Present};
use super::store::Store;
use super::text::one_line;

/// What a profile is called that came without a label.
const DEFAULT_NAME: &str = "Chromium";

/// The table of profiles. Links enter and leave; everybody else looks.
#[derive(Debug)]
pub struct Targets {
    seats: RefCell<BTreeMap<TargetId, Seat>>,
    /// Every profile that ever connected.
    names: RefCell<BTreeMap<TargetId, String>>,
    /// How often each connected to this daemon.
    generations: RefCell<BTreeMap<TargetId, u64>>,
    /// Whether a person has to confirm a profile before it gets calls.
    state: TargetState,
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
    pub async fn load(store: Store, presence: Presence, state: TargetState) -> Result<Self> {
        let names = store.targets().await?.into_iter().collect();
        Ok(Self {
            seats: RefCell::default(),
            names: RefCell::new(names),
            generations: RefCell::default(),
            state,
            store,
            presence,
        })
    }

    /// Seats a link; an older one of the same profile is replaced. Returns the profile's name and the generation that
    /// [`Targets::leave`] wants back.
    pub async fn join(&self, link: Link, hello: Hello, local: &LinkHello) -> (String, u64) {
        let id = hello.target.clone();
        let (name, new) = self.name(&id, local.label.as_deref());
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
            state: self.state,
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
        if new && let Err(error) = self.store.put_target(id, name.clone()).await {
            // The profile works all the same; it may only get another name next time.
            tracing::error!(%error, "cannot keep the name of a profile");
        }
        (name, generation)
    }

    /// Removes a link, unless a newer one of the same profile has its seat.
    pub fn leave(&self, id: &TargetId, generation: u64) {
        let mut seats = self.seats.borrow_mut();
        if seats
            .get(id)
            .is_some_and(|seat| seat.row.generation == generation)
        {
            seats.remove(id);
        }
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
                            format!("{} browser profiles are connected", seats.len()),
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
            )),
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
        let name = self
            .names
            .borrow()
            .get(id)
            .cloned()
            .unwrap_or_else(|| id.to_string());
        Err(Error::new(
            Code::TargetUnavailable,
            format!("{name}, where the session works, is not connected now"),
        )
        .hint("the extension reconnects by itself while that browser runs"))
    }

    /// The name of a profile, and whether it is new. The first one keeps its label, later ones get a number.
    fn name(&self, id: &TargetId, label: Option<&str>) -> (String, bool) {
        let mut names = self.names.borrow_mut();
        if let Some(name) = names.get(id) {
            return (name.clone(), false);
        }
        let label = one_line(label.unwrap_or_default(), 48);
        let base = if label.is_empty() {
            DEFAULT_NAME.to_owned()
        } else {
            label
        };
        let taken = |name: &str| names.values().any(|other| other == name);
        let name = if taken(&base) {
            (2..)
                .map(|number| format!("{base} {number}"))
                .find(|name| !taken(name))
                .unwrap_or_else(|| id.to_string())
        } else {
            base
        };
        names.insert(id.clone(), name.clone());
        (name, true)
    }
}

fn list(seats: &BTreeMap<TargetId, Seat>) -> Value {
    let rows: Vec<_> = seats
        .values()
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
