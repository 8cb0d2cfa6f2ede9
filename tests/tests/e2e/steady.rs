//! The link stays, comes back fast, and costs nothing while nobody uses it.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_tests::sandbox::{Options, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;

/// Within which everything is connected again.
const AGAIN: Duration = Duration::from_secs(6);

/// Clock ticks of 10 ms that a process has used. <https://docs.kernel.org/filesystems/proc.html>
fn ticks(pid: u32) -> Result<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let rest = stat.rsplit(") ").next().context("a stat line")?;
    let words: Vec<_> = rest.split(' ').collect();
    Ok(words[11].parse::<u64>()? + words[12].parse::<u64>()?)
}

/// Processes of a browser that run the extension: its worker and its offscreen document.
fn extension_processes(browser: u32) -> Vec<u32> {
    let children = processes::children(browser);
    let mut found: Vec<u32> = children
        .iter()
        .flat_map(|child| extension_processes(*child))
        .collect();
    found.extend(children.into_iter().filter(|pid| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains("--extension-process")
    }));
    found
}

async fn generation(world: &World) -> Result<u64> {
    let links = world.sandbox.client("cli").await?.admin(Admin::Links).await?;
    links[0]["generation"].as_u64().context("no link")
}

/// How long it takes until a new client's call goes through to the background.
async fn again(world: &World) -> Result<Duration> {
    let since = Instant::now();
    wait::until("a call to go through again", AGAIN, async || {
        let Ok(client) = world.sandbox.client(world.id().as_str()).await else {
            return Ok(None);
        };
        Ok(client.call(&EchoArgs::default()).await.ok())
    })
    .await?;
    Ok(since.elapsed())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_stops_while_nothing_happens_is_back_at_once() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let browser = world.sandbox.profile().browser().await?;
    let stopper = world.sandbox.profile().worker_stopper(&browser).await?;
    let mut took = Vec::new();
    for _ in 0..5 {
        let before = generation(&world).await?;
        // Nothing but the keeper is there to start it again: the page stays open and says nothing, no tab changes.
        stopper.stop().await?;
        let since = Instant::now();
        wait::until("the link to be another one", AGAIN, async || {
            Ok(generation(&world).await.ok().filter(|now| *now > before))
        })
        .await?;
        took.push(since.elapsed());
    }
    eprintln!("back after {took:?}");
    took.sort();
    ensure!(took[2] < wait::patient(Duration::from_secs(1)), "{took:?}");
    stopper.close().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_flaps_in_ten_seconds_leave_one_link_that_works() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let began = Instant::now();
    for number in 0..30_u32 {
        for host in world.sandbox.profile().native_hosts() {
            processes::kill(host)?;
        }
        if number % 10 == 9 {
            drop(world.sandbox.kill_daemon());
        }
        let next = began + Duration::from_secs(10) * (number + 1) / 30;
        tokio::time::sleep_until(next.into()).await;
    }
    let took = again(&world).await?;
    eprintln!("back {took:?} after 30 flaps");
    let hosts = world.sandbox.profile().native_hosts();
    ensure!(hosts.len() == 1, "{hosts:?}");
    let before = generation(&world).await?;
    // An attempt that overlapped would still replace the link later on.
    tokio::time::sleep(Duration::from_secs(3)).await;
    ensure!(
        generation(&world).await? == before,
        "the link was replaced by an older attempt"
    );
    world
        .sandbox
        .client(world.id().as_str())
        .await?
        .call(&EchoArgs {
            fill: Some(1_000_000),
            ..EchoArgs::default()
        })
        .await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_minute_costs_nothing_and_a_sleep_breaks_nothing() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let daemon = world.sandbox.daemon().context("no daemon")?;
    let host = world.sandbox.profile().native_hosts()[0];
    let extension = extension_processes(world.sandbox.profile().pid());
    ensure!(!extension.is_empty(), "no process of the extension");
    let before = generation(&world).await?;
    // What the start left to do is done.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let used = || -> Result<[u64; 3]> {
        let extension = extension.iter().map(|pid| ticks(*pid)).sum::<Result<u64>>()?;
        Ok([ticks(daemon)?, ticks(host)?, extension])
    };
    let start = used()?;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let end = used()?;
    let spent: Vec<u64> = end.iter().zip(start).map(|(end, start)| end - start).collect();
    eprintln!(
        "ticks of 10 ms in an idle minute: daemon {}, host {}, extension {}",
        spent[0], spent[1], spent[2]
    );
    ensure!(spent[0] <= 6 && spent[1] <= 3 && spent[2] <= 40, "{spent:?}");

    // The machine sleeps: nobody runs for longer than a link may be silent.
    let signal = |name: &str, pid: u32| -> Result<()> {
        let status = std::process::Command::new("kill")
            .args([name, &pid.to_string()])
            .status()?;
        ensure!(status.success(), "kill {name}");
        Ok(())
    };
    signal("-STOP", daemon)?;
    tokio::time::sleep(Duration::from_secs(35)).await;
    signal("-CONT", daemon)?;
    again(&world).await?;
    tokio::time::sleep(Duration::from_secs(12)).await;
    ensure!(generation(&world).await? == before, "the link was given up");
    world.leaves_nothing().await
}
