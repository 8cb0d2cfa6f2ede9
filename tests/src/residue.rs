//! What a browser looks like to a person and to its extension, to be compared before and after.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cdp::Browser;
use crate::sandbox::Profile;
use crate::wait;

/// How long something that is being cleaned up may take; the sweep of the extension runs about every second.
const SETTLE: Duration = Duration::from_secs(6);

/// Everything that a call may leave behind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// By tab id.
    pub tabs: BTreeMap<i64, Tab>,
    /// By window id: its type and whether it has the focus.
    pub windows: BTreeMap<i64, (String, bool)>,
    /// By group id: its title.
    pub groups: BTreeMap<i64, String>,
    /// Targets that a debugger other than the harness is attached to.
    pub debugged: Vec<String>,
    /// Pages and workers the browser itself lists, by target id: kind and address.
    pub targets: BTreeMap<String, (String, String)>,
}

/// One tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tab {
    /// Address, or the one it is loading.
    pub url: String,
    /// Window, position, group.
    pub place: (i64, i64, i64),
    /// Whether it is the visible one of its window.
    pub active: bool,
    /// Whether the browser may discard it.
    pub discardable: bool,
}

/// Answers from the extension's own view, without the page that asks.
const ASK: &str = r#"(async () => {
  const me = (await chrome.tabs.getCurrent())?.id;
  const tabs = {}, windows = {}, groups = {};
  for (const t of await chrome.tabs.query({})) if (t.id !== me) tabs[t.id] =
    {url: t.pendingUrl || t.url, place: [t.windowId, t.index, t.groupId], active: t.active, discardable: t.autoDiscardable};
  for (const w of await chrome.windows.getAll()) windows[w.id] = [w.type, w.focused];
  for (const g of await chrome.tabGroups.query({})) groups[g.id] = g.title ?? '';
  const debugged = (await chrome.debugger.getTargets()).filter(t => t.attached).map(t => t.id);
  return {tabs, windows, groups, debugged, targets: {}};
})()"#;

impl Look {
    /// Looks at a browser now. `browser` is the harness' connection to it; its own sessions do not count.
    ///
    /// # Errors
    /// When the extension or the browser is gone.
    pub async fn at(profile: &Profile, browser: &Browser) -> Result<Self> {
        let page = profile.extension_page(browser).await?;
        let answer: Value = page.evaluate(ASK).await?;
        let mut look: Self = serde_json::from_value(answer).context("the extension's view")?;
        let own = page.target().to_owned();
        page.close().await?;
        look.debugged
            .retain(|target| !browser.is_attached_to(target) && *target != own);
        look.debugged.sort();
        look.targets = browser
            .targets()
            .await?
            .into_iter()
            // The worker and its keeper come and go by themselves, and the browser's own pages are nobody's residue.
            .filter(|target| !target.url.ends_with("/keeper.html"))
            .filter(|target| {
                matches!(
                    target.kind.as_str(),
                    "page" | "tab" | "background_page" | "iframe"
                )
            })
            .map(|target| (target.target_id, (target.kind, target.url)))
            .collect();
        Ok(look)
    }

    /// Waits until a browser looks as it did.
    ///
    /// # Errors
    /// What differs.
    pub async fn expect_again(&self, profile: &Profile, browser: &Browser) -> Result<()> {
        let mut last = String::new();
        let same = wait::until("the browser to look as before", SETTLE, async || {
            let now = Self::at(profile, browser).await?;
            last = self.difference(&now)?;
            Ok(last.is_empty().then_some(()))
        })
        .await;
        if same.is_err() && !last.is_empty() {
            bail!("something was left in the browser:\n{last}");
        }
        same
    }

    /// One line per entry that is new (+), gone (-) or changed (both).
    fn difference(&self, now: &Self) -> Result<String> {
        let (before, after) = (lines(self)?, lines(now)?);
        let mut difference = String::new();
        for (sign, of, other) in [('-', &before, &after), ('+', &after, &before)] {
            for line in of.iter().filter(|line| !other.contains(line)) {
                difference.push_str(&format!("{sign} {line}\n"));
            }
        }
        Ok(difference)
    }
}

fn lines(look: &Look) -> Result<Vec<String>> {
    let Value::Object(parts) = serde_json::to_value(look)? else {
        bail!("a look is an object")
    };
    let mut lines = Vec::new();
    for (part, entries) in parts {
        match entries {
            Value::Object(entries) => {
                lines.extend(entries.iter().map(|(id, entry)| format!("{part} {id} {entry}")));
            }
            Value::Array(entries) => lines.extend(entries.iter().map(|entry| format!("{part} {entry}"))),
            other => lines.push(format!("{part} {other}")),
        }
    }
    Ok(lines)
}
