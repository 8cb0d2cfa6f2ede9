//! One browser profile and the Chromium that runs on it.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use drawbridge_protocol::ids::TargetId;
use drawbridge_protocol::version::EXTENSION_ID;
use serde_json::json;

use super::{Options, chromium, extension, processes, register_host};
use crate::cdp::{Browser, Page};
use crate::wait;

/// A profile of a sandbox. Its Chromium is ended by the sandbox.
pub struct Profile {
    /// The target's id, once connected.
    pub target: TargetId,
    /// The name people see, once connected.
    pub name: String,
    label: String,
    folder: PathBuf,
    root: PathBuf,
    flags: Vec<String>,
    headed: bool,
    /// `None` while the browser is ended.
    child: Option<Child>,
}

impl Profile {
    pub(super) fn start(
        root: &Path,
        home: &Path,
        bridge: &Path,
        number: usize,
        options: &Options,
    ) -> Result<Self> {
        let label = format!("profile-{number}");
        let folder = root.join(&label);
        fs::create_dir(&folder)?;
        allow_restarts(&folder)?;
        register_host(root, home, bridge, &label, &folder)?;
        let mut profile = Self {
            target: TargetId::from(""),
            name: String::new(),
            label,
            folder,
            root: root.to_owned(),
            flags: options.flags.clone(),
            headed: options.headed,
            child: None,
        };
        profile.launch()?;
        Ok(profile)
    }

    pub(super) fn launch(&mut self) -> Result<()> {
        // The file of an earlier run would name a port that nobody listens on.
        let port = self.folder.join("DevToolsActivePort");
        if port.exists() {
            fs::remove_file(port)?;
        }
        let log = File::options().create(true).append(true).open(self.log())?;
        let mut command = Command::new(chromium::find()?);
        command
            .args(chromium::flags(self.headed)?)
            .arg(format!("--user-data-dir={}", self.folder.display()))
            .arg(format!(
                "--load-extension={}",
                extension(&self.root, None)?.display()
            ))
            .args(&self.flags)
            .arg("about:blank")
            .env("HOME", self.root.join("browser"))
            .env("TMPDIR", self.root.join("tmp"))
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            // A key press meant for the harness must not end the browser before the harness does.
            .process_group(0);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("DRAWBRIDGE_") {
                command.env_remove(name);
            }
        }
        self.child = Some(command.spawn().context("could not start Chromium")?);
        Ok(())
    }

    /// `profile-N`.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The user data folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Process id of the browser; 0 while it is ended.
    pub fn pid(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::id)
    }

    /// What the browser wrote to its log.
    pub fn log(&self) -> PathBuf {
        self.root.join(format!("{}.log", self.label))
    }

    pub(super) fn log_end(&self) -> String {
        let text = fs::read_to_string(self.log()).unwrap_or_default();
        let lines: Vec<_> = text.lines().collect();
        format!(
            "the browser's log ends with:\n{}",
            lines[lines.len().saturating_sub(15)..].join("\n")
        )
    }

    /// The harness' own eyes and hands in this browser.
    ///
    /// # Errors
    /// When the browser is not up.
    pub async fn browser(&self) -> Result<Browser> {
        Browser::of_profile(&self.folder).await
    }

    /// Opens a page of the extension's origin that runs none of its scripts, as a place to ask `chrome.*` from.
    ///
    /// # Errors
    /// When the extension is not there.
    pub async fn extension_page(&self, browser: &Browser) -> Result<Page> {
        let page = browser
            .open(&format!("chrome-extension://{EXTENSION_ID}/manifest.json"))
            .await?;
        page.until("typeof chrome === 'object' && chrome.tabs").await?;
        Ok(page)
    }

    /// Stops the extension's service worker, as the browser does when it is idle or out of memory.
    ///
    /// # Errors
    /// When it still runs afterwards.
    pub async fn stop_worker(&self) -> Result<()> {
        let stopper = self.worker_stopper(&self.browser().await?).await?;
        stopper.stop().await?;
        stopper.close().await
    }

    /// A place to stop the service worker from at once, for tests that need the moment.
    ///
    /// # Errors
    /// When the extension is not there.
    pub async fn worker_stopper(&self, browser: &Browser) -> Result<WorkerStopper> {
        let page = self.extension_page(browser).await?;
        // A session on the worker itself would keep it alive; one on a page of its origin does not.
        page.send("ServiceWorker.enable", json!({})).await?;
        Ok(WorkerStopper { page })
    }

    /// Process ids of the native hosts that this browser started.
    pub fn native_hosts(&self) -> Vec<u32> {
        processes::children(self.pid())
            .into_iter()
            .filter(|pid| {
                processes::environment(*pid).is_some_and(|text| text.contains("DRAWBRIDGE_LINK_LABEL="))
            })
            .collect()
    }

    pub(super) fn check_alive(&mut self) -> Result<()> {
        let Some(child) = &mut self.child else {
            bail!("{} is ended", self.label)
        };
        match child.try_wait()? {
            None => Ok(()),
            Some(status) => bail!("Chromium ended with {status}"),
        }
    }

    pub(super) async fn until_debuggable(&mut self) -> Result<()> {
        let up = wait::until("Chromium to start", Duration::from_secs(45), async || {
            self.check_alive()?;
            let text = fs::read_to_string(self.folder.join("DevToolsActivePort")).unwrap_or_default();
            Ok((text.trim().lines().count() == 2).then_some(()))
        })
        .await;
        up.with_context(|| self.log_end())
    }

    pub(super) fn ask_to_quit(&self) {
        if self.child.is_some() {
            processes::ask_to_end(self.pid());
        }
    }

    pub(super) fn end(&mut self) -> Result<()> {
        let Some(child) = &mut self.child else {
            return Ok(());
        };
        processes::ask_to_end(child.id());
        if processes::reap(child, Duration::from_secs(8))? {
            self.child = None;
            return Ok(());
        }
        self.kill()
    }

    pub(super) fn kill(&mut self) -> Result<()> {
        let Some(mut child) = self.child.take() else {
            return Ok(());
        };
        child.kill()?;
        child.wait()?;
        Ok(())
    }
}

/// Without developer mode an unpacked extension that restarts itself stays disabled.
fn allow_restarts(folder: &Path) -> Result<()> {
    let preferences = folder.join("Default");
    fs::create_dir(&preferences)?;
    let developer = json!({"extensions": {"ui": {"developer_mode": true}}});
    Ok(fs::write(preferences.join("Preferences"), developer.to_string())?)
}

/// Stops the service worker of one extension.
pub struct WorkerStopper {
    page: Page,
}

impl WorkerStopper {
    /// Stops it and sees it stopped.
    ///
    /// # Errors
    /// When it still runs.
    pub async fn stop(&self) -> Result<()> {
        let mut events = self.page.listen();
        self.page.send("ServiceWorker.stopAllWorkers", json!({})).await?;
        loop {
            let update = events.next("ServiceWorker.workerVersionUpdated").await?;
            let versions = update["versions"]
                .as_array()
                .map(Vec::as_slice)
                .unwrap_or_default();
            if versions
                .iter()
                .any(|version| version["runningStatus"] == "stopped")
            {
                return Ok(());
            }
        }
    }

    /// The page it is stopped from, of the extension's origin.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// Closes the page; that is an event that starts the worker again.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn close(self) -> Result<()> {
        self.page.close().await
    }
}
