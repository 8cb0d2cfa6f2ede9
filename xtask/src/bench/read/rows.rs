//! A table as rows, against a script in the page that gives the same rows.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use drawbridge_tests::cdp::Page;
use serde_json::{Value, json};

use super::super::figures::{Figures, median, milliseconds};
use super::peers::Peer;

/// Rows of the table.
const ROWS: usize = 1_000;
/// Rounds.
const ROUNDS: usize = 11;

/// What somebody who knows the page would evaluate.
const SCRIPT: &str = "(() => { const [head, ...rows] = document.querySelector('table').rows;
    const names = [...head.cells].map((cell) => cell.innerText.trim());
    return JSON.stringify(rows.map((row) => Object.fromEntries([...row.cells].map((cell, at) => [names[at], cell.innerText.trim()]))));
})()";

/// Measures both on the same page, in turns.
pub(super) async fn measure(peer: &Peer, raw: &Page, url: &str, figures: &mut Figures) -> Result<()> {
    raw.navigate(&format!("{url}&peer=raw")).await?;
    peer.navigate(&format!("{url}&{}", peer.mark())).await?;
    let mut ratios = Vec::new();
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let since = Instant::now();
        let text: String = raw.evaluate(SCRIPT).await?;
        let rows: Vec<Value> = serde_json::from_str(&text)?;
        let other = milliseconds(since.elapsed());
        let since = Instant::now();
        let read = peer
            .result(
                "browser_inspect",
                json!({"action": "table", "maxRows": ROWS, "maxTokens": 200_000}),
            )
            .await?;
        let took = milliseconds(since.elapsed());
        let told = read["rows"].as_array().context("no rows")?;
        ensure!(
            told.len() == rows.len() && read["nextCursor"].is_null(),
            "{} rows instead of {}",
            told.len(),
            rows.len()
        );
        if round > 0 {
            ratios.push(took / other.max(0.001));
            own.push(took);
            others.push(other);
        }
    }
    figures.note("table of 1,000 rows as JSON", median(&mut own), "ms");
    figures.note("the same by a script in the page", median(&mut others), "ms");
    figures.add(
        "table of 1,000 rows as JSON: to the script",
        median(&mut ratios),
        2.5,
        "×",
    );
    Ok(())
}
