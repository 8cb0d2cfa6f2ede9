//! The folder that holds all state: refused where others could have put something into it, and never lost.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::process::Command;

#[tokio::test(flavor = "multi_thread")]
async fn a_home_that_others_can_write_into_is_refused() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    for (folder, mode) in [
        ("", 0o770),
        ("", 0o777),
        ("run", 0o720),
        ("logs", 0o702),
        ("files", 0o1777),
    ] {
        let path = sandbox.home().join(folder);
        fs::create_dir_all(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(mode))?;
        let shown = format!("mode {:o}", mode & 0o777);
        let name = path.display().to_string();
        refused(
            &sandbox,
            sandbox.home(),
            &[name.trim_end_matches('/'), &shown, "700"],
        )
        .await?;
        fs::set_permissions(&path, Permissions::from_mode(0o700))?;
    }
    // Readable by others is repaired without a word.
    fs::set_permissions(sandbox.home(), Permissions::from_mode(0o755))?;
    let (code, _) = sandbox.cli(["grants", "list"]).await?;
    assert_eq!(code, 0);
    assert_eq!(fs::metadata(sandbox.home())?.permissions().mode() & 0o777, 0o700);
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_with_links_in_it_is_refused() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let elsewhere = sandbox.root().join("elsewhere");
    fs::create_dir(&elsewhere)?;
    let link = sandbox.root().join("link");
    symlink(sandbox.home(), &link)?;
    refused(&sandbox, &link, &[&link.display().to_string(), "is a link"]).await?;
    for folder in ["run", "logs", "files"] {
        let path = sandbox.home().join(folder);
        if path.exists() {
            fs::remove_dir(&path)?;
        }
        symlink(&elsewhere, &path)?;
        refused(
            &sandbox,
            sandbox.home(),
            &[&path.display().to_string(), "is a link"],
        )
        .await?;
        fs::remove_file(&path)?;
        fs::write(&path, "")?;
        refused(
            &sandbox,
            sandbox.home(),
            &[&path.display().to_string(), "no folder"],
        )
        .await?;
        fs::remove_file(&path)?;
    }
    assert_eq!(
        fs::read_dir(&elsewhere)?.count(),
        0,
        "something was put behind a link"
    );
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_of_somebody_else_is_refused() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    if !rustix::process::geteuid().is_root() {
        // What belongs to the system is somebody else's.
        refused(&sandbox, Path::new("/usr"), &["/usr", "belongs to user 0"]).await?;
        return sandbox.stop().await;
    }
    for folder in ["", "run"] {
        let path = sandbox.home().join(folder);
        fs::create_dir_all(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(0o700))?;
        std::os::unix::fs::chown(&path, Some(65_534), Some(65_534))?;
        let shown = path.display().to_string();
        refused(
            &sandbox,
            sandbox.home(),
            &[shown.trim_end_matches('/'), "belongs to user 65534"],
        )
        .await?;
        std::os::unix::fs::chown(&path, Some(0), Some(0))?;
    }
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_no_socket_can_have_is_refused() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let long = sandbox.root().join("x".repeat(100));
    refused(&sandbox, &long, &["107", "shorter DRAWBRIDGE_HOME"]).await?;
    let odd = sandbox.root().join("with a space and ü");
    let (code, _) = run(&sandbox, &odd, &["grants", "list"]).await?;
    assert_eq!(code, 0);
    let pid = processes::daemon(&odd).context("a daemon")?;
    let (code, _) = run(&sandbox, &odd, &["daemon", "--stop"]).await?;
    assert_eq!(code, 0);
    ensure!(!processes::runs(pid), "the daemon still runs");
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_database_is_an_error_and_stays_as_it_is() -> Result<()> {
    let sandbox = with_a_grant().await?;
    let path = sandbox.home().join("drawbridge.db");
    let whole = fs::read(&path)?;
    for (what, bytes) in [
        ("another file", b"this is no database at all\n".repeat(400)),
        (
            "zeros over the header",
            [vec![0; 512], whole[512..].to_vec()].concat(),
        ),
        ("half of it", whole[..whole.len() / 2].to_vec()),
        (
            "noise over its tables",
            [&whole[..100], &vec![0xa5; whole.len() - 100]].concat(),
        ),
    ] {
        fs::write(&path, &bytes)?;
        let (code, reply) = json_of(&sandbox, &["grants", "list"]).await?;
        assert_eq!(code, 2, "{what}: {reply}");
        let message = reply["error"]["message"].as_str().unwrap_or_default();
        ensure!(message.contains("drawbridge.db"), "{what}: {reply}");
        assert_eq!(fs::read(&path)?, bytes, "{what}: it was changed");
        ensure!(sandbox.daemon().is_none(), "{what}: a daemon runs");
    }
    // The right one back, everything is there.
    fs::write(&path, &whole)?;
    expect_the_grant(&sandbox).await?;
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_a_newer_version_is_left_for_that_version() -> Result<()> {
    let sandbox = with_a_grant().await?;
    let path = sandbox.home().join("drawbridge.db");
    let version = |number: u32| -> Result<()> {
        Ok(Connection::open(&path)?.pragma_update(None, "user_version", number)?)
    };
    let ours = Connection::open(&path)?.pragma_query_value(None, "user_version", |row| row.get(0))?;
    version(99)?;
    let (code, reply) = json_of(&sandbox, &["grants", "list"]).await?;
    assert_eq!(code, 2, "{reply}");
    let message = reply["error"]["message"].as_str().unwrap_or_default();
    for part in ["newer version", "shape 99", "update the bridge"] {
        ensure!(message.contains(part), "{part}: {reply}");
    }
    ensure!(sandbox.daemon().is_none(), "a daemon runs");
    version(ours)?;
    expect_the_grant(&sandbox).await?;
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_decided_outlives_a_daemon_that_is_killed() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    for number in 0..10 {
        let site = format!("shop{number}.example");
        let revoke = ["grants", "revoke", "somebody", "browser.read", "--site", &site];
        let (code, _) = sandbox.cli(revoke).await?;
        assert_eq!(code, 0);
        // What was answered is kept, however soon the end comes.
        sandbox.kill_daemon()?;
    }
    let (_, reply) = json_of(&sandbox, &["grants", "list"]).await?;
    assert_eq!(reply["result"].as_array().map(Vec::len), Some(10), "{reply}");
    sandbox.stop().await
}

/// A home without a daemon whose database holds one grant.
async fn with_a_grant() -> Result<Sandbox> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let set = [
        "grants",
        "set",
        "somebody",
        "browser.read",
        "allow",
        "--site",
        "shop.example",
        "--yes",
    ];
    for command in [&set[..], &["daemon", "--stop"]] {
        let (code, text) = sandbox.cli(command.iter().copied()).await?;
        assert_eq!(code, 0, "{command:?}: {text}");
    }
    // All of it is in one file now.
    Connection::open(sandbox.home().join("drawbridge.db"))?.query_row(
        "PRAGMA wal_checkpoint(TRUNCATE)",
        [],
        |_| Ok(()),
    )?;
    for tail in ["drawbridge.db-wal", "drawbridge.db-shm"] {
        let path = sandbox.home().join(tail);
        if path.exists() {
            fs::remove_file(path)?;
        }
    }
    Ok(sandbox)
}

async fn expect_the_grant(sandbox: &Sandbox) -> Result<()> {
    let (code, reply) = json_of(sandbox, &["grants", "list"]).await?;
    assert_eq!(code, 0, "{reply}");
    assert_eq!(
        reply["result"],
        json!([{"subject": "somebody", "action": "browser.read", "site": "shop.example", "decision": "allow"}])
    );
    Ok(())
}

/// Every role refuses a home, with exit code 2 and words that name what is wrong, and starts nothing.
async fn refused(sandbox: &Sandbox, home: &Path, parts: &[&str]) -> Result<()> {
    for command in [
        &["grants", "list", "--json"][..],
        &["daemon", "--json"],
        &["mcp", "--json"],
    ] {
        let (code, text) = run(sandbox, home, command).await?;
        assert_eq!(code, 2, "{command:?}: {text}");
        let reply: Value = serde_json::from_str(&text).with_context(|| text.clone())?;
        let message = reply["error"]["message"].as_str().unwrap_or_default();
        for part in parts {
            ensure!(message.contains(part), "{command:?} does not say {part}: {reply}");
        }
    }
    let (code, text) = run(sandbox, home, &["grants", "list"]).await?;
    assert_eq!((code, text.as_str()), (2, ""), "people read stderr");
    ensure!(processes::daemon(home).is_none(), "a daemon runs");
    Ok(())
}

async fn run(sandbox: &Sandbox, home: &Path, words: &[&str]) -> Result<(i32, String)> {
    let output = Command::new(sandbox.bridge())
        .args(words)
        .env("DRAWBRIDGE_HOME", home)
        .env_remove("DRAWBRIDGE_CLIENT")
        // So that everything is ended with the sandbox.
        .env("TMPDIR", sandbox.root().join("tmp"))
        .stdin(std::process::Stdio::null())
        .output()
        .await?;
    Ok((
        output.status.code().unwrap_or(-1),
        String::from_utf8(output.stdout)?,
    ))
}

async fn json_of(sandbox: &Sandbox, words: &[&str]) -> Result<(i32, Value)> {
    let words = [words, &["--json"]].concat();
    let (code, text) = sandbox.cli(words).await?;
    let reply = serde_json::from_str(&text).with_context(|| text.clone())?;
    Ok((code, reply))
}
