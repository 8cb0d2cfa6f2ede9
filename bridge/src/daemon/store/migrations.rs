//! The shape of the database, one step per version. A step that was released is never changed.

use anyhow::{Result, bail};
use rusqlite::{Connection, TransactionBehavior};

const STEPS: &[&str] = &[
    include_str!("1.sql"),
    include_str!("2.sql"),
    include_str!("3.sql"),
    include_str!("4.sql"),
];

/// Runs the steps that a database has not seen, all or none.
pub(super) fn run(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: u32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let version = version as usize;
    if version > STEPS.len() {
        bail!(
            "it was written by a newer version of Drawbridge (shape {version}, this one knows {}): update the bridge",
            STEPS.len()
        );
    }
    for step in &STEPS[version..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", STEPS.len() as u32)?;
    transaction.commit()?;
    Ok(())
}
