//! Pages that are large, deep, or full of the same.

use axum::Router;
use axum::extract::{Path, Query};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use std::fmt::Write as _;

use super::Shared;
use super::pages::page;
use crate::project;

/// Elements, rows or bytes at most.
const MOST: usize = 8 << 20;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/huge/{name}", get(huge))
        .route("/huge/saved/{*path}", get(repeated))
}

#[derive(Deserialize)]
struct Size {
    /// How many, of whatever the page is full of.
    count: usize,
}

async fn huge(Path(name): Path<String>, Query(size): Query<Size>) -> Response {
    let count = size.count.min(MOST);
    let body = match name.as_str() {
        "buttons" => (0..count).map(|_| "<button>Delete</button>\n").collect(),
        // Same-named ones, each in a row that tells them apart.
        "rows" => (1..=count)
            .map(|n| format!("<li>Item {n} <button>Edit</button> <button>Delete</button></li>\n"))
            .fold("<ul>".to_owned(), |all, one| all + &one),
        "labels" => (1..=count)
            .map(|n| format!("<label for=\"f{n}\">Field {n}</label><input id=\"f{n}\">\n"))
            .collect(),
        "wrappers" => format!("{}<button>Deep</button>{}", "<div>".repeat(count), "</div>".repeat(count)),
        "table" => table(count),
        "elements" => elements(count),
        // A button and a field before all of that.
        "hands" => format!(
            "<script>presses = 0, shownAt = 0</script><button id=go onclick=presses++>Press here</button>
             <label>Name here <input id=field></label><p id=told></p>{}",
            elements(count)
        ),
        "tree" => tree(count),
        "log" => log(count),
        "form" => "<h1>Sign in</h1><form><label>Name <input name=name></label><label>Mail <input type=email></label>
                   <label><input type=checkbox> Remember me</label><select aria-label=Kind><option>One<option>Two</select>
                   <button>Send</button> <a href=\"/help\">Help</a></form>"
            .to_owned(),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    page("Huge", body).into_response()
}

/// A saved page with its body repeated until the whole has `count` bytes.
async fn repeated(Path(path): Path<String>, Query(size): Query<Size>) -> Response {
    let Ok(Some(shared)) = project::shared() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if path.contains("..") {
        return StatusCode::NOT_FOUND.into_response();
    }
    let Ok(html) = tokio::fs::read_to_string(shared.join("pages").join(&path)).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let lower = html.to_ascii_lowercase();
    let start = lower
        .find("<body")
        .and_then(|at| html[at..].find('>').map(|end| at + end + 1));
    let (Some(start), Some(end)) = (start, lower.rfind("</body")) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut whole = html[..end].to_owned();
    while whole.len() < size.count.min(MOST) {
        whole.push_str(&html[start..end]);
    }
    whole.push_str(&html[end..]);
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    ];
    (headers, whole).into_response()
}

/// Six columns, a link and a button in each row.
fn table(rows: usize) -> String {
    let mut text = "<table><caption>Orders</caption><thead><tr><th>Number<th>Name<th>Date<th>Total<th>Link<th>Action</tr></thead><tbody>".to_owned();
    for n in 1..=rows {
        let _ = writeln!(
            text,
            "<tr><td>{n}<td>Customer {n}<td>2026-{:02}-{:02}<td>{n}.50<td><a href=\"/order/{n}\">Order {n}</a><td><button>Cancel</button></tr>",
            n % 12 + 1,
            n % 28 + 1
        );
    }
    text + "</tbody></table>"
}

/// Sections of headings, texts, links, fields and buttons; seven elements in each block of ten count as content.
fn elements(count: usize) -> String {
    let mut text = String::new();
    for n in 1..=count / 10 {
        let _ = writeln!(
            text,
            "<section><h2>Part {n}</h2><p>Words about part {n} <b>and more</b></p><div><a href=\"/part/{n}\">Part {n}</a>\
             <label>Note {n} <input></label><button>Keep {n}</button><span>done</span></div></section>"
        );
    }
    text
}

/// Lists in lists whose accessibility tree has about that many bytes as text.
fn tree(bytes: usize) -> String {
    let mut text = "<ul>".to_owned();
    let mut n = 0;
    while text.len() < bytes {
        n += 1;
        let _ = writeln!(
            text,
            "<li>Chapter {n}<ul><li><a href=\"/chapter/{n}/a\">First section of chapter {n}</a><li><a href=\"/chapter/{n}/b\">Second section of chapter {n}</a></ul>"
        );
    }
    text + "</ul>"
}

/// A log of about that many bytes; every thousandth line has `ERROR`, and the last line says so.
fn log(bytes: usize) -> String {
    let mut text = "<pre role=log>".to_owned();
    let mut n = 0;
    while text.len() < bytes {
        n += 1;
        let kind = if n % 1000 == 0 { "ERROR" } else { "info" };
        let _ = writeln!(text, "{n:07} {kind} request handled in {} ms", n % 97);
    }
    text + "the last line</pre>"
}
