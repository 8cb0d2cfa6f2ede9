//! Which refs of a tab may have been told.

use anyhow::Result;
use drawbridge_protocol::ids::{TabId, TargetId};
use rusqlite::params;

use super::Store;

/// Tabs whose refs are remembered over a restart; a browser hands out no tab id twice, so older ones are not missed.
const TABS_KEPT: i64 = 5_000;

/// The refs of one tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabRefs {
    /// The profile.
    pub target: TargetId,
    /// The tab.
    pub tab: TabId,
    /// The first number that is free for certain.
    pub reserved: u32,
}

impl Store {
    /// The refs of all tabs that are remembered; forgets the oldest beyond a bound.
    pub async fn tab_refs(&self) -> Result<Vec<TabRefs>> {
        self.run(|db| {
            db.execute(
                "DELETE FROM tab_refs WHERE rowid NOT IN
                   (SELECT rowid FROM tab_refs ORDER BY rowid DESC LIMIT ?1)",
                [TABS_KEPT],
            )?;
            db.prepare("SELECT target, tab, reserved FROM tab_refs")?
                .query_map([], |row| {
                    Ok(TabRefs {
                        target: TargetId(row.get(0)?),
                        tab: TabId(row.get(1)?),
                        reserved: row.get(2)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// Writes how far the refs of a tab may have been told; a tab that is written last is forgotten last.
    pub async fn put_tab_refs(&self, refs: TabRefs) -> Result<()> {
        self.run(move |db| {
            db.execute(
                "INSERT OR REPLACE INTO tab_refs VALUES (?1, ?2, ?3)",
                params![refs.target.0, refs.tab.0, refs.reserved],
            )
            .map(drop)
        })
        .await
    }

    /// Forgets the refs of a tab that is gone for good.
    pub fn drop_tab_refs(&self, target: TargetId, tab: TabId) {
        drop(self.hand(move |db| {
            db.execute(
                "DELETE FROM tab_refs WHERE target = ?1 AND tab = ?2",
                params![target.0, tab.0],
            )
        }));
    }
}
