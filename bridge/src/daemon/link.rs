//! One connected browser: a task that owns the calls it waits for, and the handle that others call it by.

mod channel;
mod data;
mod handshake;
mod pending;
mod proof;
mod range;
mod talk;

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::approval::Verdict;
use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::ids::{ApprovalId, CallId, TargetId};
use drawbridge_protocol::link::{BrowserCall, BrowserReply, Hop, ToBridge, ToExtension, Welcome};
use drawbridge_protocol::local::LinkHello;
use drawbridge_protocol::tools::doctor::{HopName, SocketHealth};
use drawbridge_protocol::version::PROTOCOL;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::hub::Hub;
use super::record;
use crate::wire::{FrameReader, WireError};
use channel::Channel;
use pending::Pending;
use talk::Talk;

pub use range::notice;

/// How often the extension is asked for a sign of life.
pub const PING_EVERY: Duration = Duration::from_secs(10);

/// The first capability revision of an extension that can use a socket.
const SOCKET_SINCE: u32 = 2;

/// Beats without any answer after which a link is lost.
const QUIET_BEATS: u32 = (PONG_LIMIT.as_secs() / PING_EVERY.as_secs()) as u32;

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
    channel: Channel,
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
    /// Somebody wants to know whether there is life.
    Probe(oneshot::Sender<()>),
    /// Something that gets no reply.
    Tell(Box<ToExtension>),
    /// Whether there is to be a socket may have changed.
    Sockets,
}

impl Link {
    /// A handle and the events that its task will serve.
    fn new(target: TargetId, channel: Channel) -> (Self, mpsc::UnboundedReceiver<Event>) {
        let (events, inbox) = mpsc::unbounded_channel();
        (
            Self {
                events,
                next: Rc::new(Cell::new(1)),
                target,
                channel,
            },
            inbox,
        )
    }

    /// The profile at the other end.
    pub fn target(&self) -> &TargetId {
        &self.target
    }

    /// How large messages travel, as far as that is settled.
    pub fn socket_health(&self) -> Option<SocketHealth> {
        self.channel.health()
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

    /// Whether anything comes from the other end within `limit`, once it was asked.
    pub async fn is_alive(&self, limit: Duration) -> bool {
        let (sign, seen) = oneshot::channel();
        self.events.send(Event::Probe(sign)).is_ok() && matches!(timeout(limit, seen).await, Ok(Ok(())))
    }

    /// Tells the extension something that gets no reply.
    pub fn tell(&self, message: ToExtension) {
        // A lost link tells nobody anything; whoever has to know asks again on the next one.
        drop(self.events.send(Event::Tell(Box::new(message))));
    }

    /// Makes the link look again at whether there is to be a socket.
    pub fn sockets(&self) {
        // A lost link has none.
        drop(self.events.send(Event::Sockets));
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
        | BrowserCall::Navigate { .. }
        | BrowserCall::Act { .. }
        | BrowserCall::History { .. } => true,
        // To be asked is not to be answered.
        BrowserCall::Dialog { answer, .. } => answer.is_some(),
        BrowserCall::Echo { .. }
        | BrowserCall::Health
        | BrowserCall::ListTabs
        | BrowserCall::Document { .. }
        | BrowserCall::Read { .. }
        | BrowserCall::ReadScrolling { .. }
        | BrowserCall::Snapshot { .. }
        | BrowserCall::Wait { .. }
        | BrowserCall::Picture { .. }
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

impl End {
    /// What the other end is told when it is to blame.
    fn refusal(self) -> Option<Error> {
        match self {
            Self::Wire(error) => Some(error.into()),
            Self::Protocol(error) => Some(error),
            Self::Closed | Self::Silent | Self::Replaced | Self::Stopping => None,
        }
    }
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
            hub.refusals.note(handshake::misfit(&local), &refusal);
            talk.finish().await;
            return;
        }
    };
    if let Err(refusal) = hub.targets.admits(&hello, &local).await {
        tracing::warn!(%refusal, target = %hello.target, pid = local.browser_pid, "link refused");
        hub.refusals.note(HopName::Worker, &refusal);
        // A link that is gone already needs no reason.
        drop(talk.send(&ToExtension::Refused { error: refusal }));
        talk.finish().await;
        return;
    }
    talk.wants_socket(hello.capability_revision >= SOCKET_SINCE);
    let target = hello.target.clone();
    let owned = hello.owned.clone();
    let (link, events) = Link::new(target.clone(), talk.channel());
    let (name, generation) = hub.targets.join(link, hello, &local).await;
    tracing::info!(%target, generation, "link up");
    hub.refusals.clear();
    let welcome = Welcome {
        protocol: PROTOCOL,
        build: crate::versions::build().to_owned(),
        name,
        live_sessions: hub.sessions.live_in(&target),
        unpaired: !hub.targets.is_paired(&target),
        socket: talk.offer(&hub),
        home: Some(hub.record.home().to_owned()),
    };
    hub.record.joined(&target);
    hub.sessions.reconcile(&target, &owned);
    let open = hub.approvals.open_in(&target).into_iter();
    let asks = open.map(|approval| ToExtension::Ask { approval });
    let greeted = std::iter::once(ToExtension::Welcome(welcome))
        .chain(asks)
        .try_for_each(|message| talk.send(&message));
    let end = match greeted {
        Ok(()) => run(&hub, &mut talk, events, &target).await,
        Err(end) => end,
    };
    hub.targets.leave(&target, generation);
    tracing::info!(%target, generation, %end, "link down");
    if let Some(error) = end.refusal() {
        // Whoever speaks like that may no longer listen either.
        drop(talk.send(&ToExtension::Refused { error }));
    }
    talk.finish().await;
}

/// The loop of a link that is up. Returns when it ends; every call it still waited for has failed by then.
async fn run<R: AsyncRead + Unpin>(
    hub: &Rc<Hub>,
    talk: &mut Talk<R>,
    mut events: mpsc::UnboundedReceiver<Event>,
    target: &TargetId,
) -> End {
    let mut pending = Pending::default();
    let mut beat = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut nonce = 0;
    // Beats since anything came. They are counted, and time is not: after the machine slept there is one beat, and the
    // extension has until the next.
    let mut quiet = 0;
    let mut probes: Vec<oneshot::Sender<()>> = Vec::new();
    loop {
        let sent = tokio::select! {
            message = talk.next() => match message {
                Ok(message) => {
                    quiet = 0;
                    for sign in probes.drain(..) {
                        // Whoever asked may have stopped waiting.
                        let _ = sign.send(());
                    }
                    match message {
                        ToBridge::WantSocket => {
                            let offer = talk.offer(hub);
                            talk.send(&ToExtension::Socket { offer })
                        }
                        message => take(hub, &mut pending, target, message),
                    }
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
                Some(Event::Probe(sign)) => {
                    probes.push(sign);
                    nonce += 1;
                    talk.send(&ToExtension::Ping { nonce })
                }
                Some(Event::Tell(message)) => talk.send(&message),
                Some(Event::Sockets) => talk.change_socket(hub),
                None => Err(End::Stopping),
            },
            _ = beat.tick() => {
                nonce += 1;
                quiet += 1;
                if quiet > QUIET_BEATS {
                    Err(End::Silent)
                } else {
                    talk.beat().and_then(|()| talk.send(&ToExtension::Ping { nonce }))
                }
            }
            () = hub.stop.cancelled() => Err(End::Stopping),
        };
        if let Err(end) = sent {
            return end;
        }
    }
}

fn take(hub: &Rc<Hub>, pending: &mut Pending, target: &TargetId, message: ToBridge) -> Result<(), End> {
    match message {
        ToBridge::Reply { id, result, hops } => {
            pending.answer(id, result, hops);
            Ok(())
        }
        ToBridge::Pong { .. } => Ok(()),
        ToBridge::TabGone { session, tab } => {
            hub.sessions.tab_gone(target, &session, &tab);
            hub.refs.forget(target, &tab);
            hub.captures.tab_gone(&session, &tab);
            Ok(())
        }
        ToBridge::Decision { id, answer } => {
            decided(hub, target, &id, answer);
            Ok(())
        }
        ToBridge::Record { home, end } => {
            record::heard(hub, target, &home, end);
            Ok(())
        }
        ToBridge::Hello(_) | ToBridge::Proof { .. } => {
            Err(End::Protocol(Error::argument("type", "a second hello")))
        }
        // The loop and what reads for it took these already.
        ToBridge::WantSocket | ToBridge::Taken { .. } | ToBridge::Again { .. } => {
            Err(End::Protocol(Error::argument("type", "is out of turn")))
        }
    }
}

/// A person's answer counts only from a browser that is paired itself.
fn decided(hub: &Hub, target: &TargetId, id: &ApprovalId, answer: Verdict) {
    if !hub.targets.is_paired(target) || !hub.approvals.decide(target, id, answer) {
        tracing::warn!(%target, "a decision that nobody waits for");
    }
}

#[cfg(test)]
mod tests;
