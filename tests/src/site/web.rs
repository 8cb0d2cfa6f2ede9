//! Pages that lie as files: under `tests/web` widgets and editors of pinned packages, and ARIA patterns written here, the
//! accessible-name cases of the shared folder, the downloaded tasks of MiniWoB++.

use std::path::{Component, Path as FilePath, PathBuf};

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::Shared;
use crate::project;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/widgets/{name}", get(widget))
        .route("/patterns/{name}", get(pattern))
        .route("/editors/{name}", get(editor))
        .route("/web/{name}", get(helper))
        .route("/npm/{*path}", get(package))
        .route("/accname/{name}", get(accname))
        .route("/wob/{*path}", get(wob))
}

/// Paths of all widget pages, sorted.
///
/// # Errors
/// When the folder cannot be listed, or the packages are not installed; says how to install them.
pub fn widgets() -> Result<Vec<String>> {
    project::web_packages()?;
    listed(&project::web().join("widgets"), "/widgets/", false)
}

/// Paths of all ARIA patterns, sorted.
///
/// # Errors
/// When the folder cannot be listed.
pub fn patterns() -> Result<Vec<String>> {
    listed(&project::web().join("patterns"), "/patterns/", false)
}

/// Paths of all accessible-name cases, sorted; none without the shared folder.
///
/// # Errors
/// When the folder cannot be listed, or it is missing in CI.
pub fn accnames() -> Result<Vec<String>> {
    project::shared()?.map_or(Ok(Vec::new()), |shared| {
        listed(&shared.join("accname"), "/accname/", true)
    })
}

/// Paths of all saved real pages, sorted; none without the shared folder.
///
/// # Errors
/// When a folder cannot be listed, or it is missing in CI.
pub fn saved() -> Result<Vec<String>> {
    let Some(shared) = project::shared()? else {
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    for folder in ["articles", "recipes"] {
        let below = format!("/saved/{folder}/");
        all.extend(listed(&shared.join("pages").join(folder), &below, true)?);
    }
    Ok(all)
}

/// The HTML files of a folder as paths of the site, with or without their ending.
fn listed(folder: &FilePath, below: &str, ending: bool) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("could not list {}", folder.display()))?;
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(stem) = name.strip_suffix(".html") {
            found.push(format!("{below}{}", if ending { &name } else { stem }));
        }
    }
    found.sort();
    Ok(found)
}

async fn widget(Path(name): Path<String>) -> Response {
    serve(&project::web().join("widgets"), &format!("{name}.html")).await
}

async fn pattern(Path(name): Path<String>) -> Response {
    serve(&project::web().join("patterns"), &format!("{name}.html")).await
}

async fn editor(Path(name): Path<String>) -> Response {
    serve(&project::web().join("editors"), &format!("{name}.html")).await
}

async fn helper(Path(name): Path<String>) -> Response {
    serve(&project::web(), &name).await
}

async fn package(Path(path): Path<String>) -> Response {
    match project::web_packages() {
        Ok(folder) => serve(&folder, &path).await,
        Err(problem) => (StatusCode::NOT_FOUND, problem.to_string()).into_response(),
    }
}

async fn wob(Path(path): Path<String>) -> Response {
    match project::wob() {
        Ok(folder) => serve(&folder, &path).await,
        Err(problem) => (StatusCode::NOT_FOUND, problem.to_string()).into_response(),
    }
}

async fn accname(Path(name): Path<String>) -> Response {
    match project::shared() {
        Ok(Some(shared)) => serve(&shared.join("accname"), &name).await,
        Ok(None) | Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

/// One file below a folder, never beside it.
async fn serve(folder: &FilePath, below: &str) -> Response {
    let below = PathBuf::from(below);
    if !below
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return StatusCode::NOT_FOUND.into_response();
    }
    let kind = match below.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("woff2") => "font/woff2",
        Some(_) | None => "application/octet-stream",
    };
    match tokio::fs::read(folder.join(below)).await {
        Ok(bytes) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}
