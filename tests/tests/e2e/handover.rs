//! Versions: who works with whom, who makes room for whom, and who is told what to update.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::link::{ToBridge, ToExtension};
use drawbridge_protocol::local::{FromDaemon, ToDaemon};
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_protocol::tools::session::{Lease, List, ListArgs, StartArgs, StatusArgs};
use drawbridge_protocol::version::{CAPABILITY_REVISION, PROTOCOL};
use drawbridge_tests::client::{read_frame, write_frame};
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::extension::{Played, introduction, link_hello, socket};

const LIST: [&str; 3] = ["call", "browser_session", r#"{"action":"list"}"#];
const NEWER: &str = "99.0.0";
const PATIENCE: Duration = Duration::from_secs(30);

/// What the daemon answers to a first message.
async fn first(sandbox: &Sandbox, message: &ToDaemon) -> Result<FromDaemon> {
    let mut stream = socket(sandbox).await?;
    write_frame(&mut stream, &serde_json::to_vec(message)?).await?;
    let answer = wait::within("an answer", PATIENCE, async {
        read_frame(&mut stream).await?.context("closed")
    })
    .await?;
    Ok(serde_json::from_slice(&answer)?)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_daemon_lets_its_calls_finish_and_makes_room_for_a_newer_one() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let old = world.client.daemon;
    let running = world.client.start(&EchoArgs {
        text: "to the end".into(),
        wait_ms: Some(4_000),
        ..EchoArgs::default()
    })?;
    let mut command = world.sandbox.command(LIST);
    command
        .env("DRAWBRIDGE_PRETEND_BUILD", NEWER)
        .stdin(std::process::Stdio::null());
    let newer = async { anyhow::Ok(command.output().await?) };
    let during = async {
        wait::until("the older daemon to take no more", PATIENCE, async || match world
            .client
            .call(&EchoArgs::default())
            .await
        {
            Ok(_) => Ok(None),
            Err(error) => {
                assert_eq!(error.code, Code::NotConnected, "{error}");
                assert!(error.message.contains("newer"), "{error}");
                Ok(Some(()))
            }
        })
        .await?;
        ensure!(processes::runs(old), "it did not wait for its calls");
        Ok(running.result::<EchoArgs>().await?)
    };
    let (output, finished) = futures_util::future::try_join(newer, during).await?;
    ensure!(output.status.success(), "{output:?}");
    assert_eq!(finished.text, "to the end");
    assert!(processes::ends_within(old, PATIENCE).await);
    ensure!(world.sandbox.daemon().is_some_and(|pid| pid != old));

    // The browser comes to the newer one by itself, with its older extension, and is told so.
    let status = wait::until("the browser to connect", PATIENCE, async || {
        let client = world.sandbox.client(world.id().as_str()).await?;
        let status = client.call(&StatusArgs::default()).await?;
        Ok(status.connected.then_some(status))
    })
    .await?;
    assert_eq!(status.bridge, NEWER);
    assert_eq!(status.required_revision, CAPABILITY_REVISION);
    assert_eq!(status.issues[0].id, "extension_update_available", "{status:?}");
    ensure!(status.issues[0].repair.contains(NEWER), "{status:?}");

    // An older client works with it and drains nothing.
    let newer = world.sandbox.daemon();
    assert_eq!(world.sandbox.cli(LIST).await?.0, 0);
    assert_eq!(world.sandbox.daemon(), newer);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timed_session_and_its_tab_outlive_a_hand_over_and_an_attached_one_does_not() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let old = world.client.daemon;
    let url = world.site.url("/states/ok");
    let start = |lease| StartArgs {
        url: Some(url.clone()),
        lease: Some(lease),
        ..StartArgs::default()
    };
    let timed = world.client.call(&start(Lease::Timed)).await?;
    let attached = world.client.call(&start(Lease::Attached)).await?;
    let mut newer = world.sandbox.command(LIST);
    newer
        .env("DRAWBRIDGE_PRETEND_BUILD", NEWER)
        .stdin(std::process::Stdio::null());
    let output = newer.output().await?;
    ensure!(output.status.success(), "{output:?}");
    assert!(processes::ends_within(old, PATIENCE).await);
    let client = world.sandbox.client(world.id().as_str()).await?;
    // The session is there before its browser is.
    let ids = |list: &List| list.sessions.iter().map(|row| row.id.clone()).collect::<Vec<_>>();
    assert_eq!(
        ids(&client.call(&ListArgs {}).await?),
        std::slice::from_ref(&timed.session)
    );
    let read = json!({"action": "text", "session": timed.session, "tab": timed.tab});
    let mut last = None;
    let text = wait::until("the session to work", PATIENCE, async || {
        match client.call_raw("browser_inspect", read.clone()).await {
            Ok(text) => Ok(Some(text)),
            Err(error) => {
                last = Some(error);
                Ok(None)
            }
        }
    })
    .await
    .with_context(|| format!("{last:?}"))?;
    assert_eq!(text["url"], url.as_str());
    let error = client
        .call_raw(
            "browser_inspect",
            json!({"action": "text", "session": attached.session}),
        )
        .await
        .err()
        .context("read")?;
    assert_eq!(error.code, Code::SessionUnknown);
    wait::until("the tab of the attached session to close", PATIENCE, async || {
        let targets = world.browser.targets().await?;
        let there = targets
            .iter()
            .filter(|target| target.kind == "page" && target.url == url);
        Ok((there.count() == 1).then_some(()))
    })
    .await?;
    client
        .call_raw("browser_stop", json!({"session": timed.session}))
        .await?;
    drop(client);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_makes_a_daemon_drain_and_each_is_told_which_side_to_update() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    ensure!(sandbox.cli(LIST).await?.0 == 0);
    let daemon = sandbox.daemon();
    for (protocol, build, side) in [
        (PROTOCOL, "0.0.1", "client"),
        (0, "0.0.1", "client"),
        (PROTOCOL, "nonsense", "client"),
    ] {
        let build = build.to_owned();
        match first(&sandbox, &ToDaemon::Drain { protocol, build }).await? {
            FromDaemon::Refused { error } => {
                assert_eq!(error.code, Code::VersionMismatch);
                assert!(
                    error.hint.is_some_and(|hint| hint.contains(side)),
                    "{}",
                    error.message
                );
            }
            other => anyhow::bail!("{other:?}"),
        }
    }
    for (protocol, side) in [(0, "update the client"), (PROTOCOL + 1, "update the bridge")] {
        let mut hello = serde_json::to_value(ToDaemon::Client(client_hello()))?;
        hello["protocol"] = protocol.into();
        match first(&sandbox, &serde_json::from_value(hello)?).await? {
            FromDaemon::Refused { error } => {
                assert_eq!(error.code, Code::VersionMismatch);
                assert!(error.message.contains("0.1.0"), "{error}");
                assert!(
                    error.hint.is_some_and(|hint| hint.starts_with(side)),
                    "{protocol}"
                );
            }
            other => anyhow::bail!("{other:?}"),
        }
    }
    assert_eq!(sandbox.daemon(), daemon);
    sandbox.stop().await
}

fn client_hello() -> drawbridge_protocol::local::ClientHello {
    drawbridge_protocol::local::ClientHello {
        protocol: PROTOCOL,
        build: "0.1.0".into(),
        client: "older".into(),
        name: "older".into(),
        secret: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn extensions_inside_the_range_work_with_a_notice_and_others_hear_which_side_to_update() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    ensure!(sandbox.cli(LIST).await?.0 == 0);
    let client = sandbox.client("cli").await?;
    let ours = introduction();
    let inside = [
        (PROTOCOL, None, ours.build.as_str(), CAPABILITY_REVISION, None),
        (
            PROTOCOL,
            None,
            "0.0.9",
            CAPABILITY_REVISION,
            Some("extension_update_available"),
        ),
        (
            PROTOCOL,
            None,
            ours.build.as_str(),
            1,
            Some("extension_runtime_stale"),
        ),
        (
            PROTOCOL + 1,
            Some(PROTOCOL),
            "0.2.0",
            CAPABILITY_REVISION + 1,
            Some("bridge_update_available"),
        ),
    ];
    for (protocol, oldest_bridge, build, capability_revision, notice) in inside {
        let mut link = link(&sandbox).await?;
        let mut hello = ours.clone();
        (hello.protocol, hello.oldest_bridge, hello.capability_revision) =
            (protocol, oldest_bridge, capability_revision);
        hello.build = build.to_owned();
        let welcome = wait::within("a welcome", PATIENCE, link.greet_as(&ToBridge::Hello(hello))).await?;
        assert_eq!(
            welcome.socket.is_some(),
            capability_revision > 1,
            "what it cannot use is not offered"
        );
        let status = client.start(&StatusArgs::default())?;
        wait::within("the echo of the status", PATIENCE, link.answer()).await?;
        let status = status.result::<StatusArgs>().await?;
        assert!(status.connected, "{status:?}");
        assert_eq!(
            status.issues.first().map(|issue| issue.id.as_str()),
            notice,
            "{status:?}"
        );
        let target = status.target.context("a target")?;
        assert_eq!(
            (target.capability_revision, status.required_revision),
            (capability_revision, CAPABILITY_REVISION)
        );
    }
    for (protocol, side) in [(0, "update the extension"), (PROTOCOL + 1, "update the bridge")] {
        let mut link = link(&sandbox).await?;
        let mut hello = ours.clone();
        hello.protocol = protocol;
        link.send(&ToBridge::Hello(hello)).await?;
        match wait::within("an answer", PATIENCE, link.next()).await? {
            Some(ToExtension::Refused { error }) => {
                assert_eq!(
                    (error.code, error.hint.as_deref()),
                    (Code::VersionMismatch, Some(side))
                );
                let both = format!("extension (0.1.0, protocol {protocol}) and the bridge (0.1.0");
                assert!(error.message.contains(&both), "{error}");
            }
            other => anyhow::bail!("{other:?}"),
        }
    }
    drop(client);
    sandbox.stop().await
}

async fn link(
    sandbox: &Sandbox,
) -> Result<Played<tokio::net::unix::OwnedReadHalf, tokio::net::unix::OwnedWriteHalf>> {
    let (source, mut sink) = socket(sandbox).await?.into_split();
    write_frame(&mut sink, &serde_json::to_vec(&link_hello())?).await?;
    Ok(Played::over(source, sink))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_was_asked_to_drain_while_idle_ends_at_once() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let (code, text) = sandbox.cli(LIST).await?;
    ensure!(
        code == 0 && serde_json::from_str::<Value>(&text)?["ok"] == true,
        "{text}"
    );
    let daemon = sandbox.daemon().context("no daemon")?;
    let build = NEWER.to_owned();
    let answer = first(
        &sandbox,
        &ToDaemon::Drain {
            protocol: PROTOCOL + 1,
            build,
        },
    )
    .await?;
    assert_eq!(
        answer,
        FromDaemon::Draining {
            pid: daemon,
            limit_ms: 30_000
        }
    );
    assert!(processes::ends_within(daemon, Duration::from_secs(2)).await);
    sandbox.stop().await
}
