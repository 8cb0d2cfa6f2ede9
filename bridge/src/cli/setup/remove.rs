//! `drawbridge setup --remove`: the browsers forget the bridge, the bridge ends, and its home goes.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use drawbridge_protocol::error::{Error, Outcome};
use drawbridge_protocol::ids::ClientId;
use serde_json::json;

use super::{failed, guide, program};
use crate::browsers::host::{self, Ours};
use crate::browsers::{Roots, find};
use crate::cli::commands;
use crate::home::{self, Home};
use crate::output;
use crate::registration::{self, Registration};

/// What a home is made of. Nothing else in it is removed, should the home be a folder that also holds other things.
const FILES: &[&str] = &[
    "drawbridge.db",
    "drawbridge.db-wal",
    "drawbridge.db-shm",
    "home.id",
    "sandbox.json",
    "native-host",
    guide::FILE,
    registration::FILE,
];

/// Folders that go with all that is in them.
const FOLDERS: &[&str] = &["run", "logs", "clients"];

/// Takes set-up back. Manifests go first, so that no browser starts the bridge anew.
pub(super) async fn run(
    id: &ClientId,
    roots: &Roots,
    keep_data: bool,
    json: bool,
) -> Result<ExitCode, Error> {
    let root = home::chosen().map_err(failed)?;
    // A record that cannot be read is no reason to leave everything as it is.
    let registration = Registration::read(&root).unwrap_or_default().unwrap_or_default();
    let mut removed = Vec::new();
    let mut left = Vec::new();
    manifests(&root, roots, &registration, &mut removed, &mut left)?;
    if root.join("run").is_dir() {
        let home = Home::at(&root).map_err(failed)?;
        commands::end_daemon(&home, id).await?;
    }
    let data = if keep_data {
        &["native-host", guide::FILE, registration::FILE][..]
    } else {
        FILES
    };
    for path in data.iter().map(|name| root.join(name)) {
        remove_file(&path, &mut removed)?;
    }
    if !keep_data {
        rest(&root, &mut removed, &mut left)?;
    }
    for folder in registration.folders.iter().rev() {
        // One that is not empty has become somebody else's too.
        drop(fs::remove_dir(folder));
    }
    if json {
        let result = json!({"removed": removed, "left": left});
        output::line(&serde_json::to_string(&Outcome(Ok(result))).unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    for path in &removed {
        output::line(&format!(
            "removed {}",
            output::harmless(&path.display().to_string())
        ));
    }
    for line in &left {
        output::line(&format!("left {}", output::harmless(line)));
    }
    if removed.is_empty() {
        output::line("there was nothing to remove");
    } else {
        output::line("the extension is removed on the browser's extensions page");
    }
    Ok(ExitCode::SUCCESS)
}

fn manifests(
    root: &Path,
    roots: &Roots,
    registration: &Registration,
    removed: &mut Vec<PathBuf>,
    left: &mut Vec<String>,
) -> Result<(), Error> {
    let binary = program()?;
    let mut files: Vec<PathBuf> = find(roots, &registration.user_data)
        .browsers
        .iter()
        .flat_map(|browser| browser.hosts.iter().map(|folder| host::file(folder)))
        .collect();
    files.extend(registration.manifests.iter().cloned());
    files.sort();
    files.dedup();
    let script = Ours::new(root, &binary).host;
    for file in files.into_iter().filter(|file| file.exists()) {
        let listed = registration.manifests.contains(&file);
        let ours = match host::named(&file) {
            Some(named) => {
                [&script, &binary, &registration.binary].contains(&&named) || (listed && !named.exists())
            }
            None => listed,
        };
        if ours {
            remove_file(&file, removed)?;
        } else {
            left.push(format!("{}: set-up did not write it", file.display()));
        }
    }
    Ok(())
}

/// The home's folders and the home itself; downloads are the person's and stay.
fn rest(root: &Path, removed: &mut Vec<PathBuf>, left: &mut Vec<String>) -> Result<(), Error> {
    for folder in FOLDERS.iter().map(|name| root.join(name)) {
        match fs::remove_dir_all(&folder) {
            Ok(()) => removed.push(folder),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(anyhow::anyhow!("{}: {error}", folder.display()))),
        }
    }
    for folder in [root.join("files"), root.to_owned()] {
        match fs::remove_dir(&folder) {
            Ok(()) => removed.push(folder),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {
                if folder == root {
                    left.push(format!(
                        "{}: it holds more than the bridge's own",
                        folder.display()
                    ));
                } else {
                    left.push(format!("{}: what is in it is yours", folder.display()));
                }
            }
            Err(error) => return Err(failed(anyhow::anyhow!("{}: {error}", folder.display()))),
        }
    }
    Ok(())
}

fn remove_file(path: &Path, removed: &mut Vec<PathBuf>) -> Result<(), Error> {
    match fs::remove_file(path) {
        Ok(()) => removed.push(path.to_owned()),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
        Err(error) => return Err(failed(anyhow::anyhow!("{}: {error}", path.display()))),
    }
    Ok(())
}
