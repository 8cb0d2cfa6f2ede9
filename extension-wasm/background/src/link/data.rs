//! The link's socket, for what is large: opened with the bridge's offer, proved by both sides, gone with its port. While
//! there is none, everything goes over the port.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::bulk::{self, Inbox, Outbox, Way};
use drawbridge_protocol::error::Error;
use drawbridge_protocol::link::{SocketOffer, ToBridge, ToExtension};
use drawbridge_protocol::socket::{Accepting, Opening, PATH, accepting_mac, is, opening_mac};
use wasm_bindgen_futures::spawn_local;

use super::backoff::Backoff;
use crate::chrome::{self, Socket};
use crate::state::App;
use crate::time::sleep;

/// How long opening and proof may take.
const PROOF: Duration = Duration::from_secs(5);

/// What belongs to the socket of one port. Only this module changes it.
#[derive(Default)]
pub(super) struct Data {
    outbox: RefCell<Outbox>,
    inbox: RefCell<Inbox>,
    socket: RefCell<Option<Socket>>,
    /// Counts sockets, so that what a lost one still says touches nothing.
    count: Cell<u64>,
    state: RefCell<State>,
    backoff: Cell<Backoff>,
}

/// How far the socket is.
#[derive(Clone, Default, PartialEq)]
enum State {
    /// There is none.
    #[default]
    None,
    /// Nothing is known of who listens.
    Opening { offer: SocketOffer, nonce: String },
    /// It is the bridge.
    Proved,
}

/// The way a message of ours goes; what is sent over the socket is sent.
pub(super) fn route(app: &Rc<App>, generation: u64, json: String) -> Option<String> {
    let data = &app.link.data;
    let frame = match data.outbox.borrow_mut().route(json, None, None) {
        Way::Native(json) => return Some(json),
        Way::Socket(frame) => frame,
    };
    let failed = data
        .socket
        .borrow()
        .as_ref()
        .is_none_or(|socket| socket.send(&frame).is_err());
    if failed {
        lost(app, generation, data.count.get());
    }
    None
}

/// Takes up an offer; none closes the socket for good.
pub(super) fn offered(app: &Rc<App>, generation: u64, offer: Option<SocketOffer>) {
    close(app, generation);
    let Some(offer) = offer else { return };
    let data = &app.link.data;
    let count = data.count.get();
    let nonce = crate::random_word();
    let opening = Opening {
        id: offer.id.clone(),
        nonce: nonce.clone(),
        mac: opening_mac(offer.token.expose(), &offer.id, &nonce),
    };
    let port = offer.port;
    data.state.replace(State::Opening { offer, nonce });
    let (on_open, on_text, on_close) = (Rc::clone(app), Rc::clone(app), Rc::clone(app));
    let opened = chrome::connect_socket(
        port,
        PATH,
        move || {
            let proof = serde_json::to_string(&opening).unwrap_or_default();
            let sent = on_open
                .link
                .data
                .socket
                .borrow()
                .as_ref()
                .is_some_and(|socket| socket.send(&proof).is_ok());
            if !sent {
                lost(&on_open, generation, count);
            }
        },
        move |text| heard(&on_text, generation, count, &text),
        move || lost(&on_close, generation, count),
    );
    match opened {
        Ok(socket) => {
            data.socket.replace(Some(socket));
            let app = Rc::clone(app);
            spawn_local(async move {
                sleep(PROOF).await;
                if app.link.data.count.get() == count && *app.link.data.state.borrow() != State::Proved {
                    lost(&app, generation, count);
                }
            });
        }
        Err(failure) => {
            crate::log(&format!("the socket: {failure}"));
            lost(app, generation, count);
        }
    }
}

/// The bridge has a message of ours.
pub(super) fn taken(app: &Rc<App>, number: u64) -> Result<(), Error> {
    app.link.data.outbox.borrow_mut().taken(number)
}

/// A message of the socket that came again over the port: the message, if it is new.
pub(super) fn again(
    app: &Rc<App>,
    generation: u64,
    number: u64,
    message: ToExtension,
) -> Result<Option<ToExtension>, Error> {
    let is_new = app.link.data.inbox.borrow_mut().is_new(number)?;
    super::send(app, generation, &ToBridge::Taken { number });
    Ok(is_new.then_some(message))
}

/// To be called at regular times: gives up a socket that takes nothing any more.
pub(super) fn beat(app: &Rc<App>, generation: u64) {
    let stuck = app.link.data.outbox.borrow_mut().is_stuck();
    if stuck {
        lost(app, generation, app.link.data.count.get());
    }
}

/// Forgets everything: the port is another one.
pub(super) fn reset(app: &App) {
    let data = &app.link.data;
    data.count.set(data.count.get() + 1);
    data.state.replace(State::None);
    data.outbox.take();
    data.inbox.take();
    data.backoff.take();
    discard(data.socket.take());
}

fn heard(app: &Rc<App>, generation: u64, count: u64, text: &str) {
    let data = &app.link.data;
    if !app.link.is_current(generation) || data.count.get() != count {
        return;
    }
    let state = data.state.borrow().clone();
    match state {
        State::None => {}
        State::Opening { offer, nonce } => {
            if is_bridge(text, &offer, &nonce) {
                data.state.replace(State::Proved);
                data.backoff.take();
                data.outbox.borrow_mut().opened();
            } else {
                // Whoever listens there is not the bridge, and has heard nothing but a proof that is used up.
                crate::log("somebody else listens on the bridge's port");
                lost(app, generation, count);
            }
        }
        State::Proved => {
            if let Err(error) = arrived(app, generation, text) {
                super::lost(app, generation, error.to_string());
            }
        }
    }
}

fn is_bridge(text: &str, offer: &SocketOffer, nonce: &str) -> bool {
    serde_json::from_str::<Accepting>(text).is_ok_and(|accepting| {
        let wanted = accepting_mac(offer.token.expose(), &offer.id, nonce, &accepting.nonce);
        is(&accepting.mac, &wanted)
    })
}

fn arrived(app: &Rc<App>, generation: u64, text: &str) -> Result<(), Error> {
    let (number, json) = bulk::unframed(text)?;
    let is_new = app.link.data.inbox.borrow_mut().is_new(number)?;
    super::send(app, generation, &ToBridge::Taken { number });
    if is_new {
        super::understand(app, generation, json);
    }
    Ok(())
}

/// The socket is gone: what may not have arrived goes over the port, and another socket is asked for.
fn lost(app: &Rc<App>, generation: u64, count: u64) {
    let data = &app.link.data;
    if !app.link.is_current(generation) || data.count.get() != count {
        return;
    }
    close(app, generation);
    let count = data.count.get();
    let (wait, next) = data.backoff.get().next();
    data.backoff.set(next);
    let app = Rc::clone(app);
    spawn_local(async move {
        sleep(wait).await;
        // Unless the bridge made another offer meanwhile, or took the last one back.
        if app.link.data.count.get() == count {
            super::send(&app, generation, &ToBridge::WantSocket);
        }
    });
}

fn close(app: &Rc<App>, generation: u64) {
    let data = &app.link.data;
    data.count.set(data.count.get() + 1);
    data.state.replace(State::None);
    discard(data.socket.take());
    let again = data
        .outbox
        .borrow_mut()
        .closed(|number, json| format!(r#"{{"type":"again","number":{number},"message":{json}}}"#));
    for json in again {
        super::post(app, generation, json);
    }
}

/// It may be one of the socket's own listeners that runs now.
fn discard(socket: Option<Socket>) {
    if let Some(socket) = socket {
        spawn_local(async move { drop(socket) });
    }
}
