//! What a user data folder says about our extension and about the browser that has it open. Read, never written.
//!
//! A running browser writes its preferences some seconds after a change.

use std::fs;
use std::path::{Path, PathBuf};

use drawbridge_protocol::version::EXTENSION_ID;
use serde_json::Value;

/// Bytes of a preferences file that are read at most.
const PREFERENCES_LIMIT: u64 = 64 * 1024 * 1024;

/// Whether a profile has our extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extension {
    /// In some profile of the folder, and on.
    Enabled,
    /// In some profile, and off in all of them.
    Disabled,
    /// In none.
    Absent,
    /// There is no readable profile.
    Unknown,
}

impl Extension {
    /// Its word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Disabled => "disabled",
            Self::Absent => "absent",
            Self::Unknown => "unknown",
        }
    }
}

/// What was seen in a user data folder.
#[derive(Clone, Debug)]
pub struct Look {
    /// The extension.
    pub extension: Extension,
    /// The folder it was loaded from.
    pub folder: Option<PathBuf>,
    /// Process id of the browser that has the folder open.
    pub running: Option<u32>,
}

/// Looks into a user data folder.
pub fn look(data: &Path) -> Look {
    let mut look = Look {
        extension: Extension::Unknown,
        folder: None,
        running: running(data),
    };
    let Ok(entries) = fs::read_dir(data) else {
        return look;
    };
    for entry in entries.flatten() {
        let profile = entry.path();
        // Chrome keeps the extensions' settings in the second file, Chromium on Linux in the first.
        for name in ["Preferences", "Secure Preferences"] {
            let Some(preferences) = read(&profile.join(name)) else {
                continue;
            };
            if look.extension == Extension::Unknown {
                look.extension = Extension::Absent;
            }
            let settings = &preferences["extensions"]["settings"][EXTENSION_ID];
            if !settings.is_object() {
                continue;
            }
            if is_on(settings) {
                look.extension = Extension::Enabled;
            } else if look.extension == Extension::Absent {
                look.extension = Extension::Disabled;
            }
            if let Some(folder) = settings["path"].as_str() {
                look.folder = Some(PathBuf::from(folder));
            }
        }
    }
    look
}

/// The reasons to keep an extension off are a list, in older browsers a number; `state` is older still.
fn is_on(settings: &Value) -> bool {
    let reasons = match &settings["disable_reasons"] {
        Value::Array(reasons) => !reasons.is_empty(),
        Value::Number(reasons) => reasons.as_u64() != Some(0),
        _ => false,
    };
    !reasons && settings["state"].as_u64() != Some(0)
}

fn read(path: &Path) -> Option<Value> {
    let size = fs::metadata(path).ok()?.len();
    if size > PREFERENCES_LIMIT {
        return None;
    }
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// The lock of a running browser is a link to `HOST-PID`; a crash leaves it behind.
fn running(data: &Path) -> Option<u32> {
    let lock = fs::read_link(data.join("SingletonLock")).ok()?;
    let pid: i32 = lock.to_str()?.rsplit('-').next()?.parse().ok()?;
    let process = rustix::process::Pid::from_raw(pid)?;
    rustix::process::test_kill_process(process).ok()?;
    u32::try_from(pid).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn with(settings: Value) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let profile = folder.path().join("Profile 1");
        fs::create_dir(&profile).unwrap();
        let preferences = json!({"extensions": {"settings": settings}});
        fs::write(profile.join("Preferences"), preferences.to_string()).unwrap();
        folder
    }

    #[test]
    fn on_off_and_absent_are_told_apart() {
        let cases = [
            (json!({}), Extension::Absent),
            (
                json!({EXTENSION_ID: {"disable_reasons": [], "path": "/x"}}),
                Extension::Enabled,
            ),
            (json!({EXTENSION_ID: {"path": "/x"}}), Extension::Enabled),
            (
                json!({EXTENSION_ID: {"disable_reasons": [1]}}),
                Extension::Disabled,
            ),
            (
                json!({EXTENSION_ID: {"disable_reasons": 8192, "state": 0}}),
                Extension::Disabled,
            ),
            (
                json!({EXTENSION_ID: {"disable_reasons": 0, "state": 1}}),
                Extension::Enabled,
            ),
        ];
        for (settings, wanted) in cases {
            let folder = with(settings.clone());
            assert_eq!(look(folder.path()).extension, wanted, "{settings}");
        }
    }

    #[test]
    fn one_profile_that_has_it_on_is_enough() {
        let folder = with(json!({EXTENSION_ID: {"disable_reasons": [1]}}));
        let second = folder.path().join("Default");
        fs::create_dir(&second).unwrap();
        let preferences = json!({"extensions": {"settings": {EXTENSION_ID: {}}}});
        fs::write(second.join("Secure Preferences"), preferences.to_string()).unwrap();
        assert_eq!(look(folder.path()).extension, Extension::Enabled);
    }

    #[test]
    fn what_cannot_be_read_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(look(folder.path()).extension, Extension::Unknown);
        assert_eq!(look(&folder.path().join("none")).extension, Extension::Unknown);
        fs::create_dir(folder.path().join("Default")).unwrap();
        fs::write(folder.path().join("Default/Preferences"), "{").unwrap();
        assert_eq!(look(folder.path()).extension, Extension::Unknown);
    }

    #[test]
    fn the_lock_of_a_browser_that_is_gone_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join("SingletonLock");
        std::os::unix::fs::symlink(format!("some-host-{}", std::process::id()), &lock).unwrap();
        assert_eq!(look(folder.path()).running, Some(std::process::id()));
        fs::remove_file(&lock).unwrap();
        std::os::unix::fs::symlink("some-host-999999999", &lock).unwrap();
        assert_eq!(look(folder.path()).running, None);
    }
}
