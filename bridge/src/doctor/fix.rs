//! Repairs: what set-up wrote is written again, what is ours is made private, what a dead daemon left goes. Nothing here
//! lets anybody in who was out, touches what others own, or accepts bytes that nobody registered.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use super::facts::Facts;
use super::home::Fault;
use crate::browsers::Browser;
use crate::browsers::host::State;
use crate::home::Home;
use crate::registration::{Registration, check_place};

/// Entries of a folder that are looked at before it is taken for ours.
const ENTRIES_LIMIT: usize = 10_000;

/// Repairs what may be repaired. Returns what was done, and what was left and why.
pub fn fix(facts: &Facts) -> Vec<String> {
    let mut done = Vec::new();
    for fault in &facts.home_faults {
        done.push(match fault.fault {
            Fault::Mode(_) => match make_private(&fault.path) {
                Ok(()) => format!("made {} private", fault.path.display()),
                Err(problem) => format!("left {} as it is: {problem}", fault.path.display()),
            },
            Fault::Link | Fault::NoFolder | Fault::Owner(_) => {
                format!("left as it is: {}", fault.words())
            }
        });
    }
    if facts.home_faults.is_empty() {
        done.extend(stale_files(&facts.home));
    }
    done.extend(hosts(facts));
    done
}

/// A folder that others could write into becomes private if everything in it is our own.
fn make_private(folder: &Path) -> Result<(), String> {
    let us = rustix::process::geteuid().as_raw();
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    for (count, entry) in entries.enumerate() {
        let entry = entry.map_err(|error| error.to_string())?;
        let found = entry.metadata().map_err(|error| error.to_string())?;
        let path = entry.path();
        if count >= ENTRIES_LIMIT {
            return Err("it holds too much to look at".to_owned());
        }
        if found.uid() != us {
            return Err(format!("{} belongs to user {}", path.display(), found.uid()));
        }
        if found.file_type().is_symlink() {
            return Err(format!("{} is a link", path.display()));
        }
    }
    fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(|error| error.to_string())
}

/// What a daemon leaves that was killed. The next one would clean up too; until then it misleads people.
fn stale_files(home: &Path) -> Vec<String> {
    if !home.join("run").is_dir() {
        return Vec::new();
    }
    let Ok(home) = Home::at(home) else {
        return Vec::new();
    };
    let Ok(lock) = Home::lock_file(&home.daemon_lock()) else {
        return Vec::new();
    };
    if lock.try_lock().is_err() {
        // A daemon runs.
        return Vec::new();
    }
    [home.socket(), home.pid_file(), home.start_error()]
        .into_iter()
        .filter(|path| fs::remove_file(path).is_ok())
        .map(|path| format!("removed {}, which a dead bridge left", path.display()))
        .collect()
}

/// Writes the script and the manifests again where they are wrong.
fn hosts(facts: &Facts) -> Vec<String> {
    let mut done = Vec::new();
    let mut wrong: Vec<&Browser> = Vec::new();
    let mut script_wrong = false;
    for browser in &facts.browsers {
        match &browser.host {
            State::Ready => {}
            State::NotExecutable(program) => match make_executable(program) {
                Ok(()) => done.push(format!("made {} executable", program.display())),
                Err(problem) => done.push(format!("left {} as it is: {problem}", program.display())),
            },
            State::Unsafe(path, problem) => {
                done.push(format!("left as it is: {} {problem}", path.display()));
            }
            State::Unreadable(_) => {
                done.push(format!("left as it is: {}", browser.host.words(&browser.file)))
            }
            State::ScriptChanged(_) => {
                script_wrong = true;
                wrong.push(&browser.browser);
            }
            State::Missing
            | State::BadJson
            | State::BadFields
            | State::WrongOrigin
            | State::Moved(_)
            | State::Other(_) => wrong.push(&browser.browser),
        }
    }
    if wrong.is_empty() {
        return done;
    }
    let known = facts.registration.clone().filter(|known| known.binary.is_file());
    let mut registration = match (known, facts.same_bytes) {
        (Some(_), Some(false)) => {
            done.push(
                "the registered program was exchanged: run `drawbridge setup` if that was you".to_owned(),
            );
            return done;
        }
        (Some(known), _) => known,
        (None, _) => Registration {
            binary: facts.program.clone(),
            // Whoever said it of the place before says nothing of this one.
            here: false,
            ..facts.registration.clone().unwrap_or_default()
        },
    };
    if let Err(problem) = check_place(&registration.binary, registration.here) {
        done.push(format!("wrote no manifest: {problem:#}"));
        return done;
    }
    match registration.register(&facts.home, &wrong) {
        Ok(()) => {
            done.extend(
                wrong
                    .iter()
                    .map(|browser| format!("wrote the manifest of {}", browser.name)),
            );
            if script_wrong {
                done.push(format!("wrote {} anew", facts.ours.host.display()));
            }
        }
        Err(problem) => done.push(format!("could not write a manifest: {problem:#}")),
    }
    done
}

/// Gives back the right to execute to whoever may read.
fn make_executable(program: &Path) -> Result<(), String> {
    let found = fs::metadata(program).map_err(|error| error.to_string())?;
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(format!("it belongs to user {}", found.uid()));
    }
    let mode = found.mode() & 0o777;
    let executable = mode | ((mode & 0o444) >> 2);
    fs::set_permissions(program, Permissions::from_mode(executable)).map_err(|error| error.to_string())
}
