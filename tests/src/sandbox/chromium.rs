//! Finding, installing and flagging Chromium.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The browser to use: `DRAWBRIDGE_CHROMIUM`, or `chromium` from the usual places. Branded Chrome is none: it ignores
/// `--load-extension`.
///
/// # Errors
/// When there is none; says how to get one.
pub fn find() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("DRAWBRIDGE_CHROMIUM") {
        let path = PathBuf::from(path);
        if path.is_file() {
            return Ok(path);
        }
        bail!("DRAWBRIDGE_CHROMIUM names {}, which is no file", path.display());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .chain([PathBuf::from("/usr/bin")])
        .flat_map(|folder| [folder.join("chromium"), folder.join("chromium-browser")])
        .find(|path| path.is_file())
        .context("Chromium is not installed: `cargo xtask test` installs it on Debian as root, else set DRAWBRIDGE_CHROMIUM")
}

/// Installs Chromium where it is missing and can be installed. Returns whether it had to.
///
/// # Errors
/// When it is missing and this is not Debian or not root; says what to do.
pub fn install() -> Result<bool> {
    if find().is_ok() {
        return Ok(false);
    }
    if !Path::new("/etc/debian_version").exists() {
        bail!(
            "Chromium is not installed and this is no Debian: install it, or set DRAWBRIDGE_CHROMIUM to its path"
        );
    }
    if !rustix::process::geteuid().is_root() {
        bail!(
            "Chromium is not installed: run `sudo apt-get install chromium`, or set DRAWBRIDGE_CHROMIUM to its path"
        );
    }
    for arguments in [
        &["update", "-qq"][..],
        &["install", "-y", "-qq", "--no-install-recommends", "chromium"],
    ] {
        let status = Command::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(std::io::stderr())
            .status()
            .context("could not run apt-get")?;
        if !status.success() {
            bail!("apt-get {} ended with {status}", arguments.join(" "));
        }
    }
    find().map(|_| true)
}

/// Flags that every sandbox starts with: nothing of the first-run chatter, no traffic of the browser's own.
pub(super) fn flags(headed: bool) -> Result<Vec<&'static str>> {
    let mut flags = vec![
        "--no-first-run",
        "--no-default-browser-check",
        "--hide-crash-restore-bubble",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--disable-gpu",
        "--password-store=basic",
        "--remote-debugging-port=0",
    ];
    if headed {
        if ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .all(|name| std::env::var_os(name).is_none())
        {
            bail!("--headed needs a screen: set DISPLAY, or run under xvfb-run");
        }
    } else {
        flags.push("--headless=new");
    }
    if rustix::process::geteuid().is_root() {
        // Chromium does not start its own sandbox as root.
        flags.push("--no-sandbox");
    }
    Ok(flags)
}
