//! `wait`: one wait over as many documents and links as it takes.

use std::time::Duration;

use drawbridge_protocol::act::{Dialog, History, Until, Wait, WaitState, Waited};
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::DocumentId;
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::page::By;
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::page::{Phase, Terminal, WaitArgs, WaitDone, WaitPlan};
use serde_json::json;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::history::gone;
use crate::daemon::tools::inspect::{Spot, readable, spot};
use crate::daemon::work::{Work, mismatch};

/// A document that was left and is still there is asked again no sooner than this.
const PAUSE: Duration = Duration::from_millis(20);

/// Waits until the page is as it is wanted.
pub async fn wait(work: &mut Work, args: WaitArgs) -> Result<WaitDone, Error> {
    let plan = args.plan()?;
    let mut spot = spot(work, args.session.as_ref(), args.tab.as_ref()).await?;
    let mut run = Run {
        began: Instant::now(),
        deadline: work.deadline,
        seen: None,
        url: String::new(),
        meant: args.document,
        reloads: plan.reload_ms.map(|_| 0),
    };
    let ended = run.until(work, &mut spot, &plan).await?;
    let (terminal_state, matched_text, nearest) = match ended {
        Ended::Success(text) => (Terminal::Success, text, None),
        Ended::Failure(text) => (Terminal::Failure, Some(text), None),
        Ended::Timeout(nearest) => (Terminal::Timeout, None, nearest),
    };
    let document = run.seen.ok_or_else(|| {
        Error::new(
            Code::Timeout,
            "the time was over before the page could be looked at",
        )
    })?;
    Ok(WaitDone {
        session: spot.session,
        tab: spot.tab,
        document,
        url: run.url,
        matched: terminal_state == Terminal::Success,
        matched_text,
        terminal_state,
        elapsed_ms: run.began.elapsed().as_millis() as u64,
        nearest,
        reloads: run.reloads,
    })
}

/// How it ended for good.
enum Ended {
    Success(Option<String>),
    Failure(String),
    Timeout(Option<String>),
}

/// How one look at one condition ended.
enum Looked {
    Ended(Ended),
    /// The part of the time that it had is over.
    PartOver(Option<String>),
}

struct Run {
    began: Instant,
    deadline: Instant,
    /// The document that was looked at last.
    seen: Option<DocumentId>,
    url: String,
    /// The document it has to be.
    meant: Option<DocumentId>,
    /// How often the page was seen to come again, where it is loaded again at all.
    reloads: Option<u32>,
}

impl Run {
    /// The guard first, where there is one, then the condition; reloads in between.
    async fn until(&mut self, work: &mut Work, spot: &mut Spot, plan: &WaitPlan) -> Result<Ended, Error> {
        loop {
            // A reload that the time does not leave room for is none: the page is waited for as it is.
            let reload_at = plan
                .reload_ms
                .map(|ms| Instant::now() + Duration::from_millis(ms))
                .filter(|at| *at < self.deadline);
            let part = reload_at.unwrap_or(self.deadline);
            let nearest = match self.part(work, spot, plan, part).await? {
                Looked::Ended(ended) => return Ok(ended),
                Looked::PartOver(nearest) => nearest,
            };
            let Some(reload_at) = reload_at else {
                return Ok(Ended::Timeout(nearest));
            };
            // A look ends a little before its time.
            let token = work.ticket.token().clone();
            tokio::select! {
                () = sleep_until(reload_at) => {}
                () = token.cancelled() => return Err(Error::new(Code::Cancelled, "the call was stopped")),
            }
            self.reload(work, spot).await?;
        }
    }

    /// As far as one part of the time goes.
    async fn part(
        &mut self,
        work: &mut Work,
        spot: &mut Spot,
        plan: &WaitPlan,
        until: Instant,
    ) -> Result<Looked, Error> {
        loop {
            if let Some(guard) = &plan.guard {
                match self.look(work, spot, guard, &plan.failures, until).await? {
                    Looked::Ended(Ended::Success(_)) => {}
                    other => return Ok(other),
                }
            }
            match self.look(work, spot, &plan.until, &plan.failures, until).await? {
                // The address moved on while the condition was waited for: it has to come back first.
                Looked::Ended(Ended::Success(_)) if !fits(plan.guard.as_ref(), &self.url) => {}
                other => return Ok(other),
            }
        }
    }

    /// One condition, in whatever documents the tab shows meanwhile.
    async fn look(
        &mut self,
        work: &mut Work,
        spot: &mut Spot,
        until: &Until,
        failures: &[String],
        part: Instant,
    ) -> Result<Looked, Error> {
        loop {
            if Instant::now() >= part {
                return Ok(Looked::PartOver(None));
            }
            match self.once(work, spot, until, failures, part).await {
                Ok(Some(looked)) => return Ok(looked),
                Ok(None) => {}
                Err(error) if error.code == Code::Timeout => return Ok(Looked::PartOver(None)),
                Err(error) if is_lost(&error) => {
                    if !self.connected(work, spot, part).await? {
                        return Ok(Looked::PartOver(Some("the browser is not connected".to_owned())));
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// One condition in one document; `None` when the tab shows another one by now.
    async fn once(
        &mut self,
        work: &mut Work,
        spot: &Spot,
        until: &Until,
        failures: &[String],
        part: Instant,
    ) -> Result<Option<Looked>, Error> {
        let (shown, url) = work
            .shown_at(&spot.chosen, &spot.session, &spot.tab, Access::Read)
            .await?;
        self.url = url;
        if self.meant.as_ref().is_some_and(|meant| *meant != shown.document) {
            return Err(Error::new(
                Code::StaleRef,
                "the tab shows another document by now",
            ));
        }
        let again = self.seen.as_ref() == Some(&shown.document);
        self.seen = Some(shown.document.clone());
        let call = BrowserCall::Wait {
            place: spot.place(&shown.document),
            frames: Some(readable(work, &shown, &mut Vec::new())),
            wait: Box::new(Wait {
                until: until.clone(),
                failures: failures.to_vec(),
                waited_ms: self.began.elapsed().as_millis() as u64,
            }),
        };
        let waited = match work.browser_until(&spot.chosen, call, part).await {
            Ok(BrowserReply::Waited { waited, url }) => {
                self.url = url;
                waited
            }
            Ok(_) => return Err(mismatch()),
            // Between the question which document is there and this one, another one came.
            Err(error) if error.code == Code::StaleRef && self.meant.is_none() && !by_ref(until) => {
                Waited::Left
            }
            Err(error) => return Err(error),
        };
        Ok(Some(match waited {
            Waited::Success { matched } => Looked::Ended(Ended::Success(matched)),
            Waited::Failure { text } => Looked::Ended(Ended::Failure(text)),
            Waited::TimedOut { nearest } => Looked::PartOver(nearest),
            Waited::Blocked { dialog } => return Err(blocked(&dialog)),
            Waited::Left => match left(until)? {
                Some(ended) => Looked::Ended(ended),
                None => {
                    if again {
                        sleep(PAUSE).await;
                    }
                    return Ok(None);
                }
            },
        }))
    }

    /// Loads the page again. Where the browser cannot tell how far it got, the next look sees.
    async fn reload(&mut self, work: &mut Work, spot: &Spot) -> Result<(), Error> {
        let shown = work
            .shown(&spot.chosen, &spot.session, &spot.tab, Access::Interact)
            .await;
        let loaded = match shown {
            Ok(shown) => {
                self.meant = self.meant.take().filter(|meant| *meant != shown.document);
                gone(work, spot, &shown.site, History::Reload, Phase::Commit).await
            }
            Err(error) => Err(error),
        };
        match loaded {
            Ok(_) => {
                self.reloads = self.reloads.map(|reloads| reloads.saturating_add(1));
                Ok(())
            }
            Err(error) if error.code == Code::Timeout || is_lost(&error) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Waits until the session's browser is connected again; `false` when the time is over first.
    async fn connected(&self, work: &Work, spot: &mut Spot, part: Instant) -> Result<bool, Error> {
        let token = work.ticket.token().clone();
        loop {
            // Made before the look, so that a link that comes in between is not missed.
            let joined = work.hub.targets.joined();
            if let Ok(chosen) = work.hub.targets.bound(&spot.chosen.row.id)
                && chosen.row.generation != spot.chosen.row.generation
            {
                spot.chosen = chosen;
                return Ok(true);
            }
            tokio::select! {
                joined = timeout_at(part, joined) => if joined.is_err() { return Ok(false) },
                () = token.cancelled() => return Err(Error::new(Code::Cancelled, "the call was stopped")),
            }
        }
    }
}

fn is_lost(error: &Error) -> bool {
    error.code == Code::NotConnected
}

fn by_ref(until: &Until) -> bool {
    matches!(until, Until::Element { locator, .. } if matches!(locator.by, By::Ref(_)))
}

/// What it means that the document is gone: for an element of it that was named by its ref, the end.
fn left(until: &Until) -> Result<Option<Ended>, Error> {
    match until {
        Until::Element { state, .. } if by_ref(until) => match state {
            WaitState::Hidden | WaitState::Detached => Ok(Some(Ended::Success(None))),
            WaitState::Visible | WaitState::Enabled | WaitState::Attached => {
                Err(Error::new(Code::StaleRef, "the document of the ref is gone")
                    .hint("observe again, or wait for a target in words"))
            }
        },
        _ => Ok(None),
    }
}

/// Whether an address is one for which a condition counts.
fn fits(guard: Option<&Until>, url: &str) -> bool {
    match guard {
        Some(Until::Url { text, exact: true }) => url == text,
        Some(Until::Url { text, exact: false }) => url.contains(text),
        _ => true,
    }
}

fn blocked(dialog: &Dialog) -> Error {
    Error::new(Code::DialogOpen, "a JavaScript dialog blocks the page")
        .hint("browser_page dialog tells and answers it")
        .data(json!({ "dialog": dialog }))
}
