//! Which hop between a client and a page is broken, and what repairs it.
//!
//! Three steps: [`Facts`] are gathered from the disk, the daemon says how its links are, and [`diagnose`] judges both,
//! purely. Only [`fix`] changes anything.

mod facts;
pub mod fix;
mod home;
mod verdict;

use drawbridge_protocol::error::Error;
use drawbridge_protocol::tools::{self, ToolId};
use serde_json::Value;

use crate::browsers::Roots;

pub use facts::{BrowserFacts, Facts, gather};
pub use home::{Fault, HomeFault};
pub use verdict::{Daemon, diagnose};

/// The answer to a call that no daemon can take. A doctor who needs the patient well would be none: what can be seen
/// from here is told all the same.
///
/// # Errors
/// `error`, for any call but `browser_session doctor`.
pub fn without_daemon(tool: &str, args: &Value, error: Error) -> Result<Value, Error> {
    if !matches!(tools::resolve(tool, args), Ok((ToolId::SessionDoctor, _))) {
        return Err(error);
    }
    let Ok(home) = crate::home::chosen() else {
        return Err(error);
    };
    let facts = gather(&home, Roots::of_environment(None).as_ref(), &[]);
    serde_json::to_value(diagnose(&facts, Daemon::Broken(&error))).map_err(|_| error)
}

/// How long a running browser's extension may take to find its way back before it counts as asleep: the time between
/// two tries of its own.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(3);
