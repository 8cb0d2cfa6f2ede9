//! The DOM port of a document: put there on the first call in it, and asked for columns.

use std::cell::RefCell;
use std::collections::HashSet;
use std::time::Duration;

use drawbridge_protocol::reader::PortOp;
use drawbridge_protocol::{Code, Error};
use js_sys::JsString;
use serde::Serialize;

use crate::chrome::{self, Failure};
use crate::state::App;
use crate::unreadable;

/// Integers at the beginning of every reply.
pub(crate) const HEADER: usize = 9;
/// UTF-16 units that hold them.
const HEAD: u32 = 200;
/// Documents remembered at most; forgetting one costs a millisecond.
const REMEMBERED: usize = 500;

/// Documents that hold the port, as far as this worker knows.
#[derive(Default)]
pub(crate) struct Ports {
    ready: RefCell<HashSet<String>>,
    /// Documents that hold its acting part too.
    acting: RefCell<HashSet<String>>,
}

/// Why a document gave no columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// The document is not in the tab any more.
    Gone,
    /// No extension may read it: the browser's words.
    Unreadable(String),
    /// It did not answer in time: a dialog, a busy script, or a kind of page that never does.
    Late,
    /// Something else: the browser's words.
    Broken(String),
}

impl Trouble {
    /// What it means for a read of a page at `url`.
    pub(crate) fn error(&self, url: &str) -> Error {
        match self {
            Self::Gone => {
                Error::new(Code::StaleRef, "the tab shows another document by now").hint("read it again")
            }
            Self::Unreadable(words) => unreadable::page(url, words),
            Self::Late if !url.starts_with("http") => unreadable::page(url, ""),
            Self::Late => Error::new(
                Code::Timeout,
                "the page did not answer: a dialog is open in it, or a script keeps it busy",
            )
            .hint("look at the tab, or give the call more time"),
            Self::Broken(words) => Error::internal(format!("the DOM port: {words}")),
        }
    }
}

/// Makes sure that a document holds the port.
pub(crate) async fn ensure(app: &App, tab: i64, document: &str, limit: Duration) -> Result<(), Trouble> {
    if app.ports.ready.borrow().contains(document) {
        return Ok(());
    }
    chrome::inject_port(tab, document, limit).await.map_err(trouble)?;
    remember(&app.ports.ready, document);
    Ok(())
}

/// Has the port run one operation; answers with its columns, unread.
pub(crate) async fn run(
    app: &App,
    tab: i64,
    document: &str,
    op: &PortOp,
    limit: Duration,
) -> Result<JsString, Trouble> {
    attempt(app, tab, document, op, limit, false).await
}

/// Has the acting part of the port run one operation.
pub(crate) async fn act(
    app: &App,
    tab: i64,
    document: &str,
    op: &impl Serialize,
    limit: Duration,
) -> Result<JsString, Trouble> {
    attempt(app, tab, document, op, limit, true).await
}

async fn attempt(
    app: &App,
    tab: i64,
    document: &str,
    op: &impl Serialize,
    limit: Duration,
    acts: bool,
) -> Result<JsString, Trouble> {
    let op = serde_json::to_string(op).map_err(|error| Trouble::Broken(error.to_string()))?;
    for _ in 0..2 {
        ensure(app, tab, document, limit).await?;
        if acts {
            ensure_acting(app, tab, document, limit).await?;
        }
        if let Some(columns) = chrome::run_port(tab, document, &op, limit)
            .await
            .map_err(trouble)?
        {
            return Ok(columns);
        }
        // This worker was wrong about the document, or the port failed in it.
        app.ports.ready.borrow_mut().remove(document);
        app.ports.acting.borrow_mut().remove(document);
    }
    Err(Trouble::Broken("it gave no columns".to_owned()))
}

/// Makes sure that a document which holds the port holds its acting part.
async fn ensure_acting(app: &App, tab: i64, document: &str, limit: Duration) -> Result<(), Trouble> {
    if app.ports.acting.borrow().contains(document) {
        return Ok(());
    }
    chrome::inject_acting(tab, document, limit)
        .await
        .map_err(trouble)?;
    remember(&app.ports.acting, document);
    Ok(())
}

/// A document that is forgotten costs a millisecond.
fn remember(known: &RefCell<HashSet<String>>, document: &str) {
    let mut known = known.borrow_mut();
    if known.len() >= REMEMBERED {
        known.clear();
    }
    known.insert(document.to_owned());
}

/// Has the port run one operation, if the document holds one.
pub(crate) async fn run_if_there(
    tab: i64,
    document: &str,
    op: &PortOp,
    limit: Duration,
) -> Result<Option<JsString>, Trouble> {
    let op = serde_json::to_string(op).map_err(|error| Trouble::Broken(error.to_string()))?;
    chrome::run_port(tab, document, &op, limit).await.map_err(trouble)
}

/// The integers of a short reply.
pub(crate) fn ints(columns: &JsString) -> Vec<i32> {
    let columns = String::from(columns);
    let line = columns.lines().next().unwrap_or_default();
    let (_, ints) = line.split_once(';').unwrap_or_default();
    ints.split(',').filter_map(|int| int.parse().ok()).collect()
}

/// Whether the document is the shell around a PDF, by the first integers of any reply.
pub(crate) fn is_pdf(columns: &JsString) -> bool {
    ints(&columns.slice(0, HEAD)).get(HEADER - 1) == Some(&1)
}

/// Whether the document is loaded with all its resources, by the first integers of any reply.
pub(crate) fn is_complete(columns: &JsString) -> bool {
    ints(&columns.slice(0, HEAD)).get(2) == Some(&2)
}

/// Waits in the document for its next change, no longer than `time`; answers whether there was one.
pub(crate) async fn changed(tab: i64, document: &str, time: Duration) -> Result<bool, Trouble> {
    match chrome::await_change(tab, document, time, time).await {
        Ok(changed) => Ok(changed == Some(true)),
        // A page's own timers are slow in the background: the bound is ours.
        Err(Failure::Late) => Ok(false),
        Err(failure) => Err(trouble(failure)),
    }
}

fn trouble(failure: Failure) -> Trouble {
    match failure {
        Failure::Late => Trouble::Late,
        Failure::Said(words) => sorted(words),
    }
}

fn sorted(words: String) -> Trouble {
    let any = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    if any(&[
        "No document with id",
        "No tab with id",
        "was removed",
        "No frame with id",
        "was closed",
    ]) {
        Trouble::Gone
    } else if any(&[
        "Cannot access",
        "error page",
        "cannot be scripted",
        "must request permission",
    ]) {
        Trouble::Unreadable(words)
    } else {
        Trouble::Broken(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browsers_words_are_sorted() {
        let gone = [
            "No document with id 4F in tab with id 7",
            "No tab with id: 7.",
            "The frame was removed.",
            "The tab was closed.",
        ];
        for words in gone {
            assert_eq!(sorted(words.to_owned()), Trouble::Gone, "{words}");
        }
        let unreadable = [
            "Cannot access a chrome:// URL",
            "Frame with ID 0 is showing error page",
            "The extensions gallery cannot be scripted.",
        ];
        for words in unreadable {
            assert!(
                matches!(sorted(words.to_owned()), Trouble::Unreadable(_)),
                "{words}"
            );
        }
        assert!(matches!(sorted("else".to_owned()), Trouble::Broken(_)));
    }

    #[test]
    fn a_page_that_never_answers_is_told_from_a_kind_of_page_that_never_does() {
        assert_eq!(Trouble::Late.error("https://a.example/").code, Code::Timeout);
        assert_eq!(
            Trouble::Late.error("view-source:https://a.example/").code,
            Code::PageUnreadable
        );
    }
}
