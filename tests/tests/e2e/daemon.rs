//! Exactly one daemon per home, whoever starts it and whatever an earlier one left.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::tools::session::ListArgs;
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use futures_util::future::try_join_all;
use serde_json::{Value, json};

const LIST: [&str; 3] = ["call", "browser_session", r#"{"action":"list"}"#];

/// How often a daemon took over this home, as its log tells.
fn starts(home: &Path) -> Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(home.join("logs"))? {
        let path = entry?.path();
        let name = path.file_name().context("a name")?.to_string_lossy().into_owned();
        if name.starts_with("daemon") {
            count += fs::read_to_string(&path)?.matches("daemon up").count();
        }
    }
    Ok(count)
}

/// Processes of a sandbox that are daemons.
fn daemons(sandbox: &Sandbox) -> BTreeSet<u32> {
    processes::of(sandbox.root())
        .into_iter()
        .filter(|pid| {
            let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            words.split(|byte| *byte == 0).nth(1) == Some(b"daemon")
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_clients_at_once_start_one_daemon_and_are_all_served() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    ensure!(sandbox.daemon().is_none());
    let replies = try_join_all((0..50).map(|number| {
        let sandbox = &sandbox;
        async move {
            let mut command = sandbox.command(LIST);
            command.env("DRAWBRIDGE_CLIENT", format!("client-{number}"));
            let output = command.stdin(std::process::Stdio::null()).output().await?;
            ensure!(output.status.success(), "{number}: {output:?}");
            Ok(serde_json::from_slice::<Value>(&output.stdout)?)
        }
    }))
    .await?;
    assert_eq!(replies.len(), 50);
    for reply in replies {
        assert_eq!(reply, json!({"ok": true, "result": {"sessions": []}}));
    }
    assert_eq!(starts(sandbox.home())?, 1);
    let daemon = sandbox.daemon().context("no daemon")?;
    assert_eq!(daemons(&sandbox), BTreeSet::from([daemon]));

    // Each of them was told apart.
    let client = sandbox.client("cli").await?;
    let clients = client.admin(Admin::Clients).await?;
    let ids: BTreeSet<_> = clients
        .as_array()
        .context("a list")?
        .iter()
        .filter_map(|row| row["client"].as_str())
        .filter(|id| id.starts_with("client-"))
        .collect();
    assert_eq!(ids.len(), 50, "{clients}");
    drop(client);
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_all_kinds_at_once_replace_a_killed_daemon_by_one() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    ensure!(sandbox.cli(LIST).await?.0 == 0);
    for round in 2..=4 {
        let killed = sandbox.kill_daemon()?;
        let commands = try_join_all((0..6).map(|_| sandbox.cli(LIST)));
        let servers = try_join_all((0..4).map(|number| {
            let sandbox = &sandbox;
            async move {
                let mcp = sandbox.mcp(&format!("mcp-{number}"), "domains").await?;
                mcp.call("browser_session", json!({"action": "list"}))
                    .await?
                    .outcome
                    .0?;
                Ok::<_, anyhow::Error>(mcp)
            }
        }));
        let (commands, servers) = futures_util::future::try_join(commands, servers).await?;
        assert!(commands.iter().all(|(code, _)| *code == 0), "{commands:?}");
        let daemon = sandbox.daemon().context("no daemon")?;
        assert_ne!(daemon, killed);
        assert_eq!(daemons(&sandbox), BTreeSet::from([daemon]));
        assert_eq!(starts(sandbox.home())?, round);
        for server in servers {
            server.close(Duration::from_secs(1)).await?;
        }
    }
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_daemon_left_hinders_nobody() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let run = sandbox.home().join("run");
    fs::create_dir(&run)?;
    fs::set_permissions(&run, fs::Permissions::from_mode(0o700))?;
    // A socket that nobody listens on, locks that nobody holds, a number that is another's by now.
    drop(UnixListener::bind(run.join("daemon.sock"))?);
    for lock in ["daemon.lock", "spawn.lock"] {
        fs::write(run.join(lock), "")?;
    }
    fs::write(run.join("daemon.pid"), std::process::id().to_string())?;
    fs::write(run.join("start.error"), "an old story")?;
    let (code, text) = sandbox.cli(LIST).await?;
    assert_eq!(code, 0, "{text}");
    assert!(sandbox.daemon().is_some());
    assert!(!run.join("start.error").exists());
    let socket = fs::metadata(run.join("daemon.sock"))?;
    assert_eq!(socket.permissions().mode() & 0o777, 0o600);
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_daemon_leaves_the_first_alone() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    ensure!(sandbox.cli(LIST).await?.0 == 0);
    let client = sandbox.client("cli").await?;
    assert_eq!(sandbox.cli(["daemon"]).await?, (0, String::new()));
    assert_eq!(sandbox.daemon(), Some(client.daemon));
    client.call(&ListArgs::default()).await?;

    let (code, _) = sandbox.cli(["daemon", "--stop"]).await?;
    assert_eq!(code, 0);
    assert!(processes::ends_within(client.daemon, Duration::from_secs(3)).await);
    for file in ["daemon.sock", "daemon.pid"] {
        assert!(!sandbox.home().join("run").join(file).exists(), "{file}");
    }
    drop(client);
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_cannot_start_says_why_to_every_client() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    fs::write(sandbox.home().join("drawbridge.db"), "this is no database")?;
    for _ in 0..2 {
        let (code, text) = sandbox
            .cli(["--json", "call", "browser_session", r#"{"action":"list"}"#])
            .await?;
        assert_eq!(code, 2, "{text}");
        let reply: Value = serde_json::from_str(&text)?;
        assert_eq!(reply["error"]["code"], "not_connected");
        assert!(
            reply["error"]["message"]
                .as_str()
                .is_some_and(|text| text.contains("database")),
            "{reply}"
        );
    }
    assert_eq!(daemons(&sandbox), BTreeSet::new());
    assert_eq!(
        fs::read_to_string(sandbox.home().join("drawbridge.db"))?,
        "this is no database"
    );
    sandbox.stop().await
}
