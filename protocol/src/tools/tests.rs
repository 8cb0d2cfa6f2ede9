use std::collections::HashSet;

use serde_json::json;

use super::*;

#[test]
fn names_are_unique_and_plain() {
    let mut seen = HashSet::new();
    for row in TABLE {
        assert!(seen.insert((row.domain, row.action)), "{:?} stands twice", row.id);
        let flat = row
            .flat
            .strip_prefix("browser_")
            .expect("flat names start with browser_");
        assert!(
            flat.chars().all(|c| c.is_ascii_lowercase() || c == '_'),
            "{}",
            row.flat
        );
        assert!(row.default_ms <= row.max_ms, "{:?}", row.id);
        assert!(!row.doc.trim().is_empty());
    }
    let mut flats = HashSet::new();
    let twice: Vec<_> = TABLE
        .iter()
        .filter(|row| !flats.insert(row.flat))
        .map(|row| row.flat)
        .collect();
    assert_eq!(
        twice,
        ["browser_extract"],
        "one flat name is two rows, told apart by `recipe`"
    );
}

#[test]
fn a_row_stands_where_its_name_says() {
    for (index, entry) in TABLE.iter().enumerate() {
        assert_eq!(entry.id as usize, index);
        assert_eq!(row(entry.id).flat, entry.flat);
    }
}

#[test]
fn names_resolve_on_both_surfaces() {
    let id = |name: &str, args: serde_json::Value| resolve(name, &args).map(|(id, _)| id);
    assert_eq!(
        id("browser_session", json!({"action": "start"})),
        Ok(ToolId::SessionStart)
    );
    assert_eq!(id("browser_start", json!({})), Ok(ToolId::SessionStart));
    assert_eq!(id("browser_tabs", json!({})), Ok(ToolId::TabsList));
    assert_eq!(
        id("browser_tabs", json!({"action": "close"})),
        Ok(ToolId::TabsClose)
    );
    assert_eq!(id("browser_extract", json!({"recipe": {}})), Ok(ToolId::Extract));
    assert_eq!(
        id("browser_extract", json!({"maxChars": 5})),
        Ok(ToolId::InspectText)
    );
    assert_eq!(
        id("browser_inspect", json!({"action": "text"})),
        Ok(ToolId::InspectText)
    );
    let missing = id("browser_page", json!({})).unwrap_err();
    assert_eq!(missing.code, Code::InvalidArgument);
    assert_eq!(
        missing.hint.as_deref(),
        Some("actions: navigate, back, forward, reload, wait, dialog")
    );
    assert!(
        id("browser_page", json!({"action": "fly"}))
            .unwrap_err()
            .message
            .contains("no action fly")
    );
    assert!(id("browser_nothing", json!({})).is_err());
    assert!(id("browser_tabs", json!([1])).is_err());
}

#[test]
fn arguments_are_read_strictly_and_the_path_is_named() {
    let call = Call::read(ToolId::TabsList, &json!({"query": "", "owner": null, "limit": 5})).unwrap();
    assert!(matches!(&call, Call::TabsList(args) if args.query.is_none() && args.limit == Some(5)));
    assert_eq!(call.id(), ToolId::TabsList);
    let unknown = Call::read(ToolId::TabsList, &json!({"qurey": "x"})).unwrap_err();
    assert!(unknown.message.contains("qurey"), "{unknown}");
    let wrong = Call::read(ToolId::TabsList, &json!({"limit": "many"})).unwrap_err();
    assert!(wrong.message.starts_with("limit:"), "{wrong}");
}

#[cfg(feature = "schema")]
#[test]
fn every_argument_and_result_is_documented_and_flat_at_the_root() {
    for row in TABLE {
        for (which, schema) in [("input", (row.input)()), ("output", (row.output)())] {
            let value = schema.to_value();
            let name = format!("{} {:?} {which}", row.domain, row.action);
            assert_eq!(value["type"], "object", "{name}");
            for word in ["oneOf", "anyOf", "allOf"] {
                assert!(value.get(word).is_none(), "{name} has {word} at its root");
            }
            let properties = value.get("properties").and_then(serde_json::Value::as_object);
            for (property, schema) in properties.into_iter().flatten() {
                assert!(
                    schema.get("description").is_some(),
                    "{name}.{property} is not documented"
                );
                if property.ends_with("Ms") || property.ends_with("_ms") {
                    let words = schema["description"].as_str().unwrap();
                    assert!(
                        words.to_lowercase().contains("millisecond"),
                        "{name}.{property} names no unit"
                    );
                }
            }
        }
    }
}
