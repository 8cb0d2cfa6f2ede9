//! Pinned npm packages for tests and measurements. The product itself needs none of them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use drawbridge_tests::project;

use crate::run::{run, say};
use crate::wasm;

/// What the files of a list are called.
const FILES: [&str; 2] = ["package.json", "package-lock.json"];

/// The packages of the widget pages.
pub(crate) fn web() -> Result<PathBuf> {
    install("web", &project::web())
}

/// The servers that ours is measured beside.
pub(crate) fn references() -> Result<PathBuf> {
    let modules = install("references", &project::root().join("xtask/references"))?;
    let native = agent_browser(&modules);
    // Its own script would do that after it was installed.
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&native, mode).with_context(|| format!("no {}", native.display()))?;
    Ok(modules)
}

/// The program for this machine in the package `agent-browser`.
pub(crate) fn agent_browser(modules: &Path) -> PathBuf {
    let machine = if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        "x64"
    };
    modules.join(format!("agent-browser/bin/agent-browser-linux-{machine}"))
}

/// Installs a list exactly as its lock file has it, where that is not done yet. Returns the `node_modules`.
fn install(list: &str, source: &Path) -> Result<PathBuf> {
    let folder = project::packages(list);
    let modules = folder.join("node_modules");
    let stamp = folder.join("installed");
    let mut wanted = Vec::new();
    for file in FILES {
        let path = source.join(file);
        wanted.extend(fs::read(&path).with_context(|| format!("could not read {}", path.display()))?);
    }
    let wanted = wasm::digest(&wanted).to_string();
    if modules.is_dir() && fs::read_to_string(&stamp).is_ok_and(|before| before == wanted) {
        return Ok(modules);
    }
    ensure_npm()?;
    say(format!("installing the npm packages of {}", source.display()));
    fs::create_dir_all(&folder)?;
    // Whatever ends this half-way, the next run begins anew.
    match fs::remove_file(&stamp) {
        Err(problem) if problem.kind() != std::io::ErrorKind::NotFound => return Err(problem.into()),
        Ok(()) | Err(_) => {}
    }
    for file in FILES {
        fs::copy(source.join(file), folder.join(file))?;
    }
    // No package's own script runs: all that is needed lies in the packages themselves.
    run(Command::new("npm")
        .args([
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ])
        .current_dir(&folder)
        .stdout(std::io::stderr()))
    .context("the npm packages could not be installed")?;
    fs::write(stamp, wanted)?;
    Ok(modules)
}

/// `npm`, from the distribution where it is missing and can be installed.
fn ensure_npm() -> Result<()> {
    if has_npm() {
        return Ok(());
    }
    if !Path::new("/etc/debian_version").exists() {
        bail!("npm is not installed and this is no Debian: install Node.js 20 or newer with npm");
    }
    say("installing npm");
    for arguments in [
        &["update", "-qq"][..],
        &["install", "-y", "-qq", "--no-install-recommends", "npm"],
    ] {
        run(Command::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(std::io::stderr()))
        .context("npm is not installed: run `sudo apt-get install npm`")?;
    }
    if has_npm() {
        return Ok(());
    }
    bail!("npm is not installed: run `sudo apt-get install npm`")
}

fn has_npm() -> bool {
    Command::new("npm")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
