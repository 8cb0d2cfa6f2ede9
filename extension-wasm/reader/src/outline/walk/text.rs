//! Text: gathered across the elements of a line, then told as a line of its own.

use drawbridge_protocol::outline::{Kind, State};
use drawbridge_protocol::reader::flags;

use super::super::lines::{At, is_text};
use super::super::{count, line};
use super::{Mute, Place, Walk};
use crate::semantics::is_blank;
use crate::semantics::name::{LIMIT, tidy};

/// Characters of one line of text; longer text goes on in the next line.
const TEXT: usize = LIMIT;
/// Text that is gathered across elements of one line.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) text: String,
    /// The element that its first part is from.
    element: usize,
    aria_hidden: bool,
    hidden: bool,
}

impl Walk<'_, '_, '_> {
    /// Text of an element.
    pub(super) fn text(&mut self, index: usize, text: &str, place: Place) {
        let element = &self.semantics.page().elements[index];
        let shows = element.shows_text();
        if place.mute == Mute::All
            || text.is_empty()
            || element.is(flags::SECRET)
            || (!shows && !self.ask.hidden)
        {
            return;
        }
        if !self.is_wanted(index) {
            if !is_blank(text) {
                count(&mut self.omitted, Kind::Other);
            }
            return;
        }
        let aria_hidden = place.aria_hidden == Some(place.line);
        let hidden = !shows && !place.hidden;
        if (aria_hidden, hidden) != (self.pending.aria_hidden, self.pending.hidden) && !is_blank(text) {
            self.flush(place.line);
            (self.pending.aria_hidden, self.pending.hidden) = (aria_hidden, hidden);
        }
        if is_blank(&self.pending.text) {
            self.pending.element = index;
        }
        self.pending.text.push_str(text);
        if let Mute::In(line) = place.mute {
            let told = tidy(text);
            if self.lines.node(line).name.contains(&told) {
                let kept = self.pending.text.len() - text.len();
                self.pending.text.truncate(kept);
            }
        }
    }

    /// Makes lines of the text that was gathered.
    pub(super) fn flush(&mut self, line: Option<At>) {
        if self.pending.text.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        let words = pending.text.split_whitespace();
        if !says_something(&pending.text) {
            return;
        }
        let mut told = String::new();
        let mut length = 0;
        let mut pieces = Vec::new();
        for word in words {
            let more = word.chars().count();
            if length > 0 && length + more + 1 > TEXT {
                pieces.push(std::mem::take(&mut told));
                length = 0;
            }
            if length > 0 {
                told.push(' ');
            }
            told.push_str(word);
            length += more + 1;
        }
        pieces.push(told);
        for piece in pieces {
            let mut node = line::text(&piece);
            if pending.aria_hidden {
                node.states.push(State::AriaHidden);
            }
            if pending.hidden {
                node.states.push(State::Hidden);
            }
            if node.states.is_empty() && self.continues(line, &node.name) {
                continue;
            }
            self.lines.push(pending.element, line, false, node);
        }
    }

    /// Puts a value behind the label that the page writes before it.
    fn continues(&mut self, line: Option<At>, value: &str) -> bool {
        const LABEL: usize = 60;
        let Some(last) = self.lines.kids(line).last else {
            return false;
        };
        let label = self.lines.node(last);
        let fits = is_text(label) && label.name.ends_with(':') && label.name.len() <= LABEL;
        if !fits || self.lines.kids(Some(last)).count > 0 || value.len() > LIMIT / 2 {
            return false;
        }
        let name = &mut self.lines.node_mut(last).name;
        name.push(' ');
        name.push_str(value);
        true
    }
}

/// Whether a text is more than marks that part other texts.
fn says_something(text: &str) -> bool {
    text.chars().any(|character| {
        character.is_alphanumeric()
            || character >= '\u{1f000}'
            || matches!(character, '$' | '%' | '+' | '#' | '\u{a2}'..='\u{a5}' | '\u{20a0}'..='\u{20cf}' | '°')
            || matches!(character, '★' | '☆' | '✓' | '✔' | '✗' | '✘' | '∞' | '❤' | '♥' | '⚠')
    })
}
