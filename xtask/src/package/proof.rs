//! The package is unpacked and used before it is handed out: it sets up, and it has no way to let anybody in.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::tools::session::StatusArgs;
use drawbridge_protocol::version::BUILD;
use drawbridge_tests::approval::Question;
use drawbridge_tests::project::Bridge;
use drawbridge_tests::sandbox::{Options, Sandbox, chromium};
use drawbridge_tests::wait;
use flate2::read::GzDecoder;

use crate::run::say;

const PATIENCE: Duration = Duration::from_secs(30);

/// Unpacks the bridge's archive and tries it.
pub(super) fn of(folder: &Path, name: &str) -> Result<()> {
    say("trying the package");
    let place = tempfile::tempdir()?;
    let archive = fs::File::open(folder.join(name)).with_context(|| format!("no {name}"))?;
    tar::Archive::new(GzDecoder::new(archive)).unpack(place.path())?;
    let unpacked = fs::read_dir(place.path())?
        .next()
        .context("the archive is empty")??
        .path();
    let user = place.path().join("user");
    fs::create_dir_all(user.join(".config/chromium"))?;
    fs::create_dir(place.path().join("system"))?;
    let run = |arguments: &[&str]| -> Result<Output> {
        let mut command = Command::new(unpacked.join("drawbridge"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", &user)
            .current_dir(place.path());
        command.output().context("the packed bridge does not start")
    };
    let tried = trial(&run, &unpacked);
    // Whatever came of it: no bridge stays behind.
    let stopped = run(&["daemon", "--stop"]);
    tried?;
    ensure!(stopped?.status.success(), "the packed bridge does not stop");
    say("it sets up, and offers nothing that only sandboxes have");
    Ok(())
}

/// Unpacks the extension's archive somewhere else, and uses it in a real browser with the packed bridge: the two find each
/// other, and a person lets a client in. Where no Chromium is installed that is said.
pub(super) fn in_a_browser(folder: &Path, extension: &str, bridge: &str) -> Result<()> {
    if let Err(error) = chromium::find() {
        say(format!("not tried in a browser: {error:#}"));
        return Ok(());
    }
    say("trying the package in a browser");
    let place = tempfile::tempdir()?;
    let unpacked = place.path().join("somewhere else");
    let archive = fs::File::open(folder.join(extension)).with_context(|| format!("no {extension}"))?;
    zip::ZipArchive::new(archive)?.extract(&unpacked)?;
    let archive = fs::File::open(folder.join(bridge)).with_context(|| format!("no {bridge}"))?;
    tar::Archive::new(GzDecoder::new(archive)).unpack(place.path())?;
    let binary = place.path().join(format!("drawbridge-{BUILD}/drawbridge"));
    let options = Options {
        extension: Some(unpacked),
        bridge: Bridge::Released,
        binary: Some(binary),
        ..Options::default()
    };
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(async {
            let sandbox = Sandbox::start(options).await?;
            let client = sandbox.client("package").await?;
            let status = StatusArgs::default();
            let error = client.call(&status).await.err().context("served unasked")?;
            ensure!(error.code == Code::NeedsApproval, "{error}");
            let browser = sandbox.profile().browser().await?;
            Question::appears(&browser).await?.allow().await?;
            let status = wait::until("the client to be let in", PATIENCE, async || {
                Ok(client.call(&status).await.ok())
            })
            .await?;
            ensure!(status.connected && status.issues.is_empty(), "{status:?}");
            drop(client);
            sandbox.stop().await
        })?;
    say("the packed extension and the packed bridge work together");
    Ok(())
}

fn trial(run: &dyn Fn(&[&str]) -> Result<Output>, unpacked: &Path) -> Result<()> {
    let set_up = run(&["setup", "--here", "--wait", "0", "--root", "system", "--json"])?;
    let told = String::from_utf8_lossy(&set_up.stdout).into_owned();
    ensure!(set_up.status.success(), "set-up failed: {set_up:?}");
    let extension = unpacked.join("extension").display().to_string();
    ensure!(
        told.contains(&extension),
        "set-up does not find {extension}: {told}"
    );
    for arguments in [
        &["clients", "admit", "somebody", "--yes"][..],
        &["grants", "set", "somebody", "browser.read", "allow", "--yes"],
    ] {
        let refused = run(arguments)?;
        let words = String::from_utf8_lossy(&refused.stderr).into_owned();
        if refused.status.code() != Some(1) || !words.contains("--yes") {
            bail!("the packed bridge takes `{}`: {refused:?}", arguments.join(" "));
        }
    }
    // A home that says it is a sandbox makes none of it.
    fs::write(
        unpacked.with_file_name("user/.local/share/drawbridge/sandbox.json"),
        "{\"strict\": false}",
    )?;
    ensure!(
        run(&["daemon", "--stop"])?.status.success(),
        "the packed bridge does not stop"
    );
    let call = run(&["call", "browser_targets", "{}"])?;
    let reply = String::from_utf8_lossy(&call.stdout).into_owned();
    ensure!(
        reply.contains("needs_approval"),
        "the packed bridge admits: {reply}"
    );
    let tools = run(&["tools", "--json"])?;
    let listed = String::from_utf8_lossy(&tools.stdout).into_owned();
    ensure!(
        listed.contains("browser_doctor") && !listed.contains("browser_echo"),
        "the packed bridge offers tools of a sandbox"
    );
    Ok(())
}
