//! The native messaging manifest: what it has to say, whether it does, and writing and removing it.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use drawbridge_protocol::version::{EXTENSION_ID, NATIVE_HOST};
use serde_json::{Value, json};

use crate::home;

/// Bytes that a manifest may have; ours has some hundred.
const MANIFEST_LIMIT: u64 = 64 * 1024;

/// What a browser has to be told to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ours {
    /// The program that the manifest names: the binary itself, or the script that tells it which home it serves.
    pub host: PathBuf,
    /// The binary.
    pub binary: PathBuf,
    /// The script's text, for any home but the default: a browser hands its own environment to a host, not a shell's.
    pub script: Option<Vec<u8>>,
}

/// How a manifest is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It starts our program for our extension.
    Ready,
    /// There is none.
    Missing,
    /// It cannot be read.
    Unreadable(String),
    /// It is no JSON object.
    BadJson,
    /// It has another name or type than the browser wants.
    BadFields,
    /// Our extension may not start it.
    WrongOrigin,
    /// It names a program that is not there.
    Moved(PathBuf),
    /// It names a program that cannot be executed.
    NotExecutable(PathBuf),
    /// It names another program.
    Other(PathBuf),
    /// The script that it names was changed.
    ScriptChanged(PathBuf),
    /// Somebody else could change it or what it names.
    Unsafe(PathBuf, String),
}

impl State {
    /// Its stable id.
    pub fn id(&self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Missing => "host_missing",
            Self::Unreadable(_) => "host_unreadable",
            Self::BadJson => "host_bad_json",
            Self::BadFields => "host_bad_fields",
            Self::WrongOrigin => "host_wrong_origin",
            Self::Moved(_) => "host_moved",
            Self::NotExecutable(_) => "host_not_executable",
            Self::Other(_) => "other_host",
            Self::ScriptChanged(_) => "host_script_changed",
            Self::Unsafe(..) => "host_unsafe",
        }
    }

    /// What is wrong with the manifest at `file`, in words; empty when nothing is.
    pub fn words(&self, file: &Path) -> String {
        let file = file.display();
        match self {
            Self::Ready => String::new(),
            Self::Missing => format!("there is no {file}"),
            Self::Unreadable(problem) => format!("{file} cannot be read: {problem}"),
            Self::BadJson => format!("{file} is no JSON object"),
            Self::BadFields => format!("{file} must have the name {NATIVE_HOST} and the type stdio"),
            Self::WrongOrigin => format!("{file} does not name this extension in allowed_origins"),
            Self::Moved(program) => format!("{file} leads to {}, which is not there", program.display()),
            Self::NotExecutable(program) => format!("{} is not executable", program.display()),
            Self::Other(program) => {
                format!("{file} starts another program, {}", program.display())
            }
            Self::ScriptChanged(script) => {
                format!("{} is not as set-up wrote it", script.display())
            }
            Self::Unsafe(path, problem) => format!("{} {problem}", path.display()),
        }
    }
}

impl Ours {
    /// What serves a home with a binary.
    pub fn new(home: &Path, binary: &Path) -> Self {
        if home::is_default(home) {
            return Self {
                host: binary.to_owned(),
                binary: binary.to_owned(),
                script: None,
            };
        }
        Self {
            host: home.join("native-host"),
            binary: binary.to_owned(),
            script: Some(script(home, binary)),
        }
    }

    /// Writes the script, where one is needed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_script(&self) -> Result<()> {
        match &self.script {
            Some(text) => replace(&self.host, text, 0o700),
            None => Ok(()),
        }
    }

    /// The manifest's text.
    ///
    /// # Errors
    /// When the program's path is no UTF-8, which JSON cannot hold.
    pub fn manifest(&self) -> Result<String> {
        let Some(path) = self.host.to_str() else {
            bail!(
                "{} is no UTF-8, which a native messaging manifest cannot name: put it elsewhere",
                self.host.display()
            );
        };
        let manifest = json!({
            "name": NATIVE_HOST,
            "description": "Drawbridge",
            "path": path,
            "type": "stdio",
            "allowed_origins": [origin()],
        });
        Ok(format!("{manifest:#}\n"))
    }
}

/// The manifest's file in a folder of manifests.
pub fn file(folder: &Path) -> PathBuf {
    folder.join(format!("{NATIVE_HOST}.json"))
}

/// Looks at a manifest.
pub fn check(file: &Path, ours: &Ours) -> State {
    match fs::metadata(file) {
        Ok(found) if !found.is_file() || found.len() > MANIFEST_LIMIT => {
            return State::Unreadable("it is no small file".to_owned());
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return State::Missing,
        Err(error) => return State::Unreadable(error.to_string()),
    }
    if let Some(problem) = writable_by_others(file) {
        return State::Unsafe(file.to_owned(), problem);
    }
    let text = match fs::read(file) {
        Ok(text) => text,
        Err(error) => return State::Unreadable(error.to_string()),
    };
    let manifest: Value = match serde_json::from_slice(&text) {
        Ok(manifest @ Value::Object(_)) => manifest,
        Ok(_) | Err(_) => return State::BadJson,
    };
    if manifest["name"] != NATIVE_HOST || manifest["type"] != "stdio" {
        return State::BadFields;
    }
    let named = PathBuf::from(manifest["path"].as_str().unwrap_or_default());
    if named != ours.host {
        return if named.is_file() {
            State::Other(named)
        } else {
            State::Moved(named)
        };
    }
    let origins = manifest["allowed_origins"].as_array();
    // No other extension is to start the host either.
    if origins.is_none_or(|origins| *origins != [json!(origin())]) {
        return State::WrongOrigin;
    }
    program(ours)
}

/// Writes a manifest that names our program. Returns the folders that were made for it, outermost first.
///
/// # Errors
/// When it cannot be written.
pub fn write(file: &Path, ours: &Ours) -> Result<Vec<PathBuf>> {
    let text = ours.manifest()?;
    let missing: Vec<PathBuf> = file
        .ancestors()
        .skip(1)
        .take_while(|folder| !folder.exists())
        .map(Path::to_owned)
        .collect();
    if let Some(folder) = missing.first() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    replace(file, text.as_bytes(), 0o600)?;
    Ok(missing.into_iter().rev().collect())
}

/// Writes a manifest that every user's browser can read.
///
/// # Errors
/// When it cannot be written.
pub fn write_for_all(file: &Path, ours: &Ours) -> Result<()> {
    for folder in write(file, ours)? {
        fs::set_permissions(&folder, Permissions::from_mode(0o755))?;
    }
    fs::set_permissions(file, Permissions::from_mode(0o644))
        .with_context(|| format!("cannot open {} to all", file.display()))
}

/// Removes a manifest. Returns whether there was one.
///
/// # Errors
/// When it cannot be removed.
pub fn remove(file: &Path) -> Result<bool> {
    match fs::remove_file(file) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot remove {}", file.display())),
    }
}

/// The program that a manifest names, whatever else is in it.
pub fn named(file: &Path) -> Option<PathBuf> {
    let manifest: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    manifest["path"].as_str().map(PathBuf::from)
}

/// Why others could change a file or put another one in its place; `None` when only its owner and root can.
pub fn writable_by_others(file: &Path) -> Option<String> {
    let us = rustix::process::geteuid().as_raw();
    for path in std::iter::once(file).chain(file.parent()) {
        let Ok(found) = fs::metadata(path) else {
            return Some("cannot be looked at".to_owned());
        };
        if found.uid() != us && found.uid() != 0 {
            return Some(format!(
                "can be changed by user {}, who owns {}",
                found.uid(),
                path.display()
            ));
        }
        // In a folder with the sticky bit others can replace nothing of ours.
        let sticky = path != file && found.mode() & 0o1000 != 0;
        if found.mode() & 0o022 != 0 && !sticky {
            return Some(format!(
                "can be changed by others: {} has mode {:o}",
                path.display(),
                found.mode() & 0o777
            ));
        }
    }
    None
}

/// Whether somebody may execute a file.
pub fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.mode() & 0o111 != 0)
}

fn program(ours: &Ours) -> State {
    if let Some(script) = &ours.script {
        match fs::read(&ours.host) {
            Ok(text) if text == *script => {}
            Ok(_) => return State::ScriptChanged(ours.host.clone()),
            Err(_) => return State::Moved(ours.host.clone()),
        }
    }
    for program in [&ours.host, &ours.binary] {
        if !program.is_file() {
            return State::Moved(program.clone());
        }
        if !is_executable(program) {
            return State::NotExecutable(program.clone());
        }
        if let Some(problem) = writable_by_others(program) {
            return State::Unsafe(program.clone(), problem);
        }
    }
    State::Ready
}

fn origin() -> String {
    format!("chrome-extension://{EXTENSION_ID}/")
}

fn script(home: &Path, binary: &Path) -> Vec<u8> {
    [
        b"#!/bin/sh\n# Written by `drawbridge setup`: tells the native host which home it serves.\nDRAWBRIDGE_HOME=",
        quoted(home).as_bytes(),
        b" exec ",
        quoted(binary).as_bytes(),
        b" \"$@\"\n",
    ]
    .concat()
}

/// A path as one word of a shell, whatever bytes are in it.
fn quoted(path: &Path) -> OsString {
    let mut word = vec![b'\''];
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'\'' => word.extend(br"'\''"),
            other => word.push(*other),
        }
    }
    word.push(b'\'');
    OsString::from_vec(word)
}

/// Writes a file beside its place and moves it there, so that nobody ever reads half of it.
///
/// # Errors
/// When it cannot be written.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".new{}", std::process::id()));
    let fresh = PathBuf::from(name);
    let written = fs::write(&fresh, bytes)
        .and_then(|()| fs::set_permissions(&fresh, Permissions::from_mode(mode)))
        .and_then(|()| fs::rename(&fresh, path));
    if written.is_err() {
        // Best effort; the error below is the one that matters.
        drop(fs::remove_file(&fresh));
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests;
