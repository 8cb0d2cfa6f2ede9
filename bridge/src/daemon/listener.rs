//! The local socket: who connects, and what is said on each connection.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Error, Outcome};
use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::link::Hop;
use drawbridge_protocol::local::{Admin, ClientHello, FromDaemon, ToDaemon};
use drawbridge_protocol::version::PROTOCOL;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::access::client_id;
use super::calls::{Stop, Ticket};
use super::door::{self, Request};
use super::hub::Hub;
use super::sessions::Caller;
use super::{DRAIN_LIMIT, admin, link};
use crate::versions::{build, is_newer};
use crate::wire::{self, FrameReader, WireError};

/// How long whoever connects may take to say who it is.
const HELLO_LIMIT: Duration = Duration::from_secs(10);

/// How long the other end may take to hear why its connection closes.
const REFUSAL_LIMIT: Duration = Duration::from_secs(1);

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
        Ok(Ok(Some(ToDaemon::Link(hello)))) if is_newer(&hello.build, build()) => {
            // The next host of that browser finds the daemon of its own build.
            tracing::info!(build = hello.build, "drains for a newer native host");
            hub.drain.cancel();
        }
        Ok(Ok(Some(ToDaemon::Link(hello)))) => link::serve(hub, reader, writer, hello).await,
        Ok(Ok(Some(ToDaemon::Drain { protocol, build }))) => drain(&hub, &mut writer, protocol, &build).await,
        Ok(Ok(Some(ToDaemon::Client(hello)))) => match refusal(&hello) {
            None => client(hub, reader, writer, hello, connection).await,
            Some(error) => refuse(&mut writer, error).await,
        },
        Ok(Ok(Some(ToDaemon::Call { .. } | ToDaemon::Cancel { .. } | ToDaemon::Admin { .. }))) => {
            tracing::info!(connection, "closed: no hello came first");
            refuse(&mut writer, Error::argument("type", "a hello comes first")).await;
        }
        Ok(Ok(None)) => {}
        Ok(Err(error)) => {
            tracing::info!(connection, %error, "closed");
            refuse(&mut writer, error.into()).await;
        }
        Err(_) => tracing::info!(connection, "closed: no hello came"),
    }
}

/// Makes room for a newer build; an older one is told which side to update.
async fn drain<W: AsyncWrite + Unpin>(hub: &Hub, writer: &mut W, protocol: u32, asking: &str) {
    if !is_newer(asking, build()) {
        return refuse(writer, misunderstood(protocol, asking, asking == build())).await;
    }
    tracing::info!(build = asking, "drains for a newer build");
    let draining = FromDaemon::Draining {
        pid: std::process::id(),
        limit_ms: DRAIN_LIMIT.as_millis() as u64,
    };
    if let Ok(text) = wire::text(&draining) {
        drop(timeout(REFUSAL_LIMIT, wire::write(writer, &text)).await);
    }
    hub.drain.cancel();
}

/// Tells the other end why its connection closes, if it still listens.
async fn refuse<W: AsyncWrite + Unpin>(writer: &mut W, error: Error) {
    if let Ok(text) = wire::text(&FromDaemon::Refused { error }) {
        drop(timeout(REFUSAL_LIMIT, wire::write(writer, &text)).await);
    }
}

fn refusal(hello: &ClientHello) -> Option<Error> {
    if hello.protocol != PROTOCOL {
        return Some(misunderstood(
            hello.protocol,
            &hello.build,
            hello.protocol > PROTOCOL,
        ));
    }
    client_id(&hello.client).err()
}

/// A client of another version, and which side has to be updated.
fn misunderstood(protocol: u32, theirs: &str, bridge_is_older: bool) -> Error {
    let side = if bridge_is_older { "bridge" } else { "client" };
    Error::new(
        Code::VersionMismatch,
        format!(
            "the client ({theirs}, protocol {protocol}) and the running bridge ({}, protocol {PROTOCOL}) do not \
             understand each other",
            build()
        ),
    )
    .hint(format!("update the {side}, then `drawbridge daemon --stop`"))
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
    let client = hub.access.identify(&hello).await;
    let (replies, queue) = mpsc::channel(REPLIES_WAITING);
    let mut writing = tokio::task::spawn_local(write_all(writer, queue));
    let caller = Caller { client, connection };
    let this = Connection {
        hub: Rc::clone(&hub),
        caller,
        replies,
        open: Rc::default(),
    };
    let welcome = FromDaemon::Welcome {
        protocol: PROTOCOL,
        build: build().to_owned(),
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
            Err(error) => Err(error.into()),
        };
        if let Err(error) = taken {
            tracing::info!(connection, %error, "closed");
            // One that does not listen either is not waited for.
            drop(timeout(REFUSAL_LIMIT, this.send(&FromDaemon::Refused { error })).await);
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
    fn take(&self, message: ToDaemon) -> Result<(), Error> {
        match message {
            ToDaemon::Call { id, tool, args } => {
                self.begin(id)?;
                let this = self.clone();
                // Before the next message is read: it may be the one that stops this call.
                let ticket = self
                    .hub
                    .calls
                    .enter(self.caller.connection, id, self.caller.client.clone());
                self.hub
                    .tasks
                    .spawn_local(async move { this.call(Request { id, tool, args }, ticket).await });
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
            ToDaemon::Client(_) | ToDaemon::Link(_) | ToDaemon::Drain { .. } => {
                Err(Error::argument("type", "a second hello"))
            }
        }
    }

    fn begin(&self, id: CallId) -> Result<(), Error> {
        if self.open.borrow_mut().insert(id) {
            Ok(())
        } else {
            Err(Error::argument("id", format!("the call number {} twice", id.0)))
        }
    }

    async fn call(self, request: Request, ticket: Ticket) {
        let id = request.id;
        if self.hub.calls.count(self.caller.connection) > CALLS_AT_ONCE {
            let error = Error::new(
                Code::SessionBusy,
                format!("more than {CALLS_AT_ONCE} calls at once"),
            )
            .hint("wait for one to end");
            self.reply(id, Outcome(Err(error)), Vec::new()).await;
            return;
        }
        let reply = door::call(&self.hub, &self.caller, request, ticket).await;
        self.reply(id, reply.outcome, reply.hops).await;
    }

    async fn admin(self, id: CallId, admin: Admin) {
        let ends = admin == Admin::Shutdown;
        let result = admin::run(&self.hub, &self.caller, admin)
            .await
            .map_err(door::clean);
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
