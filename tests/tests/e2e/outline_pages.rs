//! Outlines of whole pages, beside the browser's own tree: what it lists and can be seen, an outline has, with the same
//! role and name, in the same order.

use anyhow::{Context, Result};
use drawbridge_protocol::tools::session::StartArgs;
use drawbridge_tests::oracle::{self, Report, compare, shown};
use drawbridge_tests::site;
use drawbridge_tests::world::World;
use serde_json::json;

/// Reads every page both ways, in one tab of a session, and judges them together.
async fn agree(paths: Vec<String>) -> Result<()> {
    let world = World::shared().await?;
    let start = StartArgs {
        url: Some(world.site.url("/states/empty")),
        ..StartArgs::default()
    };
    world.client.call(&start).await?;
    let page = world.browser.page(|url| url.ends_with("/states/empty")).await?;
    let mut report = Report::default();
    for path in paths {
        let navigate = json!({"action": "navigate", "url": world.site.url(&path)});
        world.client.call_raw("browser_page", navigate).await?;
        oracle::settle(&page).await.with_context(|| path.clone())?;
        let elements = oracle::read(&page).await.with_context(|| path.clone())?;
        let outline = shown::outline(&world.client, json!({}))
            .await
            .with_context(|| path.clone())?;
        report.add(&path, compare(&elements, &outline));
    }
    page.detach().await?;
    report.judge()?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn patterns_read_as_the_browser_reads_them() -> Result<()> {
    agree(site::patterns()?).await
}

#[tokio::test(flavor = "multi_thread")]
async fn widgets_read_as_the_browser_reads_them() -> Result<()> {
    agree(site::widgets()?).await
}

#[tokio::test(flavor = "multi_thread")]
async fn saved_pages_read_as_the_browser_reads_them() -> Result<()> {
    let pages = site::saved_pages()?;
    if pages.is_empty() {
        return Ok(());
    }
    agree(pages).await
}
