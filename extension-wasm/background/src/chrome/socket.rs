//! A WebSocket to this machine. <https://developer.mozilla.org/docs/Web/API/WebSocket>

use wasm_bindgen::prelude::*;

use super::bindings::WebSocket;
use super::{Answer, Failure, field, words};

/// A socket that is opening or open; dropping it closes it, and none of its events arrives afterwards.
pub(crate) struct Socket {
    socket: WebSocket,
    _on_open: Closure<dyn FnMut(JsValue)>,
    _on_message: Closure<dyn FnMut(JsValue)>,
    _on_close: Closure<dyn FnMut(JsValue)>,
}

/// Connects to a port of 127.0.0.1. What is no text closes the socket. The last listener is called once.
///
/// # Errors
/// The browser's words; that nobody listens there is told by the last listener instead.
pub(crate) fn connect_socket(
    port: u16,
    path: &str,
    mut on_open: impl FnMut() + 'static,
    mut on_text: impl FnMut(String) + 'static,
    on_close: impl FnOnce() + 'static,
) -> Answer<Socket> {
    let address = format!("ws://127.0.0.1:{port}{path}");
    let socket = WebSocket::new(&address).map_err(|error| Failure::Said(words(&error)))?;
    let opened = Closure::<dyn FnMut(JsValue)>::new(move |_| on_open());
    let closing = socket.clone();
    let message =
        Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| match field(&event, "data").as_string() {
            Some(text) => on_text(text),
            None => closing.close(),
        });
    let close = Closure::<dyn FnMut(JsValue)>::once(move |_: JsValue| on_close());
    socket.set_onopen(Some(opened.as_ref()));
    socket.set_onmessage(Some(message.as_ref()));
    socket.set_onclose(Some(close.as_ref()));
    Ok(Socket {
        socket,
        _on_open: opened,
        _on_message: message,
        _on_close: close,
    })
}

impl Socket {
    /// Sends a text frame.
    pub(crate) fn send(&self, text: &str) -> Answer<()> {
        self.socket
            .send(text)
            .map_err(|error| Failure::Said(words(&error)))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        self.socket.close();
    }
}
