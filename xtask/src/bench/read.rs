//! `cargo xtask bench read`: how fast and how small a page is read, beside what others reach on the same Chromium and the
//! same pages. Every server is measured in rounds of its own, each paired with the browser's own accessibility tree read
//! through the raw DevTools protocol: the ratio to that stands whatever else the machine does.

mod goals;
pub(super) mod peers;
mod rows;

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context, Result};
use drawbridge_tests::cdp::{Browser, Page};
use drawbridge_tests::oracle::{self, Element};
use drawbridge_tests::project::Bridge;
use drawbridge_tests::sandbox::{Options, Sandbox};
use drawbridge_tests::site::Site;
use serde_json::{Value, json};

use super::figures::{Figures, median, milliseconds};
use super::reading;
use crate::run::say;
use crate::{build, output, packages, sandbox};
use peers::{Peer, Way};

/// Rounds on a page.
const ROUNDS: usize = 5;

/// Pages by name. The saved ones are those whose size others were measured on.
const PAGES: &[(&str, &str)] = &[
    ("tiny form", "/huge/form?count=0"),
    ("10,000 elements", "/huge/elements?count=10000"),
    ("table of 1,000 rows", "/huge/table?count=1000"),
    (
        "wikipedia, 1 MB",
        "/huge/saved/articles/wikipedia.html?count=1000000",
    ),
    ("wikipedia", "/saved/articles/wikipedia.html?"),
    ("aktualne", "/saved/articles/aktualne.html?"),
    ("heise", "/saved/articles/heise.html?"),
    ("lwn", "/saved/articles/lwn-1.html?"),
    ("links in tables", "/saved/articles/links-in-tables.html?"),
    ("argiro", "/saved/recipes/argiro_1.html?"),
    ("bbcfood", "/saved/recipes/bbcfood_1.html?"),
    ("budgetbytes", "/saved/recipes/budgetbytes_groups.html?"),
];

/// The page whose table is read as rows.
const TABLE: &str = "/huge/table?count=1000";

/// A page that takes others many seconds, or that they do not get through at all: for ours alone.
const VAST: (&str, &str) = ("100,000 elements", "/huge/elements?count=100000&");

/// What one server reached on one page.
struct Reached {
    page: &'static str,
    peer: &'static str,
    /// Median, in milliseconds.
    took: f64,
    /// Median of the ratios to the raw read in the same round.
    ratio: Option<f64>,
    characters: usize,
    /// By the tokenizer `o200k`.
    tokens: usize,
    /// Part of the visible interactive elements with a name whose name is told.
    recall: Option<f64>,
}

/// Measures and prints.
pub(crate) fn run() -> Result<()> {
    if let Some(measured) = super::released("read") {
        return measured;
    }
    sandbox::prepare()?;
    build::bridge(Bridge::Bench)?;
    let modules = packages::references()?;
    let mut figures = Figures::default();
    let (reached, refused) = sandbox::block_on(async {
        let site = Site::start().await?;
        let sandbox = Sandbox::start(Options {
            bridge: Bridge::Bench,
            ..Options::default()
        })
        .await?;
        let browser = sandbox.profile().browser().await?;
        let raw = browser.open("about:blank").await?;
        let (mut reached, mut refused) = (Vec::new(), Vec::new());
        for (number, kind) in peers::ALL.iter().enumerate() {
            say(format!("measuring {}", kind.name));
            let peer = Peer::start(kind, &sandbox, &modules, number).await?;
            for (name, path) in PAGES.iter().copied() {
                let url = site.url(path);
                match measure(&peer, &browser, &raw, name, &url).await {
                    Ok(rows) => reached.extend(rows),
                    Err(problem) => {
                        refused.push([kind.name.to_owned(), name.to_owned(), format!("{problem:#}")])
                    }
                }
            }
            if peer.is_ours() {
                let url = site.url(VAST.1);
                match alone(&peer, &url).await {
                    Ok(rows) => reached.extend(rows),
                    Err(problem) => {
                        refused.push([kind.name.to_owned(), VAST.0.to_owned(), format!("{problem:#}")]);
                    }
                }
                rows::measure(&peer, &raw, &site.url(TABLE), &mut figures).await?;
            }
            let mark = peer.mark();
            peer.end().await?;
            close_marked(&browser, &mark).await?;
        }
        raw.close().await?;
        say("measuring against walks in hand-written JavaScript");
        reading::measure(&sandbox, &site, &mut figures).await?;
        sandbox.stop().await?;
        Ok((reached, refused))
    })?;
    print(&reached);
    let pages: Vec<&str> = PAGES.iter().map(|(name, _)| *name).collect();
    goals::judge(&reached, &pages, &mut figures);
    figures.print();
    output::table("Not measured", &["server", "page", "why"], refused);
    Ok(())
}

/// One server on one page: for each of its ways to read, and the raw read beside it.
async fn measure(
    peer: &Peer,
    browser: &Browser,
    raw: &Page,
    page: &'static str,
    url: &str,
) -> Result<Vec<Reached>> {
    let separator = if url.ends_with('?') { "" } else { "&" };
    raw.navigate(&format!("{url}{separator}peer=raw")).await?;
    let elements = oracle::read(raw).await?;
    let mark = peer.mark();
    peer.navigate(&format!("{url}{separator}{mark}")).await?;
    let ways = peer.ways();
    let mut times = vec![Vec::new(); ways.len()];
    let mut ratios = vec![Vec::new(); ways.len()];
    let mut texts = vec![String::new(); ways.len()];
    let (mut raw_times, mut raw_text) = (Vec::new(), String::new());
    for round in 0..=ROUNDS {
        to_front(browser, "peer=raw").await?;
        let since = Instant::now();
        let tree = raw.send("Accessibility.getFullAXTree", json!({})).await?;
        let base = milliseconds(since.elapsed());
        for index in 0..ways.len() {
            // Each in turn is the first after the raw read.
            let index = (index + round) % ways.len();
            let front = if ways[index] == Way::Behind {
                "peer=raw"
            } else {
                &mark
            };
            to_front(browser, front).await?;
            let since = Instant::now();
            let text = peer.read(ways[index]).await?;
            let took = milliseconds(since.elapsed());
            // The first round warms up.
            if round > 0 {
                times[index].push(took);
                ratios[index].push(took / base.max(0.001));
            }
            texts[index] = text;
        }
        if round > 0 {
            raw_times.push(base);
        }
        raw_text = tree["nodes"].to_string();
    }
    let mut rows = Vec::new();
    if peer.is_first() {
        let names = names_in_tree(&raw_text)?;
        rows.push(Reached {
            page,
            peer: "raw accessibility tree",
            took: median(&mut raw_times),
            ratio: Some(1.0),
            characters: raw_text.chars().count(),
            tokens: tokens(&raw_text),
            recall: Some(recall(&elements, |name| {
                names.get(name).copied().unwrap_or_default()
            })),
        });
    }
    for ((way, text), (mut times, mut ratios)) in ways.iter().zip(&texts).zip(times.into_iter().zip(ratios)) {
        let folded = oracle::element::folded(text);
        rows.push(Reached {
            page,
            peer: peer.called(way),
            took: median(&mut times),
            ratio: Some(median(&mut ratios)),
            characters: text.chars().count(),
            tokens: tokens(text),
            recall: Some(recall(&elements, |name| told(&folded, name))),
        });
    }
    Ok(rows)
}

/// Ours on a page without anybody beside it.
async fn alone(peer: &Peer, url: &str) -> Result<Vec<Reached>> {
    peer.navigate(&format!("{url}{}", peer.mark())).await?;
    let mut rows = Vec::new();
    for way in peer.ways() {
        let mut times = Vec::new();
        let mut text = String::new();
        for _ in 0..ROUNDS {
            let since = Instant::now();
            text = peer.read(*way).await?;
            times.push(milliseconds(since.elapsed()));
        }
        rows.push(Reached {
            page: VAST.0,
            peer: peer.called(way),
            took: median(&mut times),
            ratio: None,
            characters: text.chars().count(),
            tokens: tokens(&text),
            recall: None,
        });
    }
    Ok(rows)
}

/// Brings the tab in front whose address has a mark: some servers wait for frames that a tab behind does not draw.
pub(super) async fn to_front(browser: &Browser, mark: &str) -> Result<()> {
    let targets = browser.targets().await?;
    let target = targets
        .into_iter()
        .find(|target| target.kind == "page" && target.url.ends_with(mark))
        .with_context(|| format!("no tab with {mark}"))?;
    browser
        .send("Target.activateTarget", json!({"targetId": target.target_id}))
        .await
        .map(drop)
}

/// Closes the tabs whose address has a mark.
pub(super) async fn close_marked(browser: &Browser, mark: &str) -> Result<()> {
    for target in browser.targets().await? {
        if target.kind == "page" && target.url.ends_with(mark) {
            let close = json!({"targetId": target.target_id});
            browser.send("Target.closeTarget", close).await?;
        }
    }
    Ok(())
}

fn tokens(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

/// How many times the browser's tree has each name.
fn names_in_tree(nodes: &str) -> Result<BTreeMap<String, usize>> {
    let nodes: Vec<Value> = serde_json::from_str(nodes)?;
    let mut names = BTreeMap::new();
    for node in nodes {
        if let Some(name) = node["name"]["value"]
            .as_str()
            .filter(|_| node["ignored"] == false)
        {
            *names.entry(oracle::element::folded(name)).or_default() += 1;
        }
    }
    Ok(names)
}

/// How many times a text, its white space folded, has a name in quotes, as every server writes names.
fn told(text: &str, name: &str) -> usize {
    let quoted = Value::from(name).to_string();
    let plain = format!("\"{name}\"");
    let count = text.matches(&plain).count();
    if quoted == plain {
        count
    } else {
        count.max(text.matches(&quoted).count())
    }
}

/// Part of the named elements that is told, each as often as it is there.
fn recall(elements: &[Element], told: impl Fn(&str) -> usize) -> f64 {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for element in elements.iter().filter(|element| !element.name.is_empty()) {
        *names.entry(&element.name).or_default() += 1;
    }
    let all: usize = names.values().sum();
    let found: usize = names.iter().map(|(name, count)| told(name).min(*count)).sum();
    if all == 0 { 1.0 } else { found as f64 / all as f64 }
}

fn print(reached: &[Reached]) {
    let absent = || "–".to_owned();
    for (page, _) in PAGES.iter().chain([&VAST]) {
        let rows = reached.iter().filter(|one| one.page == *page).map(|one| {
            [
                one.peer.to_owned(),
                format!("{:.1}", one.took),
                one.ratio.map_or_else(absent, |ratio| format!("{ratio:.2} ×")),
                one.tokens.to_string(),
                one.characters.to_string(),
                one.recall
                    .map_or_else(absent, |recall| format!("{:.1} %", 100.0 * recall)),
            ]
        });
        output::table(
            page,
            &["server", "ms", "to raw", "o200k tokens", "characters", "recall"],
            rows,
        );
    }
}
