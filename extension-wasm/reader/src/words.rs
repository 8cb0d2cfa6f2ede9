//! Words as they are compared: one case, endings off, one word for those that mean the same on every site.

use unicode_segmentation::UnicodeSegmentation;

use crate::fold::caseless;

/// Words that mean the same, by the first. Small, and about what sites have in common.
const SAME: &[&[&str]] = &[
    &["buy", "purchase"],
    &["login", "signin", "logon"],
    &["logout", "signout", "logoff"],
    &["register", "signup"],
    &["search", "find", "lookup"],
    &["delete", "remove", "trash", "discard", "erase"],
    &["edit", "modify", "change"],
    &["ok", "okay", "confirm"],
    &["cancel", "abort"],
    &["close", "dismiss"],
    &["next", "continue", "proceed", "forward"],
    &["back", "previous", "prev"],
    &["cart", "basket", "bag"],
    &["setting", "preference", "configuration"],
    &["profile", "account"],
    &["help", "support"],
    &["send", "submit"],
    &["add", "create", "new"],
    &["email", "mail"],
    &["phone", "telephone", "mobile"],
    &["password", "passcode"],
    &["picture", "image", "photo", "img"],
    &["favorite", "favourite", "wishlist"],
    &["upload", "attach"],
    &["colour", "color"],
    &["grey", "gray"],
    &["quantity", "qty", "amount"],
    &["zip", "postcode", "postal"],
];

/// Two words that are one.
const PAIRS: &[(&str, &str, &str)] = &[
    ("log", "in", "login"),
    ("log", "on", "login"),
    ("sign", "in", "login"),
    ("log", "out", "logout"),
    ("log", "off", "logout"),
    ("sign", "out", "logout"),
    ("sign", "up", "register"),
    ("e", "mail", "email"),
    ("post", "code", "zip"),
    ("look", "up", "search"),
];

/// Words of a text, in order.
pub(crate) fn of(text: &str) -> Vec<String> {
    let plain = caseless(text);
    let mut words: Vec<String> = Vec::new();
    for word in plain.unicode_words() {
        let pair = words.last().and_then(|last| {
            PAIRS
                .iter()
                .find(|(first, second, _)| last == first && word == *second)
                .map(|(_, _, both)| (*both).to_owned())
        });
        match pair {
            Some(both) => {
                words.pop();
                words.push(both);
            }
            None => words.push(stem(word)),
        }
    }
    words.into_iter().map(|word| same(&word)).collect()
}

/// Words of a name that a program gave: `btn-primary`, `buyNow`.
pub(crate) fn of_name(name: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut small = false;
    for character in name.chars() {
        if small && character.is_uppercase() {
            spaced.push(' ');
        }
        small = character.is_lowercase();
        spaced.push(if matches!(character, '-' | '_' | ':' | '.' | '/') {
            ' '
        } else {
            character
        });
    }
    of(&spaced)
}

/// The one word for all that mean it.
fn same(word: &str) -> String {
    let found = SAME.iter().find(|group| group.contains(&word));
    found
        .and_then(|group| group.first())
        .map_or(word, |first| first)
        .to_owned()
}

/// A word without the ending that English gives it; others stay as they are, on both sides.
fn stem(word: &str) -> String {
    let word = word.trim_end_matches("'s").trim_end_matches("’s");
    if !word.is_ascii() || word.len() < 4 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word.to_owned();
    }
    if let Some(root) = word.strip_suffix("ies").filter(|root| root.len() > 1) {
        return format!("{root}y");
    }
    for (ending, after) in [("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")] {
        if let Some(root) = word.strip_suffix(ending) {
            return format!("{root}{after}");
        }
    }
    let keeps = ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('s') {
        Some(root) if !keeps => root.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_without_case_and_endings() {
        for (text, words) in [
            ("Sign in", "login"),
            ("LOG\u{a0}IN now", "login now"),
            ("Log-in", "login"),
            ("Purchases", "buy"),
            ("Categories, boxes & addresses", "category box address"),
            ("status bus class", "status bus class"),
            ("E-Mail-Adresse", "email adresse"),
            ("Do\u{ad}nate", "donate"),
            ("2 items", "2 item"),
            ("検索 キーワード", "検 索 キーワード"),
        ] {
            assert_eq!(of(text).join(" "), words, "{text}");
        }
        assert_eq!(of_name("btn-buyNow__blue").join(" "), "btn buy now blue");
    }
}
