//! Reads of one document: in a session's tab, or in a private one.

use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::ids::{DocumentId, SessionId, TabId};
use drawbridge_protocol::link::{BrowserReply, Place};
use drawbridge_protocol::reader::{PortOp, ReadReply, ReadRequest};
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::{Code, Error};

use crate::calls::Context;
use crate::navigate::{Seen, Trouble};
use crate::private::{self, PrivateTab};
use crate::state::App;
use crate::time::{bounded, now};
use crate::{address, chrome, port, reader, tabs, unreadable};

/// How long a private read waits for a page's resources once its markup is read.
const SETTLED: Duration = Duration::from_secs(5);

/// Visible text of a document.
///
/// # Errors
/// `stale_ref`, `page_unreadable`, `not_found`, `ambiguous`, `navigation_blocked`, and those of the call.
pub(crate) async fn text(
    app: &Rc<App>,
    context: &Context,
    place: &Place,
    target: Option<String>,
    max_chars: u32,
) -> Result<BrowserReply, Error> {
    let scope = target.unwrap_or_else(|| "body".to_owned());
    let (seen, reply) = at(app, context, place, &scope, &ReadRequest::Text { max_chars }).await?;
    match reply {
        ReadReply::Text {
            header,
            text,
            omitted,
        } => Ok(BrowserReply::Text {
            document: seen.document.as_str().into(),
            url: header.url,
            title: header.title,
            text,
            omitted,
        }),
        ReadReply::Scope { matched: 0 } => {
            Err(Error::new(Code::NotFound, format!("nothing matches {scope}"))
                .hint("leave target out for the whole page"))
        }
        ReadReply::Scope { matched } if matched > 0 => Err(Error::new(
            Code::Ambiguous,
            format!("{scope} matches {matched} elements"),
        )
        .hint("narrow the selector to one")),
        other => Err(unexpected("target", &scope, &other)),
    }
}

/// Selectors of a document, for an author.
///
/// # Errors
/// `source_changed` for no or several scopes, and those of [`text`].
pub(crate) async fn selectors(
    app: &Rc<App>,
    context: &Context,
    place: &Place,
    scope: String,
    limit: u32,
) -> Result<BrowserReply, Error> {
    let (_, reply) = at(app, context, place, &scope, &ReadRequest::Selectors { limit }).await?;
    match reply {
        ReadReply::Selectors {
            header,
            entries,
            omitted,
        } => Ok(BrowserReply::Selectors {
            url: header.url,
            title: header.title,
            entries,
            omitted,
        }),
        ReadReply::Scope { matched } if matched >= 0 => Err(Error::new(
            Code::SourceChanged,
            format!("scope: {scope} matches {matched} elements, must match one"),
        )),
        other => Err(unexpected("scope", &scope, &other)),
    }
}

async fn at(
    app: &Rc<App>,
    context: &Context,
    place: &Place,
    scope: &str,
    request: &ReadRequest,
) -> Result<(Seen, ReadReply), Error> {
    match place {
        Place::Tab {
            session,
            tab,
            document,
        } => {
            context
                .run(in_tab(app, context, (session, tab, document), scope, request))
                .await
        }
        Place::Private { url } => {
            private::with(app, context, async |tab| {
                in_private(app, context, tab, url, scope, request).await
            })
            .await
        }
    }
}

async fn in_tab(
    app: &App,
    context: &Context,
    (session, id, document): (&SessionId, &TabId, &DocumentId),
    scope: &str,
    request: &ReadRequest,
) -> Result<(Seen, ReadReply), Error> {
    let tab = tabs::owned(app, session, id).await?;
    let frame = chrome::main_frame(tab)
        .await
        .map_err(|failure| unreadable::failed("reading the tab", &failure))?;
    let frame = frame.ok_or_else(|| crate::fence::gone(id))?;
    if frame.error_occurred {
        return Err(unreadable::page(&frame.url, "error page"));
    }
    if frame.document_id != document.as_str() {
        return Err(
            Error::new(Code::StaleRef, "the tab shows another document by now").hint("read it again"),
        );
    }
    let seen = Seen {
        document: frame.document_id,
        url: frame.url,
        phase: Phase::Commit,
    };
    let reply = collect(app, context, tab, &seen, scope, request).await?;
    Ok((seen, reply))
}

async fn in_private(
    app: &App,
    context: &Context,
    tab: &PrivateTab,
    url: &str,
    scope: &str,
    request: &ReadRequest,
) -> Result<(Seen, ReadReply), Error> {
    let wanted = address::origin(url).ok_or_else(|| Error::argument("url", "is no http or https address"))?;
    let began = now();
    let before = tab.load(url).await?;
    let reached = |phase| async move {
        match tab.navigation.reached(before, phase).await {
            Ok(seen) if address::is_on(&seen.url, wanted) => Ok(seen),
            Ok(Seen { url: shown, .. }) | Err(Trouble::Blocked(shown)) => {
                Err(unreadable::off_origin(wanted, &shown))
            }
            Err(trouble) => Err(unreadable::trouble(&trouble, url)),
        }
    };
    let parsed = reached(Phase::DomContentLoaded).await?;
    let seen = bounded(SETTLED, reached(Phase::Load))
        .await
        .unwrap_or(Ok(parsed))?;
    context.hop("page_load", began);
    let reply = collect(app, context, tab.id, &seen, scope, request).await?;
    Ok((seen, reply))
}

async fn collect(
    app: &App,
    context: &Context,
    tab: i64,
    seen: &Seen,
    scope: &str,
    request: &ReadRequest,
) -> Result<ReadReply, Error> {
    let began = now();
    let op = PortOp::Collect {
        scope: scope.to_owned(),
    };
    // Some pages never answer: what they are is said before the deadline is.
    let limit = context.left().mul_f64(0.9);
    let columns = port::run(app, tab, &seen.document, &op, limit)
        .await
        .map_err(|trouble| trouble.error(&seen.url))?;
    let reply = reader::read(request, &columns).await?;
    if is_bare(&reply)
        && chrome::content_type(tab, &seen.document, limit).await.as_deref() == Ok(unreadable::PDF)
    {
        return Err(unreadable::pdf());
    }
    context.hop("read", began);
    Ok(reply)
}

/// Whether nothing was found, as in the shell around the browser's PDF viewer.
fn is_bare(reply: &ReadReply) -> bool {
    match reply {
        ReadReply::Text { text, .. } => text.is_empty(),
        ReadReply::Selectors { entries, .. } => entries.is_empty(),
        ReadReply::RecipePage { .. }
        | ReadReply::Scope { .. }
        | ReadReply::NoSelector { .. }
        | ReadReply::Malformed { .. } => false,
    }
}

fn unexpected(argument: &str, scope: &str, reply: &ReadReply) -> Error {
    match reply {
        ReadReply::Scope { .. } => {
            Error::argument(argument, format!("{scope} is no selector the browser takes"))
        }
        ReadReply::Malformed { problem } => Error::internal(format!("the page's columns: {problem}")),
        ReadReply::RecipePage { .. }
        | ReadReply::Text { .. }
        | ReadReply::Selectors { .. }
        | ReadReply::NoSelector { .. } => Error::internal("the reader answered another question"),
    }
}
