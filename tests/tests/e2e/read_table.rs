//! Tables, grids and lists as rows.

use anyhow::{Context, Result, ensure};
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::world::World;
use serde_json::json;

use crate::outline::{WHOLE, open};

#[tokio::test(flavor = "multi_thread")]
async fn spans_are_resolved_and_hidden_rows_left_out() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/table",
        "<table aria-label=Scores><thead><tr><th rowspan=2>Name<th colspan=2>Score<tr><th>One<th>Two</thead>
         <tfoot><tr><td>Sum<td>4<td>6</tfoot><tbody><tr><td>Ann<td>1<td>2<tr style='display:none'><td>x<td>x<td>x
         <tr><td>Ben<td colspan=2>none</tbody></table>",
    );
    open(&world, "/table").await?;
    let read = inspect(&world.client, "table", json!({})).await?;
    assert_eq!(
        read["columns"],
        json!(["Name", "Score / One", "Score / Two"]),
        "{read}"
    );
    assert_eq!(
        read["rows"],
        json!([
            {"Name": "Ann", "Score / One": "1", "Score / Two": "2"},
            {"Name": "Ben", "Score / One": "none", "Score / Two": "none"},
            {"Name": "Sum", "Score / One": "4", "Score / Two": "6"},
        ])
    );
    assert_eq!(
        (&read["kind"], &read["name"], &read["totalRows"]),
        (&json!("table"), &json!("Scores"), &json!(3))
    );
    let some = inspect(
        &world.client,
        "table",
        json!({"columns": ["score / two", "1"], "format": "csv"}),
    )
    .await?;
    let lines: Vec<&str> = some["csv"].as_str().context("csv")?.lines().collect();
    assert_eq!(lines, ["Score / Two,Name", "2,Ann", "none,Ben", "6,Sum"]);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_rows_come_whole_and_a_list_of_cards_has_columns() -> Result<()> {
    let world = World::shared().await?;
    let rows: String = (0..1_000)
        .map(|nth| format!("<tr><td>{nth}<td>Item {nth}<td>{}", nth * 2))
        .collect();
    world.site.put(
        "/long",
        format!("<table><tr><th>Id<th>Title<th>Price{rows}</table>"),
    );
    let cards: String = ["Alpha", "Beta", "Gamma"]
        .iter()
        .map(|title| {
            format!(
                "<li class=card><h3 class=title>{title}</h3><span class=price>{} €</span>",
                title.len()
            )
        })
        .collect();
    world.site.put(
        "/cards",
        format!("<nav><a href=/>a</a> <a href=/b>b</a></nav><ul>{cards}</ul>"),
    );
    open(&world, "/long").await?;
    let read = inspect(&world.client, "table", json!({"maxTokens": WHOLE})).await?;
    let rows = read["rows"].as_array().context("rows")?;
    ensure!(
        rows.len() == 1_000 && rows[999] == json!({"Id": "999", "Title": "Item 999", "Price": "1998"}),
        "{}",
        rows.len()
    );
    crate::outline::navigate(&world, "/cards").await?;
    let read = inspect(&world.client, "table", json!({})).await?;
    assert_eq!(read["kind"], "list");
    assert_eq!(
        read["rows"][1],
        json!({"title": "Beta", "price": "4 €"}),
        "{read}"
    );
    world.leaves_nothing().await
}
