//! Which versions understand each other, and what is said of those that do not.

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::link::Hello;
use drawbridge_protocol::tools::session::StatusIssue;
use drawbridge_protocol::version::{CAPABILITIES, OLDEST_EXTENSION, PROTOCOL};

use crate::versions::{build, is_newer};

/// The protocols that one side serves, oldest and own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    oldest: u32,
    own: u32,
}

impl Range {
    /// What this bridge serves. Builds for tests may pretend to be older or newer.
    fn of_bridge() -> Self {
        #[cfg(feature = "sandbox")]
        if let Some(pretended) = pretended() {
            return pretended;
        }
        Self {
            oldest: OLDEST_EXTENSION,
            own: PROTOCOL,
        }
    }
}

/// What a build for tests takes the protocols of its links from, such as `1-2`.
#[cfg(feature = "sandbox")]
fn pretended() -> Option<Range> {
    let text = std::env::var("DRAWBRIDGE_PRETEND_PROTOCOLS").ok()?;
    let (oldest, own) = text.split_once('-')?;
    Some(Range {
        oldest: oldest.parse().ok()?,
        own: own.parse().ok()?,
    })
}

/// Which side is too old for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TooOld {
    Extension,
    Bridge,
}

/// Whether an extension is served: the older side's protocol is one that the newer side still serves.
///
/// # Errors
/// `version_mismatch`, with both versions and the side to update.
pub(super) fn check(hello: &Hello) -> Result<(), Error> {
    let extension = Range {
        oldest: hello.oldest_bridge.unwrap_or(hello.protocol).min(hello.protocol),
        own: hello.protocol,
    };
    let bridge = Range::of_bridge();
    let side = match meet(bridge, extension) {
        Ok(()) => return Ok(()),
        Err(TooOld::Extension) => "extension",
        Err(TooOld::Bridge) => "bridge",
    };
    Err(Error::new(
        Code::VersionMismatch,
        format!(
            "the extension ({}, protocol {}) and the bridge ({}, protocols {} to {}) do not understand each other",
            hello.build,
            hello.protocol,
            build(),
            bridge.oldest,
            bridge.own
        ),
    )
    .hint(format!("update the {side}")))
}

fn meet(bridge: Range, extension: Range) -> Result<(), TooOld> {
    if extension.own < bridge.oldest {
        Err(TooOld::Extension)
    } else if bridge.own < extension.oldest {
        Err(TooOld::Bridge)
    } else {
        Ok(())
    }
}

/// What a status says of an extension that works and is not of this bridge's version.
pub fn notice(extension: &str, revision: u32) -> Option<StatusIssue> {
    let missing: Vec<_> = CAPABILITIES
        .iter()
        .filter(|(since, _)| *since > revision)
        .map(|(_, name)| *name)
        .collect();
    let (id, repair) = if !missing.is_empty() {
        (
            "extension_runtime_stale",
            format!(
                "update the extension, or reload it in the browser; it lacks: {}",
                missing.join(", ")
            ),
        )
    } else if is_newer(build(), extension) {
        (
            "extension_update_available",
            format!("works; update the extension ({extension}) to {}", build()),
        )
    } else if is_newer(extension, build()) {
        (
            "bridge_update_available",
            format!("works; update the bridge ({}) to {extension}", build()),
        )
    } else {
        return None;
    };
    Some(StatusIssue {
        id: id.to_owned(),
        repair,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(oldest: u32, own: u32) -> Range {
        Range { oldest, own }
    }

    #[test]
    fn one_protocol_behind_or_ahead_works_inside_the_range_and_names_the_side_outside() {
        let bridge = range(4, 5);
        assert_eq!(meet(bridge, range(5, 5)), Ok(()));
        assert_eq!(meet(bridge, range(4, 4)), Ok(()), "one behind");
        assert_eq!(
            meet(bridge, range(5, 6)),
            Ok(()),
            "one ahead that still serves ours"
        );
        assert_eq!(meet(bridge, range(3, 3)), Err(TooOld::Extension));
        assert_eq!(meet(bridge, range(6, 6)), Err(TooOld::Bridge));
    }

    #[test]
    fn a_notice_says_what_is_missing_or_which_side_to_update() {
        let latest = CAPABILITIES.len() as u32;
        assert_eq!(notice(build(), latest), None);
        assert_eq!(notice("whatever", latest), None);
        let stale = notice(build(), 1).unwrap();
        assert_eq!(stale.id, "extension_runtime_stale");
        assert!(stale.repair.contains("socket"), "{stale:?}");
        assert_eq!(notice("0.0.1", latest).unwrap().id, "extension_update_available");
        assert_eq!(notice("99.0.0", latest).unwrap().id, "bridge_update_available");
    }
}
