//! Pages that watch, resist, or do nothing in the background.

use anyhow::{Context, Result};
use drawbridge_protocol::recipe::{State, Visibility};
use drawbridge_protocol::tools::inspect::{SelectorsArgs, TextArgs};
use drawbridge_protocol::tools::session::{StartArgs, StopArgs};
use drawbridge_tests::world::World;
use serde_json::Value;

#[tokio::test(flavor = "multi_thread")]
async fn a_strict_page_is_read_and_notices_nothing() -> Result<()> {
    let world = World::shared().await?;
    for path in ["/strict", "/strict/none"] {
        let result = world.extract(world.site.recipe(path)).await;
        // An opaque origin is no origin of a recipe.
        if path == "/strict" {
            assert_eq!(result?.rows.len(), 3);
        }
        let url = world.site.url(path);
        let started = world
            .client
            .call(&StartArgs {
                url: Some(url.clone()),
                ..Default::default()
            })
            .await?;
        let text = world
            .client
            .call(&TextArgs {
                session: Some(started.session.clone()),
                ..Default::default()
            })
            .await?;
        assert!(text.text.contains("Item 2"), "{text:?}");
        world
            .client
            .call(&StopArgs {
                session: Some(started.session),
                ..Default::default()
            })
            .await?;
        let read = world
            .client
            .call(&SelectorsArgs {
                url: Some(url),
                ..Default::default()
            })
            .await?;
        assert!(!read.entries.is_empty());
    }
    world
        .site
        .until("the page to say what it saw", |event| {
            event.body.contains("\"evidence\"")
        })
        .await?;
    assert_eq!(
        world.site.requests("/report").len(),
        0,
        "{:?}",
        world.site.requests("/report")
    );
    let mut nodes = None;
    for event in world.site.requests("/log") {
        assert!(
            !event.body.to_lowercase().contains("drawbridge"),
            "{}",
            event.body
        );
        let said: Value = serde_json::from_str(&event.body)?;
        let kind = said["kind"].as_str().context("kind")?;
        assert!(["loaded", "evidence"].contains(&kind), "{said}");
        assert_eq!(said["detail"]["globals"], serde_json::json!([]), "{said}");
        let before = nodes.get_or_insert_with(|| said["detail"]["nodes"].clone());
        assert_eq!(&said["detail"]["nodes"], before, "{said}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_wait_to_be_looked_at_are_read_in_a_window() -> Result<()> {
    let world = World::shared().await?;
    let result = world.extract(world.site.recipe("/observer")).await?;
    assert_eq!(
        (result.state, result.rows.len(), result.visibility),
        (State::Ok, 3, Visibility::Window)
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_asks_before_it_is_left_closes_with_its_session() -> Result<()> {
    let world = World::shared().await?;
    let started = world
        .client
        .call(&StartArgs {
            url: Some(world.site.url("/armed")),
            ..Default::default()
        })
        .await?;
    let page = world.browser.page(|url| url.ends_with("/armed")).await?;
    page.click("#arm").await?;
    page.until("document.querySelector('#arm').textContent === 'armed'")
        .await?;
    page.detach().await?;
    let stopped = world
        .client
        .call(&StopArgs {
            session: Some(started.session),
            ..Default::default()
        })
        .await?;
    assert_eq!((stopped.closed, stopped.pending), (vec![started.tab], vec![]));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_named_like_the_dom_do_not_stand_in_the_way() -> Result<()> {
    let world = World::shared().await?;
    let result = world.extract(world.site.recipe("/clobber")).await?;
    assert_eq!((result.state, result.rows.len()), (State::Ok, 3), "{result:?}");
    world.leaves_nothing().await
}
