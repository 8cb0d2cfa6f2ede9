//! The browser's own accessibility tree, through its debugger.

use anyhow::{Context, Result, ensure};
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::outline::{WHOLE, navigate, open, until_named};

async fn snapshot(world: &World) -> Result<Value> {
    Ok(inspect(
        &world.client,
        "snapshot",
        json!({"maxTokens": WHOLE, "diff": false}),
    )
    .await?)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_browsers_own_tree_has_frames_of_every_process_inline() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/frames/nested").await?;
    let expected = [
        "Before",
        "Before",
        "outer",
        "Field outer",
        "back",
        "Field back",
        "deep",
        "Field deep",
        "After",
        "After",
    ];
    until_named(&world, &expected).await?;
    let first = snapshot(&world).await?;
    let outline = first["outline"].as_str().context("outline")?;
    let mut rest = outline;
    for name in ["Before", "outer", "back", "deep", "After"] {
        let button = format!("button \"{name}\"");
        let at = rest
            .find(&button)
            .with_context(|| format!("no {button} in {outline}"))?;
        rest = &rest[at..];
    }
    ensure!(
        outline.lines().any(|line| line.trim_start().starts_with("a1 ")),
        "{outline}"
    );
    let second = snapshot(&world).await?;
    ensure!(first["snapshotId"] != second["snapshotId"], "{second}");
    assert_eq!(first["outline"], second["outline"], "nodes keep their refs");
    // The debugger is gone: the harness is the only one attached.
    let page = world.sandbox.profile().extension_page(&world.browser).await?;
    let attached: bool = page
        .evaluate(
            "chrome.debugger.getTargets().then(all => all.some(one => one.type === 'page' && one.attached
             && one.url.includes('/frames/nested')))",
        )
        .await?;
    ensure!(!attached, "a debugger stayed");
    page.close().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_browsers_own_tree_tells_no_secret() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/states/empty").await?;
    navigate(&world, "/hidden/secrets").await?;
    let told = snapshot(&world).await?.to_string();
    for number in 1..=15 {
        ensure!(!told.contains(&format!("secret-{number}")), "{told}");
    }
    ensure!(told.contains("Secret 1") && told.contains("filled"), "{told}");
    world.leaves_nothing().await
}
