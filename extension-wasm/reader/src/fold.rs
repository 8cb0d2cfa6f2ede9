//! The one rule for what text says, apart from how it is set: texts are compared, and found, by it alone.

use std::borrow::Cow;

/// What a character is to somebody who reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// White space of any kind; a run of it is one space.
    Space,
    /// It shows nothing: a soft hyphen, a place to break a line, a control, a mark of direction.
    Nothing,
    /// Itself.
    Character,
}

/// What a character is to somebody who reads.
///
/// Joiners are characters: families of emoji and Persian words are made of them.
pub(crate) fn seen(character: char) -> Seen {
    match character {
        '!'..='~' => Seen::Character,
        _ if character.is_whitespace() => Seen::Space,
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => {
            Seen::Nothing
        }
        '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => Seen::Nothing,
        _ if character.is_control() => Seen::Nothing,
        _ => Seen::Character,
    }
}

/// The text on one line: runs of white space are one space, none at the ends, nothing that does not show.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if is_folded(text) {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    let mut gap = false;
    for character in text.chars() {
        match seen(character) {
            Seen::Space => gap = !folded.is_empty(),
            Seen::Nothing => {}
            Seen::Character => {
                if std::mem::take(&mut gap) {
                    folded.push(' ');
                }
                folded.push(character);
            }
        }
    }
    Cow::Owned(folded)
}

/// Folded, and in one case: what two texts have in common that differ in case alone.
pub(crate) fn caseless(text: &str) -> String {
    fold(text).chars().flat_map(lower).collect()
}

/// The one case that [`caseless`] has.
pub(crate) fn lower(character: char) -> impl Iterator<Item = char> {
    // A final sigma is the same letter.
    let character = if character == 'ς' { 'σ' } else { character };
    character.to_lowercase()
}

/// A text that others are compared with.
#[derive(Clone, Debug)]
pub(crate) struct Needle {
    text: String,
    exact: bool,
}

impl Needle {
    /// `exact`: all of it, in this case; else a part, in any case.
    pub(crate) fn new(text: &str, exact: bool) -> Self {
        let text = if exact {
            fold(text).into_owned()
        } else {
            caseless(text)
        };
        Self { text, exact }
    }

    /// What is compared; nothing: it can be found nowhere.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the case and all of the text must be equal.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether a text is what is looked for.
    pub(crate) fn fits(&self, text: &str) -> bool {
        if self.exact {
            fold(text) == self.text.as_str()
        } else {
            caseless(text).contains(&self.text)
        }
    }
}

fn is_folded(text: &str) -> bool {
    let mut space = true;
    for byte in text.bytes() {
        match byte {
            b' ' if space => return false,
            b' ' => space = true,
            b'!'..=b'~' => space = false,
            _ => return false,
        }
    }
    !space || text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_one_space_and_what_does_not_show_is_nothing() {
        for (text, folded) in [
            ("", ""),
            (" ", ""),
            ("a b", "a b"),
            (" a", "a"),
            ("a  b", "a b"),
            ("a ", "a"),
            ("a\u{a0}\n\t\u{3000}b", "a b"),
            ("Do\u{ad}nau\u{200b}dampf", "Donaudampf"),
            ("\u{202e}evil\u{202c} \u{2066}x\u{2069}", "evil x"),
            ("a \u{ad} b", "a b"),
            ("a\u{0}\u{1b}b", "ab"),
            ("👨\u{200d}👩\u{200d}👧", "👨\u{200d}👩\u{200d}👧"),
            ("日本 語", "日本 語"),
        ] {
            assert_eq!(fold(text), folded, "{text:?}");
        }
    }

    #[test]
    fn a_needle_is_a_part_in_any_case_or_all_of_it_in_its_own() {
        let part = Needle::new(" sAVE\u{a0}all ", false);
        assert!(part.fits("please Save  ALL now") && !part.fits("saveall"));
        let exact = Needle::new("Save all", true);
        assert!(exact.fits(" Save\u{a0}all ") && !exact.fits("Save all!") && !exact.fits("save all"));
        assert!(Needle::new("ΟΔΟΣ", false).fits("η οδός οδος"));
        assert!(Needle::new("Größe", false).fits("GRÖSSE GRÖßE"));
    }
}
