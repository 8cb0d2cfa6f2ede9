//! The local web site: small pages, one behaviour each, on two origins, with a log of everything that reached it.
//!
//! | path | page |
//! |---|---|
//! | `/login`, `/logout`, `/account` | a form that sets an HttpOnly cookie; a page that needs it |
//! | `/orders?page=N` | orders behind that login, three pages; user `new` has none; `renamed=1` renames the rows' class |
//! | `/states/NAME` | one recipe rule each, see `site/states.rs` |
//! | `/slow/headers`, `/slow/rows`, `/slow/body` with `ms`, `/slow/never` | late answers, late rows, no rows at all |
//! | `/observer`, `/armed`, `/dialog`, `/busy`, `/clobber`, `/strict`, `/strict/none` | see `site/hostile.rs` |
//! | `/redirect?to=`, `/script-redirect?to=` | to anywhere, by header and by script |
//! | `/cookie` | the cookies of the request, as text |
//! | `/big?rows=N` | a list of N rows, for measuring |
//! | `/widgets/NAME`, `/patterns/NAME` | widgets of pinned packages, ARIA patterns, as files under `tests/web` |
//! | `/wob/…` | the tasks of the MiniWoB++ benchmark, as downloaded |
//! | `/accname/…` | accessible-name cases from the shared folder |
//! | `/saved/…` | saved real pages from the shared folder, kept from asking third parties |
//! | `/shadow/{open,closed,slots}` | shadow trees |
//! | `/frames/NAME` | frames of every kind, see `site/framed.rs` |
//! | `/hidden/{methods,shown,secrets}` | what cannot be seen, what only seems so, what must not be told |
//! | `/huge/{buttons,rows,labels,wrappers,table,elements,tree,log,form}?count=N` | much of the same |
//! | `/huge/saved/…?count=N` | a saved page with its body repeated to N bytes |
//! | `/torture` | text that is hard to handle |
//! | `/virtual?kind={grid,plain,slow}&count=N` | recycled rows in a box that scrolls |
//! | `/changing/NAME` | pages that change under a reader's hands, see `site/changing.rs` |
//! | `/forged/{text,long,clobber}` | texts and names that pose as something else |
//! | `/act/NAME` | something to press, drag or type into; see `site/acting.rs` |
//! | `/log`, `/report` | where pages and the browser report to |
//!
//! A test that needs one more page puts it there: [`Site::put`].

mod acting;
mod changing;
mod forged;
mod framed;
pub mod hidden;
mod hostile;
mod huge;
mod log;
mod orders;
mod pages;
pub mod recipes;
mod saved;
mod shadow;
mod slow;
mod states;
mod torture;
mod virtualised;
mod web;

pub use axum::http::{HeaderName, HeaderValue, header};
pub use log::Event;
pub use web::{accnames, patterns, saved as saved_pages, widgets};

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::wait;
use log::Log;

/// A running site. It ends when this is dropped.
pub struct Site {
    /// Where most pages are asked for, such as `http://127.0.0.1:40001`.
    pub origin: String,
    /// The same pages on another origin.
    pub other: String,
    shared: Shared,
    servers: [JoinHandle<()>; 2],
}

/// What every page can see. Requests of both origins share it.
#[derive(Clone)]
struct Shared {
    log: Arc<Log>,
    /// Pages of the running test, by path.
    put: Arc<Mutex<HashMap<String, Put>>>,
    /// The part of the login cookie that must never leave the browser.
    secret: Arc<str>,
    origins: Arc<[String; 2]>,
}

/// A page of the running test.
#[derive(Clone)]
struct Put {
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Site {
    /// Starts the site on two free ports.
    ///
    /// # Errors
    /// When there are none.
    pub async fn start() -> Result<Self> {
        let listeners = [
            TcpListener::bind("127.0.0.1:0").await?,
            TcpListener::bind("127.0.0.1:0").await?,
        ];
        let [origin, other] = [0, 1].map(|index: usize| {
            listeners[index]
                .local_addr()
                .map(|address| format!("http://{address}"))
        });
        let (origin, other) = (origin?, other?);
        let shared = Shared {
            log: Arc::default(),
            put: Arc::default(),
            secret: uuid::Uuid::new_v4().simple().to_string().into(),
            origins: Arc::new([origin.clone(), other.clone()]),
        };
        let servers = listeners.map(|listener| {
            let router = router(shared.clone());
            tokio::spawn(async move {
                // It ends with the task alone.
                let _ = axum::serve(listener, router).await;
            })
        });
        Ok(Self {
            origin,
            other,
            shared,
            servers,
        })
    }

    /// An address on the first origin.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Puts a page there for this test: a path and its HTML.
    pub fn put(&self, path: &str, html: impl Into<String>) {
        let html_type = HeaderValue::from_static("text/html; charset=utf-8");
        self.put_as(path, [(header::CONTENT_TYPE, html_type)], html.into());
    }

    /// Puts anything there for this test: a path, the headers and the bytes of the answer.
    pub fn put_as(
        &self,
        path: &str,
        headers: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
        body: impl Into<Vec<u8>>,
    ) {
        let put = Put {
            headers: headers.into_iter().collect(),
            body: body.into(),
        };
        let mut pages = self.shared.put.lock().unwrap_or_else(PoisonError::into_inner);
        pages.insert(path.to_owned(), put);
    }

    /// The recipe that fits the pages under `/states`, `/slow`, `/observer` and `/big`, for one path.
    pub fn recipe(&self, path: &str) -> Value {
        recipes::list(&self.origin, path)
    }

    /// The recipe that reads `/orders`.
    pub fn orders_recipe(&self) -> Value {
        recipes::orders(&self.origin)
    }

    /// The part of the login cookie that must never leave the browser.
    pub fn secret(&self) -> &str {
        &self.shared.secret
    }

    /// Everything that happened, in order.
    pub fn events(&self) -> Vec<Event> {
        self.shared.log.events()
    }

    /// Requests for a path, in order.
    pub fn requests(&self, path: &str) -> Vec<Event> {
        self.events()
            .into_iter()
            .filter(|event| event.path == path)
            .collect()
    }

    /// What the pages under `/act` got, in order: one line an event.
    pub fn acts(&self) -> Vec<String> {
        let told = self.requests(acting::LOG).into_iter();
        told.filter(|event| event.method == "POST")
            .map(|event| event.body)
            .collect()
    }

    /// Waits for something to happen.
    ///
    /// # Errors
    /// When it does not, within ten seconds.
    pub async fn until(&self, what: &str, happened: impl Fn(&Event) -> bool) -> Result<Event> {
        wait::until(what, Duration::from_secs(10), async || {
            Ok(self.events().into_iter().find(|event| happened(event)))
        })
        .await
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        for server in &self.servers {
            server.abort();
        }
    }
}

fn router(shared: Shared) -> Router {
    Router::new()
        .merge(orders::router())
        .merge(states::router())
        .merge(slow::router())
        .merge(hostile::router())
        .merge(saved::router())
        .merge(web::router())
        .merge(shadow::router())
        .merge(framed::router())
        .merge(hidden::router())
        .merge(huge::router())
        .merge(torture::router())
        .merge(virtualised::router())
        .merge(changing::router())
        .merge(forged::router())
        .merge(acting::router())
        .fallback(put)
        .layer(middleware::from_fn_with_state(shared.clone(), record))
        .with_state(shared)
}

/// Writes every request to the log before it is answered.
async fn record(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    match shared.log.take(request).await {
        Ok(request) => next.run(request).await,
        Err(problem) => (StatusCode::BAD_REQUEST, problem.to_string()).into_response(),
    }
}

async fn put(State(shared): State<Shared>, request: Request) -> Response {
    let pages = shared.put.lock().unwrap_or_else(PoisonError::into_inner);
    match pages.get(request.uri().path()) {
        Some(Put { headers, body }) => (headers.clone(), body.clone()).into_response(),
        None => (
            StatusCode::NOT_FOUND,
            pages::page("Not found", "<h1>Not found</h1>"),
        )
            .into_response(),
    }
}
