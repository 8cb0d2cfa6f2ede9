//! Requests of a tab, heard only while somebody wants to: what and when, never what is in them.

use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::prelude::*;

use super::bindings::{self as api, Event};
use super::{Answer, Failure, js, read, words};

/// What happened to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It began.
    Began,
    /// Its response came, as far as its headers.
    Answered,
    /// Its response is whole, or it failed.
    Ended,
}

/// A request, as far as it is told.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Request {
    pub(crate) url: String,
    /// 0: there is none yet.
    pub(crate) status_code: u16,
    /// The document that asked; of a document in a frame, the one that is replaced.
    pub(crate) document_id: Option<String>,
    /// The document around that one.
    pub(crate) parent_document_id: Option<String>,
    #[serde(rename = "type")]
    pub(crate) kind: String,
}

type Listener = Closure<dyn FnMut(JsValue)>;

/// Listens until it is dropped.
pub(crate) struct Requests {
    listening: Vec<(Event, Listener)>,
}

/// Hears the requests of one tab from now on.
///
/// # Errors
/// The browser's words.
pub(crate) fn hear(tab: i64, told: impl FnMut(Step, Request) + Clone + 'static) -> Answer<Requests> {
    let filter = js(&json!({"urls": ["<all_urls>"], "tabId": tab}))?;
    let mut requests = Requests {
        listening: Vec::new(),
    };
    for (event, step) in [
        (api::ON_BEFORE_REQUEST.with(Clone::clone), Step::Began),
        (api::ON_RESPONSE_STARTED.with(Clone::clone), Step::Answered),
        (api::ON_COMPLETED.with(Clone::clone), Step::Ended),
        (api::ON_ERROR_OCCURRED.with(Clone::clone), Step::Ended),
    ] {
        let mut told = told.clone();
        let listener = Listener::new(move |details: JsValue| match read(&details) {
            Ok(request) => told(step, request),
            Err(failure) => crate::log(&format!("a request: {failure}")),
        });
        event
            .add_filtered(listener.as_ref(), &filter)
            .map_err(|error| Failure::Said(words(&error)))?;
        requests.listening.push((event, listener));
    }
    Ok(requests)
}

impl Drop for Requests {
    fn drop(&mut self) {
        for (event, listener) in &self.listening {
            event.remove_listener(listener.as_ref());
        }
    }
}
