//! What shows only under the pointer, what is scrolled to, the wheel.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use serde_json::json;

use crate::act::Acting;

#[tokio::test(flavor = "multi_thread")]
async fn act_hover_opens_what_shows_under_the_pointer_alone() -> Result<()> {
    let tab = Acting::open("/act/menu").await?;
    let hidden = tab.refused("click", json!({"selector": "#go"})).await?;
    assert_eq!(hidden.code, Code::NotVisible);
    tab.done("hover", json!({"selector": "#menu"})).await?;
    let item = tab.ref_of("Item").await?;
    tab.done("click", json!({ "ref": item })).await?;
    assert_eq!(tab.count("click go 1").await, 1);
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_hover_is_probed_by_observe_where_that_is_asked() -> Result<()> {
    let tab = Acting::open("/act/menu").await?;
    let notes = async |more: serde_json::Value| -> Result<Vec<String>> {
        let read = tab.inspect("observe", more).await??;
        let nodes = read["nodes"].as_array().cloned().unwrap_or_default();
        ensure!(!nodes.is_empty(), "{read}");
        let notes = nodes
            .iter()
            .flat_map(|node| node["notes"].as_array().cloned().unwrap_or_default());
        let hover = notes.filter(|note| note["about"] == "hover");
        Ok(hover
            .map(|note| note["text"].as_str().unwrap_or_default().to_owned())
            .collect())
    };
    assert_eq!(notes(json!({"mode": "structured"})).await?, Vec::<String>::new());
    assert_eq!(
        notes(json!({"mode": "structured", "probeHover": true})).await?,
        ["Item"]
    );
    // The pointer is away again, and nothing was pressed.
    let hidden = tab.refused("click", json!({"selector": "#go"})).await?;
    assert_eq!(hidden.code, Code::NotVisible);
    assert_eq!(tab.count("click go 1").await, 0);
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_scroll_to_shows_what_can_be_shown() -> Result<()> {
    let tab = Acting::open("/act/places").await?;
    for id in ["far", "near", "inside"] {
        let told = tab
            .done("scroll-to", json!({"selector": format!("#{id}")}))
            .await
            .with_context(|| id.to_owned())?;
        ensure!(told["confirmed"].is_array(), "{told}");
        let seen: bool = tab
            .page
            .evaluate(&format!(
                "(() => {{ const e = document.getElementById('{id}'), r = e.getBoundingClientRect();
                 return document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2) === e; }})()"
            ))
            .await?;
        ensure!(seen, "{id} cannot be seen");
    }
    for id in ["cut", "unseen"] {
        let told = tab
            .refused("scroll-to", json!({"selector": format!("#{id}")}))
            .await
            .with_context(|| id.to_owned())?;
        assert_eq!(told.code, Code::NotVisible, "{id}");
    }
    tab.untouched().await?;
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_wheel_turns_over_the_box_that_is_meant() -> Result<()> {
    let tab = Acting::open("/act/wheel").await?;
    let told = tab
        .done("wheel", json!({"selector": "#box", "deltaY": 300}))
        .await?;
    let top: i32 = tab
        .page
        .evaluate("Math.round(document.getElementById('box').scrollTop)")
        .await?;
    ensure!(top > 100, "{top}");
    assert_eq!(told["changed"]["scrolled"]["fromY"], 0, "{told}");
    ensure!(
        told["changed"]["scrolled"]["y"].as_i64() >= Some(100),
        "{told}, and the box is at {top}"
    );
    let page: i32 = tab.page.evaluate("Math.round(scrollY)").await?;
    assert_eq!(page, 0, "the page went along");
    tab.end().await
}
