//! Stop in the popup ends what changes pages, until Resume; reading goes on.

use anyhow::{Context, Result};
use drawbridge_protocol::version::EXTENSION_ID;
use drawbridge_protocol::{Code, Effect};
use drawbridge_tests::wait;
use serde_json::{Value, json};
use std::time::Duration;

use super::waits::Waiting;

#[tokio::test(flavor = "multi_thread")]
async fn stop_ends_running_and_later_changes_until_resume_and_reads_go_on() -> Result<()> {
    let on = Waiting::on("<p>Calm</p><button onclick=\"document.title = 'Pressed'\">Press</button>").await?;
    let popup = on
        .world
        .browser
        .open(&format!("chrome-extension://{EXTENSION_ID}/popup.html"))
        .await?;
    popup.until("!document.getElementById('acting').hidden").await?;
    assert!(
        popup
            .evaluate::<bool>("document.getElementById('resume').hidden")
            .await?
    );
    let slow = on.world.client.start_raw(
        "browser_page",
        json!({"action": "navigate", "url": on.world.site.url("/slow/headers?ms=60000"), "timeoutMs": 50_000}),
    );
    on.world
        .site
        .until("the load", |event| event.path == "/slow/headers")
        .await?;
    popup.click("#stop").await?;
    let stopped = slow.answer().await?.outcome.err().context("it went on")?;
    assert_eq!(stopped.code, Code::UserAborted, "{stopped}");
    popup.until("!document.getElementById('resume').hidden").await?;
    let refused = |what: &'static str, outcome: Result<Value, drawbridge_protocol::Error>| {
        let error = outcome.err().with_context(|| format!("{what} went on"))?;
        assert_eq!(
            (error.code, error.effect),
            (Code::UserAborted, Some(Effect::None)),
            "{what}: {error}"
        );
        anyhow::Ok(())
    };
    refused(
        "navigate",
        on.page("navigate", json!({"url": on.world.site.url("/page")}))
            .await,
    )?;
    refused("reload", on.page("reload", json!({})).await)?;
    let press = json!({"action": "click", "target": {"role": "button", "name": "Press"}});
    refused(
        "click",
        on.world.client.call_raw("browser_interact", press.clone()).await,
    )?;
    assert!(on.text().await?.contains("Calm"));
    // A person does not know that workers end.
    on.world.sandbox.profile().stop_worker().await?;
    wait::until(
        "reads after another worker",
        Duration::from_secs(30),
        async || Ok(on.text().await.ok()),
    )
    .await?;
    refused(
        "navigate after another worker",
        on.page("navigate", json!({"url": on.world.site.url("/page")}))
            .await,
    )?;
    popup.until("!document.getElementById('resume').hidden").await?;
    popup.click("#resume").await?;
    popup.until("document.getElementById('resume').hidden").await?;
    on.page("navigate", json!({"url": on.world.site.url("/page")}))
        .await?;
    on.world.client.call_raw("browser_interact", press).await?;
    popup
        .until("document.getElementById('attached').textContent.startsWith('1 tab now')")
        .await?;
    popup.close().await?;
    on.world.leaves_nothing().await
}
