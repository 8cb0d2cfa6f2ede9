//! Text, rows and markup of real pages, in parts: each within its budget, all of them together the whole.

use anyhow::{Context, Result, ensure};
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::outline::{open, refusal};

/// Every part of a read, in order.
async fn parts(world: &World, action: &str, mut args: Value, fields: &[&str]) -> Result<Vec<Value>> {
    let mut all = Vec::new();
    loop {
        let result = inspect(&world.client, action, args.clone()).await?;
        let Some(cursor) = result.get("nextCursor").cloned() else {
            ensure!(result.get("truncated").is_none(), "{result}");
            all.push(result);
            return Ok(all);
        };
        assert_eq!(result["truncated"], true);
        ensure!(
            fields
                .iter()
                .any(|field| result["omitted"][field].as_u64() > Some(0)),
            "{result}"
        );
        all.push(result);
        ensure!(all.len() < 500, "it never ends");
        args["cursor"] = cursor;
    }
}

fn joined(parts: &[Value], field: &str) -> Result<String> {
    parts
        .iter()
        .map(|part| part[field].as_str().context("a text"))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn text_in_parts_is_the_whole_text_from_either_end() -> Result<()> {
    let world = World::shared().await?;
    let lines: String = (0..300)
        .map(|n| format!("<p>Line {n}: 👨‍👩‍👧‍👦 e\u{301} 🇧🇪 好 שלום</p>"))
        .collect();
    world
        .site
        .put("/lines", format!("<title>Lines</title><main>{lines}</main>"));
    open(&world, "/lines").await?;
    let whole = inspect(&world.client, "text", json!({"maxTokens": 200_000})).await?;
    let whole = whole["text"].as_str().context("a text")?;
    assert_eq!(whole.lines().count(), 300);
    for args in [json!({"maxChars": 997}), json!({"maxTokens": 600})] {
        let parts = parts(&world, "text", args, &["characters"]).await?;
        ensure!(parts.len() > 5);
        assert_eq!(joined(&parts, "text")?, whole);
    }
    let mut parts = parts(
        &world,
        "text",
        json!({"maxChars": 997, "tail": true}),
        &["characters"],
    )
    .await?;
    ensure!(whole.ends_with(parts[0]["text"].as_str().context("a text")?));
    parts.reverse();
    assert_eq!(joined(&parts, "text")?, whole);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_in_parts_are_all_rows_once() -> Result<()> {
    let world = World::shared().await?;
    let rows: String = (0..500)
        .map(|n| format!("<tr><td>{n}<td>Order, \"{n}\"<td>{}.00</tr>", n * 3))
        .collect();
    world.site.put(
        "/rows",
        format!("<table><thead><tr><th>Number<th>What<th>Total</tr></thead><tbody>{rows}</tbody></table>"),
    );
    open(&world, "/rows").await?;
    let read = parts(&world, "table", json!({"maxTokens": 3_000}), &["rows"]).await?;
    ensure!(read.len() > 2);
    let all: Vec<&Value> = read
        .iter()
        .filter_map(|part| part["rows"].as_array())
        .flatten()
        .collect();
    assert_eq!(all.len(), 500);
    for (n, row) in all.iter().enumerate() {
        let wanted = json!({"Number": n.to_string(), "What": format!("Order, \"{n}\""), "Total": format!("{}.00", n * 3)});
        assert_eq!(**row, wanted);
    }
    assert_eq!(read[0]["totalRows"], 500);
    let csv = parts(
        &world,
        "table",
        json!({"format": "csv", "maxTokens": 3_000}),
        &["rows"],
    )
    .await?;
    let lines: Vec<&str> = csv
        .iter()
        .filter_map(|part| part["csv"].as_str())
        .flat_map(|csv| csv.lines().skip(1))
        .collect();
    assert_eq!(lines.len(), 500);
    assert_eq!(lines[7], "7,\"Order, \"\"7\"\"\",21.00");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn markup_in_parts_is_what_the_browser_serialises() -> Result<()> {
    let world = World::shared().await?;
    let items: String = (0..400)
        .map(|n| format!("<li class=\"row\">é {n} &amp; more</li>"))
        .collect();
    world.site.put("/items", format!("<ul id=list>{items}</ul>"));
    open(&world, "/items").await?;
    let page = world.browser.page(|url| url.ends_with("/items")).await?;
    let whole: String = page.evaluate("document.querySelector('#list').outerHTML").await?;
    page.detach().await?;
    let read = parts(
        &world,
        "html",
        json!({"target": "#list", "maxBytes": 2_000}),
        &["characters"],
    )
    .await?;
    for part in &read {
        ensure!(part["html"].as_str().is_some_and(|html| html.len() <= 2_000));
        assert_eq!(part["bytes"], whole.len());
    }
    assert_eq!(joined(&read, "html")?, whole);
    ensure!(refusal(&world, "html", json!({})).await? == drawbridge_protocol::Code::InvalidArgument);
    world.leaves_nothing().await
}
