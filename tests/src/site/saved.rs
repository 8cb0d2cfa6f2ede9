//! Saved real pages. They are third parties' content: served from the shared folder, never copied.

use std::path::{Component, Path as FilePath};

use axum::Router;
use axum::extract::{Path, Query};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;

use super::Shared;
use crate::project;

pub(super) fn router() -> Router<Shared> {
    Router::new().route("/saved/{*path}", get(saved))
}

#[derive(Deserialize)]
struct Change {
    /// A name that the site gave up since: it stands nowhere in the page any more.
    renamed: Option<String>,
}

async fn saved(Path(path): Path<String>, Query(change): Query<Change>) -> Response {
    let plain = FilePath::new(&path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let Ok(Some(shared)) = project::shared() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if !plain || !path.ends_with(".html") {
        return StatusCode::NOT_FOUND.into_response();
    }
    let Ok(mut bytes) = tokio::fs::read(shared.join("pages").join(&path)).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if let Some(name) = change.renamed {
        bytes = String::from_utf8_lossy(&bytes)
            .replace(&name, "renamed-since")
            .into_bytes();
    }
    // Nothing is asked of the sites they come from, and their scripts stay still.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    ];
    (headers, Html(bytes)).into_response()
}
