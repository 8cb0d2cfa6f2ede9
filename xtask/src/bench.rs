//! `cargo xtask bench`: what the project promises about speed and size, measured on this machine.

mod figures;
mod reading;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use drawbridge_tests::mcp::Mcp;
use drawbridge_tests::project::{self, Bridge};
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use drawbridge_tests::site::Site;
use serde_json::json;

use crate::run::say;
use crate::{build, sandbox};
use figures::{Figures, median, milliseconds};

/// Repetitions of what takes a few milliseconds, and of what opens a tab.
const MANY: usize = 200;
const SOME: usize = 25;

/// Measures everything and prints one table.
pub(crate) fn run() -> Result<()> {
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
        sandbox.stop().await
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
