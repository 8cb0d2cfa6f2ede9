//! The servers, each as it comes, attached to the sandbox's Chromium by its debugging port; and ours.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use drawbridge_tests::mcp::Mcp;
use drawbridge_tests::sandbox::Sandbox;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::bench::act::names;
use crate::packages;

/// Tokens of one piece of our own outline, the most there are.
const PIECE: u32 = 200_000;

/// Pieces of our own outline at most.
const PIECES: usize = 100;

/// A server.
pub(in crate::bench) struct Kind {
    pub(in crate::bench) name: &'static str,
    which: Which,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Ours,
    Playwright { settles: bool },
    DevTools,
    AgentBrowser,
}

/// In the order they are measured.
pub(in crate::bench) const ALL: &[Kind] = &[
    Kind {
        name: "playwright-mcp",
        which: Which::Playwright { settles: true },
    },
    Kind {
        name: "playwright-mcp --timeout-settle 0",
        which: Which::Playwright { settles: false },
    },
    Kind {
        name: "chrome-devtools-mcp",
        which: Which::DevTools,
    },
    Kind {
        name: "agent-browser",
        which: Which::AgentBrowser,
    },
    Kind {
        name: "drawbridge",
        which: Which::Ours,
    },
];

/// One way to read a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// As it comes.
    Default,
    /// Everything, where that is not what comes.
    Whole,
    /// Everything, with another tab in front.
    Behind,
}

/// A button and a field, as a server calls them.
pub(in crate::bench) struct Hands {
    pub(in crate::bench) button: Value,
    pub(in crate::bench) field: Value,
}

/// A running server with a tab of its own.
pub(in crate::bench) struct Peer {
    kind: &'static Kind,
    mcp: Mcp,
    number: usize,
    /// What the server calls its tab, where it wants to be told.
    tab: Value,
}

impl Peer {
    pub(in crate::bench) async fn start(
        kind: &'static Kind,
        sandbox: &Sandbox,
        modules: &Path,
        number: usize,
    ) -> Result<Self> {
        let active = sandbox.profile().folder().join("DevToolsActivePort");
        let active = fs::read_to_string(&active).with_context(|| format!("no {}", active.display()))?;
        let port = active
            .lines()
            .next()
            .context("DevToolsActivePort is empty")?
            .to_owned();
        let endpoint = format!("http://127.0.0.1:{port}");
        // Below the sandbox, and named in the environment: what the server leaves behind ends with the sandbox.
        let home = sandbox.root().join("references");
        fs::create_dir_all(&home)?;
        let node = |script: &str| {
            let mut command = Command::new("node");
            command.arg(modules.join(script));
            command
        };
        let mut command = match kind.which {
            Which::Ours => {
                let mut command = Command::new(sandbox.bridge());
                command
                    .args(["mcp", "--surface", "domains"])
                    .env("DRAWBRIDGE_HOME", sandbox.home())
                    .env("DRAWBRIDGE_CLIENT", "bench-read");
                command
            }
            Which::Playwright { settles } => {
                let mut command = node("@playwright/mcp/cli.js");
                command
                    .args(["--cdp-endpoint", &endpoint])
                    .arg("--output-dir")
                    .arg(&home);
                if !settles {
                    command.args(["--timeout-settle", "0"]);
                }
                command
            }
            Which::DevTools => {
                let mut command = node("chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js");
                command
                    .args([
                        "--browserUrl",
                        &endpoint,
                        "--no-usage-statistics",
                        "--no-performance-crux",
                    ])
                    .env("CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS", "1");
                command
            }
            Which::AgentBrowser => {
                let mut command = Command::new(packages::agent_browser(modules));
                command
                    .arg("mcp")
                    .env("AGENT_BROWSER_CDP", &port)
                    .env("AGENT_BROWSER_SESSION", "bench");
                command
            }
        };
        command
            .env("HOME", &home)
            .env("XDG_CACHE_HOME", home.join("cache"))
            .current_dir(&home);
        let mcp = Mcp::of(command)?;
        mcp.initialize().await?;
        let mut peer = Self {
            kind,
            mcp,
            number,
            tab: Value::Null,
        };
        peer.open().await?;
        Ok(peer)
    }

    /// Whether it is measured before all others.
    pub(super) fn is_first(&self) -> bool {
        self.number == 0
    }

    /// Whether it is ours.
    pub(in crate::bench) fn is_ours(&self) -> bool {
        self.kind.which == Which::Ours
    }

    /// What the addresses in its tab end with.
    pub(in crate::bench) fn mark(&self) -> String {
        format!("peer={}", self.number)
    }

    pub(super) fn ways(&self) -> &'static [Way] {
        match self.kind.which {
            Which::Ours => &[Way::Default, Way::Whole, Way::Behind],
            // It comes with controls alone.
            Which::AgentBrowser => &[Way::Default, Way::Whole],
            Which::Playwright { .. } | Which::DevTools => &[Way::Default],
        }
    }

    pub(super) fn called(&self, way: &Way) -> &'static str {
        match (self.kind.which, way) {
            (Which::Ours, Way::Whole) => "drawbridge, whole page",
            (Which::Ours, Way::Behind) => "drawbridge, whole page, behind",
            (Which::AgentBrowser, Way::Whole) => "agent-browser, whole page",
            (_, Way::Default | Way::Whole | Way::Behind) => self.kind.name,
        }
    }

    /// A tab of its own.
    async fn open(&mut self) -> Result<()> {
        let blank = json!({"url": "about:blank"});
        match self.kind.which {
            Which::Ours => self.call("browser_session", json!({"action": "start"})).await?,
            Which::Playwright { .. } => self.call("browser_tabs", json!({"action": "new"})).await?,
            Which::DevTools => {
                let pages = self.call("new_page", blank).await?;
                let number = pages
                    .lines()
                    .find(|line| line.contains("[selected]"))
                    .and_then(|line| line.split(':').next()?.trim().parse::<u32>().ok());
                self.tab = json!(number.with_context(|| format!("no selected page in {pages}"))?);
                pages
            }
            Which::AgentBrowser => self.call("agent_browser_tab_new", blank).await?,
        };
        Ok(())
    }

    pub(in crate::bench) async fn navigate(&self, url: &str) -> Result<()> {
        match self.kind.which {
            Which::Ours => {
                self.call("browser_page", json!({"action": "navigate", "url": url}))
                    .await?
            }
            Which::Playwright { .. } => self.call("browser_navigate", json!({"url": url})).await?,
            Which::DevTools => {
                self.call(
                    "navigate_page",
                    json!({"pageId": self.tab, "type": "url", "url": url}),
                )
                .await?
            }
            Which::AgentBrowser => self.call("agent_browser_open", json!({"url": url})).await?,
        };
        Ok(())
    }

    /// What the page reads like.
    pub(super) async fn read(&self, way: Way) -> Result<String> {
        match (self.kind.which, way) {
            (Which::Ours, Way::Default) => self.call("browser_inspect", json!({"action": "observe"})).await,
            (Which::Ours, Way::Whole | Way::Behind) => self.pieces().await,
            (Which::Playwright { .. }, _) => self.call("browser_snapshot", json!({})).await,
            (Which::DevTools, _) => self.call("take_snapshot", json!({"pageId": self.tab})).await,
            (Which::AgentBrowser, Way::Default) => self.call("agent_browser_snapshot", json!({})).await,
            (Which::AgentBrowser, Way::Whole | Way::Behind) => {
                self.call("agent_browser_snapshot", json!({"interactive": false}))
                    .await
            }
        }
    }

    /// Our own outline to its end, piece by piece.
    async fn pieces(&self) -> Result<String> {
        let mut arguments = json!({"action": "observe", "maxTokens": PIECE});
        let mut whole = String::new();
        for _ in 0..PIECES {
            let (text, data) = self.answer("browser_inspect", arguments.clone()).await?;
            whole.push_str(&text);
            match data["result"]["nextCursor"].as_str() {
                Some(cursor) => arguments["cursor"] = json!(cursor),
                None => return Ok(whole),
            }
        }
        bail!("an outline in more than {PIECES} pieces")
    }

    /// Calls a tool and takes the text of its answer.
    async fn call(&self, tool: &str, arguments: Value) -> Result<String> {
        Ok(self.answer(tool, arguments).await?.0)
    }

    /// Calls a tool and takes the text and the data of its answer.
    async fn answer(&self, tool: &str, arguments: Value) -> Result<(String, Value)> {
        let mut answer = self
            .mcp
            .request("tools/call", json!({"name": tool, "arguments": arguments}))
            .await
            .context(self.kind.name)?;
        let text: String = answer["content"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|block| block["text"].as_str())
            .collect();
        if answer["isError"] == true {
            let start: String = text.chars().take(200).collect();
            bail!("{tool}: {start}");
        }
        Ok((text, answer["structuredContent"].take()))
    }

    /// Calls a tool of ours and takes its result as data.
    pub(super) async fn result(&self, tool: &str, arguments: Value) -> Result<Value> {
        Ok(self.answer(tool, arguments).await?.1["result"].take())
    }

    /// What it is called.
    pub(in crate::bench) fn name(&self) -> &'static str {
        self.kind.name
    }

    /// What it calls the button and the field of the page.
    pub(in crate::bench) async fn hands(&self) -> Result<Hands> {
        let read = self.read(Way::Default).await?;
        match self.kind.which {
            // Ours begin their line.
            Which::Ours => names(&read, "", ' '),
            Which::Playwright { .. } | Which::AgentBrowser => names(&read, "ref=", ']'),
            Which::DevTools => names(&read, "uid=", ' '),
        }
    }

    /// Presses the button.
    pub(in crate::bench) async fn click(&self, hands: &Hands) -> Result<()> {
        let button = &hands.button;
        match self.kind.which {
            Which::Ours => {
                self.call("browser_interact", json!({"action": "click", "ref": button}))
                    .await?
            }
            Which::Playwright { .. } => {
                self.call(
                    "browser_click",
                    json!({"element": "the button", "target": button}),
                )
                .await?
            }
            Which::DevTools => {
                self.call("click", json!({"pageId": self.tab, "uid": button}))
                    .await?
            }
            Which::AgentBrowser => {
                let selector = format!("@{}", button.as_str().unwrap_or_default());
                self.call("agent_browser_click", json!({"selector": selector}))
                    .await?
            }
        };
        Ok(())
    }

    /// Makes a text the value of the field.
    pub(in crate::bench) async fn fill(&self, hands: &Hands, text: &str) -> Result<()> {
        let field = &hands.field;
        match self.kind.which {
            Which::Ours => {
                self.call(
                    "browser_interact",
                    json!({"action": "fill", "ref": field, "value": text}),
                )
                .await?
            }
            Which::Playwright { .. } => {
                self.call(
                    "browser_type",
                    json!({"element": "the field", "target": field, "text": text}),
                )
                .await?
            }
            Which::DevTools => {
                self.call("fill", json!({"pageId": self.tab, "uid": field, "value": text}))
                    .await?
            }
            Which::AgentBrowser => {
                let selector = format!("@{}", field.as_str().unwrap_or_default());
                self.call("agent_browser_fill", json!({"selector": selector, "text": text}))
                    .await?
            }
        };
        Ok(())
    }

    /// Waits for a text.
    pub(in crate::bench) async fn wait_for(&self, text: &str) -> Result<()> {
        match self.kind.which {
            Which::Ours => {
                self.call("browser_page", json!({"action": "wait", "text": text}))
                    .await?
            }
            Which::Playwright { .. } => self.call("browser_wait_for", json!({"text": text})).await?,
            Which::DevTools => {
                self.call("wait_for", json!({"pageId": self.tab, "text": [text]}))
                    .await?
            }
            Which::AgentBrowser => {
                self.call("agent_browser_wait_for_text", json!({"text": text}))
                    .await?
            }
        };
        Ok(())
    }

    /// Ends the server. Its tab stays until the browser ends.
    pub(in crate::bench) async fn end(self) -> Result<()> {
        let pid = self.mcp.pid();
        if self.mcp.close(Duration::from_secs(5)).await.is_err() {
            // It was killed when it was dropped.
            crate::run::say(format!("{} ({pid:?}) had to be ended", self.kind.name));
        }
        Ok(())
    }
}
