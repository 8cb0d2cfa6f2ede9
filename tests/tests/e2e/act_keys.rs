//! Keys go down and come up again, whatever ends the call.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_tests::wait;
use serde_json::json;

use crate::act::Acting;

#[tokio::test(flavor = "multi_thread")]
async fn act_keys_are_typed_where_the_keyboard_is() -> Result<()> {
    let tab = Acting::open("/act/keys").await?;
    tab.done("focus", json!({"selector": "#field"})).await?;
    tab.done("type", json!({"text": "aB 1é"})).await?;
    let value: String = tab
        .page
        .evaluate("document.getElementById('field').value")
        .await?;
    assert_eq!(value, "aB 1é");
    tab.done("press", json!({"key": "Control+a"})).await?;
    tab.done("press", json!({"key": "Backspace"})).await?;
    let value: String = tab
        .page
        .evaluate("document.getElementById('field').value")
        .await?;
    assert_eq!(value, "");
    let log = tab.log_at_rest().await;
    let down = log.iter().filter(|line| line.starts_with("keydown")).count();
    let up = log.iter().filter(|line| line.starts_with("keyup")).count();
    assert_eq!(down, up, "{log:?}");
    ensure!(log.iter().all(|line| !line.starts_with("untrusted")), "{log:?}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_keys_that_are_held_come_up_when_the_call_is_cancelled() -> Result<()> {
    let tab = Acting::open("/act/keys").await?;
    tab.done("focus", json!({"selector": "#field"})).await?;
    let held = json!({"action": "press", "key": "Shift", "holdMs": 9_000});
    let call = tab.mcp.start_call("browser_interact", held).await?;
    wait::until("the key to go down", Duration::from_secs(10), async || {
        Ok(tab
            .log()
            .iter()
            .any(|line| line == "keydown field Shift")
            .then_some(()))
    })
    .await?;
    ensure!(
        !tab.log().iter().any(|line| line.starts_with("keyup")),
        "not held"
    );
    tab.mcp.cancel(call.id).await?;
    wait::until("the key to come up", Duration::from_secs(4), async || {
        Ok(tab
            .log()
            .iter()
            .any(|line| line == "keyup field Shift")
            .then_some(()))
    })
    .await?;
    // The next press is without it.
    tab.done("type", json!({"text": "a"})).await?;
    let value: String = tab
        .page
        .evaluate("document.getElementById('field').value")
        .await?;
    assert_eq!(value, "a");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_keys_are_held_as_long_as_asked() -> Result<()> {
    let tab = Acting::open("/act/keys").await?;
    tab.page
        .evaluate::<Option<bool>>(
            "(() => { let at = 0; addEventListener('keydown', (e) => { if (!e.repeat) at = performance.now() }, true);
             addEventListener('keyup', () => { document.title = String(Math.round(performance.now() - at)) }, true) })(), null",
        )
        .await?;
    tab.done(
        "press",
        json!({"key": "ArrowDown", "holdMs": 400, "selector": "#field"}),
    )
    .await?;
    let held: String = tab.page.evaluate("document.title").await?;
    let held: u32 = held.parse().context("no key came up")?;
    ensure!((380..4_000).contains(&held), "{held} ms");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_keys_with_a_name_that_is_none_are_refused() -> Result<()> {
    let tab = Acting::open("/act/keys").await?;
    tab.done("focus", json!({"selector": "#field"})).await?;
    let log = tab.log_at_rest().await.len();
    let told = tab.act("press", json!({"key": "Hyper+Nonsense"})).await?;
    let refused = told.err().context("it was pressed")?;
    assert_eq!(refused.code, Code::InvalidArgument);
    assert_eq!(tab.log_at_rest().await.len(), log);
    tab.end().await
}
