//! A page under the strictest policy, which watches, is read in every way and notices nothing.

use anyhow::{Context, Result};
use drawbridge_protocol::tools::session::StopArgs;
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::outline::{controls, names};

#[tokio::test(flavor = "multi_thread")]
async fn no_read_shows_to_a_page_that_watches() -> Result<()> {
    let world = World::shared().await?;
    for path in ["/strict/form", "/strict", "/strict/none"] {
        crate::outline::open(&world, path).await?;
        for (action, arguments) in [
            ("observe", json!({})),
            ("observe", json!({"mode": "structured", "includeHidden": true})),
            ("observe", json!({"viewportOnly": true})),
            ("observe", json!({"diff": true})),
            ("text", json!({})),
            ("text", json!({"format": "markdown"})),
            ("find", json!({"query": "send the form"})),
            ("find", json!({"target": {"role": "link"}, "do": "state"})),
            ("html", json!({"selector": "main"})),
            ("dom", json!({})),
            ("selectors", json!({})),
            ("suggest", json!({})),
        ] {
            let read = inspect(&world.client, action, arguments.clone()).await;
            read.with_context(|| format!("{path}: {action} {arguments}"))?;
        }
        if path == "/strict/form" {
            inspect(&world.client, "table", json!({})).await?;
            assert_eq!(
                names(&controls(&world).await?),
                [
                    "Name",
                    "Agree",
                    "Kind",
                    "More",
                    "Inside",
                    "In a root",
                    "Division",
                    "Send"
                ]
            );
        }
        world.client.call(&StopArgs::default()).await?;
    }
    world
        .site
        .until("the page to say what it saw", |event| {
            event.body.contains("\"evidence\"")
        })
        .await?;
    assert_eq!(
        world.site.requests("/report").len(),
        0,
        "{:?}",
        world.site.requests("/report")
    );
    for event in world.site.requests("/log") {
        let said: Value = serde_json::from_str(&event.body)?;
        let kind = said["kind"].as_str().context("kind")?;
        assert!(["loaded", "evidence"].contains(&kind), "{said}");
        assert_eq!(said["detail"]["globals"], json!([]), "{said}");
    }
    world.leaves_nothing().await
}
