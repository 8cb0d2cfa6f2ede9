//! An extension and a bridge of other protocols, in a real browser: they work, or both are told which one is too old.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::tools::session::StatusArgs;
use drawbridge_protocol::version::{BUILD, EXTENSION_ID};
use drawbridge_tests::sandbox::{Options, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(30);

/// The extension introduces itself with what is in its storage under `claims`.
const CLAIMS: &str = "
const connectNative = chrome.runtime.connectNative.bind(chrome.runtime);
chrome.runtime.connectNative = (name) => {
  const port = connectNative(name);
  const post = port.postMessage.bind(port);
  port.postMessage = (message) => {
    if (message.type !== 'hello') return post(message);
    chrome.storage.local.get('claims').then(({ claims }) => post({ ...message, ...claims }));
  };
  return port;
};
";

async fn world() -> Result<World> {
    World::fresh(Options {
        worker_script: Some(CLAIMS),
        ..Options::default()
    })
    .await
}

/// Connects the browser anew, as an extension that says this of itself.
async fn claim(world: &World, claims: Value) -> Result<()> {
    let profile = world.sandbox.profile();
    let page = profile.extension_page(&world.browser).await?;
    page.evaluate::<Value>(&format!("chrome.storage.local.set({{claims: {claims}}})"))
        .await?;
    page.close().await?;
    profile.native_hosts().into_iter().try_for_each(processes::kill)
}

/// They work, and the status has this notice alone.
async fn works_with(world: &World, notice: &str, newer: &str) -> Result<()> {
    let mut last = Value::Null;
    let status = wait::until("the notice", PATIENCE, async || {
        let status = world.client.call(&StatusArgs::default()).await?;
        last = json!(status);
        let ids: Vec<_> = status.issues.iter().map(|issue| issue.id.as_str()).collect();
        Ok((status.connected && ids == [notice]).then_some(status))
    })
    .await
    .with_context(|| format!("{notice}: {last}"))?;
    ensure!(status.issues[0].repair.contains(newer), "{status:?}");
    let result = world.extract(world.site.recipe("/states/ok")).await?;
    ensure!(!result.rows.is_empty());
    Ok(())
}

/// They do not work: doctor and the extension's own popup name both versions and the side to update.
async fn parted(world: &World, both: &[&str], side: &str) -> Result<()> {
    let mut last = Value::Null;
    let told = wait::until("doctor to name the worker", PATIENCE, async || {
        let (code, text) = world.sandbox.cli(["doctor", "--json"]).await?;
        last = serde_json::from_str(&text)?;
        let worker = last["result"]["hops"][3].clone();
        Ok((code == 5 && worker["issue"] == "version_mismatch").then_some(worker))
    })
    .await
    .with_context(|| last.to_string())?;
    let repair = told["repair"].as_str().unwrap_or_default();
    ensure!(
        repair.ends_with(side) && both.iter().all(|version| repair.contains(version)),
        "{repair}"
    );
    let status = world.client.call(&StatusArgs::default()).await?;
    ensure!(
        !status.connected && status.issues[0].id == "no_browser",
        "{status:?}"
    );
    let popup = world
        .browser
        .open(&format!("chrome-extension://{EXTENSION_ID}/popup.html"))
        .await?;
    popup
        .until(&format!(
            "document.body.innerText.toLowerCase().includes('{side}')"
        ))
        .await?;
    let said: String = popup.evaluate("document.body.innerText").await?;
    ensure!(both.iter().all(|version| said.contains(version)), "{said}");
    popup.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_extension_that_is_ahead_works_inside_the_range_and_names_the_bridge_outside() -> Result<()> {
    let world = world().await?;
    claim(
        &world,
        json!({"protocol": 2, "oldestBridge": 1, "build": "0.2.0"}),
    )
    .await?;
    works_with(&world, "bridge_update_available", "0.2.0").await?;
    claim(
        &world,
        json!({"protocol": 2, "oldestBridge": 2, "build": "0.2.0"}),
    )
    .await?;
    let bridge = format!("bridge ({BUILD}, protocols 1 to 1)");
    parted(&world, &["0.2.0, protocol 2", &bridge], "update the bridge").await?;
    // Nothing has to be done by hand once they fit again.
    claim(&world, json!({})).await?;
    wait::until("them to work again", PATIENCE, async || {
        Ok(world.extract(world.site.recipe("/states/ok")).await.ok())
    })
    .await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_extension_that_is_behind_works_inside_the_range_and_is_named_outside() -> Result<()> {
    let mut world = World::fresh(Options::default()).await?;
    let newer = ("DRAWBRIDGE_PRETEND_BUILD", "0.2.0");
    let inside = world
        .replace_daemon(&[newer, ("DRAWBRIDGE_PRETEND_PROTOCOLS", "1-2")])
        .await?;
    works_with(&world, "extension_update_available", "0.2.0").await?;
    let outside = world
        .start_daemon(&[newer, ("DRAWBRIDGE_PRETEND_PROTOCOLS", "2-2")])
        .await?;
    let extension = format!("extension ({BUILD}, protocol 1)");
    parted(
        &world,
        &[&extension, "0.2.0, protocols 2 to 2"],
        "update the extension",
    )
    .await?;
    let again = world.replace_daemon(&[]).await?;
    drop((inside, outside, again));
    world.leaves_nothing().await
}
