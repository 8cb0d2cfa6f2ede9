//! What can be seen from outside the browser, on disk.

use std::path::{Path, PathBuf};

use crate::browsers::host::{self, Ours, State};
use crate::browsers::profile::{self, Extension, Look};
use crate::browsers::{Browser, Roots, Skipped, find};
use crate::registration::{self, Registration};

use super::home::{self, HomeFault};

/// Variables that this version knows; others that start alike are left over or misspelt.
const VARIABLES: &[&str] = &[
    "DRAWBRIDGE_HOME",
    "DRAWBRIDGE_CLIENT",
    "DRAWBRIDGE_LOG",
    "DRAWBRIDGE_LINK_LABEL",
];

/// All that was seen.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The home, which may not exist.
    pub home: PathBuf,
    /// What is wrong with it.
    pub home_faults: Vec<HomeFault>,
    /// This program.
    pub program: PathBuf,
    /// What set-up registered.
    pub registration: Option<Registration>,
    /// Why that cannot be read.
    pub registration_problem: Option<String>,
    /// Whether the registered binary has the bytes that were registered; nothing where that cannot be told.
    pub same_bytes: Option<bool>,
    /// What a manifest has to lead to.
    pub ours: Ours,
    /// Browsers of this machine.
    pub browsers: Vec<BrowserFacts>,
    /// Browsers that cannot be used.
    pub skipped: Vec<Skipped>,
    /// Manifests for all users that have our name and start something else.
    pub others: Vec<(PathBuf, State)>,
    /// Variables that mean nothing.
    pub stale_variables: Vec<String>,
}

/// One browser.
#[derive(Clone, Debug)]
pub struct BrowserFacts {
    /// Which.
    pub browser: Browser,
    /// Its manifest that is furthest from being right, and how that one is.
    pub file: PathBuf,
    /// How it is.
    pub host: State,
    /// What its profiles say.
    pub profile: Look,
}

impl Facts {
    /// Whether some browser is about to connect or should be.
    pub fn expects_a_link(&self) -> bool {
        self.browsers.iter().any(|facts| {
            facts.host == State::Ready
                && facts.profile.running.is_some()
                && facts.profile.extension == Extension::Enabled
        })
    }
}

/// Looks at a home and at the browsers of this machine. `folders` are user data folders that are not where they
/// usually are.
pub fn gather(home: &Path, roots: Option<&Roots>, folders: &[PathBuf]) -> Facts {
    let program = std::env::current_exe().unwrap_or_default();
    let program = program.canonicalize().unwrap_or(program);
    let (registration, registration_problem) = match Registration::read(home) {
        Ok(registration) => (registration, None),
        Err(error) => (None, Some(format!("{error:#}"))),
    };
    let binary = registration
        .as_ref()
        .map_or(program.as_path(), |registration| registration.binary.as_path());
    let ours = Ours::new(home, binary);
    let same_bytes = registration.as_ref().and_then(|registration| {
        registration::hash(&registration.binary)
            .ok()
            .map(|hash| hash == registration.sha256)
    });
    let named = registration
        .iter()
        .flat_map(|registration| &registration.user_data);
    let folders: Vec<PathBuf> = folders.iter().chain(named).cloned().collect();
    let findings = roots.map(|roots| find(roots, &folders)).unwrap_or_default();
    let browsers: Vec<BrowserFacts> = findings
        .browsers
        .into_iter()
        .map(|browser| look(browser, &ours))
        .collect();
    let others = browsers
        .iter()
        .filter_map(|facts| facts.browser.system.as_deref())
        .map(|folder| (host::file(folder), host::check(&host::file(folder), &ours)))
        .filter(|(_, state)| !matches!(state, State::Missing | State::Ready))
        .collect();
    Facts {
        home: home.to_owned(),
        home_faults: home::examine(home),
        program,
        registration,
        registration_problem,
        same_bytes,
        ours,
        browsers,
        skipped: findings.skipped,
        others,
        stale_variables: stale_variables(),
    }
}

fn look(browser: Browser, ours: &Ours) -> BrowserFacts {
    let hosts = || browser.hosts.iter().map(|folder| host::file(folder));
    let (file, host) = hosts()
        .map(|file| {
            let state = host::check(&file, ours);
            (file, state)
        })
        .find(|(_, state)| *state != State::Ready)
        .or_else(|| hosts().next().map(|file| (file, State::Ready)))
        .unwrap_or((PathBuf::new(), State::Missing));
    // A manifest for all users serves where the user has none.
    let host = match (&host, &browser.system) {
        (State::Missing, Some(system)) if host::check(&host::file(system), ours) == State::Ready => {
            State::Ready
        }
        _ => host,
    };
    let profile = profile::look(&browser.data);
    BrowserFacts {
        browser,
        file,
        host,
        profile,
    }
}

fn stale_variables() -> Vec<String> {
    let mut stale: Vec<String> = std::env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| name.starts_with("DRAWBRIDGE_") && !VARIABLES.contains(&name.as_str()))
        .filter(|name| !(cfg!(feature = "sandbox") && name == "DRAWBRIDGE_FAULT"))
        .collect();
    stale.sort();
    stale
}
