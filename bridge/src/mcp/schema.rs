//! The tool lists of each surface, made from the tool table. Pure.
//!
//! Model interfaces take a flat object at the root only: no `oneOf`, `anyOf` or `allOf` there, no references, no
//! `null` types anywhere.

mod plain;

use drawbridge_protocol::tools::{self, Access, EffectClass, Row, Surface as Shown};
use rmcp::model::JsonObject;
use schemars::schema_for;
use serde_json::{Map, Value, json};

use crate::reply;
use plain::plain;

/// Which tools a client sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Surface {
    /// One tool per domain, with an `action`.
    #[default]
    Domains,
    /// One tool per capability.
    Flat,
}

/// A tool as it is offered.
#[derive(Clone, Debug)]
pub struct Offered {
    /// Its name.
    pub name: &'static str,
    /// What it does, one line per action.
    pub description: String,
    /// JSON Schema of its arguments; the root is a flat object.
    pub input: JsonObject,
    /// JSON Schema of its reply.
    pub output: JsonObject,
    /// Whether it changes nothing.
    pub reads: bool,
    /// Whether it deals with pages of others.
    pub open_world: bool,
}

/// The tools of a surface in this build, in table order.
pub fn offered(surface: Surface) -> Vec<Offered> {
    list(surface, cfg!(feature = "sandbox"))
}

fn list(surface: Surface, sandbox: bool) -> Vec<Offered> {
    let name = |row: &Row| match surface {
        Surface::Domains => row.domain,
        Surface::Flat => row.flat,
    };
    let rows: Vec<&'static Row> = tools::TABLE
        .iter()
        .filter(|row| sandbox || row.surface == Shown::Public)
        .collect();
    let mut names: Vec<&'static str> = Vec::new();
    for row in &rows {
        if !names.contains(&name(row)) {
            names.push(name(row));
        }
    }
    names
        .into_iter()
        .map(|wanted| {
            let group: Vec<_> = rows.iter().copied().filter(|row| name(row) == wanted).collect();
            one(surface, wanted, &group)
        })
        .collect()
}

fn one(surface: Surface, name: &'static str, rows: &[&'static Row]) -> Offered {
    let labels = match (surface, rows) {
        (Surface::Domains, [only]) if only.action.is_none() => Labels::None,
        (Surface::Domains, _) => Labels::Actions,
        (Surface::Flat, [_]) => Labels::None,
        // One flat name for several rows: the arguments tell them apart.
        (Surface::Flat, _) => Labels::Rows,
    };
    let doc = |row: &Row| row.doc.split_whitespace().collect::<Vec<_>>().join(" ");
    let description = match labels {
        Labels::None => rows.iter().map(|row| doc(row)).collect(),
        Labels::Actions | Labels::Rows => {
            let lines: Vec<_> = rows
                .iter()
                .map(|row| format!("{}: {}", labels.of(row), doc(row)))
                .collect();
            lines.join("\n")
        }
    };
    let output = match (surface, rows) {
        (Surface::Flat, [only]) => {
            let mut result = plain((only.output)().to_value());
            if only.effect == EffectClass::Changes {
                shallow(&mut result);
            }
            envelope(Some(result))
        }
        (Surface::Flat, _) => envelope(None),
        (Surface::Domains, _) => common_envelope(),
    };
    let mut input = input(labels, name, rows);
    let domain = rows.first().map_or(name, |row| row.domain);
    if surface == Surface::Domains || domain != TARGETS {
        terse(domain, &mut input);
    }
    Offered {
        name,
        description,
        input,
        output,
        reads: rows.iter().all(|row| row.effect == EffectClass::Reads),
        open_world: rows
            .iter()
            .any(|row| row.access != Access::Housekeeping || row.domain == "browser_tabs"),
    }
}

/// How the rows of one tool are told apart in its texts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels {
    /// There is only one.
    None,
    /// By the `action` argument.
    Actions,
    /// By name alone.
    Rows,
}

impl Labels {
    fn of(self, row: &Row) -> &'static str {
        match self {
            Self::None => "",
            Self::Actions => row.action.unwrap_or(row.flat),
            // A recipe is what it is told apart by.
            Self::Rows => row.action.unwrap_or("recipe"),
        }
    }
}

/// All arguments of some rows as one flat object.
fn input(labels: Labels, name: &str, rows: &[&'static Row]) -> JsonObject {
    let mut properties = Map::new();
    let mut required = Vec::new();
    if labels == Labels::Actions {
        let actions: Vec<_> = rows.iter().filter_map(|row| row.action).collect();
        properties.insert(
            "action".to_owned(),
            json!({"type": "string", "enum": actions, "description": "What to do."}),
        );
        // Without an action `browser_tabs` lists.
        if name != "browser_tabs" {
            required.push("action".to_owned());
        }
    }
    let inputs: Vec<(&Row, Value)> = rows
        .iter()
        .map(|row| (*row, plain((row.input)().to_value())))
        .collect();
    for (_, schema) in &inputs {
        for property in schema["properties"].as_object().into_iter().flat_map(Map::keys) {
            if !properties.contains_key(property) {
                properties.insert(property.clone(), shared(labels, property, &inputs));
            }
        }
    }
    let needed_by_all = |property: &str| {
        inputs.iter().all(|(_, schema)| {
            schema["required"]
                .as_array()
                .is_some_and(|names| names.iter().any(|name| name == property))
        })
    };
    let all: Vec<String> = properties
        .keys()
        .filter(|property| needed_by_all(property))
        .cloned()
        .collect();
    required.extend(all);
    let mut root = Map::new();
    root.insert("type".to_owned(), json!("object"));
    root.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        root.insert("required".to_owned(), json!(required));
    }
    root.insert("additionalProperties".to_owned(), json!(false));
    root
}

/// One property that several rows may have; its description starts with the rows it serves.
fn shared(labels: Labels, property: &str, inputs: &[(&Row, Value)]) -> Value {
    let mut texts: Vec<(String, Vec<&str>)> = Vec::new();
    let mut merged: Option<Value> = None;
    for (row, schema) in inputs {
        let Some(found) = schema["properties"].get(property) else {
            continue;
        };
        let text = found["description"].as_str().unwrap_or_default().to_owned();
        match texts.iter_mut().find(|(known, _)| *known == text) {
            Some((_, users)) => users.push(labels.of(row)),
            None => texts.push((text, vec![labels.of(row)])),
        }
        merged.get_or_insert_with(|| found.clone());
    }
    let mut merged = merged.unwrap_or_else(|| json!({}));
    let said = |(text, users): &(String, Vec<&str>)| match labels {
        Labels::None => text.clone(),
        Labels::Actions | Labels::Rows => format!("({}) {text}", served(labels, users, inputs)),
    };
    let description = texts.iter().map(said).collect::<Vec<_>>().join(" ");
    merged["description"] = json!(description);
    merged
}

/// The rows that an argument serves, in as few words as say it exactly.
fn served(labels: Labels, users: &[&str], inputs: &[(&Row, Value)]) -> String {
    let others: Vec<&str> = inputs
        .iter()
        .map(|(row, _)| labels.of(row))
        .filter(|row| !users.contains(row))
        .collect();
    match others.len() {
        0 => "all".to_owned(),
        few if few * 2 < users.len() => format!("all but {}", others.join(", ")),
        _ => users.join(", "),
    }
}

/// The envelope of every reply; `result` described where one row alone can give it.
fn envelope(mut result: Option<Value>) -> JsonObject {
    let error = plain(schema_for!(drawbridge_protocol::error::Error).to_value());
    if let Some(result) = &mut result {
        without_payload(result);
    }
    let mut properties = Map::new();
    properties.insert("ok".to_owned(), json!({"type": "boolean"}));
    properties.insert(
        "result".to_owned(),
        result.unwrap_or_else(|| json!({"type": "object"})),
    );
    properties.insert("error".to_owned(), error);
    let mut root = Map::new();
    root.insert("type".to_owned(), json!("object"));
    root.insert("properties".to_owned(), Value::Object(properties));
    root.insert("required".to_owned(), json!(["ok"]));
    root
}

/// What every reply of every domain tool has; its parts are described once, in the documentation.
fn common_envelope() -> JsonObject {
    let envelope = json!({
        "type": "object",
        "properties": {"ok": {"type": "boolean"}, "result": {"type": "object"}, "error": {"type": "object"}},
        "required": ["ok"]
    });
    match envelope {
        Value::Object(envelope) => envelope,
        _ => JsonObject::new(),
    }
}

/// Outcomes of all actions have the same parts; a list that said them with every tool would be mostly that. They are
/// described in the documentation.
fn shallow(result: &mut Value) {
    let properties = result.get_mut("properties").and_then(Value::as_object_mut);
    for (_, schema) in properties.into_iter().flatten() {
        for at in ["", "/items"] {
            if let Some(part) = schema.pointer_mut(at).and_then(Value::as_object_mut) {
                part.remove("properties");
                part.remove("required");
            }
        }
    }
}

/// Takes out of the arguments what need not be said again: the parts of a target, which stand in `browser_inspect` and
/// its rows, and what names say by themselves.
fn terse(domain: &str, input: &mut JsonObject) {
    let properties = input.get_mut("properties").and_then(Value::as_object_mut);
    for (property, schema) in properties.into_iter().flatten() {
        let Some(schema) = schema.as_object_mut() else {
            continue;
        };
        if property == "target" && domain != TARGETS {
            schema.remove("properties");
            schema.remove("additionalProperties");
        }
        if let Some(parts) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            for (part, schema) in parts {
                if let (true, Some(schema)) = (PLAIN_PARTS.contains(&part.as_str()), schema.as_object_mut()) {
                    schema.remove("description");
                }
            }
        }
        if let Some(items) = schema.get_mut("items").and_then(Value::as_object_mut) {
            items.remove("description");
        }
    }
}

/// The domain that says what a target is.
const TARGETS: &str = "browser_inspect";

/// Parts of a target that every page author knows by these names.
const PLAIN_PARTS: &[&str] = &["ref", "label", "placeholder", "text", "testId", "selector"];

/// A long text of a page stands in the reply's text alone, so no reply has to have it as data.
fn without_payload(result: &mut Value) {
    let framed = result.pointer("/properties/boundary").is_some();
    if let (true, Some(required)) = (framed, result["required"].as_array_mut()) {
        required.retain(|name| !name.as_str().is_some_and(|name| reply::PAYLOADS.contains(&name)));
    }
}

#[cfg(test)]
mod tests;
