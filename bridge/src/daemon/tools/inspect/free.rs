//! Free text that is given in part: from its beginning or from its end, cut between what people see as characters.

use unicode_segmentation::GraphemeCursor;

/// Bytes of one character as people see it; marks that pile up beyond are cut between.
const LONGEST: usize = 512;

/// The part of `text` that `count` bytes from `from` on are; with `tail` both are counted from the end.
pub(super) fn part(text: &str, from: usize, count: usize, tail: bool) -> &str {
    if tail {
        let end = text.len().saturating_sub(from);
        &text[end.saturating_sub(count)..end]
    } else {
        &text[from.min(text.len())..(from + count).min(text.len())]
    }
}

/// The greatest number of bytes up to `count` after which no character is torn, as [`part`] counts them.
pub(super) fn whole(text: &str, from: usize, count: usize, tail: bool) -> usize {
    if tail {
        let end = text.len().saturating_sub(from);
        end - ceiling(text, end.saturating_sub(count)).min(end)
    } else {
        let from = from.min(text.len());
        floor(text, (from + count).min(text.len())).max(from) - from
    }
}

/// The bytes that so many characters (Unicode scalar values) take, as [`part`] counts them.
pub(super) fn bytes(text: &str, from: usize, characters: usize, tail: bool) -> usize {
    let size = |characters: &mut dyn Iterator<Item = char>| characters.map(char::len_utf8).sum();
    if tail {
        let end = text.len().saturating_sub(from);
        size(&mut text[..end].chars().rev().take(characters))
    } else {
        size(&mut text[from.min(text.len())..].chars().take(characters))
    }
}

fn floor(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    // The whole text is at hand, so neither question can ask for more of it.
    if cursor.is_boundary(text, 0) != Ok(false) {
        return at;
    }
    match cursor.prev_boundary(text, 0) {
        Ok(Some(before)) if at - before <= LONGEST => before,
        _ => at,
    }
}

fn ceiling(text: &str, at: usize) -> usize {
    let at = text.ceil_char_boundary(at);
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    if cursor.is_boundary(text, 0) != Ok(false) {
        return at;
    }
    match cursor.next_boundary(text, 0) {
        Ok(Some(after)) if after - at <= LONGEST => after,
        _ => at,
    }
}

#[cfg(test)]
mod tests;
