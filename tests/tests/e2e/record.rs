//! The record of calls: whoever changes it while nobody looks is found out by what a browser remembers of it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::tools::session::{StatusArgs, StatusIssue};
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use rusqlite::Connection;
use serde_json::{Value, json};

const ISSUE: &str = "audit_changed";
const PATIENCE: Duration = Duration::from_secs(30);

/// Where the browser has the record end, once that is at least here.
async fn kept_from(world: &World, seq: u64) -> Result<Value> {
    let profile = world.sandbox.profile();
    let page = profile.extension_page(&world.browser).await?;
    let mut last = Value::Null;
    let kept = wait::until("the browser to hear of the record", PATIENCE, async || {
        last = page
            .evaluate("chrome.storage.local.get('records').then((kept) => kept.records ?? [])")
            .await?;
        let end = last[0][1].clone();
        Ok(end["seq"].as_u64().is_some_and(|kept| kept >= seq).then_some(end))
    })
    .await;
    page.close().await?;
    kept.with_context(|| format!("from {seq}: {last}"))
}

/// Number of the last row, and whether the bridge says that the record is as it was.
async fn verified(world: &World) -> Result<(u64, bool)> {
    let (_, text) = world.sandbox.cli(["audit", "verify", "--json"]).await?;
    let found: Value = serde_json::from_str(&text).with_context(|| text.clone())?;
    let seq = found["result"]["head"]["seq"].as_u64().context("no head")?;
    Ok((seq, found["result"]["intact"] == true))
}

/// Changes the home while neither the browser nor the bridge runs, and starts both again.
async fn meanwhile(world: &mut World, change: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    world.sandbox.quit_browser(1)?;
    let (code, text) = world.sandbox.cli(["daemon", "--stop"]).await?;
    ensure!(code == 0, "{text}");
    change(world.sandbox.home())?;
    world.sandbox.restart_browser(1).await?;
    world.client = world.sandbox.client(world.id().as_str()).await?;
    world.expects_from_now().await
}

async fn issues(world: &World) -> Result<Vec<StatusIssue>> {
    Ok(world.client.call(&StatusArgs::default()).await?.issues)
}

/// The issue is in the status, in `doctor`, in what both print, and in `audit verify`.
async fn is_told(world: &World, what: &str) -> Result<()> {
    let issue = wait::until(what, PATIENCE, async || {
        Ok(issues(world).await?.into_iter().find(|issue| issue.id == ISSUE))
    })
    .await?;
    ensure!(issue.repair.contains("audit delete"), "{what}: {issue:?}");
    let (_, text) = world.sandbox.cli(["doctor", "--json"]).await?;
    let diagnosis: Value = serde_json::from_str(&text)?;
    let bridge = &diagnosis["result"]["hops"][1];
    ensure!(
        bridge["issue"] == ISSUE && bridge["ok"] == true,
        "{what}: {diagnosis}"
    );
    for command in [["chrome", "status"].as_slice(), &["doctor"]] {
        let (_, text) = world.sandbox.cli(command.iter().copied()).await?;
        ensure!(
            text.contains(ISSUE) && text.contains("somebody changed the record"),
            "{what}: {text}"
        );
    }
    ensure!(!verified(world).await?.1, "{what}");
    Ok(())
}

fn sql(home: &Path, statements: &str) -> Result<()> {
    let database = Connection::open(home.join("drawbridge.db"))?;
    Ok(database.execute_batch(statements)?)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_was_changed_meanwhile_is_an_issue_and_a_deleted_one_is_none() -> Result<()> {
    let mut world = World::fresh(Options::default()).await?;
    let database = world.sandbox.home().join("drawbridge.db");
    let (old, good) = (database.with_extension("old"), database.with_extension("good"));
    for _ in 0..3 {
        world.client.call(&StatusArgs::default()).await?;
    }
    meanwhile(&mut world, |_| Ok(fs::copy(&database, &old).map(drop)?)).await?;
    for _ in 0..3 {
        world.client.call(&StatusArgs::default()).await?;
    }
    let (seq, intact) = verified(&world).await?;
    ensure!(seq > 6 && intact);
    let kept = kept_from(&world, seq).await?;
    ensure!(
        kept["hash"].as_str().is_some_and(|hash| hash.len() == 64),
        "{kept}"
    );
    // Nobody changed anything: a restart alone is no issue.
    meanwhile(&mut world, |_| Ok(fs::copy(&database, &good).map(drop)?)).await?;
    kept_from(&world, seq).await?;
    ensure!(issues(&world).await?.is_empty());

    let cut = "DELETE FROM audit_log WHERE seq > 4";
    let emptied = "DELETE FROM audit_log";
    let changed =
        "DROP TRIGGER audit_log_stays; UPDATE audit_log SET body = replace(body, 'ok', 'no') WHERE seq = 2";
    for (what, statements) in [
        ("an end that was cut off", cut),
        ("no record any more", emptied),
        ("an early row that was changed", changed),
    ] {
        meanwhile(&mut world, |home| {
            fs::copy(&good, home.join("drawbridge.db"))?;
            sql(home, statements)
        })
        .await?;
        is_told(&world, what).await?;
    }
    // It hangs together by itself, and it is not what the browser saw.
    meanwhile(&mut world, |home| {
        Ok(fs::copy(&old, home.join("drawbridge.db")).map(drop)?)
    })
    .await?;
    is_told(&world, "an older copy").await?;
    meanwhile(&mut world, |home| {
        Ok(fs::remove_file(home.join("drawbridge.db"))?)
    })
    .await?;
    is_told(&world, "no database any more").await?;
    // Calls go on, it does not heal by itself, also not over a restart.
    let remembered = kept_from(&world, 1).await?;
    for _ in 0..10 {
        world.client.call_raw("browser_echo", json!({})).await?;
    }
    meanwhile(&mut world, |_| Ok(())).await?;
    is_told(&world, "after a restart").await?;
    ensure!(kept_from(&world, 1).await? == remembered);

    // A person begins anew.
    let (code, text) = world.sandbox.cli(["audit", "delete", "--yes", "--json"]).await?;
    ensure!(code == 0, "{text}");
    let (seq, intact) = verified(&world).await?;
    ensure!(intact && Some(seq) > remembered["seq"].as_u64());
    kept_from(&world, seq).await?;
    ensure!(issues(&world).await?.is_empty());
    meanwhile(&mut world, |_| Ok(())).await?;
    kept_from(&world, seq + 1).await?;
    ensure!(issues(&world).await?.is_empty());
    world.leaves_nothing().await
}
