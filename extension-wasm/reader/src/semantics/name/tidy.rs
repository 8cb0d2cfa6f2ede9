//! Names as they are told: on one line, and of bounded length.

use unicode_segmentation::GraphemeCursor;

/// Characters of a name, a value or a note; what is longer is cut between two graphemes and ends with `…`.
pub(crate) const LIMIT: usize = 1_000;

/// White space of any kind as one space, none at the ends, and cut.
pub(crate) fn tidy(text: &str) -> String {
    // What a name can have of it: beyond, nothing needs to be looked at.
    let mut tidy = String::with_capacity(text.len().min(4 * LIMIT));
    let (mut gap, mut count) = (false, 0);
    for character in text.chars() {
        if character.is_whitespace() {
            gap = !tidy.is_empty();
            continue;
        }
        if std::mem::take(&mut gap) {
            tidy.push(' ');
            count += 1;
        }
        tidy.push(character);
        count += 1;
        // A grapheme more than fits tells that something has to go.
        if count > 2 * LIMIT {
            break;
        }
    }
    cut(&mut tidy, LIMIT);
    tidy
}

/// Cuts a text to so many characters, `…` included, between two graphemes.
pub(crate) fn cut(text: &mut String, limit: usize) {
    if text.len() <= limit {
        return;
    }
    let Some((end, _)) = text.char_indices().nth(limit.saturating_sub(1)) else {
        return;
    };
    if text[end..].chars().nth(1).is_none() {
        return;
    }
    let mut cursor = GraphemeCursor::new(end, text.len(), true);
    let at = match cursor.is_boundary(text, 0) {
        Ok(true) => end,
        // One grapheme that is longer than all: it is cut wherever.
        _ => cursor
            .prev_boundary(text, 0)
            .ok()
            .flatten()
            .filter(|at| *at > 0)
            .unwrap_or(end),
    };
    text.truncate(at);
    text.truncate(text.trim_end().len());
    text.push('…');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_one_space() {
        assert_eq!(tidy(" a\u{a0} b\n\tc "), "a b c");
        assert_eq!(tidy("\n"), "");
    }

    #[test]
    fn what_is_too_long_is_cut_between_graphemes() {
        let long = tidy(&"ab ".repeat(1_000_000));
        assert!(
            long.ends_with("ab…") && (LIMIT - 1..=LIMIT).contains(&long.chars().count()),
            "{long}"
        );
        let mut text = "abcdef".to_owned();
        cut(&mut text, 6);
        assert_eq!(text, "abcdef");
        cut(&mut text, 5);
        assert_eq!(text, "abcd…");
        let family = "👨\u{200d}👩\u{200d}👧";
        for limit in 2..8 {
            let mut text = format!("a{family}b{family}");
            cut(&mut text, limit);
            assert_eq!(
                text,
                if limit < 7 {
                    "a…".to_owned()
                } else {
                    format!("a{family}…")
                },
                "{limit}"
            );
        }
        let mut marks = format!("a{}", "\u{301}".repeat(5_000));
        cut(&mut marks, 10);
        assert!(marks.chars().count() <= 10);
    }
}
