//! From what was seen to which hop is broken. Pure.

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::tools::doctor::{
    BrowserRow, Diagnosis, Health, HopHealth, HopName, LinkHealth, Refusal, SocketHealth,
};
use drawbridge_protocol::tools::session::TargetState;
use drawbridge_protocol::version::{BUILD, CAPABILITY_REVISION};

use super::facts::{BrowserFacts, Facts};
use crate::browsers::host::State;
use crate::browsers::profile::Extension;
use crate::daemon::record;

/// How the bridge is started anew.
const RESTART: &str = "`drawbridge daemon --stop`; the bridge starts again by itself, tabs of sessions close";

/// Refusals older than this say nothing any more: an extension tries again about every half a minute.
const FRESH_MS: u64 = 90_000;

const SETUP: &str = "run `drawbridge setup`";

const PORT_BLOCKED: &str = "port_blocked";

const SLOWER: &str = "large results take the slower way through the native host";

const FIX: &str = "`drawbridge doctor --fix` repairs it";

/// What the daemon said, or why it said nothing.
#[derive(Clone, Copy, Debug)]
pub enum Daemon<'a> {
    /// It cannot be reached or started.
    Broken(&'a Error),
    /// It answered.
    Up {
        /// Milliseconds of a round trip to it.
        ms: f64,
        /// What it knows of its links.
        health: &'a Health,
    },
}

/// Judges.
pub fn diagnose(facts: &Facts, daemon: Daemon<'_>) -> Diagnosis {
    let mut warnings = warnings(facts);
    let mut hops = vec![hop(HopName::Client).seen(None)];
    let health = match daemon {
        Daemon::Up { health, .. } => Some(health),
        Daemon::Broken(_) => None,
    };
    hops.push(bridge(facts, daemon));
    hops.push(native_host(facts, health, &mut warnings));
    hops.push(worker(facts, health, &mut warnings));
    hops.push(page(health, &mut warnings));
    let links = health.map_or(&[][..], |health| &health.links);
    let mut targets: Vec<String> = links.iter().filter_map(|link| link.name.clone()).collect();
    targets.sort();
    let healthy = hops.iter().all(|hop| hop.ok);
    Diagnosis {
        healthy,
        recommendation: recommendation(&hops, links.len(), &targets),
        hops,
        browsers: browsers(facts),
        targets,
        required_capability_revision: CAPABILITY_REVISION,
        capability_revision: links.iter().map(|link| link.capability_revision).min(),
        warnings,
        restart: RESTART.to_owned(),
        bench: health.and_then(|health| health.bench.clone()),
    }
}

fn bridge(facts: &Facts, daemon: Daemon<'_>) -> HopHealth {
    let bridge = hop(HopName::Bridge);
    if let Some(fault) = facts.home_faults.first() {
        return bridge.broken(
            "home_unsafe",
            format!("{}: {}", fault.words(), home_repair(fault)),
        );
    }
    match daemon {
        Daemon::Broken(error) => {
            let id = if error.code == Code::VersionMismatch {
                "version_mismatch"
            } else {
                "daemon_unreachable"
            };
            let next = error
                .hint
                .clone()
                .unwrap_or_else(|| format!("look at the log in {}", facts.home.join("logs").display()));
            bridge.broken(id, format!("{}: {next}", error.message))
        }
        Daemon::Up { ms, health } if health.build != BUILD => bridge.seen(Some(ms)).noted(
            "bridge_of_another_version",
            format!(
                "the running bridge is {}, this program {BUILD}: `drawbridge daemon --stop` lets the new one start",
                health.build
            ),
        ),
        Daemon::Up { ms, health } => {
            let bridge = bridge.seen(Some(ms));
            let no_port = |link: &&LinkHealth| link.socket == Some(SocketHealth::NoPort);
            if let Some(how) = &health.record_changed {
                bridge.noted(record::ISSUE, record::repair(how))
            } else if health.links.iter().any(|link| no_port(&link)) {
                bridge.noted(
                    PORT_BLOCKED,
                    format!(
                        "the bridge cannot open a port on 127.0.0.1 (its log says why), so {SLOWER}: allow it to listen \
                         there, then `drawbridge daemon --stop`"
                    ),
                )
            } else {
                bridge
            }
        }
    }
}

fn home_repair(fault: &super::HomeFault) -> String {
    match fault.fault {
        super::Fault::Mode(_) => {
            "look at what is in it, then `drawbridge doctor --fix` makes it private".to_owned()
        }
        super::Fault::Link | super::Fault::NoFolder | super::Fault::Owner(_) => {
            format!(
                "move {} away, or choose another home with DRAWBRIDGE_HOME",
                fault.path.display()
            )
        }
    }
}

fn native_host(facts: &Facts, health: Option<&Health>, warnings: &mut Vec<String>) -> HopHealth {
    let host = hop(HopName::NativeHost);
    let links = health.map_or(&[][..], |health| &health.links);
    let refused = |hop| health.and_then(|health| refusal(health, hop));
    if links.is_empty() {
        if let Some(error) = refused(HopName::NativeHost) {
            return host.broken(version_or_refused(error), told(error));
        }
        if refused(HopName::Worker).is_some() {
            // It carried the words of an extension that was refused.
            return host.seen(None);
        }
    }
    if let Some(registration) = &facts.registration
        && facts.same_bytes == Some(false)
    {
        return host.broken(
            "host_binary_changed",
            format!(
                "{} is not the program that set-up registered: if you exchanged it, {SETUP}",
                registration.binary.display()
            ),
        );
    }
    // Whose manifest matters: that of the browser that is connected, else of those with the extension, else of all.
    let linked: Vec<&BrowserFacts> = facts
        .browsers
        .iter()
        .filter(|browser| {
            browser
                .profile
                .running
                .is_some_and(|pid| links.iter().any(|link| link.pid == pid))
        })
        .collect();
    let with_extension: Vec<&BrowserFacts> = facts
        .browsers
        .iter()
        .filter(|browser| {
            matches!(
                browser.profile.extension,
                Extension::Enabled | Extension::Disabled
            )
        })
        .collect();
    let matter: Vec<&BrowserFacts> = if !links.is_empty() {
        linked
    } else if with_extension.is_empty() {
        facts.browsers.iter().collect()
    } else {
        with_extension
    };
    let faulty = |browser: &&BrowserFacts| browser.host != State::Ready;
    for browser in facts.browsers.iter().filter(faulty) {
        if !matter.iter().any(|other| std::ptr::eq(*other, browser)) {
            warnings.push(format!(
                "{}: {}",
                browser.browser.name,
                browser.host.words(&browser.file)
            ));
        }
    }
    if let Some(browser) = matter.iter().copied().find(faulty) {
        let repair = repair(&browser.host, facts);
        return host.broken(
            browser.host.id(),
            format!(
                "{}: {}; {repair}",
                browser.browser.name,
                browser.host.words(&browser.file)
            ),
        );
    }
    if !links.is_empty() {
        return host.seen(None);
    }
    if facts.browsers.is_empty() {
        return host.broken("no_browser", no_browser(facts));
    }
    // The manifests are right; whether they were followed shows at the next hop.
    host.seen(None)
}

fn no_browser(facts: &Facts) -> String {
    match facts.skipped.first() {
        Some(skipped) => format!("no usable browser was found. {}: {}", skipped.name, skipped.why),
        None => "no Chromium browser was found; one on an unusual folder is named with \
                 `drawbridge setup --user-data-dir FOLDER`"
            .to_owned(),
    }
}

fn repair(state: &State, facts: &Facts) -> String {
    match state {
        // Whoever could change it may have: a person looks first.
        State::Unsafe(..) => format!("see who put it there, make it yours alone, then {SETUP}"),
        State::Unreadable(_) => format!("remove it, then {SETUP}"),
        State::Moved(_)
            if facts
                .registration
                .as_ref()
                .is_some_and(|known| !known.binary.exists()) =>
        {
            format!("the registered program is gone: {SETUP} from where it is now")
        }
        State::Other(_) => format!("if you do not know that program, {FIX}"),
        State::Ready
        | State::Missing
        | State::BadJson
        | State::BadFields
        | State::WrongOrigin
        | State::Moved(_)
        | State::NotExecutable(_)
        | State::ScriptChanged(_) => FIX.to_owned(),
    }
}

fn worker(facts: &Facts, health: Option<&Health>, warnings: &mut Vec<String>) -> HopHealth {
    let worker = hop(HopName::Worker);
    let Some(health) = health else {
        return absent(worker, facts, false);
    };
    let refused = refusal(health, HopName::Worker);
    if health.links.is_empty() {
        return match refused {
            Some(error) => worker.broken(version_or_refused(error), told(error)),
            None => absent(worker, facts, true),
        };
    }
    if let Some(error) = refused {
        warnings.push(format!("another browser was refused: {}", told(error)));
    }
    if let Some(silent) = health.links.iter().find(|link| link.answer_ms.is_none()) {
        return worker.broken(
            "worker_silent",
            format!(
                "{} is connected and does not answer: reload the extension on the browser's extensions page",
                label(silent)
            ),
        );
    }
    let slowest = health
        .links
        .iter()
        .filter_map(|link| link.answer_ms)
        .reduce(f64::max);
    let worker = worker.seen(slowest);
    if let Some(stale) = health
        .links
        .iter()
        .find(|link| link.capability_revision < CAPABILITY_REVISION)
    {
        return worker.noted(
            "extension_runtime_stale",
            format!("{} has an older extension: update it, or reload it", label(stale)),
        );
    }
    if let Some(blocked) = health
        .links
        .iter()
        .find(|link| link.socket == Some(SocketHealth::Unanswered))
    {
        return worker.noted(
            PORT_BLOCKED,
            format!(
                "{} does not get through to the bridge's port on 127.0.0.1, so {SLOWER}: let it connect there past the \
                 firewall, proxy or security program that keeps it, then reload the extension",
                label(blocked)
            ),
        );
    }
    if let Some(other) = health.links.iter().find(|link| link.extension != BUILD) {
        warnings.push(format!(
            "{} works with the extension {}, this bridge is {BUILD}: an update is available",
            label(other),
            other.extension
        ));
    }
    worker
}

/// Why no background is connected, as far as the profiles on disk tell. `reached` says that the hops before are good.
fn absent(worker: HopHealth, facts: &Facts, reached: bool) -> HopHealth {
    let with = |wanted: Extension| {
        facts
            .browsers
            .iter()
            .filter(move |browser| browser.profile.extension == wanted)
    };
    let enabled = with(Extension::Enabled)
        .max_by_key(|browser| browser.profile.running.is_some())
        .map(|browser| (browser, browser.profile.running));
    match enabled {
        Some((browser, Some(_))) if reached && browser.host == State::Ready => {
            return worker.broken(
                "worker_asleep",
                format!(
                    "{} runs and has the extension, and it does not connect: open {} and reload it there",
                    browser.browser.name, browser.browser.extensions_page
                ),
            );
        }
        Some((browser, None)) if reached => {
            return worker.broken(
                "browser_not_running",
                format!(
                    "{} has the extension and does not run: start it, it connects by itself",
                    browser.browser.name
                ),
            );
        }
        Some(_) => return worker,
        None => {}
    }
    if let Some(browser) = with(Extension::Disabled).next() {
        return worker.broken(
            "extension_disabled",
            format!(
                "the extension is switched off in {}: switch it on at {}",
                browser.browser.name, browser.browser.extensions_page
            ),
        );
    }
    match with(Extension::Absent).next().or(facts.browsers.first()) {
        Some(browser) => worker.broken(
            "extension_absent",
            format!(
                "{} does not have the extension: {SETUP}, it shows what to load at {}",
                browser.browser.name, browser.browser.extensions_page
            ),
        ),
        None => worker,
    }
}

fn page(health: Option<&Health>, warnings: &mut Vec<String>) -> HopHealth {
    let page = hop(HopName::Page);
    let Some(health) = health.filter(|health| health.links.iter().any(|link| link.answer_ms.is_some()))
    else {
        return page;
    };
    let ready: Vec<&LinkHealth> = health
        .links
        .iter()
        .filter(|link| link.state == TargetState::Connected)
        .collect();
    if ready.is_empty() {
        return page.broken(
            "unpaired",
            "no person confirmed this browser profile for the bridge yet, so no call reaches it".to_owned(),
        );
    }
    if !health.admitted {
        return page.broken(
            "client_not_admitted",
            "no person has let this client in yet: `drawbridge clients admit` says how".to_owned(),
        );
    }
    for link in &ready {
        match (&link.page, &link.page_error) {
            (Some(seen), _) if !seen.all_sites => {
                return page.broken(
                    "sites_withheld",
                    format!(
                        "{} keeps sites from the extension: its details on the extensions page have \"Site access\"",
                        label(link)
                    ),
                );
            }
            (Some(_), _) | (None, None) => {}
            (None, Some(error)) if error.code == Code::Unsupported => {
                warnings.push(format!("{} is too old to be asked about pages", label(link)));
            }
            (None, Some(error)) => {
                return page.broken("page_unreachable", format!("{}: {error}", label(link)));
            }
        }
    }
    let slowest = ready
        .iter()
        .filter_map(|link| link.page.as_ref())
        .map(|seen| seen.ms);
    page.seen(slowest.reduce(f64::max))
}

fn warnings(facts: &Facts) -> Vec<String> {
    let mut warnings = Vec::new();
    for name in &facts.stale_variables {
        warnings.push(format!("the variable {name} means nothing to this version"));
    }
    if let Some(problem) = &facts.registration_problem {
        warnings.push(format!("{problem}: {SETUP}"));
    }
    if let Some(registration) = &facts.registration
        && registration.binary != facts.program
        && registration.binary.exists()
    {
        warnings.push(format!(
            "browsers start {}, this program is {}",
            registration.binary.display(),
            facts.program.display()
        ));
    }
    for (file, state) in &facts.others {
        warnings.push(format!("for all users: {}", state.words(file)));
    }
    warnings
}

fn recommendation(hops: &[HopHealth], links: usize, targets: &[String]) -> String {
    let broken = hops.iter().find(|hop| !hop.ok && hop.issue.is_some());
    if let Some(repair) = broken.and_then(|hop| hop.repair.clone()) {
        return repair;
    }
    if links > 1 {
        let names = if targets.is_empty() {
            String::new()
        } else {
            format!(": {}", targets.join(", "))
        };
        return format!("{links} browser profiles are connected: choose one with `target`{names}");
    }
    hops.iter()
        .find_map(|hop| hop.repair.clone())
        .unwrap_or_else(|| "nothing to do".to_owned())
}

fn browsers(facts: &Facts) -> Vec<BrowserRow> {
    let found = facts.browsers.iter().map(|browser| BrowserRow {
        browser: browser.browser.name.clone(),
        folder: browser.browser.data.display().to_string(),
        host: browser.host.id().to_owned(),
        extension: browser.profile.extension.word().to_owned(),
        running: browser.profile.running.is_some(),
        note: Some(browser.host.words(&browser.file)).filter(|words| !words.is_empty()),
    });
    let skipped = facts.skipped.iter().map(|skipped| BrowserRow {
        browser: skipped.name.clone(),
        folder: skipped.folder.display().to_string(),
        host: "skipped".to_owned(),
        extension: Extension::Unknown.word().to_owned(),
        running: false,
        note: Some(skipped.why.clone()),
    });
    found.chain(skipped).collect()
}

/// Why the last link was refused at a hop, if that was lately.
fn refusal(health: &Health, hop: HopName) -> Option<&Error> {
    let lately = |refusal: &&Refusal| refusal.hop == hop && refusal.age_ms < FRESH_MS;
    health.refusals.iter().rfind(lately).map(|refusal| &refusal.error)
}

fn version_or_refused(error: &Error) -> &'static str {
    match error.code {
        Code::VersionMismatch => "version_mismatch",
        _ => "refused",
    }
}

fn told(error: &Error) -> String {
    match &error.hint {
        Some(hint) => format!("{}: {hint}", error.message),
        None => error.message.clone(),
    }
}

fn label(link: &LinkHealth) -> &str {
    link.name.as_deref().unwrap_or("a browser profile")
}

fn hop(name: HopName) -> HopHealth {
    HopHealth {
        name,
        ok: false,
        ms: None,
        issue: None,
        repair: None,
    }
}

/// Small steps from a hop that was not reached to what is known of it.
trait Judged {
    fn seen(self, ms: Option<f64>) -> Self;
    fn noted(self, issue: &str, repair: String) -> Self;
    fn broken(self, issue: &str, repair: String) -> Self;
}

impl Judged for HopHealth {
    fn seen(mut self, ms: Option<f64>) -> Self {
        self.ok = true;
        self.ms = ms;
        self
    }

    fn noted(mut self, issue: &str, repair: String) -> Self {
        self.issue = Some(issue.to_owned());
        self.repair = Some(repair);
        self
    }

    fn broken(mut self, issue: &str, repair: String) -> Self {
        self.ok = false;
        self.noted(issue, repair)
    }
}

#[cfg(test)]
mod tests;
