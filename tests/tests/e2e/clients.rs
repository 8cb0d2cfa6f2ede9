//! Several clients at once, and what each of them does to the others: nothing.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_protocol::tools::session::StopArgs;
use drawbridge_tests::mcp::Mcp;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

/// Within which a server is gone once its client is.
const GONE: Duration = Duration::from_secs(1);

/// Within which everything is connected again.
const AGAIN: Duration = Duration::from_secs(6);

/// Starts a session at a page of its own that says whose it is; the session and the tab.
async fn at_home(world: &World, mcp: &Mcp, name: &str) -> Result<Value> {
    world.site.put(
        &format!("/home/{name}"),
        format!("<!doctype html><title>{name}</title><p>Home of {name}"),
    );
    let url = world.site.url(&format!("/home/{name}"));
    mcp.call(
        "browser_session",
        json!({"action": "start", "url": url, "label": name}),
    )
    .await?
    .outcome
    .0
    .map_err(Into::into)
}

/// Reads its own page `times` times, to and fro between two addresses.
async fn works(world: &World, mcp: &Mcp, name: &str, times: usize) -> Result<()> {
    for number in 0..times {
        let called = match number % 5 {
            4 => {
                let url = world.site.url(&format!("/home/{name}?{number}"));
                mcp.call("browser_page", json!({"action": "navigate", "url": url}))
                    .await?
            }
            _ => mcp.call("browser_inspect", json!({"action": "text"})).await?,
        };
        called
            .outcome
            .0
            .with_context(|| format!("{name}, call {number}"))?;
        if number % 5 != 4 {
            // A page's text is in the reply's text, and not in the structure again.
            let text = &called.text;
            ensure!(text.contains(&format!("Home of {name}")), "{name} read {text}");
        }
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn two_clients_interleave_calls_one_cancels_one_dies_and_the_other_never_notices() -> Result<()> {
    let world = World::shared().await?;
    let (one, two) = (
        world.sandbox.mcp(&format!("{}-1", world.id()), "domains").await?,
        world.sandbox.mcp(&format!("{}-2", world.id()), "domains").await?,
    );
    let first = at_home(&world, &one, "one").await?;
    let second = at_home(&world, &two, "two").await?;
    assert_ne!(first["session"], second["session"]);
    assert_ne!(first["tab"], second["tab"]);
    futures_util::future::try_join(works(&world, &one, "one", 50), works(&world, &two, "two", 50)).await?;

    // One cancels what would take long, in the middle of the other's work.
    let hanging = world.site.url("/slow/headers?ms=60000");
    let cancels = async {
        let call = one
            .start_call("browser_page", json!({"action": "navigate", "url": hanging}))
            .await?;
        world
            .site
            .until("the slow page", |event| event.path == "/slow/headers")
            .await?;
        one.cancel(call.id).await?;
        // The client goes on at once; what was cancelled is not in its way.
        one.call("browser_session", json!({"action": "list"}))
            .await?
            .outcome
            .0?;
        Ok(())
    };
    futures_util::future::try_join(cancels, works(&world, &two, "two", 10)).await?;

    // One names the other's session and tab.
    for (key, code) in [("session", "session_unknown"), ("tab", "tab_not_owned")] {
        let called = one
            .call("browser_inspect", json!({"action": "text", key: second[key]}))
            .await?;
        let error = called
            .outcome
            .0
            .err()
            .with_context(|| format!("it reads the other's {key}"))?;
        assert_eq!(serde_json::to_value(error.code)?, code);
    }

    // One dies in the middle of a call and of the other's work.
    let hanging = world.site.url("/slow/headers?ms=60001");
    let dies = async {
        let asked = world.site.requests("/slow/headers").len();
        let call = one
            .start_call("browser_page", json!({"action": "navigate", "url": hanging}))
            .await?;
        wait::until("the slow page", AGAIN, async || {
            Ok((world.site.requests("/slow/headers").len() > asked).then_some(()))
        })
        .await?;
        one.kill().await?;
        drop(call);
        Ok(())
    };
    futures_util::future::try_join(dies, works(&world, &two, "two", 10)).await?;
    wait::until("the dead client's tab to close", AGAIN, async || {
        let left = world.browser.targets().await?;
        Ok((!left
            .iter()
            .any(|target| target.url.contains("/home/one") || target.url == hanging))
        .then_some(()))
    })
    .await?;
    works(&world, &two, "two", 5).await?;
    let listed = two
        .call("browser_session", json!({"action": "list"}))
        .await?
        .outcome
        .0?;
    assert_eq!(listed["sessions"][0]["tabs"], json!([second["tab"]]));
    ensure!(two.close(GONE).await?.success());
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_one_session_leaves_the_tabs_of_the_others() -> Result<()> {
    let world = World::shared().await?;
    let (one, two) = (
        world.sandbox.mcp(&format!("{}-1", world.id()), "domains").await?,
        world.sandbox.mcp(&format!("{}-2", world.id()), "flat").await?,
    );
    let first = at_home(&world, &one, "one").await?;
    let again = at_home(&world, &one, "again").await?;
    world
        .site
        .put("/home/two", "<!doctype html><title>two</title><p>Home of two");
    let url = world.site.url("/home/two");
    let start = two.tools().await?.iter().find_map(|tool| {
        let name = tool["name"].as_str()?;
        name.contains("start").then(|| name.to_owned())
    });
    two.call(
        &start.context("no flat start")?,
        json!({"url": url, "label": "two"}),
    )
    .await?
    .outcome
    .0?;

    // Each has a group of its own in the tab strip.
    let page = world.sandbox.profile().extension_page(&world.browser).await?;
    let groups = "chrome.tabGroups.query({}).then(groups => groups.map(group => group.title).sort())";
    assert_eq!(
        page.evaluate::<Vec<String>>(groups).await?,
        ["again", "one", "two"]
    );

    let stop = json!({"action": "stop", "session": first["session"]});
    let stopped = one.call("browser_session", stop).await?.outcome.0?;
    assert_eq!(stopped["closed"], json!([first["tab"]]));
    assert_eq!(page.evaluate::<Vec<String>>(groups).await?, ["again", "two"]);
    let read = json!({"action": "text", "session": again["session"]});
    let read = one.call("browser_inspect", read).await?;
    read.outcome.0?;
    assert!(read.text.contains("Home of again"), "{}", read.text);

    one.close(GONE).await?;
    wait::until("the group of the client that left to go", AGAIN, async || {
        Ok((page.evaluate::<Vec<String>>(groups).await? == ["two"]).then_some(()))
    })
    .await?;
    two.close(GONE).await?;
    page.close().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_another_connection_of_the_same_client_names_is_not_its() -> Result<()> {
    let world = World::shared().await?;
    let mcp = world.mcp("domains").await?;
    let started = mcp
        .call("browser_session", json!({"action": "start"}))
        .await?
        .outcome
        .0?;
    let session = started["session"].as_str().context("a session")?.into();
    // Attached sessions hang on their connection, not on the name of the client.
    let error = world
        .client
        .call(&StopArgs {
            session: Some(session),
            timeout_ms: None,
        })
        .await
        .err();
    assert_eq!(error.map(|error| error.code), Some(Code::SessionUnknown));
    world.client.call(&EchoArgs::default()).await?;
    let listed = mcp
        .call("browser_session", json!({"action": "list"}))
        .await?
        .outcome
        .0?;
    assert_eq!(listed["sessions"][0]["tabs"], json!([started["tab"]]));
    mcp.close(GONE).await?;
    world.leaves_nothing().await
}
