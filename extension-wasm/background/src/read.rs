//! Reads of one document: in a session's tab, or in a private one.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::ids::{DocumentId, SessionId, TabId};
use drawbridge_protocol::link::{BrowserReply, Place};
use drawbridge_protocol::outline::{Ref, RefKind, State};
use drawbridge_protocol::page::{Locator, Match, PageFound, PageRead, Told, Wanted};
use drawbridge_protocol::reader::{Minted, PageHeader, PortOp, ReadReply, ReadRequest};
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::{Code, Error};
use js_sys::JsString;
use serde_json::json;

use crate::calls::Context;
use crate::capture::Capture;
use crate::navigate::{Seen, Trouble};
use crate::private::{self, PrivateTab};
use crate::state::App;
use crate::time::{Moment, bounded, now};
use crate::{address, capture, chrome, dialogs, frames, port, reader, scroll, tabs, unreadable};

/// How long a private read waits for a page's resources once its markup is read.
const SETTLED: Duration = Duration::from_secs(5);

/// Matches told of a target that means several elements.
const CANDIDATES: u32 = 5;

/// How long documents are asked whether they hold a ref.
const HOLDS: Duration = Duration::from_secs(1);

/// A read of a document and of the frames below it.
///
/// # Errors
/// `stale_ref`, `page_unreadable`, `navigation_blocked`, what the page does not have, and those of the call.
pub(crate) async fn page(
    app: &Rc<App>,
    context: &Context,
    place: &Place,
    allowed: Option<&[DocumentId]>,
    ask: &PageRead,
    next_ref: u32,
) -> Result<BrowserReply, Error> {
    reading(app, context, place, allowed, next_ref, async |look| {
        look.refs(&ask.refs()).await?;
        look.read(ask).await
    })
    .await
}

/// A read of a list's rows, of which the page shows a part at a time.
///
/// # Errors
/// Those of [`page`].
pub(crate) async fn scrolling(
    app: &Rc<App>,
    context: &Context,
    place: &Place,
    allowed: Option<&[DocumentId]>,
    ask: &PageRead,
    next_ref: u32,
) -> Result<BrowserReply, Error> {
    let PageRead::Table { max_rows, .. } = ask else {
        return Err(Error::internal("only tables are read by scrolling"));
    };
    reading(app, context, place, allowed, next_ref, async |look| {
        look.refs(&ask.refs()).await?;
        let found = scroll::read(app, look, ask, *max_rows).await?;
        let title = chrome::tab(look.tab)
            .await
            .map(|tab| tab.title)
            .unwrap_or_default();
        Ok(look.reply(look.url.to_owned(), title, found))
    })
    .await
}

async fn reading(
    app: &Rc<App>,
    context: &Context,
    place: &Place,
    allowed: Option<&[DocumentId]>,
    next_ref: u32,
    work: impl AsyncFnOnce(&Look<'_>) -> Result<BrowserReply, Error>,
) -> Result<BrowserReply, Error> {
    at(app, context, place, async |tab, shown| {
        let chosen = match allowed {
            Some(allowed) => frames::choose(&shown.document, shown.frames, allowed),
            None => Vec::new(),
        };
        let look = Look {
            app,
            context,
            tab,
            main: &shown.document,
            url: &shown.url,
            frames: &chosen,
            next_ref: Cell::new(next_ref),
        };
        work(&look).await
    })
    .await
}

/// One document with its frames, about to be read.
pub(crate) struct Look<'l> {
    app: &'l App,
    context: &'l Context,
    pub(crate) tab: i64,
    main: &'l str,
    url: &'l str,
    frames: &'l [frames::Chosen],
    /// The first ref that was never given in the tab.
    next_ref: Cell<u32>,
}

impl Look<'_> {
    /// Nothing is copied for a ref whose element is gone.
    async fn refs(&self, refs: &[Ref]) -> Result<(), Error> {
        if let Some(other) = refs.iter().find(|one| one.kind != RefKind::Element) {
            return Err(Error::new(
                Code::Unsupported,
                format!("{other} names nothing in a read of the page"),
            ));
        }
        let numbers: Vec<u32> = refs.iter().map(|one| one.number).collect();
        if numbers.is_empty() {
            return Ok(());
        }
        let read = self.frames.iter().filter(|frame| frame.missing.is_none());
        let documents = std::iter::once(self.main).chain(read.map(|frame| frame.document.as_str()));
        let limit = self.context.left().mul_f64(0.9).min(HOLDS);
        match capture::lost(self.tab, documents, &numbers, limit).await {
            None => Ok(()),
            Some(number) => Err(Error::new(
                Code::StaleRef,
                format!(
                    "{} is gone from the page, or its document is",
                    Ref::element(number)
                ),
            )
            .hint("observe the page again for refs of what is there now")),
        }
    }

    /// Captures the page and has it read.
    async fn capture(&self, ask: &PageRead) -> Result<(Capture, ReadReply), Error> {
        let op = PortOp::Capture {
            select: ask.selectors().into_iter().map(str::to_owned).collect(),
            generated: needs_names(ask),
            watch: matches!(ask, PageRead::Watch { .. }),
        };
        let began = now();
        let limit = self.limit();
        let taken = capture::page(self.app, self.tab, self.main, self.frames, &op, limit)
            .await
            .map_err(|trouble| trouble.error(self.url))?;
        self.context.hop("capture", began);
        if port::is_pdf(&taken.columns[0]) {
            return Err(unreadable::pdf());
        }
        let began = now();
        let request = |bytes: &[u32]| {
            let mut parts = taken.parts.clone();
            for (part, bytes) in parts.iter_mut().zip(bytes) {
                part.bytes = *bytes;
            }
            ReadRequest::Page {
                ask: Box::new(ask.clone()),
                parts,
                missing: taken.missing.clone(),
                next_ref: self.next_ref.get(),
            }
        };
        let reply = reader::with(&taken.columns, request).await?;
        self.context.hop("reader", began);
        Ok((taken, reply))
    }

    /// Reads the page, and has its documents know the refs that were given.
    ///
    /// # Errors
    /// What the page does not have, and those of [`page`].
    pub(crate) async fn found(&self, ask: &PageRead) -> Result<(Capture, Box<PageFound>), Error> {
        let (taken, reply) = self.capture(ask).await?;
        match reply {
            ReadReply::Page {
                found,
                minted,
                next_ref,
                ..
            } => {
                self.number(&taken, &minted, next_ref).await?;
                Ok((taken, found))
            }
            other => Err(refused(&other)),
        }
    }

    /// Has the port of one document of the page do something.
    ///
    /// # Errors
    /// Those of the port.
    pub(crate) async fn run(&self, document: &str, op: &PortOp) -> Result<JsString, Error> {
        port::run(self.app, self.tab, document, op, self.limit())
            .await
            .map_err(|trouble| trouble.error(self.url))
    }

    /// When it has to be done.
    pub(crate) fn until(&self) -> Moment {
        self.context.deadline()
    }

    /// Nobody may hear of a ref before its document knows it.
    async fn number(&self, taken: &Capture, minted: &[Minted], next_ref: u32) -> Result<(), Error> {
        capture::number(self.app, self.tab, taken, minted, self.limit())
            .await
            .map_err(|trouble| trouble.error(self.url))?;
        self.next_ref.set(next_ref);
        Ok(())
    }

    async fn read(&self, ask: &PageRead) -> Result<BrowserReply, Error> {
        let (taken, reply) = self.capture(ask).await?;
        match reply {
            ReadReply::Page {
                header,
                found,
                minted,
                next_ref,
            } => {
                self.number(&taken, &minted, next_ref).await?;
                Ok(self.reply(header.url, header.title, found))
            }
            ReadReply::WantMarkup { part, capture, at } => {
                let document = taken
                    .documents
                    .get(part as usize)
                    .ok_or_else(|| Error::internal("the reader names a part that is not there"))?;
                let op = PortOp::Markup { capture, at };
                let columns = self.run(document, &op).await?;
                let max_bytes = match ask {
                    PageRead::Html { max_bytes, .. } => *max_bytes,
                    _ => return Err(Error::internal("the reader wants markup that was not asked for")),
                };
                match reader::read(&ReadRequest::Markup { max_bytes }, &columns).await? {
                    ReadReply::Markup {
                        header,
                        found: Some(found),
                    } => {
                        let title = match part {
                            0 => header.title,
                            // A frame has a title of its own; the reply is about the page.
                            _ => chrome::tab(self.tab)
                                .await
                                .map(|tab| tab.title)
                                .unwrap_or_default(),
                        };
                        Ok(self.reply(self.url.to_owned(), title, found))
                    }
                    ReadReply::Markup { found: None, .. } => Err(Error::new(
                        Code::StaleRef,
                        "the element went away while it was read",
                    )),
                    other => Err(refused(&other)),
                }
            }
            other => Err(refused(&other)),
        }
    }

    fn reply(&self, url: String, title: String, found: Box<PageFound>) -> BrowserReply {
        BrowserReply::Read {
            document: self.main.into(),
            url,
            title,
            found,
            next_ref: self.next_ref.get(),
        }
    }

    fn limit(&self) -> Duration {
        // Some pages never answer: what they are is said before the deadline is.
        self.context.left().mul_f64(0.9)
    }
}

/// Whether names matter, and so what style sheets write before and after elements: looking at that is not cheap.
fn needs_names(ask: &PageRead) -> bool {
    match ask {
        PageRead::Outline { .. }
        | PageRead::Find { .. }
        | PageRead::Listed { .. }
        | PageRead::Html { .. } => true,
        PageRead::Text { within, .. } => within.is_some(),
        PageRead::Table { target, .. } => target.is_some(),
        PageRead::Watch { element, .. } => element.is_some(),
        PageRead::Selectors { .. } | PageRead::Suggest { .. } | PageRead::Cover => false,
    }
}

/// What another reply than the one that was asked for means.
fn refused(reply: &ReadReply) -> Error {
    match reply {
        ReadReply::Failed { error } => error.clone(),
        ReadReply::Malformed { problem } => Error::internal(format!("the page's columns: {problem}")),
        ReadReply::RecipePage { .. }
        | ReadReply::Page { .. }
        | ReadReply::WantMarkup { .. }
        | ReadReply::Markup { .. }
        | ReadReply::NoSelector { .. } => Error::internal("the reader answered another question"),
    }
}

/// Has the work done in the document that a place means.
async fn at<T>(
    app: &Rc<App>,
    context: &Context,
    place: &Place,
    work: impl AsyncFnOnce(i64, Shown) -> Result<T, Error>,
) -> Result<T, Error> {
    match place {
        Place::Tab {
            session,
            tab,
            document,
        } => {
            let reading = async {
                let number = tabs::owned(app, session, tab).await?;
                let shown = in_tab(number, tab, document).await?;
                dialogs::in_sight(app, number, work(number, shown)).await
            };
            context.run(reading).await
        }
        Place::Private { url } => {
            private::with(app, context, async |tab| {
                let seen = loaded(context, tab, url).await?;
                let shown = shown(tab.id).await?.ok_or_else(stale)?;
                if shown.document != seen.document {
                    return Err(stale());
                }
                work(tab.id, shown).await
            })
            .await
        }
    }
}

/// What a tab shows.
pub(crate) struct Shown {
    pub(crate) document: String,
    pub(crate) url: String,
    /// Frames below the main one, each after the one it is in.
    pub(crate) frames: Vec<chrome::Frame>,
}

/// The session, tab and document of a place that has to be in one of the session's tabs.
///
/// # Errors
/// `invalid_argument`.
pub(crate) fn in_session(place: &Place) -> Result<(&SessionId, &TabId, &DocumentId), Error> {
    match place {
        Place::Tab {
            session,
            tab,
            document,
        } => Ok((session, tab, document)),
        Place::Private { .. } => Err(Error::argument("tab", "must be one of the session's")),
    }
}

/// What a session's tab shows, if that is the document that is meant.
///
/// # Errors
/// `stale_ref`, `tab_gone`, `page_unreadable`.
pub(crate) async fn in_tab(number: i64, tab: &TabId, document: &DocumentId) -> Result<Shown, Error> {
    let shown = shown(number).await?.ok_or_else(|| crate::fence::gone(tab))?;
    if shown.document != document.as_str() {
        return Err(stale());
    }
    Ok(shown)
}

/// The element that a locator means, on a page with the frames that are read: its ref. Counts `next_ref` on, also where it
/// fails: an error may tell refs.
///
/// # Errors
/// `not_found`, `ambiguous` with what there is, `not_visible`, and those of [`page`].
pub(crate) async fn one(
    app: &App,
    context: &Context,
    tab: i64,
    shown: &Shown,
    frames: &[frames::Chosen],
    next_ref: &Cell<u32>,
    locator: &Locator,
) -> Result<u32, Error> {
    let look = Look {
        app,
        context,
        tab,
        main: &shown.document,
        url: &shown.url,
        frames,
        next_ref: Cell::new(next_ref.get()),
    };
    let ask = PageRead::Find {
        within: None,
        what: Wanted::Locator(locator.clone()),
        limit: CANDIDATES,
        told: Told::Node,
    };
    look.refs(&ask.refs()).await?;
    let found = look.found(&ask).await;
    next_ref.set(look.next_ref.get());
    let (_, found) = found?;
    let PageFound::Matches {
        total,
        visible,
        matches,
        ..
    } = *found
    else {
        return Err(Error::internal("the reader answered another question"));
    };
    let (seen, hidden): (Vec<_>, Vec<_>) = matches.into_iter().partition(|one| one.visible);
    let only = match (visible, total, seen.first(), hidden.first()) {
        (1, _, Some(only), _) | (0, 1, None, Some(only)) => only,
        (0, 0, ..) => {
            return Err(Error::new(
                Code::NotFound,
                "nothing on the page matches the target",
            ));
        }
        (0, total, ..) => {
            return Err(Error::new(
                Code::NotVisible,
                format!("{total} elements match the target, and none of them can be seen"),
            ));
        }
        (visible, ..) => {
            let words = |one: &Match| match one.node.r#ref {
                Some(name) => format!("{name} {} {:?}", one.node.role, one.node.name),
                None => one.node.role.clone(),
            };
            return Err(Error::new(
                Code::Ambiguous,
                format!("{visible} visible elements match the target"),
            )
            .hint(
                "name one of them by its ref, or narrow the target with name, exact, index, scope or hasText",
            )
            .data(json!({"matches": seen.iter().map(words).collect::<Vec<_>>()})));
        }
    };
    match only.node.r#ref {
        Some(found) => Ok(found.number),
        None => Err(Error::internal("the element has no ref")),
    }
}

/// Whether a page has a secret field that holds something, so that a reader which knows no secrets must tell no values.
///
/// # Errors
/// Those of [`page`].
pub(crate) async fn has_filled_secrets(
    app: &App,
    context: &Context,
    tab: i64,
    shown: &Shown,
    allowed: Option<&[DocumentId]>,
) -> Result<bool, Error> {
    let ask = PageRead::Outline {
        within: None,
        depth: None,
        viewport_only: false,
        hidden: true,
    };
    match unnumbered(app, context, tab, shown, allowed, &ask).await?.found {
        PageFound::Outline { nodes, .. } => Ok(nodes.iter().any(|node| node.states.contains(&State::Filled))),
        _ => Err(Error::internal("the reader answered another question")),
    }
}

/// What a read that gives no refs found.
pub(crate) struct Unnumbered {
    /// Documents that were read, the main one first.
    pub(crate) documents: Vec<String>,
    /// What the main one says of itself.
    pub(crate) header: PageHeader,
    pub(crate) found: PageFound,
}

/// A read that gives no refs, of what a tab shows.
///
/// # Errors
/// Those of [`page`].
pub(crate) async fn unnumbered(
    app: &App,
    context: &Context,
    tab: i64,
    shown: &Shown,
    allowed: Option<&[DocumentId]>,
    ask: &PageRead,
) -> Result<Unnumbered, Error> {
    let chosen = match allowed {
        Some(allowed) => frames::choose(&shown.document, shown.frames.clone(), allowed),
        None => Vec::new(),
    };
    let look = Look {
        app,
        context,
        tab,
        main: &shown.document,
        url: &shown.url,
        frames: &chosen,
        next_ref: Cell::new(1),
    };
    let (taken, reply) = look.capture(ask).await?;
    match reply {
        ReadReply::Page { header, found, .. } => Ok(Unnumbered {
            documents: taken.documents,
            header,
            found: *found,
        }),
        other => Err(refused(&other)),
    }
}

/// What a tab shows, if there is such a tab.
pub(crate) async fn shown(tab: i64) -> Result<Option<Shown>, Error> {
    let frames = chrome::all_frames(tab)
        .await
        .map_err(|failure| unreadable::failed("reading the tab", &failure))?;
    let mut frames = frames.into_iter();
    match frames.next() {
        Some(frame) if frame.error_occurred => Err(unreadable::page(&frame.url, "error page")),
        Some(frame) => Ok(Some(Shown {
            document: frame.document_id,
            url: frame.url,
            frames: frames.collect(),
        })),
        None => Ok(None),
    }
}

/// Loads an address in a private tab, as far as a read wants it.
async fn loaded(context: &Context, tab: &PrivateTab, url: &str) -> Result<Seen, Error> {
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
    Ok(seen)
}

fn stale() -> Error {
    Error::new(Code::StaleRef, "the tab shows another document by now").hint("read it again")
}
