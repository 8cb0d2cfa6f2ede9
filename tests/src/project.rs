//! Where the project's builds and test data lie.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// The project's root folder.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    root().join("target")
}

/// The unpacked extension as it is released.
pub fn extension() -> PathBuf {
    target().join("extension")
}

/// The unpacked extension for sandboxes: optional permissions are required there, since nobody can press a button.
pub fn extension_sandbox() -> PathBuf {
    target().join("extension-sandbox")
}

/// The builds of the bridge. Each is kept as a copy, so that a later build with other features cannot replace the
/// binary under a running test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bridge {
    /// Development profile with the feature `sandbox`: tests, sandbox and demo.
    Sandbox,
    /// Development profile without it: shows that a released build admits nobody by itself.
    Released,
    /// Release profile with the feature `sandbox`: measurements.
    Bench,
}

impl Bridge {
    /// Path of the binary.
    pub fn path(self) -> PathBuf {
        let folder = match self {
            Self::Sandbox => "sandbox",
            Self::Released => "released",
            Self::Bench => "bench",
        };
        target().join("bridge").join(folder).join("drawbridge")
    }

    /// Path of the binary, checked.
    ///
    /// # Errors
    /// When it was not built yet; says how to build it.
    pub fn built(self) -> Result<PathBuf> {
        let path = self.path();
        if path.is_file() {
            return Ok(path);
        }
        let command = match self {
            Self::Sandbox => "cargo xtask build",
            Self::Released => "cargo xtask build --released",
            Self::Bench => "cargo xtask bench",
        };
        bail!("there is no {}: run `{command}` first", path.display())
    }
}

/// Pages of the local site that lie as files, and the list of packages they use.
pub fn web() -> PathBuf {
    root().join("tests/web")
}

/// Where `cargo xtask` installs a pinned list of npm packages, by the list's name.
pub fn packages(list: &str) -> PathBuf {
    target().join("npm").join(list)
}

/// The installed packages of the widget pages.
///
/// # Errors
/// When they are not installed yet; says how to install them.
pub fn web_packages() -> Result<PathBuf> {
    let folder = packages("web").join("node_modules");
    if folder.is_dir() {
        return Ok(folder);
    }
    bail!(
        "there is no {}: run `cargo xtask packages` first",
        folder.display()
    )
}

/// The pages of the MiniWoB++ benchmark, which `cargo xtask` downloads.
///
/// # Errors
/// When they are not there yet; says how to get them.
pub fn wob() -> Result<PathBuf> {
    let folder = target().join("wob").join("miniwob").join("html");
    if folder.is_dir() {
        return Ok(folder);
    }
    bail!(
        "there is no {}: run `cargo xtask packages` first",
        folder.display()
    )
}

/// The folder with saved pages and other test data that is no part of the project: `DRAWBRIDGE_SHARED`, or `shared`
/// beside the project.
///
/// # Errors
/// When it is not there and `CI` is `true`. By hand it is `None` then, with a message, and the test that asked skips.
pub fn shared() -> Result<Option<PathBuf>> {
    let folder = match std::env::var_os("DRAWBRIDGE_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("..").join("shared"),
    };
    if folder.join("pages").is_dir() {
        return Ok(Some(folder));
    }
    if std::env::var("CI").is_ok_and(|value| value == "true") {
        bail!("{} holds no pages/: set DRAWBRIDGE_SHARED", folder.display());
    }
    eprintln!(
        "skipped: {} holds no pages/ (set DRAWBRIDGE_SHARED)",
        folder.display()
    );
    Ok(None)
}
