//! The daemon's socket from a client's side. Starts the daemon when there is none.

mod connect;
mod handover;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use drawbridge_protocol::error::{Code, Effect, Error, Outcome};
use drawbridge_protocol::ids::{CallId, ClientId};
use drawbridge_protocol::link::Hop;
use drawbridge_protocol::local::{Admin, ClientHello, FromDaemon, ToDaemon};
use drawbridge_protocol::tools::{self, EffectClass};
use drawbridge_protocol::version::PROTOCOL;
use serde_json::Value;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use crate::daemon::access::client_id;
use crate::home::Home;
use crate::versions::{build, is_newer};
use crate::wire::{self, FrameReader, WireError};

pub use connect::{connect, connect_running};

/// How long the daemon may take for any call: the longest deadline of a tool, and room for what comes after it.
const ANSWER_LIMIT: Duration = Duration::from_secs(75);

/// How long the daemon may take for a command: a person may have to answer on the approval page.
const COMMAND_LIMIT: Duration = Duration::from_secs(150);

/// How long the daemon may take to answer a call that was cancelled.
const CANCEL_LIMIT: Duration = Duration::from_secs(8);

/// How long the daemon may take to welcome a client.
const WELCOME_LIMIT: Duration = Duration::from_secs(5);

/// How often a hello is tried anew: a daemon may end in the very moment it is connected to.
const ATTEMPTS: usize = 5;

/// What came of a call, and where its time went.
#[derive(Clone, Debug)]
pub struct Reply {
    /// What came of it.
    pub outcome: Outcome,
    /// `client` first: the whole time as seen from here.
    pub hops: Vec<Hop>,
}

/// A connection to the daemon.
#[derive(Debug)]
pub struct Client {
    /// The connection's task holds the other end; closed once the connection is lost.
    commands: mpsc::UnboundedSender<Command>,
    next: AtomicU64,
    build: String,
    pid: u32,
}

#[derive(Debug)]
enum Command {
    Ask {
        id: CallId,
        message: ToDaemon,
        answer: oneshot::Sender<(Outcome, Vec<Hop>)>,
    },
    Cancel(CallId),
}

impl Client {
    /// Connects as a client; starts the daemon where none runs.
    ///
    /// # Errors
    /// `not_connected` when no daemon can be reached or started, `version_mismatch`, `invalid_argument` for an id
    /// that is none.
    pub async fn open(home: &Home, id: &ClientId, name: &str) -> Result<Self, Error> {
        let (mut last, mut misfit) = (None, None);
        let hello = hello(home, id, name)?;
        for _ in 0..ATTEMPTS {
            match Self::introduce(connect(home).await?, hello.clone()).await {
                Ok(client) if is_newer(build(), &client.build) => {
                    drop(client);
                    handover::make_room(home).await?;
                    last = Some("an older one takes its time to end".to_owned());
                }
                Ok(client) => return Ok(client),
                // An older daemon that does not understand this build may still make room for it.
                Err(Introduction::Refused(error)) if error.code == Code::VersionMismatch => {
                    if handover::make_room(home).await.is_err() {
                        return Err(error);
                    }
                    misfit = Some(error);
                }
                Err(Introduction::Refused(error)) => return Err(error),
                Err(Introduction::Lost(problem)) => last = Some(problem),
            }
        }
        if let Some(error) = misfit {
            return Err(error);
        }
        let problem = last.map_or_else(String::new, |problem| format!(": {problem}"));
        Err(Error::new(
            Code::NotConnected,
            format!("the bridge's daemon closes every connection{problem}"),
        )
        .hint(format!(
            "look at the log of the daemon in {}",
            home.logs().display()
        )))
    }

    /// Connects as a client to a daemon that runs; `None` when none does.
    ///
    /// # Errors
    /// As [`Client::open`].
    pub async fn open_running(home: &Home, id: &ClientId, name: &str) -> Result<Option<Self>, Error> {
        let Some(stream) = connect_running(home).await? else {
            return Ok(None);
        };
        match Self::introduce(stream, hello(home, id, name)?).await {
            Ok(client) => Ok(Some(client)),
            Err(Introduction::Refused(error)) => Err(error),
            Err(Introduction::Lost(_)) => Ok(None),
        }
    }

    /// Version of the daemon.
    pub fn build(&self) -> &str {
        &self.build
    }

    /// Process id of the daemon.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether the connection is lost.
    pub fn is_lost(&self) -> bool {
        self.commands.is_closed()
    }

    /// Makes a tool call. On `cancel` the daemon is told, and its reply still waited for.
    pub async fn call(&self, tool: &str, args: Value, cancel: &CancellationToken) -> Reply {
        let started = Instant::now();
        let changes = changes(tool, &args);
        let id = self.number();
        let message = ToDaemon::Call {
            id,
            tool: tool.to_owned(),
            args,
        };
        let (outcome, parts) = self.ask(id, message, cancel, changes, ANSWER_LIMIT).await;
        let ms = (started.elapsed().as_secs_f64() * 100_000.0).round() / 100.0;
        let hops = std::iter::once(Hop {
            name: "client".to_owned(),
            ms,
        })
        .chain(parts)
        .collect();
        Reply { outcome, hops }
    }

    /// Runs a command that is no tool.
    ///
    /// # Errors
    /// The daemon's own, or `not_connected`.
    pub async fn admin(&self, admin: Admin) -> Result<Value, Error> {
        let id = self.number();
        let cancel = CancellationToken::new();
        let (outcome, _) = self
            .ask(id, ToDaemon::Admin { id, admin }, &cancel, false, COMMAND_LIMIT)
            .await;
        outcome.0
    }

    fn number(&self) -> CallId {
        CallId(self.next.fetch_add(1, Ordering::Relaxed))
    }

    async fn ask(
        &self,
        id: CallId,
        message: ToDaemon,
        cancel: &CancellationToken,
        changes: bool,
        limit: Duration,
    ) -> (Outcome, Vec<Hop>) {
        let failed = |error: Error| {
            let error = if changes {
                error.effect(Effect::Unknown)
            } else {
                error
            };
            (Outcome(Err(error)), Vec::new())
        };
        let (sender, mut answer) = oneshot::channel();
        if self
            .commands
            .send(Command::Ask {
                id,
                message,
                answer: sender,
            })
            .is_err()
        {
            return (unsent(), Vec::new());
        }
        // Whoever stops waiting, for whatever reason, wants the call stopped.
        let _stop = StopOnDrop {
            commands: &self.commands,
            id,
        };
        tokio::select! {
            biased;
            answered = &mut answer => return answered.unwrap_or_else(|_| failed(lost())),
            () = cancel.cancelled() => {}
            () = tokio::time::sleep(limit) => {
                return failed(Error::new(Code::Timeout, "the bridge's daemon did not answer"));
            }
        }
        // When the connection is lost meanwhile, the answer's channel says so.
        drop(self.commands.send(Command::Cancel(id)));
        match timeout(CANCEL_LIMIT, answer).await {
            Ok(answered) => answered.unwrap_or_else(|_| failed(lost())),
            Err(_) => failed(Error::new(
                Code::Cancelled,
                "cancelled; the bridge has not confirmed it",
            )),
        }
    }

    async fn introduce(stream: UnixStream, hello: ClientHello) -> Result<Self, Introduction> {
        let lost = |problem: &dyn std::fmt::Display| Introduction::Lost(problem.to_string());
        let (reader, mut writer) = stream.into_split();
        let mut reader = FrameReader::new(reader);
        let text = wire::text(&ToDaemon::Client(hello)).map_err(|error| lost(&error))?;
        wire::write(&mut writer, &text)
            .await
            .map_err(|error| lost(&error))?;
        match timeout(WELCOME_LIMIT, reader.message::<FromDaemon>()).await {
            Ok(Ok(Some(FromDaemon::Welcome {
                protocol: _,
                build,
                pid,
            }))) => {
                let (commands, inbox) = mpsc::unbounded_channel();
                tokio::spawn(run(reader, writer, inbox));
                Ok(Self {
                    commands,
                    next: AtomicU64::new(1),
                    build,
                    pid,
                })
            }
            Ok(Ok(Some(FromDaemon::Refused { error }))) => Err(Introduction::Refused(error)),
            Ok(Ok(Some(FromDaemon::Reply { .. } | FromDaemon::Draining { .. }))) => {
                Err(lost(&"it replied before it was asked"))
            }
            Ok(Ok(None)) => Err(lost(&"it ended")),
            Ok(Err(error)) => Err(lost(&error)),
            Err(_) => Err(lost(&"it does not answer")),
        }
    }
}

/// How a client introduces itself.
///
/// # Errors
/// `not_connected` when the home has no secret for it and none can be made.
fn hello(home: &Home, id: &ClientId, name: &str) -> Result<ClientHello, Error> {
    // An id that is none gets no file; the daemon says what is wrong with it.
    let secret = match client_id(id) {
        Ok(()) => Some(
            home.client_secret(id)
                .map_err(|error| Error::new(Code::NotConnected, format!("{error:#}")))?,
        ),
        Err(_) => None,
    };
    Ok(ClientHello {
        protocol: PROTOCOL,
        build: build().to_owned(),
        client: id.clone(),
        name: name.to_owned(),
        secret,
    })
}

/// Why a hello led to no connection.
enum Introduction {
    /// The daemon said why.
    Refused(Error),
    /// It went away; another try may find the next one.
    Lost(String),
}

struct StopOnDrop<'a> {
    commands: &'a mpsc::UnboundedSender<Command>,
    id: CallId,
}

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        // Nothing to stop once the connection is lost.
        drop(self.commands.send(Command::Cancel(self.id)));
    }
}

/// The connection's task: what is asked goes out, what comes in is handed to whoever waits. When it ends, everybody
/// who still waits sees their channel close.
async fn run(
    mut reader: FrameReader<OwnedReadHalf>,
    mut writer: OwnedWriteHalf,
    mut inbox: mpsc::UnboundedReceiver<Command>,
) {
    let mut waiting: HashMap<CallId, oneshot::Sender<(Outcome, Vec<Hop>)>> = HashMap::new();
    loop {
        tokio::select! {
            // What the daemon said comes first: after its end nothing is sent.
            biased;
            message = reader.message::<FromDaemon>() => match message {
                Ok(Some(FromDaemon::Reply { id, outcome, hops })) => {
                    if let Some(answer) = waiting.remove(&id) {
                        // Its caller may have left.
                        drop(answer.send((outcome, hops)));
                    }
                }
                Ok(
                    Some(
                        FromDaemon::Welcome { .. } | FromDaemon::Refused { .. } | FromDaemon::Draining { .. },
                    )
                    | None,
                ) => return turn_away(&mut inbox),
                Err(error) => {
                    tracing::info!(%error, "the daemon's connection broke");
                    return turn_away(&mut inbox);
                }
            },
            command = inbox.recv() => {
                let (message, id) = match command {
                    Some(Command::Ask { id, message, answer }) => {
                        waiting.insert(id, answer);
                        (message, id)
                    }
                    Some(Command::Cancel(id)) if waiting.contains_key(&id) => (ToDaemon::Cancel { id }, id),
                    Some(Command::Cancel(_)) => continue,
                    None => return,
                };
                match send(&mut writer, &message).await {
                    Ok(()) => {}
                    Err(WireError::TooLarge(bytes)) => {
                        let error = Error::new(Code::TooLarge, format!("the arguments have {bytes} bytes"));
                        if let Some(answer) = waiting.remove(&id) {
                            drop(answer.send((Outcome(Err(error.effect(Effect::None))), Vec::new())));
                        }
                    }
                    Err(error) => {
                        tracing::info!(%error, "the daemon takes no more");
                        // A frame that did not go out whole is never acted on.
                        if let Some(answer) = waiting.remove(&id) {
                            drop(answer.send((unsent(), Vec::new())));
                        }
                        return turn_away(&mut inbox);
                    }
                }
            }
        }
    }
}

/// The connection is over: what was asked of it and never sent is told so.
fn turn_away(inbox: &mut mpsc::UnboundedReceiver<Command>) {
    inbox.close();
    while let Ok(command) = inbox.try_recv() {
        if let Command::Ask { answer, .. } = command {
            drop(answer.send((unsent(), Vec::new())));
        }
    }
}

fn unsent() -> Outcome {
    Outcome(Err(lost().effect(Effect::None)))
}

async fn send(writer: &mut OwnedWriteHalf, message: &ToDaemon) -> Result<(), WireError> {
    wire::write(writer, &wire::text(message)?).await
}

fn lost() -> Error {
    Error::new(
        Code::NotConnected,
        "the connection between client and bridge was lost",
    )
    .hint("the next call connects anew; look before doing it again")
}

/// Whether a call could have changed something by the time its connection was lost.
fn changes(tool: &str, args: &Value) -> bool {
    tools::resolve(tool, args).is_ok_and(|(id, _)| match tools::row(id).effect {
        EffectClass::Changes => true,
        EffectClass::Reads => false,
    })
}
