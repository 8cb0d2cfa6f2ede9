//! The harness' own eyes and hands in a browser: a small client of the Chrome DevTools Protocol over flat sessions.
//! The product never uses it. <https://chromedevtools.github.io/devtools-protocol/>

mod page;

pub use page::Page;

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{broadcast, mpsc};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::pending::Pending;
use crate::wait;

/// How long a command may take when its caller says nothing.
pub const BOUND: Duration = Duration::from_secs(20);

/// A connection to one browser. Clones share it; it ends with the last one.
#[derive(Clone)]
pub struct Browser {
    shared: Arc<Shared>,
}

struct Shared {
    /// To the task that owns the socket; dropping it ends that task.
    outgoing: mpsc::UnboundedSender<String>,
    /// From the task that owns the socket, to whoever listens.
    events: broadcast::Sender<Event>,
    pending: Arc<Pending<u64, Result<Value>>>,
    next: AtomicU64,
    /// Targets this connection is attached to.
    attached: Mutex<HashSet<String>>,
}

/// Something the browser reported.
#[derive(Clone, Debug)]
pub struct Event {
    /// The session it belongs to; `None` for the browser itself.
    pub session: Option<String>,
    /// Such as `Page.loadEventFired`.
    pub method: String,
    /// Its details.
    pub params: Value,
}

/// A target as the browser lists it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// Its id.
    pub target_id: String,
    /// `page`, `service_worker`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// Title.
    pub title: String,
    /// Address.
    pub url: String,
    /// Whether any debugger is attached.
    pub attached: bool,
}

impl Browser {
    /// Connects to a browser that was started with a debugging port, by the file it wrote into its profile.
    ///
    /// # Errors
    /// When the file is missing or nobody answers.
    pub async fn of_profile(profile: &Path) -> Result<Self> {
        let path = profile.join("DevToolsActivePort");
        let text = std::fs::read_to_string(&path).with_context(|| format!("no {}", path.display()))?;
        let (port, endpoint) = text
            .trim()
            .split_once('\n')
            .context("DevToolsActivePort has two lines")?;
        Self::connect(&format!("ws://127.0.0.1:{port}{endpoint}")).await
    }

    /// Connects to a browser endpoint.
    ///
    /// # Errors
    /// When nobody answers.
    pub async fn connect(endpoint: &str) -> Result<Self> {
        let config = WebSocketConfig::default()
            .max_message_size(None)
            .max_frame_size(None);
        let connecting = tokio_tungstenite::connect_async_with_config(endpoint, Some(config), true);
        let (socket, _) =
            wait::within("connect to the browser", BOUND, async { Ok(connecting.await?) }).await?;
        let (mut sink, mut source) = socket.split();
        let (outgoing, mut to_send) = mpsc::unbounded_channel::<String>();
        let (events, _) = broadcast::channel(4096);
        let pending = Arc::new(Pending::new());
        let (reported, waiting) = (events.clone(), Arc::clone(&pending));
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    text = to_send.recv() => {
                        let Some(text) = text else { break };
                        if sink.send(Message::text(text)).await.is_err() { break }
                    }
                    message = source.next() => match message {
                        Some(Ok(Message::Text(text))) => receive(text.as_str(), &waiting, &reported),
                        Some(Ok(_)) => {}
                        Some(Err(_)) | None => break,
                    }
                }
            }
            waiting.close();
        });
        let shared = Shared {
            outgoing,
            events,
            pending,
            next: AtomicU64::new(1),
            attached: Mutex::default(),
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// Sends a command to the browser itself.
    ///
    /// # Errors
    /// The browser's own message, or that nothing came within [`BOUND`].
    pub async fn send(&self, method: &str, params: Value) -> Result<Value> {
        self.send_to(None, method, params, BOUND).await
    }

    /// Sends a command to a session.
    ///
    /// # Errors
    /// The browser's own message, or that nothing came within `bound`.
    pub async fn send_to(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        bound: Duration,
    ) -> Result<Value> {
        let id = self.shared.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        let answer = self.shared.pending.wait(id);
        // When the browser is gone the table closes, and that is the answer.
        let _ = self.shared.outgoing.send(message.to_string());
        let answer = wait::within(method, bound, async {
            answer.await.context("the browser closed the connection")?
        })
        .await;
        self.shared.pending.forget(&id);
        answer.with_context(|| method.to_owned())
    }

    /// Listens from now on. Call it before what triggers the event.
    pub fn listen(&self) -> Events {
        Events {
            receiver: self.shared.events.subscribe(),
            session: None,
        }
    }

    /// All targets.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn targets(&self) -> Result<Vec<Target>> {
        let mut answer = self.send("Target.getTargets", json!({})).await?;
        Ok(serde_json::from_value(answer["targetInfos"].take())?)
    }

    /// Opens a page in a new tab, attaches to it and waits until it is loaded. It does not take the focus.
    ///
    /// # Errors
    /// When the browser refuses or the page does not load.
    pub async fn open(&self, url: &str) -> Result<Page> {
        let page = self.start(url).await?;
        if url != "about:blank" {
            // Until the address commits, the tab shows another document that is complete.
            page.until("location.href !== 'about:blank' && document.readyState === 'complete'")
                .await?;
        }
        Ok(page)
    }

    /// Like [`Browser::open`], without waiting for anything.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn start(&self, url: &str) -> Result<Page> {
        let answer = self
            .send("Target.createTarget", json!({"url": url, "background": true}))
            .await?;
        let target = answer["targetId"]
            .as_str()
            .context("createTarget named no target")?
            .to_owned();
        self.attach(&target).await
    }

    /// Attaches to a target.
    ///
    /// # Errors
    /// When there is no such target.
    pub async fn attach(&self, target: &str) -> Result<Page> {
        let answer = self
            .send(
                "Target.attachToTarget",
                json!({"targetId": target, "flatten": true}),
            )
            .await?;
        let session = answer["sessionId"]
            .as_str()
            .context("attachToTarget named no session")?
            .to_owned();
        lock(&self.shared.attached).insert(target.to_owned());
        Ok(Page::new(self.clone(), target.to_owned(), session))
    }

    /// Attaches to the page whose address fits, as soon as there is one.
    ///
    /// # Errors
    /// When there is none within [`BOUND`].
    pub async fn page(&self, fits: impl Fn(&str) -> bool) -> Result<Page> {
        let target = wait::until("a page with that address", BOUND, async || {
            let targets = self.targets().await?;
            Ok(targets
                .into_iter()
                .find(|target| target.kind == "page" && fits(&target.url)))
        })
        .await?;
        self.attach(&target.target_id).await
    }

    /// Whether this connection is attached to a target.
    pub fn is_attached_to(&self, target: &str) -> bool {
        lock(&self.shared.attached).contains(target)
    }

    pub(crate) fn forget(&self, target: &str) {
        lock(&self.shared.attached).remove(target);
    }
}

/// Events from the moment of [`Browser::listen`].
pub struct Events {
    receiver: broadcast::Receiver<Event>,
    session: Option<String>,
}

impl Events {
    pub(crate) fn of_session(mut self, session: &str) -> Self {
        self.session = Some(session.to_owned());
        self
    }

    /// The events with that name that came so far; they are taken. What the browser reported before it answered a
    /// command has come once that answer has.
    ///
    /// # Errors
    /// When some were lost, or the connection ended.
    pub fn so_far(&mut self, method: &str) -> Result<Vec<Value>> {
        let mut found = Vec::new();
        loop {
            match self.receiver.try_recv() {
                Ok(event)
                    if event.method == method
                        && (self.session.is_none() || event.session == self.session) =>
                {
                    found.push(event.params);
                }
                Ok(_) => {}
                Err(broadcast::error::TryRecvError::Empty) => return Ok(found),
                Err(broadcast::error::TryRecvError::Lagged(count)) => bail!("{count} events were lost"),
                Err(broadcast::error::TryRecvError::Closed) => bail!("the browser closed the connection"),
            }
        }
    }

    /// The next event with that name.
    ///
    /// # Errors
    /// When none comes within [`BOUND`], or the connection ended.
    pub async fn next(&mut self, method: &str) -> Result<Value> {
        wait::within(method, BOUND, async {
            loop {
                match self.receiver.recv().await {
                    Ok(event)
                        if event.method == method
                            && (self.session.is_none() || event.session == self.session) =>
                    {
                        return Ok(event.params);
                    }
                    Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => {
                        bail!("{method}: the browser closed the connection")
                    }
                }
            }
        })
        .await
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Incoming {
    id: Option<u64>,
    session_id: Option<String>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Value,
    error: Option<Value>,
}

fn receive(text: &str, pending: &Pending<u64, Result<Value>>, events: &broadcast::Sender<Event>) {
    let Ok(message) = serde_json::from_str::<Incoming>(text) else {
        return;
    };
    if let Some(id) = message.id {
        let answer = match message.error {
            Some(error) => Err(anyhow!(
                "{}",
                error["message"]
                    .as_str()
                    .map_or_else(|| error.to_string(), str::to_owned)
            )),
            None => Ok(message.result),
        };
        pending.settle(&id, answer);
    } else if let Some(method) = message.method {
        // Nobody has to listen.
        let _ = events.send(Event {
            session: message.session_id,
            method,
            params: message.params,
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The set stays whole whatever panicked beside them.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
