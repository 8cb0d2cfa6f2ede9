//! Keys by name, as the DevTools protocol wants them: key, code, virtual key code, text. Pure.

use drawbridge_protocol::Error;
use drawbridge_protocol::act::Modifier;

/// One key on a US keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// `KeyboardEvent.key`
    pub(crate) key: String,
    /// `KeyboardEvent.code`
    pub(crate) code: String,
    /// `KeyboardEvent.keyCode`
    pub(crate) number: u32,
    /// What it types, without modifiers other than Shift.
    pub(crate) text: String,
    /// Whether Shift is needed for it.
    pub(crate) shift: bool,
}

/// Keys that type nothing, or something other than their name: key, code, number, text.
const NAMED: &[(&str, &str, u32, &str)] = &[
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Insert", "Insert", 45, ""),
    ("Escape", "Escape", 27, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    ("ContextMenu", "ContextMenu", 93, ""),
    ("CapsLock", "CapsLock", 20, ""),
    ("Control", "ControlLeft", 17, ""),
    ("Shift", "ShiftLeft", 16, ""),
    ("Alt", "AltLeft", 18, ""),
    ("Meta", "MetaLeft", 91, ""),
    (" ", "Space", 32, " "),
];

/// Other names of the same keys.
const ALIASES: &[(&str, &str)] = &[
    ("return", "Enter"),
    ("esc", "Escape"),
    ("del", "Delete"),
    ("ins", "Insert"),
    ("space", " "),
    ("spacebar", " "),
    ("left", "ArrowLeft"),
    ("up", "ArrowUp"),
    ("right", "ArrowRight"),
    ("down", "ArrowDown"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
    ("ctrl", "Control"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("option", "Alt"),
];

/// Keys with two signs: plain, with Shift, code, number.
const SIGNS: &[(char, char, &str, u32)] = &[
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
    ('0', ')', "Digit0", 48),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    ('`', '~', "Backquote", 192),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];

impl Key {
    /// The key that types a character on a US keyboard.
    pub(crate) fn of(sign: char) -> Option<Self> {
        if sign == ' ' {
            return named(" ");
        }
        if sign.is_ascii_alphabetic() {
            let upper = sign.to_ascii_uppercase();
            return Some(Self {
                key: sign.to_string(),
                code: format!("Key{upper}"),
                number: u32::from(upper),
                text: sign.to_string(),
                shift: sign.is_ascii_uppercase(),
            });
        }
        SIGNS
            .iter()
            .find(|(plain, shifted, ..)| *plain == sign || *shifted == sign)
            .map(|(_, shifted, code, number)| Self {
                key: sign.to_string(),
                code: (*code).to_owned(),
                number: *number,
                text: sign.to_string(),
                shift: *shifted == sign,
            })
    }

    /// The modifier that this key is.
    pub(crate) fn modifier(&self) -> Option<Modifier> {
        modifier(&self.key)
    }
}

fn named(name: &str) -> Option<Key> {
    let wanted = ALIASES
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(name))
        .map_or(name, |(_, key)| key);
    let of = |(key, code, number, text): &(&str, &str, u32, &str)| Key {
        key: (*key).to_owned(),
        code: (*code).to_owned(),
        number: *number,
        text: (*text).to_owned(),
        shift: false,
    };
    NAMED
        .iter()
        .find(|(key, ..)| key.eq_ignore_ascii_case(wanted))
        .map(of)
        .or_else(|| {
            let number: u32 = wanted.strip_prefix(['F', 'f'])?.parse().ok()?;
            (1..=24).contains(&number).then(|| Key {
                key: format!("F{number}"),
                code: format!("F{number}"),
                number: 111 + number,
                text: String::new(),
                shift: false,
            })
        })
}

fn modifier(name: &str) -> Option<Modifier> {
    match named(name)?.key.as_str() {
        "Control" => Some(Modifier::Control),
        "Shift" => Some(Modifier::Shift),
        "Alt" => Some(Modifier::Alt),
        "Meta" => Some(Modifier::Meta),
        _ => None,
    }
}

/// Reads `Enter`, `a`, `Control+Shift+K`, `Control++`.
///
/// # Errors
/// `invalid_argument`.
pub(crate) fn read(text: &str) -> Result<(Vec<Modifier>, Key), Error> {
    let bad = |what: &str| {
        Error::argument(
            "key",
            format!("{what:?} is no key such as Enter, a, ArrowDown or Control+A"),
        )
    };
    let text = match text {
        "\r" | "\n" | "\r\n" => "Enter",
        "\t" => "Tab",
        text => text,
    };
    let (held, last) = match text.strip_suffix("++") {
        Some(held) if !held.is_empty() => (held, "+"),
        _ => match text.rsplit_once('+') {
            Some((held, last)) if !held.is_empty() && !last.is_empty() => (held, last),
            _ => ("", text),
        },
    };
    let mut modifiers = Vec::new();
    for name in held.split('+').filter(|name| !name.is_empty()) {
        let one = modifier(name.trim()).ok_or_else(|| bad(name))?;
        if !modifiers.contains(&one) {
            modifiers.push(one);
        }
    }
    let mut signs = last.chars();
    let key = match (signs.next(), signs.next()) {
        (Some(sign), None) => Key::of(sign).unwrap_or_else(|| Key {
            key: sign.to_string(),
            code: String::new(),
            number: 0,
            text: sign.to_string(),
            shift: false,
        }),
        _ => named(last.trim()).ok_or_else(|| bad(last))?,
    };
    if key.shift && !modifiers.contains(&Modifier::Shift) {
        // With Control held, a capital letter means the key and not the capital.
        if modifiers.is_empty() {
            modifiers.push(Modifier::Shift);
        } else {
            let lower = last.to_lowercase();
            let plain = lower.chars().next().and_then(Key::of);
            return Ok((modifiers, plain.unwrap_or(key)));
        }
    }
    Ok((modifiers, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> (Vec<Modifier>, String, String) {
        let (held, key) = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        (held, key.key, key.code)
    }

    #[test]
    fn keys_are_read_by_name_and_by_sign() {
        assert_eq!(key("Enter"), (vec![], "Enter".into(), "Enter".into()));
        assert_eq!(key("esc"), (vec![], "Escape".into(), "Escape".into()));
        assert_eq!(key("space"), (vec![], " ".into(), "Space".into()));
        assert_eq!(key("A"), (vec![Modifier::Shift], "A".into(), "KeyA".into()));
        assert_eq!(key("?"), (vec![Modifier::Shift], "?".into(), "Slash".into()));
        assert_eq!(key("+"), (vec![Modifier::Shift], "+".into(), "Equal".into()));
        assert_eq!(key("F12"), (vec![], "F12".into(), "F12".into()));
        assert_eq!(key("\r").1, "Enter");
        assert_eq!(key("é"), (vec![], "é".into(), String::new()));
    }

    #[test]
    fn modifiers_are_held() {
        assert_eq!(
            key("Control+A"),
            (vec![Modifier::Control], "a".into(), "KeyA".into())
        );
        assert_eq!(
            key("ctrl++"),
            (vec![Modifier::Control], "+".into(), "Equal".into())
        );
        let both = vec![Modifier::Control, Modifier::Shift];
        assert_eq!(key("Control+Shift+K"), (both, "K".into(), "KeyK".into()));
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "Entr", "Hyper+A", "Control+", "F25", "F0"] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
