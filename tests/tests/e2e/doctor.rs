//! `doctor`: each hop broken in turn, named alone, with a repair that repairs.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::link::{Hello, ToBridge};
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_protocol::tools::session::StatusArgs;
use drawbridge_protocol::version::{BUILD, CAPABILITY_REVISION, EXTENSION_ID, NATIVE_HOST, PROTOCOL};
use drawbridge_tests::client::write_frame;
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::impostor::Impostor;
use crate::installed::{Installed, issues};

/// How long a browser that is not told anything may take to come back.
const AGAIN: Duration = Duration::from_secs(30);

/// An installed bridge that the browser of a sandbox is registered with.
struct Bench {
    world: World,
    installed: Installed,
}

impl Bench {
    async fn start() -> Result<Self> {
        let world = World::fresh(Options::default()).await?;
        let installed = Installed::in_sandbox(&world.sandbox)?;
        let folder = world.sandbox.profile().folder().display().to_string();
        let set_up = installed
            .setup(&["--here", "--wait", "30", "--user-data-dir", &folder])
            .await?;
        ensure!(set_up.code == 0, "{set_up:?}");
        ensure!(
            set_up.out.contains("connected: profile-1 answers in"),
            "set-up saw no round trip: {set_up:?}"
        );
        Ok(Self { world, installed })
    }

    fn manifest(&self) -> PathBuf {
        let folder = self.world.sandbox.profile().folder().join("NativeMessagingHosts");
        folder.join(format!("{NATIVE_HOST}.json"))
    }

    /// Ends the native host, so that the browser has to start one anew.
    fn kill_host(&self) -> Result<()> {
        let home = format!("DRAWBRIDGE_HOME={}", self.world.sandbox.home().display());
        let hosts: Vec<u32> = processes::children(self.world.sandbox.profile().pid())
            .into_iter()
            .filter(|pid| processes::environment(*pid).is_some_and(|text| text.contains(&home)))
            .collect();
        ensure!(!hosts.is_empty(), "no native host runs");
        hosts.into_iter().try_for_each(processes::kill)
    }

    /// All is well again.
    async fn healthy(&self) -> Result<Value> {
        let mut last = Value::Null;
        let seen = wait::until("doctor to find nothing", AGAIN, async || {
            let (code, diagnosis) = self.installed.doctor(&[]).await?;
            last = diagnosis.clone();
            Ok((code == 0).then_some(diagnosis))
        })
        .await;
        seen.with_context(|| last.to_string())
    }

    /// Doctor names exactly one hop, with this issue.
    async fn named(&self, hop: &str, issue: &str, code: i32) -> Result<Value> {
        let wanted = [(hop.to_owned(), issue.to_owned())];
        let mut last = (0, Value::Null);
        let seen = wait::until("doctor to name the hop", AGAIN, async || {
            last = self.installed.doctor(&[]).await?;
            Ok((issues(&last.1) == wanted).then(|| last.clone()))
        })
        .await;
        let (ended, diagnosis) = seen.with_context(|| format!("{hop} {issue}: {}", last.1))?;
        assert_eq!(ended, code, "{diagnosis}");
        assert_eq!(diagnosis["healthy"], false);
        ensure!(
            diagnosis["recommendation"]
                .as_str()
                .is_some_and(|words| words.len() > 10)
        );
        Ok(diagnosis)
    }

    /// `doctor --fix` leaves nothing broken.
    async fn fixed(&self) -> Result<()> {
        let (code, diagnosis) = self.installed.doctor(&["--fix"]).await?;
        ensure!(code == 0, "{diagnosis}");
        ensure!(
            diagnosis["fixed"]
                .as_array()
                .is_some_and(|fixed| !fixed.is_empty())
        );
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_hop_answers_and_nothing_in_the_browser_changes() -> Result<()> {
    let bench = Bench::start().await?;
    let (code, diagnosis) = bench.installed.doctor(&["--bench"]).await?;
    assert_eq!(code, 0, "{diagnosis}");
    let names: Vec<_> = diagnosis["hops"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|hop| (hop["name"].as_str().unwrap_or_default(), hop["ok"] == true))
        .collect();
    assert_eq!(
        names,
        [
            ("client", true),
            ("bridge", true),
            ("native_host", true),
            ("worker", true),
            ("page", true)
        ]
    );
    assert_eq!(diagnosis["requiredCapabilityRevision"], CAPABILITY_REVISION);
    assert_eq!(diagnosis["capabilityRevision"], CAPABILITY_REVISION);
    assert_eq!(diagnosis["targets"], json!(["profile-1"]));
    ensure!(diagnosis["bench"]["medianMs"].as_f64().is_some_and(|ms| ms > 0.0));
    ensure!(
        diagnosis["bench"]["tenMegabytesMs"]
            .as_f64()
            .is_some_and(|ms| ms > 0.0)
    );
    // The same as a tool, under both its names, and under `chrome`.
    for (tool, args) in [
        ("browser_session", json!({"action": "doctor"})),
        ("browser_doctor", json!({})),
    ] {
        let told = bench.world.client.call_raw(tool, args).await?;
        assert_eq!(told["healthy"], true, "{told}");
    }
    let chrome = bench.installed.run(&["chrome", "doctor"]).await?;
    ensure!(
        chrome.code == 0 && chrome.out.contains("native host"),
        "{chrome:?}"
    );
    bench.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_of_a_manifest_is_named_and_repaired() -> Result<()> {
    let bench = Bench::start().await?;
    let file = bench.manifest();
    let good: Value = serde_json::from_slice(&fs::read(&file)?)?;
    let with = |key: &str, value: Value| {
        let mut bad = good.clone();
        bad[key] = value;
        bad.to_string()
    };
    let cases = [
        ("host_bad_json", "{\"name\"".to_owned()),
        ("host_bad_fields", with("name", json!("dev.drawbridge.other"))),
        (
            "host_wrong_origin",
            with(
                "allowed_origins",
                json!(["chrome-extension://abcdefghijklmnopabcdefghijklmnop/"]),
            ),
        ),
        ("host_moved", with("path", json!("/nowhere/drawbridge"))),
        ("other_host", with("path", json!("/bin/cat"))),
    ];
    for (issue, text) in cases {
        // While the link lives it is named already, since the next start would fail.
        fs::write(&file, &text)?;
        bench.named("native_host", issue, 2).await?;
        if issue == "host_wrong_origin" || issue == "other_host" {
            bench.kill_host()?;
            bench.named("native_host", issue, 2).await?;
        }
        bench.fixed().await?;
    }
    fs::remove_file(&file)?;
    bench.kill_host()?;
    bench.named("native_host", "host_missing", 2).await?;
    bench.fixed().await?;
    assert_eq!(serde_json::from_slice::<Value>(&fs::read(&file)?)?, good);
    bench.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_binary_that_is_moved_exchanged_or_cannot_run_is_named() -> Result<()> {
    let mut bench = Bench::start().await?;
    let script = bench.world.sandbox.home().join("native-host");
    let text = fs::read(&script)?;
    fs::write(&script, "#!/bin/sh\nexec cat\n")?;
    bench.named("native_host", "host_script_changed", 2).await?;
    bench.fixed().await?;
    assert_eq!(fs::read(&script)?, text);

    fs::set_permissions(&script, Permissions::from_mode(0o600))?;
    bench.named("native_host", "host_not_executable", 2).await?;
    bench.fixed().await?;

    // Others could change it: a person looks first.
    fs::set_permissions(&script, Permissions::from_mode(0o777))?;
    bench.named("native_host", "host_unsafe", 2).await?;
    let (code, diagnosis) = bench.installed.doctor(&["--fix"]).await?;
    assert_eq!(code, 2, "{diagnosis}");
    assert_eq!(fs::metadata(&script)?.permissions().mode() & 0o777, 0o777);
    fs::set_permissions(&script, Permissions::from_mode(0o700))?;

    // A moved one knows that it is not where browsers look for it, and set-up from there heals it.
    let before = bench.installed.binary.clone();
    let folder = bench.world.sandbox.root().join("moved ü");
    fs::create_dir(&folder)?;
    bench.installed.binary = folder.join("drawbridge");
    fs::rename(&before, &bench.installed.binary)?;
    let moved = bench.named("native_host", "host_moved", 2).await?;
    ensure!(
        moved["recommendation"]
            .as_str()
            .is_some_and(|words| words.contains("setup")),
        "{moved}"
    );
    let set_up = bench.installed.setup(&["--here", "--wait", "30"]).await?;
    ensure!(set_up.code == 0, "{set_up:?}");
    bench.healthy().await?;

    // Other bytes under the same name are nothing that `--fix` accepts; a person's set-up does.
    let other = bench.installed.binary.with_file_name("other");
    fs::copy(&bench.installed.binary, &other)?;
    let mut bytes = fs::read(&other)?;
    bytes.extend(b"changed");
    fs::write(&other, bytes)?;
    fs::rename(&other, &bench.installed.binary)?;
    bench.named("native_host", "host_binary_changed", 2).await?;
    let (code, _) = bench.installed.doctor(&["--fix"]).await?;
    assert_eq!(code, 2);
    ensure!(bench.installed.setup(&["--here", "--wait", "30"]).await?.code == 0);
    bench.healthy().await?;
    bench.world.leaves_nothing().await
}

/// bug:I5.
#[tokio::test(flavor = "multi_thread")]
async fn an_extension_that_is_off_or_a_browser_that_is_not_there_is_told_apart() -> Result<()> {
    let mut bench = Bench::start().await?;
    // The browser writes the extension down some seconds after it was loaded.
    let switch = async |on: bool| -> Result<()> {
        let browser = bench.world.sandbox.profile().browser().await?;
        let page = browser.open("chrome://extensions/").await?;
        page.until("typeof chrome === 'object' && chrome.management")
            .await?;
        let _: Value = page
            .evaluate(&format!(
                "chrome.management.setEnabled('{EXTENSION_ID}', {on}).then(() => true)"
            ))
            .await?;
        page.close().await
    };
    wait::until(
        "the profile to name the extension",
        Duration::from_secs(30),
        async || {
            let (_, diagnosis) = bench.installed.doctor(&[]).await?;
            Ok((diagnosis["browsers"][0]["extension"] == "enabled").then_some(()))
        },
    )
    .await?;
    switch(false).await?;
    wait::until("the profile to say off", Duration::from_secs(30), async || {
        let (_, diagnosis) = bench.installed.doctor(&[]).await?;
        Ok((issues(&diagnosis) == [("worker".to_owned(), "extension_disabled".to_owned())]).then_some(()))
    })
    .await?;
    switch(true).await?;
    bench.healthy().await?;
    bench.world.sandbox.quit_browser(1)?;
    let gone = bench.named("worker", "browser_not_running", 3).await?;
    assert_eq!(gone["browsers"][0]["running"], false);
    bench.world.sandbox.restart_browser(1).await?;
    bench.healthy().await?;
    bench.world.expects_from_now().await?;
    bench.world.leaves_nothing().await
}

/// bug:I12.
#[tokio::test(flavor = "multi_thread")]
async fn a_doctor_that_starts_the_daemon_tells_one_consistent_state() -> Result<()> {
    let bench = Bench::start().await?;
    for round in 0..3 {
        bench.world.sandbox.kill_daemon()?;
        if round > 0 {
            // What a dead one leaves may be anything.
            fs::write(bench.world.sandbox.home().join("run/daemon.pid"), "1")?;
        }
        let (code, diagnosis) = bench.installed.doctor(&[]).await?;
        assert_eq!(code, 0, "round {round}: {diagnosis}");
        assert_eq!(diagnosis["targets"], json!(["profile-1"]));
    }
    bench.world.sandbox.profile().stop_worker().await?;
    bench.healthy().await?;
    bench.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_that_others_can_get_into_is_the_bridges_hop_and_made_private() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let installed = Installed::in_sandbox(&sandbox)?;
    installed.browsers(&["chromium"])?;
    ensure!(installed.setup(&["--here", "--wait", "0"]).await?.code == 0);
    ensure!(installed.run(&["daemon", "--stop"]).await?.code == 0);
    for (folder, mode) in [("", 0o777), ("run", 0o770)] {
        let path = sandbox.home().join(folder);
        fs::set_permissions(&path, Permissions::from_mode(mode))?;
        let (code, diagnosis) = installed.doctor(&[]).await?;
        assert_eq!(code, 2, "{diagnosis}");
        assert_eq!(
            issues(&diagnosis).first(),
            Some(&("bridge".to_owned(), "home_unsafe".to_owned())),
            "{diagnosis}"
        );
        let (_, diagnosis) = installed.doctor(&["--fix"]).await?;
        assert_eq!(diagnosis["hops"][1]["ok"], true, "{diagnosis}");
        assert_eq!(fs::metadata(&path)?.permissions().mode() & 0o777, 0o700);
        ensure!(installed.run(&["daemon", "--stop"]).await?.code == 0);
    }
    if rustix::process::geteuid().is_root() {
        // Somebody else's file in there: a person looks first.
        let planted = sandbox.home().join("run/planted");
        fs::write(&planted, "x")?;
        std::os::unix::fs::chown(&planted, Some(12_345), None)?;
        fs::set_permissions(sandbox.home().join("run"), Permissions::from_mode(0o777))?;
        let (code, diagnosis) = installed.doctor(&["--fix"]).await?;
        assert_eq!(code, 2, "{diagnosis}");
        ensure!(diagnosis["fixed"].to_string().contains("12345"), "{diagnosis}");
        fs::set_permissions(sandbox.home().join("run"), Permissions::from_mode(0o700))?;
    }
    // A daemon that cannot start is named with what keeps it, also to an assistant.
    fs::create_dir(sandbox.home().join("run/daemon.sock"))?;
    let (code, diagnosis) = installed.doctor(&[]).await?;
    assert_eq!(code, 2, "{diagnosis}");
    assert_eq!(issues(&diagnosis)[0].0, "bridge");
    let mcp = sandbox.mcp("assistant", "domains").await?;
    let called = mcp.call("browser_session", json!({"action": "doctor"})).await?;
    let told = called.outcome.0?;
    assert_eq!(told["hops"][1]["issue"], "daemon_unreachable", "{told}");
    fs::remove_dir(sandbox.home().join("run/daemon.sock"))?;
    sandbox.stop().await
}

/// A native host that was started by hand: an extension of another protocol, and one that never answers.
#[tokio::test(flavor = "multi_thread")]
async fn another_protocol_and_a_silent_background_are_the_workers_hop() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let installed = Installed::in_sandbox(&sandbox)?;
    for (protocol, side) in [(PROTOCOL + 99, "bridge"), (0, "extension")] {
        let mut child = sandbox
            .native_host("by-hand")?
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let hello = Hello {
            protocol,
            build: "9.9.9".to_owned(),
            ..crate::extension::introduction()
        };
        let mut stdin = child.stdin.take().context("stdin")?;
        write_frame(&mut stdin, &serde_json::to_vec(&ToBridge::Hello(hello))?).await?;
        wait::within("the refusal", Duration::from_secs(10), async {
            Ok(child.wait().await?)
        })
        .await?;
        let (code, diagnosis) = installed.doctor(&[]).await?;
        assert_eq!(code, 5, "{diagnosis}");
        let worker = &diagnosis["hops"][3];
        assert_eq!(worker["issue"], "version_mismatch", "{diagnosis}");
        let words = worker["repair"].as_str().unwrap_or_default();
        ensure!(
            words.contains(&format!("update the {side}")) && words.contains("9.9.9"),
            "{words}"
        );
        ensure!(words.contains(BUILD), "{words}");
    }
    let mut silent = Impostor::start(&sandbox, "silent", "p-2").await?;
    silent.welcomed().await?;
    let (code, diagnosis) = installed.doctor(&[]).await?;
    assert_eq!(code, 3, "{diagnosis}");
    assert_eq!(diagnosis["hops"][3]["issue"], "worker_silent", "{diagnosis}");
    silent.leave().await?;
    sandbox.stop().await
}

/// bug:I11, B1.
/// Doctor notes one hop with the issue, and pages are reached all the same.
async fn noted(world: &World, hop: &str, issue: &str) -> Result<String> {
    let mut last = Value::Null;
    let seen = wait::until("doctor to note the hop", AGAIN, async || {
        let (code, text) = world.sandbox.cli(["doctor", "--json"]).await?;
        last = serde_json::from_str(&text)?;
        let diagnosis = &last["result"];
        ensure!(code == 0 && diagnosis["healthy"] == true, "{diagnosis}");
        let wanted = [(hop.to_owned(), issue.to_owned())];
        Ok((issues(diagnosis) == wanted).then(|| {
            diagnosis["recommendation"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        }))
    })
    .await;
    seen.with_context(|| last.to_string())
}

/// A result that is large comes whole, whichever way it takes.
async fn large_result(world: &World) -> Result<()> {
    let args = EchoArgs {
        fill: Some(3_000_000),
        ..EchoArgs::default()
    };
    assert_eq!(world.client.call(&args).await?.fill.len(), 3_000_000);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_is_kept_from_the_port_is_noted_and_works() -> Result<()> {
    // A proxy for everything, this machine included, that lets nothing through: as a security program does.
    let world = World::fresh(Options {
        flags: vec![
            "--proxy-server=127.0.0.1:9".to_owned(),
            "--proxy-bypass-list=<-loopback>".to_owned(),
        ],
        ..Options::default()
    })
    .await?;
    let repair = noted(&world, "worker", "port_blocked").await?;
    ensure!(
        repair.contains("firewall") && repair.contains("profile-1"),
        "{repair}"
    );
    large_result(&world).await?;
    // Whoever switches it off is not reminded of it.
    let (code, text) = world
        .sandbox
        .cli(["settings", "set", "link.socket", "off", "--json"])
        .await?;
    ensure!(code == 0, "{text}");
    let (code, text) = world.sandbox.cli(["doctor", "--json"]).await?;
    let diagnosis: Value = serde_json::from_str(&text)?;
    ensure!(
        code == 0 && issues(&diagnosis["result"]).is_empty(),
        "{diagnosis}"
    );
    large_result(&world).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bridge_that_gets_no_port_is_noted_and_works() -> Result<()> {
    let mut world = World::fresh(Options::default()).await?;
    let daemon = world
        .replace_daemon(&[("DRAWBRIDGE_PRETEND_NO_PORT", "1")])
        .await?;
    let repair = noted(&world, "bridge", "port_blocked").await?;
    ensure!(repair.contains("127.0.0.1"), "{repair}");
    large_result(&world).await?;
    drop(daemon);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_profiles_are_connected_and_one_has_to_be_chosen() -> Result<()> {
    let mut world = World::fresh(Options {
        profiles: 2,
        ..Options::default()
    })
    .await?;
    let known: Vec<(String, String)> = targets(&world);
    let refused = world.client.call_raw("browser_tabs", json!({})).await;
    let Err(error) = refused else { bail!("{refused:?}") };
    assert_eq!(error.code, Code::TargetRequired);
    assert_eq!(listed(&error.data.context("data")?), known);
    let status = world.client.call(&StatusArgs::default()).await?;
    ensure!(status.connected && status.targets == 2, "{status:?}");
    assert_eq!(status.issues.len(), 1, "{status:?}");
    assert_eq!(status.issues[0].id, "several_targets");
    for (_, name) in &known {
        ensure!(status.issues[0].repair.contains(name), "{status:?}");
    }
    let (code, words) = world.sandbox.cli(["chrome", "status"]).await?;
    ensure!(
        code == 0 && words.starts_with("2 connected, choose one") && !words.contains("not connected"),
        "{words}"
    );
    let told = world.client.call_raw("browser_doctor", json!({})).await?;
    assert_eq!(told["healthy"], true, "{told}");
    ensure!(
        told["recommendation"]
            .as_str()
            .is_some_and(|words| words.contains("choose one"))
    );
    // The other order changes neither ids nor names.
    for number in [2, 1] {
        world.sandbox.restart_browser(number).await?;
    }
    assert_eq!(targets(&world), known);
    world.sandbox.kill_daemon()?;
    world.sandbox.until_connected().await?;
    assert_eq!(targets(&world), known);
    world.expects_from_now().await?;
    world.leaves_nothing().await
}

/// Ids and names of the connected profiles.
fn targets(world: &World) -> Vec<(String, String)> {
    let mut targets: Vec<_> = world
        .sandbox
        .profiles()
        .iter()
        .map(|profile| (profile.target.to_string(), profile.name.clone()))
        .collect();
    targets.sort();
    targets
}

fn listed(data: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut listed: Vec<_> = data["targets"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| (text(&row["id"]), text(&row["name"])))
        .collect();
    listed.sort();
    listed
}
