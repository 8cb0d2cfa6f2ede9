//! A list of a thousand rows of which a few elements exist, in a box that scrolls; the page itself does not.

use axum::Router;
use axum::extract::Query;
use axum::response::Html;
use axum::routing::get;
use serde::Deserialize;

use super::Shared;
use super::pages::page;

pub(super) fn router() -> Router<Shared> {
    Router::new().route("/virtual", get(list))
}

#[derive(Deserialize)]
struct Kind {
    /// `grid` (ARIA grid with row numbers, the default), `plain` (nothing but text), `slow` (rows come 60 ms late).
    #[serde(default)]
    kind: String,
    #[serde(default = "thousand")]
    count: usize,
}

fn thousand() -> usize {
    1000
}

/// Rows are recycled, and neighbours look equal: three in a row have the same text, and only every tenth has a number.
async fn list(Query(Kind { kind, count }): Query<Kind>) -> Html<String> {
    const SCRIPT: &str = r"
const box = document.getElementById('box'), inner = document.getElementById('inner'), HEIGHT = 20, SHOWN = 24;
const rows = Array.from({ length: SHOWN }, () => { const row = document.createElement('div'); row.className = 'row';
  row.innerHTML = '<span class=name></span><span class=value></span>'; inner.append(row); return row; });
inner.style.height = `${COUNT * HEIGHT}px`;
if (KIND !== 'plain') { box.setAttribute('role', 'grid'); box.setAttribute('aria-label', 'Rows'); box.setAttribute('aria-rowcount', COUNT); }
const name = (index) => (index % 10 === 0 ? `Row ${index}` : `Same ${Math.floor(index / 3)}`);
const draw = () => {
  const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - 2);
  for (let at = first; at < first + SHOWN; at += 1) {
    const row = rows[at % SHOWN];
    row.hidden = at >= COUNT;
    if (row.hidden) continue;
    row.style.top = `${at * HEIGHT}px`;
    row.children[0].textContent = name(at);
    row.children[1].textContent = `v${at % 4}`;
    if (KIND !== 'plain') { row.setAttribute('role', 'row'); row.setAttribute('aria-rowindex', at + 1); for (const cell of row.children) cell.setAttribute('role', 'gridcell'); }
  }
};
let late;
box.addEventListener('scroll', () => { if (KIND === 'slow') { clearTimeout(late); late = setTimeout(draw, 60); } else draw(); });
draw();
";
    let kind = match kind.as_str() {
        kind @ ("plain" | "slow") => kind,
        _ => "grid",
    };
    page(
        "Virtual",
        format!(
            "<style>html, body {{ height: 100%; margin: 0; overflow: hidden }} #box {{ height: 200px; overflow-y: auto; position: relative }}
             #inner {{ position: relative }} .row {{ position: absolute; height: 20px; left: 0; right: 0; display: flex; gap: 20px }}</style>
             <h1>Virtual</h1><div id=box tabindex=0><div id=inner></div></div>
             <script>const COUNT = {count}, KIND = '{kind}';{SCRIPT}</script>",
            count = count.min(100_000)
        ),
    )
}
