//! Whether the record of calls is still the one that was written. Every paired browser keeps where it ended when it last
//! heard; a record that no longer goes through there was changed by somebody who is not the bridge.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use drawbridge_protocol::ids::TargetId;
use drawbridge_protocol::link::{RecordEnd, ToExtension};
use drawbridge_protocol::tools::session::StatusIssue;
use tokio::time::sleep;

use super::hub::Hub;
use super::store::{Checked, Head};

/// The least time between two words to the browsers.
const EVERY: Duration = Duration::from_secs(3);

/// What is known of the record besides what it says itself.
#[derive(Debug)]
pub struct Record {
    home: String,
    /// Profiles that said what they had kept, and that the record goes through there.
    followers: RefCell<BTreeSet<TargetId>>,
    /// Ends that profiles had kept and that the record does not go through.
    missed: RefCell<BTreeMap<TargetId, Head>>,
    /// The end that the followers were told last.
    told: RefCell<Option<Head>>,
    /// What a look at the whole of it found, once taken.
    own: RefCell<Option<Checked>>,
}

impl Record {
    /// `home` is what the home is called towards browsers.
    pub fn new(home: String) -> Self {
        Self {
            home,
            followers: RefCell::default(),
            missed: RefCell::default(),
            told: RefCell::default(),
            own: RefCell::default(),
        }
    }

    /// What the home is called towards browsers.
    pub fn home(&self) -> &str {
        &self.home
    }

    /// A profile has a new link: it is told nothing before it said what it has.
    pub fn joined(&self, target: &TargetId) {
        self.followers.borrow_mut().remove(target);
    }

    /// How the record was changed, if it was; looks at all of it once.
    pub async fn changed(&self, hub: &Hub) -> Option<String> {
        if self.own.borrow().is_none()
            && let Err(error) = self.look(hub).await
        {
            return Some(format!("it cannot be read: {error:#}"));
        }
        let own = self.own.borrow().as_ref().and_then(|own| own.problem.clone());
        own.or_else(|| self.forgotten())
    }

    /// The same as a status reports it.
    pub async fn issue(&self, hub: &Hub) -> Option<StatusIssue> {
        let how = self.changed(hub).await?;
        Some(StatusIssue {
            id: ISSUE.to_owned(),
            repair: repair(&how),
        })
    }

    /// Looks at the whole record, and at what browsers remember of it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn verify(&self, hub: &Hub) -> Result<Checked> {
        let mut checked = self.look(hub).await?;
        if checked.problem.is_none() {
            checked.problem = self.forgotten();
            checked.intact = checked.problem.is_none();
        }
        Ok(checked)
    }

    /// Deletes the record, as a person wants; from here on it is as it was written. Returns how many rows there were.
    ///
    /// # Errors
    /// When the disk refuses.
    pub async fn delete(&self, hub: &Hub) -> Result<i64> {
        // The tombstone comes after everything that anybody remembers.
        let after = self.missed.borrow().values().map(|end| end.seq).max();
        let rows = hub.store.delete_audit(after.unwrap_or_default()).await?;
        self.own.take();
        self.told.take();
        let missed = self.missed.take().into_keys();
        self.followers.borrow_mut().extend(missed);
        self.tell(hub).await?;
        Ok(rows)
    }

    async fn look(&self, hub: &Hub) -> Result<Checked> {
        let checked = hub.store.verify_audit().await?;
        self.own.replace(Some(checked.clone()));
        Ok(checked)
    }

    fn forgotten(&self) -> Option<String> {
        let missed = self.missed.borrow();
        let (_, end) = missed.iter().next()?;
        Some(format!("a browser remembers row {} otherwise", end.seq))
    }

    /// Tells every follower where the record ends.
    async fn tell(&self, hub: &Hub) -> Result<()> {
        let before = self.told.borrow().clone();
        if let Some(before) = before
            && !hub.store.audit_covers(before).await?
        {
            // Under the eyes of the bridge.
            self.own.take();
            let followers = self.followers.take();
            let told = self.told.take();
            self.missed.borrow_mut().extend(
                followers
                    .into_iter()
                    .filter_map(|target| Some((target, told.clone()?))),
            );
            return Ok(());
        }
        let head = hub.store.audit_head().await?;
        let end = RecordEnd {
            seq: head.seq.unsigned_abs(),
            hash: head.hash.clone(),
        };
        self.told.replace(Some(head));
        for target in self.followers.borrow().iter() {
            if let Some(link) = hub.targets.link(target) {
                let home = self.home.clone();
                link.tell(ToExtension::Record {
                    home,
                    end: end.clone(),
                });
            }
        }
        Ok(())
    }
}

/// Stable id of what is wrong.
pub const ISSUE: &str = "audit_changed";

/// What a person is told of a record that was changed.
pub fn repair(how: &str) -> String {
    format!(
        "somebody changed the record of calls, and it was not the bridge: {how}. Look at `drawbridge audit show` and at \
         who can write the home; `drawbridge audit delete` begins a new record"
    )
}

/// Takes what a paired profile kept, judges it, and tells the profile where the record ends if that fits.
pub fn heard(hub: &Rc<Hub>, target: &TargetId, home: &str, end: Option<RecordEnd>) {
    if home != hub.record.home || !hub.targets.is_paired(target) {
        tracing::warn!(%target, "the end of another record");
        return;
    }
    let (hub_then, target) = (Rc::clone(hub), target.clone());
    hub.tasks.spawn_local(async move {
        let hub = hub_then;
        if let Err(error) = judge(&hub, target, end).await {
            tracing::error!(error = format!("{error:#}"), "cannot compare the record");
        }
    });
}

async fn judge(hub: &Hub, target: TargetId, end: Option<RecordEnd>) -> Result<()> {
    let record = &hub.record;
    if let Some(end) = end {
        let seen = Head {
            seq: i64::try_from(end.seq).unwrap_or(i64::MAX),
            hash: end.hash,
        };
        if !hub.store.audit_covers(seen.clone()).await? {
            tracing::warn!(%target, seq = seen.seq, "the record of calls does not go on from what a browser saw");
            record.missed.borrow_mut().insert(target, seen);
            return Ok(());
        }
    }
    record.missed.borrow_mut().remove(&target);
    record.followers.borrow_mut().insert(target);
    record.tell(hub).await
}

/// Keeps the browsers told. Runs as long as the daemon; at most every three seconds, and not while nothing is recorded.
pub async fn mirror(hub: Rc<Hub>) {
    loop {
        hub.store.audit_moved().await;
        if let Err(error) = hub.record.tell(&hub).await {
            tracing::error!(error = format!("{error:#}"), "cannot read the end of the record");
        }
        // What moves it meanwhile is told after it.
        sleep(EVERY).await;
    }
}

#[cfg(test)]
mod tests;
