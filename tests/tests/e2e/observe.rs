//! A look at a page as a client gets it: over MCP, on the command line, and after the bridge died.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::outline::{OutlineNode, Ref};
use drawbridge_protocol::tools::inspect::{Mode, ObserveArgs};
use drawbridge_protocol::tools::session::{Lease, StartArgs};
use drawbridge_tests::client::Client;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::json;

const FORM: &str = "<title>Sign up</title><main><h1>Sign up</h1><form><label>E-mail <input name=mail required></label>
    <label><input type=checkbox> News</label><p>Plain \"words\" and \\ more</p><button>Send</button></form></main>";

#[tokio::test(flavor = "multi_thread")]
async fn over_mcp_an_outline_stands_between_marks_and_is_told_once() -> Result<()> {
    let world = World::shared().await?;
    world.site.put("/form", FORM);
    for (surface, tool, action) in [
        ("domains", "browser_inspect", json!({"action": "observe"})),
        ("flat", "browser_snapshot", json!({})),
    ] {
        let mcp = world.mcp(surface).await?;
        let start = json!({"action": "start", "url": world.site.url("/form")});
        let start = if surface == "flat" {
            mcp.call("browser_start", json!({"url": world.site.url("/form")}))
                .await?
        } else {
            mcp.call("browser_session", start).await?
        };
        start.outcome.0?;
        let called = mcp.call(tool, action).await?;
        let result = called.outcome.0?;
        ensure!(result.get("outline").is_none(), "{result}");
        assert_eq!(result["title"], "Sign up");
        let boundary = result["boundary"].as_str().context("a boundary")?;
        let lines: Vec<&str> = called.text.lines().collect();
        let mark = |word: &str| {
            lines
                .iter()
                .position(|line| *line == format!("--- {word} {boundary}"))
        };
        let (from, to) = (mark("page data").context("begins")?, mark("end").context("ends")?);
        ensure!(lines[0].starts_with(&world.site.url("/form")) && lines[0].contains("\"Sign up\""));
        let outline = lines[from + 1..to].join("\n");
        for part in [
            "heading \"Sign up\" [level=1]",
            "textbox \"E-mail\" [required]",
            "checkbox \"News\" [unchecked]",
            "Plain \\\"words\\\" and \\\\ more",
            "button \"Send\"",
        ] {
            ensure!(outline.contains(part), "{part} in {outline}");
        }
        let used = bpe_openai::o200k_base().count(called.text.as_str());
        ensure!(used < 250, "{used} tokens: {}", called.text);
        assert!(mcp.close(Duration::from_secs(2)).await?.success());
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_and_data_say_the_same() -> Result<()> {
    let world = World::shared().await?;
    world.site.put("/form", FORM);
    let start = StartArgs {
        url: Some(world.site.url("/form")),
        ..StartArgs::default()
    };
    world.client.call(&start).await?;
    let lines = world.client.call(&ObserveArgs::default()).await?;
    let data = ObserveArgs {
        mode: Some(Mode::Structured),
        ..ObserveArgs::default()
    };
    let nodes = world.client.call(&data).await?.nodes.context("nodes")?;
    let written: Vec<String> = nodes
        .iter()
        .map(drawbridge_protocol::outline::line::line)
        .collect();
    let outline = lines.outline.context("an outline")?;
    assert_eq!(outline.lines().collect::<Vec<_>>(), written);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_number_is_given_twice_whatever_dies() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    for page in 0..4 {
        world.site.put(
            &format!("/page/{page}"),
            format!("<button>{page}</button><a href=x>link {page}</a>"),
        );
    }
    let refs = |nodes: &[OutlineNode]| -> Vec<Ref> { nodes.iter().filter_map(|node| node.r#ref).collect() };
    let data = ObserveArgs {
        mode: Some(Mode::Structured),
        ..ObserveArgs::default()
    };
    let start = StartArgs {
        url: Some(world.site.url("/page/0")),
        lease: Some(Lease::Timed),
        ..StartArgs::default()
    };
    world.client.call(&start).await?;
    let mut given = refs(&world.client.call(&data).await?.nodes.context("nodes")?);
    ensure!(!given.is_empty());
    let first = given[0].to_string();
    let mut client: Option<Client> = None;
    for page in 1..4 {
        world.sandbox.kill_daemon()?;
        let again = wait::until("the bridge to be back", Duration::from_secs(10), async || {
            let Ok(client) = world.sandbox.client(world.id().as_str()).await else {
                return Ok(None);
            };
            // An old ref is as good as it was: its document is still there.
            let look = client.call(&data).await;
            Ok(look.is_ok().then_some(client))
        })
        .await?;
        let args = json!({"action": "navigate", "url": world.site.url(&format!("/page/{page}"))});
        again.call_raw("browser_page", args).await?;
        let now = refs(&again.call(&data).await?.nodes.context("nodes")?);
        for one in &now {
            ensure!(!given.contains(one), "{one} again on page {page}");
        }
        let stale = json!({"action": "find", "ref": first, "do": "state"});
        let error = again
            .call_raw("browser_inspect", stale)
            .await
            .err()
            .context("it was found")?;
        assert_eq!(error.code, Code::StaleRef);
        given.extend(now);
        client = Some(again);
    }
    let client = client.context("a client")?;
    client.call_raw("browser_stop", json!({})).await?;
    world.leaves_nothing().await
}
