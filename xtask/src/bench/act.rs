//! `cargo xtask bench act`: what clicking, filling and waiting cost, beside what others take on the same Chromium and the
//! same pages. Each round first does the same by the raw DevTools protocol, without any look or check: the ratio to that
//! stands whatever else the machine does.

mod raw;

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use drawbridge_tests::cdp::{Browser, Page};
use drawbridge_tests::project::Bridge;
use drawbridge_tests::sandbox::{Options, Sandbox};
use drawbridge_tests::site::Site;
use serde_json::{Value, json};

use super::figures::{Figures, median, milliseconds};
use super::read::peers::{self, Hands, Peer};
use super::read::{close_marked, to_front};
use crate::run::say;
use crate::{build, output, packages, sandbox};

/// Rounds on a page.
const ROUNDS: usize = 15;

/// Pages by name.
const PAGES: &[(&str, &str)] = &[
    ("a small page", "/huge/hands?count=0"),
    ("10,000 elements", "/huge/hands?count=10000"),
];

/// What one server took.
struct Took {
    page: &'static str,
    server: String,
    what: &'static str,
    /// Medians, in milliseconds.
    server_ms: f64,
    raw_ms: f64,
    /// Median of the ratios of each round.
    ratio: f64,
}

/// Measures and prints.
pub(crate) fn run() -> Result<()> {
    if let Some(measured) = super::released("act") {
        return measured;
    }
    sandbox::prepare()?;
    build::bridge(Bridge::Bench)?;
    let modules = packages::references()?;
    let (mut took, mut refused) = (Vec::new(), Vec::new());
    let mut figures = Figures::default();
    sandbox::block_on(async {
        let site = Site::start().await?;
        let sandbox = Sandbox::start(Options {
            bridge: Bridge::Bench,
            ..Options::default()
        })
        .await?;
        let browser = sandbox.profile().browser().await?;
        let raw = browser.open("about:blank").await?;
        for (number, kind) in peers::ALL.iter().enumerate() {
            say(format!("measuring {}", kind.name));
            let peer = Peer::start(kind, &sandbox, &modules, number).await?;
            for (page, path) in PAGES.iter().copied() {
                let url = site.url(path);
                for is_behind in [false, true] {
                    // Others are measured as they are used: in front.
                    if is_behind && !peer.is_ours() {
                        continue;
                    }
                    match measure(&peer, &browser, &raw, page, &url, is_behind).await {
                        Ok(rows) => took.extend(rows),
                        Err(problem) => {
                            refused.push([kind.name.to_owned(), page.to_owned(), format!("{problem:#}")]);
                        }
                    }
                }
            }
            let mark = peer.mark();
            peer.end().await?;
            close_marked(&browser, &mark).await?;
        }
        raw.close().await?;
        sandbox.stop().await
    })?;
    for (page, _) in PAGES {
        let rows = took.iter().filter(|one| one.page == *page).map(|one| {
            [
                one.what.to_owned(),
                one.server.clone(),
                format!("{:.1}", one.server_ms),
                format!("{:.1}", one.raw_ms),
                format!("{:.2} ×", one.ratio),
            ]
        });
        output::table(page, &["what", "server", "ms", "raw ms", "to raw"], rows);
    }
    judge(&took, &mut figures);
    figures.print();
    output::table("Not measured", &["server", "page", "why"], refused);
    Ok(())
}

async fn measure(
    peer: &Peer,
    browser: &Browser,
    raw: &Page,
    page: &'static str,
    url: &str,
    is_behind: bool,
) -> Result<Vec<Took>> {
    raw.navigate(&format!("{url}&peer=raw")).await?;
    let mark = peer.mark();
    peer.navigate(&format!("{url}&{mark}")).await?;
    let eyes = browser.page(|one| one.ends_with(&mark)).await?;
    let hands = peer.hands().await?;
    let front = if is_behind { "peer=raw" } else { &mark };
    let (mut clicks, mut fills, mut waits) = (Vec::new(), Vec::new(), Vec::new());
    // The first round warms up.
    for round in 0..=ROUNDS {
        to_front(browser, "peer=raw").await?;
        let base = raw::click(raw).await?;
        to_front(browser, front).await?;
        let before: u32 = eyes.evaluate("presses").await?;
        let since = Instant::now();
        peer.click(&hands).await?;
        let ms = milliseconds(since.elapsed());
        let after: u32 = eyes.evaluate("presses").await?;
        ensure!(after == before + 1, "{} presses instead of one", after - before);
        clicks.push((ms, base));

        let text = format!("value {round}");
        to_front(browser, "peer=raw").await?;
        let base = raw::fill(raw, &text).await?;
        to_front(browser, front).await?;
        let since = Instant::now();
        peer.fill(&hands, &text).await?;
        let ms = milliseconds(since.elapsed());
        let held: String = eyes.evaluate("document.getElementById('field').value").await?;
        ensure!(held == text, "{held:?} instead of {text:?}");
        fills.push((ms, base));

        if round < 6 {
            waits.push((over(peer, &eyes, round).await?, 0.0));
        }
    }
    eyes.detach().await?;
    let server = format!("{}{}", peer.name(), if is_behind { ", behind" } else { "" });
    Ok([("click", clicks), ("fill", fills), ("wait, over", waits)]
        .into_iter()
        .map(|(what, pairs)| {
            let pairs = &pairs[1..];
            let of = |pick: fn(&(f64, f64)) -> f64| median(&mut pairs.iter().map(pick).collect::<Vec<_>>());
            Took {
                page,
                server: server.clone(),
                what,
                server_ms: of(|pair| pair.0),
                raw_ms: of(|pair| pair.1),
                ratio: of(|pair| if pair.1 > 0.0 { pair.0 / pair.1 } else { 0.0 }),
            }
        })
        .collect())
}

/// How long after a text appeared the wait for it was over, in milliseconds.
async fn over(peer: &Peer, eyes: &Page, round: usize) -> Result<f64> {
    let text = format!("arrived {round}");
    let show = format!(
        "setTimeout(() => {{ document.getElementById('told').textContent = {text:?}; shownAt = Date.now(); }}, 400); null"
    );
    eyes.evaluate::<Option<()>>(&show).await?;
    peer.wait_for(&text).await?;
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .context("the clock stands before 1970")?;
    let shown: f64 = eyes.evaluate("shownAt").await?;
    Ok(now.as_secs_f64() * 1000.0 - shown)
}

/// The goals.
fn judge(took: &[Took], figures: &mut Figures) {
    for (page, _) in PAGES {
        for behind in ["", ", behind"] {
            let ours = format!("drawbridge{behind}");
            let find = |what: &str| {
                took.iter()
                    .find(|one| one.page == *page && one.what == what && one.server == ours)
            };
            if let Some(click) = find("click") {
                figures.add(&format!("click{behind}, {page}, to raw"), click.ratio, 2.0, "×");
                let best = took
                    .iter()
                    .filter(|one| {
                        one.page == *page && one.what == "click" && !one.server.starts_with("drawbridge")
                    })
                    .map(|one| one.ratio)
                    .fold(f64::INFINITY, f64::min);
                figures.add(
                    &format!("click{behind}, {page}, to the fastest other"),
                    click.ratio / best,
                    1.0,
                    "×",
                );
            }
            if let Some(fill) = find("fill") {
                figures.add(
                    &format!("fill{behind}, {page}, over raw"),
                    fill.server_ms - fill.raw_ms,
                    15.0,
                    "ms",
                );
            }
            if let Some(wait) = find("wait, over") {
                figures.add(
                    &format!("wait{behind}, {page}, after the text appeared"),
                    wait.server_ms,
                    20.0,
                    "ms",
                );
            }
        }
    }
}

/// Where the button and the field of a page are, by what a server's line about each says before and after their name.
pub(super) fn names(snapshot: &str, before: &str, after: char) -> Result<Hands> {
    let of = |name: &str| -> Result<Value> {
        let found = snapshot
            .lines()
            .filter(|line| line.contains(name))
            .find_map(|line| {
                let line = line.trim_start();
                let start = line.find(before)? + before.len();
                line[start..]
                    .split(after)
                    .next()
                    .filter(|found| !found.is_empty())
            });
        let start = || snapshot.chars().take(400).collect::<String>();
        Ok(json!(
            found.with_context(|| format!("no {name:?} in {}", start()))?
        ))
    };
    Ok(Hands {
        button: of("Press here")?,
        field: of("Name here")?,
    })
}
