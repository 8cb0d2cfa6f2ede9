//! What an MCP client sees: tools that any model interface takes, and replies that say everything twice the same.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::tools::{self, Surface, TABLE};
use drawbridge_protocol::version::BUILD;
use drawbridge_tests::project::Bridge;
use drawbridge_tests::sandbox::{Options, Sandbox};
use drawbridge_tests::world::World;
use serde_json::{Map, Value, json};

/// About four and a half characters of this JSON are a token; a test of the bridge counts exactly.
const LIST_LIMIT: usize = 27_000;

/// A default reply.
const REPLY_LIMIT: usize = 2_000 * 4;

#[tokio::test(flavor = "multi_thread")]
async fn the_lists_hold_the_table_and_keep_the_rules_of_model_interfaces() -> Result<()> {
    for (bridge, sandbox_rows) in [(Bridge::Released, false), (Bridge::Sandbox, true)] {
        let sandbox = Sandbox::without_browser(&Options {
            bridge,
            ..Options::default()
        })?;
        for surface in ["domains", "flat"] {
            let mcp = sandbox.mcp("mcp", surface).await?;
            let listed = mcp.request("tools/list", json!({})).await?;
            ensure!(listed["nextCursor"].is_null(), "the list comes in one piece");
            let list = listed["tools"].as_array().context("tools")?;
            let mut names: Vec<&str> = list.iter().filter_map(|tool| tool["name"].as_str()).collect();
            let mut wanted: Vec<&str> = TABLE
                .iter()
                .filter(|row| sandbox_rows || row.surface == Surface::Public)
                .map(|row| if surface == "flat" { row.flat } else { row.domain })
                .collect();
            names.sort_unstable();
            wanted.sort_unstable();
            wanted.dedup();
            assert_eq!(names, wanted, "{surface}");
            for tool in list {
                keeps_the_rules(tool).with_context(|| format!("{surface} {}", tool["name"]))?;
            }
            if surface == "domains" {
                let size = listed["tools"].to_string().len();
                ensure!(size <= LIST_LIMIT, "{size} characters");
            }
            assert!(mcp.close(Duration::from_secs(2)).await?.success());
        }
        sandbox.stop().await?;
    }
    Ok(())
}

/// A flat object at the root, closed, without unions, references or `null`; every property typed and described.
fn keeps_the_rules(tool: &Value) -> Result<()> {
    let name = tool["name"].as_str().context("a name")?;
    ensure!(name.len() <= 64, "a long name");
    ensure!(
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'),
        "a name that some interfaces refuse"
    );
    let description = tool["description"].as_str().unwrap_or_default();
    ensure!(
        (20..2_000).contains(&description.len()),
        "description: {description:?}"
    );
    for part in ["inputSchema", "outputSchema"] {
        let root = tool[part].as_object().with_context(|| part.to_owned())?;
        ensure!(root["type"] == "object", "{part} is no object");
        for word in [
            "oneOf",
            "anyOf",
            "allOf",
            "not",
            "enum",
            "$ref",
            "$defs",
            "definitions",
            "if",
        ] {
            ensure!(!root.contains_key(word), "{part} has {word} at its root");
        }
        each(&Value::Object(root.clone()), &mut |schema| {
            for word in ["oneOf", "anyOf", "allOf", "$ref", "patternProperties"] {
                ensure!(!schema.contains_key(word), "{part}: {schema:?}");
            }
            let kind = schema.get("type").map(Value::to_string).unwrap_or_default();
            ensure!(!kind.contains("null"), "{part}: {schema:?}");
            ensure!(
                kind != "\"array\"" || schema.contains_key("items"),
                "{part}: {schema:?}"
            );
            Ok(())
        })?;
    }
    let input = &tool["inputSchema"];
    ensure!(input["additionalProperties"] == false, "arguments are open");
    let properties = input["properties"].as_object().context("properties")?;
    for (property, schema) in properties {
        // A target is a string or an object, and so is where a drag goes; nothing else is of two types.
        let two =
            ["target", "to"].contains(&property.as_str()) && schema["type"] == json!(["string", "object"]);
        ensure!(schema["type"].is_string() || two, "{property} has no type");
        let told = schema["description"].as_str().unwrap_or_default();
        ensure!(told.len() > 5, "{property} is not described");
    }
    for required in input["required"].as_array().into_iter().flatten() {
        let required = required.as_str().unwrap_or_default();
        ensure!(
            properties.contains_key(required),
            "{required} is required and not there"
        );
    }
    let hints = &tool["annotations"];
    for hint in [
        "readOnlyHint",
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
    ] {
        ensure!(hints[hint].is_boolean(), "{hint} is not said");
    }
    ensure!(
        hints["readOnlyHint"] != hints["destructiveHint"],
        "it reads and destroys: {hints}"
    );
    // What changes anything never passes for a read.
    let changes = TABLE
        .iter()
        .any(|row| (row.domain == name || row.flat == name) && row.effect == tools::EffectClass::Changes);
    // `browser_tabs` lists on the flat surface and opens and closes as a domain.
    let is_flat_list = name == "browser_tabs" && properties.get("action").is_none();
    ensure!(
        hints["readOnlyHint"] == json!(!changes || is_flat_list),
        "{hints}"
    );
    Ok(())
}

fn each(value: &Value, look: &mut impl FnMut(&Map<String, Value>) -> Result<()>) -> Result<()> {
    match value {
        Value::Object(map) => {
            look(map)?;
            map.values().try_for_each(|inner| each(inner, look))
        }
        Value::Array(items) => items.iter().try_for_each(|inner| each(inner, look)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_is_one_envelope_as_structure_and_as_text() -> Result<()> {
    let world = World::shared().await?;
    let recipe = json!({"recipe": world.site.recipe("/states/ok")});
    for surface in ["domains", "flat"] {
        let mcp = world.mcp(surface).await?;
        for (tool, arguments, fails) in [
            ("browser_extract", recipe.clone(), false),
            ("browser_extract", json!({"recipe": {}}), true),
            ("browser_tabs", json!({}), false),
            ("browser_tabs", json!({"limit": 0}), true),
            ("browser_nothing", json!({}), true),
        ] {
            let raw = mcp
                .request("tools/call", json!({"name": tool, "arguments": arguments}))
                .await?;
            let structure = &raw["structuredContent"];
            assert_eq!(raw["isError"], fails, "{tool}: {raw}");
            assert_eq!(structure["ok"], !fails, "{tool}: {raw}");
            let content = raw["content"].as_array().context("content")?;
            assert_eq!(
                (content.len(), &content[0]["type"]),
                (1, &json!("text")),
                "{tool}"
            );
            let text = content[0]["text"].as_str().unwrap_or_default();
            assert_eq!(&serde_json::from_str::<Value>(text)?, structure, "{tool}");
            ensure!(text.len() <= REPLY_LIMIT, "{tool}: {} characters", text.len());
            ensure!(raw["_meta"]["drawbridge/hops"].is_array(), "{tool}: {raw}");
            if fails {
                assert_eq!(structure["error"]["code"], "invalid_argument", "{tool}");
            }
        }
        // Some clients fill in every property they know.
        let called = mcp
            .call(
                "browser_tabs",
                json!({"action": "", "target": "", "query": "", "owner": null, "limit": null}),
            )
            .await?;
        ensure!(called.outcome.0.is_ok(), "{called:?}");
        assert_eq!(mcp.noise(), Vec::<String>::new());
        assert!(mcp.close(Duration::from_secs(1)).await?.success());
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_healthy_status_and_an_outcome_are_short() -> Result<()> {
    let world = World::shared().await?;
    let mcp = world.mcp("flat").await?;
    let status = mcp.call("browser_status", json!({})).await?;
    ensure!(
        status.text.len() <= 400 + "{\"ok\":true,\"result\":}".len(),
        "{}",
        status.text
    );
    mcp.call("browser_start", json!({})).await?;
    for (tool, arguments) in [
        ("browser_navigate", json!({"url": world.site.url("/states/ok")})),
        ("browser_new_tab", json!({"url": world.site.url("/states/ok")})),
        ("browser_stop", json!({})),
    ] {
        let called = mcp.call(tool, arguments).await?;
        ensure!(called.outcome.0.is_ok(), "{called:?}");
        ensure!(called.text.len() <= 150 * 4, "{tool}: {}", called.text);
    }
    assert!(mcp.close(Duration::from_secs(1)).await?.success());
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_handshake_says_who_answers_and_how_to_begin() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let mcp = drawbridge_tests::mcp::Mcp::spawn(sandbox.bridge(), sandbox.home(), "mcp", "domains")?;
    let answer = mcp.initialize().await?;
    assert_eq!(
        answer["serverInfo"],
        json!({"name": "drawbridge", "version": BUILD}),
        "{answer}"
    );
    ensure!(answer["capabilities"]["tools"].is_object(), "{answer}");
    let instructions = answer["instructions"].as_str().unwrap_or_default();
    ensure!((50..2_000).contains(&instructions.len()), "{instructions}");
    let error = mcp
        .request("no/such/method", json!({}))
        .await
        .err()
        .context("answered")?;
    ensure!(format!("{error:#}").contains("-32601"), "{error:#}");
    assert!(mcp.close(Duration::from_secs(1)).await?.success());
    sandbox.stop().await
}
