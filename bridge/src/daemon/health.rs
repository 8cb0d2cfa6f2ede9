//! How the links are, for `doctor` and set-up: asked of each link itself, at one moment.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::tools::doctor::{Bench, Health, HopName, LinkHealth, PageHealth, Refusal};
use drawbridge_protocol::tools::session::TargetState;
use drawbridge_protocol::version::BUILD;
use tokio::time::{Instant, sleep, timeout};

use super::hub::Hub;
use super::link::Link;
use super::sessions::Caller;
use super::targets::Chosen;

/// How long the extension of a running browser takes to find a new daemon. A report made earlier would call the
/// browser absent that is about to be there.
const SETTLE: Duration = Duration::from_secs(6);

/// How often it is looked whether one has.
const POLL: Duration = Duration::from_millis(50);

/// How long a background may take to give a sign of life, and to say what it may do.
const ANSWER_LIMIT: Duration = Duration::from_secs(2);

/// Refusals that are remembered.
const REFUSALS_KEPT: usize = 8;

/// Round trips of a measurement.
const ROUNDS: u32 = 50;

/// Characters of the large reply of a measurement.
const LARGE: u32 = 10_000_000;

/// How long the large reply may take.
const LARGE_LIMIT: Duration = Duration::from_secs(10);

/// Links that did not come up, the newest last.
#[derive(Debug)]
pub struct Refusals {
    /// When the daemon started.
    started: Instant,
    rows: RefCell<VecDeque<(HopName, Error, Instant)>>,
}

impl Default for Refusals {
    fn default() -> Self {
        Self {
            started: Instant::now(),
            rows: RefCell::default(),
        }
    }
}

impl Refusals {
    /// Remembers one; `hop` is the one that does not fit.
    pub fn note(&self, hop: HopName, error: &Error) {
        // Whoever left before it said anything was not refused.
        if error.code == Code::NotConnected {
            return;
        }
        let mut rows = self.rows.borrow_mut();
        if rows.len() == REFUSALS_KEPT {
            rows.pop_front();
        }
        rows.push_back((hop, error.clone(), Instant::now()));
    }

    /// Forgets them all: a link came up.
    pub fn clear(&self) {
        self.rows.borrow_mut().clear();
    }

    fn list(&self) -> Vec<Refusal> {
        let rows = self.rows.borrow();
        rows.iter()
            .map(|(hop, error, at)| Refusal {
                hop: *hop,
                error: error.clone(),
                age_ms: at.elapsed().as_millis() as u64,
            })
            .collect()
    }

    fn is_empty(&self) -> bool {
        self.rows.borrow().is_empty()
    }
}

/// Looks at every link. With `patience`, a daemon that has just started waits for the first one, and any other does for
/// that long.
pub async fn look(hub: &Rc<Hub>, caller: &Caller, bench: bool, patience: Option<Duration>) -> Health {
    let (started, asked) = (hub.refusals.started, Instant::now());
    let nothing_yet = || hub.targets.seats().is_empty() && hub.refusals.is_empty();
    if let Some(patience) = patience {
        while nothing_yet() && (started.elapsed() < SETTLE || asked.elapsed() < patience) {
            sleep(POLL).await;
        }
    }
    let admitted = hub.access.admitted(&caller.client);
    let seats = hub.targets.seats();
    let mut looks: Vec<_> = seats
        .iter()
        .map(|(chosen, pid)| {
            let (hub, chosen, pid) = (Rc::clone(hub), chosen.clone(), *pid);
            tokio::task::spawn_local(async move { link(&hub, &chosen, pid, admitted).await })
        })
        .collect();
    let mut links = Vec::new();
    for look in &mut looks {
        match look.await {
            Ok(link) => links.push(link),
            Err(error) => tracing::error!(%error, "looking at a link"),
        }
    }
    let measured = match seats
        .iter()
        .find(|(chosen, _)| chosen.row.state == TargetState::Connected)
    {
        Some((chosen, _)) if bench && admitted => measure(hub, &chosen.link).await,
        Some(_) | None => None,
    };
    Health {
        build: BUILD.to_owned(),
        uptime_ms: started.elapsed().as_millis() as u64,
        admitted,
        links,
        refusals: hub.refusals.list(),
        record_changed: hub.record.changed(hub).await,
        bench: measured,
    }
}

/// One link. A profile that nobody paired gets no call, only the sign of life that every link is asked for.
async fn link(hub: &Hub, chosen: &Chosen, pid: u32, admitted: bool) -> LinkHealth {
    let began = Instant::now();
    let alive = chosen.link.is_alive(ANSWER_LIMIT).await;
    let mut health = LinkHealth {
        target: admitted.then(|| chosen.row.id.clone()),
        name: admitted.then(|| chosen.row.name.clone()),
        pid,
        extension: chosen.row.extension.clone(),
        capability_revision: chosen.row.capability_revision,
        state: chosen.row.state,
        socket: chosen.link.socket_health(),
        answer_ms: alive.then(|| ms(began.elapsed())),
        page: None,
        page_error: None,
    };
    if !alive || !admitted || chosen.row.state != TargetState::Connected {
        return health;
    }
    let began = Instant::now();
    let asked = chosen
        .link
        .call(BrowserCall::Health, began + ANSWER_LIMIT, &hub.stop);
    match asked.await {
        Ok((
            BrowserReply::Health {
                all_sites,
                incognito,
                files,
            },
            _,
        )) => {
            health.page = Some(PageHealth {
                ms: ms(began.elapsed()),
                all_sites,
                incognito,
                files,
            });
        }
        Ok(_) => health.page_error = Some(super::work::mismatch()),
        Err(error) => health.page_error = Some(error),
    }
    health
}

async fn measure(hub: &Hub, link: &Link) -> Option<Bench> {
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let began = Instant::now();
        if !link.is_alive(ANSWER_LIMIT).await {
            return None;
        }
        rounds.push(ms(began.elapsed()));
    }
    rounds.sort_by(f64::total_cmp);
    let ten_megabytes_ms = if hub.access.policy().is_sandbox() {
        large(hub, link).await
    } else {
        None
    };
    Some(Bench {
        rounds: ROUNDS,
        median_ms: rounds[rounds.len() / 2],
        worst_ms: *rounds.last()?,
        ten_megabytes_ms,
    })
}

async fn large(hub: &Hub, link: &Link) -> Option<f64> {
    let began = Instant::now();
    let call = BrowserCall::Echo {
        text: String::new(),
        fill: LARGE,
        wait_ms: 0,
    };
    let asked = link.call(call, began + LARGE_LIMIT, &hub.stop);
    let answered = timeout(LARGE_LIMIT, asked).await;
    matches!(answered, Ok(Ok(_))).then(|| ms(began.elapsed()))
}

/// Hundredths of a millisecond are what is worth saying.
fn ms(took: Duration) -> f64 {
    (took.as_secs_f64() * 100_000.0).round() / 100.0
}
