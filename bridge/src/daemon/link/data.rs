//! The socket of one link: what goes over it, what came, and what is done again when it closes.

use std::rc::Rc;

use drawbridge_protocol::bulk::{Inbox, Outbox, Way};
use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::link::SocketOffer;
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::daemon::sockets::{Socket, Sockets};
use crate::wire::WRITE_LIMIT;

/// Frames that arrived and were not taken yet; beyond it the socket is not read.
const ARRIVED: usize = 4;

/// A link's large messages.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) outbox: Outbox,
    pub(super) inbox: Inbox,
    open: Option<Open>,
    /// Counts sockets, so that what a lost one still says touches nothing.
    generation: u64,
    heard: mpsc::Receiver<Heard>,
    /// For the tasks of the next socket.
    teller: mpsc::Sender<Heard>,
    /// What was offered and not taken up.
    offer: Option<(Rc<Sockets>, String)>,
}

/// What a link hears of its socket.
pub(super) enum Heard {
    /// The extension took up the offer.
    Came(Box<Socket>),
    /// A frame.
    Frame(Utf8Bytes),
    /// The socket of a generation is gone.
    Closed(u64),
}

/// A socket that works.
#[derive(Debug)]
struct Open {
    /// The writing task holds the other end. Bounded by the calls that run at once.
    frames: mpsc::UnboundedSender<String>,
    tasks: [AbortHandle; 2],
}

impl Drop for Open {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Default for Data {
    fn default() -> Self {
        let (teller, heard) = mpsc::channel(ARRIVED);
        Self {
            outbox: Outbox::default(),
            inbox: Inbox::default(),
            open: None,
            generation: 0,
            heard,
            teller,
            offer: None,
        }
    }
}

impl Data {
    /// Offers a socket in place of what was offered before.
    pub(super) fn offer(&mut self, sockets: &Rc<Sockets>) -> Option<SocketOffer> {
        self.withdraw();
        let teller = self.teller.clone();
        let offered = sockets.offer(move |socket| {
            // A link that does not listen gets none.
            drop(teller.try_send(Heard::Came(Box::new(socket))));
        });
        match offered {
            Ok(offer) => {
                self.offer = Some((Rc::clone(sockets), offer.id.clone()));
                Some(offer)
            }
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "no socket is offered");
                None
            }
        }
    }

    /// What happens next. Safe to drop at any await.
    pub(super) async fn next(&mut self) -> Heard {
        match self.heard.recv().await {
            Some(heard) => heard,
            // It cannot close: one sender is kept here.
            None => std::future::pending().await,
        }
    }

    /// Takes the socket into use; one that was there before has to be closed first.
    pub(super) fn open(&mut self, socket: Socket) {
        self.generation += 1;
        let generation = self.generation;
        let (sink, mut source) = socket.split();
        let (frames, queue) = mpsc::unbounded_channel();
        let teller = self.teller.clone();
        let writing = tokio::task::spawn_local(write(sink, queue, self.teller.clone(), generation));
        let reading = tokio::task::spawn_local(async move {
            while let Some(Ok(message)) = source.next().await {
                let heard = match message {
                    Message::Text(text) => Heard::Frame(text),
                    Message::Ping(_) | Message::Pong(_) => continue,
                    Message::Binary(_) | Message::Close(_) | Message::Frame(_) => break,
                };
                if teller.send(heard).await.is_err() {
                    return;
                }
            }
            // A link that is gone needs no word of it.
            drop(teller.send(Heard::Closed(generation)).await);
        });
        self.open = Some(Open {
            frames,
            tasks: [writing.abort_handle(), reading.abort_handle()],
        });
        self.outbox.opened();
        self.offer = None;
    }

    /// Closes the socket, if it is there; `generation` is the one that was heard to be gone. What has to go out over the
    /// native port in its place.
    pub(super) fn close(&mut self, generation: Option<u64>) -> Vec<String> {
        if generation.is_some_and(|generation| generation != self.generation) {
            return Vec::new();
        }
        self.open = None;
        self.outbox.closed(again)
    }

    /// Whether there is a socket.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Sends a message the way it has to go; the text that is left for the native port.
    pub(super) fn send(
        &mut self,
        text: String,
        starts: Option<CallId>,
        about: Option<CallId>,
    ) -> Option<String> {
        match self.outbox.route(text, starts, about) {
            Way::Native(text) => Some(text),
            Way::Socket(frame) => {
                if let Some(open) = &self.open {
                    // When its task is gone, the message goes out again once that is heard.
                    drop(open.frames.send(frame));
                }
                None
            }
        }
    }

    fn withdraw(&mut self) {
        if let Some((sockets, id)) = self.offer.take() {
            sockets.withdraw(&id);
        }
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        self.withdraw();
    }
}

async fn write(
    mut sink: SplitSink<Socket, Message>,
    mut queue: mpsc::UnboundedReceiver<String>,
    teller: mpsc::Sender<Heard>,
    generation: u64,
) {
    while let Some(frame) = queue.recv().await {
        if !matches!(
            timeout(WRITE_LIMIT, sink.send(Message::text(frame))).await,
            Ok(Ok(()))
        ) {
            break;
        }
    }
    drop(teller.send(Heard::Closed(generation)).await);
}

/// The native message that carries a message of the socket again.
fn again(number: u64, json: &str) -> String {
    format!(r#"{{"type":"again","number":{number},"message":{json}}}"#)
}
