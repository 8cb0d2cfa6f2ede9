//! Whose set-up this is. A bridge belongs to one user; with another's rights it would write files that this one cannot
//! use, into places where no browser of theirs looks.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use drawbridge_protocol::error::{Code, Error};

/// Refuses to work with borrowed rights. Root that signed in as root is a user like any other.
///
/// # Errors
/// `not_granted`, with what to do instead.
pub(super) fn check() -> Result<(), Error> {
    let us = rustix::process::geteuid().as_raw();
    let sudo = std::env::var("SUDO_USER").ok().filter(|user| !user.is_empty());
    let owner = std::env::var_os("HOME")
        .and_then(|home| std::fs::metadata(Path::new(&home)).ok())
        .map(|found| found.uid());
    judge(us, sudo.as_deref(), owner)
}

fn judge(us: u32, sudo: Option<&str>, home_owner: Option<u32>) -> Result<(), Error> {
    if let Some(user) = sudo {
        return Err(Error::new(
            Code::NotGranted,
            format!("this runs under sudo, for {user}: the bridge would belong to user {us}"),
        )
        .hint("run it as yourself, without sudo; set-up needs no other rights"));
    }
    match home_owner {
        Some(owner) if owner != us => Err(Error::new(
            Code::NotGranted,
            format!("HOME belongs to user {owner}, and this runs as user {us}"),
        )
        .hint("run it as the user whose browser it is for, or set HOME to your own folder")),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borrowed_rights_are_refused_and_plain_root_is_not() {
        assert!(judge(0, None, Some(0)).is_ok());
        assert!(judge(1000, None, Some(1000)).is_ok());
        assert!(judge(1000, None, None).is_ok());
        let sudo = judge(0, Some("ada"), Some(0)).unwrap_err();
        assert!(sudo.message.contains("sudo") && sudo.hint.unwrap().contains("without sudo"));
        assert!(judge(0, None, Some(1000)).is_err());
        assert!(judge(1000, None, Some(0)).is_err());
    }
}
