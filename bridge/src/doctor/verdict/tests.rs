use std::path::{Path, PathBuf};

use drawbridge_protocol::tools::doctor::PageHealth;

use super::*;
use crate::browsers::host::Ours;
use crate::browsers::profile::Look;
use crate::browsers::{Browser, Skipped};
use crate::doctor::{Fault, HomeFault};
use crate::registration::Registration;

const PID: u32 = 77;

fn browser(name: &str) -> BrowserFacts {
    BrowserFacts {
        browser: Browser {
            name: name.to_owned(),
            data: PathBuf::from("/c").join(name),
            hosts: Vec::new(),
            program: None,
            extensions_page: "chrome://extensions".to_owned(),
            system: None,
        },
        file: PathBuf::from("/c/m.json"),
        host: State::Ready,
        profile: Look {
            extension: Extension::Enabled,
            folder: None,
            running: Some(PID),
        },
    }
}

/// All is well.
fn facts() -> Facts {
    Facts {
        home: PathBuf::from("/h"),
        home_faults: Vec::new(),
        program: PathBuf::from("/p"),
        registration: None,
        registration_problem: None,
        same_bytes: None,
        ours: Ours::new(Path::new("/h"), Path::new("/p")),
        browsers: vec![browser("A")],
        skipped: Vec::new(),
        others: Vec::new(),
        stale_variables: Vec::new(),
    }
}

fn link(name: &str) -> LinkHealth {
    LinkHealth {
        target: Some(name.into()),
        name: Some(name.to_owned()),
        pid: PID,
        extension: BUILD.to_owned(),
        capability_revision: CAPABILITY_REVISION,
        state: TargetState::Connected,
        socket: Some(SocketHealth::Open),
        answer_ms: Some(1.5),
        page: Some(PageHealth {
            ms: 2.5,
            all_sites: true,
            incognito: false,
            files: false,
        }),
        page_error: None,
    }
}

fn health(links: Vec<LinkHealth>) -> Health {
    Health {
        build: BUILD.to_owned(),
        uptime_ms: 60_000,
        admitted: true,
        links,
        refusals: Vec::new(),
        record_changed: None,
        bench: None,
    }
}

fn judged(facts: &Facts, health: &Health) -> Diagnosis {
    diagnose(facts, Daemon::Up { ms: 0.5, health })
}

/// The hops that have an issue, with it.
fn issues(diagnosis: &Diagnosis) -> Vec<(HopName, &str)> {
    diagnosis
        .hops
        .iter()
        .filter_map(|hop| Some((hop.name, hop.issue.as_deref()?)))
        .collect()
}

#[test]
fn all_hops_are_named_in_order_and_well() {
    let diagnosis = judged(&facts(), &health(vec![link("a")]));
    assert!(diagnosis.healthy && diagnosis.recommendation == "nothing to do");
    let hops: Vec<_> = diagnosis
        .hops
        .iter()
        .map(|hop| (hop.name, hop.ok, hop.ms))
        .collect();
    assert_eq!(
        hops,
        [
            (HopName::Client, true, None),
            (HopName::Bridge, true, Some(0.5)),
            (HopName::NativeHost, true, None),
            (HopName::Worker, true, Some(1.5)),
            (HopName::Page, true, Some(2.5)),
        ]
    );
    assert_eq!(diagnosis.capability_revision, Some(CAPABILITY_REVISION));
}

/// Breaks one thing where no link is up, and says what must be named.
type Case = (fn(&mut Facts, &mut Health), HopName, &'static str);

#[test]
fn each_broken_thing_is_named_alone() {
    let cases: &[Case] = &[
        (
            |facts, _| facts.browsers[0].host = State::Missing,
            HopName::NativeHost,
            "host_missing",
        ),
        (
            |facts, _| facts.browsers[0].host = State::BadJson,
            HopName::NativeHost,
            "host_bad_json",
        ),
        (
            |facts, _| facts.browsers[0].host = State::WrongOrigin,
            HopName::NativeHost,
            "host_wrong_origin",
        ),
        (
            |facts, _| facts.browsers[0].host = State::Other(PathBuf::from("/x")),
            HopName::NativeHost,
            "other_host",
        ),
        (
            |facts, _| {
                facts.registration = Some(Registration::default());
                facts.same_bytes = Some(false);
            },
            HopName::NativeHost,
            "host_binary_changed",
        ),
        (
            |facts, _| facts.browsers.clear(),
            HopName::NativeHost,
            "no_browser",
        ),
        (|_, _| {}, HopName::Worker, "worker_asleep"),
        (
            |facts, _| facts.browsers[0].profile.running = None,
            HopName::Worker,
            "browser_not_running",
        ),
        (
            |facts, _| facts.browsers[0].profile.extension = Extension::Disabled,
            HopName::Worker,
            "extension_disabled",
        ),
        (
            |facts, _| facts.browsers[0].profile.extension = Extension::Absent,
            HopName::Worker,
            "extension_absent",
        ),
        (
            |_, health| {
                health.refusals.push(Refusal {
                    hop: HopName::Worker,
                    error: Error::new(Code::VersionMismatch, "m").hint("update the extension"),
                    age_ms: 1,
                });
            },
            HopName::Worker,
            "version_mismatch",
        ),
        (
            |_, health| {
                health.refusals.push(Refusal {
                    hop: HopName::NativeHost,
                    error: Error::new(Code::VersionMismatch, "m"),
                    age_ms: 1,
                });
            },
            HopName::NativeHost,
            "version_mismatch",
        ),
    ];
    for (break_it, hop, issue) in cases {
        let (mut facts, mut health) = (facts(), health(Vec::new()));
        break_it(&mut facts, &mut health);
        let diagnosis = judged(&facts, &health);
        assert!(!diagnosis.healthy, "{issue}");
        assert_eq!(issues(&diagnosis).first(), Some(&(*hop, *issue)), "{diagnosis:?}");
        let first = diagnosis.hops.iter().find(|hop| hop.issue.is_some()).unwrap();
        assert_eq!(Some(&diagnosis.recommendation), first.repair.as_ref());
    }
}

/// Breaks something about a link, says what must be named, and whether calls work all the same.
type LinkCase = (fn(&mut Health), HopName, &'static str, bool);

#[test]
fn what_is_wrong_with_a_link_is_named_at_its_hop() {
    let cases: &[LinkCase] = &[
        (
            |health| health.links[0].answer_ms = None,
            HopName::Worker,
            "worker_silent",
            false,
        ),
        (
            |health| health.links[0].capability_revision = 0,
            HopName::Worker,
            "extension_runtime_stale",
            true,
        ),
        (
            |health| health.links[0].state = TargetState::Unpaired,
            HopName::Page,
            "unpaired",
            false,
        ),
        (
            |health| health.admitted = false,
            HopName::Page,
            "client_not_admitted",
            false,
        ),
        (
            |health| health.links[0].page.as_mut().unwrap().all_sites = false,
            HopName::Page,
            "sites_withheld",
            false,
        ),
        (
            |health| {
                health.links[0].page = None;
                health.links[0].page_error = Some(Error::new(Code::Timeout, "m"));
            },
            HopName::Page,
            "page_unreachable",
            false,
        ),
        (
            |health| health.build = "0.0.9".to_owned(),
            HopName::Bridge,
            "bridge_of_another_version",
            true,
        ),
    ];
    for (break_it, hop, issue, works) in cases {
        let mut health = health(vec![link("a")]);
        break_it(&mut health);
        let diagnosis = judged(&facts(), &health);
        assert_eq!(diagnosis.healthy, *works, "{issue}");
        assert_eq!(issues(&diagnosis), [(*hop, *issue)]);
    }
}

#[test]
fn without_a_daemon_the_bridge_is_the_broken_hop() {
    let error = Error::new(Code::NotConnected, "cannot start: disk full");
    let diagnosis = diagnose(&facts(), Daemon::Broken(&error));
    assert_eq!(issues(&diagnosis), [(HopName::Bridge, "daemon_unreachable")]);
    assert!(diagnosis.recommendation.contains("disk full"));
    let mut broken = facts();
    broken.home_faults.push(HomeFault {
        path: PathBuf::from("/h"),
        fault: Fault::Mode(0o777),
    });
    let diagnosis = diagnose(&broken, Daemon::Broken(&error));
    assert_eq!(issues(&diagnosis), [(HopName::Bridge, "home_unsafe")]);
    assert!(diagnosis.recommendation.contains("777"));
}

#[test]
fn two_profiles_are_a_choice_and_no_fault() {
    let diagnosis = judged(&facts(), &health(vec![link("b"), link("a")]));
    assert!(diagnosis.healthy);
    assert_eq!(
        diagnosis.recommendation,
        "2 browser profiles are connected: choose one with `target`: a, b"
    );
}

#[test]
fn a_browser_that_does_not_matter_is_a_warning() {
    let mut facts = facts();
    let mut other = browser("B");
    other.host = State::Missing;
    other.profile.extension = Extension::Absent;
    other.profile.running = None;
    facts.browsers.push(other);
    let diagnosis = judged(&facts, &health(vec![link("a")]));
    assert!(
        diagnosis.healthy && diagnosis.warnings.len() == 1,
        "{diagnosis:?}"
    );
    // A manifest that is gone under a living link would be missed at the next start.
    facts.browsers[0].host = State::Missing;
    let diagnosis = judged(&facts, &health(vec![link("a")]));
    assert_eq!(issues(&diagnosis), [(HopName::NativeHost, "host_missing")]);
}

#[test]
fn a_machine_with_a_snap_alone_is_told_what_works() {
    let mut facts = facts();
    facts.browsers.clear();
    facts.skipped.push(Skipped {
        name: "Chromium (snap)".to_owned(),
        folder: PathBuf::from("/snap"),
        why: "a snap cannot. What works: another".to_owned(),
    });
    let diagnosis = judged(&facts, &health(Vec::new()));
    assert!(diagnosis.recommendation.contains("What works"), "{diagnosis:?}");
    assert_eq!(diagnosis.browsers[0].host, "skipped");
}

#[test]
fn variables_of_another_version_are_a_warning() {
    let mut facts = facts();
    facts.stale_variables.push("DRAWBRIDGE_PORT".to_owned());
    let diagnosis = judged(&facts, &health(vec![link("a")]));
    assert!(diagnosis.healthy && diagnosis.warnings[0].contains("DRAWBRIDGE_PORT"));
}

#[test]
fn a_port_that_is_blocked_is_a_note_at_the_hop_that_blocks_it() {
    for (socket, wanted) in [
        (None, None),
        (Some(SocketHealth::Open), None),
        (Some(SocketHealth::Off), None),
        (Some(SocketHealth::NoPort), Some(HopName::Bridge)),
        (Some(SocketHealth::Unanswered), Some(HopName::Worker)),
    ] {
        let mut link = link("a");
        link.socket = socket;
        let diagnosis = judged(&facts(), &health(vec![link]));
        assert!(diagnosis.healthy, "{socket:?}: pages are reached all the same");
        let wanted: Vec<_> = wanted.map(|hop| (hop, "port_blocked")).into_iter().collect();
        assert_eq!(issues(&diagnosis), wanted, "{socket:?}");
        assert_eq!(
            diagnosis.recommendation.contains("127.0.0.1"),
            !wanted.is_empty(),
            "{socket:?}"
        );
    }
}

#[test]
fn a_record_that_somebody_changed_is_said_and_hides_no_page() {
    let mut seen = health(vec![link("a")]);
    seen.record_changed = Some("a browser remembers row 7 otherwise".to_owned());
    let diagnosis = judged(&facts(), &seen);
    assert!(diagnosis.healthy);
    assert_eq!(issues(&diagnosis), [(HopName::Bridge, "audit_changed")]);
    assert!(diagnosis.recommendation.contains("row 7"));
}
