//! An MCP client over stdio: JSON-RPC, one message a line, against `drawbridge mcp`.
//! <https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio>

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use drawbridge_protocol::Outcome;
use drawbridge_protocol::link::Hop;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::oneshot;

use crate::pending::Pending;
use crate::wait;

/// The longest a reply is waited for; longer than any deadline a tool has.
const BOUND: Duration = Duration::from_secs(75);

/// A running `drawbridge mcp` and its two pipes. Killed when dropped.
pub struct Mcp {
    child: Child,
    /// One writer at a time; `None` after [`Mcp::close`].
    stdin: tokio::sync::Mutex<Option<ChildStdin>>,
    pending: Arc<Pending<u64, Result<Value>>>,
    /// Lines on stdout that are no message; there must be none.
    noise: Arc<Mutex<Vec<String>>>,
    next: AtomicU64,
}

/// What a tool call gave back.
#[derive(Clone, Debug)]
pub struct Called {
    /// The envelope in `structuredContent`.
    pub outcome: Outcome,
    /// The text block.
    pub text: String,
    /// `isError`.
    pub is_error: bool,
    /// Where its time went, as the daemon tells.
    pub hops: Vec<Hop>,
    /// From writing the request to reading the reply.
    pub took: Duration,
}

/// A request that is on its way.
pub struct Request {
    /// Its JSON-RPC id, to cancel it.
    pub id: u64,
    answer: oneshot::Receiver<Result<Value>>,
    since: Instant,
}

impl Mcp {
    /// Starts the server as an MCP client would and shakes hands. `surface` is `domains` or `flat`.
    ///
    /// # Errors
    /// When it does not start or does not answer.
    pub async fn start(bridge: &Path, home: &Path, client: &str, surface: &str) -> Result<Self> {
        let mcp = Self::spawn(bridge, home, client, surface)?;
        mcp.initialize().await?;
        Ok(mcp)
    }

    /// Starts the server without a word.
    ///
    /// # Errors
    /// When it does not start.
    pub fn spawn(bridge: &Path, home: &Path, client: &str, surface: &str) -> Result<Self> {
        let mut command = Command::new(bridge);
        command
            .args(["mcp", "--surface", surface])
            .env("DRAWBRIDGE_HOME", home)
            .env("DRAWBRIDGE_CLIENT", client);
        Self::of(command)
    }

    /// Starts any server that speaks MCP over stdio, without a word.
    ///
    /// # Errors
    /// When it does not start.
    pub fn of(mut command: Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("could not start {:?}", command.as_std().get_program()))?;
        let stdin = child.stdin.take().context("no stdin")?;
        let stdout = child.stdout.take().context("no stdout")?;
        let pending = Arc::new(Pending::new());
        let noise: Arc<Mutex<Vec<String>>> = Arc::default();
        let (waiting, others) = (Arc::clone(&pending), Arc::clone(&noise));
        tokio::spawn(async move {
            let mut lines = BufReader::new(stdout).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                match serde_json::from_str::<Value>(&line) {
                    Ok(message) if message["jsonrpc"] == "2.0" => receive(message, &waiting),
                    Ok(_) | Err(_) => lock(&others).push(line),
                }
            }
            waiting.close();
        });
        let stdin = tokio::sync::Mutex::new(Some(stdin));
        Ok(Self {
            child,
            stdin,
            pending,
            noise,
            next: AtomicU64::new(1),
        })
    }

    /// The handshake. Returns the server's answer.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub async fn initialize(&self) -> Result<Value> {
        let answer = self
            .request(
                "initialize",
                json!({"protocolVersion": "2025-11-25", "capabilities": {},
                       "clientInfo": {"name": "drawbridge harness", "version": "1"}}),
            )
            .await?;
        self.notify("notifications/initialized", json!({})).await?;
        Ok(answer)
    }

    /// The server's tools.
    ///
    /// # Errors
    /// When the server does not answer.
    pub async fn tools(&self) -> Result<Vec<Value>> {
        let mut answer = self.request("tools/list", json!({})).await?;
        serde_json::from_value(answer["tools"].take()).context("tools/list has no tools")
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// When the server does not answer or breaks the contract of a reply. A tool that fails is no error here.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<Called> {
        self.start_call(tool, arguments).await?.called().await
    }

    /// Starts a tool call.
    ///
    /// # Errors
    /// When the server is gone.
    pub async fn start_call(&self, tool: &str, arguments: Value) -> Result<Request> {
        self.start_request("tools/call", json!({"name": tool, "arguments": arguments}))
            .await
    }

    /// Tells the server that nobody waits for a request any more.
    ///
    /// # Errors
    /// When the server is gone.
    pub async fn cancel(&self, id: u64) -> Result<()> {
        self.notify(
            "notifications/cancelled",
            json!({"requestId": id, "reason": "the test says so"}),
        )
        .await
    }

    /// Sends a request and waits for its result.
    ///
    /// # Errors
    /// The server's error, or that it does not answer.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value> {
        self.start_request(method, params)
            .await?
            .result()
            .await
            .with_context(|| method.to_owned())
    }

    async fn start_request(&self, method: &str, params: Value) -> Result<Request> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let answer = self.pending.wait(id);
        let since = Instant::now();
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await?;
        Ok(Request { id, answer, since })
    }

    async fn notify(&self, method: &str, params: Value) -> Result<()> {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
            .await
    }

    async fn write(&self, message: &Value) -> Result<()> {
        let mut stdin = self.stdin.lock().await;
        let stdin = stdin.as_mut().context("stdin is closed")?;
        stdin
            .write_all(format!("{message}\n").as_bytes())
            .await
            .context("the MCP server is gone")?;
        Ok(stdin.flush().await?)
    }

    /// Lines on stdout that were no message.
    pub fn noise(&self) -> Vec<String> {
        lock(&self.noise).clone()
    }

    /// The server's process id.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Closes stdin, as a client that leaves does, and waits for the process to end.
    ///
    /// # Errors
    /// When it still runs after `bound`.
    pub async fn close(mut self, bound: Duration) -> Result<ExitStatus> {
        *self.stdin.lock().await = None;
        wait::within("the MCP server to end", bound, async {
            Ok(self.child.wait().await?)
        })
        .await
    }

    /// Ends the process at once, as a crash does.
    ///
    /// # Errors
    /// When it has ended before.
    pub async fn kill(mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }
}

impl Request {
    /// Waits for the result.
    ///
    /// # Errors
    /// The server's error, or that nothing came.
    pub async fn result(self) -> Result<Value> {
        wait::within("the MCP server's answer", BOUND, async {
            self.answer.await.context("the MCP server closed its stdout")?
        })
        .await
    }

    /// Waits for the result of a tool call.
    ///
    /// # Errors
    /// When nothing came or the reply breaks the contract.
    pub async fn called(self) -> Result<Called> {
        let since = self.since;
        let mut answer = self.result().await?;
        let took = since.elapsed();
        let outcome: Outcome = serde_json::from_value(answer["structuredContent"].take())
            .with_context(|| format!("structuredContent of {answer}"))?;
        let is_error = answer["isError"].as_bool().unwrap_or(false);
        if is_error != outcome.0.is_err() {
            bail!("isError is {is_error}, and the envelope says otherwise: {outcome:?}");
        }
        let text = answer["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let hops = match answer["_meta"]["drawbridge/hops"].take() {
            Value::Null => Vec::new(),
            hops => serde_json::from_value(hops).context("_meta.drawbridge/hops")?,
        };
        Ok(Called {
            outcome,
            text,
            is_error,
            hops,
            took,
        })
    }
}

fn receive(mut message: Value, pending: &Pending<u64, Result<Value>>) {
    let Some(id) = message["id"].as_u64() else { return };
    let answer = match message.get("error") {
        Some(error) => Err(anyhow!("{error}")),
        None => Ok(message["result"].take()),
    };
    pending.settle(&id, answer);
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is inside stays whole whatever panicked beside it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
