//! `find`.

use std::rc::Rc;

use drawbridge_protocol::error::Error;
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::{PageFound, PageRead, Told, Wanted};
use drawbridge_protocol::tools::ToolId;
use drawbridge_protocol::tools::inspect::{DEFAULT_MATCHES, Do, FindArgs, Found, MAX_MATCHES};

use super::super::number;
use super::kept::Kept;
use super::nothing;
use super::paging::{self, Limits, Missing, Pages, Part, Read};
use super::reading::look;
use super::units::Units;
use crate::budget::Budget;
use crate::daemon::captures::Capture;
use crate::daemon::work::{Work, mismatch};

/// Characters of one match's text at most, and at least.
const MAX_TEXT: u32 = 8_000;
const MIN_TEXT: u32 = 100;

/// Characters of words, and of the name of an attribute.
const MAX_WORDS: usize = 500;

/// Matches as they were found.
#[derive(Debug)]
pub struct Matches {
    total: u32,
    visible: u32,
    /// One JSON text per match.
    items: Units,
    /// Matches that were not described.
    beyond: u32,
    /// What was not looked at.
    omitted: Omitted,
    /// How to get at what is missing, and, where nothing matches, how to look otherwise.
    narrow: String,
    nothing: Option<String>,
}

/// Finds elements.
pub async fn find(work: &mut Work, args: FindArgs) -> Result<Found, Error> {
    let common = args.common();
    let limits = Limits::of(&common)?;
    let limit = number("limit", args.limit, DEFAULT_MATCHES, 1..=MAX_MATCHES)?;
    let told = told(&args, limits.usual())?;
    let goes_on = common.cursor.is_some_and(|cursor| !cursor.trim().is_empty());
    let what = wanted(&args, goes_on)?;
    let ask = PageRead::Find {
        within: args.part()?,
        what: what.clone(),
        limit,
        told: told.clone(),
    };
    let nothing = PageRead::Find {
        within: None,
        what: Wanted::Words(String::new()),
        limit: DEFAULT_MATCHES,
        told: Told::Node,
    };
    let tool = ToolId::InspectFind;
    match paging::begin(work, &common, tool, &ask, &nothing).await? {
        Read::Kept(capture, from) => given(work, &capture, from, limits),
        Read::New(spot) => {
            let look = look(work, &spot, &common, &ask).await?;
            let PageFound::Matches {
                total,
                visible,
                matches,
                omitted,
            } = &look.found
            else {
                return Err(mismatch());
            };
            let beyond = match told {
                Told::Count => 0,
                _ => total.saturating_sub(matches.len() as u32),
            };
            let found = Matches {
                total: *total,
                visible: *visible,
                items: Units::of_json(matches, |found| found.node.kind),
                beyond,
                omitted: omitted.clone(),
                narrow: narrow(&what, limit, beyond),
                nothing: (*total == 0).then(|| nothing::hint(&what)),
            };
            let capture = paging::capture(spot, &look, tool, (ask, limits), Kept::Find(found));
            given(work, &capture, 0, limits)
        }
    }
}

fn given(work: &Work, capture: &Rc<Capture>, from: usize, limits: Limits) -> Result<Found, Error> {
    let Kept::Find(matches) = &capture.kept else {
        return Err(mismatch());
    };
    let budget = limits.or(capture.limits).usual();
    paging::give(work, capture, matches, from, (None, budget), false)
}

impl Matches {
    pub(super) fn size(&self) -> usize {
        self.items.size()
    }
}

impl Pages for Matches {
    type Result = Found;

    fn units(&self) -> usize {
        self.items.len()
    }

    fn bytes(&self, from: usize, count: usize) -> usize {
        self.items.text(from, count).len()
    }

    fn result(&self, part: &Part<'_>) -> Found {
        let omitted = Omitted {
            items: self.beyond + self.items.left(part.end()).all,
            ..self.omitted.clone()
        };
        let Missing {
            truncated,
            omitted,
            hint,
        } = paging::missing(omitted, part.cursor.as_ref(), &self.narrow);
        let hint = match (hint, &self.nothing) {
            (Some(hint), Some(nothing)) => Some(format!("{nothing}; {hint}")),
            (hint, nothing) => hint.or_else(|| nothing.clone()),
        };
        Found {
            session: part.head.session.clone(),
            tab: part.head.tab.clone(),
            document: part.head.document.clone(),
            url: part.head.url.clone(),
            title: part.head.title.clone(),
            total: self.total,
            visible: self.visible,
            matches: self.items.read(part.from, part.count),
            truncated,
            omitted,
            hint,
            next_cursor: part.cursor.clone(),
        }
    }
}

/// How to get at matches that a reply does not hold.
fn narrow(what: &Wanted, limit: u32, beyond: u32) -> String {
    let narrow = match what {
        Wanted::Words(_) => "narrow it with within or with more words",
        Wanted::Locator(_) => "narrow it with within, scope or hasText",
    };
    if beyond > 0 && limit < MAX_MATCHES {
        format!("{narrow}, or raise limit (up to {MAX_MATCHES})")
    } else {
        narrow.to_owned()
    }
}

/// What is looked for; a call that goes on with a cursor need not say it again.
fn wanted(args: &FindArgs, goes_on: bool) -> Result<Wanted, Error> {
    let query = args
        .query
        .as_deref()
        .map(str::trim)
        .filter(|query| !query.is_empty());
    match (args.common().locator()?, query) {
        (Some(_), Some(_)) => Err(Error::argument("query", "and target exclude each other")
            .hint("within says where the words are looked for")),
        (None, None) if goes_on => Ok(Wanted::Words(String::new())),
        (None, None) => Err(Error::argument(
            "target",
            "or query is needed: what is looked for",
        )),
        (Some(locator), None) => Ok(Wanted::Locator(locator)),
        (None, Some(query)) if query.chars().count() > MAX_WORDS => Err(Error::argument(
            "query",
            format!("is longer than {MAX_WORDS} characters"),
        )),
        (None, Some(query)) => Ok(Wanted::Words(query.to_owned())),
    }
}

fn told(args: &FindArgs, budget: Budget) -> Result<Told, Error> {
    let attribute = args
        .attribute
        .as_deref()
        .map(str::trim)
        .filter(|name| !name.is_empty());
    match (args.r#do, attribute) {
        (Some(Do::Attribute), None) => Err(Error::argument("attribute", "is needed with do: attribute")),
        (Some(Do::Attribute), Some(name)) if name.chars().count() > MAX_WORDS => Err(Error::argument(
            "attribute",
            format!("is longer than {MAX_WORDS} characters"),
        )),
        (Some(Do::Attribute), Some(name)) => Ok(Told::Attribute(name.to_owned())),
        (_, Some(_)) => Err(Error::argument("attribute", "goes only with do: attribute")),
        (None, None) => Ok(Told::Node),
        (Some(Do::Count), None) => Ok(Told::Count),
        // So that one match fits whatever it is written in; all of a text is what `text` is for.
        (Some(Do::Text), None) => Ok(Told::Text(
            u32::try_from(budget.tokens / 2)
                .unwrap_or(MAX_TEXT)
                .clamp(MIN_TEXT, MAX_TEXT),
        )),
        (Some(Do::State), None) => Ok(Told::State),
        (Some(Do::Bounds), None) => Ok(Told::Bounds),
    }
}
