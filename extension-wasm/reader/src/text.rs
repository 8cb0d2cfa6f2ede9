//! Readable text: what a person sees of a part of a page.

mod content;
pub(crate) mod lines;
mod log;
mod markdown;
mod matching;
mod plain;

use drawbridge_protocol::Error;
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::{Locator, PageFound, TextFormat, TextScope};
use drawbridge_protocol::reader::flags;
use unicode_segmentation::GraphemeCursor;

use crate::locate::Locate;
use crate::page::{Element, Page};
use crate::text::lines::Gap;
use crate::{unread, visible};

pub(crate) use plain::line;

/// What a read of text asks for.
#[derive(Clone, Debug)]
pub(crate) struct Ask<'r> {
    /// Only this part.
    pub(crate) within: Option<&'r Locator>,
    pub(crate) scope: TextScope,
    pub(crate) format: TextFormat,
    /// Also what cannot be seen, marked.
    pub(crate) hidden: bool,
    /// The last characters instead of the first.
    pub(crate) tail: bool,
    /// Only lines that contain this.
    pub(crate) log_match: Option<&'r str>,
    /// Matching lines at most.
    pub(crate) log_max_matches: u32,
    /// Characters at most.
    pub(crate) max_chars: u32,
}

/// The part of a page that is read.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// Where it begins, in document order, none inside another.
    pub(crate) roots: Vec<usize>,
    /// What is left out of it, ascending.
    pub(crate) without: Vec<usize>,
}

/// Text, and what is missing of it but for the cut.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// Elements with text that cannot be seen.
    pub(crate) hidden: u32,
    /// Frames that show something and were not read.
    pub(crate) frames: u32,
}

/// Answers a read of text.
///
/// # Errors
/// Those of the locator.
pub(crate) fn answer(locate: &Locate<'_, '_, '_>, ask: &Ask<'_>) -> Result<PageFound, Error> {
    let page = locate.page();
    let root = match ask.within {
        Some(locator) => locate.one(locator)?,
        None => page.documents[0].root,
    };
    let part = match ask.scope {
        TextScope::Primary => content::part(page, root),
        TextScope::Body | TextScope::Log => Part::all(root),
    };
    let written = match (ask.scope, ask.format) {
        (TextScope::Log, _) => log::write(page, &part, ask.hidden),
        (_, TextFormat::Markdown) => markdown::write(page, &part, ask.hidden),
        (_, TextFormat::Text) => plain::write(page, &part, ask.hidden),
    };
    let unplaced = match ask.within {
        Some(_) => 0,
        None => u32::try_from(unread::unplaced(page)).unwrap_or(u32::MAX),
    };
    let mut omitted = Omitted {
        hidden: written.hidden,
        frames: written.frames.saturating_add(unplaced),
        elements: page.left_out,
        ..Omitted::default()
    };
    let (mut text, mut matched) = (written.text, None);
    if let Some(needle) = ask.log_match {
        let (lines, matches) = matching::lines(&text, needle, ask.log_max_matches, ask.tail);
        (text, matched) = (lines, Some(matches));
    }
    let gone = cut(&mut text, ask.max_chars, ask.tail);
    omitted.characters = gone.saturating_add(page.cut);
    if let Some(matches) = &mut matched {
        matching::keep(matches, &text, ask.tail);
        let given = u32::try_from(matches.numbers.len()).unwrap_or(u32::MAX);
        omitted.items = matches.count.saturating_sub(given);
    }
    Ok(PageFound::Text {
        text,
        omitted,
        matched,
    })
}

impl Part {
    /// An element and everything inside of it.
    pub(crate) fn all(root: usize) -> Self {
        Self {
            roots: vec![root],
            without: Vec::new(),
        }
    }

    /// Whether an element is left out.
    fn lacks(&self, index: usize) -> bool {
        self.without.binary_search(&index).is_ok()
    }
}

impl Written {
    /// Counts an element that is met.
    fn meet(&mut self, page: &Page<'_>, index: usize, hidden: bool) {
        let element = &page.elements[index];
        if !hidden && !element.shows_text() && element.has_own_text() {
            self.hidden += 1;
        }
        self.frames += u32::from(unread::is_unread(page, index));
    }
}

/// Whether the own text of an element is text for a person. Secrets are for nobody.
pub(crate) fn is_shown(element: &Element<'_>) -> bool {
    element.shows_text() && !element.is(flags::SECRET)
}

/// The text on a button that is an `input`.
pub(crate) fn button_label<'e>(element: &'e Element<'_>) -> Option<&'e str> {
    let kind = element.get("type").filter(|_| element.is_html("input"))?;
    ["submit", "button", "reset"]
        .iter()
        .any(|button| kind.eq_ignore_ascii_case(button))
        .then(|| element.get(":value").or_else(|| element.get("value")))?
}

/// Whether what comes before and after an element is another word.
pub(crate) fn separates(element: &Element<'_>) -> bool {
    edge(element) != Gap::None
}

/// What separates an element from its neighbours.
fn edge(element: &Element<'_>) -> Gap {
    if !visible::is_rendered(element.flags) {
        return Gap::None;
    }
    match element.tag.as_ref() {
        "br" => Gap::Line,
        "td" | "th" if element.is(flags::BLOCK) => Gap::Cell,
        _ if element.is(flags::BLOCK) => Gap::Line,
        _ => Gap::None,
    }
}

/// The same of an element that is shown though nobody can see it: without a box only its name tells.
fn edge_of_hidden(element: &Element<'_>) -> Gap {
    if visible::is_rendered(element.flags) {
        return edge(element);
    }
    match element.tag.as_ref() {
        "td" | "th" => Gap::Cell,
        "a" | "abbr" | "b" | "bdi" | "bdo" | "cite" | "code" | "data" | "del" | "dfn" | "em" | "font"
        | "i" | "ins" | "kbd" | "label" | "mark" | "q" | "s" | "samp" | "slot" | "small" | "span"
        | "strong" | "sub" | "sup" | "time" | "u" | "var" | "wbr" => Gap::None,
        _ => Gap::Line,
    }
}

/// Cuts to at most `most` characters, the first ones or the last; how many are gone.
fn cut(text: &mut String, most: u32, tail: bool) -> u32 {
    let all = text.chars().count();
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if tail {
        shorten_front(text, most, all);
    } else {
        shorten(text, most);
    }
    u32::try_from(all - text.chars().count()).unwrap_or(u32::MAX)
}

/// Cuts to at most `most` characters, between two graphemes.
pub(crate) fn shorten(text: &mut String, most: usize) {
    let Some((limit, _)) = text.char_indices().nth(most) else {
        return;
    };
    let mut cursor = GraphemeCursor::new(limit, text.len(), true);
    let end = match cursor.is_boundary(text, 0) {
        Ok(true) => limit,
        // The whole text is at hand, so neither can ask for more context.
        Ok(false) | Err(_) => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
    };
    text.truncate(end);
}

/// Keeps at most the last `most` of `all` characters, from between two graphemes.
fn shorten_front(text: &mut String, most: usize, all: usize) {
    let Some(gone) = all.checked_sub(most).filter(|gone| *gone > 0) else {
        return;
    };
    let limit = text.char_indices().nth(gone).map_or(text.len(), |(at, _)| at);
    let mut cursor = GraphemeCursor::new(limit, text.len(), true);
    let start = match cursor.is_boundary(text, 0) {
        Ok(true) => limit,
        Ok(false) | Err(_) => cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
    };
    text.drain(..start);
}

#[cfg(test)]
mod tests;
