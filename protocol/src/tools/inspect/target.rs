//! What a caller means by an element: a ref, a CSS selector, or an object of words.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::Error;
use crate::outline::{Ref, RefKind};
use crate::page::{By, Locator};
use crate::recipe;

/// Characters of one text in a target.
pub const MAX_TEXT: usize = 1_000;
/// What selects by text in other programs, and in no browser.
const OF_OTHERS: &[&str] = &[":contains(", ":has-text(", ":text(", ":text-is("];
/// How deep scopes may nest.
const MAX_SCOPES: usize = 8;

/// A target as it is written: a ref or selector, or an object.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Target {
    /// `e12`, `@e12`, `[ref=e12]`, else a CSS selector.
    Text(String),
    /// One of the kinds, narrowed.
    Fields(Box<TargetFields>),
}

/// A target as an object: exactly one of `ref`, `role`, `label`, `placeholder`, `text`, `testId`, `selector`; the rest
/// narrows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TargetFields {
    /// A ref.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<String>,
    /// An ARIA role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// With `role`: the accessible name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The label of a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The placeholder of a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// Visible text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// `data-testid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_id: Option<String>,
    /// A CSS selector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// The whole text, with its case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// Which of the visible matches, from 0; −1 is as if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<i64>,
    /// Only inside this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Target>,
    /// Only those that contain this text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_text: Option<String>,
    /// The frame to look in: a ref or CSS selector of its element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
}

impl From<&str> for Target {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Target {
    /// What is meant; `None` when it is blank. `path` is where it stands, such as `target`.
    ///
    /// # Errors
    /// `invalid_argument` with the path, or both paths where two fields contradict each other.
    pub fn locator(&self, path: &str) -> Result<Option<Locator>, Error> {
        self.nested(path, 0)
    }

    fn nested(&self, path: &str, depth: usize) -> Result<Option<Locator>, Error> {
        if depth > MAX_SCOPES {
            return Err(Error::argument(
                path,
                format!("is nested more than {MAX_SCOPES} deep"),
            ));
        }
        match self {
            Self::Text(text) => plain(path, text),
            Self::Fields(fields) => fields.locator(path, depth),
        }
    }
}

/// What the arguments `target`, `ref` and `selector` mean together.
///
/// # Errors
/// As [`Target::locator`].
pub(in crate::tools) fn locator(
    target: Option<&Target>,
    reference: Option<&str>,
    selector: Option<&str>,
) -> Result<Option<Locator>, Error> {
    let target = match target {
        Some(target) => target.locator("target")?.map(|found| ("target", found)),
        None => None,
    };
    let reference = match reference.and_then(said) {
        Some(text) => Some(("ref", Locator::new(By::Ref(parse_ref("ref", text)?)))),
        None => None,
    };
    let selector = match selector.and_then(said) {
        Some(text) => Some(("selector", Locator::new(parse_selector("selector", text)?))),
        None => None,
    };
    let mut given = [target, reference, selector].into_iter().flatten();
    match (given.next(), given.next()) {
        (Some((one, _)), Some((other, _))) => Err(excluded(one, other)),
        (first, _) => Ok(first.map(|(_, locator)| locator)),
    }
}

/// A ref or selector that stands alone, such as `within`.
///
/// # Errors
/// `invalid_argument` with the path.
pub(super) fn plain(path: &str, text: &str) -> Result<Option<Locator>, Error> {
    let Some(text) = said(text) else { return Ok(None) };
    let by = match text.parse::<Ref>() {
        Ok(_) => By::Ref(parse_ref(path, text)?),
        Err(()) => parse_selector(path, text)?,
    };
    Ok(Some(Locator::new(by)))
}

impl TargetFields {
    fn locator(&self, path: &str, depth: usize) -> Result<Option<Locator>, Error> {
        let at = |field: &str| format!("{path}.{field}");
        let kinds = [
            ("ref", &self.r#ref),
            ("role", &self.role),
            ("label", &self.label),
            ("placeholder", &self.placeholder),
            ("text", &self.text),
            ("testId", &self.test_id),
            ("selector", &self.selector),
        ];
        let mut given = kinds
            .iter()
            .filter_map(|(field, value)| value.as_deref().and_then(said).map(|value| (*field, value)));
        let kind = given.next();
        if let (Some((one, _)), Some((other, _))) = (kind, given.next()) {
            return Err(excluded(&at(one), &at(other)));
        }
        let name = self.name.as_deref().and_then(said);
        let has_text = self.has_text.as_deref().and_then(said);
        let index = self.index(&at("index"))?;
        let exact = self.exact == Some(true);
        let scope = self.scope(path, depth)?;
        let narrowing = [
            ("name", name.is_some()),
            ("exact", exact),
            ("index", index.is_some()),
            ("scope", self.scope.is_some() && scope.is_some()),
            ("frame", self.frame.as_deref().and_then(said).is_some()),
            ("hasText", has_text.is_some()),
        ];
        let narrows = narrowing
            .iter()
            .find(|(_, given)| *given)
            .map(|(field, _)| *field);
        let Some((field, value)) = kind else {
            // A client that fills in every property with nothing means nothing by it.
            return match narrows {
                None => Ok(None),
                Some(narrows) => Err(Error::argument(
                    path,
                    format!(
                        "{narrows} narrows one of ref, role, label, placeholder, text, testId, selector, and none is there"
                    ),
                )),
            };
        };
        if let ("ref", Some(narrows)) = (field, narrows) {
            return Err(excluded(&at(field), &at(narrows)));
        }
        if name.is_some() && field != "role" {
            return Err(Error::argument(
                &at("name"),
                format!("goes only with {}, not with {}", at("role"), at(field)),
            ));
        }
        bounded(&at(field), value)?;
        for (field, value) in [("name", name), ("hasText", has_text)] {
            bounded(&at(field), value.unwrap_or_default())?;
        }
        let by = match field {
            "ref" => By::Ref(parse_ref(&at(field), value)?),
            "role" => By::Role {
                role: value.to_ascii_lowercase(),
                name: name.map(str::to_owned),
            },
            "label" => By::Label(value.to_owned()),
            "placeholder" => By::Placeholder(value.to_owned()),
            "text" => By::Text(value.to_owned()),
            "testId" => By::TestId(value.to_owned()),
            _ => parse_selector(&at(field), value)?,
        };
        Ok(Some(Locator {
            by,
            exact,
            index,
            scope: scope.map(Box::new),
            has_text: has_text.map(str::to_owned),
        }))
    }

    fn index(&self, path: &str) -> Result<Option<u32>, Error> {
        match self.index {
            None | Some(-1) => Ok(None),
            Some(index) => u32::try_from(index)
                .map(Some)
                .map_err(|_| Error::argument(path, format!("is {index}, must be 0 or more"))),
        }
    }

    /// The scope, inside the frame where one is named.
    fn scope(&self, path: &str, depth: usize) -> Result<Option<Locator>, Error> {
        let scope = match &self.scope {
            Some(scope) => scope.nested(&format!("{path}.scope"), depth + 1)?,
            None => None,
        };
        let frame = match &self.frame {
            Some(frame) => plain(&format!("{path}.frame"), frame)?,
            None => None,
        };
        match (scope, frame) {
            (Some(scope), Some(frame)) => match inside(scope, frame) {
                Some(scope) => Ok(Some(scope)),
                None => Err(excluded(&format!("{path}.scope"), &format!("{path}.frame"))),
            },
            (scope, frame) => Ok(scope.or(frame)),
        }
    }
}

/// A locator with one more scope around all of its own; `None` where a ref is the outermost, which needs none.
fn inside(locator: Locator, outermost: Locator) -> Option<Locator> {
    let scope = match locator.scope {
        Some(scope) => inside(*scope, outermost)?,
        None if matches!(locator.by, By::Ref(_)) => return None,
        None => outermost,
    };
    Some(Locator {
        scope: Some(Box::new(scope)),
        ..locator
    })
}

/// A text that is not blank, without the white space around it.
fn said(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn parse_ref(path: &str, text: &str) -> Result<Ref, Error> {
    let one = text
        .parse::<Ref>()
        .map_err(|()| Error::argument(path, format!("{text} is no ref such as e12")))?;
    match one.kind {
        RefKind::Element => Ok(one),
        RefKind::Accessibility | RefKind::Listed => Err(Error::argument(
            path,
            format!("{one} belongs to one snapshot and names nothing outside of it"),
        )
        .hint("observe gives refs such as e12")),
    }
}

fn parse_selector(path: &str, text: &str) -> Result<By, Error> {
    if text.starts_with("text=") || OF_OTHERS.iter().any(|word| text.contains(word)) {
        return Err(Error::argument(path, format!("{text} is no CSS selector"))
            .hint("visible text is {\"text\": \"Save\"}, or hasText beside another kind"));
    }
    recipe::selector(path, text)?;
    Ok(By::Selector(text.to_owned()))
}

fn bounded(path: &str, text: &str) -> Result<(), Error> {
    if text.chars().count() > MAX_TEXT {
        return Err(Error::argument(
            path,
            format!("is longer than {MAX_TEXT} characters"),
        ));
    }
    Ok(())
}

fn excluded(one: &str, other: &str) -> Error {
    Error::argument(one, format!("and {other} exclude each other"))
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl<'de> Visitor<'de> for Written {
            type Value = Target;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a ref, a CSS selector, or an object such as {\"role\": \"button\", \"name\": \"Save\"}",
                )
            }

            fn visit_str<E>(self, text: &str) -> Result<Target, E> {
                Ok(Target::Text(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Target, A::Error> {
                let fields = TargetFields::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Target::Fields(Box::new(fields)))
            }
        }
        deserializer.deserialize_any(Written)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Target {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Target".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let text = |about: &str| serde_json::json!({"type": "string", "description": about});
        let either = |about: &str| serde_json::json!({"type": ["string", "object"], "description": about});
        schemars::json_schema!({
            "type": ["string", "object"],
            "properties": {
                "ref": text("A ref."),
                "role": text("ARIA role."),
                "name": text("With role: accessible name."),
                "label": text("Label of a field."),
                "placeholder": text("Placeholder of a field."),
                "text": text("Visible text."),
                "testId": text("data-testid."),
                "selector": text("CSS selector, of one document."),
                "exact": {"type": "boolean", "description": "Whole text and case; else a part, ignoring case."},
                "index": {"type": "integer", "description": "Which of the visible matches, from 0."},
                "scope": either("Only inside this target."),
                "hasText": text("Only those that contain this text."),
                "frame": text("Ref or selector of the frame to look in."),
            },
            "additionalProperties": false,
        })
    }
}

#[cfg(test)]
mod tests;
