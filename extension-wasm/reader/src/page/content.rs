//! Generated content: the text of a computed `content`, as CSS writes it.

/// Which side of an element's own content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// Stands in front of the content of a pseudo-element that is no part of the line: it is parted from the element's own
/// text by a space.
const APART: char = '\u{1}';

/// What `content` adds to the text: its strings and quotes one after another; the alternative text where there is one.
/// Images and counters, whose values a computed style does not tell, add nothing.
pub(super) fn text(content: &str, side: Side) -> String {
    let (content, is_apart) = match content.strip_prefix(APART) {
        Some(content) => (content, true),
        None => (content, false),
    };
    let mut shown = String::new();
    let mut rest = content;
    let mut alternative = false;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        rest = match first {
            '"' | '\'' => string(after, first, &mut shown),
            '/' if !alternative => {
                // From here on it is said what the rest stands for.
                alternative = true;
                shown.clear();
                after
            }
            character if character.is_ascii_alphabetic() => {
                let end = rest
                    .find(|character: char| !(character.is_ascii_alphanumeric() || character == '-'))
                    .unwrap_or(rest.len());
                match &rest[..end] {
                    "open-quote" => shown.push('\u{201c}'),
                    "close-quote" => shown.push('\u{201d}'),
                    _ => {}
                }
                skip_arguments(&rest[end..])
            }
            _ => after,
        };
    }
    if is_apart && !shown.is_empty() {
        match side {
            Side::Before => shown.push(' '),
            Side::After => shown.insert(0, ' '),
        }
    }
    shown
}

/// Reads a string to its end; answers what comes behind it.
fn string<'c>(content: &'c str, quote: char, shown: &mut String) -> &'c str {
    let mut rest = content;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        match first {
            _ if first == quote => return rest,
            '\\' => rest = escaped(rest, shown),
            _ => shown.push(first),
        }
    }
    rest
}

/// An escape of CSS: up to six hexadecimal digits and one space, or any other character as it is.
fn escaped<'c>(content: &'c str, shown: &mut String) -> &'c str {
    let digits = content.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    if digits == 0 {
        let mut rest = content.chars();
        shown.extend(rest.next().filter(|character| *character != '\n'));
        return rest.as_str();
    }
    let number = u32::from_str_radix(&content[..digits], 16).unwrap_or_default();
    shown.push(
        char::from_u32(number)
            .filter(|character| *character != '\0')
            .unwrap_or(char::REPLACEMENT_CHARACTER),
    );
    let rest = &content[digits..];
    rest.strip_prefix(' ').unwrap_or(rest)
}

/// Passes over the arguments of a function, with strings and functions in them.
fn skip_arguments(content: &str) -> &str {
    let Some(mut rest) = content.strip_prefix('(') else {
        return content;
    };
    let (mut depth, mut unseen) = (1_u32, String::new());
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        match first {
            '"' | '\'' => rest = string(rest, first, &mut unseen),
            '\\' => rest = escaped(rest, &mut unseen),
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn content_is_read_as_css_writes_it() {
        let cases = [
            ("none", ""),
            ("\"* \"", "* "),
            ("\"a\" \"b\"", "ab"),
            ("\"\\\"q\\\" \\\\ \\41 x \\1F600\"", "\"q\" \\ Ax \u{1f600}"),
            ("\"\\e900\"", "\u{e900}"),
            ("\"\\0 \\d800\"", "\u{fffd}\u{fffd}"),
            ("url(\"x)y\") \"z\"", "z"),
            ("counter(c) \". \"", ". "),
            ("counters(c, \".\") \" \"", " "),
            ("image-set(url(\"a\") 1x, url(\"b\") 2x) / \"star\"", "star"),
            ("\"\u{2605}\" / \"\"", ""),
            ("\"a / b\"", "a / b"),
            ("open-quote \"x\" close-quote", "\u{201c}x\u{201d}"),
            ("\"unfinished", "unfinished"),
            ("url(", ""),
            ("", ""),
        ];
        for (content, expected) in cases {
            assert_eq!(text(content, Side::Before), expected, "{content}");
        }
        assert_eq!(text("\u{1}\"a\"", Side::Before), "a ");
        assert_eq!(text("\u{1}\"a\"", Side::After), " a");
        assert_eq!(text("\u{1}\"\"", Side::After), "");
    }

    proptest! {
        #[test]
        fn any_content_is_read(content in "[\\\\\"'()/ a-f0-9\u{1}\u{e9}\n-]{0,40}") {
            text(&content, Side::Before);
        }
    }
}
