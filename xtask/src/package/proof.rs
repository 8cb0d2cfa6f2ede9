//! The package is unpacked and used before it is handed out: it sets up, and it has no way to let anybody in.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;

use crate::run::say;

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
