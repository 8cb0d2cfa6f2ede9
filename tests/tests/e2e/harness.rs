//! The harness itself: a site that logs, hands that are trusted, and an end that leaves nothing.

use anyhow::Result;
use drawbridge_tests::residue::Look;
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use drawbridge_tests::world::World;
use serde_json::Value;

#[tokio::test(flavor = "multi_thread")]
async fn the_site_lets_in_whoever_signs_in_like_a_person() -> Result<()> {
    let world = World::shared().await?;
    let page = world.browser.open(&world.site.url("/orders")).await?;
    page.until("location.pathname === '/login'").await?;
    page.close().await?;
    world.sign_in("ada").await?;
    let page = world.browser.open(&world.site.url("/orders?page=3")).await?;
    page.until(
        "document.querySelectorAll('li.order').length === 4 && !document.querySelector('a[rel=next]')",
    )
    .await?;
    assert!(world.site.requests("/orders").last().is_some_and(|event| {
        event
            .cookie
            .as_ref()
            .is_some_and(|cookie| cookie.contains(world.site.secret()))
    }));
    page.close().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn clicks_and_keys_of_the_harness_are_trusted() -> Result<()> {
    let world = World::shared().await?;
    let page = world.browser.open(&world.site.url("/event-log")).await?;
    page.click("#button").await?;
    page.type_into("#field", "x").await?;
    for kind in ["click", "keydown", "input"] {
        let event = world
            .site
            .until(kind, |event| event.body.contains(&format!("\"kind\":\"{kind}\"")))
            .await?;
        let body: Value = serde_json::from_str(&event.body)?;
        assert_eq!(body["trusted"], true, "{body}");
    }
    page.close().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_asks_before_it_is_left_can_be_closed() -> Result<()> {
    let world = World::shared().await?;
    let page = world.browser.open(&world.site.url("/armed")).await?;
    page.click("#arm").await?;
    page.until("document.querySelector('#arm').textContent === 'armed'")
        .await?;
    page.close().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_in_the_browser_is_seen() -> Result<()> {
    let world = World::shared().await?;
    let profile = world.sandbox.profile();
    let before = Look::at(profile, &world.browser).await?;
    let page = world.browser.open("about:blank").await?;
    assert_ne!(Look::at(profile, &world.browser).await?, before);
    page.close().await?;
    before.expect_again(profile, &world.browser).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_sandbox_leaves_no_process_and_no_file() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let root = world.sandbox.root().to_owned();
    let (browser, daemon) = (world.sandbox.profile().pid(), world.client.daemon);
    assert_eq!(world.sandbox.daemon(), Some(daemon));
    assert!(processes::runs(browser) && processes::runs(daemon));
    world.leaves_nothing().await?;
    assert!(!processes::runs(browser) && !processes::runs(daemon));
    assert_eq!(processes::of(&root), Vec::<u32>::new());
    assert!(!root.exists());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_without_a_browser_is_removed_too() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let root = sandbox.root().to_owned();
    assert!(sandbox.home().join("sandbox.json").is_file());
    sandbox.stop().await?;
    assert!(!root.exists());
    Ok(())
}
