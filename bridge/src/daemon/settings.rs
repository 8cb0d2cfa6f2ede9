//! What a person can set that widens nothing.

use std::cell::Cell;

use anyhow::Result;
use drawbridge_protocol::error::Error;
use drawbridge_protocol::link::WindowPolicy;

use super::store::Store;

const WINDOW: &str = "recipe.window";

/// All settings, read once and kept.
#[derive(Debug)]
pub struct Settings {
    window: Cell<WindowPolicy>,
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
        Ok(Self {
            window: Cell::new(window),
            store,
        })
    }

    /// Whether a private tab may move into a window.
    pub fn window(&self) -> WindowPolicy {
        self.window.get()
    }

    /// A setting's value.
    ///
    /// # Errors
    /// `invalid_argument` for an unknown key.
    pub fn get(&self, key: &str) -> Result<&'static str, Error> {
        match key {
            WINDOW => Ok(word(self.window.get())),
            _ => Err(unknown(key)),
        }
    }

    /// Changes a setting and returns its value.
    ///
    /// # Errors
    /// `invalid_argument` for an unknown key or value, `internal` when it cannot be stored.
    pub async fn set(&self, key: &str, value: &str) -> Result<&'static str, Error> {
        match key {
            WINDOW => {
                let policy =
                    window(value).ok_or_else(|| Error::argument("value", "must be never or when_needed"))?;
                self.store
                    .put_setting(WINDOW, word(policy))
                    .await
                    .map_err(|error| {
                        tracing::error!(error = format!("{error:#}"), "cannot store a setting");
                        Error::internal("the setting could not be stored")
                            .hint("look at the log of the daemon")
                    })?;
                self.window.set(policy);
                Ok(word(policy))
            }
            _ => Err(unknown(key)),
        }
    }
}

fn unknown(key: &str) -> Error {
    Error::argument("key", format!("there is no setting {key}")).hint(format!("settings: {WINDOW}"))
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
