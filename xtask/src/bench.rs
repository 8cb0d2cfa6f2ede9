//! `cargo xtask bench`: what the project promises about speed and size, measured on this machine.

mod act;
mod figures;
mod read;
mod reading;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use drawbridge_protocol::local::Admin;
use drawbridge_tests::mcp::Mcp;
use drawbridge_tests::project::{self, Bridge};
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use drawbridge_tests::site::Site;
use drawbridge_tests::wait;
use serde_json::json;

use crate::run::say;
use crate::{build, sandbox};
use figures::{Figures, median, milliseconds};

/// Repetitions of what takes a few milliseconds, and of what opens a tab.
const MANY: usize = 200;
const SOME: usize = 25;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum What {
    /// Everything that needs nobody beside us.
    All,
    /// Reading pages, beside the servers of others.
    Read,
    /// Clicking, filling and waiting, beside the servers of others.
    Act,
}

/// Measures and prints one table.
pub(crate) fn run(what: What) -> Result<()> {
    match what {
        What::All => all(),
        What::Read => read::run(),
        What::Act => act::run(),
    }
}

/// Measures again in a release build, where this is none: what is measured beside us is read here, too.
fn released(what: &str) -> Option<Result<()>> {
    let again = [
        "run",
        "--quiet",
        "--release",
        "--package",
        "xtask",
        "--",
        "bench",
        what,
    ];
    cfg!(debug_assertions).then(|| crate::run::run(crate::run::cargo(again).stdout(Stdio::inherit())))
}

fn all() -> Result<()> {
    sandbox::prepare()?;
    build::bridge(Bridge::Bench)?;
    let mut figures = Figures::default();
    figures.add("packed extension", packed_extension()?, 1.5, "MB");
    sandbox::block_on(async {
        let site = Site::start().await?;
        let sandbox = Sandbox::start(Options {
            bridge: Bridge::Bench,
            ..Options::default()
        })
        .await?;
        say("measuring the idle daemon");
        figures.add(
            "daemon, idle, proportional set size",
            idle_daemon(&sandbox).await?,
            10.0,
            "MB",
        );
        say("measuring the MCP server's start");
        figures.add(
            "`drawbridge mcp`, spawn to initialize reply",
            handshake(&sandbox).await?,
            15.0,
            "ms",
        );
        say("measuring calls that do nothing");
        let mcp = sandbox.mcp("bench", "flat").await?;
        round_trip(&mcp, &mut figures).await?;
        say("measuring large results");
        large(&sandbox, &mcp, &mut figures).await?;
        say("measuring recipes");
        let (over, load) = recipe(&sandbox, &mcp, &site).await?;
        figures.add("recipe, over the page's own load", over, 150.0, "ms");
        figures.note("the page's own load", load, "ms");
        say("measuring the worker's cold start");
        figures.add(
            "worker, cold start to first answer",
            cold_start(&sandbox).await?,
            60.0,
            "ms",
        );
        say("measuring the reader against hand-written JavaScript");
        reading::measure(&sandbox, &site, &mut figures).await?;
        mcp.close(Duration::from_secs(2)).await?;
        say("measuring how fast everything is connected again");
        again(&sandbox, &mut figures).await?;
        sandbox.stop().await?;
        say("measuring fifty clients at once");
        crowd(&mut figures).await
    })?;
    figures.print();
    Ok(())
}

/// Megabytes of the released extension, each file compressed as a package would.
fn packed_extension() -> Result<f64> {
    fn size(folder: &std::path::Path) -> Result<usize> {
        let mut bytes = 0;
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                bytes += size(&path)?;
            } else {
                let packed = Command::new("gzip")
                    .args(["-9", "-c"])
                    .arg(&path)
                    .stderr(Stdio::null())
                    .output();
                // Without gzip the plain size stands: more than it would be.
                bytes += match packed {
                    Ok(packed) if packed.status.success() => packed.stdout.len(),
                    Ok(_) | Err(_) => std::fs::read(&path)?.len(),
                };
            }
        }
        Ok(bytes)
    }
    Ok(size(&project::extension())? as f64 / 1e6)
}

/// Megabytes of the daemon with one browser connected and no client.
async fn idle_daemon(sandbox: &Sandbox) -> Result<f64> {
    let pid = sandbox.daemon().context("no daemon runs")?;
    let mut samples = Vec::new();
    for _ in 0..5 {
        tokio::time::sleep(Duration::from_millis(300)).await;
        samples.push(processes::proportional_set_size(pid)? as f64 / 1e6);
    }
    Ok(median(&mut samples))
}

async fn handshake(sandbox: &Sandbox) -> Result<f64> {
    let mut samples = Vec::new();
    for _ in 0..SOME {
        let since = Instant::now();
        let mcp = Mcp::spawn(sandbox.bridge(), sandbox.home(), "bench", "domains")?;
        mcp.initialize().await?;
        samples.push(milliseconds(since.elapsed()));
        mcp.close(Duration::from_secs(2)).await?;
    }
    Ok(median(&mut samples))
}

/// A call that does nothing, whole and by its hops.
async fn round_trip(mcp: &Mcp, figures: &mut Figures) -> Result<()> {
    let mut samples = Vec::new();
    let mut hops: Vec<(String, Vec<f64>)> = Vec::new();
    for _ in 0..MANY {
        let called = mcp.call("browser_echo", json!({"text": "x"})).await?;
        called.outcome.0?;
        samples.push(milliseconds(called.took));
        for (index, hop) in called.hops.into_iter().enumerate() {
            match hops.get_mut(index) {
                Some((name, times)) if *name == hop.name => times.push(hop.ms),
                Some(_) => {}
                None => hops.push((hop.name, vec![hop.ms])),
            }
        }
    }
    figures.add(
        "no-op call to the background and back",
        median(&mut samples),
        5.0,
        "ms",
    );
    for (name, mut times) in hops {
        figures.note(&format!("… of it in the hop `{name}`"), median(&mut times), "ms");
    }
    Ok(())
}

/// A result of 10 MB, over the socket and without it: as the daemon has it, and as the client does.
async fn large(sandbox: &Sandbox, mcp: &Mcp, figures: &mut Figures) -> Result<()> {
    let client = sandbox.client("bench").await?;
    for (socket, name) in [("off", "without the socket"), ("on", "over the socket")] {
        let (key, value) = ("link.socket".to_owned(), socket.to_owned());
        client.admin(Admin::SetSetting { key, value }).await?;
        // The socket is opened or closed by then.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let (mut whole, mut link) = (Vec::new(), Vec::new());
        for _ in 0..9 {
            let called = mcp.call("browser_echo", json!({"fill": 10_000_000})).await?;
            called.outcome.0?;
            for hop in called.hops {
                match hop.name.as_str() {
                    "client" => whole.push(hop.ms),
                    // From the daemon to the background and, with the result read, back.
                    "extension" => link.push(hop.ms),
                    _ => {}
                }
            }
        }
        let title = format!("10 MB result {name}");
        if socket == "on" {
            figures.add(&title, median(&mut link), 120.0, "ms");
        } else {
            figures.note(&title, median(&mut link), "ms");
        }
        figures.note(&format!("{title}, at the client"), median(&mut whole), "ms");
    }
    Ok(())
}

/// From the end of a part to the first call that goes through again.
async fn again(sandbox: &Sandbox, figures: &mut Figures) -> Result<()> {
    let browser = sandbox.profile().browser().await?;
    let stopper = sandbox.profile().worker_stopper(&browser).await?;
    for part in ["worker", "native host", "daemon"] {
        let mut samples = Vec::new();
        for _ in 0..5 {
            let before = generation(sandbox).await.unwrap_or_default();
            match part {
                "worker" => stopper.stop().await?,
                "native host" => {
                    for host in sandbox.profile().native_hosts() {
                        processes::kill(host)?;
                    }
                }
                _ => drop(sandbox.kill_daemon()?),
            }
            let since = Instant::now();
            wait::until("a call to go through", Duration::from_secs(20), async || {
                // A new daemon counts from one again.
                let now = generation(sandbox).await.unwrap_or_default();
                if now == 0 || (part != "daemon" && now == before) {
                    return Ok(None);
                }
                let client = sandbox.client("bench").await?;
                Ok(client.call_raw("browser_echo", json!({})).await.ok())
            })
            .await?;
            samples.push(milliseconds(since.elapsed()));
            // A worker that is ended again at once is another case.
            tokio::time::sleep(Duration::from_millis(1_200)).await;
        }
        figures.add(
            &format!("{part} killed, until a call goes through again"),
            median(&mut samples),
            1_000.0,
            "ms",
        );
    }
    stopper.close().await
}

async fn generation(sandbox: &Sandbox) -> Result<u64> {
    let links = sandbox.client("bench").await?.admin(Admin::Links).await?;
    Ok(links[0]["generation"].as_u64().unwrap_or_default())
}

/// Fifty clients that find no daemon: until the last of them has its answer.
async fn crowd(figures: &mut Figures) -> Result<()> {
    let mut samples = Vec::new();
    for _ in 0..5 {
        let sandbox = Sandbox::without_browser(&Options {
            bridge: Bridge::Bench,
            ..Options::default()
        })?;
        let since = Instant::now();
        let replies = futures_util::future::try_join_all((0..50).map(|number| {
            let mut command = sandbox.command(["call", "browser_session", r#"{"action":"list"}"#]);
            command.env("DRAWBRIDGE_CLIENT", format!("client-{number}"));
            command.stdin(Stdio::null());
            async move { command.output().await }
        }))
        .await?;
        samples.push(milliseconds(since.elapsed()));
        anyhow::ensure!(
            replies.iter().all(|reply| reply.status.success()),
            "a client was not served"
        );
        sandbox.stop().await?;
    }
    figures.add(
        "50 clients at once and no daemon, the last one served",
        median(&mut samples),
        500.0,
        "ms",
    );
    Ok(())
}

/// What a recipe takes beyond the same page's load in a tab that is there already, and that load.
async fn recipe(sandbox: &Sandbox, mcp: &Mcp, site: &Site) -> Result<(f64, f64)> {
    let (browser, path) = (sandbox.profile().browser().await?, "/big?rows=50");
    let page = browser.open(&site.url(path)).await?;
    let (mut over, mut loads) = (Vec::new(), Vec::new());
    for _ in 0..SOME {
        let since = Instant::now();
        page.navigate(&site.url(path)).await?;
        let load = milliseconds(since.elapsed());
        let called = mcp
            .call("browser_extract", json!({"recipe": site.recipe(path)}))
            .await?;
        anyhow::ensure!(
            called.outcome.0?["state"] == "ok",
            "the recipe does not fit its page"
        );
        over.push(milliseconds(called.took) - load);
        loads.push(load);
    }
    page.close().await?;
    Ok((median(&mut over), median(&mut loads)))
}

/// From a message to a stopped worker to its answer, as a page of the extension sees it.
async fn cold_start(sandbox: &Sandbox) -> Result<f64> {
    let browser = sandbox.profile().browser().await?;
    let stopper = sandbox.profile().worker_stopper(&browser).await?;
    let mut samples = Vec::new();
    for _ in 0..9 {
        stopper.stop().await?;
        let took: f64 = stopper
            .page()
            .evaluate(
                "(async () => { const since = performance.now(); await chrome.runtime.sendMessage({ask: 'state'});
                 return performance.now() - since; })()",
            )
            .await?;
        samples.push(took);
    }
    stopper.close().await?;
    Ok(median(&mut samples))
}
