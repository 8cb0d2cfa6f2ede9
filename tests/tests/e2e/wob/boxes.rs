//! Tasks with boxes, radios and lists.

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::hands::{Hands, between};

/// `Select a, b and click Submit.`
pub(super) async fn check(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let names: Vec<_> = between(&query, "Select ", " and click")?.split(", ").collect();
    let labels = hands.texts("#area label").await?;
    let inputs = hands.boxes("#area label input").await?;
    ensure!(labels.len() == inputs.len(), "{labels:?} {inputs:?}");
    for (label, input) in labels.iter().zip(&inputs) {
        if names.contains(&label.value.trim()) {
            hands.act("check", json!({ "ref": input.r#ref })).await?;
        }
    }
    hands.click("#subbtn").await
}

/// `Select a and click Submit.`
pub(super) async fn option(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let name = between(&query, "Select ", " and click")?;
    hands
        .act(
            "check",
            json!({"target": {"role": "radio", "name": name, "exact": true}}),
        )
        .await?;
    hands.click("#subbtn").await
}

/// `Select a from the list and click Submit.`, `Select a, b from the scroll list and click Submit.`
pub(super) async fn choose(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let asked = between(&query, "Select ", " from the ")?;
    let all = if query.contains("scroll list") {
        // A name may have a comma in it.
        let options = hands.texts("#options option").await?;
        let mut rest = asked;
        let mut chosen = Vec::new();
        while !rest.is_empty() {
            let fits = options.iter().filter(|one| rest.starts_with(one.value.trim()));
            let longest = fits
                .max_by_key(|one| one.value.len())
                .with_context(|| format!("no option for {rest:?}"))?;
            let label = longest.value.trim().to_owned();
            rest = rest[label.len()..].trim_start_matches(", ");
            chosen.push(label);
        }
        chosen
    } else {
        vec![asked.to_owned()]
    };
    hands
        .act("select", json!({"selector": "#options", "labels": all}))
        .await?;
    hands.click("#area button").await
}
