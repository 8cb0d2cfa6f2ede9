//! Switching boxes: pressed where a person would press them, and the state asserted.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::{Code, Error};
use serde_json::{Value, json};

use crate::act::{Acting, is_refused};

async fn boxes() -> Result<Acting> {
    let tab = Acting::open("/editors/boxes").await?;
    tab.page
        .until("document.documentElement.dataset.ready !== undefined")
        .await?;
    Ok(tab)
}

async fn model(tab: &Acting, id: &str) -> Result<String> {
    tab.page.evaluate(&format!("String(model({}))", json!(id))).await
}

async fn switch(tab: &Acting, selector: &str, on: bool) -> Result<Result<Value, Error>> {
    tab.act(
        if on { "check" } else { "uncheck" },
        json!({"selector": selector}),
    )
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_check_switches_what_a_person_could_switch() -> Result<()> {
    let tab = boxes().await?;
    for id in [
        "plain", "wrapped", "labelled", "beside", "terms", "switch", "aria", "mixed", "mixedon",
    ] {
        for on in [true, true, false, true] {
            let done = switch(&tab, &format!("#{id}"), on)
                .await?
                .with_context(|| format!("{id} {on}"))?;
            assert_eq!(done["confirmed"], json!(["state"]), "{id} {done}");
            assert_eq!(model(&tab, id).await?, on.to_string(), "{id}");
        }
    }
    switch(&tab, "#second", true).await??;
    assert_eq!(
        (model(&tab, "second").await?, model(&tab, "first").await?),
        ("true".into(), "false".into())
    );
    let url: String = tab.page.evaluate("location.pathname").await?;
    assert_eq!(url, "/editors/boxes", "a link in a label was followed");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_check_works_on_widgets() -> Result<()> {
    let tab = boxes().await?;
    for (target, id) in [
        (json!({"role": "checkbox", "name": "Gift"}), "gift"),
        (json!({"role": "switch", "name": "News"}), "news"),
    ] {
        for on in [true, false] {
            let action = if on { "check" } else { "uncheck" };
            tab.done(action, json!({"target": target})).await?;
            assert_eq!(model(&tab, id).await?, on.to_string(), "{id}");
        }
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_check_says_why_a_state_is_not_reached() -> Result<()> {
    let tab = boxes().await?;
    for (id, on, code) in [
        ("off", true, Code::NotEnabled),
        ("first", false, Code::Unsupported),
        ("hidden", true, Code::NotVisible),
        ("vue", true, Code::Unsupported),
    ] {
        let outcome = switch(&tab, &format!("#{id}"), on).await?;
        is_refused(&outcome, code).with_context(|| id.to_owned())?;
    }
    for id in ["stuck", "undone"] {
        let error = switch(&tab, &format!("#{id}"), true)
            .await?
            .err()
            .with_context(|| id.to_owned())?;
        assert_eq!(error.code, Code::NoEffect, "{id}: {error:?}");
        assert_eq!(model(&tab, id).await?, "false", "{id}");
    }
    let told = switch(&tab, "#plain", true).await??;
    ensure!(told["changed"]["checked"] == "true", "{told}");
    tab.end().await
}
