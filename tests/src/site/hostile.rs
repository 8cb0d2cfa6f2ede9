//! Pages that resist, watch, or lead elsewhere.

use axum::Router;
use axum::extract::{Query, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::Shared;
use super::pages::{list, page, rows};

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/log", post(async || StatusCode::NO_CONTENT))
        .route("/report", post(async || StatusCode::NO_CONTENT))
        .route("/redirect", get(redirect))
        .route("/script-redirect", get(script_redirect))
        .route("/observer", get(observer))
        .route("/armed", get(armed))
        .route("/dialog", get(dialog))
        .route("/busy", get(busy))
        .route("/clobber", get(clobber))
        .route("/strict", get(strict))
        .route("/strict/form", get(strict_form))
        .route("/strict/none", get(strict_none))
        .route("/event-log", get(event_log))
        .route("/other", get(other))
}

#[derive(Deserialize)]
struct To {
    to: String,
}

/// To any address, also to such as no browser follows.
async fn redirect(Query(To { to }): Query<To>) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, to)]).into_response()
}

async fn script_redirect(Query(To { to }): Query<To>) -> Html<String> {
    page(
        "Leaving",
        format!(
            "<p>Leaving</p><script>location.assign({})</script>",
            script_text(&to)
        ),
    )
}

/// Rows come when their end of the page is looked at: never in a background tab.
async fn observer() -> Html<String> {
    let rows = script_text(&rows(1..=3));
    page(
        "Observer",
        format!(
            "<div id=\"root\"><p id=\"end\">Loading…</p></div><script>
             new IntersectionObserver((entries, observer) => {{
               if (!entries.some(entry => entry.isIntersecting)) return;
               observer.disconnect();
               document.getElementById('root').innerHTML = '<main><ul>' + {rows} + '</ul></main>';
             }}).observe(document.getElementById('end'));</script>"
        ),
    )
}

/// Asks before it is left, once a person did something in it.
async fn armed() -> Html<String> {
    list(
        &rows(1..=3),
        "<button id=\"arm\">Arm</button><script>
         addEventListener('beforeunload', event => { event.preventDefault(); event.returnValue = 'stay'; });
         document.getElementById('arm').onclick = event => {
           event.target.textContent = event.isTrusted ? 'armed' : 'untrusted'; };</script>",
    )
}

#[derive(Deserialize)]
struct Kind {
    #[serde(default = "alert")]
    kind: String,
}

fn alert() -> String {
    "alert".to_owned()
}

/// Opens `alert`, `confirm` or `prompt` as soon as it is loaded.
async fn dialog(Query(Kind { kind }): Query<Kind>) -> Response {
    if !["alert", "confirm", "prompt"].contains(&kind.as_str()) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let script =
        format!("<script>addEventListener('load', () => setTimeout(() => {kind}('Hello'), 0))</script>");
    list(&rows(1..=3), script).into_response()
}

#[derive(Deserialize)]
struct For {
    ms: u32,
}

/// Keeps its main thread to itself for a time, again and again.
async fn busy(Query(For { ms }): Query<For>) -> Html<String> {
    list(
        &rows(1..=3),
        format!(
            "<script>addEventListener('load', () => setInterval(() => {{
               const end = performance.now() + {ms}; while (performance.now() < end); }}, 10))</script>"
        ),
    )
}

/// Form fields that stand in front of the DOM's own properties, and rows among them.
async fn clobber() -> Html<String> {
    const NAMES: &[&str] = &[
        "parentNode",
        "parentElement",
        "childNodes",
        "children",
        "firstChild",
        "nextSibling",
        "attributes",
        "getAttribute",
        "hasAttributes",
        "tagName",
        "localName",
        "nodeName",
        "nodeType",
        "innerText",
        "textContent",
        "querySelectorAll",
        "querySelector",
        "ownerDocument",
        "id",
        "className",
        "shadowRoot",
        "checkVisibility",
        "getBoundingClientRect",
        "matches",
        "closest",
        "style",
        "hidden",
        "href",
        "assignedNodes",
        "isConnected",
    ];
    let fields: String = NAMES
        .iter()
        .map(|name| format!("<input name=\"{name}\">"))
        .collect();
    let rows = rows(1..=3).replace("</li>", &format!("</li><li><form>{fields}</form></li>"));
    // Named elements stand in front of the document's properties too.
    let images: String = NAMES
        .iter()
        .map(|name| format!("<img name=\"{name}\" alt=\"\">"))
        .collect();
    page(
        "Clobber",
        format!("<main><form class=\"outer\">{fields}<ul>{rows}</ul></form>{images}</main>"),
    )
}

/// A strict policy that reports, and a page that writes down whatever it can see of a visitor.
async fn strict() -> Response {
    watched(list(&rows(1..=3), ""))
}

/// The same with controls of every kind, an open shadow tree and a frame.
async fn strict_form() -> Response {
    watched(page(
        "Form",
        "<main><h1>Form</h1><label>Name <input value=\"Ada\"></label><label><input type=checkbox checked> Agree</label>
         <select aria-label=Kind><option>One<option selected>Two</select><details open><summary>More</summary><a href=\"/more\">Inside</a></details>
         <div><template shadowrootmode=open><button>In a root</button></template></div><div role=button tabindex=0>Division</div>
         <table><tr><th>Key<th>Value<tr><td>a<td>1</table><button>Send</button></main>",
    ))
}

/// Puts a page under the strict policy, with the script that writes down what it sees.
fn watched(Html(html): Html<String>) -> Response {
    const WATCH: &str = r#"
const before = new Set(Object.getOwnPropertyNames(window));
const report = (kind, detail) => fetch('/log', {method: 'POST', keepalive: true, body: JSON.stringify({kind, detail})});
addEventListener('securitypolicyviolation', e => report('violation', e.violatedDirective + ' ' + e.blockedURI));
addEventListener('message', e => report('message', String(e.origin)));
addEventListener('error', e => report('error', e.message));
const watcher = new MutationObserver(list =>
  report('mutation', list.map(m => m.type + ' ' + m.target.nodeName + ' ' + (m.attributeName ?? ''))));
// From the end of parsing on: what is added before looks like the parser's work, and shows in the evidence.
addEventListener('DOMContentLoaded', () =>
  watcher.observe(document, {attributes: true, childList: true, characterData: true, subtree: true}));
function evidence() {
  return {globals: Object.getOwnPropertyNames(window).filter(name => !before.has(name)),
    nodes: document.querySelectorAll('*').length,
    attributes: [...document.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => e.localName + ' ' + a.name))};
}
before.add('evidence');
addEventListener('pagehide', () => navigator.sendBeacon('/log', JSON.stringify({kind: 'evidence', detail: evidence()})));
addEventListener('load', () => report('loaded', evidence()));
"#;
    let policy = "default-src 'none'; img-src data:; script-src 'nonce-watch'; connect-src 'self'; \
                  require-trusted-types-for 'script'; trusted-types 'none'; report-uri /report";
    let html = html.replace(
        "</main>",
        &format!("</main><script nonce=\"watch\">{WATCH}</script>"),
    );
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(html)).into_response()
}

/// The strictest policy there is: no script runs, no module compiles.
async fn strict_none() -> Response {
    let policy = "default-src 'none'; img-src data:; script-src 'none'; connect-src 'none'; \
                  require-trusted-types-for 'script'; trusted-types 'none'; report-uri /report; sandbox";
    let headers: [(HeaderName, &str); 1] = [(header::CONTENT_SECURITY_POLICY, policy)];
    (headers, list(&rows(1..=3), "")).into_response()
}

/// Reports every event a person's hand or a script can cause in it.
async fn event_log() -> Html<String> {
    list(
        &rows(1..=3),
        "<button id=\"button\">Press</button><input id=\"field\"><script>
         for (const kind of ['click', 'mousedown', 'keydown', 'input', 'change', 'focus', 'blur', 'scroll', 'visibilitychange'])
           addEventListener(kind, event => fetch('/log', {method: 'POST', keepalive: true, body: JSON.stringify(
             {kind, target: event.target.id || event.target.nodeName, trusted: event.isTrusted})}), true);</script>",
    )
}

/// Where the other origin is, for pages that embed it.
async fn other(State(shared): State<Shared>) -> Html<String> {
    let [_, other] = &*shared.origins;
    list(
        &rows(1..=3),
        format!("<iframe src=\"{other}/states/ok\" title=\"other\"></iframe>"),
    )
}

/// A text as a JavaScript literal that is safe inside a `<script>`.
fn script_text(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('<', "\\u003c")
}
