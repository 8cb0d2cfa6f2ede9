//! Names that others give themselves, made fit to be shown.

/// One line of at most `limit` characters, without control and direction characters.
pub fn one_line(text: &str, limit: usize) -> String {
    let shown = |character: &char| {
        !character.is_control()
            && !matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    text.trim()
        .chars()
        .filter(shown)
        .take(limit)
        .collect::<String>()
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_cannot_break_out_of_their_line() {
        assert_eq!(super::one_line(" Work\n\u{202e}evil\u{7} ", 64), "Workevil");
        assert_eq!(super::one_line(&"x".repeat(100), 3), "xxx");
    }
}
