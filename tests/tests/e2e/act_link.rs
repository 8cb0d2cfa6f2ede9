//! A link that is lost after something was dispatched: nobody is told that it was done, and it is not done twice.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::{Code, Effect};
use drawbridge_tests::sandbox::{Options, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::json;

use crate::act::Acting;

#[tokio::test(flavor = "multi_thread")]
async fn act_link_lost_after_the_press_is_unknown_and_pressed_once() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let tab = Acting::in_world(world, "/act/visible", json!({"lease": "timed"})).await?;
    // It looks for so long afterwards: the link goes in between.
    let click = json!({"action": "click", "selector": "#go", "settleMs": 5_000, "requestId": "once", "timeoutMs": 20_000});
    let call = tab.mcp.start_call("browser_interact", click.clone()).await?;
    wait::until("the click", Duration::from_secs(15), async || {
        Ok(tab.log().iter().any(|line| line == "click go 1").then_some(()))
    })
    .await?;
    for host in tab.world.sandbox.profile().native_hosts() {
        processes::kill(host)?;
    }
    let told = call.called().await?.outcome.0;
    let lost = told.err().context("it was told as done")?;
    assert_eq!(
        (lost.code, lost.effect),
        (Code::EffectUnknown, Some(Effect::Unknown)),
        "{lost:?}"
    );
    // The same request again is the same answer, and no second press.
    let again = tab.call("browser_interact", click).await?;
    let again = again.err().context("it was told as done")?;
    assert_eq!(again.code, Code::EffectUnknown, "{again:?}");
    assert_eq!(tab.count("click go 1").await, 1);
    // Without the id it is another one.
    wait::until("the browser again", Duration::from_secs(20), async || {
        let told = tab.act("click", json!({"selector": "#go"})).await?;
        match told {
            Ok(_) => Ok(Some(())),
            Err(error) if error.effect != Some(Effect::Unknown) => Ok(None),
            Err(error) => Err(error.into()),
        }
    })
    .await?;
    assert_eq!(tab.count("click go 1").await, 2);
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_link_a_request_is_done_once_however_often_it_is_asked() -> Result<()> {
    let tab = Acting::open("/act/visible").await?;
    let click = json!({"action": "click", "selector": "#go", "requestId": "r1", "settleMs": 500});
    let first = tab.mcp.start_call("browser_interact", click.clone()).await?;
    let second = tab.mcp.start_call("browser_interact", click.clone()).await?;
    let (first, second) = (
        first.called().await?.outcome.0?,
        second.called().await?.outcome.0?,
    );
    assert_eq!(first, second);
    let third = tab.call("browser_interact", click).await??;
    assert_eq!(first, third);
    assert_eq!(tab.count("click go 1").await, 1);
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_link_a_daemon_that_dies_after_the_press_leaves_it_unknown() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let tab = Acting::in_world(world, "/act/visible", json!({"lease": "timed"})).await?;
    let click = json!({"action": "click", "selector": "#go", "settleMs": 5_000, "requestId": "once", "timeoutMs": 20_000});
    let call = tab.mcp.start_call("browser_interact", click.clone()).await?;
    wait::until("the click", Duration::from_secs(15), async || {
        Ok(tab.log().iter().any(|line| line == "click go 1").then_some(()))
    })
    .await?;
    tab.world.sandbox.kill_daemon()?;
    let told = call.called().await?.outcome.0;
    let lost = told.err().context("it was told as done")?;
    ensure!(lost.effect != Some(Effect::None), "{lost:?}");
    let again = wait::until("an answer", Duration::from_secs(30), async || {
        let told = tab.call("browser_interact", click.clone()).await?;
        let error = told.err().context("it was told as done")?;
        Ok((error.code != Code::NotConnected).then_some(error))
    })
    .await?;
    assert_eq!(again.code, Code::EffectUnknown, "{again:?}");
    assert_eq!(tab.count("click go 1").await, 1);
    tab.end().await
}
