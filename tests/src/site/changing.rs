//! Pages that change under a reader's hands. What is clicked becomes the title and a report to the site.

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::Shared;
use super::pages::page;

pub(super) fn router() -> Router<Shared> {
    Router::new().route("/changing/{name}", get(changing))
}

/// Every trusted click is reported with the text of what was hit.
const REPORT: &str = r"<script>
addEventListener('click', (event) => {
  document.title = event.target.textContent;
  fetch('/log', {method: 'POST', keepalive: true, body: JSON.stringify({kind: 'click', text: event.target.textContent, id: event.target.id, trusted: event.isTrusted})});
}, true);
</script>";

async fn changing(Path(name): Path<String>) -> Response {
    let body = match name.as_str() {
        // `insert()` puts a fourth button above; `drop(n)` removes one.
        "three" => "<div id=list><button>One</button><button>Two</button><button>Three</button></div><script>
            let made = 0;
            const insert = () => { const one = document.createElement('button'); one.textContent = `New ${++made}`; list.prepend(one); };
            const drop = (at) => list.children[at].remove();</script>",
        // Goes from route to route in the same document; the navigation stays, the content is replaced.
        "pushstate" => "<nav><button id=stays>Stays</button><a href=/changing/pushstate/a id=go>Go</a></nav><main id=view><button>First view</button></main><script>
            let turn = 0;
            const go = (name) => { history.pushState({}, '', `/changing/pushstate?view=${name}`); view.innerHTML = '';
              const one = document.createElement('button'); one.textContent = `View ${name}`; view.append(one); };
            document.getElementById('go').onclick = (event) => { event.preventDefault(); go(`n${++turn}`); };</script>",
        // Draws its list anew, in new elements that look the same, or keeps the elements and moves them.
        "rerender" => "<ul id=list></ul><script>
            const names = ['Ada', 'Bo', 'Cy'];
            const draw = () => { list.innerHTML = names.map((name) => `<li>${name} <button>Open ${name}</button></li>`).join(''); };
            const shuffle = () => list.append(list.firstElementChild);
            const rename = () => { list.querySelector('button').textContent = 'Renamed'; };
            draw();</script>",
        // Counts without end beside a button that stays.
        "counter" => "<output id=n aria-label=Count>0</output><button>Stable</button><script>setInterval(() => { n.textContent = Number(n.textContent) + 1; }, 50)</script>",
        // Two hundred elements come and go in every turn.
        "churn" => "<button>Stable</button><div id=pool></div><script>
            setInterval(() => { pool.innerHTML = ''; for (let i = 0; i < 200; i += 1) { const one = document.createElement('button'); one.textContent = `Pool ${Math.random()}`; pool.append(one); } }, 10)</script>",
        // May be kept in the back/forward cache: tells whether it was.
        "cached" => "<button id=b>Here</button><p id=state>fresh</p><a href=/changing/away>Away</a><script>
            addEventListener('pageshow', (event) => { document.getElementById('state').textContent = event.persisted ? 'from the cache' : 'fresh'; });</script>",
        "away" => "<p>Away</p><button>Other</button>",
        // Never kept there.
        "uncached" => "<button id=b>Here</button><script>addEventListener('unload', () => {})</script>",
        // Replaces its content with a longer list when pressed, without a navigation.
        "replace" => "<button onclick=\"view.innerHTML = '<button>After 1</button><button>After 2</button>'\">Replace</button><main id=view><button>Before</button></main>",
        // Its content comes after 700 ms, first a skeleton.
        "skeleton" => "<main id=view><p aria-busy=true>Loading</p></main><script>setTimeout(() => { view.innerHTML = '<h1>Loaded</h1><button>Ready</button>'; }, 700)</script>",
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    page("Changing", format!("<h1>Changing</h1>{body}{REPORT}")).into_response()
}
