//! `cargo xtask package`: the archives that are handed out. The same sources, lock file, toolchain and folder make the same
//! bytes: times are fixed, names are sorted, and no path of the machine is in them.

mod archive;
mod proof;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use drawbridge_protocol::version::BUILD;
use drawbridge_tests::project;
use sha2::{Digest, Sha256};

use crate::run::{self, cargo, say};
use crate::{build, notices};
use archive::{Entry, Files};

/// What lies beside the binary, besides the extension.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "SECURITY.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "docs/tools.md",
    "skills",
    "examples",
];

/// Makes the archives, or makes them again and compares.
pub(crate) fn run(check: bool) -> Result<()> {
    let target = project::target().join("package-build");
    if check {
        say("building our own crates anew");
        for arguments in [
            &["--release", "--package", "drawbridge"][..],
            &["--profile", "wasm", "--target", build::WASM_TARGET],
        ] {
            let mut command = cargo(["clean", "--quiet", "--package", "drawbridge-protocol"]);
            command.args([
                "--package",
                "drawbridge-background",
                "--package",
                "drawbridge-reader",
            ]);
            command.args(arguments).arg("--target-dir").arg(&target);
            reproducible(&mut command);
            run::run(&mut command)?;
        }
    }
    let made = make(&target)?;
    let folder = project::target().join("package");
    if check {
        return compare(&folder, &made);
    }
    fs::create_dir_all(&folder)?;
    let mut sums = String::new();
    for (name, bytes) in &made {
        sums.push_str(&format!("{}  {name}\n", hash(bytes)));
        fs::write(folder.join(name), bytes)?;
        say(format!(
            "{} ({:.1} MB)",
            folder.join(name).display(),
            bytes.len() as f64 / 1e6
        ));
    }
    fs::write(folder.join("SHA256SUMS"), sums)?;
    proof::of(&folder, &bridge_name()?)?;
    proof::in_a_browser(&folder, &extension_name(), &bridge_name()?)
}

/// The archives by name.
fn make(target: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    say("building the extension's modules for release");
    let extension = build::unpacked(target, reproducible)?;
    say("building the bridge for release, without the feature sandbox");
    let mut command = cargo([
        "build",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "drawbridge",
    ]);
    command.arg("--target-dir").arg(target);
    reproducible(&mut command);
    run::run(&mut command)?;
    let binary = target.join("release/drawbridge");
    let binary = fs::read(&binary).with_context(|| format!("no {}", binary.display()))?;
    without_paths("the binary", &binary)?;
    let mut zip = Files::default();
    for (name, bytes) in &extension {
        without_paths(&name.display().to_string(), bytes)?;
        zip.add(name.clone(), Entry::data(bytes.clone()));
    }
    let root = PathBuf::from(format!("drawbridge-{BUILD}"));
    let mut tar = Files::default();
    tar.add(root.join("drawbridge"), Entry::program(binary));
    for (name, bytes) in extension {
        tar.add(root.join("extension").join(name), Entry::data(bytes));
    }
    for (name, bytes) in documents()? {
        tar.add(root.join(name), Entry::data(bytes));
    }
    let notices = notices::text()?;
    tar.add(
        root.join("LICENSES-THIRD-PARTY.txt"),
        Entry::data(notices.into_bytes()),
    );
    Ok(BTreeMap::from([
        (extension_name(), zip.zip()?),
        (bridge_name()?, tar.tar_gz()?),
    ]))
}

fn documents() -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for name in DOCUMENTS {
        let path = project::root().join(name);
        if path.is_dir() {
            build::collect(&project::root(), Path::new(name), &mut files)?;
        } else {
            let bytes = fs::read(&path).with_context(|| format!("no {}", path.display()))?;
            files.insert(PathBuf::from(name), bytes);
        }
    }
    Ok(files)
}

fn extension_name() -> String {
    format!("drawbridge-extension-{BUILD}.zip")
}

fn bridge_name() -> Result<String> {
    Ok(format!("drawbridge-{BUILD}-{}.tar.gz", host()?))
}

/// The platform that the bridge is built for, which is this one.
pub(crate) fn host() -> Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .current_dir(project::root())
        .output()
        .context("could not run rustc")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

/// No path of this machine in what is made.
fn reproducible(command: &mut Command) {
    // Separated as cargo wants flags that may hold spaces.
    let flags: Vec<String> = mapped()
        .into_iter()
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()))
        .collect();
    command
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .env_remove("RUSTFLAGS")
        // What C there is asserts nothing and names no file; its compiler is told the same all the same.
        .env(
            "CFLAGS",
            mapped()
                .into_iter()
                .map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display()))
                .collect::<Vec<_>>()
                .join(" "),
        );
}

/// Folders of this machine, and what stands for them.
fn mapped() -> Vec<(PathBuf, &'static str)> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let cargo = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let rustup = std::env::var_os("RUSTUP_HOME").map_or_else(|| home.join(".rustup"), PathBuf::from);
    vec![
        (cargo, "/cargo"),
        (rustup, "/rustup"),
        (project::root(), "/drawbridge"),
    ]
}

/// Refuses bytes that name a folder of this machine.
fn without_paths(what: &str, bytes: &[u8]) -> Result<()> {
    for (folder, _) in mapped() {
        let folder = folder.display().to_string();
        if let Some(at) = bytes
            .windows(folder.len())
            .position(|window| window == folder.as_bytes())
        {
            let end = bytes.len().min(at + folder.len() + 60);
            bail!("{what} names {}", String::from_utf8_lossy(&bytes[at..end]));
        }
    }
    Ok(())
}

fn compare(folder: &Path, made: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    for (name, bytes) in made {
        let before = fs::read(folder.join(name)).with_context(|| {
            format!(
                "no {}: run `cargo xtask package` first",
                folder.join(name).display()
            )
        })?;
        if before != *bytes {
            bail!("{name} differs: {} before, {} now", hash(&before), hash(bytes));
        }
        say(format!("{name} is the same: {}", hash(bytes)));
    }
    Ok(())
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
