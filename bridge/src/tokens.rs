//! Counts tokens as models of the o200k family have them: byte pair encoding, after the text is split into pieces.
//!
//! Tests hold it against `bpe-openai`, where the vocabulary comes from as well; see `build.rs` for why that crate itself
//! is not at work here.

mod hash;
mod vocabulary;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::LazyLock;

use regex::Regex;

use vocabulary::token;

/// The pieces, but for what OpenAI's pattern says by looking ahead; [`Pieces`] does that part.
/// <https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py>
const PATTERN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*",
    r"|\s*[\r\n]+",
    r"|\s+",
);

static SPLIT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PATTERN).ok());

/// Tokens of a text.
pub fn count(text: &str) -> usize {
    until(text, usize::MAX)
}

/// Whether a text has at most so many tokens; looks no further than it has to.
pub fn at_most(text: &str, limit: usize) -> bool {
    until(text, limit) <= limit
}

/// Counts until it is certain that there are more than `limit`.
fn until(text: &str, limit: usize) -> usize {
    let mut tokens = 0;
    let mut merging = Merging::default();
    for piece in (Pieces { text, at: 0 }) {
        tokens += merging.count(piece.as_bytes());
        if tokens > limit {
            break;
        }
    }
    tokens
}

/// The pieces of a text.
struct Pieces<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        // Every character begins some piece, so a piece begins where the one before ended. The pattern is a constant
        // that a test compiles; without it a text would be one piece.
        let mut end = match SPLIT.as_ref() {
            Some(split) => split.find_at(self.text, self.at)?.end(),
            None => Some(self.text.len()).filter(|end| *end > self.at)?,
        };
        let piece = &self.text[self.at..end];
        let mut last = piece.chars().rev();
        // `\s+(?!\S)`: of white space before a word, the last character goes with that word.
        if let (Some(final_one), Some(_)) = (last.next(), last.next())
            && end < self.text.len()
            && !matches!(final_one, '\r' | '\n')
            && piece.chars().all(char::is_whitespace)
        {
            end -= final_one.len_utf8();
        }
        let piece = &self.text[self.at..end];
        self.at = end;
        Some(piece)
    }
}

/// Merges pairs of one piece after another; keeps its room between pieces.
#[derive(Default)]
struct Merging {
    /// By the byte where a part begins: where it ends, and where the part before begins. A part that was merged away
    /// ends where it begins.
    parts: Vec<(usize, usize)>,
    /// Pairs that make a token: the lowest number first, of equals the first in the piece; with where the pair ends, by
    /// which one that was overtaken is known.
    pairs: BinaryHeap<Reverse<(u32, usize, usize)>>,
}

impl Merging {
    fn count(&mut self, piece: &[u8]) -> usize {
        if piece.len() == 1 || token(piece).is_some() {
            return 1;
        }
        self.parts.clear();
        self.pairs.clear();
        self.parts
            .extend((0..piece.len()).map(|at| (at + 1, at.saturating_sub(1))));
        for at in 0..piece.len() - 1 {
            self.offer(piece, at, at + 2);
        }
        let mut count = piece.len();
        while let Some(Reverse((_, left, end))) = self.pairs.pop() {
            let middle = self.parts[left].0;
            // One of both was merged into something else since.
            if middle == left || middle >= piece.len() || self.parts[middle].0 != end {
                continue;
            }
            self.parts[left].0 = end;
            self.parts[middle].0 = middle;
            count -= 1;
            if end < piece.len() {
                self.parts[end].1 = left;
                let next = self.parts[end].0;
                self.offer(piece, left, next);
            }
            if left > 0 {
                self.offer(piece, self.parts[left].1, end);
            }
        }
        count
    }

    fn offer(&mut self, piece: &[u8], from: usize, to: usize) {
        if let Some(id) = token(&piece[from..to]) {
            self.pairs.push(Reverse((id, from, to)));
        }
    }
}

#[cfg(test)]
mod tests;
