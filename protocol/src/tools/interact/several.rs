//! Arguments and results of what is more than one action, and of input at points.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plan::{self, Acting, Plan, Where};
use super::{MAX_FIELDS, MAX_STEPS};
use crate::act::{Acted, Action, Button, Changed, FieldValue, Gesture, Modifier, Point};
use crate::error::{Effect, Error};
use crate::ids::{DocumentId, SessionId, TabId};
use crate::outline::Ref;
use crate::tools::inspect::Target;
use crate::tools::{Call, EffectClass, ToolId};

change_args! {
    /// Arguments of `form`.
    FormArgs {
        /// Submits the form after the last field; default false.
        submit: Option<bool>,
        ;
        /// Fields in order, each set by its kind: a text, an option, true or false for a box. Stops at the first that fails.
        fields: Vec<FormField>,
    }
}

/// One field of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FormField {
    /// Which field.
    #[cfg_attr(feature = "schema", schemars(schema_with = "plan::short_target"))]
    pub target: Target,
    /// To what.
    #[cfg_attr(feature = "schema", schemars(schema_with = "value_schema"))]
    pub value: FieldValue,
}

#[cfg(feature = "schema")]
fn value_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": ["string", "boolean", "array"], "items": {"type": "string"}})
}

change_args! {
    /// Arguments of `batch`.
    BatchArgs {
        ;
        /// 1 to 20 actions in order, each {action, …its arguments}, by refs of one document. Stops at the first that fails.
        #[cfg_attr(feature = "schema", schemars(schema_with = "steps_schema"))]
        steps: Vec<Value>,
    }
}

#[cfg(feature = "schema")]
fn steps_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "array", "items": {"type": "object"}})
}

change_args! {
    /// Arguments of `pointer`.
    PointerArgs {
        /// CSS px from the left of the viewport.
        x: Option<f64>,
        /// CSS px from the top of the viewport.
        y: Option<f64>,
        /// Points in CSS px: of a drag from where it began, of pointer in the viewport.
        path: Option<Vec<Point>>,
        /// CSS px to the right.
        delta_x: Option<i32>,
        /// CSS px down.
        delta_y: Option<i32>,
        /// What to type, key by key; a line feed presses Enter.
        text: Option<String>,
        /// Key with modifiers: Enter, Control+A.
        key: Option<String>,
        /// Mouse button; default left.
        button: Option<Button>,
        /// Keys held meanwhile.
        modifiers: Option<Vec<Modifier>>,
        ;
        /// Which input.
        r#do: PointerDo,
    }
}

/// What `pointer` does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum PointerDo {
    /// A click.
    #[default]
    Click,
    /// Two clicks.
    Double,
    /// Moves the pointer.
    Move,
    /// Presses, moves along a path, releases.
    Drag,
    /// Turns the wheel.
    Scroll,
    /// Types where the keyboard is.
    Type,
    /// Presses a key where the keyboard is.
    Keypress,
}

change_args! {
    /// Arguments of `probe`.
    ProbeArgs {
        /// Which element: a ref such as e12, a CSS selector, or an object such as {role, name}.
        target: Option<Target>,
        /// Same as target.
        r#ref: Option<String>,
        /// Same as target.
        selector: Option<String>,
        /// Mouse button; default left.
        button: Option<Button>,
        /// Clicks, 1 (default) or 2.
        count: Option<u8>,
        /// Keys held meanwhile.
        modifiers: Option<Vec<Modifier>>,
        /// CSS px to the right.
        delta_x: Option<i32>,
        /// CSS px down.
        delta_y: Option<i32>,
        /// The whole new value; empty clears.
        value: Option<String>,
        /// Adds to the end instead of replacing; default false.
        append: Option<bool>,
        /// What to type, key by key; a line feed presses Enter.
        text: Option<String>,
        /// Milliseconds between keys, up to 1000.
        delay_ms: Option<u32>,
        /// Key with modifiers: Enter, Control+A.
        key: Option<String>,
        /// Milliseconds to hold the key, up to 10000.
        hold_ms: Option<u32>,
        /// Options by value.
        values: Option<Vec<String>>,
        /// Options by label.
        labels: Option<Vec<String>>,
        /// Options by position from 0.
        indexes: Option<Vec<u32>>,
        /// Where to: a target.
        #[cfg_attr(feature = "schema", schemars(schema_with = "plan::short_target"))]
        to: Option<Target>,
        /// Points in CSS px: of a drag from where it began, of pointer in the viewport.
        path: Option<Vec<Point>>,
        /// Milliseconds to go on looking for what comes of it, up to 10000.
        settle_ms: Option<u32>,
        ;
        /// One action of this tool; its arguments stand beside it.
        r#do: String,
    }
}

/// What came of one part of a form or batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// `committed`: it was seen.
    pub effect: Effect,
    /// The element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<Ref>,
    /// How it was confirmed.
    pub confirmed: Vec<String>,
    /// What else was seen to change.
    pub changed: Changed,
}

impl From<Acted> for Receipt {
    fn from(acted: Acted) -> Self {
        Self {
            effect: Effect::Committed,
            r#ref: acted.r#ref,
            confirmed: acted.confirmed,
            changed: acted.changed,
        }
    }
}

/// Result of `form`: every field was set, and the form submitted if that was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FormDone {
    /// The session.
    pub session: SessionId,
    /// The tab.
    pub tab: TabId,
    /// The document that was acted on.
    pub document: DocumentId,
    /// `committed`: all of it was seen.
    pub effect: Effect,
    /// One per field.
    pub fields: Vec<Receipt>,
    /// Of the submit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted: Option<Receipt>,
}

/// Result of `batch`: every step was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BatchDone {
    /// The session.
    pub session: SessionId,
    /// The tab.
    pub tab: TabId,
    /// The document that was acted on.
    pub document: DocumentId,
    /// `committed`: all of it was seen.
    pub effect: Effect,
    /// One per step.
    pub steps: Vec<Receipt>,
}

/// Result of `probe`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Probed {
    /// The session.
    pub session: SessionId,
    /// The tab.
    pub tab: TabId,
    /// The document that was acted on.
    pub document: DocumentId,
    /// `committed`: what was asked for was seen.
    pub effect: Effect,
    /// The element that the target meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<Ref>,
    /// How it was confirmed.
    pub confirmed: Vec<String>,
    /// What else was seen to change; `errors` counts those of the page's console.
    pub changed: Changed,
    /// The document that the tab shows afterwards.
    pub document_after: DocumentId,
    /// Its address.
    pub url_after: String,
    /// The element afterwards, as a line of an outline; absent when it is gone or cannot be seen. Page data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl BatchArgs {
    /// What each step plans. All of them are read before the first is done.
    ///
    /// # Errors
    /// `invalid_argument` with the path, such as `steps[2].value`.
    pub fn plans(&self) -> Result<Vec<Plan>, Error> {
        if self.steps.is_empty() || self.steps.len() > MAX_STEPS {
            return Err(Error::argument(
                "steps",
                format!("has {} entries, must have 1 to {MAX_STEPS}", self.steps.len()),
            ));
        }
        let steps = self.steps.iter().enumerate();
        steps
            .map(|(index, step)| {
                let path = format!("steps[{index}]");
                let plan = one(&path, "action", step)?;
                let by_ref = plan.target.iter().chain(aimed(&plan.action)).all(is_ref);
                if !by_ref {
                    return Err(Error::argument(&format!("{path}.target"), "must be a ref")
                        .hint("observe first; other targets go in calls of their own"));
                }
                if let Action::Type { .. } | Action::Press { .. } | Action::Wheel { .. } = plan.action {
                    // Where the keyboard or the pointer is depends on the steps before.
                } else if plan.target.is_none() {
                    return Err(Error::argument(&format!("{path}.target"), "is missing"));
                }
                Ok(plan)
            })
            .collect()
    }
}

/// Elements that an action names besides its target.
fn aimed(action: &Action) -> Vec<&crate::page::Locator> {
    match action {
        Action::Drag { path } => path
            .iter()
            .filter_map(|point| match point {
                crate::act::DragPoint::Element(locator) => Some(&**locator),
                crate::act::DragPoint::By(..) => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn is_ref(locator: &crate::page::Locator) -> bool {
    matches!(locator.by, crate::page::By::Ref(_))
}

impl FormArgs {
    /// What each field plans, and the submit. All of them are read before the first is done.
    ///
    /// # Errors
    /// `invalid_argument` with the path, such as `fields[0].target`.
    pub fn plans(&self) -> Result<(Vec<Plan>, Option<Plan>), Error> {
        if self.fields.is_empty() || self.fields.len() > MAX_FIELDS {
            return Err(Error::argument(
                "fields",
                format!("has {} entries, must have 1 to {MAX_FIELDS}", self.fields.len()),
            ));
        }
        let mut plans = Vec::with_capacity(self.fields.len());
        for (index, field) in self.fields.iter().enumerate() {
            let path = format!("fields[{index}].target");
            let target = field
                .target
                .locator(&path)?
                .ok_or_else(|| Error::argument(&path, "is missing"))?;
            if let FieldValue::Text(value) = &field.value {
                plan::text(&format!("fields[{index}].value"), value)?;
            }
            plans.push(Plan::with(
                Some(target),
                Action::Set {
                    value: field.value.clone(),
                },
            ));
        }
        let last = plans.last().and_then(|plan| plan.target.clone());
        let submit = (self.submit == Some(true)).then(|| Plan::with(last, Action::Submit));
        Ok((plans, submit))
    }
}

impl Acting for ProbeArgs {
    fn place(&self) -> Where<'_> {
        Self::place(self)
    }

    fn plan(&self) -> Result<Plan, Error> {
        let mut step = serde_json::to_value(self).map_err(|error| Error::internal(error.to_string()))?;
        let settle = self.settle_ms.or(Some(super::PROBE_SETTLE_MS));
        if let Value::Object(step) = &mut step {
            for common in ["session", "tab", "document", "requestId", "timeoutMs", "settleMs"] {
                step.remove(common);
            }
        }
        one("", "do", &step)?.settled(settle)
    }
}

/// One action of this tool as an object: the word under `verb`, its arguments beside it, and nothing of a call's own.
fn one(path: &str, verb: &str, step: &Value) -> Result<Plan, Error> {
    let at = |field: &str| match path {
        "" => field.to_owned(),
        path => format!("{path}.{field}"),
    };
    let Value::Object(step) = step else {
        return Err(Error::argument(path, "must be an object"));
    };
    let mut args = step.clone();
    let verb_at = at(verb);
    let word = match args.remove(verb) {
        Some(Value::String(word)) if !word.is_empty() => word,
        Some(_) => return Err(Error::argument(&verb_at, "must be the name of an action")),
        None => return Err(Error::argument(&verb_at, "is missing")),
    };
    for common in ["session", "tab", "document", "requestId", "timeoutMs"] {
        if args.contains_key(common) {
            return Err(Error::argument(
                &at(common),
                "is for the whole call, not for one step",
            ));
        }
    }
    let id = single(&word).ok_or_else(|| {
        Error::argument(&verb_at, format!("there is no action {word} to be done here"))
            .hint(format!("actions: {}", words().join(", ")))
    })?;
    let planned = Call::read(id, &Value::Object(args)).and_then(|call| {
        plan::plan(&call).unwrap_or_else(|| Err(Error::internal("an action without a plan")))
    });
    planned.map_err(|error| Error {
        message: match path {
            "" => error.message,
            path => format!("{path}.{}", error.message),
        },
        ..error
    })
}

/// The action of this tool that does one thing with one element.
fn single(word: &str) -> Option<ToolId> {
    let row = crate::tools::TABLE.iter().find(|row| {
        row.domain == "browser_interact"
            && row.action == Some(word)
            && row.effect == EffectClass::Changes
            && !SEVERAL.contains(&row.id)
    })?;
    Some(row.id)
}

/// Actions that are no step of another.
const SEVERAL: &[ToolId] = &[
    ToolId::InteractForm,
    ToolId::InteractBatch,
    ToolId::InteractPointer,
    ToolId::InteractProbe,
];

fn words() -> Vec<&'static str> {
    let all = crate::tools::actions("browser_interact");
    all.into_iter().filter(|word| single(word).is_some()).collect()
}

impl Acting for PointerArgs {
    fn place(&self) -> Where<'_> {
        Self::place(self)
    }

    fn plan(&self) -> Result<Plan, Error> {
        use PointerDo as Do;
        let needs = |path: &'static str| Error::argument(path, "is missing");
        let given = [
            ("x", self.x.is_some()),
            ("y", self.y.is_some()),
            ("path", self.path.is_some()),
            ("deltaX", self.delta_x.is_some()),
            ("deltaY", self.delta_y.is_some()),
            ("text", self.text.is_some()),
            ("key", self.key.is_some()),
            ("button", self.button.is_some()),
            ("modifiers", self.modifiers.is_some()),
        ];
        let takes: &[&str] = match self.r#do {
            Do::Click | Do::Double => &["x", "y", "button", "modifiers"],
            Do::Move => &["x", "y"],
            Do::Drag => &["path"],
            Do::Scroll => &["x", "y", "deltaX", "deltaY"],
            Do::Type => &["text"],
            Do::Keypress => &["key"],
        };
        if let Some((path, _)) = given.iter().find(|(path, given)| *given && !takes.contains(path)) {
            let word = serde_json::to_value(self.r#do).unwrap_or_default();
            return Err(Error::argument(
                path,
                format!("does not go with do: {}", word.as_str().unwrap_or_default()),
            ));
        }
        let at = || {
            let x = self.x.ok_or_else(|| needs("x"))?;
            let y = self.y.ok_or_else(|| needs("y"))?;
            plan::point("", Point { x, y })
        };
        let click = |count| {
            Ok::<_, Error>(Gesture::Click {
                at: at()?,
                button: self.button.unwrap_or_default(),
                count,
                modifiers: plan::held(self.modifiers.as_deref()),
            })
        };
        let gesture = match self.r#do {
            Do::Click => click(1)?,
            Do::Double => click(2)?,
            Do::Move => Gesture::Move { at: at()? },
            Do::Drag => Gesture::Drag {
                path: plan::points(self.path.as_deref().ok_or_else(|| needs("path"))?, 2)?.to_vec(),
            },
            Do::Scroll => {
                let (delta_x, delta_y) = plan::turn(self.delta_x, self.delta_y)?;
                Gesture::Scroll {
                    at: at()?,
                    delta_x,
                    delta_y,
                }
            }
            Do::Type => {
                let text = self.text.as_deref().ok_or_else(|| needs("text"))?;
                return Ok(Plan::with(
                    None,
                    Action::Type {
                        text: plan::text("text", text)?,
                        delay_ms: 0,
                    },
                ));
            }
            Do::Keypress => {
                let key = self.key.as_deref().ok_or_else(|| needs("key"))?;
                return Ok(Plan::with(
                    None,
                    Action::Press {
                        key: plan::key(key)?,
                        hold_ms: 0,
                    },
                ));
            }
        };
        Ok(Plan::with(None, Action::Pointer { gesture }))
    }
}
