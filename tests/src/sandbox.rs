//! An isolated home with its daemon and its Chromium profiles, and the end of it all.
//!
//! A sandbox is one folder: `home/` for the bridge, `profile-N/` for each browser, a wrapper script that tells the
//! native host which home it serves, logs, and the temporary files of all its processes. Whatever ends the harness,
//! a watcher ends those processes and removes the folder.

pub mod chromium;
pub mod processes;
mod profile;

pub use profile::{Profile, WorkerStopper};

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::version;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::client::Client;
use crate::mcp::Mcp;
use crate::project::{self, Bridge};
use crate::wait;
use processes::Watcher;

/// How long a browser may take until its extension is connected; a cold start on a busy machine.
const CONNECT: Duration = Duration::from_secs(45);

/// What a sandbox is made of.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many browser profiles, from 1.
    pub profiles: usize,
    /// Windows on the screen instead of headless.
    pub headed: bool,
    /// No client is admitted and no grant given by itself, as in a released build.
    pub strict: bool,
    /// More flags for Chromium.
    pub flags: Vec<String>,
    /// JavaScript that the extension's worker runs before its own, in this sandbox's copy of it.
    pub worker_script: Option<&'static str>,
    /// Another unpacked extension than the one that was built for sandboxes.
    pub extension: Option<PathBuf>,
    /// Which build of the bridge.
    pub bridge: Bridge,
    /// Another binary of that build.
    pub binary: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            profiles: 1,
            headed: false,
            strict: false,
            flags: Vec::new(),
            worker_script: None,
            extension: None,
            bridge: Bridge::Sandbox,
            binary: None,
        }
    }
}

/// A running sandbox. Dropping it ends and removes everything.
pub struct Sandbox {
    root: PathBuf,
    home: PathBuf,
    bridge: PathBuf,
    profiles: Vec<Profile>,
    ended: bool,
    /// Ends everything when this process is gone before [`Sandbox::stop`].
    _watcher: Watcher,
}

impl Sandbox {
    /// Starts the browsers and waits until every profile is connected to the daemon.
    ///
    /// # Errors
    /// When something is not built or installed, with the command that does it; when a browser ends or does not
    /// connect, with the end of its log.
    pub async fn start(options: Options) -> Result<Self> {
        let mut sandbox = Self::prepare(&options)?;
        if options.bridge == Bridge::Released {
            sandbox.open_pairing().await?;
        }
        for number in 1..=options.profiles {
            let profile = Profile::start(&sandbox.root, &sandbox.home, &sandbox.bridge, number, &options)?;
            sandbox.profiles.push(profile);
        }
        for profile in &mut sandbox.profiles {
            profile.until_debuggable().await?;
        }
        if options.bridge == Bridge::Released {
            sandbox.until_paired().await?;
        } else {
            sandbox.until_connected().await?;
        }
        Ok(sandbox)
    }

    /// Begins what set-up begins: the first profile that connects is paired.
    async fn open_pairing(&self) -> Result<Value> {
        // Any command starts the daemon.
        let (code, said) = self.cli(["clients", "list", "--json"]).await?;
        if code != 0 {
            bail!("the daemon did not start: {said}");
        }
        let setup = self.client("setup").await?;
        Ok(setup.admin(Admin::OpenPairing).await?)
    }

    /// Waits until a profile is paired: strangers learn no more than that.
    async fn until_paired(&mut self) -> Result<()> {
        wait::until("a profile to be paired", CONNECT, async || {
            Ok((self.open_pairing().await?["state"] == "closed").then_some(()))
        })
        .await
        .with_context(|| self.profiles.first().map_or_else(String::new, Profile::log_end))
    }

    /// A home without a browser.
    ///
    /// # Errors
    /// When the bridge is not built.
    pub fn without_browser(options: &Options) -> Result<Self> {
        Self::prepare(options)
    }

    fn prepare(options: &Options) -> Result<Self> {
        let bridge = options
            .binary
            .clone()
            .map_or_else(|| options.bridge.built(), Ok)?;
        let root = tempfile::Builder::new()
            .prefix("drawbridge-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir()
            .context("could not make a temporary folder")?
            .keep();
        // From here on somebody removes it.
        let watcher = Watcher::of(&root)?;
        let home = root.join("home");
        for folder in [&home, &root.join("tmp"), &root.join("browser")] {
            fs::create_dir(folder)?;
            fs::set_permissions(folder, Permissions::from_mode(0o700))?;
        }
        if options.worker_script.is_some() || options.extension.is_some() {
            let copy = extension(&root, options.extension.as_deref())?;
            if let Some(script) = options.worker_script {
                let worker = copy.join("sw.js");
                fs::write(&worker, format!("{script}\n{}", fs::read_to_string(&worker)?))?;
            }
        }
        fs::write(
            home.join("sandbox.json"),
            json!({"strict": options.strict}).to_string(),
        )?;
        Ok(Self {
            root,
            home,
            bridge,
            profiles: Vec::new(),
            ended: false,
            _watcher: watcher,
        })
    }

    /// The bridge's home.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The bridge's binary.
    pub fn bridge(&self) -> &Path {
        &self.bridge
    }

    /// The folder that everything of the sandbox is in.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The profiles, by number.
    pub fn profiles(&self) -> &[Profile] {
        &self.profiles
    }

    /// The first profile.
    ///
    /// # Panics
    /// In a sandbox without a browser.
    pub fn profile(&self) -> &Profile {
        &self.profiles[0]
    }

    /// What `cargo xtask sandbox` prints.
    pub fn describe(&self) -> Value {
        let targets: Vec<_> = self
            .profiles
            .iter()
            .map(|profile| {
                json!({"id": profile.target, "name": profile.name, "profileDir": profile.folder(),
                       "pid": profile.pid()})
            })
            .collect();
        json!({"home": self.home, "bridge": self.bridge, "targets": targets,
               "chromium": chromium::find().unwrap_or_default()})
    }

    /// Waits until every profile's own browser is connected, and learns their ids and names.
    ///
    /// # Errors
    /// When one is not, with what its browser logged last.
    pub async fn until_connected(&mut self) -> Result<()> {
        let home = self.home.clone();
        for profile in &mut self.profiles {
            let found = wait::until("the extension to connect", CONNECT, async || {
                profile.check_alive()?;
                let links = links(&home).await.unwrap_or_default();
                Ok(links
                    .into_iter()
                    .find(|link| link["pid"].as_u64() == Some(u64::from(profile.pid()))))
            })
            .await;
            let link = found.with_context(|| format!("{}: {}", profile.label(), profile.log_end()))?;
            profile.target = link["id"].as_str().unwrap_or_default().into();
            profile.name = link["name"].as_str().unwrap_or_default().to_owned();
        }
        Ok(())
    }

    /// A plain client of the daemon.
    ///
    /// # Errors
    /// When no daemon runs or it refuses.
    pub async fn client(&self, id: &str) -> Result<Client> {
        Client::connect(&self.home, id).await
    }

    /// An MCP client, with the handshake done.
    ///
    /// # Errors
    /// When the server does not start.
    pub async fn mcp(&self, id: &str, surface: &str) -> Result<Mcp> {
        Mcp::start(&self.bridge, &self.home, id, surface).await
    }

    /// The bridge's command line in this home; not started yet.
    pub fn command<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(&self.bridge);
        command
            .args(arguments)
            .env("DRAWBRIDGE_HOME", &self.home)
            .env_remove("DRAWBRIDGE_CLIENT");
        command.kill_on_drop(true);
        command
    }

    /// The script that a browser starts as native host, to be started by hand; not started yet. `label` is the name
    /// its profile gets.
    ///
    /// # Errors
    /// When the script cannot be written.
    pub fn native_host(&self, label: &str) -> Result<Command> {
        register_host(
            &self.root,
            &self.home,
            &self.bridge,
            label,
            &self.root.join(label),
        )?;
        let mut command = Command::new(self.root.join(format!("{label}-host")));
        command
            .arg(format!("chrome-extension://{}/", version::EXTENSION_ID))
            .stderr(std::process::Stdio::null())
            .kill_on_drop(true);
        Ok(command)
    }

    /// Runs the command line to its end: exit code and standard output.
    ///
    /// # Errors
    /// When it does not start or does not end.
    pub async fn cli<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Result<(i32, String)> {
        let mut command = self.command(arguments);
        let output = wait::within("the command", Duration::from_secs(75), async {
            Ok(command.stdin(std::process::Stdio::null()).output().await?)
        })
        .await?;
        let text = String::from_utf8(output.stdout).context("standard output is no UTF-8")?;
        Ok((output.status.code().unwrap_or(-1), text))
    }

    /// Process id of this home's daemon, if one runs.
    pub fn daemon(&self) -> Option<u32> {
        processes::daemon(&self.home)
    }

    /// Ends the daemon at once, as a crash does, and sees it gone.
    ///
    /// # Errors
    /// When none runs.
    pub fn kill_daemon(&self) -> Result<u32> {
        let pid = self.daemon().context("no daemon runs")?;
        processes::kill(pid)?;
        Ok(pid)
    }

    /// Ends a browser at once, as a crash does, and sees it gone.
    ///
    /// # Errors
    /// When it cannot be ended.
    pub fn kill_browser(&mut self, number: usize) -> Result<()> {
        self.profiles[number - 1].kill()
    }

    /// Asks a browser to quit, as a person does, and sees it gone.
    ///
    /// # Errors
    /// When it cannot be ended.
    pub fn quit_browser(&mut self, number: usize) -> Result<()> {
        self.profiles[number - 1].end()
    }

    /// Starts a browser again on its profile and waits for its extension.
    ///
    /// # Errors
    /// When it does not come up.
    pub async fn restart_browser(&mut self, number: usize) -> Result<()> {
        let profile = &mut self.profiles[number - 1];
        profile.end()?;
        profile.launch()?;
        profile.until_debuggable().await?;
        self.until_connected().await
    }

    /// Ends everything and removes the folder.
    ///
    /// # Errors
    /// When something resists.
    pub async fn stop(mut self) -> Result<()> {
        tokio::task::spawn_blocking(move || self.end()).await?
    }

    fn end(&mut self) -> Result<()> {
        self.ended = true;
        for profile in &self.profiles {
            profile.ask_to_quit();
        }
        for profile in &mut self.profiles {
            profile.end()?;
        }
        if let Some(pid) = self.daemon() {
            processes::end(pid)?;
        }
        for pid in processes::of(&self.root) {
            processes::kill(pid)?;
        }
        processes::remove(&self.root)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if !self.ended
            && let Err(error) = self.end()
        {
            eprintln!("sandbox {}: {error:#}", self.root.display());
        }
    }
}

/// The daemon's connected browsers; an error while there is no daemon.
async fn links(home: &Path) -> Result<Vec<Value>> {
    let client = Client::connect(home, "cli").await?;
    match client.admin(Admin::Links).await? {
        Value::Array(links) => Ok(links),
        other => bail!("links are {other}"),
    }
}

/// Writes the script that a browser starts as native host, and the manifest that names it.
pub(crate) fn register_host(
    root: &Path,
    home: &Path,
    bridge: &Path,
    label: &str,
    profile: &Path,
) -> Result<()> {
    use drawbridge_protocol::version::{EXTENSION_ID, NATIVE_HOST};

    let script = root.join(format!("{label}-host"));
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
    let text = format!(
        "#!/bin/sh\nDRAWBRIDGE_HOME={} DRAWBRIDGE_LINK_LABEL='{label}' exec {} \"$@\"\n",
        quoted(home),
        quoted(bridge),
    );
    fs::write(&script, text)?;
    fs::set_permissions(&script, Permissions::from_mode(0o700))?;
    let hosts = profile.join("NativeMessagingHosts");
    fs::create_dir_all(&hosts)?;
    let manifest = json!({
        "name": NATIVE_HOST, "description": "Drawbridge sandbox", "path": script, "type": "stdio",
        "allowed_origins": [format!("chrome-extension://{EXTENSION_ID}/")],
    });
    fs::write(hosts.join(format!("{NATIVE_HOST}.json")), manifest.to_string())?;
    Ok(())
}

/// The sandbox's own copy of the extension, made by the first profile: a build meanwhile must not replace files of a
/// running browser, whose next worker would get parts of both.
pub(crate) fn extension(root: &Path, from: Option<&Path>) -> Result<PathBuf> {
    let copy = root.join("extension");
    if copy.is_dir() {
        return Ok(copy);
    }
    let built = from.map_or_else(project::extension_sandbox, Path::to_owned);
    if !built.join("manifest.json").is_file() {
        bail!("there is no {}: run `cargo xtask build` first", built.display());
    }
    copy_folder(&built, &copy)?;
    Ok(copy)
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &copy)?;
        } else {
            fs::copy(entry.path(), &copy)?;
        }
    }
    Ok(())
}
