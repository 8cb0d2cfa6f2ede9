//! Suggested recipes, run as they are.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::recipe::State;
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::project;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::outline::open;

/// Suggestions for a page of the site, each run at once: what it gives is what was said.
async fn run_all(world: &World, path: &str) -> Result<Vec<Value>> {
    let read = inspect(&world.client, "suggest", json!({})).await?;
    let suggestions = read["suggestions"].as_array().context("suggestions")?.clone();
    for one in &suggestions {
        let mut recipe = one["recipe"].clone();
        // Whether the rows of this page are all there is, is not asked.
        recipe["maxPages"] = json!(1);
        let result = world.extract(recipe.clone()).await?;
        ensure!(
            matches!(result.state, State::Ok | State::Incomplete),
            "{path}: {:?} of {recipe}",
            result
        );
        ensure!(
            Some(result.rows.len() as u64) == one["rows"].as_u64(),
            "{path}: {} rows of {one}",
            result.rows.len()
        );
        for evidence in one["evidence"].as_array().context("evidence")? {
            let field = evidence["field"].as_str().context("field")?;
            let present = result.rows.iter().filter(|row| !row[field].is_null()).count() as u64;
            ensure!(
                Some(present) == evidence["present"].as_u64(),
                "{path}: {field} is in {present} rows: {evidence}"
            );
        }
    }
    Ok(suggestions)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suggested_recipe_gives_exactly_the_rows_it_names() -> Result<()> {
    let world = World::shared().await?;
    let cards: String = (1..=7)
        .map(|nth| {
            let note = if nth % 3 == 0 { "<em class=note>Sale</em>" } else { "" };
            format!(
                "<article class='product css-1q2w3e'><a href=/p/{nth}><img src=/{nth}.png alt=''></a><h2><a href=/p/{nth}>Product {nth}</a></h2>
                 <p class=price>{nth} €</p>{note}<time datetime=2026-01-0{nth}>day {nth}</time></article>"
            )
        })
        .collect();
    world.site.put(
        "/products",
        format!("<title>Shop</title><nav><ul><li><a href=/a>a</a><li><a href=/b>b</a><li><a href=/c>c</a></ul></nav>
            <main><h1>Products</h1><div class=grid>{cards}</div><a rel=next href='/products?page=2'>More</a></main>"),
    );
    open(&world, "/products").await?;
    let suggestions = run_all(&world, "/products").await?;
    let best = &suggestions.first().context("a suggestion")?["recipe"];
    assert_eq!(
        (&best["rows"], &best["next"]),
        (&json!("article.product"), &json!("a[rel=\"next\"]"))
    );
    let names: Vec<&str> = best["fields"]
        .as_array()
        .context("fields")?
        .iter()
        .filter_map(|field| field["name"].as_str())
        .collect();
    for name in ["price", "url", "image", "date", "note"] {
        ensure!(names.contains(&name), "{name} in {names:?}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn suggestions_for_saved_pages_run() -> Result<()> {
    if project::shared()?.is_none() {
        return Ok(());
    }
    let world = World::shared().await?;
    for page in [
        "recipes/budgetbytes_groups",
        "recipes/argiro_1",
        "articles/wikipedia",
        "articles/lwn-1",
        "articles/heise",
    ] {
        let path = format!("/saved/{page}.html");
        open(&world, &path).await?;
        let suggestions = run_all(&world, &path).await?;
        ensure!(
            !suggestions.is_empty() || page.ends_with("heise"),
            "{page}: nothing repeats"
        );
        world
            .client
            .call_raw("browser_session", json!({"action": "stop"}))
            .await?;
    }
    world.leaves_nothing().await
}
