//! What is wrong with the folders of a home, without changing them as opening it does.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeFault {
    /// Where.
    pub path: PathBuf,
    /// What.
    pub fault: Fault,
}

/// What can be wrong with a folder of the home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is a link.
    Link,
    /// It is no folder.
    NoFolder,
    /// It is another user's.
    Owner(u32),
    /// Others may do something in it; its mode bits.
    Mode(u32),
}

impl HomeFault {
    /// What is wrong, in words.
    pub fn words(&self) -> String {
        let path = self.path.display();
        match self.fault {
            Fault::Link => format!("{path} is a link, it has to be a folder"),
            Fault::NoFolder => format!("{path} is no folder"),
            Fault::Owner(user) => format!("{path} belongs to user {user}, not to you"),
            Fault::Mode(mode) => {
                format!("{path} has mode {mode:o}, others can get into it; it has to be 700")
            }
        }
    }
}

/// Looks at a home and the folders in it. What is not there yet is made when the home is opened.
pub(super) fn examine(root: &Path) -> Vec<HomeFault> {
    let us = rustix::process::geteuid().as_raw();
    ["", "run", "logs", "files"]
        .into_iter()
        .map(|name| {
            if name.is_empty() {
                root.to_owned()
            } else {
                root.join(name)
            }
        })
        .filter_map(|path| {
            let found = fs::symlink_metadata(&path).ok()?;
            let mode = found.mode() & 0o777;
            let fault = if found.file_type().is_symlink() {
                Fault::Link
            } else if !found.is_dir() {
                Fault::NoFolder
            } else if found.uid() != us {
                Fault::Owner(found.uid())
            } else if mode & 0o022 != 0 {
                Fault::Mode(mode)
            } else {
                return None;
            };
            Some(HomeFault { path, fault })
        })
        .collect()
}
