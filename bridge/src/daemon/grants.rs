//! What a person's standing decisions say about one use. Pure: no I/O, no clock.
//!
//! The most specific grant wins: an exact client over `*`, then an exact action over `*`, then a longer site over a
//! shorter one over `*`. Of equals the strictest wins. A site covers its subdomains. `*` covers every site, but one
//! that *allows* leaves local addresses out: those are sites of their own.

use std::net::IpAddr;

use drawbridge_protocol::address::{self, Address};
use drawbridge_protocol::error::Error;
use drawbridge_protocol::ids::ClientId;
use drawbridge_protocol::local::{Decision, Grant};
use drawbridge_protocol::tools::Access;

/// Stands for every client, action or site.
pub const ANY: &str = "*";

/// Where something would be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Host without a closing dot; `None` for what belongs to no site, such as a blank page.
    pub host: Option<String>,
    /// Whether the host is a local address.
    pub local: bool,
}

impl Site {
    /// No site: blank pages and what concerns the whole profile.
    pub const NONE: Self = Self {
        host: None,
        local: false,
    };
}

impl From<&Address> for Site {
    fn from(address: &Address) -> Self {
        Self {
            host: address
                .host
                .as_deref()
                .map(|host| host.trim_end_matches('.').to_owned()),
            local: address.local,
        }
    }
}

/// What the grants say about a use of `action` by `client` at `site`; `default` where none of them speaks about it.
pub fn decide(grants: &[Grant], default: Decision, client: &ClientId, action: &str, site: &Site) -> Decision {
    grants
        .iter()
        .filter_map(|grant| weight(grant, client, action, site).map(|weight| (weight, grant.decision)))
        // The greatest weight, and of equals the smallest decision.
        .max_by(|(a, x), (b, y)| a.cmp(b).then(y.cmp(x)))
        .map_or(default, |(_, decision)| decision)
}

/// How specific a grant is about a use; `None` when it says nothing about it.
fn weight(grant: &Grant, client: &ClientId, action: &str, site: &Site) -> Option<(bool, bool, usize)> {
    let exact = |pattern: &str, value: &str| match pattern {
        ANY => Some(false),
        _ => (pattern == value).then_some(true),
    };
    let subject = exact(grant.subject.as_str(), client.as_str())?;
    let act = exact(&grant.action, action)?;
    let place = match (grant.site.as_str(), &site.host) {
        (ANY, _) if site.local && grant.decision == Decision::Allow => return None,
        (ANY, _) => 0,
        (_, None) => return None,
        (pattern, Some(host)) => covers(pattern, host).then_some(pattern.len())?,
    };
    Some((subject, act, place))
}

/// Whether a site, such as `shop.example`, covers a host: itself and what is below it. Addresses cover themselves.
pub fn covers(site: &str, host: &str) -> bool {
    if host == site {
        return true;
    }
    let is_name = host.parse::<IpAddr>().is_err() && !host.starts_with('[');
    is_name && host.strip_suffix(site).is_some_and(|front| front.ends_with('.'))
}

/// The part of a host that one owner registers, such as `shop.example` of `www.shop.example`; the host itself where
/// nobody registers parts: addresses, local names, public suffixes.
pub fn registrable(host: &str, local: bool) -> String {
    let host = host.trim_end_matches('.');
    if local || host.parse::<IpAddr>().is_ok() || host.starts_with('[') {
        return host.to_owned();
    }
    psl::domain_str(host).unwrap_or(host).to_owned()
}

/// The grants as they are after a revoke, and the rows it writes. Nothing that the revoke covers is allowed after it,
/// whatever was granted before and whatever the default is.
pub fn revoke(grants: &[Grant], subject: &ClientId, action: &str, site: &str) -> (Vec<Grant>, Vec<Grant>) {
    let covered = |grant: &Grant| {
        (subject.as_str() == ANY || grant.subject == *subject)
            && (action == ANY || grant.action == action)
            && (site == ANY || (grant.site != ANY && covers(site, &grant.site)))
    };
    let mut kept: Vec<Grant> = grants.iter().filter(|grant| !covered(grant)).cloned().collect();
    // A narrower grant that is wider in another respect would still win over one row, so there is a row for every
    // client with grants and every action that is named by `*`.
    let mut subjects = vec![subject.clone()];
    if subject.as_str() == ANY {
        let named = grants
            .iter()
            .map(|grant| grant.subject.clone())
            .filter(|named| named.as_str() != ANY);
        subjects.extend(named);
        subjects.sort();
        subjects.dedup();
    }
    let mut actions = vec![action];
    if action == ANY {
        actions.extend(Access::ACTIONS);
    }
    let written: Vec<Grant> = subjects
        .iter()
        .flat_map(|subject| {
            actions.iter().map(|action| Grant {
                subject: subject.clone(),
                action: (*action).to_owned(),
                site: site.to_owned(),
                decision: Decision::Off,
            })
        })
        .collect();
    kept.extend(written.iter().cloned());
    (kept, written)
}

/// A site as grants keep it: `*`, or a host as a browser writes it, lower case and punycode.
///
/// # Errors
/// `invalid_argument` for anything but a host.
pub fn site(text: &str) -> Result<String, Error> {
    if text == ANY {
        return Ok(ANY.to_owned());
    }
    let problem = || Error::argument("site", "must be a host such as shop.example, or *");
    if text.contains(['/', '@', '?', '#', '*']) || (text.contains(':') && !text.starts_with('[')) {
        return Err(problem());
    }
    let address = address::check(&format!("http://{text}/"), "site").map_err(|_| problem())?;
    let host = address.host.ok_or_else(problem)?;
    Ok(host.trim_end_matches('.').to_owned())
}

/// Checks that an action is one that grants can name.
///
/// # Errors
/// `invalid_argument` with the list.
pub fn action(text: &str) -> Result<(), Error> {
    if text == ANY || Access::ACTIONS.contains(&text) {
        return Ok(());
    }
    Err(Error::argument("action", format!("there is no action {text}"))
        .hint(format!("actions: {}, *", Access::ACTIONS.join(", "))))
}

#[cfg(test)]
mod tests;
