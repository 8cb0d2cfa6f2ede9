//! What is wrong with an argument, in words that name no type of this program.

/// Kinds of values as the reader of arguments calls them, and as people do; longer names first.
const KINDS: &[(&str, &str)] = &[
    ("u8", "a whole number of 0 or more"),
    ("u16", "a whole number of 0 or more"),
    ("u32", "a whole number of 0 or more"),
    ("u64", "a whole number of 0 or more"),
    ("usize", "a whole number of 0 or more"),
    ("i32", "a whole number"),
    ("i64", "a whole number"),
    ("f64", "a number"),
    ("a boolean", "true or false"),
    ("a string", "a text"),
    ("a sequence", "a list"),
    ("a map", "an object"),
];

/// A message of the reader of arguments as a person would say it.
pub(crate) fn plain(message: &str) -> String {
    let message = located(message);
    if let Some(rest) = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))
        && let Some((given, wanted)) = rest.rsplit_once(", expected ")
    {
        return format!("is {}, must be {}", value(given), kind(wanted));
    }
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        return match rest.split_once(", expected ") {
            Some((given, known)) => format!("is {}, must be {}", bare(given), choices(known)),
            None => format!("is {}, which is none of its values", bare(rest)),
        };
    }
    if let Some(rest) = message.strip_prefix("unknown field ") {
        return match rest.split_once(", expected ") {
            Some((given, known)) => {
                format!("there is no {}; there is {}", bare(given), bare(&choices(known)))
            }
            None => format!(
                "there is no {}",
                bare(rest.split(", there are").next().unwrap_or(rest))
            ),
        };
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("{} is missing", bare(field));
    }
    if let Some(field) = message.strip_prefix("duplicate field ") {
        return format!("{} is there twice", bare(field));
    }
    message.to_owned()
}

/// Without where in a text that nobody wrote it stands.
fn located(message: &str) -> &str {
    message
        .rsplit_once(" at line ")
        .filter(|(_, place)| place.contains(" column "))
        .map_or(message, |(before, _)| before)
}

fn kind(wanted: &str) -> String {
    KINDS
        .iter()
        .find(|(name, _)| *name == wanted)
        .map_or(wanted, |(_, words)| words)
        .to_owned()
}

/// `string "x"` is "x", `integer `5`` is 5, `map` is an object.
fn value(given: &str) -> String {
    match given.split_once(' ') {
        Some(("string", text)) => text.to_owned(),
        Some(("integer" | "boolean", value)) => bare(value),
        Some(("floating", value)) => bare(value.trim_start_matches("point ")),
        _ => match given {
            "map" => "an object".to_owned(),
            "sequence" => "a list".to_owned(),
            "null" | "unit value" => "null".to_owned(),
            other => bare(other),
        },
    }
}

fn choices(known: &str) -> String {
    let known = known.strip_prefix("one of ").unwrap_or(known);
    bare(known)
}

fn bare(text: &str) -> String {
    text.replace('`', "")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Args {
        limit: Option<u32>,
        on: Option<bool>,
        name: Option<String>,
        names: Option<Vec<String>>,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    enum Kind {
        One,
        Two,
        Three,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Needs {
        name: String,
    }

    fn wrong<T: for<'de> Deserialize<'de> + std::fmt::Debug>(value: Value) -> String {
        plain(&T::deserialize(value).unwrap_err().to_string())
    }

    #[test]
    fn a_wrong_argument_is_told_in_plain_words() {
        for (args, says) in [
            (
                json!({"limit": "many"}),
                "is \"many\", must be a whole number of 0 or more",
            ),
            (json!({"limit": -1}), "is -1, must be a whole number of 0 or more"),
            (
                json!({"limit": 1.5}),
                "is 1.5, must be a whole number of 0 or more",
            ),
            (
                json!({"limit": {}}),
                "is an object, must be a whole number of 0 or more",
            ),
            (json!({"on": "yes"}), "is \"yes\", must be true or false"),
            (json!({"name": 5}), "is 5, must be a text"),
            (json!({"names": "x"}), "is \"x\", must be a list"),
            (json!({"kind": "four"}), "is four, must be one, two, three"),
            (
                json!({"nmae": "x"}),
                "there is no nmae; there is limit, on, name, names, kind",
            ),
        ] {
            assert_eq!(wrong::<Args>(args.clone()), says, "{args}");
        }
        assert_eq!(wrong::<Needs>(json!({})), "name is missing");
    }

    #[test]
    fn a_place_in_a_text_nobody_wrote_is_left_out() {
        assert_eq!(plain("trailing comma at line 1 column 7"), "trailing comma");
        assert_eq!(plain("meet me at line 5"), "meet me at line 5");
    }
}
