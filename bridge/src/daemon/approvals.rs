//! Questions to a person: shown on the approval page of a paired browser, answered there and nowhere else.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::approval::{Approval, Ask, Verdict};
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::{ApprovalId, TargetId};
use drawbridge_protocol::link::ToExtension;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::targets::Targets;
use crate::hex;

/// How long a question waits for its answer.
pub const LIMIT: Duration = Duration::from_secs(2 * 60);

/// How long a question that a client's call raised is not raised again after it was denied or ran out.
const QUIET: Duration = Duration::from_secs(5 * 60);

/// Questions that are open at once; a person looks at one at a time.
const OPEN_AT_ONCE: usize = 8;

/// Denied questions that are remembered; beyond it the oldest is forgotten.
const DENIED_KEPT: usize = 200;

/// The open questions.
#[derive(Debug, Default)]
pub struct Approvals {
    open: RefCell<BTreeMap<ApprovalId, Open>>,
    /// When questions were last denied or ran out, by their subject.
    quiet: RefCell<BTreeMap<String, Instant>>,
    /// Subjects that somebody asks about or whose answer is not in force yet; clones are with those who do.
    settling: Rc<RefCell<Vec<String>>>,
}

/// Keeps a question from being raised again until its answer is in force.
#[derive(Debug)]
pub struct Settling {
    all: Rc<RefCell<Vec<String>>>,
    subject: String,
}

impl Drop for Settling {
    fn drop(&mut self) {
        let mut all = self.all.borrow_mut();
        if let Some(at) = all.iter().position(|subject| *subject == self.subject) {
            all.swap_remove(at);
        }
    }
}

#[derive(Debug)]
struct Open {
    subject: String,
    ask: Ask,
    /// Where it is shown; an answer from elsewhere is none.
    target: TargetId,
    until: Instant,
    answer: watch::Sender<Option<Verdict>>,
}

impl Approvals {
    /// Asks a person and waits for the answer. Whoever asks the same while it is open waits for the same answer.
    ///
    /// # Errors
    /// `not_granted` when the person said no; `needs_approval` when nobody answered, when no paired browser is connected
    /// or when too many questions are open.
    pub async fn ask(
        &self,
        targets: &Targets,
        ask: Ask,
        preferred: Option<&TargetId>,
    ) -> Result<Verdict, Error> {
        let subject = subject(&ask);
        let (mut answer, until) = match self.joined(&subject) {
            Some(joined) => joined,
            None => self.open(targets, ask, subject.clone(), preferred)?,
        };
        let answered = timeout_at(until, answer.wait_for(Option::is_some)).await;
        let verdict = match answered {
            Ok(Ok(verdict)) => verdict.clone().unwrap_or(Verdict::Deny),
            // Taken out without an answer, or never answered.
            Ok(Err(_)) | Err(_) => {
                self.close(targets, &subject);
                return Err(Error::new(
                    Code::NeedsApproval,
                    "no person answered on the approval page in time",
                ));
            }
        };
        if verdict == Verdict::Deny {
            return Err(Error::new(Code::NotGranted, "the person said no"));
        }
        Ok(verdict)
    }

    /// Whether a call may raise this question by itself: nobody asks it now, and it was not denied just now.
    pub fn may_raise(&self, ask: &Ask) -> bool {
        let subject = subject(ask);
        let denied = self.quiet.borrow().get(&subject).copied();
        !self.settling.borrow().contains(&subject) && denied.is_none_or(|at| at.elapsed() >= QUIET)
    }

    /// To be held from before a question is asked until its answer is in force.
    pub fn settling(&self, ask: &Ask) -> Settling {
        let subject = subject(ask);
        self.settling.borrow_mut().push(subject.clone());
        Settling {
            all: Rc::clone(&self.settling),
            subject,
        }
    }

    /// Takes an answer that came from the link of a paired profile. Says whether anybody waited for it there.
    pub fn decide(&self, from: &TargetId, id: &ApprovalId, verdict: Verdict) -> bool {
        let mut open = self.open.borrow_mut();
        let fits = open
            .get(id)
            .is_some_and(|open| open.target == *from && Instant::now() < open.until);
        let Some(decided) = fits.then(|| open.remove(id)).flatten() else {
            return false;
        };
        let verdict = match (&decided.ask, verdict) {
            // An answer to another question than the one that was shown.
            (Ask::Admit { .. }, verdict) => verdict,
            (_, Verdict::AllowEverywhere | Verdict::AllowSites { .. }) => Verdict::Deny,
            (_, verdict) => verdict,
        };
        if verdict == Verdict::Deny {
            self.hush(decided.subject);
        }
        // Whoever asked may have left.
        drop(decided.answer.send(Some(verdict)));
        true
    }

    /// Questions that a browser has to show, also after it connected anew.
    pub fn open_in(&self, target: &TargetId) -> Vec<Approval> {
        let open = self.open.borrow();
        let mut here: Vec<_> = open.iter().filter(|(_, open)| open.target == *target).collect();
        // In the order they were asked.
        here.sort_by_key(|(_, open)| open.until);
        here.into_iter().map(|(id, open)| approval(id, open)).collect()
    }

    fn joined(&self, subject: &str) -> Option<(watch::Receiver<Option<Verdict>>, Instant)> {
        let open = self.open.borrow();
        let same = open
            .values()
            .find(|open| open.subject == subject && Instant::now() < open.until)?;
        Some((same.answer.subscribe(), same.until))
    }

    fn open(
        &self,
        targets: &Targets,
        ask: Ask,
        subject: String,
        preferred: Option<&TargetId>,
    ) -> Result<(watch::Receiver<Option<Verdict>>, Instant), Error> {
        let chosen = targets.shows(preferred).ok_or_else(|| {
            Error::new(
                Code::NeedsApproval,
                "a person has to answer in a paired browser, and none is connected",
            )
            .hint("start the browser; `drawbridge setup` pairs the first one")
        })?;
        self.open
            .borrow_mut()
            .retain(|_, open| Instant::now() < open.until);
        if self.open.borrow().len() >= OPEN_AT_ONCE {
            return Err(Error::new(
                Code::NeedsApproval,
                format!("{OPEN_AT_ONCE} questions wait for the person already"),
            ));
        }
        let id = hex::random(16).map_err(|error| Error::internal(format!("{error:#}")))?;
        let id = ApprovalId(format!("a-{id}"));
        let (answer, receiver) = watch::channel(None);
        let open = Open {
            subject,
            ask,
            target: chosen.row.id,
            until: Instant::now() + LIMIT,
            answer,
        };
        let until = open.until;
        let approval = approval(&id, &open);
        self.open.borrow_mut().insert(id, open);
        chosen.link.tell(ToExtension::Ask { approval });
        Ok((receiver, until))
    }

    /// Ends a question that nobody answered.
    fn close(&self, targets: &Targets, subject: &str) {
        let mut open = self.open.borrow_mut();
        let ids: Vec<_> = open
            .iter()
            .filter(|(_, open)| open.subject == subject)
            .map(|(id, _)| id.clone())
            .collect();
        for id in ids {
            let link = open.remove(&id).and_then(|open| targets.link(&open.target));
            if let Some(link) = link {
                link.tell(ToExtension::Withdraw { id });
            }
        }
        self.hush(subject.to_owned());
    }

    fn hush(&self, subject: String) {
        let mut quiet = self.quiet.borrow_mut();
        quiet.retain(|_, at| at.elapsed() < QUIET);
        while quiet.len() >= DENIED_KEPT {
            let oldest = quiet
                .iter()
                .min_by_key(|(_, at)| **at)
                .map(|(key, _)| key.clone());
            match oldest {
                Some(key) => drop(quiet.remove(&key)),
                None => break,
            }
        }
        quiet.insert(subject, Instant::now());
    }
}

fn approval(id: &ApprovalId, open: &Open) -> Approval {
    let left = open.until.saturating_duration_since(Instant::now());
    Approval {
        id: id.clone(),
        expires_ms: left.as_millis() as u64,
        ask: open.ask.clone(),
    }
}

/// What a question is about; the same one is asked once at a time.
fn subject(ask: &Ask) -> String {
    match ask {
        Ask::Admit { client, .. } => format!("admit {client}"),
        Ask::Grant {
            client,
            action,
            site,
            decision,
        } => format!("grant {client} {action} {site} {decision:?}"),
        Ask::Use {
            client,
            action,
            site,
            title: _,
        } => format!("use {client} {action} {site:?}"),
        Ask::Unlist { sites } => format!("unlist {sites:?}"),
        Ask::Pair { fingerprint, .. } => format!("pair {fingerprint}"),
        Ask::DeleteAudit { .. } => "delete audit".to_owned(),
    }
}

#[cfg(test)]
mod tests;
