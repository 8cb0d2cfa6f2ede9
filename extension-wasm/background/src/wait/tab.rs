//! Waiting for what a tab does: its address, its loading, its requests, its quiet.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::Error;
use drawbridge_protocol::act::Waited;
use drawbridge_protocol::reader::PortOp;
use futures_util::future::{Either, pending, select};

use super::Waiting;
use super::judge::{fits, is_at};
use super::pace::Pace;
use crate::chrome::{self, Request, Step};
use crate::pulse::Pulse;
use crate::time::{Moment, bounded, now, sleep};
use crate::{address, port, unreadable};

/// How often is asked what events may have left out.
const ASKED: Duration = Duration::from_millis(250);

impl Waiting<'_> {
    /// Until the document's address is, or has in it, a text.
    pub(super) async fn at(&self, text: &str, exact: bool) -> Result<Waited, Error> {
        loop {
            let (commits, moves) = (self.navigation.commits(), self.navigation.moves());
            let shown = chrome::main_frame(self.tab)
                .await
                .map_err(|failure| unreadable::failed("reading the tab", &failure))?
                .unwrap_or_default();
            if shown.document_id != self.document {
                // Whoever watches for that says so.
                return pending().await;
            }
            if is_at(&shown.url, text, exact) {
                return Ok(success(Some(shown.url)));
            }
            *self.nearest.borrow_mut() = Some(format!("the address is {}", address::quoted(&shown.url)));
            // An end of this wait is no end of the wait.
            bounded(ASKED, self.navigation.beyond(commits, moves)).await.ok();
        }
    }

    /// Until the document is loaded with all its resources.
    pub(super) async fn loaded(&self) -> Result<Waited, Error> {
        loop {
            self.stays().await;
            let nothing = PortOp::Holds { refs: Vec::new() };
            let limit = self.context.left();
            match port::run(self.app, self.tab, self.document, &nothing, limit).await {
                // It may have begun to be left meanwhile.
                Ok(_) if self.navigation.is_under_way() => continue,
                Ok(columns) if port::is_complete(&columns) => return Ok(success(None)),
                Ok(_) => {}
                Err(port::Trouble::Gone) => return pending().await,
                Err(trouble) => return Err(trouble.error("http:")),
            }
            *self.nearest.borrow_mut() =
                Some("the document is there, and resources of it are not".to_owned());
            if port::changed(self.tab, self.document, ASKED).await.is_err() {
                sleep(ASKED).await;
            }
        }
    }

    /// Until no navigation of the tab is under way. Where a document comes of it, whoever watches for that says so.
    async fn stays(&self) {
        if self.navigation.is_under_way() {
            *self.nearest.borrow_mut() = Some("the page is being left, and nothing came yet".to_owned());
            self.navigation.rests().await;
        }
    }

    /// Until a response that was asked for by a document that may be read.
    pub(super) async fn response(&self, pattern: &str, status: Option<u16>) -> Result<Waited, Error> {
        let heard: Rc<(RefCell<Vec<Request>>, Pulse)> = Rc::default();
        let told = Rc::clone(&heard);
        let _requests = chrome::hear(self.tab, move |step, request| {
            if step == Step::Answered {
                told.0.borrow_mut().push(request);
                told.1.beat();
            }
        })
        .map_err(|failure| unreadable::failed("listening to requests", &failure))?;
        let mut others = 0_u32;
        let answered = heard.1.until(|| {
            let new = heard.0.take();
            let theirs = new.into_iter().filter(|request| self.may_know(request));
            for request in theirs {
                if fits(&request.url, pattern) {
                    if status.is_none_or(|status| status == request.status_code) {
                        return Some(request);
                    }
                    *self.nearest.borrow_mut() = Some(format!("{} came", said(&request)));
                } else {
                    others = others.saturating_add(1);
                    self.nearest
                        .borrow_mut()
                        .get_or_insert_with(|| "responses came, none from such an address".to_owned());
                }
            }
            None
        });
        let request = answered.await;
        Ok(success(Some(said(&request))))
    }

    /// Until nothing changed in the page and no request began or ended for so long.
    pub(super) async fn idle(&self, quiet: Duration) -> Result<Waited, Error> {
        let heard: Rc<(Cell<Moment>, Pulse)> = Rc::new((Cell::new(now()), Pulse::default()));
        let told = Rc::clone(&heard);
        let _requests = chrome::hear(self.tab, move |step, _| {
            // Headers of an answer that goes on for ever are no end of it.
            if step != Step::Answered {
                told.0.set(now());
                told.1.beat();
            }
        })
        .map_err(|failure| unreadable::failed("listening to requests", &failure))?;
        let (mut pace, mut changed_at) = (Pace::default(), now());
        loop {
            if self.navigation.is_under_way() {
                self.stays().await;
                changed_at = now();
            }
            let began = now();
            let look = match self.looked(false).await? {
                Ok(look) => look,
                Err(waited) => return Ok(waited),
            };
            let looked = now();
            let changes = self.changes(&look.documents);
            let mut changes = pin!(changes);
            loop {
                if self.navigation.is_under_way() {
                    break;
                }
                let last = heard.0.get().max(changed_at);
                let left = (last + quiet).saturating_sub(now());
                if left.is_zero() {
                    return Ok(success(None));
                }
                match select(&mut changes, pin!(sleep(left))).await {
                    Either::Left(_) => break,
                    Either::Right(_) => {}
                }
            }
            changed_at = now();
            *self.nearest.borrow_mut() = Some("the page goes on changing".to_owned());
            pace.looked(looked.saturating_sub(began));
            pace.due(true, changed_at.saturating_sub(looked));
            sleep((looked + pace.pause()).saturating_sub(now())).await;
            // What changed until the next look is not told.
            changed_at = now();
        }
    }

    /// Whether a request is of a document that may be read.
    fn may_know(&self, request: &Request) -> bool {
        let is_document = matches!(request.kind.as_str(), "main_frame" | "sub_frame");
        let asked = if is_document {
            &request.parent_document_id
        } else {
            &request.document_id
        };
        asked.as_deref().is_some_and(|document| {
            let allowed = self.frames.unwrap_or_default();
            document == self.document || allowed.iter().any(|allowed| allowed.as_str() == document)
        })
    }
}

fn success(matched: Option<String>) -> Waited {
    Waited::Success { matched }
}

/// A response in words: nothing of its query.
fn said(request: &Request) -> String {
    format!("{} {}", request.status_code, address::quoted(&request.url))
}
