//! Generated schemas made plain: references put in place, `null` taken out, lists of constants written as `enum`.

use serde_json::{Map, Value, json};

/// How deep references may nest; types of the protocol are not recursive.
const DEPTH: usize = 16;

/// The plain form of a generated schema.
pub(super) fn plain(schema: Value) -> Value {
    let defs = schema.get("$defs").cloned().unwrap_or_default();
    let mut plain = walk(schema, &defs, DEPTH);
    if let Some(root) = plain.as_object_mut() {
        // It names the type; the tool's own description says what is meant.
        root.remove("description");
    }
    plain
}

fn walk(schema: Value, defs: &Value, depth: usize) -> Value {
    let Value::Object(mut map) = schema else {
        return schema;
    };
    if let Some(found) = map
        .remove("$ref")
        .as_ref()
        .and_then(|target| resolve(target, defs))
        .filter(|_| depth > 0)
    {
        // What stands beside a reference is about this use of it.
        let Value::Object(mut target) = walk(found, defs, depth - 1) else {
            return json!({});
        };
        target.extend(map);
        map = target;
    }
    for noise in ["$schema", "$defs", "title", "format"] {
        map.remove(noise);
    }
    if let Some(Value::String(words)) = map.get_mut("description") {
        // Lines are those of the source.
        *words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    if map.get("minimum") == Some(&json!(0)) {
        map.remove("minimum");
    }
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            map.insert("type".to_owned(), only);
        }
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(Value::Array(cases)) = map.remove(choice) {
            choose(
                &mut map,
                choice,
                cases.into_iter().map(|case| walk(case, defs, depth)).collect(),
            );
        }
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(schema) = map.remove(inner) {
            map.insert(inner.to_owned(), walk(schema, defs, depth));
        }
    }
    if let Some(Value::Object(properties)) = map.remove("properties") {
        let walked: Map<_, _> = properties
            .into_iter()
            .map(|(name, schema)| (name, walk(schema, defs, depth)))
            .collect();
        map.insert("properties".to_owned(), Value::Object(walked));
    }
    Value::Object(map)
}

fn resolve(target: &Value, defs: &Value) -> Option<Value> {
    defs.get(target.as_str()?.strip_prefix("#/$defs/")?).cloned()
}

/// Puts the cases of a choice back in their plainest form.
fn choose(map: &mut Map<String, Value>, name: &str, mut cases: Vec<Value>) {
    cases.retain(|case| case.get("type") != Some(&json!("null")));
    let words: Option<Vec<Value>> = cases
        .iter()
        .map(|case| match (case.get("const"), case.get("enum")) {
            (Some(word), _) => Some(vec![word.clone()]),
            (None, Some(Value::Array(words))) => Some(words.clone()),
            (None, _) => None,
        })
        .collect::<Option<Vec<_>>>()
        .map(|words| words.into_iter().flatten().collect());
    match (words, cases.as_slice()) {
        (Some(words), [_, _, ..]) => {
            map.insert("type".to_owned(), json!("string"));
            map.insert("enum".to_owned(), Value::Array(words));
        }
        (_, [Value::Object(only)]) => {
            for (key, value) in only {
                map.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        _ => {
            map.insert(name.to_owned(), Value::Array(cases));
        }
    }
}
