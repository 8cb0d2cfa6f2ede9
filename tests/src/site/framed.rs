//! Frames of every kind. Each frame has a button that is called like the frame, and a field.
//!
//! `cross` is another origin of the same site, which shares a process with its parent; `foreign` is another site, whose
//! frames have a process of their own.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;

use super::Shared;
use super::pages::page;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/frames/inner/{name}", get(inner))
        .route("/frames/{name}", get(frames))
}

#[derive(Deserialize)]
struct Inner {
    /// Milliseconds until it answers.
    #[serde(default)]
    ms: u64,
}

/// What stands in a frame. What a press did is told to the site and shown in the button.
fn content(name: &str) -> String {
    format!(
        "<h2>Frame {name}</h2><button onclick=\"this.textContent += ' pressed'; fetch('/log', {{method: 'POST', mode: 'no-cors', \
         body: JSON.stringify({{kind: 'press', frame: '{name}'}})}})\">{name}</button><label>Field {name} <input></label>"
    )
}

fn is_name(name: &str) -> bool {
    name.chars().all(|one| one.is_ascii_alphanumeric() || one == '-')
}

async fn inner(Path(name): Path<String>, Query(inner): Query<Inner>) -> Response {
    if !is_name(&name) {
        return StatusCode::NOT_FOUND.into_response();
    }
    tokio::time::sleep(std::time::Duration::from_millis(inner.ms.min(30_000))).await;
    page(&name, content(&name)).into_response()
}

async fn frames(State(shared): State<Shared>, Path(name): Path<String>) -> Response {
    let [_, other] = &*shared.origins;
    let text = |html: &str| html.replace('&', "&amp;").replace('"', "&quot;");
    let framed = |name: &str| format!("<iframe title=\"{name}\" src=\"/frames/inner/{name}\"></iframe>");
    let srcdoc = |name: &str, inner: &str, more: &str| {
        let html = text(&format!("{}{inner}", content(name)));
        format!("<iframe title=\"{name}\" {more} srcdoc=\"{html}\"></iframe>")
    };
    let cross =
        |name: &str| format!("<iframe title=\"{name}\" src=\"{other}/frames/inner/{name}\"></iframe>");
    let abroad = other.replace("127.0.0.1", "localhost");
    let foreign =
        |name: &str| format!("<iframe title=\"{name}\" src=\"{abroad}/frames/inner/{name}\"></iframe>");
    let blank = |name: &str| {
        let html = serde_json::Value::from(content(name))
            .to_string()
            .replace('<', "\\u003c");
        format!(
            "<iframe id=\"{name}\" title=\"{name}\"></iframe><script>{{
             const d = document.getElementById('{name}').contentDocument; d.open(); d.write({html}); d.close(); }}</script>"
        )
    };
    let late = |name: &str| {
        format!(
            "<div id=\"{name}\"></div><script>setTimeout(() => {{ const f = document.createElement('iframe');
             f.title = '{name}'; f.src = '/frames/inner/{name}'; document.getElementById('{name}').append(f); }}, 500)</script>"
        )
    };
    let in_shadow = |name: &str, src: &str| {
        format!(
            "<div id=\"{name}\"></div><script>{{ const f = document.createElement('iframe'); f.title = '{name}'; f.src = '{src}';
             document.getElementById('{name}').attachShadow({{mode: 'open'}}).append(f); }}</script>"
        )
    };
    let body = match name.as_str() {
        "same" => framed("same"),
        "srcdoc" => srcdoc("srcdoc", "", ""),
        "blank" => blank("blank"),
        "sandboxed" => srcdoc("sandboxed", "", "sandbox") + &srcdoc("scripted", "", "sandbox=\"allow-scripts\""),
        "cross" => cross("cross"),
        "foreign" => foreign("foreign"),
        "nested" => format!("<iframe title=\"outer\" src=\"{abroad}/frames/back\"></iframe>"),
        // On the other origin: a frame that leads back to the first one.
        "back" => {
            let [first, _] = &*shared.origins;
            format!(
                "{}<iframe title=\"back\" src=\"{first}/frames/inner/back\"></iframe>{}",
                content("outer"),
                srcdoc("deep", "", "")
            )
        }
        "late" => late("late"),
        "shadow" => in_shadow("shadow", "/frames/inner/shadow") + &in_shadow("shadow-cross", &format!("{other}/frames/inner/shadow-cross")),
        "slow" => format!("<iframe title=\"slow\" src=\"{other}/frames/inner/slow?ms=3000\"></iframe>"),
        "hidden" => "<iframe title=\"hidden\" hidden srcdoc=\"<button>Hidden</button>\"></iframe>".to_owned() + &framed("shown"),
        "all" => [
            framed("same"),
            srcdoc("srcdoc", "", ""),
            blank("blank"),
            srcdoc("sandboxed", "", "sandbox"),
            cross("cross"),
            foreign("foreign"),
            format!("<iframe title=\"outer\" src=\"{abroad}/frames/back\"></iframe>"),
            in_shadow("shadow", "/frames/inner/shadow"),
        ]
        .concat(),
        // Frames of another site, all at one address, beside one of this site.
        "withheld" => format!(
            "{}{}<table><tr><th>Name<th>Age<tr><td>Ann<td>3<tr><td>Bob<td>4</table>{}",
            foreign("ad").repeat(3),
            framed("same"),
            foreign("ad").replace("<iframe", "<iframe hidden")
        ),
        // Borders, padding, scrolling and a transform around a frame.
        "moved" => format!(
            "<div style=\"transform: scale(.8) translate(40px, 30px)\"><iframe title=\"moved\" src=\"/frames/inner/moved\"
             style=\"border: 7px solid; padding: 11px\"></iframe></div><div style=\"height: 3000px\"></div>{}",
            cross("far")
        ),
        // An identical frame takes its place when the button is pressed.
        "replaced" => format!(
            "<button id=\"replace\" onclick=\"const f = document.querySelector('iframe'); f.replaceWith(f.cloneNode());\">Replace</button>{}",
            framed("replaced")
        ),
        // Something lies over the frame.
        "covered" => format!(
            "{}<div style=\"position: fixed; inset: 0; background: rgba(0, 0, 0, .2)\" id=\"over\"></div>",
            framed("covered")
        ),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    page(
        "Frames",
        format!("<h1>Frames</h1><button>Before</button>{body}<button>After</button>"),
    )
    .into_response()
}
