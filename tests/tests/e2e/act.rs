//! What the tests of acting share: a page of the site in a session of an MCP client, what is done with it, and what the
//! page itself got.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::{Code, Effect, Error};
use drawbridge_tests::cdp::Page;
use drawbridge_tests::mcp::Mcp;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

/// How long a page is watched for what must not come any more.
const QUIET: Duration = Duration::from_millis(150);

/// A page in a session.
pub(crate) struct Acting {
    pub(crate) world: World,
    pub(crate) mcp: Mcp,
    /// The browser's own eyes in the session's tab.
    pub(crate) page: Page,
    seen: usize,
}

impl Acting {
    /// Opens a page of the site in a session.
    pub(crate) async fn open(path: &str) -> Result<Self> {
        Self::in_world(World::shared().await?, path, json!({})).await
    }

    /// The same in surroundings of its own, with more arguments of the session's start.
    pub(crate) async fn in_world(world: World, path: &str, more: Value) -> Result<Self> {
        let mcp = world.mcp("domains").await?;
        let url = world.site.url(path);
        let start = with(json!({"action": "start", "url": url}), more);
        let started = mcp.call("browser_session", start).await?;
        ensure!(!started.is_error, "{:?}", started.outcome);
        let page = world.browser.page(|one| one == url).await?;
        page.until("document.readyState === 'complete'").await?;
        Ok(Self {
            world,
            mcp,
            page,
            seen: 0,
        })
    }

    /// Goes to another page of the site; what was told before is forgotten.
    pub(crate) async fn go(&mut self, path: &str) -> Result<()> {
        let url = self.world.site.url(path);
        self.page.navigate(&url).await?;
        self.seen = self.world.site.acts().len();
        Ok(())
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<Result<Value, Error>> {
        Ok(self.mcp.call(tool, arguments).await?.outcome.0)
    }

    /// Does something.
    pub(crate) async fn act(&self, action: &str, arguments: Value) -> Result<Result<Value, Error>> {
        let whole = with(json!({"action": action}), arguments);
        self.call("browser_interact", whole).await
    }

    /// Does something that has to be seen.
    pub(crate) async fn done(&self, action: &str, arguments: Value) -> Result<Value> {
        let outcome = self.act(action, arguments).await?;
        let result = outcome.with_context(|| action.to_owned())?;
        ensure!(result["effect"] == "committed", "{result}");
        Ok(result)
    }

    /// Does something that has to be refused before anything is dispatched.
    pub(crate) async fn refused(&self, action: &str, arguments: Value) -> Result<Error> {
        let error = self.act(action, arguments).await?.err().context("it was done")?;
        ensure!(error.effect == Some(Effect::None), "{error:?}");
        Ok(error)
    }

    /// Presses what a selector names.
    pub(crate) async fn click(&self, selector: &str) -> Result<Result<Value, Error>> {
        self.act("click", json!({ "selector": selector })).await
    }

    /// Reads.
    pub(crate) async fn inspect(&self, action: &str, arguments: Value) -> Result<Result<Value, Error>> {
        let whole = with(json!({"action": action, "timeoutMs": 60_000}), arguments);
        self.call("browser_inspect", whole).await
    }

    /// The ref of the one control with a name, as soon as it is there: frames load on their own.
    pub(crate) async fn ref_of(&self, name: &str) -> Result<String> {
        wait::until(name, Duration::from_secs(15), async || {
            let read = json!({"mode": "structured", "maxTokens": 50_000});
            let nodes = self.inspect("observe", read).await??;
            let nodes = nodes["nodes"].as_array().cloned().unwrap_or_default();
            let mut found = nodes
                .iter()
                .filter(|node| node["name"] == name && node["kind"] == "control");
            let first = found.next();
            ensure!(found.next().is_none(), "{name:?} twice");
            Ok(first.and_then(|node| node["ref"].as_str()).map(str::to_owned))
        })
        .await
    }

    /// What the page got since it was opened.
    pub(crate) fn log(&self) -> Vec<String> {
        self.world.site.acts().split_off(self.seen)
    }

    /// What the page got in the end: a while after, so that what comes late is seen too.
    pub(crate) async fn log_at_rest(&self) -> Vec<String> {
        tokio::time::sleep(QUIET).await;
        self.log()
    }

    /// How often the page got that.
    pub(crate) async fn count(&self, line: &str) -> usize {
        self.log_at_rest().await.iter().filter(|one| *one == line).count()
    }

    /// Nothing that was pressed reached the page.
    pub(crate) async fn untouched(&self) -> Result<()> {
        let log = self.log_at_rest().await;
        ensure!(log.is_empty(), "the page got {log:?}");
        Ok(())
    }

    /// The end of every test.
    pub(crate) async fn end(self) -> Result<()> {
        let stopped = self
            .mcp
            .call("browser_session", json!({"action": "stop"}))
            .await?;
        ensure!(!stopped.is_error, "{:?}", stopped.outcome);
        ensure!(self.mcp.noise().is_empty(), "{:?}", self.mcp.noise());
        drop(self.mcp);
        self.world.leaves_nothing().await
    }
}

/// Arguments with more arguments.
pub(crate) fn with(mut arguments: Value, more: Value) -> Value {
    if let (Some(into), Value::Object(from)) = (arguments.as_object_mut(), more) {
        into.extend(from);
    }
    arguments
}

/// A refusal with that code before anything is dispatched.
pub(crate) fn is_refused(outcome: &Result<Value, Error>, code: Code) -> Result<()> {
    match outcome {
        Err(error) if error.code == code && error.effect == Some(Effect::None) => Ok(()),
        other => anyhow::bail!("expected {code:?} with no effect: {other:?}"),
    }
}
