//! What a click opens is named, and stays the page's own.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_tests::wait;
use serde_json::{Value, json};

use crate::act::Acting;

/// Closes the tabs that the page opened.
async fn close_others(tab: &Acting) -> Result<()> {
    let opened = tab.world.browser.targets().await?;
    for one in opened.iter().filter(|one| one.kind == "page") {
        let is_ours = one.url.contains("by=") || one.url.starts_with("blob:") || one.url.starts_with("data:");
        if is_ours && one.target_id != tab.page.target() {
            tab.world.browser.attach(&one.target_id).await?.close().await?;
        }
    }
    Ok(())
}

/// The one tab that an outcome tells of.
fn opened(told: &Value) -> Result<(&str, &str)> {
    let tabs = told["changed"]["newTabs"]
        .as_array()
        .with_context(|| format!("no tab in {told}"))?;
    ensure!(tabs.len() == 1, "{told}");
    let one = &tabs[0];
    assert_eq!(one["opener"], told["tab"], "{told}");
    Ok((
        one["tab"].as_str().context("no tab")?,
        one["url"].as_str().unwrap_or_default(),
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn act_tabs_that_a_click_opens_are_named_with_their_opener() -> Result<()> {
    let mut tab = Acting::open("/act/batch").await?;
    for (name, url) in [
        ("blank-link", "by=blank"),
        ("noopener", "by=noopener"),
        ("window-open", "by=open"),
        ("popup", "by=popup"),
        ("delayed", "by=delayed"),
        ("named", "by=named"),
        ("blob", "blob:"),
    ] {
        tab.go(&format!("/act/{name}")).await?;
        let settle = json!({"selector": "#go", "settleMs": 1_500});
        let told = tab.done("click", settle).await.with_context(|| name.to_owned())?;
        let (new, at) = opened(&told).with_context(|| name.to_owned())?;
        ensure!(at.contains(url), "{name}: {told}");
        assert_ne!(told["tab"], new, "{name}");
        // It is not the session's: nothing is done in it.
        let other = tab
            .act("click", json!({"tab": new, "selector": "#go"}))
            .await?
            .err();
        let other = other.context("a tab that is not ours was pressed")?;
        assert_eq!(other.code, Code::TabNotOwned, "{name}: {other:?}");
        close_others(&tab).await?;
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_tabs_named_windows_are_used_again_and_data_opens_none() -> Result<()> {
    let mut tab = Acting::open("/act/named").await?;
    let click = json!({"selector": "#go", "settleMs": 800});
    opened(&tab.done("click", click.clone()).await?)?;
    let again = tab.done("click", click.clone()).await?;
    ensure!(again["changed"]["newTabs"].is_null(), "{again}");
    close_others(&tab).await?;
    tab.go("/act/data").await?;
    // The browser itself does not let a page open data: in a tab of its own.
    let told = tab.act("click", click).await?;
    ensure!(told.is_ok(), "{told:?}");
    close_others(&tab).await?;
    let left = wait::until("no other tab", std::time::Duration::from_secs(5), async || {
        let pages = tab.world.browser.targets().await?;
        Ok((!pages.iter().any(|one| one.url.contains("by="))).then_some(()))
    });
    left.await?;
    for blank in tab.world.browser.targets().await? {
        let is_left = blank.kind == "page" && (blank.url == "about:blank#blocked" || blank.url.is_empty());
        if is_left && blank.target_id != tab.page.target() {
            tab.world.browser.attach(&blank.target_id).await?.close().await?;
        }
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_tabs_a_link_tells_where_it_leads() -> Result<()> {
    let tab = Acting::open("/act/leaves").await?;
    let told = tab
        .done("click", json!({"selector": "#go", "settleMs": 1_500}))
        .await?;
    let url = told["changed"]["navigation"]["url"].as_str().unwrap_or_default();
    ensure!(url.ends_with("/act/visible?by=link"), "{told}");
    // The old document is not there any more, the new one can be used.
    let next = tab.ref_of("Go").await?;
    tab.done("click", json!({ "ref": next })).await?;
    assert_eq!(
        tab.log_at_rest().await.last().map(String::as_str),
        Some("click go 1")
    );
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_tabs_of_the_person_are_left_alone() -> Result<()> {
    let tab = Acting::open("/act/visible").await?;
    let url = tab.world.site.url("/act/batch?by=person");
    let theirs = tab.world.browser.open(&url).await?;
    theirs.send("Page.bringToFront", json!({})).await?;
    tab.done("click", json!({"selector": "#go"})).await?;
    let log = tab.log_at_rest().await;
    assert_eq!(log, ["mousedown go", "mouseup go", "click go 1"]);
    theirs.close().await?;
    tab.end().await
}
