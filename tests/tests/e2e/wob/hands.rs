//! The tools, as short as solvers want them.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use drawbridge_tests::wait;
use serde_json::{Value, json};

use crate::act::{Acting, with};

/// A solver's hands and eyes.
pub(super) struct Hands<'t> {
    pub(super) tab: &'t Acting,
}

/// An element that was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Its ref.
    pub(super) r#ref: String,
    /// What was asked for: its text or an attribute.
    pub(super) value: String,
    /// What a field holds.
    pub(super) holds: String,
    /// Its box: left, top, width, height.
    pub(super) area: [i32; 4],
}

impl Found {
    /// The middle of its box.
    pub(super) fn middle(&self) -> (i32, i32) {
        let [x, y, width, height] = self.area;
        (x + width / 2, y + height / 2)
    }
}

impl Hands<'_> {
    async fn find(&self, selector: &str, more: Value) -> Result<Vec<Found>> {
        let arguments = with(
            json!({"selector": selector, "limit": 200, "maxTokens": 50_000}),
            more,
        );
        let found = self.tab.inspect("find", arguments).await??;
        let matches = found["matches"].as_array().context("no matches")?;
        let seen = matches.iter().filter(|one| one["visible"] == true);
        seen.map(|one| {
            let side = |name: &str| {
                let px = one["bounds"][name].as_i64().unwrap_or_default();
                i32::try_from(px).unwrap_or_default()
            };
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            Ok(Found {
                r#ref: one["node"]["ref"].as_str().context("no ref")?.to_owned(),
                value: text(&one["value"]),
                holds: text(&one["node"]["value"]),
                area: [side("x"), side("y"), side("width"), side("height")],
            })
        })
        .collect()
    }

    /// Visible elements with their text.
    pub(super) async fn texts(&self, selector: &str) -> Result<Vec<Found>> {
        self.find(selector, json!({"do": "text"})).await
    }

    /// Visible elements with one of their attributes, as their markup has it.
    pub(super) async fn attributes(&self, selector: &str, name: &str) -> Result<Vec<Found>> {
        let mut all = self.boxes(selector).await?;
        for one in &mut all {
            let markup = self.markup(&one.r#ref).await?;
            let tag = markup.split_once('>').map_or(markup.as_str(), |(tag, _)| tag);
            one.value = between(tag, &format!(" {name}=\""), "\"")
                .unwrap_or_default()
                .to_owned();
        }
        Ok(all)
    }

    /// The markup of an element, as the reply has it in its text.
    pub(super) async fn markup(&self, target: &str) -> Result<String> {
        let arguments = json!({"action": "html", "target": target, "maxBytes": 4_000});
        let read = self.tab.mcp.call("browser_inspect", arguments).await?;
        read.outcome.0?;
        let from = read.text.find('<').context("no markup")?;
        Ok(read.text[from..].to_owned())
    }

    /// Visible elements with their boxes.
    pub(super) async fn boxes(&self, selector: &str) -> Result<Vec<Found>> {
        self.find(selector, json!({"do": "bounds"})).await
    }

    /// The box of the one visible element.
    pub(super) async fn one(&self, selector: &str) -> Result<Found> {
        let mut found = self.boxes(selector).await?;
        ensure!(found.len() == 1, "{} of {selector}", found.len());
        found.pop().context("it was there")
    }

    /// The visible element with a text, as soon as it is there.
    pub(super) async fn with_text(&self, selector: &str, text: &str) -> Result<Found> {
        wait::until(text, Duration::from_secs(4), async || {
            let found = self.texts(selector).await?;
            Ok(found.into_iter().find(|one| one.value.trim() == text))
        })
        .await
        .with_context(|| selector.to_owned())
    }

    /// What the task is.
    pub(super) async fn query(&self) -> Result<String> {
        let found = self.texts("#query").await?;
        let query = found.first().context("no query")?;
        Ok(query.value.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// What the query has in quotes.
    pub(super) async fn quoted(&self) -> Result<String> {
        let query = self.query().await?;
        let from = query.find('"').with_context(|| query.clone())?;
        let to = query.rfind('"').with_context(|| query.clone())?;
        ensure!(to > from, "{query}");
        Ok(query[from + 1..to].to_owned())
    }

    /// Does something.
    pub(super) async fn act(&self, action: &str, arguments: Value) -> Result<Value> {
        let told = format!("{action} {arguments}");
        let outcome = self.tab.act(action, arguments).await?;
        outcome.with_context(|| told)
    }

    /// Presses what a ref or selector names.
    pub(super) async fn click(&self, target: &str) -> Result<()> {
        self.act("click", json!({ "target": target })).await.map(drop)
    }

    /// Presses the visible element with a text.
    pub(super) async fn click_text(&self, selector: &str, text: &str) -> Result<()> {
        let found = self.with_text(selector, text).await?;
        self.click(&found.r#ref).await
    }

    /// Moves the pointer there.
    pub(super) async fn hover(&self, target: &str) -> Result<()> {
        self.act("hover", json!({ "target": target })).await.map(drop)
    }

    /// Makes this a field's value.
    pub(super) async fn fill(&self, target: &str, value: &str) -> Result<()> {
        self.act("fill", json!({"target": target, "value": value}))
            .await
            .map(drop)
    }

    /// Drags by so many px.
    pub(super) async fn drag_by(&self, target: &str, path: &[(i32, i32)]) -> Result<()> {
        let path: Vec<_> = path.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
        self.act("drag", json!({"target": target, "path": path}))
            .await
            .map(drop)
    }

    /// Drags along points of the viewport.
    pub(super) async fn drag_along(&self, path: &[(f64, f64)]) -> Result<()> {
        let path: Vec<_> = path.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
        self.act(
            "pointer",
            json!({"do": "drag", "path": path, "timeoutMs": 25_000}),
        )
        .await
        .map(drop)
    }

    /// Waits until two looks at the boxes agree and something is there.
    pub(super) async fn until_still(&self, selector: &str) -> Result<Vec<Found>> {
        let mut last = Vec::new();
        for _ in 0..80 {
            let now: Vec<_> = self.boxes(selector).await?;
            let areas: Vec<_> = now.iter().map(|one| one.area).collect();
            if !areas.is_empty() && areas == last {
                return Ok(now);
            }
            last = areas;
        }
        bail!("{selector} does not rest")
    }
}

/// The part of a text between two others.
pub(super) fn between<'t>(text: &'t str, before: &str, after: &str) -> Result<&'t str> {
    let (_, rest) = text
        .split_once(before)
        .with_context(|| format!("no {before:?} in {text}"))?;
    let (part, _) = rest
        .split_once(after)
        .with_context(|| format!("no {after:?} in {text}"))?;
    Ok(part)
}
