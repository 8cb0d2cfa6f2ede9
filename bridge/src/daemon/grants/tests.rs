use drawbridge_protocol::error::Code;

use super::*;

const READ: &str = "browser.read";
const INTERACT: &str = "browser.interact";

fn grant(subject: &str, action: &str, site: &str, decision: Decision) -> Grant {
    Grant {
        subject: subject.into(),
        action: action.into(),
        site: site.into(),
        decision,
    }
}

fn at(host: &str) -> Site {
    Site::from(&address::check(&format!("http://{host}/"), "test").unwrap())
}

fn read(grants: &[Grant], host: &str) -> Decision {
    decide(grants, Decision::Ask, &"cli".into(), READ, &at(host))
}

#[test]
fn the_most_specific_grant_wins() {
    use Decision::{Allow, Ask, Off};
    let row = |action, site, decision| grant("cli", action, site, decision);
    let everyone = |action, site, decision| grant("*", action, site, decision);
    let cases: &[(&str, Vec<Grant>, &str, Decision)] = &[
        ("nothing said", vec![], "shop.example", Ask),
        (
            "everything",
            vec![everyone("*", "*", Allow)],
            "shop.example",
            Allow,
        ),
        (
            "client over everyone",
            vec![everyone(READ, "shop.example", Allow), row("*", "*", Off)],
            "shop.example",
            Off,
        ),
        (
            "action over any",
            vec![row("*", "shop.example", Allow), row(READ, "*", Off)],
            "shop.example",
            Off,
        ),
        (
            "site over everywhere",
            vec![row(READ, "*", Off), row(READ, "shop.example", Allow)],
            "shop.example",
            Allow,
        ),
        (
            "longer site over shorter",
            vec![row(READ, "example", Allow), row(READ, "shop.example", Off)],
            "a.shop.example",
            Off,
        ),
        (
            "equals: the strictest",
            vec![row(READ, "*", Allow), row(READ, "*", Off)],
            "shop.example",
            Off,
        ),
        (
            "another client's",
            vec![grant("mcp", READ, "*", Allow)],
            "shop.example",
            Ask,
        ),
        (
            "another action",
            vec![row(INTERACT, "*", Allow)],
            "shop.example",
            Ask,
        ),
        (
            "another site",
            vec![row(READ, "shop.example", Allow)],
            "notshop.example",
            Ask,
        ),
        (
            "a closing dot is the same host",
            vec![row(READ, "shop.example", Off)],
            "shop.example.",
            Off,
        ),
        (
            "everywhere leaves local out",
            vec![row(READ, "*", Allow)],
            "127.0.0.1",
            Ask,
        ),
        (
            "local by name",
            vec![row(READ, "127.0.0.1", Allow)],
            "127.0.0.1",
            Allow,
        ),
        (
            "off everywhere is local too",
            vec![row(READ, "*", Off)],
            "localhost",
            Off,
        ),
        (
            "an address has no subdomains",
            vec![row(READ, "0.0.1", Allow)],
            "127.0.0.1",
            Ask,
        ),
        ("an IPv6 address", vec![row(READ, "[::1]", Allow)], "[::1]", Allow),
    ];
    for (name, grants, host, expected) in cases {
        assert_eq!(read(grants, host), *expected, "{name}");
    }
}

#[test]
fn what_belongs_to_no_site_is_covered_by_everywhere_alone() {
    let list = |grants: &[Grant]| decide(grants, Decision::Ask, &"cli".into(), "browser.list", &Site::NONE);
    assert_eq!(
        list(&[grant("cli", "browser.list", "*", Decision::Allow)]),
        Decision::Allow
    );
    assert_eq!(
        list(&[grant("cli", "browser.list", "shop.example", Decision::Allow)]),
        Decision::Ask
    );
}

/// Every set of up to two grants, every revoke, every use that the revoke covers.
#[test]
fn nothing_that_a_revoke_covers_is_allowed_after_it() {
    let subjects = ["cli", "*"];
    let actions = [READ, INTERACT, "*"];
    let sites = ["a.shop.example", "shop.example", "127.0.0.1", "*"];
    let mut all = Vec::new();
    for subject in subjects {
        for action in actions {
            for site in sites {
                all.push(grant(subject, action, site, Decision::Allow));
            }
        }
    }
    for first in &all {
        for second in &all {
            for order in &all {
                let before = [first.clone(), second.clone()];
                let (after, _) = revoke(&before, &order.subject, &order.action, &order.site);
                for action in [READ, INTERACT] {
                    for host in ["a.shop.example", "shop.example", "127.0.0.1"] {
                        let covered = (order.action == "*" || order.action == action)
                            && (order.site == "*" || covers(&order.site, host));
                        if covered {
                            let said = decide(&after, Decision::Allow, &"cli".into(), action, &at(host));
                            assert_eq!(
                                said,
                                Decision::Off,
                                "{before:?} then {order:?}: {action} at {host}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_revoke_of_one_site_leaves_others_alone() {
    let before = [
        grant("cli", READ, "*", Decision::Allow),
        grant("cli", READ, "a.shop.example", Decision::Allow),
    ];
    let (after, written) = revoke(&before, &"cli".into(), READ, "shop.example");
    assert_eq!(written, [grant("cli", READ, "shop.example", Decision::Off)]);
    assert_eq!(read(&after, "other.example"), Decision::Allow);
    assert_eq!(read(&after, "a.shop.example"), Decision::Off);
}

#[test]
fn sites_are_kept_as_browsers_write_them() {
    assert_eq!(site("Shop.Example.").unwrap(), "shop.example");
    assert_eq!(site("bücher.example").unwrap(), "xn--bcher-kva.example");
    assert_eq!(site("*").unwrap(), "*");
    assert_eq!(site("[::1]").unwrap(), "[::1]");
    for wrong in [
        "",
        "https://shop.example",
        "shop.example:80",
        "a/b",
        "*.example",
        "u@h",
    ] {
        assert_eq!(site(wrong).unwrap_err().code, Code::InvalidArgument, "{wrong}");
    }
    assert!(action("browser.read").is_ok() && action("*").is_ok() && action("browser.reed").is_err());
}

#[test]
fn what_one_owner_registers_is_one_site() {
    for (host, site) in [
        ("www.shop.example", "shop.example"),
        ("a.b.shop.co.uk", "shop.co.uk"),
        ("someone.github.io", "someone.github.io"),
        ("co.uk", "co.uk"),
        ("shop.example.", "shop.example"),
        ("203.0.113.7", "203.0.113.7"),
        ("[2001:db8::1]", "[2001:db8::1]"),
    ] {
        assert_eq!(registrable(host, false), site);
    }
    assert_eq!(registrable("printer.local", true), "printer.local");
}
