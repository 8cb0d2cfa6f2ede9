//! What a field is called.

use std::collections::HashSet;

use drawbridge_protocol::recipe::MAX_NAME;

/// A name for a field: letters, digits and `_` of the words, `camelCase`; none if too little of them is left.
pub(crate) fn identifier(words: &str) -> Option<String> {
    let mut name = String::new();
    let mut letters = 0;
    let mut upper = false;
    for character in words.chars().flat_map(plain) {
        if character.is_ascii_alphanumeric() {
            let leads = name.is_empty();
            if leads && character.is_ascii_digit() {
                continue;
            }
            let character = match (leads, upper) {
                (true, _) => character.to_ascii_lowercase(),
                (false, true) => character.to_ascii_uppercase(),
                (false, false) => character,
            };
            name.push(character);
            letters += 1;
            upper = false;
        } else {
            upper = true;
        }
        if name.len() >= 32 {
            break;
        }
    }
    let said = words
        .chars()
        .filter(|character| character.is_alphanumeric())
        .count();
    // Most of a name in other letters would be a riddle.
    (!name.is_empty() && name.len() <= MAX_NAME && letters * 2 > said.min(32)).then_some(name)
}

/// The name, or the name with the first number that makes it new.
pub(crate) fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut own = name.to_owned();
    let mut number = 2;
    while !taken.insert(own.clone()) {
        own = format!("{name}{number}");
        number += 1;
    }
    own
}

/// A letter without its mark.
fn plain(character: char) -> impl Iterator<Item = char> {
    let letters = match character {
        'ä' | 'á' | 'à' | 'â' | 'ã' | 'å' => "a",
        'Ä' | 'Á' | 'À' | 'Â' | 'Ã' | 'Å' => "A",
        'é' | 'è' | 'ê' | 'ë' | 'ě' => "e",
        'É' | 'È' | 'Ê' => "E",
        'í' | 'ì' | 'î' | 'ï' => "i",
        'ö' | 'ó' | 'ò' | 'ô' | 'õ' | 'ø' => "o",
        'Ö' | 'Ó' | 'Ø' => "O",
        'ü' | 'ú' | 'ù' | 'û' => "u",
        'Ü' | 'Ú' => "U",
        'ç' | 'č' => "c",
        'ñ' => "n",
        'š' => "s",
        'ž' => "z",
        'ß' => "ss",
        _ => "",
    };
    let own = letters.is_empty().then_some(character);
    letters.chars().chain(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers() {
        for (words, name) in [
            ("Price", Some("price")),
            ("product-title", Some("productTitle")),
            ("Größe (cm)", Some("grosseCm")),
            ("2nd place", Some("ndPlace")),
            ("価格", None),
            ("", None),
            ("Unit price / €", Some("unitPrice")),
        ] {
            assert_eq!(identifier(words).as_deref(), name, "{words}");
        }
        let mut taken = HashSet::new();
        let names: Vec<String> = (0..3).map(|_| unique("a", &mut taken)).collect();
        assert_eq!(names, ["a", "a2", "a3"]);
    }
}
