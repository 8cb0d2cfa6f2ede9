//! A client of the daemon's socket, as plain as the protocol allows.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use drawbridge_protocol::ids::{CallId, ClientId};
use drawbridge_protocol::link::Hop;
use drawbridge_protocol::local::{Admin, ClientHello, FromDaemon, ToDaemon};
use drawbridge_protocol::tools::{self, Tool};
use drawbridge_protocol::{Code, Error, Outcome, Secret, frame, version};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::pending::Pending;
use crate::wait;

/// The longest a reply is waited for; longer than any deadline a tool has.
const BOUND: Duration = Duration::from_secs(75);

/// A connection to the daemon. It ends, and with it its attached sessions, when this is dropped.
pub struct Client {
    outgoing: mpsc::UnboundedSender<ToDaemon>,
    pending: Arc<Pending<CallId, Answered>>,
    next: AtomicU64,
    tasks: [JoinHandle<()>; 2],
    /// Process id of the daemon.
    pub daemon: u32,
}

/// What came of a call, and where its time went.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Result or error.
    pub outcome: Result<Value, Error>,
    /// Parts of the call.
    pub hops: Vec<Hop>,
}

/// A call that is on its way.
pub struct Running {
    /// Its id, to cancel it.
    pub id: CallId,
    answer: oneshot::Receiver<Answered>,
}

impl Running {
    /// Waits for what came of it.
    ///
    /// # Errors
    /// `not_connected` when the daemon went away, `internal` when nothing came at all.
    pub async fn answer(self) -> Result<Answered, Error> {
        match tokio::time::timeout(crate::wait::patient(BOUND), self.answer).await {
            Ok(Ok(answered)) => Ok(answered),
            Ok(Err(_)) => Err(gone()),
            Err(_) => Err(Error::internal(format!("no reply within {BOUND:?}"))),
        }
    }

    /// Waits for the typed result.
    ///
    /// # Errors
    /// What the call ended with.
    pub async fn result<T: Tool>(self) -> Result<T::Result, Error> {
        read::<T>(self.answer().await?.outcome?)
    }
}

impl Client {
    /// Connects to the daemon of a home and introduces itself.
    ///
    /// # Errors
    /// When no daemon listens there or it refuses; the refusal is the error's source.
    pub async fn connect(home: &Path, id: &str) -> Result<Self> {
        Self::connect_with(home, id, Some(secret(home, id)?)).await
    }

    /// Connects with another secret than the home's, or with none.
    ///
    /// # Errors
    /// As [`Client::connect`].
    pub async fn connect_with(home: &Path, id: &str, secret: Option<Secret>) -> Result<Self> {
        let socket = home.join("run/daemon.sock");
        let mut stream = UnixStream::connect(&socket)
            .await
            .with_context(|| format!("no daemon at {}", socket.display()))?;
        let hello = ClientHello {
            protocol: version::PROTOCOL,
            build: version::BUILD.to_owned(),
            client: ClientId::from(id),
            name: format!("harness {id}"),
            secret,
        };
        write_frame(&mut stream, &serde_json::to_vec(&ToDaemon::Client(hello))?).await?;
        let welcome = wait::within("the daemon's welcome", Duration::from_secs(5), async {
            read_frame(&mut stream)
                .await?
                .context("the daemon closed the connection")
        })
        .await?;
        let daemon = match serde_json::from_slice(&welcome)? {
            FromDaemon::Welcome { pid, .. } => pid,
            FromDaemon::Refused { error } => return Err(error.into()),
            FromDaemon::Reply { .. } | FromDaemon::Draining { .. } => {
                bail!("the daemon spoke before it welcomed")
            }
        };
        let (mut source, mut sink) = stream.into_split();
        let (outgoing, mut to_send) = mpsc::unbounded_channel::<ToDaemon>();
        let pending = Arc::new(Pending::new());
        let writing = tokio::spawn(async move {
            while let Some(message) = to_send.recv().await {
                let Ok(bytes) = serde_json::to_vec(&message) else {
                    continue;
                };
                if write_frame(&mut sink, &bytes).await.is_err() {
                    break;
                }
            }
        });
        let waiting = Arc::clone(&pending);
        let reading = tokio::spawn(async move {
            while let Ok(Some(bytes)) = read_frame(&mut source).await {
                if let Ok(FromDaemon::Reply {
                    id,
                    outcome: Outcome(outcome),
                    hops,
                }) = serde_json::from_slice(&bytes)
                {
                    waiting.settle(&id, Answered { outcome, hops });
                }
            }
            waiting.close();
        });
        Ok(Self {
            outgoing,
            pending,
            next: AtomicU64::new(1),
            tasks: [writing, reading],
            daemon,
        })
    }

    /// Calls a tool and reads its result.
    ///
    /// # Errors
    /// What the call ended with; `not_connected` when the daemon went away.
    pub async fn call<T: Tool>(&self, args: &T) -> Result<T::Result, Error> {
        self.start(args)?.result::<T>().await
    }

    /// Starts a typed call.
    ///
    /// # Errors
    /// When the arguments are no JSON.
    pub fn start<T: Tool>(&self, args: &T) -> Result<Running, Error> {
        let row = tools::row(T::ID);
        let mut value = serde_json::to_value(args).map_err(|error| Error::internal(error.to_string()))?;
        if let (Some(action), Value::Object(map)) = (row.action, &mut value) {
            map.insert("action".to_owned(), action.into());
        }
        Ok(self.start_raw(row.domain, value))
    }

    /// Calls a tool by name, with any arguments at all.
    ///
    /// # Errors
    /// What the call ended with; `not_connected` when the daemon went away.
    pub async fn call_raw(&self, tool: &str, args: Value) -> Result<Value, Error> {
        self.start_raw(tool, args).answer().await?.outcome
    }

    /// Starts a call by name.
    pub fn start_raw(&self, tool: &str, args: Value) -> Running {
        self.ask(|id| ToDaemon::Call {
            id,
            tool: tool.to_owned(),
            args,
        })
    }

    /// Asks the daemon to stop a call; its answer still comes.
    pub fn cancel(&self, id: CallId) {
        // A daemon that is gone has stopped everything.
        let _ = self.outgoing.send(ToDaemon::Cancel { id });
    }

    /// Runs a command of the command line that is no tool.
    ///
    /// # Errors
    /// What the command ended with; `not_connected` when the daemon went away.
    pub async fn admin(&self, admin: Admin) -> Result<Value, Error> {
        self.ask(|id| ToDaemon::Admin { id, admin })
            .answer()
            .await?
            .outcome
    }

    fn ask(&self, message: impl FnOnce(CallId) -> ToDaemon) -> Running {
        let id = CallId(self.next.fetch_add(1, Ordering::Relaxed));
        let answer = self.pending.wait(id);
        // When the daemon is gone the table closes, and that is the answer.
        let _ = self.outgoing.send(message(id));
        Running { id, answer }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

fn read<T: Tool>(value: Value) -> Result<T::Result, Error> {
    serde_json::from_value(value)
        .map_err(|error| Error::internal(format!("a result of another shape: {error}")))
}

/// A client's secret, made where the home has none yet, as the programs make it.
fn secret(home: &Path, id: &str) -> Result<Secret> {
    let folder = home.join("clients");
    if !folder.is_dir() {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder)?;
    }
    let path = folder.join(id);
    let fresh = || uuid::Uuid::new_v4().simple().to_string().repeat(2);
    match fs::OpenOptions::new()
        .create_new(true)
        .write(true)
        .mode(0o600)
        .open(&path)
    {
        Ok(mut file) => file.write_all(fresh().as_bytes())?,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    }
    Ok(Secret::new(fs::read_to_string(&path)?.trim()))
}

fn gone() -> Error {
    Error::new(Code::NotConnected, "the daemon closed the connection")
}

/// Writes one frame: length, then bytes.
///
/// # Errors
/// When the other side is gone.
pub async fn write_frame(sink: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> Result<()> {
    let length = u32::try_from(bytes.len())?;
    sink.write_all(&length.to_le_bytes()).await?;
    sink.write_all(bytes).await?;
    Ok(sink.flush().await?)
}

/// Reads one frame; `None` at the end of the stream.
///
/// # Errors
/// When the stream breaks off inside a frame or a frame is over the limit.
pub async fn read_frame(source: &mut (impl AsyncRead + Unpin)) -> Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    if let Err(error) = source.read_exact(&mut length).await {
        return if error.kind() == std::io::ErrorKind::UnexpectedEof {
            Ok(None)
        } else {
            Err(error.into())
        };
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > frame::MESSAGE_LIMIT {
        bail!("a frame of {length} bytes");
    }
    let mut bytes = vec![0; length];
    source.read_exact(&mut bytes).await?;
    Ok(Some(bytes))
}
