//! The process that a browser starts: frames and nothing else on stdout, and gone as soon as nobody needs it.

use std::collections::BTreeSet;
use std::fs::File;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::link::ToExtension;
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_protocol::version::EXTENSION_ID;
use drawbridge_tests::client::read_frame;
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::extension::{Played, hello};

/// Within which a host is gone once its browser is.
const GONE: Duration = Duration::from_secs(1);

/// How long a daemon may take to start, and a host to pass a welcome on.
const STARTED: Duration = Duration::from_secs(10);

type Link = Played<ChildStdout, ChildStdin>;

/// Starts a host with the pipes a browser gives it.
fn start(mut command: Command) -> Result<(Child, Link)> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (source, sink) = (child.stdout.take(), child.stdin.take());
    let link = Played::over(source.context("stdout")?, sink.context("stdin")?);
    Ok((child, link))
}

async fn introduced(link: &mut Link) -> Result<()> {
    wait::within("a welcome", STARTED, link.introduce()).await
}

/// Closes stdin; the exit code, and everything that still came on stdout, once the process is gone.
async fn leave(mut child: Child, link: Link) -> Result<(Option<i32>, Vec<u8>)> {
    let Played { mut source, sink, .. } = link;
    drop(sink);
    let status = wait::within("the host to end", GONE, async { Ok(child.wait().await?) }).await?;
    let mut rest = Vec::new();
    source.read_to_end(&mut rest).await?;
    Ok((status.code(), rest))
}

#[tokio::test(flavor = "multi_thread")]
async fn help_and_hand_started_ones_print_nothing_on_stdout() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let origin = format!("chrome-extension://{EXTENSION_ID}/");
    let strange = format!("chrome-extension://{}/", "a".repeat(32));
    let cases: &[(&[&str], i32)] = &[
        (&["native-host"], 1),
        (&["native-host", "--help"], 0),
        (&["native-host", "-h", "--json"], 0),
        (&["native-host", "--version"], 1),
        (&["native-host", &origin], 1),
        // As a browser would start it, and with what a person may add.
        (&[&origin, "--help"], 0),
        (&[&origin, "--parent-window=0", "--version"], 0),
        (&[&strange], 1),
        (&["chrome-extension://"], 1),
    ];
    for (arguments, code) in cases {
        let (ended, stdout) = sandbox.cli(arguments.iter().copied()).await?;
        assert_eq!((ended, stdout.as_str()), (*code, ""), "{arguments:?}");
    }
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn traces_and_shells_that_print_put_nothing_between_the_frames() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let greeting = sandbox.root().join("tmp/greeting.sh");
    std::fs::write(&greeting, "echo hello from the shell\n")?;
    for full_disk in [false, true] {
        let mut command = sandbox.native_host("hand")?;
        command
            .env("RUST_LOG", "trace")
            .env("DRAWBRIDGE_LOG", "trace")
            .env("RUST_BACKTRACE", "full")
            .env("ENV", &greeting)
            .env("BASH_ENV", &greeting);
        if full_disk {
            command.stderr(File::options().write(true).open("/dev/full")?);
        }
        let (child, mut link) = start(command)?;
        introduced(&mut link).await?;
        let watcher = sandbox.client("watcher").await?;
        let call = watcher.start(&EchoArgs {
            text: "\u{1b}[31m".repeat(100_000),
            ..EchoArgs::default()
        })?;
        link.answer().await?;
        assert_eq!(call.result::<EchoArgs>().await?.text.len(), 500_000);
        drop(watcher);
        assert_eq!(leave(child, link).await?, (Some(0), Vec::new()));
    }
    let logged = std::fs::read_dir(sandbox.home().join("logs"))?.count();
    ensure!(logged >= 2, "traces went nowhere");
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_ends_it_and_is_no_frame() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let mut command = sandbox.native_host("hand")?;
    command
        .env("DRAWBRIDGE_FAULT", "panic")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // Its browser keeps the port open.
    let stdin = child.stdin.take();
    let output = wait::within("the host to end", STARTED, async {
        Ok(child.wait_with_output().await?)
    })
    .await?;
    drop(stdin);
    assert!(output.stdout.is_empty(), "{output:?}");
    assert_eq!(output.status.code(), Some(101));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a fault that was asked for"));
    let logs = std::fs::read_dir(sandbox.home().join("logs"))?
        .map(|entry| Ok(std::fs::read_to_string(entry?.path())?))
        .collect::<Result<String>>()?;
    assert!(logs.contains("panic"), "the log does not tell: {logs}");
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_gone_within_a_second_of_the_browsers_end_whatever_it_does() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;

    // While no daemon can start: somebody else seems to be starting one.
    let run = sandbox.home().join("run");
    std::fs::create_dir(&run)?;
    std::fs::set_permissions(&run, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    let held = File::create(run.join("spawn.lock"))?;
    held.lock()?;
    let (child, link) = start(sandbox.native_host("waiting")?)?;
    let pid = child.id().context("it ended")?;
    wait::until("the host to look for a daemon", STARTED, async || {
        let open = std::fs::read_dir(format!("/proc/{pid}/fd"))?.count();
        Ok((open > 6).then_some(()))
    })
    .await?;
    assert_eq!(leave(child, link).await?, (Some(0), Vec::new()));
    drop(held);

    // Before anything was said, and once connected.
    for introduce in [false, true] {
        let (child, mut link) = start(sandbox.native_host("quiet")?)?;
        if introduce {
            introduced(&mut link).await?;
        }
        let (code, stdout) = leave(child, link).await?;
        assert_eq!((code, stdout.len()), (Some(0), 0), "introduced: {introduce}");
    }

    // In the middle of a frame of its own.
    let (child, mut link) = start(sandbox.native_host("broken")?)?;
    introduced(&mut link).await?;
    tokio::io::AsyncWriteExt::write_all(&mut link.sink, &[200, 0, 0, 0, b'{']).await?;
    assert_eq!(leave(child, link).await?.0, Some(3));

    // While it cannot get rid of what the daemon sends.
    let (mut child, mut link) = start(sandbox.native_host("full")?)?;
    introduced(&mut link).await?;
    let watcher = sandbox.client("watcher").await?;
    let call = watcher.start(&EchoArgs {
        text: "x".repeat(8_000_000),
        ..EchoArgs::default()
    })?;
    // The first bytes come, the rest fills the pipe.
    link.source.read_exact(&mut [0; 16]).await?;
    drop(link.sink);
    wait::within("the host to end", GONE, async { Ok(child.wait().await?) }).await?;
    let error = call.answer().await?.outcome.err().context("an echo of nobody")?;
    assert_eq!(error.code, drawbridge_protocol::Code::NotConnected, "{error}");
    drop(watcher);
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn it_ends_with_the_daemon_so_that_the_extension_connects_anew() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let (mut child, mut link) = start(sandbox.native_host("hand")?)?;
    introduced(&mut link).await?;
    sandbox.kill_daemon()?;
    let status = wait::within("the host to end", GONE, async { Ok(child.wait().await?) }).await?;
    assert_eq!(status.code(), Some(2));
    assert!(read_frame(&mut link.source).await?.is_none());
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hello_that_does_not_fit_is_answered_and_ends_it() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let (mut child, mut link) = start(sandbox.native_host("hand")?)?;
    let mut old = serde_json::to_value(hello())?;
    old["protocol"] = 0.into();
    drawbridge_tests::client::write_frame(&mut link.sink, &serde_json::to_vec(&old)?).await?;
    let said = wait::within("an answer", STARTED, link.next()).await?;
    let Some(ToExtension::Refused { error }) = said else {
        anyhow::bail!("{said:?}")
    };
    assert_eq!(error.code, drawbridge_protocol::Code::VersionMismatch, "{error}");
    wait::within("the host to end", GONE * 2, async { Ok(child.wait().await?) }).await?;
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_extension_toggled_twenty_times_leaves_no_host() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let profile = world.sandbox.profile();
    let settings = world.browser.open("chrome://extensions/").await?;
    let toggle = async |enabled: bool| {
        let id = EXTENSION_ID;
        let words = format!("chrome.management.setEnabled('{id}', {enabled}).then(() => true)");
        settings.evaluate::<bool>(&words).await
    };
    let mut hosts = BTreeSet::from_iter(profile.native_hosts());
    ensure!(hosts.len() == 1, "{hosts:?}");
    for number in 1..=20 {
        toggle(false).await?;
        toggle(true).await?;
        if number % 2 == 0 {
            // Every other time it is switched off again before its host is there.
            continue;
        }
        let host = wait::until("a new host", STARTED, async || {
            Ok(profile
                .native_hosts()
                .into_iter()
                .find(|host| !hosts.contains(host)))
        })
        .await?;
        hosts.insert(host);
    }
    ensure!(hosts.len() == 11, "{hosts:?}");
    toggle(false).await?;
    wait::until("no host to be left", GONE * 2, async || {
        Ok(
            (profile.native_hosts().is_empty() && !hosts.iter().any(|host| processes::runs(*host)))
                .then_some(()),
        )
    })
    .await?;
    toggle(true).await?;
    wait::until("the extension to connect again", STARTED, async || {
        Ok(world.client.call(&EchoArgs::default()).await.ok())
    })
    .await?;
    ensure!(profile.native_hosts().len() == 1, "{:?}", profile.native_hosts());
    settings.close().await?;
    world.leaves_nothing().await
}
