//! A press lands where it is meant to, however large the page is shown.

use anyhow::Result;
use serde_json::json;

use crate::act::Acting;

#[tokio::test(flavor = "multi_thread")]
async fn act_zoom_of_the_page_moves_no_press() -> Result<()> {
    let mut tab = Acting::open("/act/batch").await?;
    let eyes = tab
        .world
        .sandbox
        .profile()
        .extension_page(&tab.world.browser)
        .await?;
    for zoom in [1.1, 1.5, 0.75] {
        for name in ["visible", "off-screen", "scaled"] {
            tab.go(&format!("/act/{name}")).await?;
            let url = tab.world.site.url(&format!("/act/{name}"));
            let set = format!(
                "chrome.tabs.query({{}}).then(async tabs => {{
                    const {{ id }} = tabs.find(tab => tab.url === {url:?});
                    await chrome.tabs.setZoomSettings(id, {{ scope: 'per-tab' }});
                    await chrome.tabs.setZoom(id, {zoom});
                }})"
            );
            eyes.evaluate::<Option<()>>(&set).await?;
            let told = tab.done("click", json!({"selector": "#go"})).await?;
            assert!(
                told["confirmed"].to_string().contains("click"),
                "{zoom} {name}: {told}"
            );
            assert_eq!(tab.count("click go 1").await, 1, "{zoom} {name}");
        }
    }
    eyes.close().await?;
    tab.end().await
}
