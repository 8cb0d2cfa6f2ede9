//! Drags of every kind do to the page what a person's would.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::act::Acting;

/// Drags and returns what the page made of it.
async fn dragged(tab: &Acting, arguments: Value) -> Result<(Value, String)> {
    let told = tab.done("drag", arguments).await?;
    let title = drawbridge_tests::wait::until(
        "the page to see the drop",
        std::time::Duration::from_secs(5),
        async || {
            let title: String = tab.page.evaluate("document.title").await?;
            Ok((title != "Acting").then_some(title))
        },
    )
    .await
    .with_context(|| told.to_string())?;
    Ok((told, title))
}

#[tokio::test(flavor = "multi_thread")]
async fn act_drag_of_the_browser_carries_its_data() -> Result<()> {
    let tab = Acting::open("/act/drop").await?;
    let (told, title) = dragged(&tab, json!({"selector": "#from", "to": "#to"})).await?;
    assert_eq!(title, "got parcel", "{told}");
    let log = tab.log_at_rest().await;
    for line in ["dragstart from", "drop to", "dragend from"] {
        ensure!(log.iter().any(|one| one == line), "{line} in {log:?}");
    }
    // It is not held any more.
    tab.done("click", json!({"selector": "#to"})).await?;
    assert_eq!(tab.count("click to 1").await, 1);
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_drag_of_the_pages_own_moves_in_steps() -> Result<()> {
    let mut tab = Acting::open("/act/pointer").await?;
    let (told, title) = dragged(&tab, json!({"selector": "#from", "to": "#to"})).await?;
    assert_eq!(title, "inside after several moves", "{told}");
    tab.go("/act/jquery-ui").await?;
    let (told, title) = dragged(&tab, json!({"selector": "#from", "to": "#to"})).await?;
    assert_eq!(title, "dropped", "{told}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_drag_sorts_a_list() -> Result<()> {
    let mut tab = Acting::open("/act/batch").await?;
    for name in ["sortable", "sortable-fallback"] {
        tab.go(&format!("/act/{name}")).await?;
        let (told, title) = dragged(&tab, json!({"selector": "#a", "to": "#c"}))
            .await
            .with_context(|| name.to_owned())?;
        ensure!(title != "abcd", "{name}: {title}, {told}");
        let mut all: Vec<_> = title.chars().collect();
        all.sort_unstable();
        assert_eq!(all, ['a', 'b', 'c', 'd'], "{name}");
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_drag_goes_along_a_path() -> Result<()> {
    let mut tab = Acting::open("/act/canvas").await?;
    let path = json!([{"x": 60, "y": 0}, {"x": 60, "y": 40}, {"x": -60, "y": 40}]);
    let (told, title) = dragged(&tab, json!({"selector": "#from", "path": path})).await?;
    assert_eq!(title, "inked true points true", "{told}");
    tab.go("/act/range").await?;
    let by = json!([{"x": 100, "y": 0}]);
    let (told, title) = dragged(&tab, json!({"selector": "#from", "path": by})).await?;
    let value: i32 = title.parse().context("no number")?;
    // Pressed in the middle, where it jumps to 50, and then a quarter further.
    ensure!((60..=90).contains(&value), "{value}, {told}");
    tab.end().await
}
