//! A bridge as a person installs it: a copy in a folder of its own, a user's folder, and a stand-in for the system.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_tests::project;
use drawbridge_tests::sandbox::Sandbox;
use drawbridge_tests::wait;
use serde_json::Value;
use tokio::process::Command;

/// What a program ended with.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// An installed bridge. Its files go with the sandbox.
pub(crate) struct Installed {
    /// The binary, in a folder whose name has a space and an umlaut.
    pub(crate) binary: PathBuf,
    /// The user's own folder.
    pub(crate) user: PathBuf,
    /// Stands in for the root of the file system.
    pub(crate) system: PathBuf,
    /// The bridge's home; the default one without.
    pub(crate) home: Option<PathBuf>,
}

impl Installed {
    /// Installs the sandbox's bridge beside its home.
    pub(crate) fn in_sandbox(sandbox: &Sandbox) -> Result<Self> {
        let mut this = Self::below(sandbox.root(), sandbox.bridge())?;
        this.home = Some(sandbox.home().to_owned());
        Ok(this)
    }

    /// Installs a bridge into a folder.
    pub(crate) fn below(root: &Path, bridge: &Path) -> Result<Self> {
        let app = root.join("Meine Programme ü");
        let (user, system) = (root.join("ada ü x"), root.join("system"));
        for folder in [&app, &user, &system] {
            fs::create_dir(folder)?;
            fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
        }
        let binary = app.join("drawbridge");
        fs::copy(bridge, &binary)?;
        Ok(Self {
            binary,
            user,
            system,
            home: None,
        })
    }

    /// Puts the unpacked extension beside the binary, as the package has it.
    pub(crate) fn with_extension(&self) -> Result<PathBuf> {
        let folder = self.binary.with_file_name("extension");
        fs::create_dir(&folder)?;
        for entry in fs::read_dir(project::extension())? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                fs::copy(entry.path(), folder.join(entry.file_name()))?;
            }
        }
        Ok(folder)
    }

    /// Makes user data folders below the user's configuration folder.
    pub(crate) fn browsers(&self, names: &[&str]) -> Result<()> {
        for name in names {
            fs::create_dir_all(self.user.join(".config").join(name))?;
        }
        Ok(())
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .args(arguments)
            .env("HOME", &self.user)
            .env_remove("DRAWBRIDGE_HOME")
            .env_remove("DRAWBRIDGE_CLIENT")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_DATA_HOME")
            .env_remove("SUDO_USER")
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .kill_on_drop(true);
        if let Some(home) = &self.home {
            command.env("DRAWBRIDGE_HOME", home);
        }
        command
    }

    /// Runs the command line to its end.
    pub(crate) async fn run(&self, arguments: &[&str]) -> Result<Ran> {
        ran(&mut self.command(arguments)).await
    }

    /// `setup` with the stand-in system; set-up of a copy in a temporary folder has to be told that it is meant.
    pub(crate) async fn setup(&self, more: &[&str]) -> Result<Ran> {
        let system = self.system.display().to_string();
        let arguments = [&["setup", "--root", &system][..], more].concat();
        self.run(&arguments).await
    }

    /// `doctor --json`: exit code and result.
    pub(crate) async fn doctor(&self, more: &[&str]) -> Result<(i32, Value)> {
        let system = self.system.display().to_string();
        let arguments = [&["doctor", "--json", "--root", &system][..], more].concat();
        let ran = self.run(&arguments).await?;
        let envelope: Value = serde_json::from_str(&ran.out).with_context(|| format!("{ran:?}"))?;
        ensure!(envelope["ok"] == true, "{envelope}");
        Ok((ran.code, envelope["result"].clone()))
    }

    /// Every file and folder of the user, with the files' bytes.
    pub(crate) fn tree(&self) -> Result<BTreeMap<PathBuf, Option<Vec<u8>>>> {
        let mut tree = BTreeMap::new();
        collect(&self.user, &mut tree)?;
        Ok(tree)
    }
}

/// Runs a program to its end.
pub(crate) async fn ran(command: &mut Command) -> Result<Ran> {
    let output = wait::within("the command", Duration::from_secs(60), async {
        Ok(command.output().await?)
    })
    .await?;
    Ok(Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout)?,
        err: String::from_utf8(output.stderr)?,
    })
}

/// The hops of a diagnosis that have an issue, with it.
pub(crate) fn issues(diagnosis: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    diagnosis["hops"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|hop| hop["issue"].is_string())
        .map(|hop| (text(&hop["name"]), text(&hop["issue"])))
        .collect()
}

fn collect(folder: &Path, tree: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            tree.insert(path.clone(), None);
            collect(&path, tree)?;
        } else {
            tree.insert(path.clone(), Some(fs::read(&path).unwrap_or_default()));
        }
    }
    Ok(())
}
