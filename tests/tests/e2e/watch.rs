//! What opens in a browser, be it for a moment, and what the site is asked.

use anyhow::Result;
use drawbridge_tests::cdp::Events;
use drawbridge_tests::site::Event;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

/// Looks at a world from one moment on.
pub(crate) struct Watch {
    created: Events,
    changed: Events,
    requests: usize,
}

impl Watch {
    pub(crate) async fn over(world: &World) -> Result<Self> {
        world
            .browser
            .send("Target.setDiscoverTargets", json!({"discover": true}))
            .await?;
        Ok(Self {
            created: world.browser.listen(),
            changed: world.browser.listen(),
            requests: world.site.events().len(),
        })
    }

    /// Addresses that pages and frames had since the last look.
    pub(crate) async fn addresses(&mut self, world: &World) -> Result<Vec<String>> {
        Ok(self.pages(world).await?.into_iter().map(|(url, _)| url).collect())
    }

    /// Addresses and titles that pages and frames had since the last look.
    pub(crate) async fn pages(&mut self, world: &World) -> Result<Vec<(String, String)>> {
        // Its answer comes after every event before it.
        world.browser.targets().await?;
        let mut seen = self.created.so_far("Target.targetCreated")?;
        seen.extend(self.changed.so_far("Target.targetInfoChanged")?);
        let is_page = |event: &&Value| {
            matches!(
                event["targetInfo"]["type"].as_str(),
                Some("page" | "tab" | "iframe")
            )
        };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Ok(seen
            .iter()
            .filter(is_page)
            .map(|event| {
                (
                    text(&event["targetInfo"]["url"]),
                    text(&event["targetInfo"]["title"]),
                )
            })
            .collect())
    }

    /// What the site was asked since the watch began.
    pub(crate) fn requests(&self, world: &World) -> Vec<Event> {
        world.site.events().split_off(self.requests)
    }
}
