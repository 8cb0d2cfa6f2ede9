//! One call at work: what its handler may use, and what is noted on the way.

use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::address::{self, Address};
use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::ids::{DocumentId, SessionId, TabId, TargetId};
use drawbridge_protocol::link::{BrowserCall, BrowserReply, FrameSeen, Hop};
use drawbridge_protocol::local::Decision;
use drawbridge_protocol::tools::{Access, EffectClass, Row};
use tokio::time::Instant;

use super::calls::Ticket;
use super::consent;
use super::grants::Site;
use super::hub::Hub;
use super::sessions::{Caller, View};
use super::store::AuditRow;
use super::targets::Chosen;
use super::text::one_line;

/// Characters of a page's title that a person is shown.
const TITLE: usize = 80;

/// What a tab shows.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The document in its main frame.
    pub document: DocumentId,
    /// Where that document comes from.
    pub site: Site,
    /// The documents of all frames below it.
    pub frames: Vec<FrameSeen>,
}

/// A running call, from its handler's side.
#[derive(Debug)]
pub struct Work {
    /// Everything shared.
    pub hub: Rc<Hub>,
    /// Who called.
    pub caller: Caller,
    /// When the call's time is over.
    pub deadline: Instant,
    /// Its place among the running calls.
    pub ticket: Ticket,
    row: &'static Row,
    audit: AuditRow,
    session: Option<SessionId>,
    /// What the page that the call is about says of itself; for a person's eyes alone.
    title: Option<String>,
    hops: Vec<Hop>,
    in_browser: Duration,
}

impl Work {
    /// A call that was read and whose caller is admitted.
    pub fn new(
        hub: Rc<Hub>,
        caller: Caller,
        deadline: Instant,
        ticket: Ticket,
        row: &'static Row,
        audit: AuditRow,
    ) -> Self {
        Self {
            hub,
            caller,
            deadline,
            ticket,
            row,
            audit,
            session: None,
            title: None,
            hops: Vec::new(),
            in_browser: Duration::ZERO,
        }
    }

    /// What the door goes on with: ticket, audit row, hops, time in the browser, session.
    pub fn into_parts(self) -> (Ticket, AuditRow, Vec<Hop>, Duration, Option<SessionId>) {
        (self.ticket, self.audit, self.hops, self.in_browser, self.session)
    }

    /// The profile that the arguments mean.
    ///
    /// # Errors
    /// As [`super::targets::Targets::choose`].
    pub fn choose(&mut self, target: Option<&str>) -> Result<Chosen, Error> {
        let chosen = self.hub.targets.choose(target)?;
        self.audit.target = Some(chosen.row.id.to_string());
        Ok(chosen)
    }

    /// The session that the arguments mean and its profile. The call ends with that session from here on.
    ///
    /// # Errors
    /// As [`super::sessions::Sessions::resolve`] and [`super::targets::Targets::bound`].
    pub async fn session(
        &mut self,
        named: Option<&SessionId>,
        tab: Option<&TabId>,
    ) -> Result<(View, Chosen), Error> {
        let view = self.hub.sessions.resolve(&self.caller, named, tab)?;
        self.enter(&view.id);
        self.hub.sessions.touch(&view.id).await;
        let chosen = self.hub.targets.bound(&view.target)?;
        self.audit.target = Some(chosen.row.id.to_string());
        Ok((view, chosen))
    }

    /// Ties the call to a session.
    pub fn enter(&mut self, session: &SessionId) {
        self.ticket.work_in(Some(session.clone()));
        self.audit.session = Some(session.to_string());
        self.session = Some(session.clone());
    }

    /// Unties the call from its session, so that it can end that session itself.
    pub fn leave(&mut self) {
        self.ticket.work_in(None);
        self.session = None;
    }

    /// Names the session for the record alone.
    pub fn record_session(&mut self, session: &SessionId) {
        self.audit.session = Some(session.to_string());
    }

    /// Asks whether a person allows this use. The call rests on the answer until it ends: when it changes, the call
    /// is stopped.
    ///
    /// # Errors
    /// `not_granted`, or `needs_approval` where a person has to be asked first.
    pub fn allow(&mut self, access: Access, site: Site) -> Result<(), Error> {
        let Some(action) = access.action() else {
            return Ok(());
        };
        let decision = self.hub.access.decide(&self.caller.client, action, &site);
        self.audit.site.clone_from(&site.host);
        let place = site
            .host
            .as_deref()
            .map_or_else(String::new, |host| format!(" at {host}"));
        let (word, refusal) = match decision {
            Decision::Allow => ("allow", None),
            Decision::Ask => (
                "ask",
                Some(
                    Error::new(
                        Code::NeedsApproval,
                        format!("{action}{place} needs a person's decision first"),
                    )
                    .hint("approve in the browser, then call again; or `drawbridge grants set`"),
                ),
            ),
            Decision::Off => (
                "off",
                Some(
                    Error::new(
                        Code::NotGranted,
                        format!("{action}{place} is switched off for you"),
                    )
                    .hint("only the person can switch it on; go on without it"),
                ),
            ),
        };
        if decision == Decision::Ask {
            let target = self.audit.target.clone().map(TargetId);
            let title = self.title.clone();
            consent::raise_use(&self.hub, &self.caller.client, action, &site, title, target);
        }
        word.clone_into(&mut self.audit.decision);
        match refusal {
            Some(refusal) => Err(refusal.effect(Effect::None)),
            None => {
                self.ticket.needs(action, site);
                Ok(())
            }
        }
    }

    /// Writes the audit row, if that was not done yet. Nothing reaches a browser before it, and where a grant is used
    /// or something may change, not before it is on the disk.
    ///
    /// # Errors
    /// `internal` when it cannot be written: what is not recorded is not done.
    pub async fn record(&mut self) -> Result<(), Error> {
        if self.audit.id != 0 {
            return Ok(());
        }
        let (id, handed) = self.hub.store.begin_audit(self.audit.clone());
        self.audit.id = id;
        let harmless = self.row.access == Access::Housekeeping && self.row.effect == EffectClass::Reads;
        if harmless {
            return Ok(());
        }
        handed.stored().await.map_err(|error| {
            tracing::error!(error = format!("{error:#}"), "cannot record a call");
            Error::internal("the call could not be recorded, so it was not made").effect(Effect::None)
        })
    }

    /// Asks the browser, within the call's time.
    ///
    /// # Errors
    /// As [`super::link::Link::call`].
    pub async fn browser(&mut self, chosen: &Chosen, call: BrowserCall) -> Result<BrowserReply, Error> {
        self.record().await?;
        let started = Instant::now();
        let answered = chosen.link.call(call, self.deadline, self.ticket.token()).await;
        self.note(started.elapsed(), Vec::new());
        let (reply, hops) = answered?;
        self.note(Duration::ZERO, hops);
        Ok(reply)
    }

    /// As [`Work::browser`], within a part of the call's time.
    ///
    /// # Errors
    /// As [`super::link::Link::call`].
    pub async fn browser_until(
        &mut self,
        chosen: &Chosen,
        call: BrowserCall,
        until: Instant,
    ) -> Result<BrowserReply, Error> {
        let whole = self.deadline;
        self.deadline = until.min(whole);
        let answered = self.browser(chosen, call).await;
        self.deadline = whole;
        answered
    }

    /// Adds to what the browser's part took.
    pub fn note(&mut self, round_trip: Duration, hops: Vec<Hop>) {
        self.in_browser += round_trip;
        self.hops.extend(hops);
    }

    /// The document that a session's tab shows and its frames, once its site is allowed for `access`.
    ///
    /// # Errors
    /// `page_unreadable` for pages that are never touched, else as [`Work::allow`] and [`Work::browser`].
    pub async fn shown(
        &mut self,
        chosen: &Chosen,
        session: &SessionId,
        tab: &TabId,
        access: Access,
    ) -> Result<Shown, Error> {
        let (shown, _) = self.shown_at(chosen, session, tab, access).await?;
        Ok(shown)
    }

    /// As [`Work::shown`], with the document's address.
    ///
    /// # Errors
    /// As [`Work::shown`].
    pub async fn shown_at(
        &mut self,
        chosen: &Chosen,
        session: &SessionId,
        tab: &TabId,
        access: Access,
    ) -> Result<(Shown, String), Error> {
        let call = BrowserCall::Document {
            session: session.clone(),
            tab: tab.clone(),
        };
        let BrowserReply::Document {
            document,
            url,
            title,
            frames,
        } = self.browser(chosen, call).await?
        else {
            return Err(mismatch());
        };
        let address = address::check(&url, "url").map_err(|_| never_touched(&url))?;
        self.title = Some(one_line(&title, TITLE)).filter(|title| !title.is_empty());
        self.allow(access, Site::from(&address))?;
        let shown = Shown {
            document,
            site: Site::from(&address),
            frames,
        };
        Ok((shown, url))
    }

    /// Whether a use is allowed; asks nobody. The call rests on a yes until it ends.
    pub fn allowed(&self, access: Access, site: &Site) -> bool {
        let Some(action) = access.action() else {
            return true;
        };
        let allowed = self.hub.access.decide(&self.caller.client, action, site) == Decision::Allow;
        if allowed {
            self.ticket.needs(action, site.clone());
        }
        allowed
    }

    /// Checks where a load came to rest: a redirect may have led to a site that is not allowed.
    ///
    /// # Errors
    /// As [`Work::allow`], with the effect `committed`: the page is there.
    pub fn arrived(&mut self, asked: &Address, url: &str) -> Result<(), Error> {
        let committed = |error: Error| error.effect(Effect::Committed);
        let Ok(at) = address::check(url, "url") else {
            return Err(committed(Error::new(
                Code::NavigationBlocked,
                "the site led to an address that is never opened",
            )));
        };
        if at.host == asked.host {
            return Ok(());
        }
        self.allow(Access::Interact, Site::from(&at)).map_err(committed)
    }
}

/// Why nothing is read of a page or done in it, by its address, which is not told: it may be anybody's.
fn never_touched(url: &str) -> Error {
    let scheme = url.split(':').next().unwrap_or_default();
    let what = match scheme {
        "view-source" => "the source view of a page".to_owned(),
        "chrome-extension" => "an extension's own page".to_owned(),
        "data" | "blob" | "filesystem" | "file" | "ftp" => format!("a {scheme}: document"),
        "http" | "https" => "a site that no call may open".to_owned(),
        _ => "the browser's own page".to_owned(),
    };
    Error::new(
        Code::PageUnreadable,
        format!("the tab shows {what}, which is never read or acted on"),
    )
    .hint("load an http or https address in it with browser_page navigate")
}

/// An extension that answers another question than the one it was asked.
pub fn mismatch() -> Error {
    Error::internal("the extension answered something else").effect(Effect::Unknown)
}
