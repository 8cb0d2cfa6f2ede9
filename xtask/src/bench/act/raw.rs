//! The same by the raw DevTools protocol, as fast as it goes.

use std::time::Instant;

use anyhow::Result;
use drawbridge_tests::cdp::Page;
use serde::Deserialize;
use serde_json::json;

use crate::bench::figures::milliseconds;

#[derive(Deserialize)]
struct Point {
    x: f64,
    y: f64,
}

/// Looks where the button is, moves there, presses and releases; milliseconds.
pub(super) async fn click(page: &Page) -> Result<f64> {
    let since = Instant::now();
    let middle = "(({x, y, width, height}) => ({x: x + width / 2, y: y + height / 2}))(document.getElementById('go').getBoundingClientRect())";
    let at: Point = page.evaluate(middle).await?;
    for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let event = json!({"type": kind, "x": at.x, "y": at.y, "button": button, "buttons": buttons, "clickCount": 1});
        page.send("Input.dispatchMouseEvent", event).await?;
    }
    Ok(milliseconds(since.elapsed()))
}

/// Selects all of the field and puts a text in its place; milliseconds.
pub(super) async fn fill(page: &Page, text: &str) -> Result<f64> {
    let since = Instant::now();
    let select = "document.getElementById('field').focus(), document.getElementById('field').select(), null";
    page.evaluate::<Option<()>>(select).await?;
    page.send("Input.insertText", json!({"text": text})).await?;
    Ok(milliseconds(since.elapsed()))
}
