//! What submits a form is known by what is pressed, whatever was named and however the key came there.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::local::{Admin, Decision, Grant};
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::act::Acting;

/// Ways to submit the form of `/act/submits` that name something else than its button, or end there by a detour.
fn ways() -> Vec<(&'static str, Value)> {
    vec![
        ("click", json!({"selector": "#wrap"})),
        ("click", json!({"selector": "#form"})),
        ("click", json!({"selector": "#role"})),
        ("click", json!({"selector": "#around-label"})),
        ("double-click", json!({"selector": "#wrap"})),
        ("click", json!({"selector": "#send"})),
        ("type", json!({"selector": "#send", "text": " "})),
        ("type", json!({"selector": "#send", "text": "\n"})),
        ("type", json!({"selector": "#before", "text": "x\t\n"})),
        ("press", json!({"selector": "#send", "key": "Control+Space"})),
        ("press", json!({"selector": "#send", "key": "Alt+Space"})),
        ("press", json!({"selector": "#list", "key": "Enter"})),
        ("press", json!({"selector": "#range", "key": "Enter"})),
        ("press", json!({"selector": "#field", "key": "\r"})),
        ("press", json!({"selector": "#field", "key": "Enter"})),
        ("drag", json!({"selector": "#send", "path": [{"x": 3, "y": 3}]})),
        (
            "form",
            json!({"fields": [{"target": "#field", "value": "x"}], "submit": true}),
        ),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn act_submits_need_their_own_grant_by_whatever_way() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let grant = Grant {
        subject: "*".into(),
        action: "browser.submit".to_owned(),
        site: "*".to_owned(),
        decision: Decision::Off,
    };
    world.client.admin(Admin::SetGrant { grant, yes: true }).await?;
    let mut tab = Acting::in_world(world, "/act/submits", json!({})).await?;
    for (action, arguments) in ways() {
        tab.go("/act/submits").await?;
        let outcome = tab.act(action, arguments.clone()).await?;
        let error = outcome
            .err()
            .with_context(|| format!("{action} {arguments} was done"))?;
        ensure!(error.code == Code::NotGranted, "{action} {arguments}: {error:?}");
        let at: String = tab.page.evaluate("location.pathname").await?;
        assert_eq!(at, "/act/submits", "{action} {arguments}");
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_submits_are_done_where_they_may_be() -> Result<()> {
    let mut tab = Acting::open("/act/submits").await?;
    for (action, arguments) in ways() {
        // What some browsers take for a press of the button and others do not.
        let key = arguments["key"].as_str().unwrap_or_default();
        let selector = arguments["selector"].as_str().unwrap_or_default();
        if action == "drag" || key.contains("+Space") || matches!(selector, "#list" | "#range") {
            continue;
        }
        tab.go("/act/submits").await?;
        let outcome = tab.act(action, arguments.clone()).await?;
        outcome.with_context(|| format!("{action} {arguments}"))?;
        tab.page
            .until("location.pathname === '/act/visible'")
            .await
            .with_context(|| format!("{action} {arguments}"))?;
    }
    tab.end().await
}
