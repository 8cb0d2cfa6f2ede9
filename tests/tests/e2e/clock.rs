//! The wall clock jumps, and nothing but the time on the record notices.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_protocol::tools::session::{Lease, ListArgs, StartArgs, StatusArgs};
use drawbridge_tests::clock::Clock;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

const YEAR: i64 = 365 * 86_400;

/// The year of the newest call on the record.
async fn year(world: &World) -> Result<i64> {
    let (code, text) = world
        .sandbox
        .cli(["audit", "show", "--limit", "1", "--json"])
        .await?;
    ensure!(code == 0, "{text}");
    let rows: Value = serde_json::from_str(&text)?;
    let at = rows["result"][0]["at"].as_str().context("no row")?;
    Ok(at.get(..4).context("no year")?.parse()?)
}

/// A fresh world whose daemon takes the time from a clock of ours.
async fn under_a_clock() -> Result<(World, Clock, tokio::process::Child)> {
    let mut world = World::fresh(Options::default()).await?;
    let clock = Clock::in_folder(world.sandbox.root())?;
    let variables = clock.variables();
    let variables: Vec<_> = variables
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let daemon = world.replace_daemon(&variables).await?;
    Ok((world, clock, daemon))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jump_of_the_wall_clock_ends_no_session_no_call_and_no_link() -> Result<()> {
    let (world, clock, daemon) = under_a_clock().await?;
    let started = world
        .client
        .call(&StartArgs {
            url: Some(world.site.url("/states/ok")),
            lease: Some(Lease::Timed),
            lease_ms: Some(120_000),
            ..StartArgs::default()
        })
        .await?;
    let before = world.client.call(&StatusArgs::default()).await?;
    let now = year(&world).await?;
    for years in [3, -20, 0] {
        let running = world.client.start(&EchoArgs {
            text: "through the jump".to_owned(),
            wait_ms: Some(1_500),
            ..EchoArgs::default()
        })?;
        clock.jump_to(years * YEAR)?;
        assert_eq!(running.result::<EchoArgs>().await?.text, "through the jump");
        let read = json!({"action": "text", "session": started.session});
        world.client.call_raw("browser_inspect", read).await?;
        let status = world.client.call(&StatusArgs::default()).await?;
        ensure!(
            status.connected && status.issues.is_empty(),
            "{years}: {status:?}"
        );
        assert_eq!(
            status.target.map(|target| target.generation),
            before.target.as_ref().map(|target| target.generation),
            "{years}: the link was lost"
        );
        let sessions = world.client.call(&ListArgs {}).await?.sessions;
        ensure!(
            sessions.len() == 1 && sessions[0].idle_ms < 60_000,
            "{years}: {sessions:?}"
        );
        // The clock did jump. A year can be over or not be full while this runs.
        let jumped = year(&world).await? - now;
        ensure!((jumped - years).abs() <= 1, "{years}: {jumped}");
    }
    let (code, text) = world.sandbox.cli(["audit", "verify", "--json"]).await?;
    ensure!(code == 0 && text.contains("\"intact\":true"), "{text}");
    world
        .client
        .call_raw("browser_stop", json!({"session": started.session}))
        .await?;
    drop(daemon);
    world.leaves_nothing().await
}

/// Signs of life are counted and not timed: neither direction of a jump makes up or swallows a beat.
#[tokio::test(flavor = "multi_thread")]
async fn a_jump_makes_no_beat_late() -> Result<()> {
    let (world, clock, daemon) = under_a_clock().await?;
    let before = world.client.call(&StatusArgs::default()).await?;
    clock.jump_to(YEAR)?;
    // Longer than a link may be silent.
    let over = EchoArgs {
        wait_ms: Some(22_000),
        timeout_ms: Some(60_000),
        ..EchoArgs::default()
    };
    world.client.call(&over).await?;
    let after = world.client.call(&StatusArgs::default()).await?;
    ensure!(after.connected, "{after:?}");
    assert_eq!(
        before.target.map(|target| target.generation),
        after.target.map(|target| target.generation)
    );
    drop(daemon);
    world.leaves_nothing().await
}
