//! Which names a machine made: they change with the next release of a site, or name one item of a list.

/// Whether a class or id looks made by a machine rather than by a person.
///
/// A guess for its whole kind, from shape alone: many digits, letters and digits mixed (`css-1q2w3e`, `a1B2c`), or
/// capitals in no word (`sc-bdVaJa`). It only orders selectors; every selector is counted all the same.
pub(crate) fn looks_generated(name: &str) -> bool {
    let characters = name.chars().count();
    let digits = name.chars().filter(char::is_ascii_digit).count();
    characters > 40
        || (digits >= 3 && digits * 10 >= characters * 3)
        || name.split(['-', '_', ':', '/', '.']).any(is_hash)
}

fn is_hash(part: &str) -> bool {
    let kinds: Vec<Kind> = part.chars().map(Kind::of).collect();
    let changes = kinds
        .windows(2)
        .filter(|pair| (pair[0] == Kind::Digit) != (pair[1] == Kind::Digit))
        .count();
    let capitals = kinds.iter().filter(|kind| **kind == Kind::Capital).count();
    let small = kinds.iter().filter(|kind| **kind == Kind::Small).count();
    let mixed = changes >= 3 && kinds.len() >= 5;
    // Words have more small letters than that: `productTitle`, `isActive`.
    let jumpy = kinds.len() >= 5 && capitals >= 2 && small >= 2 && small < capitals * 3 && !has_word(&kinds);
    mixed || jumpy
}

/// Three small letters in a row, somewhere, are part of a word.
fn has_word(kinds: &[Kind]) -> bool {
    kinds
        .windows(3)
        .any(|three| three.iter().all(|kind| *kind == Kind::Small))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Digit,
    Capital,
    Small,
}

impl Kind {
    fn of(character: char) -> Self {
        if character.is_ascii_digit() {
            Self::Digit
        } else if character.is_uppercase() {
            Self::Capital
        } else {
            Self::Small
        }
    }
}

#[cfg(test)]
mod tests {
    use super::looks_generated;

    #[test]
    fn names_that_people_write_are_told_from_names_that_machines_write() {
        for name in [
            "title",
            "price",
            "col-2",
            "h1",
            "product-card__title",
            "productTitle",
            "isActive",
            "nav",
            "md:w-1/2",
            "mt-4",
            "step2",
            "wprm-recipe-ingredient",
            "MuiButton-root",
            "item-12",
            "row_3",
            "w3c",
            "col-md-10",
        ] {
            assert!(!looks_generated(name), "{name}");
        }
        for name in [
            "css-1q2w3e",
            "sc-bdVaJa",
            "_3xK9a",
            "Card_title__a1B2c",
            "post-128374",
            "x1i10hfl",
            "jsx-3981234567",
            "ember1234",
            "a8f3b2c1d9",
            "yt-uix-f81d4fae7dec11d0a76500a0c91e6bf6a8d2",
        ] {
            assert!(looks_generated(name), "{name}");
        }
    }
}
