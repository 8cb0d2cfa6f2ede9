//! What the product shows of a page, as data: `browser_inspect` with `action: observe`, `mode: structured`.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Error;
use serde::Deserialize;
use serde_json::{Value, json};

use super::element::STATES;
use crate::client::Client;

/// The deadline of a read, where a test names none.
const PATIENCE_MS: u32 = 60_000;

/// Tokens asked for at once, the most there are.
const TOKENS: u32 = 200_000;

/// Pieces that one outline is read in at most.
const PIECES: usize = 100;

/// One node of the product's outline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Shown {
    /// Its ref.
    pub r#ref: Option<String>,
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Option<String>,
    /// How many nodes it is inside of.
    pub depth: u32,
    /// States that hold.
    pub states: BTreeSet<String>,
    /// `control`, `region`, or empty.
    pub kind: String,
}

impl Shown {
    /// Those of its states that the browser tells of too.
    pub fn comparable(&self) -> BTreeSet<&'static str> {
        STATES
            .iter()
            .copied()
            .filter(|state| self.states.contains(*state))
            .collect()
    }
}

/// The whole outline of a tab, piece by piece.
///
/// # Errors
/// What the call ended with, or that it does not end.
pub async fn outline(client: &Client, extra: Value) -> Result<Vec<Shown>> {
    let mut arguments = json!({"mode": "structured", "maxTokens": TOKENS});
    merge(&mut arguments, extra);
    let mut nodes = Vec::new();
    for _ in 0..PIECES {
        let mut result = inspect(client, "observe", arguments.clone()).await?;
        let piece = result["nodes"].take();
        let piece: Vec<Shown> =
            serde_json::from_value(piece).with_context(|| format!("the nodes of {result}"))?;
        ensure!(
            !piece.is_empty() || nodes.is_empty(),
            "a piece of an outline without a node"
        );
        nodes.extend(piece);
        let Some(cursor) = result["nextCursor"].as_str() else {
            return Ok(nodes);
        };
        arguments["cursor"] = json!(cursor);
    }
    anyhow::bail!("an outline in more than {PIECES} pieces")
}

/// Calls an action of `browser_inspect`.
///
/// # Errors
/// What the call ended with.
pub async fn inspect(client: &Client, action: &str, arguments: Value) -> Result<Value, Error> {
    // Pages of any size on a machine that does other things meanwhile: deadlines are not what these reads are about.
    let mut whole = json!({"action": action, "timeoutMs": PATIENCE_MS});
    merge(&mut whole, arguments);
    client.call_raw("browser_inspect", whole).await
}

fn merge(into: &mut Value, from: Value) {
    if let (Some(into), Value::Object(from)) = (into.as_object_mut(), from) {
        into.extend(from);
    }
}
