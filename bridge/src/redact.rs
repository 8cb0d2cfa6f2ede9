//! Takes out of texts what must not be written down: one table for every sink. It knows forms, not meanings, so it is
//! the last net under code that does not write such things in the first place.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Stands where something was taken out.
pub const MARK: &str = "[redacted]";

/// Forms of secrets. What a group `keep` holds stays; all else of the match goes.
const FORMS: &[&str] = &[
    // Credentials in an address.
    r#"(?<keep>[A-Za-z][A-Za-z0-9+.-]*://)[^/?# \t\r\n"'<>@]+@"#,
    // Headers, to the end of their line.
    r#"(?i)(?<keep>\b(?:proxy-)?authorization["']? *[:=] *["']?)[^\r\n"']+"#,
    r#"(?i)(?<keep>\b(?:set-)?cookie["']? *: *["']?)[^\r\n"']+"#,
    r"(?i)(?<keep>\b(?:bearer|basic) +)[A-Za-z0-9._~+/=-]{8,}",
    // JSON web tokens, and tokens that say what they are.
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?",
    r"\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|sk-|sk_live_|rk_live_|AKIA|ASIA|AIza|ya29\.)[A-Za-z0-9_-]{12,}",
    // Named values, in addresses, forms, JSON and words.
    r#"(?i)(?<keep>(?:^|[?&#;,{ \t"'_-])(?:[a-z]+[_-])?(?:token|secret|passw(?:or)?d|passphrase|pwd|pin|otp|api[_-]?key|apikey|private[_-]?key|session[_-]?id|sessid|sid|auth|credential|signature|sig|code|state|nonce|jwt|ticket|saml(?:request|response))["']?(?:=|["'] *: *|: +)["']?)[^&#;, \t\r\n"'<>}]+"#,
    // Long words without spaces in the values of a query.
    r#"(?<keep>[?&#][A-Za-z0-9_.\[\]-]+=)(?:[0-9A-Fa-f]{24,}|[A-Za-z0-9_%+/=-]{40,})"#,
    // Private keys.
    r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
];

/// Digits that may be the number of a card.
const CARD: &str = r"\b[0-9](?:[ -]?[0-9]){12,18}\b";

static COMPILED: LazyLock<Vec<Regex>> =
    LazyLock::new(|| FORMS.iter().filter_map(|form| Regex::new(form).ok()).collect());
static CARDS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(CARD).ok());

/// The text without what must not be written down.
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut clean = Cow::Borrowed(text);
    for form in COMPILED.iter() {
        let replaced = form.replace_all(&clean, |found: &Captures<'_>| {
            let kept = found.name("keep").map_or("", |kept| kept.as_str());
            let at = if kept.ends_with("://") { "@" } else { "" };
            format!("{kept}{MARK}{at}")
        });
        if let Cow::Owned(replaced) = replaced {
            clean = Cow::Owned(replaced);
        }
    }
    let Some(cards) = CARDS.as_ref() else { return clean };
    let replaced = cards.replace_all(&clean, |found: &Captures<'_>| {
        if is_card(&found[0]) {
            MARK.to_owned()
        } else {
            found[0].to_owned()
        }
    });
    match replaced {
        Cow::Owned(replaced) => Cow::Owned(replaced),
        Cow::Borrowed(_) => clean,
    }
}

/// The check digit of card numbers. <https://en.wikipedia.org/wiki/Luhn_algorithm>
fn is_card(text: &str) -> bool {
    let digits = text.chars().rev().filter_map(|character| character.to_digit(10));
    let sum: u32 = digits
        .enumerate()
        .map(|(index, digit)| match (index % 2, digit * 2) {
            (0, _) => digit,
            (_, doubled) if doubled > 9 => doubled - 9,
            (_, doubled) => doubled,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Passes on what is written to it, redacted. Each write is one whole line, as the log's formatter makes them.
#[derive(Debug)]
pub struct Redacting<W>(pub W);

impl<W: std::io::Write> std::io::Write for Redacting<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(redact(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests;
