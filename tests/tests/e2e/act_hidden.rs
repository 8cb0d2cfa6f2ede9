//! A tab in the background and a window that is minimized get what a tab in front gets, or nothing.

use anyhow::{Result, ensure};
use drawbridge_protocol::Effect;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::world::World;
use serde_json::json;

use crate::act::Acting;

/// A click that arrives, or says that nothing was dispatched.
async fn arrives_or_is_refused(tab: &Acting) -> Result<bool> {
    let told = tab
        .act("click", json!({"selector": "#go", "timeoutMs": 15_000}))
        .await?;
    let log = tab.log_at_rest().await;
    match told {
        Ok(told) => {
            assert_eq!(told["effect"], "committed");
            assert_eq!(log, ["mousedown go", "mouseup go", "click go 1"], "{told}");
            Ok(true)
        }
        Err(error) => {
            assert_eq!(error.effect, Some(Effect::None), "{error:?}, {log:?}");
            ensure!(log.is_empty(), "{error:?}, {log:?}");
            Ok(false)
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn act_hidden_tabs_get_the_click() -> Result<()> {
    let mut tab = Acting::open("/act/visible").await?;
    let front = tab.world.browser.open(&tab.world.site.url("/act/batch")).await?;
    front.send("Page.bringToFront", json!({})).await?;
    tab.page.until("document.visibilityState === 'hidden'").await?;
    ensure!(
        arrives_or_is_refused(&tab).await?,
        "a tab in the background got nothing"
    );
    // Far down a page that scrolls smoothly, where no frame is drawn.
    tab.go("/act/smooth").await?;
    ensure!(
        arrives_or_is_refused(&tab).await?,
        "a tab in the background got nothing"
    );
    // The tab in front stays there, and it got nothing.
    let shown: String = front.evaluate("document.visibilityState").await?;
    assert_eq!(shown, "visible");
    front.close().await?;
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_hidden_windows_get_the_click_or_say_so() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let tab = Acting::in_world(world, "/act/visible", json!({"placement": "window"})).await?;
    let window = tab
        .world
        .browser
        .send(
            "Browser.getWindowForTarget",
            json!({"targetId": tab.page.target()}),
        )
        .await?;
    let minimized = json!({"windowId": window["windowId"], "bounds": {"windowState": "minimized"}});
    tab.world
        .browser
        .send("Browser.setWindowBounds", minimized)
        .await?;
    ensure!(
        arrives_or_is_refused(&tab).await?,
        "a minimized window got nothing"
    );
    tab.end().await
}
