//! The same page reads the same, and what is called the same is told apart.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use drawbridge_tests::world::World;
use serde_json::json;

use crate::outline::{WHOLE, controls, meaning, navigate, open, text};

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_page_reads_the_same_to_the_byte() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/states/empty").await?;
    for path in [
        "/patterns/labels",
        "/shadow/open",
        "/frames/same",
        "/huge/buttons?count=600",
        "/hidden/shown",
    ] {
        navigate(&world, path).await?;
        let first = text(&world, json!({"maxTokens": WHOLE})).await?;
        assert!(first.lines().count() > 3, "{first}");
        for _ in 0..4 {
            assert_eq!(text(&world, json!({"maxTokens": WHOLE})).await?, first, "{path}");
        }
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn six_hundred_buttons_of_one_name_have_a_ref_each() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/huge/buttons?count=600").await?;
    let all = controls(&world).await?;
    assert_eq!(all.len(), 600);
    assert!(all.iter().all(|one| one.role == "button" && one.name == "Delete"));
    let refs: BTreeSet<_> = all.iter().filter_map(|one| one.r#ref.clone()).collect();
    assert_eq!(refs.len(), 600);
    for index in [0, 299, 599] {
        let found = all[index].r#ref.as_deref().context("a ref")?;
        assert_eq!(meaning(&world, found).await?, "Delete");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn deep_and_wide_pages_are_read_to_their_end() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/huge/wrappers?count=4000").await?;
    let deep = controls(&world).await?;
    assert_eq!((deep.len(), deep[0].name.as_str()), (1, "Deep"));
    navigate(&world, "/huge/labels?count=10000").await?;
    let wide = controls(&world).await?;
    assert_eq!(wide.len(), 10_000);
    for (index, one) in wide.iter().enumerate() {
        assert_eq!(one.name, format!("Field {}", index + 1));
    }
    world.leaves_nothing().await
}
