//! Waiting for something in one document: nothing here is slept for but what observers cannot tell.
//!
//! What a page shows is looked at when it changed: an observer in each document tells, the reader decides. What the tab
//! does is told by the browser. Nothing is kept: should the worker end, the bridge waits anew.

mod judge;
mod pace;
mod page;
mod tab;

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::act::{Until, Wait, Waited};
use drawbridge_protocol::ids::DocumentId;
use drawbridge_protocol::link::{BrowserReply, Place};
use drawbridge_protocol::{Code, Error};
use futures_util::future::{Either, select};

use crate::calls::Context;
use crate::navigate::Navigation;
use crate::state::App;
use crate::time::{bounded, now};
use crate::{chrome, dialogs, read, tabs};

/// Kept back of a call's time, so that the end of a wait still arrives, with what came nearest.
const KEPT_BACK: Duration = Duration::from_millis(250);
/// What the last look may take.
const LAST: Duration = Duration::from_millis(200);

/// Waits until what is waited for is there, or the call's time is nearly over.
///
/// # Errors
/// `tab_gone`, `page_unreadable`, `invalid_argument` for what is no selector, `unsupported`, and those of the call.
pub(crate) async fn until(
    app: &Rc<App>,
    context: &Context,
    place: &Place,
    frames: Option<&[DocumentId]>,
    wait: &Wait,
) -> Result<BrowserReply, Error> {
    let (session, id, document) = read::in_session(place)?;
    let tab = context.run(tabs::owned(app, session, id)).await?;
    let navigation = app.navigations.watch(tab);
    let waiting = Waiting {
        app,
        context,
        tab,
        document: document.as_str(),
        frames,
        wait,
        navigation: &navigation,
        nearest: RefCell::new(None),
    };
    let began = now();
    let waited = context.run(waiting.run()).await?;
    context.hop("wait", began);
    let url = chrome::tab(tab).await.map(|tab| tab.url).unwrap_or_default();
    Ok(BrowserReply::Waited { waited, url })
}

/// One wait in one document.
struct Waiting<'w> {
    app: &'w Rc<App>,
    context: &'w Context,
    tab: i64,
    document: &'w str,
    frames: Option<&'w [DocumentId]>,
    wait: &'w Wait,
    navigation: &'w Navigation,
    /// What came nearest so far.
    nearest: RefCell<Option<String>>,
}

impl Waiting<'_> {
    async fn run(&self) -> Result<Waited, Error> {
        let time = self.context.left().saturating_sub(KEPT_BACK);
        // Another document comes first: whether that may be looked at is not decided here.
        let (elsewhere, ended) = (pin!(self.elsewhere()), pin!(self.ended()));
        match bounded(time, select(elsewhere, ended)).await {
            Ok(Either::Left((ended, _)) | Either::Right((ended, _))) => ended,
            Err(_) => {
                if self.looks() {
                    // What the page shows now says more than what it showed last.
                    drop(bounded(LAST, self.look(true)).await);
                }
                Ok(Waited::TimedOut {
                    nearest: self.nearest.take(),
                })
            }
        }
    }

    /// Waits for what is waited for, or for a failure.
    async fn ended(&self) -> Result<Waited, Error> {
        match &self.wait.until {
            Until::Text { .. } | Until::TextGone { .. } | Until::Element { .. } => self.shown().await,
            Until::Load => self.with_failures(self.loaded()).await,
            Until::Url { text, exact } => self.with_failures(self.at(text, *exact)).await,
            Until::Response { pattern, status } => self.with_failures(self.response(pattern, *status)).await,
            Until::Idle { ms } => {
                let quiet = Duration::from_millis((*ms).into());
                self.with_failures(self.idle(quiet)).await
            }
            Until::Download => Err(Error::new(
                Code::Unsupported,
                "the extension may not ask the browser about downloads",
            )
            .hint("wait for what the page shows when it is done")),
        }
    }

    /// Beside another wait, looks for its failure texts.
    async fn with_failures(
        &self,
        wait: impl Future<Output = Result<Waited, Error>>,
    ) -> Result<Waited, Error> {
        if self.wait.failures.is_empty() {
            let opens = dialogs::opens(self.app, self.tab);
            return match select(pin!(wait), pin!(opens)).await {
                Either::Left((waited, _)) => waited,
                Either::Right((dialog, _)) => Ok(Waited::Blocked { dialog }),
            };
        }
        match select(pin!(self.shown()), pin!(wait)).await {
            Either::Left((waited, _)) | Either::Right((waited, _)) => waited,
        }
    }

    /// Whether it looks at the page.
    fn looks(&self) -> bool {
        let is_page = matches!(
            self.wait.until,
            Until::Text { .. } | Until::TextGone { .. } | Until::Element { .. }
        );
        is_page || !self.wait.failures.is_empty()
    }

    /// Waits until the tab shows another document, or is closed.
    async fn elsewhere(&self) -> Result<Waited, Error> {
        loop {
            let commits = self.navigation.commits();
            if !self.is_there().await? {
                return Ok(Waited::Left);
            }
            self.navigation.beyond(commits, u64::MAX).await;
        }
    }

    /// Whether the tab shows the document still.
    async fn is_there(&self) -> Result<bool, Error> {
        match chrome::main_frame(self.tab).await {
            Ok(Some(frame)) => Ok(frame.document_id == self.document),
            Ok(None) => Err(Error::new(Code::TabGone, "the tab was closed")),
            Err(failure) => Err(crate::unreadable::failed("reading the tab", &failure)),
        }
    }
}
