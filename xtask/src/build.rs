//! `cargo xtask build`: the extension and the bridge, with cargo alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use drawbridge_tests::project::{self, Bridge};
use wasm_bindgen_cli_support::Bindgen;

use crate::manifest;
use crate::run::{cargo, run, say};
use crate::wasm;

/// What the extension's modules are built for.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

const MANIFEST: &str = "manifest.json";

/// The extension, for release and for sandboxes, and the bridge for sandboxes.
pub(crate) fn all(released: bool) -> Result<()> {
    extension()?;
    bridge(Bridge::Sandbox)?;
    if released {
        bridge(Bridge::Released)?;
    }
    Ok(())
}

/// Builds one kind of bridge and keeps a copy of it.
pub(crate) fn bridge(kind: Bridge) -> Result<()> {
    let (profile, features): (_, &[_]) = match kind {
        Bridge::Sandbox => ("debug", &["--features", "sandbox"]),
        Bridge::Released => ("debug", &[]),
        Bridge::Bench => ("release", &["--features", "sandbox"]),
    };
    say(format!(
        "building the bridge ({profile}{})",
        if features.is_empty() { "" } else { ", sandbox" }
    ));
    let mut command = cargo(["build", "--quiet", "--package", "drawbridge"]);
    command.args(features);
    if profile == "release" {
        command.arg("--release");
    }
    run(&mut command)?;
    keep(&project::target().join(profile).join("drawbridge"), &kind.path())
}

/// Writes both unpacked extensions.
fn extension() -> Result<()> {
    say("building the extension's modules");
    let unpacked = unpacked(&project::target(), |_| {})?;
    let manifest = unpacked
        .get(Path::new(MANIFEST))
        .context("the extension has no manifest.json")?;
    let for_sandbox = manifest::for_sandbox(std::str::from_utf8(manifest)?)?;
    for (folder, manifest) in [
        (project::extension(), manifest.as_slice()),
        (project::extension_sandbox(), for_sandbox.as_bytes()),
    ] {
        let mut files = Folder::new(folder)?;
        for (name, bytes) in &unpacked {
            let bytes = if name == Path::new(MANIFEST) {
                manifest
            } else {
                bytes
            };
            files.write(name, bytes)?;
        }
        files.finish()?;
    }
    say(format!("the extension is in {}", project::extension().display()));
    Ok(())
}

/// Every file of the extension as it is released, by its path in it. The modules are built in `target`; `adjust` may
/// change how cargo is called.
pub(crate) fn unpacked(target: &Path, adjust: impl Fn(&mut Command)) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    ensure_wasm_target()?;
    let mut command = cargo([
        "build",
        "--quiet",
        "--package",
        "drawbridge-background",
        "--package",
        "drawbridge-reader",
        "--target",
        WASM_TARGET,
        "--profile",
        "wasm",
        "--target-dir",
    ]);
    command.arg(target);
    adjust(&mut command);
    run(&mut command)?;
    let built = target.join(WASM_TARGET).join("wasm");
    let mut files = BTreeMap::new();
    let source = project::root().join("extension");
    collect(&source, Path::new(""), &mut files)?;
    collect(
        &glue(target, &built.join("drawbridge_background.wasm"))?,
        Path::new(""),
        &mut files,
    )?;
    let reader = wasm::without_names(&read(&built.join("drawbridge_reader.wasm"))?)
        .context("drawbridge_reader.wasm is no WebAssembly module")?;
    files.insert(PathBuf::from("reader.wasm"), reader);
    Ok(files)
}

/// Adds every file below a folder.
pub(crate) fn collect(source: &Path, below: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    let folder = source.join(below);
    let entries = fs::read_dir(&folder).with_context(|| format!("could not list {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(source, &name, files)?;
        } else {
            files.insert(name, read(&entry.path())?);
        }
    }
    Ok(())
}

/// The toolchain's standard library for WASM, installed where it is missing.
fn ensure_wasm_target() -> Result<()> {
    let sysroot = Command::new("rustc")
        .args(["--print", "sysroot"])
        .current_dir(project::root())
        .output()
        .context("could not run rustc: install Rust with https://rustup.rs")?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    if sysroot.join("lib/rustlib").join(WASM_TARGET).is_dir() {
        return Ok(());
    }
    say(format!("installing the target {WASM_TARGET} for this toolchain"));
    run(Command::new("rustup")
        .args(["target", "add", WASM_TARGET])
        .current_dir(project::root()))
    .with_context(|| {
        format!(
            "the toolchain has no {WASM_TARGET}: install it, with rustup: `rustup target add {WASM_TARGET}`"
        )
    })
}

/// `background.js` and `background_bg.wasm` in a folder of their own; made anew only when the module changed.
fn glue(target: &Path, module: &Path) -> Result<PathBuf> {
    let folder = target.join("wasm-glue");
    let stamp = folder.with_extension("stamp");
    // The module names the version of the glue it needs, so another version is another module.
    let now = wasm::digest(&read(module)?).to_string();
    if fs::read_to_string(&stamp).is_ok_and(|before| before == now) && folder.is_dir() {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name("background")
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen
        .web(true)?
        .generate(&folder)
        .context("the glue for background.wasm could not be made")?;
    fs::write(stamp, now)?;
    Ok(folder)
}

/// Copies a binary under a name of its own. The old file is replaced, never written into: it may be running.
fn keep(from: &Path, to: &Path) -> Result<()> {
    let bytes = read(from)?;
    if fs::read(to).is_ok_and(|before| before == bytes) {
        return Ok(());
    }
    let Some(folder) = to.parent() else {
        bail!("{} has no folder", to.display())
    };
    fs::create_dir_all(folder)?;
    let fresh = to.with_extension(format!("new{}", std::process::id()));
    fs::copy(from, &fresh).with_context(|| format!("could not copy {}", from.display()))?;
    fs::rename(&fresh, to)?;
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("could not read {}", path.display()))
}

/// A folder that ends with exactly the files put into it; unchanged files are left alone.
struct Folder {
    root: PathBuf,
    files: Vec<PathBuf>,
}

impl Folder {
    fn new(root: PathBuf) -> Result<Self> {
        fs::create_dir_all(&root)?;
        Ok(Self {
            root,
            files: Vec::new(),
        })
    }

    fn write(&mut self, name: &Path, bytes: &[u8]) -> Result<()> {
        let path = self.root.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        if !fs::read(&path).is_ok_and(|before| before == bytes) {
            fs::write(&path, bytes).with_context(|| format!("could not write {}", path.display()))?;
        }
        self.files.push(path);
        Ok(())
    }

    fn finish(self) -> Result<()> {
        self.remove_others(&self.root)
    }

    fn remove_others(&self, folder: &Path) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if self.files.iter().any(|file| file.starts_with(&path)) {
                if path.is_dir() {
                    self.remove_others(&path)?;
                }
            } else if path.is_dir() {
                fs::remove_dir_all(&path)?;
            } else {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }
}
