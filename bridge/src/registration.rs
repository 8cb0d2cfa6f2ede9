//! What set-up told the browsers, kept in the home: which binary, with which hash, in which manifests.
//!
//! It lets `doctor` see that a binary was moved or exchanged, and lets a removal leave nothing behind.

use std::fs;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use drawbridge_protocol::version::BUILD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::browsers::Browser;
use crate::browsers::host::{self, Ours};

/// The file's name in the home.
pub const FILE: &str = "registration.json";

/// Folders that are emptied by themselves, so that a registered binary would vanish.
const TEMPORARY: &[&str] = &["/tmp", "/var/tmp", "/dev/shm", "/private/tmp"];

/// A registration. Fields of another version are kept out of its way by their defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Registration {
    /// The binary.
    pub binary: PathBuf,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// Its version.
    pub build: String,
    /// Whether a person said that it may lie where it would not be registered by itself.
    pub here: bool,
    /// Manifests that were written.
    pub manifests: Vec<PathBuf>,
    /// Folders that were made for them, outermost first.
    pub folders: Vec<PathBuf>,
    /// User data folders that a person named.
    pub user_data: Vec<PathBuf>,
}

impl Registration {
    /// The registration of a home; `None` where nothing is registered.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn read(home: &Path) -> Result<Option<Self>> {
        let path = home.join(FILE);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        serde_json::from_slice(&text)
            .map(Some)
            .with_context(|| format!("{} is not as set-up wrote it", path.display()))
    }

    /// Keeps it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, home: &Path) -> Result<()> {
        let text = serde_json::to_vec_pretty(self)?;
        host::replace(&home.join(FILE), &text, 0o600)
    }

    /// Registers its binary with browsers: script, manifests, and the record of it all.
    ///
    /// # Errors
    /// When something cannot be written. What was written until then is in the record.
    pub fn register(&mut self, home: &Path, browsers: &[&Browser]) -> Result<()> {
        let ours = Ours::new(home, &self.binary);
        self.sha256 = hash(&self.binary)?;
        BUILD.clone_into(&mut self.build);
        ours.write_script()?;
        for folder in browsers.iter().flat_map(|browser| &browser.hosts) {
            let file = host::file(folder);
            let made = host::write(&file, &ours)?;
            add(&mut self.folders, made);
            add(&mut self.manifests, [file]);
            self.write(home)?;
        }
        self.write(home)
    }
}

/// Refuses to register a binary that will not stay, or that others could exchange. `here` says that a person knows
/// that it lies in a build or temporary folder.
///
/// # Errors
/// Why not, and what to do.
pub fn check_place(binary: &Path, here: bool) -> Result<()> {
    let shown = binary.display();
    for path in binary.ancestors().skip(1) {
        let found = fs::metadata(path).with_context(|| format!("cannot look at {}", path.display()))?;
        let us = rustix::process::geteuid().as_raw();
        let sticky = found.mode() & 0o1000 != 0;
        if (found.uid() != us && found.uid() != 0) || (found.mode() & 0o022 != 0 && !sticky) {
            bail!(
                "{shown} could be exchanged by others: {} belongs to user {} and has mode {:o}; put it into a folder \
                 that only you can change",
                path.display(),
                found.uid(),
                found.mode() & 0o7777
            );
        }
    }
    if let Some(problem) = host::writable_by_others(binary) {
        bail!("{shown} {problem}");
    }
    if here {
        return Ok(());
    }
    let advice = "put it where it stays, such as ~/drawbridge, and run set-up from there; `--here` registers it all the same";
    if let Some(folder) = build_folder(binary) {
        bail!("{shown} lies in a build folder, {}: {advice}", folder.display());
    }
    let chosen = std::env::temp_dir();
    let temporary = TEMPORARY.iter().map(Path::new).chain([chosen.as_path()]);
    for folder in temporary {
        if binary.starts_with(folder) {
            bail!(
                "{shown} lies in a temporary folder, {}: {advice}",
                folder.display()
            );
        }
    }
    Ok(())
}

/// A file's SHA-256 in hexadecimal digits.
///
/// # Errors
/// When it cannot be read.
pub fn hash(path: &Path) -> Result<String> {
    let problem = || format!("cannot read {}", path.display());
    let mut file = fs::File::open(path).with_context(problem)?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 256 * 1024];
    loop {
        match file.read(&mut chunk).with_context(problem)? {
            0 => break,
            count => hasher.update(&chunk[..count]),
        }
    }
    Ok(hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

/// The build folder that a file lies in: one that cargo or another tool tagged as a cache.
/// <https://bford.info/cachedir/>
fn build_folder(binary: &Path) -> Option<PathBuf> {
    binary
        .ancestors()
        .skip(1)
        .find(|folder| {
            let tag = fs::read(folder.join("CACHEDIR.TAG")).unwrap_or_default();
            tag.starts_with(b"Signature: 8a477f597d28d172789f06886806bc55")
                || (folder.ends_with("target")
                    && folder.parent().is_some_and(|up| up.join("Cargo.toml").exists()))
        })
        .map(Path::to_owned)
}

fn add(list: &mut Vec<PathBuf>, new: impl IntoIterator<Item = PathBuf>) {
    for path in new {
        if !list.contains(&path) {
            list.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn binary_in(folder: &Path) -> PathBuf {
        fs::create_dir_all(folder).unwrap();
        let binary = folder.join("drawbridge");
        fs::write(&binary, "x").unwrap();
        fs::set_permissions(&binary, Permissions::from_mode(0o755)).unwrap();
        binary
    }

    #[test]
    fn a_binary_that_will_not_stay_is_refused_unless_a_person_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let binary = binary_in(folder.path());
        let refused = check_place(&binary, false).unwrap_err().to_string();
        assert!(refused.contains("temporary folder"), "{refused}");
        check_place(&binary, true).unwrap();
        let built = binary_in(&folder.path().join("target/release"));
        fs::write(folder.path().join("Cargo.toml"), "").unwrap();
        let refused = check_place(&built, false).unwrap_err().to_string();
        assert!(refused.contains("build folder"), "{refused}");
    }

    #[test]
    fn a_binary_that_others_could_exchange_is_refused_whatever_a_person_says() {
        let folder = tempfile::tempdir().unwrap();
        let binary = binary_in(&folder.path().join("open"));
        fs::set_permissions(folder.path().join("open"), Permissions::from_mode(0o777)).unwrap();
        let refused = check_place(&binary, true).unwrap_err().to_string();
        assert!(refused.contains("by others"), "{refused}");
        fs::set_permissions(folder.path().join("open"), Permissions::from_mode(0o700)).unwrap();
        fs::set_permissions(&binary, Permissions::from_mode(0o775)).unwrap();
        assert!(check_place(&binary, true).is_err());
    }

    #[test]
    fn hashes_are_those_of_the_world() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x"), "abc").unwrap();
        assert_eq!(
            hash(&folder.path().join("x")).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn what_was_written_is_read_again_and_a_torn_file_is_told() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Registration::read(folder.path()).unwrap(), None);
        let registration = Registration {
            binary: PathBuf::from("/x"),
            ..Registration::default()
        };
        registration.write(folder.path()).unwrap();
        assert_eq!(Registration::read(folder.path()).unwrap(), Some(registration));
        fs::write(folder.path().join(FILE), "{").unwrap();
        assert!(Registration::read(folder.path()).is_err());
    }
}
