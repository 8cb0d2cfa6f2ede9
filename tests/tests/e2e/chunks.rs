//! Messages around the browser's limit and far above it, over the real link and back.

use anyhow::{Context, Result};
use drawbridge_protocol::Code;
use drawbridge_protocol::frame::{BROWSER_LIMIT, MESSAGE_LIMIT, PART_LIMIT};
use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::local::ToDaemon;
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_protocol::tools::session::StatusArgs;
use drawbridge_tests::world::World;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn messages_around_every_limit_come_back_from_the_background_as_they_went() -> Result<()> {
    let world = World::shared().await?;
    for unit in ["a", "é", "🎉", "\"", "\\", "\u{1}", "\u{2028}"] {
        for size in [
            PART_LIMIT - 128,
            PART_LIMIT,
            BROWSER_LIMIT - 1,
            BROWSER_LIMIT,
            BROWSER_LIMIT + 1,
            3_700_000,
        ] {
            let text = text_of(unit, size)?;
            let echoed = world
                .client
                .call(&EchoArgs {
                    text: text.clone(),
                    ..EchoArgs::default()
                })
                .await
                .with_context(|| format!("{size} bytes of {unit:?}"))?;
            // No `assert_eq`: it would print megabytes.
            assert!(echoed.text == text, "{size} bytes of {unit:?} came back changed");
        }
    }
    world.leaves_nothing().await
}

/// A text whose JSON has so many bytes without its quotes, mostly of one character.
fn text_of(unit: &str, size: usize) -> Result<String> {
    let each = serde_json::to_string(unit)?.len() - 2;
    let text = "a".repeat(size % each) + &unit.repeat(size / each);
    assert_eq!(serde_json::to_string(&text)?.len(), size + 2);
    Ok(text)
}

#[tokio::test(flavor = "multi_thread")]
async fn forty_megabytes_arrive_and_what_is_over_the_limit_costs_the_call_alone() -> Result<()> {
    let world = World::shared().await?;
    let generation = generation(&world).await?;
    let echo = |text: String, fill: u32| EchoArgs {
        text,
        fill: Some(fill),
        timeout_ms: Some(60_000),
        ..EchoArgs::default()
    };
    let large = world.client.call(&echo("é🎉".to_owned(), 40_000_000)).await?;
    assert!(large.text == "é🎉" && large.fill.len() == 40_000_000);

    // The arguments fit, the result does not.
    let error = world
        .client
        .call(&echo("x".repeat(30_000_000), 40_000_000))
        .await
        .err();
    assert_eq!(error.map(|error| error.code), Some(Code::TooLarge));
    // They fit from the client to the daemon, and no longer from there to the extension.
    let room = MESSAGE_LIMIT
        - serde_json::to_vec(&ToDaemon::Call {
            id: CallId(99),
            tool: "browser_debug".to_owned(),
            args: json!({"action": "echo", "text": ""}),
        })?
        .len();
    let text = "x".repeat(room);
    let error = world
        .client
        .call_raw("browser_debug", json!({"action": "echo", "text": text}))
        .await
        .err();
    assert_eq!(error.map(|error| error.code), Some(Code::TooLarge));

    assert_eq!(
        world.client.call(&echo("after".to_owned(), 0)).await?.text,
        "after"
    );
    assert_eq!(
        self::generation(&world).await?,
        generation,
        "the link was lost on the way"
    );
    world.leaves_nothing().await
}

async fn generation(world: &World) -> Result<u64> {
    let status = world.client.call(&StatusArgs::default()).await?;
    Ok(status.target.context("no target")?.generation)
}
