//! `text`.

use std::rc::Rc;

use drawbridge_protocol::error::Error;
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::{LogMatches, PageFound, PageRead, TextFormat, TextScope};
use drawbridge_protocol::tools::ToolId;
use drawbridge_protocol::tools::inspect::{
    DEFAULT_LOG_MATCHES, DEFAULT_TOKENS, MAX_CHARS, MAX_LOG_MATCHES, MAX_TOKENS, TextArgs, TextRead,
};

use super::super::number;
use super::free;
use super::kept::Kept;
use super::paging::{self, Limits, Missing, Most, Pages, Part, Read};
use super::reading::look;
use crate::daemon::captures::Capture;
use crate::daemon::work::{Work, mismatch};

/// Characters that one read copies, of which replies give parts.
const WINDOW: u32 = 4_000_000;
/// Characters from the end that one read with `tail` copies: whoever asks for the end of a log wants no more.
const TAIL_WINDOW: u32 = 400_000;
/// Characters of `logMatch`.
const MAX_MATCH: usize = 1_000;

/// Text as it was read.
#[derive(Debug)]
pub struct Words {
    text: String,
    tail: bool,
    matched: Option<LogMatches>,
    /// Matching lines that were asked for.
    most_matches: u32,
    /// What the page left out.
    omitted: Omitted,
}

/// Reads readable text.
pub async fn text(work: &mut Work, args: TextArgs) -> Result<TextRead, Error> {
    let common = args.common();
    number("maxChars", args.max_chars, MAX_CHARS, 1..=MAX_CHARS)?;
    let limits = Limits {
        most: args.max_chars,
        ..Limits::of(&common)?
    };
    let tail = args.tail == Some(true);
    if args
        .log_match
        .as_ref()
        .is_some_and(|line| line.chars().count() > MAX_MATCH)
    {
        return Err(Error::argument(
            "logMatch",
            format!("is longer than {MAX_MATCH} characters"),
        ));
    }
    if args.log_match.is_none() && args.log_max_matches.is_some() {
        return Err(Error::argument("logMaxMatches", "goes only with logMatch"));
    }
    let most_matches = number(
        "logMaxMatches",
        args.log_max_matches,
        DEFAULT_LOG_MATCHES,
        1..=MAX_LOG_MATCHES,
    )?;
    let ask = PageRead::Text {
        within: common.locator()?,
        scope: args.scope.unwrap_or_default(),
        format: args.format.unwrap_or_default(),
        hidden: args.include_hidden == Some(true),
        tail,
        log_match: args.log_match.clone(),
        log_max_matches: most_matches,
        max_chars: if tail { TAIL_WINDOW } else { WINDOW },
    };
    let tool = ToolId::InspectText;
    match paging::begin(work, &common, tool, &ask, &ALL).await? {
        Read::Kept(capture, from) => given(work, &capture, from, limits),
        Read::New(spot) => {
            let mut look = look(work, &spot, &common, &ask).await?;
            let PageFound::Text {
                text,
                omitted,
                matched,
            } = &mut look.found
            else {
                return Err(mismatch());
            };
            let words = Words {
                text: std::mem::take(text),
                tail,
                matched: matched.take(),
                most_matches,
                omitted: std::mem::take(omitted),
            };
            let capture = paging::capture(spot, &look, tool, (ask, limits), Kept::Text(words));
            given(work, &capture, 0, limits)
        }
    }
}

/// What arguments ask for that say nothing.
const ALL: PageRead = PageRead::Text {
    within: None,
    scope: TextScope::Body,
    format: TextFormat::Text,
    hidden: false,
    tail: false,
    log_match: None,
    log_max_matches: DEFAULT_LOG_MATCHES,
    max_chars: WINDOW,
};

fn given(work: &Work, capture: &Rc<Capture>, from: usize, limits: Limits) -> Result<TextRead, Error> {
    let Kept::Text(words) = &capture.kept else {
        return Err(mismatch());
    };
    let limits = limits.or(capture.limits);
    let limit = limits.most.map(|characters| Most {
        argument: "maxChars",
        given: characters,
        units: free::bytes(&words.text, from, characters as usize, words.tail),
    });
    // Whoever bounds the characters needs no other bound.
    let usual = if limit.is_some() {
        MAX_TOKENS
    } else {
        DEFAULT_TOKENS
    };
    paging::give(work, capture, words, from, (limit, limits.budget(usual)), false)
}

impl Words {
    pub(super) fn size(&self) -> usize {
        let numbers = self
            .matched
            .as_ref()
            .map_or(0, |matched| matched.numbers.capacity());
        self.text.capacity() + numbers * 4
    }

    /// How to get at what is missing.
    fn narrow(&self) -> &'static str {
        match &self.matched {
            None => "narrow it with target, scope: primary, tail or logMatch, or raise maxTokens or maxChars",
            Some(_) if self.omitted.items == 0 => {
                "narrow it with a longer logMatch, or raise maxTokens or maxChars"
            }
            Some(_) if self.most_matches < MAX_LOG_MATCHES => {
                "raise logMaxMatches (up to 1000), narrow it with a longer logMatch, or take the last ones with tail"
            }
            Some(_) => "narrow it with a longer logMatch, or take the last ones with tail",
        }
    }

    /// Numbers of the lines of which a part gives something.
    fn numbers(&self, given: &str, part: &Part<'_>) -> Option<Vec<u32>> {
        let numbers = &self.matched.as_ref()?.numbers;
        if given.is_empty() {
            return Some(Vec::new());
        }
        let start = if self.tail {
            self.text.len().saturating_sub(part.end())
        } else {
            part.from
        };
        let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
        let first = lines(&self.text[..start]);
        let given = lines(given.strip_suffix('\n').unwrap_or(given)) + 1;
        Some(numbers.iter().skip(first).take(given).copied().collect())
    }
}

impl Pages for Words {
    type Result = TextRead;

    fn units(&self) -> usize {
        self.text.len()
    }

    fn bytes(&self, _from: usize, count: usize) -> usize {
        count
    }

    fn whole(&self, from: usize, count: usize) -> usize {
        free::whole(&self.text, from, count, self.tail)
    }

    fn counted(&self, from: usize, count: usize) -> usize {
        free::part(&self.text, from, count, self.tail).chars().count()
    }

    fn result(&self, part: &Part<'_>) -> TextRead {
        let given = free::part(&self.text, part.from, part.count, self.tail);
        let rest = self.text.len().saturating_sub(part.end());
        let rest = free::part(&self.text, part.end(), rest, self.tail)
            .chars()
            .count();
        let omitted = Omitted {
            characters: self.omitted.characters.saturating_add(rest as u32),
            ..self.omitted.clone()
        };
        let Missing {
            truncated,
            omitted,
            hint,
        } = paging::missing(omitted, part.cursor.as_ref(), self.narrow());
        let numbers = self.numbers(given, part);
        TextRead {
            session: part.head.session.clone(),
            tab: part.head.tab.clone(),
            document: part.head.document.clone(),
            url: part.head.url.clone(),
            title: part.head.title.clone(),
            text: given.to_owned(),
            matched_line_count: self.matched.as_ref().map(|matched| matched.count),
            match_truncated: self
                .matched
                .as_ref()
                .map(|matched| part.cursor.is_some() || (matched.numbers.len() as u32) < matched.count),
            matched_line_numbers: numbers,
            boundary: Some(part.boundary.to_owned()),
            truncated,
            omitted,
            hint,
            next_cursor: part.cursor.clone(),
        }
    }
}
