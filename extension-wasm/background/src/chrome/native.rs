//! The port to the native host.

use js_sys::JSON;
use wasm_bindgen::prelude::*;

use super::bindings::{self as api, Port};
use super::{Answer, Failure, field, words};

/// A port that was opened; dropping it disconnects, and none of its events arrives afterwards.
pub(crate) struct NativePort {
    port: Port,
    on_message: Closure<dyn FnMut(JsValue)>,
    on_disconnect: Closure<dyn FnMut(JsValue)>,
}

/// Starts the native host. Messages arrive as JSON text; the other listener is called once, with the browser's words.
///
/// # Errors
/// The browser's words; an absent host is told by the second listener instead.
pub(crate) fn connect_native(
    name: &str,
    mut on_message: impl FnMut(String) + 'static,
    mut on_disconnect: impl FnMut(String) + 'static,
) -> Answer<NativePort> {
    let port = api::connect_native(name).map_err(|error| Failure::Said(words(&error)))?;
    let on_message = Closure::<dyn FnMut(JsValue)>::new(move |message: JsValue| {
        // What came in as JSON goes out as JSON.
        if let Some(text) = JSON::stringify(&message).ok().and_then(|text| text.as_string()) {
            on_message(text);
        }
    });
    let on_disconnect = Closure::<dyn FnMut(JsValue)>::new(move |_: JsValue| {
        let error = api::RUNTIME.with(|runtime| field(runtime, "lastError"));
        on_disconnect(if error.is_undefined() {
            "the native host ended".to_owned()
        } else {
            words(&error)
        });
    });
    port.on_message().add_listener(on_message.as_ref());
    port.on_disconnect().add_listener(on_disconnect.as_ref());
    Ok(NativePort {
        port,
        on_message,
        on_disconnect,
    })
}

impl NativePort {
    /// Sends one frame of JSON.
    pub(crate) fn post(&self, frame: &str) -> Answer<()> {
        let said = |error: JsValue| Failure::Said(words(&error));
        let message = JSON::parse(frame).map_err(said)?;
        self.port.post_message(&message).map_err(said)
    }
}

impl Drop for NativePort {
    fn drop(&mut self) {
        self.port.on_message().remove_listener(self.on_message.as_ref());
        self.port
            .on_disconnect()
            .remove_listener(self.on_disconnect.as_ref());
        self.port.disconnect();
    }
}
