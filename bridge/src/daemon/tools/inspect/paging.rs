//! A part of what was read: as much as the caller's budget holds, exactly what is missing, and how to go on.

use std::rc::Rc;

use drawbridge_protocol::error::{Code, Error, Outcome};
use drawbridge_protocol::ids::{DocumentId, SessionId, TabId};
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::PageRead;
use drawbridge_protocol::tools::inspect::{Common, DEFAULT_TOKENS, MAX_TOKENS};
use drawbridge_protocol::tools::{Access, ToolId};
use serde::Serialize;

use super::super::number;
use super::free;
use super::kept::Kept;
use super::reading::{Look, Spot, shown, spot};
use crate::budget::{self, Budget};
use crate::daemon::captures::{Capture, digits};
use crate::daemon::work::Work;
use crate::{reply, tokens};

/// Bytes of a title in a reply.
pub(super) const MAX_TITLE: usize = 300;
/// Bytes of an address in a reply.
pub(super) const MAX_URL: usize = 2_000;

/// Where something was read, as every result says it.
#[derive(Clone, Debug)]
pub struct Head {
    pub(in crate::daemon) session: SessionId,
    pub(in crate::daemon) tab: TabId,
    pub(in crate::daemon) document: DocumentId,
    pub(super) url: String,
    pub(super) title: String,
}

/// What was read, as units of which some are given.
pub(super) trait Pages {
    /// A reply.
    type Result: Serialize;

    /// How many units there are.
    fn units(&self) -> usize;

    /// About how many bytes some of them take.
    fn bytes(&self, from: usize, count: usize) -> usize;

    /// The greatest number up to `count` after which nothing is torn.
    fn whole(&self, _from: usize, count: usize) -> usize {
        count
    }

    /// Some of them as the caller counts, where it bounds them by an argument of its own.
    fn counted(&self, _from: usize, count: usize) -> usize {
        count
    }

    /// A reply with some of them.
    fn result(&self, part: &Part<'_>) -> Self::Result;
}

/// Which units a reply gives.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) head: &'a Head,
    /// Names the capture.
    pub(super) id: &'a str,
    pub(super) from: usize,
    pub(super) count: usize,
    /// Where the next reply goes on.
    pub(super) cursor: Option<String>,
    /// Random word around page data.
    pub(super) boundary: &'a str,
}

impl Part<'_> {
    pub(super) fn end(&self) -> usize {
        self.from + self.count
    }
}

/// A read that was made, or one that is gone on with.
pub(super) enum Read {
    /// Ask the page.
    New(Spot),
    /// Take it from here.
    Kept(Rc<Capture>, usize),
}

/// What a caller bounds a reply by, as far as it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::daemon) struct Limits {
    pub(super) tokens: Option<u32>,
    /// Of free text: characters or bytes, as the tool counts.
    pub(super) most: Option<u32>,
}

impl Limits {
    /// What the arguments of every read bound.
    pub(super) fn of(common: &Common<'_>) -> Result<Self, Error> {
        budget_of(common.max_tokens, DEFAULT_TOKENS)?;
        Ok(Self {
            tokens: common.max_tokens,
            most: None,
        })
    }

    /// These, and those of the first call where these say nothing.
    pub(super) fn or(self, first: Self) -> Self {
        Self {
            tokens: self.tokens.or(first.tokens),
            most: self.most.or(first.most),
        }
    }

    /// The tokens of a reply.
    pub(super) fn budget(self, default: u32) -> Budget {
        Budget::tokens(self.tokens.unwrap_or(default))
    }

    /// The tokens of a reply when the caller bounds it in no other way.
    pub(super) fn usual(self) -> Budget {
        self.budget(DEFAULT_TOKENS)
    }
}

/// Units that a reply may give at most, and the argument that says so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    pub(super) argument: &'static str,
    /// As the argument counts.
    pub(super) given: u32,
    pub(super) units: usize,
}

/// The tokens that the arguments allow.
pub(super) fn budget_of(given: Option<u32>, default: u32) -> Result<Budget, Error> {
    number("maxTokens", given, default, 1..=MAX_TOKENS).map(Budget::tokens)
}

/// The tab that the arguments mean, or the capture that their cursor names, once it is certain that both its document is
/// still there and all that it holds may still be read.
///
/// `ask` is what the arguments ask for; beside a cursor it must be what was asked before, or nothing.
pub(super) async fn begin(
    work: &mut Work,
    common: &Common<'_>,
    tool: ToolId,
    ask: &PageRead,
    nothing: &PageRead,
) -> Result<Read, Error> {
    let Some(cursor) = common.cursor.map(str::trim).filter(|cursor| !cursor.is_empty()) else {
        return Ok(Read::New(spot(work, common.session, common.tab).await?));
    };
    let (id, from) = cursor
        .rsplit_once('.')
        .and_then(|(id, from)| Some((id, from.parse::<usize>().ok()?)))
        .ok_or_else(|| Error::argument("cursor", "is none that a reply gave"))?;
    let capture = work.hub.captures.find(id, tool).ok_or_else(ended)?;
    if common.session.is_some_and(|session| *session != capture.session) {
        return Err(ended());
    }
    if common.tab.is_some_and(|tab| *tab != capture.tab) {
        return Err(Error::argument(
            "cursor",
            "and tab exclude each other: the cursor is of another tab",
        ));
    }
    if *ask != capture.ask && ask != nothing {
        return Err(Error::argument(
            "cursor",
            "goes on with what was asked before: leave out what asks for something else",
        ));
    }
    let spot = spot(work, Some(&capture.session), Some(&capture.tab))
        .await
        .map_err(|error| {
            // A cursor of another client's session is as unknown as one that never was.
            if error.code == Code::SessionUnknown {
                ended()
            } else {
                error
            }
        })?;
    let shown = shown(work, &spot, None).await?;
    let readable = capture.sites.iter().all(|site| work.allowed(Access::Read, site));
    if shown.document != capture.document || !readable {
        work.hub.captures.drop_one(id);
        return Err(ended());
    }
    if common
        .document
        .is_some_and(|document| *document != capture.document)
    {
        return Err(ended());
    }
    Ok(Read::Kept(capture, from))
}

fn ended() -> Error {
    Error::new(
        Code::StaleSnapshot,
        "what the cursor goes on with is gone: the document, or a newer read of it, ended it",
    )
    .hint("make the first call again, without cursor")
}

/// A capture of what was found now.
pub(super) fn capture(
    spot: Spot,
    look: &Look,
    tool: ToolId,
    asked: (PageRead, Limits),
    kept: Kept,
) -> Rc<Capture> {
    Rc::new(Capture::new(
        Head {
            session: spot.session,
            tab: spot.tab,
            document: look.document.clone(),
            url: bounded(&look.url, MAX_URL),
            title: bounded(&look.title, MAX_TITLE),
        },
        look.sites.clone(),
        tool,
        asked,
        kept,
    ))
}

/// A page names itself as it likes; what every reply repeats of it has a bound.
pub(super) fn bounded(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = free::whole(text, 0, most, false);
    format!("{}…", &text[..end])
}

/// Gives as many units as fit, at most `limit`; what holds not even the smallest part is refused. With `keep` the capture stays in any case, else only while some of it
/// was not given.
pub(super) fn give<P: Pages>(
    work: &Work,
    capture: &Rc<Capture>,
    pages: &P,
    from: usize,
    (limit, budget): (Option<Most>, Budget),
    keep: bool,
) -> Result<P::Result, Error> {
    let units = pages.units().saturating_sub(from);
    let most = limit.map_or(units, |limit| limit.units.min(units));
    // No page can know it.
    let word = digits();
    let part = |count: usize| {
        let count = pages.whole(from, count);
        let end = from + count;
        // A part with nothing in it must not lead back to itself.
        let goes_on = end < pages.units() && count > 0;
        let cursor = goes_on.then(|| format!("{}.{end}", capture.id));
        Part {
            head: &capture.head,
            id: &capture.id,
            from,
            count,
            cursor,
            boundary: &word,
        }
    };
    let text = |count: usize| written(&pages.result(&part(count)));
    let smallest = (1..=units)
        .find(|count| pages.whole(from, *count) > 0)
        .unwrap_or_default();
    if let Some(limit) = limit.filter(|limit| limit.units < smallest) {
        return Err(too_short(limit, pages.counted(from, smallest)));
    }
    let count = budget::most(budget, most, |count| pages.bytes(from, count), text).unwrap_or_default();
    if pages.whole(from, count) == 0 {
        let least = text(smallest);
        if smallest > 0 || !budget.holds(&least) {
            return Err(too_little(budget, tokens::count(&least)));
        }
    }
    let part = part(count);
    if keep || part.cursor.is_some() || from > 0 {
        work.hub.captures.keep(capture);
    } else {
        work.hub
            .captures
            .end(&capture.session, &capture.tab, capture.tool);
    }
    Ok(pages.result(&part))
}

/// A reply as a model gets it.
pub(super) fn written<T: Serialize>(result: &T) -> String {
    // Results are plain data; what cannot be written would fail at the door as well.
    let value = serde_json::to_value(result).unwrap_or_default();
    reply::text(&value).unwrap_or_else(|| serde_json::to_string(&Outcome(Ok(value))).unwrap_or_default())
}

pub(super) fn too_little(budget: Budget, needed: usize) -> Error {
    Error::new(
        Code::TooLarge,
        format!(
            "maxTokens: a reply of {} cannot hold the smallest part that can be given, which takes {needed}",
            budget.tokens
        ),
    )
    .hint(format!("ask for at least {needed} tokens"))
}

fn too_short(limit: Most, needed: usize) -> Error {
    let Most { argument, given, .. } = limit;
    Error::new(
        Code::TooLarge,
        format!("{argument}: {given} cannot hold the smallest part that can be given, which takes {needed}"),
    )
    .hint(format!("ask for {argument} of at least {needed}"))
}

/// What a reply says of what is missing: counts, whether that was asked for, how to get it.
pub(super) struct Missing {
    pub(super) truncated: bool,
    pub(super) omitted: Option<Omitted>,
    pub(super) hint: Option<String>,
}

/// Puts together what the page left out and what the budget left out. `narrow` says how to get at the latter.
pub(super) fn missing(omitted: Omitted, cursor: Option<&String>, narrow: &str) -> Missing {
    let asked_for = Omitted {
        hidden: 0,
        ..omitted.clone()
    };
    let mut hints = Vec::new();
    if cursor.is_some() {
        hints.push(format!("go on with cursor, or {narrow}"));
    } else if !(Omitted {
        frames: 0,
        elements: 0,
        ..asked_for.clone()
    })
    .is_empty()
    {
        hints.push(narrow.to_owned());
    }
    if omitted.frames > 0 {
        hints.push("frames of other sites are read once a person allows those sites".to_owned());
    }
    if omitted.elements > 0 {
        hints.push("the page has more elements than one read copies: name a part with target".to_owned());
    }
    Missing {
        truncated: !asked_for.is_empty(),
        omitted: (!omitted.is_empty()).then_some(omitted),
        hint: (!hints.is_empty()).then(|| hints.join("; ")),
    }
}
