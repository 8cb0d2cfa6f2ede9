//! Waiting for what a page shows.

use std::pin::pin;

use drawbridge_protocol::act::{Until, Waited};
use drawbridge_protocol::page::{PageFound, PageRead};
use drawbridge_protocol::{Code, Error};
use futures_util::future::{Either, FutureExt, pending, select, select_all};

use super::Waiting;
use super::judge::{Seen, judge};
use super::pace::Pace;
use crate::time::{bounded, now, sleep};
use crate::{chrome, dialogs, port, read};

/// One look.
pub(super) struct Look {
    pub(super) seen: Seen,
    /// Documents that were looked at, and are watched since.
    pub(super) documents: Vec<String>,
}

impl Waiting<'_> {
    /// Looks at the page whenever it changes, until what it shows ends the wait.
    pub(super) async fn shown(&self) -> Result<Waited, Error> {
        let mut pace = Pace::default();
        let known = self.other_frames().await?;
        loop {
            let began = now();
            if self.has_new_frames(&known).await? {
                return Ok(Waited::Left);
            }
            // After a quiet time there is time to see what comes nearest, too.
            let look = match self.looked(pace.is_quiet()).await? {
                Ok(look) => look,
                Err(waited) => return Ok(waited),
            };
            if let Some(waited) = judge(self.wait, &look.seen) {
                return Ok(waited);
            }
            let looked = now();
            pace.looked(looked.saturating_sub(began));
            let changed = bounded(pace.unheard(), self.changes(&look.documents))
                .await
                .is_ok();
            pace.due(changed, now().saturating_sub(looked));
            sleep((looked + pace.pause()).saturating_sub(now())).await;
        }
    }

    /// One look, unless the page cannot be looked at.
    pub(super) async fn looked(&self, nearest: bool) -> Result<Result<Look, Waited>, Error> {
        let blocked = dialogs::blocked(self.app, self.tab);
        match select(pin!(self.look(nearest)), pin!(blocked)).await {
            Either::Left((Ok(look), _)) => Ok(Ok(look)),
            Either::Left((Err(error), _)) if error.code == Code::StaleRef => {
                if self.is_there().await? {
                    return Err(error);
                }
                Ok(Err(Waited::Left))
            }
            Either::Left((Err(error), _)) => Err(error),
            Either::Right((dialog, _)) => Ok(Err(Waited::Blocked { dialog })),
        }
    }

    /// Looks at the page once.
    pub(super) async fn look(&self, nearest: bool) -> Result<Look, Error> {
        let (texts, element) = match &self.wait.until {
            Until::Text { any } => (any.clone(), None),
            Until::TextGone { text } => (vec![text.clone()], None),
            Until::Element { locator, .. } => (Vec::new(), Some(locator.clone())),
            Until::Load
            | Until::Url { .. }
            | Until::Response { .. }
            | Until::Idle { .. }
            | Until::Download => (Vec::new(), None),
        };
        let ask = PageRead::Watch {
            failures: self.wait.failures.clone(),
            texts,
            element,
            nearest,
        };
        let shown = match read::shown(self.tab).await? {
            Some(shown) if shown.document == self.document => shown,
            Some(_) => return Err(Error::new(Code::StaleRef, "the tab shows another document")),
            None => return Err(Error::new(Code::TabGone, "the tab was closed")),
        };
        let read = read::unnumbered(self.app, self.context, self.tab, &shown, self.frames, &ask).await?;
        let PageFound::Watched {
            failure,
            text,
            total,
            visible,
            enabled,
            nearest: near,
        } = read.found
        else {
            return Err(Error::internal("the reader answered another question"));
        };
        if nearest {
            *self.nearest.borrow_mut() = match &self.wait.until {
                Until::TextGone { text } => Some(format!("{text:?} can be seen still")),
                _ => near,
            };
        }
        Ok(Look {
            seen: Seen {
                failure,
                text,
                total,
                visible,
                enabled,
                is_parsed: read.header.ready_state > 0,
            },
            documents: read.documents,
        })
    }

    /// Waits until one of these documents changes.
    pub(super) async fn changes(&self, documents: &[String]) {
        let watched = documents.iter().map(|document| {
            async {
                let time = self.context.left();
                match port::changed(self.tab, document, time).await {
                    Ok(true) | Err(port::Trouble::Gone) => {}
                    // It tells no changes; the next look comes without them.
                    Ok(false)
                    | Err(port::Trouble::Late | port::Trouble::Unreadable(_) | port::Trouble::Broken(_)) => {
                        pending().await
                    }
                }
            }
            .boxed_local()
        });
        select_all(watched).await;
    }

    /// Documents of frames that were there before, and may not be read.
    async fn other_frames(&self) -> Result<Vec<String>, Error> {
        let frames = chrome::all_frames(self.tab)
            .await
            .map_err(|failure| crate::unreadable::failed("reading the tab", &failure))?;
        Ok(frames.into_iter().map(|frame| frame.document_id).collect())
    }

    /// Whether a frame came of which the bridge has not decided yet whether it may be read.
    async fn has_new_frames(&self, known: &[String]) -> Result<bool, Error> {
        let Some(allowed) = self.frames else {
            return Ok(false);
        };
        let is_new = |document: &String| {
            !known.contains(document) && !allowed.iter().any(|allowed| allowed.as_str() == document)
        };
        Ok(self.other_frames().await?.iter().any(is_new))
    }
}
