//! Pinned packages for tests and measurements, of npm and, for the tasks of MiniWoB++, of pip. The product itself needs none
//! of them.

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
    ensure("npm", &["--version"], "npm")?;
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

/// The pages of the MiniWoB++ benchmark. Nothing of the package is run: its pages are files in it.
pub(crate) fn wob() -> Result<PathBuf> {
    let list = project::root().join("tests/wob.txt");
    let folder = project::target().join("wob");
    let (pages, stamp) = (folder.join("miniwob/html"), folder.join("installed"));
    let wanted = fs::read(&list).with_context(|| format!("could not read {}", list.display()))?;
    let wanted = wasm::digest(&wanted).to_string();
    if pages.is_dir() && fs::read_to_string(&stamp).is_ok_and(|before| before == wanted) {
        return Ok(pages);
    }
    ensure("python3", &["-m", "pip", "--version"], "python3-pip")?;
    say(format!("downloading the package of {}", list.display()));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    run(Command::new("python3")
        .args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--require-hashes",
            "--only-binary",
            ":all:",
            "--dest",
        ])
        .arg(&folder)
        .arg("--requirement")
        .arg(&list)
        .stdout(std::io::stderr()))
    .context("the package could not be downloaded")?;
    let wheels = fs::read_dir(&folder)?.collect::<Result<Vec<_>, _>>()?;
    let wheel = wheels
        .iter()
        .map(fs::DirEntry::path)
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .context("pip left no wheel")?;
    run(Command::new("python3")
        .args(["-m", "zipfile", "-e"])
        .arg(&wheel)
        .arg(&folder))?;
    if !pages.is_dir() {
        bail!("{} holds no pages", wheel.display());
    }
    fs::write(stamp, wanted)?;
    Ok(pages)
}

/// A program, from the distribution's package where it is missing and can be installed.
fn ensure(program: &str, asks: &[&str], package: &str) -> Result<()> {
    if runs(program, asks) {
        return Ok(());
    }
    if !Path::new("/etc/debian_version").exists() {
        bail!("{package} is not installed and this is no Debian: install it first");
    }
    say(format!("installing {package}"));
    for arguments in [
        &["update", "-qq"][..],
        &["install", "-y", "-qq", "--no-install-recommends", package],
    ] {
        run(Command::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(std::io::stderr()))
        .with_context(|| format!("{package} is not installed: run `sudo apt-get install {package}`"))?;
    }
    if runs(program, asks) {
        return Ok(());
    }
    bail!("{package} is not installed: run `sudo apt-get install {package}`")
}

fn runs(program: &str, asks: &[&str]) -> bool {
    Command::new(program)
        .args(asks)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
