//! What reached the site.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header;

/// Bytes of a body that are kept.
const BODY: usize = 4 * 1024 * 1024;

/// One request. What pages report themselves are POSTs to `/log`, what the browser reports are POSTs to `/report`.
#[derive(Clone, Debug)]
pub struct Event {
    /// Since the site started.
    pub at: Duration,
    /// The host and port that was asked.
    pub host: String,
    /// Such as `GET`.
    pub method: String,
    /// Without the query.
    pub path: String,
    /// Without the question mark; empty without a query.
    pub query: String,
    /// The `Cookie` header.
    pub cookie: Option<String>,
    /// The body as text.
    pub body: String,
}

/// The site's memory.
pub(super) struct Log {
    since: Instant,
    events: Mutex<Vec<Event>>,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            since: Instant::now(),
            events: Mutex::default(),
        }
    }
}

impl Log {
    /// Writes a request down and hands it on.
    pub(super) async fn take(&self, request: Request) -> Result<Request> {
        let at = self.since.elapsed();
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, BODY).await?;
        let text = |name| {
            parts
                .headers
                .get(name)
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned)
        };
        let event = Event {
            at,
            host: text(header::HOST).unwrap_or_default(),
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            cookie: text(header::COOKIE),
            body: String::from_utf8_lossy(&body).into_owned(),
        };
        self.events
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(event);
        Ok(Request::from_parts(parts, Body::from(body)))
    }

    pub(super) fn events(&self) -> Vec<Event> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
