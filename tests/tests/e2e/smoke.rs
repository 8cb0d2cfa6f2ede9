//! The main job, in its shortest form.

use anyhow::{Context, Result};
use drawbridge_protocol::recipe::State;
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_protocol::tools::session::StatusArgs;
use drawbridge_tests::world::World;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_connects_and_says_so() -> Result<()> {
    let world = World::shared().await?;
    let status = world.client.call(&StatusArgs::default()).await?;
    assert!(status.connected, "{status:?}");
    assert_eq!(status.targets, 1);
    assert_eq!(
        status.target.map(|target| target.id),
        Some(world.sandbox.profile().target.clone())
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_come_back_from_the_background_as_they_went() -> Result<()> {
    let world = World::shared().await?;
    let text = "é🎉\u{2028}\"\\".repeat(1000);
    let echoed = world
        .client
        .call(&EchoArgs {
            text: text.clone(),
            fill: Some(3_000_000),
            ..Default::default()
        })
        .await?;
    assert!(echoed.text == text, "the text came back changed");
    assert_eq!(echoed.fill.chars().count(), 3_000_000);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_read_behind_the_login_of_the_profile() -> Result<()> {
    let world = World::shared().await?;
    let recipe = world.site.orders_recipe();

    let stranger = world.extract_with(recipe.clone(), json!({"page": 1})).await?;
    assert_eq!(stranger.state, State::LoginRequired, "{stranger:?}");
    assert!(stranger.rows.is_empty());

    world.sign_in("ada").await?;
    let orders = world.extract_with(recipe, json!({"page": 1})).await?;
    assert_eq!(orders.state, State::Ok, "{orders:?}");
    assert_eq!((orders.rows.len(), orders.pages, orders.complete), (12, 3, true));
    assert_eq!(
        orders.rows[0],
        object(
            json!({"number": "A-1001", "date": "2026-09-01", "total": "10.90 EUR", "note": "Gift wrapped"})
        )?
    );
    assert_eq!(orders.rows[1]["note"], json!(null));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_mcp_client_reads_the_same_rows() -> Result<()> {
    let world = World::shared().await?;
    let mcp = world.mcp("domains").await?;
    let called = mcp
        .call(
            "browser_extract",
            json!({"recipe": world.site.recipe("/states/ok")}),
        )
        .await?;
    let result = called.outcome.0?;
    assert_eq!(result["state"], "ok");
    assert_eq!(result["rows"][2]["title"], "Item 3");
    assert_eq!(mcp.noise(), Vec::<String>::new());
    assert!(mcp.close(std::time::Duration::from_secs(1)).await?.success());
    world.leaves_nothing().await
}

fn object(value: serde_json::Value) -> Result<serde_json::Map<String, serde_json::Value>> {
    value.as_object().cloned().context("an object")
}
