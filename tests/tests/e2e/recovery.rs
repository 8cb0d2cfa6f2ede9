//! Whatever ends, the rest finds together again.

use std::time::Duration;

use anyhow::{Result, ensure};
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;

/// Within which everything is connected again, without a manual step.
const AGAIN: Duration = Duration::from_secs(6);

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_daemon_is_replaced_and_the_browser_connects_to_the_new_one() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let killed = world.sandbox.kill_daemon()?;
    answers(&world).await?;
    ensure!(world.sandbox.daemon().is_some_and(|pid| pid != killed));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_native_host_is_replaced() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let hosts = world.sandbox.profile().native_hosts();
    ensure!(hosts.len() == 1, "{hosts:?}");
    drawbridge_tests::sandbox::processes::kill(hosts[0])?;
    answers(&world).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_worker_connects_again() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    world.sandbox.profile().stop_worker().await?;
    answers(&world).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_crashed_comes_back_as_the_same_target() -> Result<()> {
    let mut world = World::fresh(Options::default()).await?;
    let (target, name) = (
        world.sandbox.profile().target.clone(),
        world.sandbox.profile().name.clone(),
    );
    world.sandbox.kill_browser(1)?;
    world.sandbox.restart_browser(1).await?;
    ensure!(world.sandbox.profile().target == target, "another target id");
    ensure!(world.sandbox.profile().name == name, "another name");
    world.expects_from_now().await?;
    answers(&world).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_profiles_are_two_targets() -> Result<()> {
    let world = World::fresh(Options {
        profiles: 2,
        ..Options::default()
    })
    .await?;
    let names: Vec<_> = world
        .sandbox
        .profiles()
        .iter()
        .map(|profile| profile.name.as_str())
        .collect();
    assert_eq!(names, ["profile-1", "profile-2"]);
    for name in names {
        let args = EchoArgs {
            text: name.to_owned(),
            target: Some(name.to_owned()),
            ..EchoArgs::default()
        };
        assert_eq!(world.client.call(&args).await?.text, name);
    }
    world.leaves_nothing().await
}

/// A call of a new client goes through to the background again.
async fn answers(world: &World) -> Result<()> {
    wait::until("a call to go through again", AGAIN, async || {
        let Ok(client) = world.sandbox.client(world.id().as_str()).await else {
            return Ok(None);
        };
        Ok(client.call(&EchoArgs::default()).await.ok())
    })
    .await
    .map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_starts_first_finds_the_others() -> Result<()> {
    const LIST: [&str; 3] = ["call", "browser_session", r#"{"action":"list"}"#];
    // The browser came first here: its native host started the daemon.
    let mut world = World::fresh(Options::default()).await?;
    for killed in [false, true] {
        world.sandbox.quit_browser(1)?;
        if killed {
            // Its socket and its number stay behind; a client comes first, or the browser.
            world.sandbox.kill_daemon()?;
        } else {
            ensure!(world.sandbox.cli(["daemon", "--stop"]).await?.0 == 0);
            ensure!(world.sandbox.cli(LIST).await?.0 == 0, "a client alone");
        }
        world.sandbox.restart_browser(1).await?;
        world.expects_from_now().await?;
        answers(&world).await?;
    }
    world.leaves_nothing().await
}
