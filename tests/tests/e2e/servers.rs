//! The MCP server's life: it ends with its client, and with nothing else.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::local::Admin;
use drawbridge_tests::mcp::Mcp;
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

/// Within which a server is gone once its client is.
const GONE: Duration = Duration::from_secs(1);

/// Within which everything is connected again.
const AGAIN: Duration = Duration::from_secs(6);

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_gone_within_a_second_of_its_clients_end() -> Result<()> {
    let world = World::shared().await?;
    let id = world.id();
    for surface in ["domains", "flat"] {
        // Without a word, after the handshake, after a call, in the middle of one.
        let silent = Mcp::spawn(world.sandbox.bridge(), world.sandbox.home(), id.as_str(), surface)?;
        ensure!(silent.close(GONE).await?.success(), "{surface}: silent");
        let greeted = world.mcp(surface).await?;
        ensure!(greeted.close(GONE).await?.success(), "{surface}: greeted");
    }
    let called = world.mcp("domains").await?;
    called
        .call("browser_session", json!({"action": "status"}))
        .await?
        .outcome
        .0?;
    ensure!(called.close(GONE).await?.success(), "called");

    let busy = world.mcp("domains").await?;
    let never = json!({"recipe": world.site.recipe("/slow/never")});
    let call = busy.start_call("browser_extract", never).await?;
    world
        .site
        .until("the recipe's page", |event| event.path == "/slow/never")
        .await?;
    busy.close(GONE).await?;
    drop(call);
    world.leaves_nothing().await
}

/// A server behind a wrapper, as launchers start it, fed by a process that stands for its client.
struct Wrapped {
    shell: Child,
    lines: tokio::io::Lines<BufReader<tokio::process::ChildStdout>>,
}

impl Wrapped {
    fn start(sandbox: &Sandbox) -> Result<Self> {
        let script = format!("cat | sh -c \"'{}' mcp; :\"", sandbox.bridge().display());
        let mut shell = Command::new("sh")
            .args(["-c", &script])
            .env("DRAWBRIDGE_HOME", sandbox.home())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = shell.stdout.take().context("stdout")?;
        let lines = BufReader::new(stdout).lines();
        Ok(Self { shell, lines })
    }

    async fn greet(&mut self) -> Result<()> {
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "wrapped", "version": "1"}}});
        let stdin = self.shell.stdin.as_mut().context("stdin")?;
        stdin.write_all(format!("{hello}\n").as_bytes()).await?;
        let line = wait::within("the handshake", AGAIN, async {
            Ok(self.lines.next_line().await?)
        })
        .await?;
        let answer: Value = serde_json::from_str(&line.context("it ended")?)?;
        ensure!(answer["result"]["serverInfo"]["name"] == "drawbridge", "{answer}");
        Ok(())
    }

    /// The client, the wrapper and the server.
    fn processes(&self) -> Result<[u32; 3]> {
        let named = |pid: &u32, name: &str| {
            std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|comm| comm.trim() == name)
        };
        let children = processes::children(self.shell.id().context("it ended")?);
        let client = *children.iter().find(|pid| named(pid, "cat")).context("no cat")?;
        let wrapper = *children
            .iter()
            .find(|pid| named(pid, "sh"))
            .context("no wrapper")?;
        let server = processes::children(wrapper);
        let server = *server
            .iter()
            .find(|pid| named(pid, "drawbridge"))
            .context("no server")?;
        Ok([client, wrapper, server])
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_behind_a_wrapper_does_not_outlive_a_killed_client() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    for wrapper_too in [false, true] {
        let mut wrapped = Wrapped::start(&sandbox)?;
        wrapped.greet().await?;
        let [client, wrapper, server] = wrapped.processes()?;
        if wrapper_too {
            processes::kill(wrapper)?;
            ensure!(processes::runs(server));
        }
        processes::kill(client)?;
        ensure!(
            processes::ends_within(server, GONE).await,
            "wrapper killed: {wrapper_too}"
        );
    }
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_goes_on_after_whatever_ended_behind_it() -> Result<()> {
    let mut world = World::fresh(Options::default()).await?;
    let mcp = world.mcp("domains").await?;
    let server = mcp.pid();
    let recipe = json!({"recipe": world.site.recipe("/states/ok")});
    let works = async |what: &str| {
        let found = wait::until("the next recipe", AGAIN, async || {
            let called = mcp.call("browser_extract", recipe.clone()).await?;
            Ok(called.outcome.0.ok())
        })
        .await;
        let found = found.with_context(|| what.to_owned())?;
        ensure!(found["state"] == "ok", "{what}: {found}");
        Ok(())
    };
    works("nothing").await?;

    world.sandbox.profile().stop_worker().await?;
    works("a stopped worker").await?;

    let page = world.sandbox.profile().extension_page(&world.browser).await?;
    // The page goes with the extension that it belongs to.
    let _ = page.evaluate::<Value>("chrome.runtime.reload()").await;
    wait::until("the extension's page to go", AGAIN, async || {
        let targets = world.browser.targets().await?;
        Ok((!targets.iter().any(|target| target.target_id == page.target())).then_some(()))
    })
    .await?;
    works("a reload of the extension").await?;

    world.sandbox.kill_daemon()?;
    works("a killed daemon").await?;

    world.sandbox.kill_browser(1)?;
    world.sandbox.restart_browser(1).await?;
    world.expects_from_now().await?;
    works("a browser that came back").await?;

    world.sandbox.kill_daemon()?;
    for host in world.sandbox.profile().native_hosts() {
        processes::kill(host)?;
    }
    works("all of it at once").await?;
    assert_eq!(mcp.pid(), server);
    assert_eq!(mcp.noise(), Vec::<String>::new());
    ensure!(mcp.close(GONE).await?.success());
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_can_no_longer_come_is_an_error_at_once() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let profile = world.sandbox.profile();
    let stopper = profile.worker_stopper(&world.browser).await?;
    for kind in ["worker", "host", "daemon"] {
        let mcp = world.mcp("domains").await?;
        let long = json!({"action": "echo", "waitMs": 50_000, "timeoutMs": 60_000});
        let recipe = json!({"recipe": world.site.recipe("/slow/never")});
        let asked = world.site.requests("/slow/never").len();
        let echo = mcp.start_call("browser_debug", long).await?;
        wait::until("the echo to be under way", AGAIN, async || {
            let rows = world.client.admin(Admin::Audit { limit: 20 }).await?;
            let runs = |row: &Value| row["tool"] == "browser_echo" && row["code"].is_null();
            Ok(rows
                .as_array()
                .is_some_and(|rows| rows.iter().any(runs))
                .then_some(()))
        })
        .await?;
        // Last, since a recipe has 20 s.
        let calls = [echo, mcp.start_call("browser_extract", recipe).await?];
        wait::until("the recipe to be under way", AGAIN, async || {
            Ok((world.site.requests("/slow/never").len() > asked).then_some(()))
        })
        .await?;
        let began = Instant::now();
        match kind {
            "worker" => stopper.stop().await?,
            "host" => processes::kill(profile.native_hosts()[0])?,
            _ => drop(world.sandbox.kill_daemon()?),
        }
        for call in calls {
            let error = call
                .called()
                .await?
                .outcome
                .0
                .err()
                .with_context(|| format!("{kind}: a result"))?;
            assert_eq!(error.code, Code::NotConnected, "{kind}: {error}");
            assert!(error.hint.is_some(), "{kind}: {error}");
        }
        assert!(
            began.elapsed() < wait::patient(Duration::from_secs(5)),
            "{kind}: {:?}",
            began.elapsed()
        );
        wait::until("the next call to go through", AGAIN, async || {
            let echo = mcp
                .call("browser_debug", json!({"action": "echo", "text": "again"}))
                .await?;
            Ok(echo.outcome.0.ok())
        })
        .await
        .with_context(|| kind.to_owned())?;
        mcp.close(GONE).await?;
    }
    stopper.close().await?;
    world.leaves_nothing().await
}
