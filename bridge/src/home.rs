//! The folder that holds all state, and the checks before anything in it is used.

use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The longest path a local socket can have on Linux, in bytes without the closing zero.
/// <https://man7.org/linux/man-pages/man7/unix.7.html>
pub const SOCKET_PATH_LIMIT: usize = 107;

/// A checked home folder: ours, private, without links.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// The home that the environment names: `DRAWBRIDGE_HOME`, else the platform's data folder. Creates what is
    /// missing, with mode 0700.
    ///
    /// # Errors
    /// When no folder is named, when one cannot be created, or when one is a link, somebody else's, or writable by
    /// others.
    pub fn open() -> Result<Self> {
        match std::env::var_os("DRAWBRIDGE_HOME").filter(|path| !path.is_empty()) {
            Some(path) => Self::at(Path::new(&path)),
            None => Self::at(&platform_folder()?),
        }
    }

    /// The home at a path; see [`Home::open`].
    ///
    /// # Errors
    /// As [`Home::open`], and when the path is too long for a local socket.
    pub fn at(path: &Path) -> Result<Self> {
        let root = std::path::absolute(path).with_context(|| format!("{} is no path", path.display()))?;
        let home = Self { root };
        for folder in [home.root.clone(), home.run(), home.logs(), home.files()] {
            prepare(&folder)?;
        }
        let socket = home.socket();
        let bytes = socket.as_os_str().len();
        if bytes > SOCKET_PATH_LIMIT {
            bail!(
                "{} has {bytes} bytes, a local socket takes {SOCKET_PATH_LIMIT}: choose a shorter DRAWBRIDGE_HOME",
                socket.display()
            );
        }
        Ok(home)
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Locks, socket and process id.
    pub fn run(&self) -> PathBuf {
        self.root.join("run")
    }

    /// Log files.
    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// Downloads and captures.
    pub fn files(&self) -> PathBuf {
        self.root.join("files")
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.root.join("drawbridge.db")
    }

    /// The daemon's socket.
    pub fn socket(&self) -> PathBuf {
        self.run().join("daemon.sock")
    }

    /// Held by the daemon for its whole life; never removed.
    pub fn daemon_lock(&self) -> PathBuf {
        self.run().join("daemon.lock")
    }

    /// Held by whoever starts a daemon; never removed.
    pub fn spawn_lock(&self) -> PathBuf {
        self.run().join("spawn.lock")
    }

    /// The daemon's process id, decimal.
    pub fn pid_file(&self) -> PathBuf {
        self.run().join("daemon.pid")
    }

    /// Why the last daemon could not start; absent after a start that went well.
    pub fn start_error(&self) -> PathBuf {
        self.run().join("start.error")
    }

    /// Opens a lock file, without locking it.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn lock_file(path: &Path) -> Result<fs::File> {
        fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .with_context(|| format!("cannot open {}", path.display()))
    }
}

fn platform_folder() -> Result<PathBuf> {
    let from = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let user = || from("HOME").context("neither DRAWBRIDGE_HOME nor HOME is set");
    if cfg!(target_os = "macos") {
        return Ok(user()?.join("Library/Application Support/Drawbridge"));
    }
    match from("XDG_DATA_HOME").filter(|path| path.is_absolute()) {
        Some(data) => Ok(data.join("drawbridge")),
        None => Ok(user()?.join(".local/share/drawbridge")),
    }
}

/// Creates a folder where there is none, and refuses one that others could have put something into.
fn prepare(folder: &Path) -> Result<()> {
    let shown = folder.display();
    let mut builder = DirBuilder::new();
    let made = builder.recursive(true).mode(0o700).create(folder);
    let found = match fs::symlink_metadata(folder) {
        Ok(found) => found,
        Err(error) => {
            return Err(made.err().unwrap_or(error)).with_context(|| format!("cannot create {shown}"));
        }
    };
    if found.file_type().is_symlink() {
        bail!("{shown} is a link: the home folder and what is in it must be folders");
    }
    if !found.is_dir() {
        bail!("{shown} is no folder");
    }
    let us = rustix::process::geteuid().as_raw();
    if found.uid() != us {
        bail!(
            "{shown} belongs to user {}, not to user {us} who runs this",
            found.uid()
        );
    }
    let mode = found.mode() & 0o777;
    if mode & 0o022 != 0 {
        bail!(
            "{shown} has mode {mode:o}: others can write into it; set it to 700 after a look at what is in it"
        );
    }
    if mode != 0o700 {
        fs::set_permissions(folder, Permissions::from_mode(0o700))
            .with_context(|| format!("cannot make {shown} private"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_home_is_private_throughout() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(&folder.path().join("deep/home")).unwrap();
        for path in [home.root().to_owned(), home.run(), home.logs(), home.files()] {
            assert_eq!(fs::metadata(path).unwrap().mode() & 0o777, 0o700);
        }
    }

    #[test]
    fn a_folder_that_others_can_write_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(&folder.path().join("home")).unwrap();
        fs::set_permissions(home.run(), Permissions::from_mode(0o770)).unwrap();
        let error = Home::at(home.root()).unwrap_err().to_string();
        assert!(error.contains("mode 770"), "{error}");
    }

    #[test]
    fn a_link_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(&folder.path().join("home")).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(home.root(), &link).unwrap();
        assert!(Home::at(&link).unwrap_err().to_string().contains("is a link"));
        fs::remove_dir(home.logs()).unwrap();
        std::os::unix::fs::symlink("/tmp", home.logs()).unwrap();
        assert!(
            Home::at(home.root())
                .unwrap_err()
                .to_string()
                .contains("is a link")
        );
    }

    #[test]
    fn a_path_that_no_socket_can_have_is_refused_with_its_length() {
        let folder = tempfile::tempdir().unwrap();
        let error = Home::at(&folder.path().join("x".repeat(120)))
            .unwrap_err()
            .to_string();
        assert!(error.contains("shorter DRAWBRIDGE_HOME"), "{error}");
    }
}
