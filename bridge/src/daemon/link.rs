//! One connected browser: a task that owns the calls it waits for, and the handle that others call it by.

mod handshake;
mod pending;

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::frame::{self, Assembler};
use drawbridge_protocol::ids::{CallId, TargetId};
use drawbridge_protocol::link::{BrowserCall, BrowserReply, Hop, ToBridge, ToExtension, Welcome};
use drawbridge_protocol::local::LinkHello;
use drawbridge_protocol::version::{BUILD, PROTOCOL};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::hub::Hub;
use crate::wire::{self, FrameReader, WireError};
use pending::Pending;

/// How often the extension is asked for a sign of life.
pub const PING_EVERY: Duration = Duration::from_secs(10);

/// How long nothing at all may come after a ping. Reading a very large page keeps the background busy for seconds.
pub const PONG_LIMIT: Duration = Duration::from_secs(20);

/// What the extension gets on top of a call's deadline for its own, more telling timeout.
pub const GRACE: Duration = Duration::from_millis(1_500);

/// How long a cancelled call may take to clean up behind itself before the caller hears.
pub const CANCEL_LIMIT: Duration = Duration::from_secs(3);

/// What came of a call in the browser, and where its time went.
pub type Answered = Result<(BrowserReply, Vec<Hop>), Error>;

/// A handle to a link's task; clones name the same link.
#[derive(Clone, Debug)]
pub struct Link {
    /// The link's task holds the other end; closed once the link is lost.
    events: mpsc::UnboundedSender<Event>,
    /// Numbers calls; never reused on one link.
    next: Rc<Cell<u64>>,
    target: TargetId,
}

/// All that a link's task hears about besides frames.
#[derive(Debug)]
enum Event {
    Call {
        id: CallId,
        deadline_ms: u64,
        call: Box<BrowserCall>,
        reply: oneshot::Sender<Answered>,
    },
    Cancel(CallId),
    /// Its caller no longer waits.
    Forget(CallId),
    /// A newer link of the same profile took over.
    Replaced,
}

impl Link {
    /// A handle and the events that its task will serve.
    fn new(target: TargetId) -> (Self, mpsc::UnboundedReceiver<Event>) {
        let (events, inbox) = mpsc::unbounded_channel();
        (
            Self {
                events,
                next: Rc::new(Cell::new(1)),
                target,
            },
            inbox,
        )
    }

    /// The profile at the other end.
    pub fn target(&self) -> &TargetId {
        &self.target
    }

    /// Asks the browser for something. On `cancel` it asks it to stop and waits up to [`CANCEL_LIMIT`] for the reply,
    /// so that whatever the call opened is closed when the caller hears.
    ///
    /// # Errors
    /// The extension's own; `not_connected` when the link is or gets lost, `timeout` when not even the extension's
    /// own timeout came, `cancelled`. Where the call may have changed something, `effect` says so.
    pub async fn call(&self, call: BrowserCall, deadline: Instant, cancel: &CancellationToken) -> Answered {
        let changes = changes(&call);
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || cancel.is_cancelled() {
            let code = if cancel.is_cancelled() {
                Code::Cancelled
            } else {
                Code::Timeout
            };
            return Err(Error::new(code, "nothing was sent to the browser any more").effect(Effect::None));
        }
        let id = CallId(self.next.replace(self.next.get() + 1));
        let (reply, mut answer) = oneshot::channel();
        let deadline_ms = left.as_millis().max(1) as u64;
        let start = Event::Call {
            id,
            deadline_ms,
            call: Box::new(call),
            reply,
        };
        if self.events.send(start).is_err() {
            return Err(lost(false).effect(Effect::None));
        }
        let _forget = Forget {
            events: &self.events,
            id,
        };
        let cancelled = tokio::select! {
            biased;
            answered = &mut answer => return answered.unwrap_or_else(|_| Err(lost(changes))),
            () = cancel.cancelled() => true,
            () = sleep_until(deadline + GRACE) => false,
        };
        if !cancelled {
            let error = Error::new(Code::Timeout, "the browser did not answer within the deadline");
            return Err(unknown_if(
                changes,
                error.hint("`browser_session status` says whether it can be reached"),
            ));
        }
        // A closed channel means that the link was lost meanwhile; the answer below says so.
        drop(self.events.send(Event::Cancel(id)));
        match timeout(CANCEL_LIMIT, answer).await {
            Ok(answered) => answered.unwrap_or_else(|_| Err(lost(changes))),
            Err(_) => Err(unknown_if(
                changes,
                Error::new(Code::Cancelled, "cancelled; the browser has not confirmed it"),
            )),
        }
    }

    /// Ends the link because a newer one of the same profile took over.
    pub fn replaced(&self) {
        // Nothing to end when the task is gone.
        drop(self.events.send(Event::Replaced));
    }
}

/// Tells the task that a caller left, on every way out.
struct Forget<'a> {
    events: &'a mpsc::UnboundedSender<Event>,
    id: CallId,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        // A task that is gone has nothing to forget.
        drop(self.events.send(Event::Forget(self.id)));
    }
}

/// Whether a call can change anything in the browser beyond its own private tab.
fn changes(call: &BrowserCall) -> bool {
    match call {
        BrowserCall::OpenTab { .. }
        | BrowserCall::CloseTab { .. }
        | BrowserCall::EndSession { .. }
        | BrowserCall::Navigate { .. } => true,
        BrowserCall::Echo { .. }
        | BrowserCall::ListTabs
        | BrowserCall::Document { .. }
        | BrowserCall::ReadText { .. }
        | BrowserCall::ReadSelectors { .. }
        | BrowserCall::Recipe { .. } => false,
    }
}

fn lost(changes: bool) -> Error {
    let error = Error::new(
        Code::NotConnected,
        "the link between bridge and extension was lost",
    );
    unknown_if(
        changes,
        error.hint("the extension reconnects by itself; look before doing it again"),
    )
}

fn unknown_if(changes: bool, error: Error) -> Error {
    if changes {
        error.effect(Effect::Unknown)
    } else {
        error
    }
}

/// Why a link ended.
#[derive(Debug)]
enum End {
    /// The native host closed it.
    Closed,
    /// Bytes that are no messages.
    Wire(WireError),
    /// Parts that do not fit together, or a message out of turn.
    Protocol(Error),
    /// No sign of life for [`PONG_LIMIT`].
    Silent,
    /// A newer link of the same profile took over.
    Replaced,
    /// The daemon ends.
    Stopping,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Closed => f.write_str("closed by the native host"),
            Self::Wire(error) => error.fmt(f),
            // Its message may repeat what the peer sent, and that may be page text.
            Self::Protocol(error) => write!(f, "messages that do not fit ({:?})", error.code),
            Self::Silent => f.write_str("no sign of life"),
            Self::Replaced => f.write_str("replaced by a newer link"),
            Self::Stopping => f.write_str("the daemon ends"),
        }
    }
}

/// Serves a link from its native host's hello to its end.
pub async fn serve<R, W>(hub: Rc<Hub>, reader: FrameReader<R>, writer: W, local: LinkHello)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + 'static,
{
    let mut talk = Talk::new(reader, writer);
    let hello = match handshake::hello(&mut talk, &local).await {
        Ok(hello) => hello,
        Err(refusal) => {
            tracing::warn!(%refusal, "link refused");
            talk.finish().await;
            return;
        }
    };
    let target = hello.target.clone();
    let owned = hello.owned.clone();
    let (link, events) = Link::new(target.clone());
    let (name, generation) = hub.targets.join(link, hello, &local).await;
    tracing::info!(%target, generation, "link up");
    let welcome = Welcome {
        protocol: PROTOCOL,
        build: BUILD.to_owned(),
        name,
        live_sessions: hub.sessions.live_in(&target),
    };
    hub.sessions.reconcile(&target, &owned);
    let end = match talk.send(&ToExtension::Welcome(welcome)) {
        Ok(()) => run(&hub, &mut talk, events, &target).await,
        Err(end) => end,
    };
    hub.targets.leave(&target, generation);
    tracing::info!(%target, generation, %end, "link down");
    talk.finish().await;
}

/// The loop of a link that is up. Returns when it ends; every call it still waited for has failed by then.
async fn run<R: AsyncRead + Unpin>(
    hub: &Hub,
    talk: &mut Talk<R>,
    mut events: mpsc::UnboundedReceiver<Event>,
    target: &TargetId,
) -> End {
    let mut pending = Pending::default();
    let mut beat = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut nonce = 0;
    // When the oldest unanswered ping went out; any frame answers it.
    let mut asked: Option<Instant> = None;
    loop {
        let silence = asked.map(|at| at + PONG_LIMIT);
        let sent = tokio::select! {
            message = talk.next() => match message {
                Ok(message) => {
                    asked = None;
                    take(hub, &mut pending, target, message)
                }
                Err(end) => Err(end),
            },
            event = events.recv() => match event {
                Some(Event::Call { id, deadline_ms, call, reply }) => {
                    pending.insert(id, changes(&call), reply);
                    talk.send(&ToExtension::Call { id, deadline_ms, call: *call })
                        .or_else(|end| pending.refuse(id, end))
                }
                Some(Event::Cancel(id)) => talk.send(&ToExtension::Cancel { id }),
                // A caller that left without an answer wants nothing done any more.
                Some(Event::Forget(id)) => {
                    if pending.forget(id) { talk.send(&ToExtension::Cancel { id }) } else { Ok(()) }
                }
                Some(Event::Replaced) => Err(End::Replaced),
                None => Err(End::Stopping),
            },
            _ = beat.tick() => {
                nonce += 1;
                asked.get_or_insert_with(Instant::now);
                talk.send(&ToExtension::Ping { nonce })
            }
            () = sleep_until(silence.unwrap_or_else(Instant::now)), if silence.is_some() => Err(End::Silent),
            () = hub.stop.cancelled() => Err(End::Stopping),
        };
        if let Err(end) = sent {
            return end;
        }
    }
}

fn take(hub: &Hub, pending: &mut Pending, target: &TargetId, message: ToBridge) -> Result<(), End> {
    match message {
        ToBridge::Reply { id, result, hops } => {
            pending.answer(id, result, hops);
            Ok(())
        }
        ToBridge::Pong { .. } => Ok(()),
        ToBridge::TabGone { session, tab } => {
            hub.sessions.tab_gone(target, &session, &tab);
            Ok(())
        }
        ToBridge::Hello(_) => Err(End::Protocol(Error::argument("type", "a second hello"))),
    }
}

/// Messages over frames, in parts where needed. Writing has a task of its own, so that a browser that reads slowly
/// does not keep its replies from being read.
struct Talk<R> {
    reader: FrameReader<R>,
    assembler: Assembler,
    /// The writing task holds the other end. Unbounded, since a link that reads nothing is ended by its silence.
    frames: mpsc::UnboundedSender<String>,
    writing: JoinHandle<()>,
    messages: u64,
}

impl<R: AsyncRead + Unpin> Talk<R> {
    fn new<W: AsyncWrite + Unpin + 'static>(reader: FrameReader<R>, mut writer: W) -> Self {
        let (frames, mut queue) = mpsc::unbounded_channel::<String>();
        let writing = tokio::task::spawn_local(async move {
            while let Some(frame) = queue.recv().await {
                if let Err(error) = wire::write(&mut writer, &frame).await {
                    tracing::info!(%error, "link no longer takes frames");
                    return;
                }
            }
        });
        Self {
            reader,
            assembler: Assembler::default(),
            frames,
            writing,
            messages: 0,
        }
    }

    /// The next whole message. Safe to drop at any await.
    async fn next(&mut self) -> Result<ToBridge, End> {
        loop {
            let frame = self.reader.next().await.map_err(End::Wire)?.ok_or(End::Closed)?;
            let text = String::from_utf8(frame)
                .map_err(|_| End::Protocol(Error::argument("frame", "is no UTF-8")))?;
            if let Some(whole) = self.assembler.take(text).map_err(End::Protocol)? {
                return wire::parse(whole.as_bytes()).map_err(End::Wire);
            }
        }
    }

    /// Hands a message to the writing task.
    fn send(&mut self, message: &ToExtension) -> Result<(), End> {
        let text = wire::text(message).map_err(End::Wire)?;
        self.messages += 1;
        for frame in frame::cut(text, self.messages).map_err(End::Protocol)? {
            self.frames.send(frame).map_err(|_| End::Closed)?;
        }
        Ok(())
    }

    /// Lets what was sent go out, bounded, and closes.
    async fn finish(self) {
        drop(self.frames);
        let abort = self.writing.abort_handle();
        if timeout(Duration::from_secs(1), self.writing).await.is_err() {
            abort.abort();
        }
    }
}

#[cfg(test)]
mod tests;
