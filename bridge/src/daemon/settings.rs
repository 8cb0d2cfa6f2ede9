//! What a person can set.

use std::cell::{Cell, RefCell};

use anyhow::Result;
use drawbridge_protocol::error::Error;
use drawbridge_protocol::link::WindowPolicy;

use super::grants;
use super::store::Store;

const WINDOW: &str = "recipe.window";
const SOCKET: &str = "link.socket";
const SENSITIVE: &str = "approval.sensitive";

/// Where people sign in, pay, bank and keep passwords; data, not knowledge of any site.
const SENSITIVE_HOSTS: &str = include_str!("../../data/sensitive-hosts.txt");

/// All settings, read once and kept.
#[derive(Debug)]
pub struct Settings {
    window: Cell<WindowPolicy>,
    socket: Cell<bool>,
    /// Sites of the person's own that no admission "everywhere" covers.
    sensitive: RefCell<Vec<String>>,
    store: Store,
}

impl Settings {
    /// Loads the stored ones; a value of another version counts as not set.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn load(store: Store) -> Result<Self> {
        let window = store
            .setting(WINDOW)
            .await?
            .and_then(|word| window(&word))
            .unwrap_or_default();
        let socket = store
            .setting(SOCKET)
            .await?
            .and_then(|word| switch(&word))
            .unwrap_or(true);
        let sensitive = store.setting(SENSITIVE).await?.unwrap_or_default();
        Ok(Self {
            window: Cell::new(window),
            socket: Cell::new(socket),
            sensitive: RefCell::new(sites(&sensitive).unwrap_or_default()),
            store,
        })
    }

    /// Whether a private tab may move into a window.
    pub fn window(&self) -> WindowPolicy {
        self.window.get()
    }

    /// Whether links get a socket for large messages.
    pub fn socket(&self) -> bool {
        self.socket.get()
    }

    /// Sites that are asked for one by one, even where a client was let in everywhere.
    pub fn sensitive(&self) -> Vec<String> {
        let listed = SENSITIVE_HOSTS.lines().map(str::trim);
        listed
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(str::to_owned)
            .chain(self.sensitive.borrow().iter().cloned())
            .collect()
    }

    /// A setting's value.
    ///
    /// # Errors
    /// `invalid_argument` for an unknown key.
    pub fn get(&self, key: &str) -> Result<String, Error> {
        match key {
            WINDOW => Ok(word(self.window.get()).to_owned()),
            SOCKET => Ok(switched(self.socket.get()).to_owned()),
            SENSITIVE => Ok(self.sensitive.borrow().join(",")),
            _ => Err(unknown(key)),
        }
    }

    /// Sensitive sites that a change would take off the person's list.
    ///
    /// # Errors
    /// `invalid_argument` for what is no list of sites.
    pub fn unlisted(&self, key: &str, value: &str) -> Result<Vec<String>, Error> {
        if key != SENSITIVE {
            return Ok(Vec::new());
        }
        let wanted = sites(value)?;
        let listed = self.sensitive.borrow();
        Ok(listed
            .iter()
            .filter(|site| !wanted.contains(site))
            .cloned()
            .collect())
    }

    /// Changes a setting and returns its value. Only [`super::consent`] calls it: there are settings that a person has to
    /// agree to.
    ///
    /// # Errors
    /// `invalid_argument` for an unknown key or value, `internal` when it cannot be stored.
    pub async fn set(&self, key: &str, value: &str) -> Result<String, Error> {
        match key {
            WINDOW => {
                let policy =
                    window(value).ok_or_else(|| Error::argument("value", "must be never or when_needed"))?;
                self.keep(WINDOW, word(policy).to_owned()).await?;
                self.window.set(policy);
                Ok(word(policy).to_owned())
            }
            SOCKET => {
                let on = switch(value).ok_or_else(|| Error::argument("value", "must be on or off"))?;
                self.keep(SOCKET, switched(on).to_owned()).await?;
                self.socket.set(on);
                Ok(switched(on).to_owned())
            }
            SENSITIVE => {
                let wanted = sites(value)?;
                let text = wanted.join(",");
                self.keep(SENSITIVE, text.clone()).await?;
                self.sensitive.replace(wanted);
                Ok(text)
            }
            _ => Err(unknown(key)),
        }
    }

    async fn keep(&self, key: &'static str, value: String) -> Result<(), Error> {
        self.store.put_setting(key, value).await.map_err(|error| {
            tracing::error!(error = format!("{error:#}"), "cannot store a setting");
            Error::internal("the setting could not be stored").hint("look at the log of the daemon")
        })
    }
}

fn sites(list: &str) -> Result<Vec<String>, Error> {
    let mut sites = list
        .split(',')
        .map(str::trim)
        .filter(|site| !site.is_empty() && *site != grants::ANY)
        .map(grants::site)
        .collect::<Result<Vec<_>, _>>()?;
    sites.sort();
    sites.dedup();
    Ok(sites)
}

fn unknown(key: &str) -> Error {
    Error::argument("key", format!("there is no setting {key}"))
        .hint(format!("settings: {WINDOW}, {SOCKET}, {SENSITIVE}"))
}

fn switch(word: &str) -> Option<bool> {
    match word {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

fn switched(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn window(word: &str) -> Option<WindowPolicy> {
    match word {
        "never" => Some(WindowPolicy::Never),
        "when_needed" => Some(WindowPolicy::WhenNeeded),
        _ => None,
    }
}

fn word(policy: WindowPolicy) -> &'static str {
    match policy {
        WindowPolicy::Never => "never",
        WindowPolicy::WhenNeeded => "when_needed",
    }
}
