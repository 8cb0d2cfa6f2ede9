use serde_json::{Value, json};

use super::*;

fn sample() -> Value {
    json!({
        "version": 1, "name": "orders", "description": "Reads orders.",
        "origin": "https://shop.example", "urlTemplate": "https://shop.example/orders?year={year}",
        "inputs": ["year"], "ready": "#orders", "rows": "li.order",
        "fields": [
            {"name": "number", "selector": ".number", "read": "text", "required": true},
            {"name": "link", "selector": "a", "read": "attribute", "attribute": "href", "required": false}
        ],
        "limit": 100, "maxPages": 10, "empty": ".none", "login": "form#login", "next": "a[rel=next]"
    })
}

/// Writes `value` at a JSON pointer, or removes what is there.
fn with(pointer: &str, value: Option<Value>) -> Value {
    let mut recipe = sample();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = recipe.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(map), Some(value)) => drop(map.insert(key.to_owned(), value)),
        (Value::Object(map), None) => drop(map.remove(key)),
        (Value::Array(list), Some(value)) => list.push(value),
        _ => panic!("no such place"),
    }
    recipe
}

#[test]
fn a_whole_recipe_reads_and_writes_back_the_same() {
    let recipe = parse(&sample(), "recipe").unwrap();
    assert_eq!(serde_json::to_value(&recipe).unwrap(), sample());
}

#[test]
fn every_fault_is_refused_with_its_path() {
    let fields = |n: usize| {
        Value::Array(
            (0..n)
                .map(|i| json!({"name": format!("f{i}"), "read": "text", "required": false}))
                .collect(),
        )
    };
    let cases: Vec<(&str, Value, &str)> = vec![
        (
            "unknown field",
            with("/colour", Some(json!("red"))),
            "recipe.colour",
        ),
        (
            "unknown field in a field",
            with("/fields/0/colour", Some(json!(1))),
            "recipe.fields[0].colour",
        ),
        ("missing field", with("/ready", None), "ready"),
        ("version 2", with("/version", Some(json!(2))), "recipe.version"),
        ("blank name", with("/name", Some(json!("  "))), "recipe.name"),
        (
            "long name",
            with("/name", Some(json!("n".repeat(65)))),
            "recipe.name",
        ),
        ("no fields", with("/fields", Some(fields(0))), "recipe.fields"),
        ("21 fields", with("/fields", Some(fields(21))), "recipe.fields"),
        ("no rows", with("/limit", Some(json!(0))), "recipe.limit"),
        ("101 rows", with("/limit", Some(json!(101))), "recipe.limit"),
        ("negative rows", with("/limit", Some(json!(-1))), "recipe.limit"),
        ("no pages", with("/maxPages", Some(json!(0))), "recipe.maxPages"),
        ("11 pages", with("/maxPages", Some(json!(11))), "recipe.maxPages"),
        (
            "undeclared placeholder",
            with("/inputs", Some(json!([]))),
            "recipe.urlTemplate",
        ),
        (
            "input not in template",
            with("/inputs", Some(json!(["year", "x"]))),
            "recipe.inputs[1]",
        ),
        (
            "input twice",
            with("/inputs", Some(json!(["year", "year"]))),
            "recipe.inputs[1]",
        ),
        (
            "odd input",
            with("/inputs", Some(json!(["ye ar"]))),
            "recipe.inputs[0]",
        ),
        (
            "open brace",
            with("/urlTemplate", Some(json!("https://shop.example/{year"))),
            "recipe.urlTemplate",
        ),
        (
            "close brace",
            with("/urlTemplate", Some(json!("https://shop.example/year}"))),
            "recipe.urlTemplate",
        ),
        (
            "field twice",
            with("/fields/1/name", Some(json!("number"))),
            "recipe.fields[1].name",
        ),
        (
            "odd field name",
            with("/fields/1/name", Some(json!("1st"))),
            "recipe.fields[1].name",
        ),
        (
            "attribute missing",
            with("/fields/1/attribute", None),
            "recipe.fields[1].attribute",
        ),
        (
            "attribute too many",
            with("/fields/0/attribute", Some(json!("href"))),
            "recipe.fields[0].attribute",
        ),
        (
            "attribute unknown",
            with("/fields/1/attribute", Some(json!("value"))),
            "recipe.fields[1].attribute",
        ),
        (
            "read unknown",
            with("/fields/0/read", Some(json!("html"))),
            "recipe.fields[0].read",
        ),
        ("blank selector", with("/rows", Some(json!(""))), "recipe.rows"),
        (
            "open bracket",
            with("/rows", Some(json!("a[href"))),
            "recipe.rows",
        ),
        (
            "open quote",
            with("/next", Some(json!("a[rel='next]"))),
            "recipe.next",
        ),
        (
            "bracket too many",
            with("/login", Some(json!("form)"))),
            "recipe.login",
        ),
        ("markup", with("/empty", Some(json!("<b>"))), "recipe.empty"),
        (
            "trailing combinator",
            with("/ready", Some(json!("main >"))),
            "recipe.ready",
        ),
        ("no object", json!([1]), "recipe"),
    ];
    for (name, recipe, path) in cases {
        let error = parse(&recipe, "recipe").expect_err(name);
        assert_eq!(error.code, crate::Code::InvalidArgument, "{name}");
        assert!(
            error.message.contains(path),
            "{name}: \"{}\" does not name {path}",
            error.message
        );
    }
}

#[test]
fn selectors_people_write_pass() {
    for good in [
        "a",
        "#x",
        ".a > .b:nth-child(2n + 1)",
        "a[href^='/x(']",
        "li:has(> a, b)",
        "a\\:b",
        "*",
        "div + p ~ q",
    ] {
        selector("s", good).unwrap();
    }
}
