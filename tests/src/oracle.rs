//! What a page holds by the browser's own account: every visible interactive element of its accessibility tree, frames
//! of every kind included. Tests judge the product's outline by it; the product itself never needs it.
//!
//! | module | what it owns |
//! |---|---|
//! | `tree` | the browser's tree: sessions, frames, nodes in order |
//! | [`element`] | which nodes count, what they are called, in which state |
//! | [`shown`] | the product's outline, as data |
//! | [`compare()`] | both beside each other: recall, agreement, order |
//! | [`report`] | figures of many pages, as a table |

pub mod compare;
pub mod element;
pub mod report;
pub mod shown;
mod tree;

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::cdp::Page;
use crate::wait;
pub use compare::{Agreement, compare};
pub use element::Element;
pub use report::Report;
pub use shown::Shown;

/// How long a page may take until all it shows is there.
const SETTLED: Duration = Duration::from_secs(20);

/// Waits until a loaded page says that all it shows is there, or has nothing to say about that. While this connection
/// is attached, the page behaves as if it were in front: what it draws by animation frames comes.
///
/// # Errors
/// When a page that reports problems reports one, or does not get there.
pub async fn settle(page: &Page) -> Result<()> {
    page.send("Emulation.setFocusEmulationEnabled", json!({"enabled": true}))
        .await?;
    page.until("document.readyState === 'complete'").await?;
    let root = "document.documentElement.dataset";
    let waits: bool = page
        .evaluate("document.scripts[0]?.src.endsWith('/web/widgets.js') ?? false")
        .await?;
    if !waits {
        return Ok(());
    }
    wait::until("all that the page shows", SETTLED, async || {
        let problem: Option<String> = page.evaluate(&format!("{root}.problem ?? null")).await?;
        if let Some(problem) = problem {
            bail!("the page has a problem: {problem}");
        }
        Ok(page
            .evaluate::<bool>(&format!("'ready' in {root}"))
            .await?
            .then_some(()))
    })
    .await
}

/// Every visible interactive element of a page, in document order.
///
/// # Errors
/// When the browser does not tell its tree.
pub async fn read(page: &Page) -> Result<Vec<Element>> {
    element::of(tree::read(page).await?)
}

/// The browser's own name for each element with an attribute, by backend node id, together with the attribute's value.
/// Only the main frame is looked at.
///
/// # Errors
/// When the browser does not tell its tree.
pub async fn names_of(page: &Page, attribute: &str) -> Result<Vec<Named>> {
    let names: BTreeMap<i64, (String, String)> = tree::read(page)
        .await?
        .into_iter()
        .filter_map(|node| Some((node.backend?, (node.role, node.name))))
        .collect();
    let mut document = page
        .send("DOM.getDocument", json!({"depth": -1, "pierce": true}))
        .await?;
    let mut found = Vec::new();
    let mut todo = vec![document["root"].take()];
    while let Some(mut node) = todo.pop() {
        let attributes = node["attributes"].take();
        let backend = node["backendNodeId"]
            .as_i64()
            .context("a node without a backend id")?;
        let value = attributes.as_array().and_then(|pairs| {
            let mut pairs = pairs.chunks_exact(2);
            pairs.find_map(|pair| {
                (pair[0] == attribute).then(|| pair[1].as_str().unwrap_or_default().to_owned())
            })
        });
        if let Some(value) = value {
            let (role, name) = names.get(&backend).cloned().unwrap_or_default();
            found.push(Named {
                value,
                role,
                name,
                backend,
            });
        }
        for inside in ["children", "shadowRoots"] {
            if let Some(children) = node[inside].as_array_mut() {
                // The stack gives the last one first.
                todo.extend(children.drain(..).rev());
            }
        }
    }
    Ok(found)
}

/// An element with an attribute that a test asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Value of the attribute.
    pub value: String,
    /// The browser's own role; empty where its tree does not have the element.
    pub role: String,
    /// The browser's own name.
    pub name: String,
    /// Backend node id, for the harness' own commands.
    pub backend: i64,
}
