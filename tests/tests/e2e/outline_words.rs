//! Text that is hard to handle, logs, and lists of which a part exists.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::outline::{WHOLE, controls, open, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_long_log_gives_its_end_and_its_matches() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/huge/log?count=5000000").await?;
    let none = inspect(
        &world.client,
        "text",
        json!({"scope": "log", "logMatch": "no such thing"}),
    )
    .await?;
    assert_eq!(
        (&none["text"], &none["matchedLineCount"]),
        (&json!(""), &json!(0))
    );
    ensure!(none.get("truncated").is_none_or(|told| told == false), "{none}");
    let some = inspect(
        &world.client,
        "text",
        json!({"scope": "log", "logMatch": "ERROR", "logMaxMatches": 3, "maxTokens": WHOLE}),
    )
    .await?;
    let lines: Vec<_> = some["text"].as_str().context("text")?.lines().collect();
    assert_eq!(lines.len(), 3, "{some}");
    ensure!(lines.iter().all(|line| line.contains(" ERROR ")), "{lines:?}");
    ensure!(
        some["matchedLineCount"].as_u64() > Some(100),
        "{}",
        some["matchedLineCount"]
    );
    assert_eq!(some["matchTruncated"], true);
    let tail = inspect(
        &world.client,
        "text",
        json!({"scope": "log", "tail": true, "maxChars": 200}),
    )
    .await?;
    let end = tail["text"].as_str().context("text")?;
    ensure!(
        end.ends_with("the last line") && end.chars().count() <= 200,
        "{end}"
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_text_comes_out_as_text() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/torture").await?;
    let outline = text(&world, json!({"maxTokens": WHOLE})).await?;
    let control = |one: char| one.is_control() && one != '\n';
    ensure!(!outline.contains(control), "{outline:?}");
    ensure!(outline.contains("lone \u{fffd} end"), "{outline}");
    let all = controls(&world).await?;
    // One button and one field for each kind of text.
    assert_eq!(all.len() % 2, 0, "{all:?}");
    assert!(all.len() > 40);
    // White space is matched alike by every way to find something.
    for target in [
        json!({"text": "foo bar baz qux"}),
        json!({"role": "button", "name": "foo bar baz qux"}),
    ] {
        let found = inspect(&world.client, "find", json!({"target": target, "do": "count"})).await?;
        ensure!(found["total"].as_u64() >= Some(1), "{target}: {found}");
    }
    for words in ["שלום עולם", "مرحبا بالعالم", "東京都は日本の首都です。"] {
        let target = json!({"role": "button", "name": words});
        let found = inspect(&world.client, "find", json!({"target": target, "do": "count"})).await?;
        assert_eq!(found["total"], 1, "{words}");
    }
    let mut given = 0;
    for most in 1..40 {
        let args = json!({"selector": "#family-p", "maxChars": most});
        match inspect(&world.client, "text", args).await {
            Ok(read) => {
                given += 1;
                let text = read["text"].as_str().context("text")?;
                ensure!(!text.is_empty() && !text.ends_with('\u{200d}'), "{most}: {read}");
            }
            // A family is one thing to a person: less than one of them is none.
            Err(error) => ensure!(error.code == Code::TooLarge && given == 0, "{most}: {error}"),
        }
    }
    ensure!(given > 20, "{given}");
    world.leaves_nothing().await
}

/// What row `at` of the virtual list says.
fn row(at: usize) -> [String; 2] {
    let name = if at.is_multiple_of(10) {
        format!("Row {at}")
    } else {
        format!("Same {}", at / 3)
    };
    [name, format!("v{}", at % 4)]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_row_of_a_virtual_list_comes_once_and_in_order() -> Result<()> {
    for kind in ["grid", "plain", "slow"] {
        let world = World::shared().await?;
        open(&world, &format!("/virtual?kind={kind}")).await?;
        let args = json!({"scroll": true, "maxRows": 2000, "maxTokens": WHOLE, "timeoutMs": 60_000});
        let read = inspect(&world.client, "table", args).await?;
        let rows = read["rows"]
            .as_array()
            .with_context(|| format!("rows of {read}"))?;
        assert_eq!(rows.len(), 1000, "{kind}");
        for (at, found) in rows.iter().enumerate() {
            // By column, or as a list of cells.
            let cells: Vec<&str> = match found {
                Value::Array(cells) => cells.iter().filter_map(Value::as_str).collect(),
                other => other
                    .as_object()
                    .into_iter()
                    .flat_map(|map| map.values())
                    .filter_map(Value::as_str)
                    .collect(),
            };
            assert_eq!(cells, row(at), "{kind} {at}");
        }
        world.leaves_nothing().await?;
    }
    Ok(())
}
