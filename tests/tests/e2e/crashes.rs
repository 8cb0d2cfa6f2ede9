//! What a stop or a crash of any part leaves in the browser: what was there before.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Effect;
use drawbridge_protocol::ids::SessionId;
use drawbridge_protocol::tools::page::NavigateArgs;
use drawbridge_protocol::tools::session::{Lease, ListArgs, Placement, StartArgs, StopArgs};
use drawbridge_protocol::tools::tabs::{self, NewArgs, Owner};
use drawbridge_tests::client::Client;
use drawbridge_tests::residue::Look;
use drawbridge_tests::sandbox::{Options, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::json;

use crate::close::{Hand, pages, start, use_by_hand};

/// Within which the parts find together again.
const AGAIN: Duration = Duration::from_secs(6);

/// What a working client has in the browser: a group with an armed page and a plain one, and a window of its own.
async fn furnish(world: &World, client: &Client) -> Result<[SessionId; 2]> {
    pages(world);
    let armed = world.site.url("/asks");
    let group = start(client, &armed, Placement::Group).await?.session;
    use_by_hand(world, &armed, Hand::Clicks("#text"), "/asks").await?;
    let plain = NewArgs {
        session: Some(group.clone()),
        url: Some(world.site.url("/states/ok")),
        ..NewArgs::default()
    };
    client.call(&plain).await?;
    let window = start(client, &world.site.url("/states/many"), Placement::Window)
        .await?
        .session;
    let page = world.browser.page(|at| at.ends_with("/states/many")).await?;
    page.detach().await?;
    Ok([group, window])
}

async fn stop_all(client: &Client, sessions: &[SessionId]) -> Result<usize> {
    let mut closed = 0;
    for session in sessions {
        let stop = StopArgs {
            session: Some(session.clone()),
            timeout_ms: None,
        };
        let stopped = client.call(&stop).await?;
        ensure!(stopped.pending.is_empty(), "{stopped:?}");
        closed += stopped.closed.len();
    }
    Ok(closed)
}

/// Tabs that the extension still counts as this client's, once it answers again.
async fn owned(client: &Client) -> Result<usize> {
    wait::until("the extension to answer again", AGAIN, async || {
        let args = tabs::ListArgs {
            owner: Some(Owner::Owned),
            ..tabs::ListArgs::default()
        };
        Ok(client.call(&args).await.ok().map(|list| list.tabs.len()))
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_leaves_the_browser_as_it_was() -> Result<()> {
    let world = World::shared().await?;
    let sessions = furnish(&world, &world.client).await?;
    assert_eq!(stop_all(&world.client, &sessions).await?, 3);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_of_the_bridge_leaves_the_browser_as_it_was() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    furnish(&world, &world.client).await?;
    world.sandbox.kill_daemon()?;
    world.looks_as_before().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_of_the_client_leaves_the_browser_as_it_was() -> Result<()> {
    let world = World::shared().await?;
    let mcp = world
        .sandbox
        .mcp(&format!("{}-mcp", world.id()), "domains")
        .await?;
    for placement in ["group", "window"] {
        let url = world.site.url("/states/ok");
        let args = json!({"action": "start", "url": url, "placement": placement, "label": "work"});
        mcp.call("browser_session", args).await?.outcome.0?;
    }
    mcp.kill().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_of_the_worker_or_the_native_host_costs_a_session_nothing() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let profile = world.sandbox.profile();
    let sessions = furnish(&world, &world.client).await?;
    profile.stop_worker().await?;
    assert_eq!(owned(&world.client).await?, 3);
    for host in profile.native_hosts() {
        processes::kill(host)?;
    }
    assert_eq!(owned(&world.client).await?, 3);
    let session = Some(sessions[0].clone());
    let url = world.site.url("/states/paged");
    let args = NavigateArgs {
        session,
        tab: None,
        url,
        wait_until: None,
        request_id: None,
        timeout_ms: None,
    };
    assert_eq!(world.client.call(&args).await?.effect, Effect::Committed);
    assert_eq!(stop_all(&world.client, &sessions).await?, 3);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_while_the_worker_or_the_host_is_down_leaves_nothing() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    for worker in [true, false] {
        let client = world.sandbox.client(&format!("{}-{worker}", world.id())).await?;
        furnish(&world, &client).await?;
        let stopper = world.sandbox.profile().worker_stopper(&world.browser).await?;
        if worker {
            stopper.stop().await?;
        } else {
            for host in world.sandbox.profile().native_hosts() {
                processes::kill(host)?;
            }
        }
        drop(client);
        stopper.close().await?;
        world
            .looks_as_before()
            .await
            .with_context(|| format!("worker: {worker}"))?;
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timed_session_survives_a_crash_of_the_bridge_and_ends_as_always() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let args = StartArgs {
        url: Some(world.site.url("/states/ok")),
        lease: Some(Lease::Timed),
        lease_ms: Some(60_000),
        ..StartArgs::default()
    };
    let started = world.client.call(&args).await?;
    world.sandbox.kill_daemon()?;
    let client = wait::until("a daemon", AGAIN, async || {
        Ok(world.sandbox.client(world.id().as_str()).await.ok())
    })
    .await?;
    assert_eq!(owned(&client).await?, 1);
    let stopped = client
        .call(&StopArgs {
            session: Some(started.session),
            timeout_ms: None,
        })
        .await?;
    assert_eq!(
        (stopped.closed, stopped.already_closed),
        (vec![started.tab], false)
    );
    drop(client);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_killed_in_the_middle_of_a_call_leaves_nothing_and_disturbs_nobody() -> Result<()> {
    let world = World::shared().await?;
    let other = start(&world.client, &world.site.url("/states/ok"), Placement::Group).await?;
    let profile = world.sandbox.profile();
    let with_the_other = Look::at(profile, &world.browser).await?;
    let hanging = world.site.url("/slow/headers?ms=60000");
    let never = world.site.recipe("/slow/never");
    let middles = [
        (
            "browser_session",
            json!({"action": "start", "url": hanging, "placement": "window"}),
            "/slow/headers",
        ),
        (
            "browser_session",
            json!({"action": "start", "url": hanging, "placement": "group"}),
            "/slow/headers",
        ),
        (
            "browser_tabs",
            json!({"action": "new", "url": hanging}),
            "/slow/headers",
        ),
        (
            "browser_page",
            json!({"action": "navigate", "url": hanging}),
            "/slow/headers",
        ),
        ("browser_extract", json!({"recipe": never}), "/slow/never"),
    ];
    for (number, (tool, args, path)) in middles.into_iter().enumerate() {
        let mcp = world
            .sandbox
            .mcp(&format!("{}-{number}", world.id()), "domains")
            .await?;
        if ["browser_tabs", "browser_page"].contains(&tool) {
            mcp.call("browser_session", json!({"action": "start"}))
                .await?
                .outcome
                .0?;
        }
        let asked = world.site.requests(path).len();
        let call = mcp.start_call(tool, args.clone()).await?;
        wait::until("the page to be asked for", AGAIN, async || {
            Ok((world.site.requests(path).len() > asked).then_some(()))
        })
        .await?;
        mcp.kill().await?;
        drop(call);
        with_the_other
            .expect_again(profile, &world.browser)
            .await
            .with_context(|| format!("{tool} {args}"))?;
        let sessions = world.client.call(&ListArgs::default()).await?.sessions;
        assert_eq!((sessions.len(), &sessions[0].tabs), (1, &vec![other.tab.clone()]));
    }
    world.client.call(&StopArgs::default()).await?;
    world.leaves_nothing().await
}
