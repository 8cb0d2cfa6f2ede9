//! The local socket: who connects, and what is said on each connection.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Error, Outcome};
use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::link::Hop;
use drawbridge_protocol::local::{Admin, ClientHello, FromDaemon, ToDaemon};
use drawbridge_protocol::version::{BUILD, PROTOCOL};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::access::client_id;
use super::calls::Stop;
use super::door::{self, Request};
use super::hub::Hub;
use super::sessions::Caller;
use super::{admin, link};
use crate::wire::{self, FrameReader, WireError};

/// How long whoever connects may take to say who it is.
const HELLO_LIMIT: Duration = Duration::from_secs(10);

/// Calls that one connection may have running at once.
const CALLS_AT_ONCE: usize = 64;

/// Replies that wait for a client to read; beyond it the calls wait.
const REPLIES_WAITING: usize = 16;

/// Serves a connection of the local socket to its end.
pub async fn serve_socket(hub: Rc<Hub>, stream: UnixStream, connection: u64) {
    let us = rustix::process::geteuid().as_raw();
    match stream.peer_cred() {
        Ok(peer) if peer.uid() == us => {}
        Ok(peer) => {
            tracing::warn!(uid = peer.uid(), "another user's connection refused");
            return;
        }
        Err(error) => {
            tracing::warn!(%error, "a connection without credentials refused");
            return;
        }
    }
    let (reader, writer) = stream.into_split();
    serve(hub, reader, writer, connection).await;
}

/// Serves a connection whose other end is trusted to be the same user's.
pub async fn serve<R, W>(hub: Rc<Hub>, reader: R, mut writer: W, connection: u64)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + 'static,
{
    let _present = hub.presence.enter();
    let mut reader = FrameReader::new(reader);
    let hello = tokio::select! {
        hello = timeout(HELLO_LIMIT, reader.message::<ToDaemon>()) => hello,
        () = hub.stop.cancelled() => return,
    };
    match hello {
        Ok(Ok(Some(ToDaemon::Link(hello)))) => link::serve(hub, reader, writer, hello).await,
        Ok(Ok(Some(ToDaemon::Client(hello)))) => match refusal(&hello) {
            None => client(hub, reader, writer, hello, connection).await,
            Some(error) => {
                if let Ok(text) = wire::text(&FromDaemon::Refused { error }) {
                    // It is told why if it still listens.
                    drop(wire::write(&mut writer, &text).await);
                }
            }
        },
        Ok(Ok(Some(ToDaemon::Call { .. } | ToDaemon::Cancel { .. } | ToDaemon::Admin { .. }))) => {
            tracing::info!(connection, "closed: no hello came first");
        }
        Ok(Ok(None)) => {}
        Ok(Err(error)) => tracing::info!(connection, %error, "closed"),
        Err(_) => tracing::info!(connection, "closed: no hello came"),
    }
}

fn refusal(hello: &ClientHello) -> Option<Error> {
    if hello.protocol != PROTOCOL {
        let side = if hello.protocol < PROTOCOL {
            "client"
        } else {
            "bridge"
        };
        return Some(
            Error::new(
                Code::VersionMismatch,
                format!(
                    "the client ({}, protocol {}) and the running bridge ({BUILD}, protocol {PROTOCOL}) do not \
                     understand each other",
                    hello.build, hello.protocol
                ),
            )
            .hint(format!("update the {side}, then `drawbridge daemon --stop`")),
        );
    }
    client_id(&hello.client).err()
}

/// A client's connection: reads what it asks, each call on a task of its own.
struct Connection {
    hub: Rc<Hub>,
    caller: Caller,
    /// The writing task holds the other end.
    replies: mpsc::Sender<String>,
    /// Numbers of calls and commands that have no reply yet.
    open: Rc<RefCell<HashSet<CallId>>>,
}

async fn client<R, W>(
    hub: Rc<Hub>,
    mut reader: FrameReader<R>,
    writer: W,
    hello: ClientHello,
    connection: u64,
) where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + 'static,
{
    hub.access.seen(&hello).await;
    let (replies, queue) = mpsc::channel(REPLIES_WAITING);
    let mut writing = tokio::task::spawn_local(write_all(writer, queue));
    let caller = Caller {
        client: hello.client,
        connection,
    };
    let this = Connection {
        hub: Rc::clone(&hub),
        caller,
        replies,
        open: Rc::default(),
    };
    let welcome = FromDaemon::Welcome {
        protocol: PROTOCOL,
        build: BUILD.to_owned(),
        pid: std::process::id(),
    };
    this.send(&welcome).await;
    loop {
        let message = tokio::select! {
            message = reader.message::<ToDaemon>() => message,
            // A client that takes no replies is as good as gone.
            _ = &mut writing => break,
            () = hub.stop.cancelled() => break,
        };
        let taken = match message {
            Ok(Some(message)) => this.take(message),
            Ok(None) => break,
            Err(error) => Err(error.to_string()),
        };
        if let Err(problem) = taken {
            tracing::info!(connection, problem, "closed");
            break;
        }
    }
    drop(this);
    // What the client left behind is released even when the daemon ends right now: the end waits for its tasks.
    hub.client_left(connection).await;
    if !writing.is_finished() && timeout(Duration::from_secs(1), &mut writing).await.is_err() {
        writing.abort();
    }
}

impl Connection {
    /// Takes one message. An error closes the connection.
    fn take(&self, message: ToDaemon) -> Result<(), String> {
        match message {
            ToDaemon::Call { id, tool, args } => {
                self.begin(id)?;
                let this = self.clone();
                self.hub
                    .tasks
                    .spawn_local(async move { this.call(Request { id, tool, args }).await });
                Ok(())
            }
            ToDaemon::Cancel { id } => {
                let ours = self.caller.connection;
                self.hub
                    .calls
                    .stop(Stop::Caller, |call| call.connection == ours && call.id == id);
                Ok(())
            }
            ToDaemon::Admin { id, admin } => {
                self.begin(id)?;
                let this = self.clone();
                self.hub
                    .tasks
                    .spawn_local(async move { this.admin(id, admin).await });
                Ok(())
            }
            ToDaemon::Client(_) | ToDaemon::Link(_) => Err("a second hello".to_owned()),
        }
    }

    fn begin(&self, id: CallId) -> Result<(), String> {
        if self.open.borrow_mut().insert(id) {
            Ok(())
        } else {
            Err(format!("the call number {} twice", id.0))
        }
    }

    async fn call(self, request: Request) {
        let id = request.id;
        if self.hub.calls.count(self.caller.connection) >= CALLS_AT_ONCE {
            let error = Error::new(
                Code::SessionBusy,
                format!("more than {CALLS_AT_ONCE} calls at once"),
            )
            .hint("wait for one to end");
            self.reply(id, Outcome(Err(error)), Vec::new()).await;
            return;
        }
        let reply = door::call(&self.hub, &self.caller, request).await;
        self.reply(id, reply.outcome, reply.hops).await;
    }

    async fn admin(self, id: CallId, admin: Admin) {
        let ends = admin == Admin::Shutdown;
        let result = admin::run(&self.hub, &self.caller, admin).await;
        self.reply(id, Outcome(result), Vec::new()).await;
        if ends {
            tracing::info!(client = %self.caller.client, "asked to stop");
            self.hub.stop.cancel();
        }
    }

    async fn reply(&self, id: CallId, outcome: Outcome, hops: Vec<Hop>) {
        self.open.borrow_mut().remove(&id);
        self.send(&FromDaemon::Reply { id, outcome, hops }).await;
    }

    async fn send(&self, message: &FromDaemon) {
        let text = match wire::text(message) {
            Ok(text) => text,
            Err(error) => {
                tracing::error!(%error, "cannot write a reply");
                return;
            }
        };
        let text = match (message, text.len() > drawbridge_protocol::frame::MESSAGE_LIMIT) {
            (FromDaemon::Reply { id, .. }, true) => too_large(*id, text.len()),
            _ => text,
        };
        // A client that left needs no reply.
        drop(self.replies.send(text).await);
    }
}

impl Clone for Connection {
    fn clone(&self) -> Self {
        Self {
            hub: Rc::clone(&self.hub),
            caller: self.caller.clone(),
            replies: self.replies.clone(),
            open: Rc::clone(&self.open),
        }
    }
}

/// The reply in place of one that no message can hold.
fn too_large(id: CallId, bytes: usize) -> String {
    let error = Error::new(
        Code::TooLarge,
        format!("the result has {bytes} bytes, more than a message can hold"),
    )
    .hint("ask for less at a time");
    wire::text(&FromDaemon::Reply {
        id,
        outcome: Outcome(Err(error)),
        hops: Vec::new(),
    })
    .unwrap_or_default()
}

async fn write_all<W: AsyncWrite + Unpin>(mut writer: W, mut queue: mpsc::Receiver<String>) {
    while let Some(text) = queue.recv().await {
        match wire::write(&mut writer, &text).await {
            Ok(()) => {}
            Err(WireError::Io(_)) => return,
            Err(error) => {
                tracing::info!(%error, "a client no longer takes replies");
                return;
            }
        }
    }
    // Closing may fail only because the other side closed first.
    drop(writer.shutdown().await);
}
