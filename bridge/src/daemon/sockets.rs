//! The one network port of the daemon: 127.0.0.1, a number that the system picks, bound once a link wants it. It takes
//! WebSockets of our extension alone, and of those only who proves to hold the token that its link was offered over the
//! native port. Everybody else is closed without having learned anything.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::net::Ipv4Addr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result};
use drawbridge_protocol::Secret;
use drawbridge_protocol::bulk::SOCKET_LIMIT;
use drawbridge_protocol::link::SocketOffer;
use drawbridge_protocol::socket::{Accepting, OFFER_MS, Opening, PATH, accepting_mac, is, opening_mac};
use drawbridge_protocol::version::EXTENSION_ID;
use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::{StatusCode, header};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::hex;

/// How long whoever connects may take to prove who it is.
const PROOF_LIMIT: Duration = Duration::from_secs(10);

/// Connections that have not proved anything yet; one more, and the oldest is closed. Ours needs a few milliseconds.
const KNOCKING: usize = 32;

/// Bytes of a frame before the proof.
const PROOF_BYTES: usize = 1024;

/// Pause after a connection could not be accepted, such as without a descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What makes a build for tests behave as where no port can be bound.
#[cfg(feature = "sandbox")]
const PRETEND: &str = "DRAWBRIDGE_PRETEND_NO_PORT";

/// A connection that proved itself.
pub type Socket = WebSocketStream<TcpStream>;

/// The port and who may come through it.
#[derive(Debug)]
pub struct Sockets {
    port: Cell<Option<u16>>,
    offers: RefCell<HashMap<String, Offer>>,
    knocking: RefCell<VecDeque<CancellationToken>>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// What one link was offered; gone with the first try, whatever comes of it.
struct Offer {
    token: Secret,
    until: Instant,
    /// Hands the connection to the link.
    taker: Box<dyn FnOnce(Socket)>,
}

impl std::fmt::Debug for Offer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Offer")
            .field("until", &self.until)
            .finish_non_exhaustive()
    }
}

impl Sockets {
    /// Nothing is bound yet. `tasks` and `stop` are the daemon's.
    pub fn new(tasks: TaskTracker, stop: CancellationToken) -> Rc<Self> {
        Rc::new(Self {
            port: Cell::default(),
            offers: RefCell::default(),
            knocking: RefCell::default(),
            tasks,
            stop,
        })
    }

    /// Makes an offer; `taker` gets the connection that takes it up.
    ///
    /// # Errors
    /// When no port can be bound or the system has no randomness: the link goes on without a socket.
    pub fn offer(self: &Rc<Self>, taker: impl FnOnce(Socket) + 'static) -> Result<SocketOffer> {
        let port = self.bound()?;
        let (id, token) = (hex::random(16)?, Secret::new(hex::random(32)?));
        let now = Instant::now();
        let mut offers = self.offers.borrow_mut();
        offers.retain(|_, offer| offer.until > now);
        offers.insert(
            id.clone(),
            Offer {
                token: token.clone(),
                until: now + Duration::from_millis(OFFER_MS),
                taker: Box::new(taker),
            },
        );
        Ok(SocketOffer { port, id, token })
    }

    /// Takes an offer back, if nobody took it up.
    pub fn withdraw(&self, id: &str) {
        self.offers.borrow_mut().remove(id);
    }

    /// The port; bound by the first who asks.
    fn bound(self: &Rc<Self>) -> Result<u16> {
        if let Some(port) = self.port.get() {
            return Ok(port);
        }
        #[cfg(feature = "sandbox")]
        anyhow::ensure!(
            std::env::var_os(PRETEND).is_none(),
            "pretends that no port can be bound"
        );
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot bind a port")?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let listener = TcpListener::from_std(listener)?;
        self.port.set(Some(port));
        self.tasks.spawn_local(listen(Rc::clone(self), listener, port));
        tracing::info!(port, "socket bound");
        Ok(port)
    }

    /// A place among those who have not proved anything; the oldest loses its own when there are too many.
    fn enter(&self) -> CancellationToken {
        let token = CancellationToken::new();
        let mut knocking = self.knocking.borrow_mut();
        knocking.retain(|other| !other.is_cancelled());
        while knocking.len() >= KNOCKING {
            if let Some(oldest) = knocking.pop_front() {
                oldest.cancel();
            }
        }
        knocking.push_back(token.clone());
        token
    }
}

async fn listen(sockets: Rc<Sockets>, listener: TcpListener, port: u16) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = sockets.stop.cancelled() => return,
        };
        match accepted {
            Ok((stream, _)) => {
                let place = sockets.enter();
                sockets
                    .tasks
                    .spawn_local(knock(Rc::clone(&sockets), stream, port, place));
                // Those who just lost their place let go of their descriptors before the next comes in.
                tokio::task::yield_now().await;
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a socket");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// One connection until it proved itself, or for good.
async fn knock(sockets: Rc<Sockets>, stream: TcpStream, port: u16, place: CancellationToken) {
    let proved = tokio::select! {
        proved = timeout(PROOF_LIMIT, prove(&sockets, stream, port)) => proved,
        () = place.cancelled() => return,
        () = sockets.stop.cancelled() => return,
    };
    place.cancel();
    match proved {
        Ok(Some((socket, taker))) => taker(socket),
        // Nothing of what it said: it may be anybody.
        Ok(None) | Err(_) => tracing::debug!("a socket without proof closed"),
    }
}

type Proved = Option<(Socket, Box<dyn FnOnce(Socket)>)>;

async fn prove(sockets: &Sockets, stream: TcpStream, port: u16) -> Proved {
    stream.set_nodelay(true).ok()?;
    let small = WebSocketConfig::default()
        .read_buffer_size(4 * PROOF_BYTES)
        .max_message_size(Some(PROOF_BYTES))
        .max_frame_size(Some(PROOF_BYTES));
    let check = |request: &Request, response: Response| match is_ours(request, port) {
        true => Ok(response),
        false => Err(forbidden()),
    };
    let mut socket = tokio_tungstenite::accept_hdr_async_with_config(stream, check, Some(small))
        .await
        .ok()?;
    let Some(Ok(Message::Text(first))) = socket.next().await else {
        return None;
    };
    let opening: Opening = serde_json::from_str(&first).ok()?;
    // Gone before it is even looked at: there is no second try.
    let offer = sockets.offers.borrow_mut().remove(&opening.id)?;
    let token = offer.token.expose();
    let wanted = opening_mac(token, &opening.id, &opening.nonce);
    if Instant::now() >= offer.until || !is(&opening.mac, &wanted) {
        tracing::warn!("a socket with a wrong or late proof closed");
        return None;
    }
    let nonce = hex::random(16).ok()?;
    let mac = accepting_mac(token, &opening.id, &opening.nonce, &nonce);
    let answer = serde_json::to_string(&Accepting { nonce, mac }).ok()?;
    socket.send(Message::text(answer)).await.ok()?;
    // Ours says nothing before it read that answer, so no byte is lost between the two.
    let large = WebSocketConfig::default()
        .max_message_size(Some(SOCKET_LIMIT))
        .max_frame_size(Some(SOCKET_LIMIT));
    let socket = WebSocketStream::from_raw_socket(socket.into_inner(), Role::Server, Some(large)).await;
    Some((socket, offer.taker))
}

/// Whether a request is one that only our extension's background makes: pages cannot choose their origin, nor a rebound
/// name its host.
fn is_ours(request: &Request, port: u16) -> bool {
    let is_one = |name: header::HeaderName, value: String| {
        let mut values = request.headers().get_all(name).iter();
        values
            .next()
            .is_some_and(|first| first.as_bytes() == value.as_bytes())
            && values.next().is_none()
    };
    request.uri() == PATH
        && is_one(header::HOST, format!("127.0.0.1:{port}"))
        && is_one(header::ORIGIN, format!("chrome-extension://{EXTENSION_ID}"))
}

fn forbidden() -> ErrorResponse {
    let mut response = ErrorResponse::new(None);
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
}
