//! Text that stays text.

/// Adds one word of text to a line: whatever is between white space, or a part of it. `ends`: white space comes next.
pub(super) fn text(out: &mut String, word: &str, ends: bool) {
    let mut before = out.chars().next_back();
    let mut rest = word.chars().peekable();
    while let Some(character) = rest.next() {
        let after = rest.peek().copied().or(ends.then_some(' '));
        let escapes = match character {
            '\\' | '`' | '*' | '[' | ']' => true,
            // Inside a word it is a letter.
            '_' => !(is_word(before) && is_word(after)),
            '<' => after.is_none_or(|after| after.is_ascii_alphabetic() || matches!(after, '/' | '!' | '?')),
            '~' => before == Some('~') || after.is_none_or(|after| after == '~'),
            '&' => after.is_none_or(|after| after == '#' || after.is_ascii_alphanumeric()),
            _ => false,
        };
        if escapes {
            out.push('\\');
        }
        out.push(character);
        before = Some(character);
    }
}

/// A line as it stands at its beginning: nothing there begins a block.
pub(super) fn line(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len() + 1);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let after = line[digits..].chars().next();
    if (1..=9).contains(&digits) && matches!(after, Some('.' | ')')) {
        escaped.push_str(&line[..digits]);
        escaped.push('\\');
        escaped.push_str(&line[digits..]);
        return escaped;
    }
    if matches!(line.chars().next(), Some('#' | '>' | '-' | '+' | '=' | '|'))
        || (line.starts_with(':') && line[1..].starts_with('-'))
    {
        escaped.push('\\');
    }
    escaped.push_str(line);
    escaped
}

fn is_word(character: Option<char>) -> bool {
    character.is_some_and(char::is_alphanumeric)
}
