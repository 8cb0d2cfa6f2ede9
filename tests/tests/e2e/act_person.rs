//! The person wins: while they use a tab nothing is done in it, and afterwards it goes on.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::{Code, Effect};
use drawbridge_tests::wait;
use serde_json::json;

use crate::act::Acting;

#[tokio::test(flavor = "multi_thread")]
async fn act_person_who_types_is_not_disturbed() -> Result<()> {
    let tab = Acting::open("/act/keys").await?;
    // From the first action on the page is minded.
    tab.done("focus", json!({"selector": "#field"})).await?;
    tab.page.type_into("#field", "hello").await?;
    let told = tab
        .act("type", json!({"selector": "#field", "text": "X"}))
        .await?;
    let refused = told.err().context("the person was disturbed")?;
    assert_eq!(
        (refused.code, refused.effect),
        (Code::UserActive, Some(Effect::None)),
        "{refused:?}"
    );
    let value: String = tab
        .page
        .evaluate("document.getElementById('field').value")
        .await?;
    assert_eq!(value, "hello");
    // Reads go on.
    tab.inspect("observe", json!({})).await??;
    // After a short quiet it works again.
    wait::until("the quiet to end", Duration::from_secs(10), async || {
        let told = tab
            .act("fill", json!({"selector": "#field", "value": "done"}))
            .await?;
        match told {
            Ok(_) => Ok(Some(())),
            Err(error) if error.code == Code::UserActive => Ok(None),
            Err(error) => Err(error.into()),
        }
    })
    .await?;
    let value: String = tab
        .page
        .evaluate("document.getElementById('field').value")
        .await?;
    assert_eq!(value, "done");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_person_is_not_seen_in_what_we_do_ourselves() -> Result<()> {
    let tab = Acting::open("/act/batch").await?;
    for name in ["#one", "#two", "#three", "#one"] {
        tab.done("click", json!({ "selector": name })).await?;
    }
    tab.done("press", json!({"key": "Tab"})).await?;
    tab.done("click", json!({"selector": "#two"})).await?;
    let log = tab.log_at_rest().await;
    let clicks = log.iter().filter(|line| line.starts_with("click")).count();
    assert_eq!(clicks, 5, "{log:?}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_person_in_another_tab_disturbs_nothing() -> Result<()> {
    let tab = Acting::open("/act/visible").await?;
    let theirs = tab.world.browser.open(&tab.world.site.url("/act/keys")).await?;
    theirs.type_into("#field", "mine").await?;
    tab.done("click", json!({"selector": "#go"})).await?;
    ensure!(tab.count("click go 1").await == 1, "it was not pressed once");
    theirs.close().await?;
    tab.end().await
}
