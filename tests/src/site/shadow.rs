//! Shadow trees: open ones in each other, closed ones, slots.

use axum::Router;
use axum::response::Html;
use axum::routing::get;

use super::Shared;
use super::pages::page;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/shadow/open", get(open))
        .route("/shadow/closed", get(closed))
        .route("/shadow/slots", get(slots))
}

/// Gives every element with `data-root` a root of that mode around its first template.
const ATTACH: &str = r"<script>
const attach = (within) => {
  for (const host of within.querySelectorAll('[data-root]')) {
    const root = host.attachShadow({mode: host.dataset.root});
    root.append(host.querySelector('template').content.cloneNode(true));
    attach(root);
  }
};
attach(document);
</script>";

/// Three open roots in each other, a button and a field in each.
async fn open() -> Html<String> {
    let level = |number: usize, inner: &str| {
        format!(
            "<div data-root=open><template><button>Button {number}</button>
             <label>Field {number} <input value=\"value {number}\"></label>{inner}</template></div>"
        )
    };
    let body = level(1, &level(2, &level(3, "<a href=\"/deep\">Deep link</a>")));
    page(
        "Open roots",
        format!("<h1>Open roots</h1>{body}<button>After</button>{ATTACH}"),
    )
}

/// A closed root beside an open one, and a closed one inside it.
async fn closed() -> Html<String> {
    page(
        "Closed roots",
        format!(
            "<h1>Closed roots</h1>
             <div data-root=closed><template><button>In a closed root</button><p>closed text</p></template></div>
             <div data-root=open><template><button>In an open root</button>
               <div data-root=closed><template><button>Closed in open</button></template></div></template></div>{ATTACH}"
        ),
    )
}

/// Light children in another order than their slots, one without a slot, fallback content, a label from outside.
async fn slots() -> Html<String> {
    page(
        "Slots",
        format!(
            "<h1>Slots</h1><div data-root=open>
               <button slot=last>Shown last</button><button slot=first>Shown first</button><button slot=none>Never shown</button>
               <template><slot name=first></slot><hr><slot name=last></slot><slot name=empty><button>Fallback</button></slot>
               <button id=inside aria-labelledby=words></button><span id=words>Named in the root</span></template></div>
             <div data-root=open><template><button><slot></slot></button></template>Slotted name</div>{ATTACH}"
        ),
    )
}
