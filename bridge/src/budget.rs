//! How much of something fits into a number of tokens. A text with no more bytes than it may have tokens needs no count,
//! since a token is at least one byte.

use drawbridge_protocol::tools::inspect::MAX_REPLY_BYTES;

use crate::tokens::{at_most, count};

/// Bytes of one token beyond which no text of that length is tried whole.
const WIDEST: usize = 16;
/// Bytes of one token in the first guess.
const TYPICAL: f64 = 3.2;
/// Guesses by slope; after these the search halves.
const GUESSES: usize = 6;

/// What a reply may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Tokens of its text.
    pub tokens: usize,
    /// Bytes of its text.
    pub bytes: usize,
}

impl Budget {
    /// A number of tokens, within what any reply may take.
    pub fn tokens(tokens: u32) -> Self {
        Self {
            tokens: tokens as usize,
            bytes: MAX_REPLY_BYTES,
        }
    }

    /// Whether a text fits.
    pub fn holds(&self, text: &str) -> bool {
        text.len() <= self.bytes && (text.len() <= self.tokens || at_most(text, self.tokens))
    }
}

/// The most units that fit. `bytes` tells about how long a number of units is, `text` writes the whole reply with so many
/// of them; both grow with the number.
///
/// # Errors
/// The tokens that a reply with one unit takes (or with none, where there is none), when not even that fits.
pub fn most(
    budget: Budget,
    units: usize,
    bytes: impl Fn(usize) -> usize,
    mut text: impl FnMut(usize) -> String,
) -> Result<usize, usize> {
    let all = bytes(units);
    let mut above = units + 1;
    if all <= budget.bytes && all <= budget.tokens.saturating_mul(WIDEST) {
        let whole = text(units);
        if budget.holds(&whole) {
            return Ok(units);
        }
        if units == 0 {
            return Err(count(&whole));
        }
        above = units;
    }
    let mut fits = 0;
    let mut aim = budget.tokens as f64 * TYPICAL;
    let mut tries = 0;
    while above - fits > 1 {
        let guess = if tries < GUESSES {
            longest(fits, above, aim.max(0.0) as usize, &bytes)
        } else {
            fits + (above - fits) / 2
        };
        tries += 1;
        let written = text(guess);
        if written.len() > budget.bytes {
            above = guess;
            aim = (aim + bytes(fits) as f64) / 2.0;
            continue;
        }
        let tokens = count(&written);
        if tokens <= budget.tokens {
            fits = guess;
        } else {
            above = guess;
        }
        let slope = written.len() as f64 / tokens.max(1) as f64;
        aim = bytes(guess) as f64 + (budget.tokens as f64 - tokens as f64) * slope;
    }
    if fits == 0 {
        return Err(count(&text(units.min(1))));
    }
    Ok(fits)
}

/// The number between two others, both excluded, whose bytes come closest to an aim from below.
fn longest(fits: usize, above: usize, aim: usize, bytes: impl Fn(usize) -> usize) -> usize {
    let (mut low, mut high) = (fits + 1, above - 1);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if bytes(middle) <= aim {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

#[cfg(test)]
mod tests;
