//! Pages that something is done on. Each tells the site every event it gets (`acting/log.js`), one line a request, such as
//! `click go 1`: the event, the id of its innermost target, and what belongs to it. What was made by script begins with
//! `untrusted`.

mod clicks;
mod drags;
mod framed;
mod moves;
mod tabs;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::Shared;
use super::pages::page;

/// Where pages tell what they got.
pub(super) const LOG: &str = "/act/log";

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/act/log.js", get(script))
        .route(LOG, post(told))
        .route("/act/{name}", get(acting))
}

#[derive(Deserialize)]
struct Asked {
    /// Milliseconds until it answers.
    #[serde(default)]
    ms: u64,
}

async fn script() -> Response {
    let kind = (header::CONTENT_TYPE, "text/javascript; charset=utf-8");
    ([kind], include_str!("acting/log.js")).into_response()
}

/// Everybody may tell, frames of other origins and without one too.
async fn told() -> Response {
    (
        [(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")],
        StatusCode::NO_CONTENT,
    )
        .into_response()
}

async fn acting(
    State(shared): State<Shared>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Response {
    tokio::time::sleep(std::time::Duration::from_millis(asked.ms.min(30_000))).await;
    let body = clicks::body(&name)
        .or_else(|| moves::body(&name))
        .or_else(|| drags::body(&name))
        .or_else(|| tabs::body(&name))
        .map(str::to_owned)
        .or_else(|| framed::body(&name, &shared.origins));
    match body {
        Some(body) => page("Acting", format!("<script src=\"/act/log.js\"></script>{body}")).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
