//! The folder that holds all state, and the checks before anything in it is used.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use drawbridge_protocol::Secret;
use drawbridge_protocol::ids::ClientId;

use crate::hex;

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
        Self::at(&chosen()?)
    }

    /// The home at a path; see [`Home::open`].
    ///
    /// # Errors
    /// As [`Home::open`], and when the path is too long for a local socket.
    pub fn at(path: &Path) -> Result<Self> {
        let root = std::path::absolute(path).with_context(|| format!("{} is no path", path.display()))?;
        let home = Self { root };
        for folder in [
            home.root.clone(),
            home.run(),
            home.logs(),
            home.files(),
            home.clients(),
        ] {
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

    /// Secrets of clients, a file each.
    pub fn clients(&self) -> PathBuf {
        self.root.join("clients")
    }

    /// The secret of a client, made when it is asked for the first time.
    ///
    /// # Errors
    /// When it can be read by others, is a link or somebody else's, or cannot be made.
    pub fn client_secret(&self, client: &ClientId) -> Result<Secret> {
        minted(&self.clients(), client.as_str(), "admit that client anew")
    }

    /// What this home is called towards browsers, made when it is asked for the first time. It lies beside the database,
    /// so that a home whose database was exchanged is the same home.
    ///
    /// # Errors
    /// As [`Home::client_secret`].
    pub fn identity(&self) -> Result<String> {
        let word = minted(&self.root, "home.id", "start again")?;
        Ok(word.expose().to_owned())
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

/// A random word in a file of its own, made where there is none. `cure` is what to do once a bad one is removed.
fn minted(folder: &Path, name: &str, cure: &str) -> Result<Secret> {
    let path = folder.join(name);
    if let Some(word) = read_secret(&path, cure)? {
        return Ok(word);
    }
    // Whole before it has its name, so that nobody reads half of one; the first of several keeps the name.
    let fresh = folder.join(format!(".{}", hex::random(8)?));
    fs::OpenOptions::new()
        .create_new(true)
        .write(true)
        .mode(0o600)
        .open(&fresh)
        .and_then(|mut file| file.write_all(hex::random(32).map_err(std::io::Error::other)?.as_bytes()))
        .with_context(|| format!("cannot write {}", fresh.display()))?;
    let linked = fs::hard_link(&fresh, &path);
    fs::remove_file(&fresh).with_context(|| format!("cannot remove {}", fresh.display()))?;
    match linked {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error).with_context(|| format!("cannot make {}", path.display())),
    }
    read_secret(&path, cure)?.with_context(|| format!("{} is gone again", path.display()))
}

/// The folder that the environment names, unchecked.
///
/// # Errors
/// When it names none.
pub fn chosen() -> Result<PathBuf> {
    match std::env::var_os("DRAWBRIDGE_HOME").filter(|path| !path.is_empty()) {
        Some(path) => Ok(std::path::absolute(path)?),
        None => platform_folder(),
    }
}

/// Whether a folder is the home that a program finds by `HOME` alone, as one that a browser starts.
pub fn is_default(root: &Path) -> bool {
    let below = if cfg!(target_os = "macos") {
        "Library/Application Support/Drawbridge"
    } else {
        ".local/share/drawbridge"
    };
    std::env::var_os("HOME").is_some_and(|home| Path::new(&home).join(below) == root)
}

/// The word in a file, if it is there; refused when others could know it or have put it there.
fn read_secret(path: &Path, cure: &str) -> Result<Option<Secret>> {
    let shown = path.display();
    let opened = rustix::fs::open(
        path,
        rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::CLOEXEC,
        rustix::fs::Mode::empty(),
    );
    let mut file = match opened {
        Ok(file) => fs::File::from(file),
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot open {shown}")),
    };
    let found = file
        .metadata()
        .with_context(|| format!("cannot look at {shown}"))?;
    let us = rustix::process::geteuid().as_raw();
    if !found.is_file() || found.uid() != us || found.mode() & 0o077 != 0 {
        bail!("{shown} must be a file of user {us} with mode 600: remove it, then {cure}");
    }
    let mut text = String::new();
    Read::by_ref(&mut file)
        .take(1024)
        .read_to_string(&mut text)
        .with_context(|| format!("cannot read {shown}"))?;
    let text = text.trim();
    if text.len() < 32 {
        bail!("{shown} holds no secret: remove it, then {cure}");
    }
    Ok(Some(Secret::new(text)))
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
    fn a_client_keeps_its_secret_and_no_other_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(&folder.path().join("home")).unwrap();
        let secret = |id: &str| home.client_secret(&id.into());
        let first = secret("cli").unwrap();
        assert_eq!(secret("cli").unwrap(), first);
        assert_ne!(secret("mcp").unwrap(), first);
        let path = home.clients().join("cli");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(
            fs::read_dir(home.clients()).unwrap().count(),
            2,
            "nothing else is left"
        );
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        assert!(secret("cli").unwrap_err().to_string().contains("mode 600"));
        std::os::unix::fs::symlink(home.clients().join("mcp"), home.clients().join("link")).unwrap();
        assert!(secret("link").is_err());
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
