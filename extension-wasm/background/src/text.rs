//! Texts of pages, as much of them as is told. Pure.

/// The beginning of a text: so many characters, with a sign where more follow.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("née", 3), "née");
        assert_eq!(cut("née", 2), "né…");
        assert_eq!(cut("", 0), "");
    }
}
