//! Replies keep to their budget, say exactly what is missing, and go on where they were cut.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::world::World;
use serde_json::json;

use crate::outline::{WHOLE, meaning, navigate, open, refusal, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_outline_goes_on_without_loss_or_repetition() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/huge/rows?count=400").await?;
    let whole = text(&world, json!({"maxTokens": WHOLE})).await?;
    for tokens in [700, 2_000] {
        let mut arguments = json!({"maxTokens": tokens});
        let mut lines: Vec<String> = Vec::new();
        let mut missing = None;
        loop {
            let result = inspect(&world.client, "observe", arguments.clone()).await?;
            let piece = result["outline"].as_str().context("no outline")?;
            ensure!(!piece.is_empty(), "an empty piece");
            let used = bpe_openai::o200k_base().count(piece);
            ensure!(used <= tokens, "{used} of {tokens} tokens");
            lines.extend(piece.lines().map(str::to_owned));
            let Some(cursor) = result["nextCursor"].as_str() else {
                ensure!(result.get("truncated").is_none(), "{}", result["omitted"]);
                break;
            };
            assert_eq!(result["truncated"], true);
            let nodes = result["omitted"]["nodes"].as_u64().context("omitted.nodes")?;
            ensure!(
                missing.is_none_or(|before| nodes < before),
                "{nodes} of {missing:?}"
            );
            missing = Some(nodes);
            arguments["cursor"] = json!(cursor);
        }
        assert_eq!(lines, whole.lines().collect::<Vec<_>>(), "{tokens}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_reply_is_small_and_what_is_past_the_cut_is_reachable() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/huge/table?count=20000").await?;
    let result = inspect(&world.client, "observe", json!({})).await?;
    let used = bpe_openai::o200k_base().count(&result.to_string());
    ensure!(used <= 2_500, "{used} tokens");
    assert_eq!(result["truncated"], true);
    ensure!(
        result["omitted"].is_object() && result["nextCursor"].is_string(),
        "{result}"
    );
    let found = inspect(
        &world.client,
        "find",
        json!({"target": {"role": "link", "name": "Order 20000"}, "do": "state"}),
    )
    .await?;
    assert_eq!(found["total"], 1, "{found}");
    let last = found["matches"][0]["node"]["ref"].as_str().context("a ref")?;
    assert_eq!(meaning(&world, last).await?, "Order 20000");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tiny_budget_gives_whole_lines_or_says_no() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/patterns/labels").await?;
    let whole = text(&world, json!({"maxTokens": WHOLE})).await?;
    let lines: Vec<_> = whole.lines().collect();
    for tokens in [1, 5, 20, 60, 150] {
        match inspect(&world.client, "observe", json!({"maxTokens": tokens})).await {
            Ok(result) => {
                let piece = result["outline"].as_str().context("no outline")?;
                ensure!(
                    piece
                        .lines()
                        .enumerate()
                        .all(|(index, line)| line == lines[index]),
                    "{tokens}: {piece}"
                );
            }
            Err(error) => ensure!(
                [Code::InvalidArgument, Code::TooLarge].contains(&error.code),
                "{tokens}: {error}"
            ),
        }
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_ends_with_its_document_and_with_the_next_look() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/huge/rows?count=400").await?;
    let cursor = async || -> Result<String> {
        let result = inspect(&world.client, "observe", json!({"maxTokens": 500})).await?;
        Ok(result["nextCursor"].as_str().context("no cursor")?.to_owned())
    };
    let first = cursor().await?;
    inspect(
        &world.client,
        "observe",
        json!({"maxTokens": 500, "cursor": first}),
    )
    .await?;
    let second = cursor().await?;
    let stale = refusal(&world, "observe", json!({"maxTokens": 500, "cursor": first})).await?;
    assert_eq!(stale, Code::StaleSnapshot);
    navigate(&world, "/huge/rows?count=401").await?;
    let stale = refusal(&world, "observe", json!({"maxTokens": 500, "cursor": second})).await?;
    assert_eq!(stale, Code::StaleSnapshot);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_a_hundred_thousand_elements_is_read_and_cut() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/huge/elements?count=100000").await?;
    let result = inspect(&world.client, "observe", json!({})).await?;
    ensure!(
        result.to_string().len() < 100_000,
        "{} bytes",
        result.to_string().len()
    );
    assert_eq!(result["truncated"], true);
    ensure!(
        result["omitted"]["controls"].as_u64() > Some(20_000),
        "{}",
        result["omitted"]
    );
    world.leaves_nothing().await
}
