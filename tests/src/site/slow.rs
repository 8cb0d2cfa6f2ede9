//! Pages that take their time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Query;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use tokio::time::sleep;

use super::Shared;
use super::pages::{list, page, rows};

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/slow/headers", get(late_headers))
        .route("/slow/body", get(late_body))
        .route("/slow/rows", get(late_rows))
        .route("/slow/never", get(never))
}

/// How late: milliseconds after the request, or earlier where `at` comes earlier, a time in milliseconds since 1970.
#[derive(Deserialize)]
struct Late {
    ms: u64,
    at: Option<u64>,
}

impl Late {
    fn duration(&self) -> Duration {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let after = Duration::from_millis(self.ms.min(120_000));
        match self.at {
            Some(at) => after.min(Duration::from_millis(at).saturating_sub(now)),
            None => after,
        }
    }
}

/// Nothing at all comes before its time.
async fn late_headers(Query(late): Query<Late>) -> Html<String> {
    sleep(late.duration()).await;
    list(&rows(1..=3), "")
}

/// The first half comes at once: the document is there and goes on loading.
async fn late_body(Query(late): Query<Late>) -> Response {
    let Html(whole) = list(&rows(1..=3), "");
    let middle = whole.find("<ul>").unwrap_or(0);
    let (start, rest) = (whole[..middle].to_owned(), whole[middle..].to_owned());
    let first = stream::once(async { Ok::<_, std::io::Error>(Bytes::from(start)) });
    let parts = first.chain(stream::once(async move {
        sleep(late.duration()).await;
        Ok(Bytes::from(rest))
    }));
    (
        [(header::CONTENT_TYPE, "text/html; charset=utf-8")],
        Body::from_stream(parts),
    )
        .into_response()
}

/// A loaded page whose list a script fills in later.
async fn late_rows(Query(late): Query<Late>) -> Html<String> {
    let rows = serde_json::Value::from(rows(1..=3));
    page(
        "Late rows",
        format!(
            "<div id=\"root\">Loading…</div><script>setTimeout(() => {{
               document.getElementById('root').innerHTML = '<main><ul>' + {rows} + '</ul></main>'; }}, {})</script>",
            late.duration().as_millis()
        ),
    )
}

/// A loaded page that never gets further.
async fn never() -> Html<String> {
    page("Loading", "<div id=\"root\">Loading…</div>")
}
