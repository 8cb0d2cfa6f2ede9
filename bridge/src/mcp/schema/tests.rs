use super::*;
use crate::tokens;

/// Every schema inside a value.
fn each(value: &Value, look: &mut impl FnMut(&Map<String, Value>)) {
    match value {
        Value::Object(map) => {
            look(map);
            map.values().for_each(|inner| each(inner, look));
        }
        Value::Array(items) => items.iter().for_each(|inner| each(inner, look)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn roots_are_flat_objects_without_null_or_references() {
    for surface in [Surface::Domains, Surface::Flat] {
        for tool in list(surface, true) {
            for root in [&tool.input, &tool.output] {
                assert_eq!(root["type"], "object", "{}", tool.name);
                for name in ["oneOf", "anyOf", "allOf", "$ref", "$defs"] {
                    assert!(!root.contains_key(name), "{}: {name}", tool.name);
                }
                each(&Value::Object(root.clone()), &mut |schema| {
                    assert!(!schema.contains_key("$ref"), "{}: {schema:?}", tool.name);
                    assert!(
                        !schema.contains_key("oneOf") && !schema.contains_key("anyOf"),
                        "{}: {schema:?}",
                        tool.name
                    );
                    let text = schema.get("type").map(Value::to_string).unwrap_or_default();
                    assert!(!text.contains("null"), "{}: {schema:?}", tool.name);
                });
            }
            assert_eq!(tool.input["additionalProperties"], false, "{}", tool.name);
        }
    }
}

#[test]
fn every_argument_says_what_it_is() {
    for surface in [Surface::Domains, Surface::Flat] {
        for tool in list(surface, true) {
            for (name, schema) in tool.input["properties"].as_object().unwrap() {
                let text = schema["description"].as_str().unwrap_or_default();
                assert!(text.len() > 5, "{}.{name}: {text:?}", tool.name);
                assert!(
                    schema.get("type").is_some(),
                    "{}.{name} has no type: {schema}",
                    tool.name
                );
            }
        }
    }
}

#[test]
fn actions_are_required_but_where_a_tool_does_without() {
    let tools = list(Surface::Domains, false);
    let tool = |name: &str| tools.iter().find(|tool| tool.name == name).unwrap();
    let required = |name: &str| tool(name).input.get("required").cloned().unwrap_or_default();
    assert_eq!(required("browser_session"), json!(["action"]));
    assert_eq!(required("browser_page"), json!(["action"]));
    assert_eq!(required("browser_extract"), json!(["recipe"]));
    assert_eq!(required("browser_tabs"), Value::Null);
    assert!(
        tool("browser_extract").input["properties"]
            .get("action")
            .is_none()
    );
    assert_eq!(
        tool("browser_tabs").input["properties"]["action"]["enum"],
        json!(["list", "new", "close"])
    );
}

#[test]
fn shared_arguments_name_the_actions_they_serve() {
    let tools = list(Surface::Domains, false);
    let inspect = tools.iter().find(|tool| tool.name == "browser_inspect").unwrap();
    let text = inspect.input["properties"]["target"]["description"]
        .as_str()
        .unwrap();
    assert!(
        text.starts_with("(observe, text, find, table, html, dom) ")
            && text.contains(" (selectors, suggest) "),
        "{text}"
    );
}

#[test]
fn names_are_unique_and_the_sandbox_alone_has_its_tools() {
    for surface in [Surface::Domains, Surface::Flat] {
        let names: Vec<_> = list(surface, true).iter().map(|tool| tool.name).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
        let released = list(surface, false);
        assert!(
            !released
                .iter()
                .any(|tool| tool.name == "browser_debug" || tool.name == "browser_echo")
        );
    }
}

/// A list of tools is paid for in every conversation, so the one that is offered by default has a budget. It has to hold
/// every domain in the end; what is there now must leave room for what is to come.
#[test]
fn the_domain_surface_stays_small() {
    let tokens = |surface: Surface| -> Vec<(&'static str, usize)> {
        let sent = |tool: &Offered| {
            json!({"name": tool.name, "description": tool.description, "inputSchema": tool.input,
                   "outputSchema": tool.output})
            .to_string()
        };
        list(surface, false)
            .iter()
            .map(|tool| (tool.name, tokens::count(&sent(tool))))
            .collect()
    };
    let sum = |tools: &[(&str, usize)]| tools.iter().map(|(_, tokens)| tokens).sum::<usize>();
    let domains = tokens(Surface::Domains);
    assert!(sum(&domains) <= 5_500, "{} tokens: {domains:?}", sum(&domains));
    let flat = tokens(Surface::Flat);
    assert!(sum(&flat) <= 37_000, "{} tokens: {flat:?}", sum(&flat));
}

#[test]
fn no_reply_has_to_repeat_as_data_what_it_gives_as_text() {
    for tool in list(Surface::Flat, false) {
        let result = &tool.output["properties"]["result"];
        let required = result["required"].as_array().cloned().unwrap_or_default();
        if result["properties"].get("boundary").is_some() {
            for name in reply::PAYLOADS {
                assert!(!required.contains(&json!(name)), "{}: {name}", tool.name);
            }
        }
    }
    let html = list(Surface::Flat, false)
        .into_iter()
        .find(|tool| tool.name == "browser_html")
        .unwrap();
    assert!(
        html.output["properties"]["result"]["properties"]
            .get("html")
            .is_some()
    );
}
