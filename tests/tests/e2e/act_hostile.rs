//! Pages that want a press to be told as something that it was not.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::{Code, Effect};
use serde_json::json;

use crate::act::Acting;

#[tokio::test(flavor = "multi_thread")]
async fn act_hostile_events_made_by_script_confirm_nothing() -> Result<()> {
    let tab = Acting::open("/act/forged").await?;
    let told = tab.click("#go").await?;
    let log = tab.log_at_rest().await;
    ensure!(!log.iter().any(|line| line == "click go 1"), "{log:?}");
    let error = told
        .err()
        .with_context(|| format!("a forged press was taken: {log:?}"))?;
    let pressed = log.iter().any(|line| line == "mousedown wrong");
    let effect = if pressed { Effect::Unknown } else { Effect::None };
    assert_eq!(error.effect, Some(effect), "{error:?}, {log:?}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_hostile_pages_that_hide_a_press_do_not_get_two() -> Result<()> {
    let tab = Acting::open("/act/stopped").await?;
    let told = tab.click("#go").await?;
    assert_eq!(tab.count("mousedown go").await, 1);
    if let Err(error) = told {
        assert_eq!(
            (error.code, error.effect),
            (Code::EffectUnknown, Some(Effect::Unknown)),
            "{error:?}"
        );
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_hostile_words_stay_words() -> Result<()> {
    let tab = Acting::open("/act/posing").await?;
    let click = json!({"action": "click", "selector": "#go"});
    let called = tab.mcp.call("browser_interact", click).await?;
    let error = called.outcome.0.err().context("it was pressed")?;
    assert_eq!((error.code, error.effect), (Code::Covered, Some(Effect::None)));
    ensure!(called.text.len() < 2_000, "{} bytes", called.text.len());
    let lines = called.text.lines().map(str::trim_start);
    for line in lines {
        let forged = line.starts_with("--- end 1") || line.starts_with("effect: committed");
        ensure!(!forged, "{}", called.text);
    }
    ensure!(!called.text.contains(['\u{1b}', '\u{202e}']), "{:?}", called.text);
    tab.untouched().await?;
    tab.end().await
}
