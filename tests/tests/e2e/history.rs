//! Back, forward and reload go one entry through the tab's own history, and nowhere else.

use anyhow::{Context, Result};
use drawbridge_protocol::{Code, Effect};
use serde_json::json;

use super::waits::Waiting;

#[tokio::test(flavor = "multi_thread")]
async fn back_and_forward_go_one_entry_and_end_where_the_tab_began() -> Result<()> {
    let on = Waiting::on("<p>First</p>").await?;
    on.put("/second", "<p>Second</p>");
    let (first, second) = (on.world.site.url("/page"), on.world.site.url("/second"));
    on.page("navigate", json!({"url": second})).await?;
    for (way, url, text) in [
        ("back", &first, "First"),
        ("forward", &second, "Second"),
        ("back", &first, "First"),
    ] {
        let done = on.page(way, json!({})).await?;
        assert_eq!(
            (&done["url"], &done["effect"]),
            (&json!(url), &json!("committed")),
            "{way}: {done}"
        );
        assert_eq!(done["phase"], "load", "{way}: {done}");
        assert_eq!(done["timedOut"], false, "{way}: {done}");
        assert!(on.text().await?.contains(text), "{way}");
    }
    let error = on
        .page("back", json!({}))
        .await
        .err()
        .context("there is nothing before")?;
    assert_eq!(
        (error.code, error.effect),
        (Code::NotFound, Some(Effect::None)),
        "{error}"
    );
    on.page("forward", json!({})).await?;
    let error = on
        .page("forward", json!({}))
        .await
        .err()
        .context("there is nothing behind")?;
    assert_eq!(
        (error.code, error.effect),
        (Code::NotFound, Some(Effect::None)),
        "{error}"
    );
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn back_inside_a_document_keeps_it() -> Result<()> {
    let on = Waiting::on(
        "<p id=p>One</p><script>addEventListener('popstate', () => { p.textContent = 'Back at ' + location.search; });
         setTimeout(() => { history.replaceState({}, '', '?n=1'); history.pushState({}, '', '?n=2'); p.textContent = 'Two'; location.hash = 'three'; }, 200)</script>",
    )
    .await?;
    let there = on.wait(json!({"urlIncludes": "#three"})).await?;
    for url in ["/page?n=2", "/page?n=1"] {
        let done = on.page("back", json!({})).await?;
        assert_eq!(done["url"], on.world.site.url(url), "{done}");
        assert_eq!(done["document"], there["document"], "{done}");
    }
    assert!(on.text().await?.contains("Back at ?n=1"));
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_was_kept_comes_back_loaded() -> Result<()> {
    let on = Waiting::on("<p>Start</p>").await?;
    let (cached, away) = (
        on.world.site.url("/changing/cached"),
        on.world.site.url("/changing/away"),
    );
    let before = on.page("navigate", json!({"url": cached})).await?;
    on.page("navigate", json!({"url": away})).await?;
    let done = on.page("back", json!({"timeoutMs": 20_000})).await?;
    assert_eq!(
        (&done["url"], &done["phase"]),
        (&json!(cached), &json!("load")),
        "{done}"
    );
    assert_eq!(done["timedOut"], false, "{done}");
    let text = on.text().await?;
    // Whether it is kept is the browser's to say; a document that was is the same one.
    let was_kept = text.contains("from the cache");
    assert_eq!(was_kept, done["document"] == before["document"], "{done} {text}");
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hard_reload_asks_the_site_for_everything_again() -> Result<()> {
    let on = Waiting::on("<p>Page</p><script src=/kept.js></script>").await?;
    on.world.site.put_as(
        "/kept.js",
        [
            (
                drawbridge_tests::site::header::CONTENT_TYPE,
                "text/javascript".parse()?,
            ),
            (
                drawbridge_tests::site::header::CACHE_CONTROL,
                "max-age=3600, immutable".parse()?,
            ),
        ],
        "document.body.append('Script')",
    );
    on.page("navigate", json!({"url": on.world.site.url("/page")}))
        .await?;
    let asked = |path: &str| on.world.site.requests(path).len();
    let (pages, scripts) = (asked("/page"), asked("/kept.js"));
    let soft = on.page("reload", json!({})).await?;
    assert_eq!(
        (asked("/page"), asked("/kept.js")),
        (pages + 1, scripts),
        "{soft}"
    );
    let hard = on.page("reload", json!({"hard": true})).await?;
    assert_eq!(
        (asked("/page"), asked("/kept.js")),
        (pages + 2, scripts + 1),
        "{hard}"
    );
    assert_ne!(soft["document"], hard["document"]);
    on.world.leaves_nothing().await
}
