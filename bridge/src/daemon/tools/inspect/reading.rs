//! One read of a page: the grant is asked for the document that is there, the frames that may be read are named, and the
//! read is fenced with all of them.

use std::collections::HashMap;

use drawbridge_protocol::address;
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::{DocumentId, SessionId, TabId};
use drawbridge_protocol::link::{BrowserCall, BrowserReply, FrameSeen, Place};
use drawbridge_protocol::page::{PageFound, PageRead};
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::inspect::Common;

use super::nothing;
use crate::daemon::grants::Site;
use crate::daemon::targets::Chosen;
use crate::daemon::work::{Shown, Work, mismatch};

/// How often a read starts over because the page replaced itself under it.
const ATTEMPTS: usize = 2;

/// The tab that a call reads.
#[derive(Debug)]
pub(in crate::daemon::tools) struct Spot {
    pub(in crate::daemon::tools) session: SessionId,
    pub(in crate::daemon::tools) chosen: Chosen,
    pub(in crate::daemon::tools) tab: TabId,
}

/// Which way a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// As it is.
    Still,
    /// By scrolling a list; for which more has to be allowed.
    Scrolling,
}

/// What a read found, and where.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) document: DocumentId,
    pub(super) url: String,
    pub(super) title: String,
    pub(super) found: PageFound,
    /// The sites whose documents were read; what was found may be told while all of them are allowed.
    pub(super) sites: Vec<Site>,
}

impl Spot {
    /// A document in the tab.
    pub(in crate::daemon::tools) fn place(&self, document: &DocumentId) -> Place {
        Place::Tab {
            session: self.session.clone(),
            tab: self.tab.clone(),
            document: document.clone(),
        }
    }
}

/// The tab that the arguments mean.
pub(in crate::daemon::tools) async fn spot(
    work: &mut Work,
    session: Option<&SessionId>,
    tab: Option<&TabId>,
) -> Result<Spot, Error> {
    let (view, chosen) = work.session(session, tab).await?;
    let tab = work.hub.sessions.tab(&view.id, tab)?;
    Ok(Spot {
        session: view.id,
        chosen,
        tab,
    })
}

/// Reads what the tab shows. When the page moved on in between, the grant is asked anew for the next document, unless
/// the call means this one: by its id, or by a ref, which ends with its document.
pub(super) async fn look(
    work: &mut Work,
    spot: &Spot,
    common: &Common<'_>,
    ask: &PageRead,
) -> Result<Look, Error> {
    look_by(work, spot, common, ask, How::Still).await
}

/// As [`look`], one way or the other.
pub(super) async fn look_by(
    work: &mut Work,
    spot: &Spot,
    common: &Common<'_>,
    ask: &PageRead,
    how: How,
) -> Result<Look, Error> {
    let bound = common.document.is_some() || !ask.refs().is_empty();
    for _ in 0..ATTEMPTS {
        let shown = shown(work, spot, common.document).await?;
        if how == How::Scrolling {
            work.allow(Access::Interact, shown.site.clone())?;
        }
        let mut sites = vec![shown.site.clone()];
        let frames = (common.frames != Some(false)).then(|| readable(work, &shown, &mut sites));
        match read(work, spot, &shown.document, frames, ask, how).await {
            Err(error) if error.code == Code::StaleRef && !bound => {}
            Err(error) => return Err(advised(error, common)),
            Ok((document, url, title, found)) => {
                return Ok(Look {
                    document,
                    url,
                    title,
                    found,
                    sites,
                });
            }
        }
    }
    Err(Error::new(
        Code::PageChanging,
        format!("the page replaced itself {ATTEMPTS} times while it was read"),
    )
    .hint("try again once it has come to rest"))
}

/// An error with what to try where a target matched nothing.
fn advised(error: Error, common: &Common<'_>) -> Error {
    if error.code != Code::NotFound || error.hint.is_some() {
        return error;
    }
    match common.locator() {
        Ok(Some(locator)) => error.hint(nothing::instead(&locator)),
        Ok(None) | Err(_) => error,
    }
}

/// The document that the tab shows, once it may be read and is the one that is meant.
pub(super) async fn shown(work: &mut Work, spot: &Spot, meant: Option<&DocumentId>) -> Result<Shown, Error> {
    let shown = work
        .shown(&spot.chosen, &spot.session, &spot.tab, Access::Read)
        .await?;
    match meant {
        Some(meant) if *meant != shown.document => Err(Error::new(
            Code::StaleRef,
            "the tab shows another document by now",
        )
        .hint("observe it again: refs and document ids end with their document")),
        _ => Ok(shown),
    }
}

async fn read(
    work: &mut Work,
    spot: &Spot,
    document: &DocumentId,
    frames: Option<Vec<DocumentId>>,
    ask: &PageRead,
    how: How,
) -> Result<(DocumentId, String, String, PageFound), Error> {
    let hub = std::rc::Rc::clone(&work.hub);
    let (deadline, token) = (work.deadline, work.ticket.token().clone());
    let mut turn = hub
        .refs
        .turn(&spot.chosen.row.id, &spot.tab, deadline, &token)
        .await?;
    let place = spot.place(document);
    let (ask, next_ref) = (Box::new(ask.clone()), turn.next());
    let call = match how {
        How::Still => BrowserCall::Read {
            place,
            frames,
            ask,
            next_ref,
        },
        How::Scrolling => BrowserCall::ReadScrolling {
            place,
            frames,
            ask,
            next_ref,
        },
    };
    let BrowserReply::Read {
        document,
        url,
        title,
        found,
        next_ref,
    } = work.browser(&spot.chosen, call).await?
    else {
        return Err(mismatch());
    };
    turn.used(next_ref).await?;
    Ok((document, url, title, *found))
}

/// The frames whose sites are allowed. Nobody is asked for the others: a page must not be able to raise questions by
/// what it embeds.
pub(in crate::daemon::tools) fn readable(
    work: &Work,
    shown: &Shown,
    sites: &mut Vec<Site>,
) -> Vec<DocumentId> {
    let origins = origins(&shown.document, &shown.site, &shown.frames);
    let mut decided: HashMap<Option<String>, bool> = HashMap::new();
    let mut allowed = |site: &Site| {
        *decided.entry(site.host.clone()).or_insert_with(|| {
            let allowed = work.allowed(Access::Read, site);
            if allowed && !sites.contains(site) {
                sites.push(site.clone());
            }
            allowed
        })
    };
    shown
        .frames
        .iter()
        .filter(|frame| {
            origins
                .get(&frame.document)
                .and_then(Option::as_ref)
                .is_some_and(&mut allowed)
        })
        .map(|frame| frame.document.clone())
        .collect()
}

/// The documents of a tab, its main one among them, in which a use is allowed; nobody is asked.
pub(in crate::daemon::tools) fn allowed_in(work: &Work, access: Access, shown: &Shown) -> Vec<DocumentId> {
    let origins = origins(&shown.document, &shown.site, &shown.frames);
    let mut decided: HashMap<Option<String>, bool> = HashMap::new();
    let documents = std::iter::once(&shown.document).chain(shown.frames.iter().map(|frame| &frame.document));
    documents
        .filter(|document| {
            let site = origins.get(*document).and_then(Option::as_ref);
            site.is_some_and(|site| {
                *decided
                    .entry(site.host.clone())
                    .or_insert_with(|| work.allowed(access, site))
            })
        })
        .cloned()
        .collect()
}

/// The site of one document of a tab; `None` where it is no document of it, or none that could be allowed.
pub(in crate::daemon::tools) fn site_of(shown: &Shown, document: &DocumentId) -> Option<Site> {
    let mut origins = origins(&shown.document, &shown.site, &shown.frames);
    origins.remove(document).flatten()
}

/// The site of every frame; `None` where it has none that could be allowed. What a document wrote into a frame itself is
/// of its own site.
fn origins(main: &DocumentId, site: &Site, frames: &[FrameSeen]) -> HashMap<DocumentId, Option<Site>> {
    let by_document: HashMap<&DocumentId, &FrameSeen> =
        frames.iter().map(|frame| (&frame.document, frame)).collect();
    let mut known: HashMap<DocumentId, Option<Site>> = HashMap::from([(main.clone(), Some(site.clone()))]);
    for frame in frames {
        // Up to the first document whose site is known or stands in its address, then back down. Documents that are
        // each other's parents end the walk, too: no chain is longer than there are frames.
        let mut chain = Vec::new();
        let mut at = frame;
        let found = loop {
            if let Some(site) = known.get(&at.document) {
                break site.clone();
            }
            chain.push(&at.document);
            if !is_inherited(&at.url) {
                break address::check(&at.url, "url")
                    .ok()
                    .map(|address| Site::from(&address));
            }
            if let Some(site) = known.get(&at.parent) {
                break site.clone();
            }
            match by_document.get(&at.parent) {
                Some(parent) if chain.len() <= frames.len() => at = parent,
                _ => break None,
            }
        };
        for document in chain {
            known.insert(document.clone(), found.clone());
        }
    }
    known
}

/// Whether a frame's content was written by the document around it.
fn is_inherited(url: &str) -> bool {
    let is = |scheme: &str| {
        url.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    url.is_empty() || is("about:blank") || is("about:srcdoc") || is("data:")
}

#[cfg(test)]
mod tests;
