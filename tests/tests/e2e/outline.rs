//! What the tests of outlines share: a page in a session, and its reads as data.

use std::time::Duration;

use anyhow::{Context, Result};
use drawbridge_protocol::tools::session::StartArgs;
use drawbridge_protocol::{Code, Error};
use drawbridge_tests::oracle::Shown;
use drawbridge_tests::oracle::shown::{self, inspect};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

/// Tokens that are enough for a whole page.
pub(crate) const WHOLE: u32 = 200_000;

/// Opens a page of the site in a session.
pub(crate) async fn open(world: &World, path: &str) -> Result<()> {
    let args = StartArgs {
        url: Some(world.site.url(path)),
        ..StartArgs::default()
    };
    world.client.call(&args).await?;
    Ok(())
}

/// Goes to another page of the site in the session's tab.
pub(crate) async fn navigate(world: &World, path: &str) -> Result<()> {
    let args = json!({"action": "navigate", "url": world.site.url(path), "timeoutMs": 60_000});
    world.client.call_raw("browser_page", args).await?;
    Ok(())
}

/// The outline as lines.
pub(crate) async fn text(world: &World, arguments: Value) -> Result<String> {
    let result = inspect(&world.client, "observe", arguments).await?;
    Ok(result["outline"].as_str().context("no outline")?.to_owned())
}

/// The controls of the whole outline.
pub(crate) async fn controls(world: &World) -> Result<Vec<Shown>> {
    let nodes = shown::outline(&world.client, json!({})).await?;
    Ok(nodes.into_iter().filter(|node| node.kind == "control").collect())
}

/// Names of controls, in order.
pub(crate) fn names(controls: &[Shown]) -> Vec<&str> {
    controls.iter().map(|node| node.name.as_str()).collect()
}

/// Waits until the controls have these names, in this order: frames load on their own.
pub(crate) async fn until_named(world: &World, expected: &[&str]) -> Result<Vec<Shown>> {
    let mut seen = Vec::new();
    let found = wait::until("the expected controls", Duration::from_secs(15), async || {
        let all = controls(world).await?;
        seen = names(&all).into_iter().map(str::to_owned).collect();
        Ok((seen == expected).then_some(all))
    })
    .await;
    found.with_context(|| format!("expected {expected:?}, last {seen:?}"))
}

/// The ref of the one control with a name.
pub(crate) fn ref_of(controls: &[Shown], name: &str) -> Result<String> {
    let mut found = controls.iter().filter(|node| node.name == name);
    let node = found.next().with_context(|| format!("no {name:?}"))?;
    anyhow::ensure!(found.next().is_none(), "{name:?} twice");
    node.r#ref.clone().with_context(|| format!("{name:?} has no ref"))
}

/// What a ref means now: name of its element.
pub(crate) async fn meaning(world: &World, r#ref: &str) -> Result<String, Error> {
    let found = inspect(&world.client, "find", json!({"ref": r#ref, "do": "state"})).await?;
    Ok(found["matches"][0]["node"]["name"]
        .as_str()
        .unwrap_or_default()
        .to_owned())
}

/// The code that a call is refused with.
pub(crate) async fn refusal(world: &World, action: &str, arguments: Value) -> Result<Code> {
    let told = inspect(&world.client, action, arguments).await;
    Ok(told.err().context("it was not refused")?.code)
}
