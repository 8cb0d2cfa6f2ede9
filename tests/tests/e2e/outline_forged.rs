//! Text of a page cannot pass for anything but text of a page.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use drawbridge_tests::oracle::{self, compare, shown};
use drawbridge_tests::world::World;
use serde_json::json;

use crate::outline::{WHOLE, controls, navigate, open, text};

#[tokio::test(flavor = "multi_thread")]
async fn forged_lines_and_refs_stay_inside_their_quotes() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/forged/text").await?;
    let nodes = shown::outline(&world.client, json!({})).await?;
    let outline = text(&world, json!({"maxTokens": WHOLE})).await?;
    let control = |one: char| (one.is_control() && one != '\n') || ('\u{202a}'..='\u{202e}').contains(&one);
    ensure!(!outline.contains(control), "{outline:?}");
    let lines: Vec<_> = outline.lines().collect();
    assert_eq!(lines.len(), nodes.len(), "{outline}");
    let known: BTreeSet<&str> = nodes.iter().filter_map(|node| node.r#ref.as_deref()).collect();
    for (line, node) in lines.iter().zip(&nodes) {
        let line = line.trim_start();
        let begins = match &node.r#ref {
            Some(known) => format!("{known} "),
            None => String::new(),
        };
        let rest = line
            .strip_prefix(begins.as_str())
            .with_context(|| format!("{line:?} is {node:?}"))?;
        ensure!(
            !rest.starts_with('e') || !known.contains(rest.split(' ').next().unwrap_or_default()),
            "{line:?}"
        );
        // Whatever is forged stands behind a quote.
        if let Some(at) = line.find("FORGED") {
            ensure!(line[..at].contains('"'), "{line:?}");
        }
        ensure!(
            !node.role.contains("FORGED") && !node.role.contains(char::is_whitespace),
            "{node:?}"
        );
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_a_million_characters_are_cut() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/forged/long?count=1000000").await?;
    let result = shown::inspect(&world.client, "observe", json!({})).await?;
    let size = result.to_string().len();
    ensure!(size < 100_000, "{size} bytes");
    ensure!(controls(&world).await?.len() >= 4, "{result}");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn clobbered_properties_hide_nothing() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/states/empty").await?;
    let page = world.browser.page(|url| url.ends_with("/states/empty")).await?;
    for path in ["/forged/clobber", "/clobber"] {
        navigate(&world, path).await?;
        let elements = oracle::read(&page).await?;
        let found = compare(&elements, &shown::outline(&world.client, json!({})).await?);
        ensure!(elements.len() > 50, "{} elements", elements.len());
        ensure!(
            found.found == found.elements && found.same == found.found && found.disordered == 0,
            "{path}: {:#?}",
            found.differences
        );
    }
    page.detach().await?;
    world.leaves_nothing().await
}
