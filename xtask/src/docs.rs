//! `cargo xtask docs`: docs/tools.md from the tool table, so that it can never say something else.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, bail};
use drawbridge_protocol::tools::{self, EffectClass, Row, Surface};
use drawbridge_tests::project;
use serde_json::Value;

use crate::run::say;

/// Writes the file, or with `check` compares it.
pub(crate) fn run(check: bool) -> Result<()> {
    let path = project::root().join("docs/tools.md");
    let fresh = page()?;
    let written = fs::read_to_string(&path).unwrap_or_default();
    if written == fresh {
        say("docs/tools.md is up to date");
        return Ok(());
    }
    if check {
        bail!("docs/tools.md is stale: run `cargo xtask docs` and commit it");
    }
    fs::write(&path, fresh).with_context(|| format!("could not write {}", path.display()))?;
    say("wrote docs/tools.md");
    Ok(())
}

fn page() -> Result<String> {
    let mut page = String::from(
        "# Tools\n\n<!-- Made by `cargo xtask docs` from protocol/src/tools. Do not edit. -->\n\n\
         A *domain tool* takes an `action`; each action also has a *flat name* of its own. Every reply is \
         `{\"ok\": true, \"result\": …}` or `{\"ok\": false, \"error\": {code, message, hint, effect, data}}`. \
         On the command line: `drawbridge call TOOL JSON`. It exits with 0 when done, 1 when refused or used wrongly, \
         2 when a hop to the browser is missing, 3 when the browser or page did not do it, 4 after a timeout, 5 when \
         versions do not fit.\n",
    );
    for domain in tools::domains() {
        let rows: Vec<_> = tools::TABLE
            .iter()
            .filter(|row| row.domain == domain && row.surface == Surface::Public)
            .collect();
        if !rows.is_empty() {
            write!(page, "\n## {domain}\n")?;
        }
        for row in rows {
            action(&mut page, row)?;
        }
    }
    Ok(page)
}

fn action(page: &mut String, row: &Row) -> Result<()> {
    let name = row.action.unwrap_or(row.domain);
    let access = row
        .access
        .action()
        .map_or("an admitted client".to_owned(), |action| format!("`{action}`"));
    let effect = match row.effect {
        EffectClass::Reads => "reads",
        EffectClass::Changes => "changes tabs or pages, reports its effect",
    };
    write!(page, "\n### {name}\n\n{}\n\n", row.doc.trim())?;
    writeln!(
        page,
        "Flat name `{}` · needs {access} · {effect} · deadline {} ms, at most {} ms",
        row.flat, row.default_ms, row.max_ms
    )?;
    fields(page, "Argument", &serde_json::to_value((row.input)())?)?;
    fields(page, "Result", &serde_json::to_value((row.output)())?)
}

fn fields(page: &mut String, head: &str, schema: &Value) -> Result<()> {
    let mut rows = String::new();
    nested(&mut rows, schema, schema, "")?;
    if !rows.is_empty() {
        write!(page, "\n| {head} | Type | |\n|---|---|---|\n{rows}")?;
    }
    Ok(())
}

/// One row per property, and below it those of the objects inside, by their path.
fn nested(rows: &mut String, root: &Value, schema: &Value, prefix: &str) -> Result<()> {
    let schema = resolved(root, schema);
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return Ok(());
    };
    let required: Vec<_> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, property) in properties {
        let optional = if required.contains(&name.as_str()) {
            ""
        } else {
            "?"
        };
        let doc = property["description"]
            .as_str()
            .unwrap_or_default()
            .replace('\n', " ")
            .replace('|', "\\|");
        writeln!(
            rows,
            "| `{prefix}{name}{optional}` | {} | {doc} |",
            kind(root, property)
        )?;
        let inner = resolved(root, property);
        if inner["type"] == "array" {
            nested(rows, root, &inner["items"], &format!("{prefix}{name}[]."))?;
        } else {
            nested(rows, root, inner, &format!("{prefix}{name}."))?;
        }
    }
    Ok(())
}

/// What a schema refers to, and of "this or nothing" the this.
fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    if let Some(found) = schema["$ref"]
        .as_str()
        .and_then(|at| root.pointer(at.trim_start_matches('#')))
    {
        return resolved(root, found);
    }
    let choices = schema["anyOf"].as_array().into_iter().flatten();
    let mut choices = choices.filter(|choice| choice["type"] != "null");
    match (choices.next(), choices.next()) {
        (Some(only), None) => resolved(root, only),
        _ => schema,
    }
}

/// A schema's type in a few words.
fn kind(root: &Value, schema: &Value) -> String {
    let schema = resolved(root, schema);
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values
            .iter()
            .filter_map(Value::as_str)
            .map(|value| format!("`{value}`"))
            .collect();
        return values.join(", ");
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[key].as_array() {
            let mut kinds: Vec<_> = choices
                .iter()
                .filter(|choice| choice["type"] != "null")
                .map(|choice| {
                    choice["const"]
                        .as_str()
                        .map_or_else(|| kind(root, choice), |value| format!("`{value}`"))
                })
                .collect();
            kinds.dedup();
            return kinds.join(", ");
        }
    }
    let name = match &schema["type"] {
        Value::String(name) => name.as_str(),
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .find(|name| *name != "null")
            .unwrap_or("any"),
        _ => "any",
    };
    if name == "array" {
        format!("array of {}", kind(root, &schema["items"]))
    } else {
        name.to_owned()
    }
}
