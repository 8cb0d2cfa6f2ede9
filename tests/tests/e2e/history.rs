//! Back, forward and reload go one entry through the tab's own history, and nowhere else.

use anyhow::{Context, Result};
use drawbridge_protocol::local::{Admin, Decision, Grant};
use drawbridge_protocol::{Code, Effect};
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

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
async fn history_submits_no_form_again_where_submitting_is_off() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let on = Waiting { world };
    on.put(
        "/form",
        "<form id=form method=post action=/paid><input name=card value=4></form>",
    );
    on.put("/paid", "<p>Paid</p>");
    on.start("/form").await?;
    let form = on.world.site.url("/form");
    let hand = on.world.browser.page(|shown| shown == form).await?;
    hand.evaluate::<Value>("form.submit()").await?;
    on.wait(json!({"text": "Paid"})).await?;
    let decide = async |decision| {
        let grant = Grant {
            subject: "*".into(),
            action: "browser.submit".to_owned(),
            site: "*".to_owned(),
            decision,
        };
        on.world.client.admin(Admin::SetGrant { grant, yes: true }).await
    };
    let sent = || {
        let all = on.world.site.requests("/paid");
        all.iter().filter(|event| event.method == "POST").count()
    };
    assert_eq!(sent(), 1);
    // A person may load it again meanwhile: whose turn it was last says nothing about the page.
    for times in 1..=2 {
        for (decision, code) in [
            (Decision::Ask, Code::NeedsApproval),
            (Decision::Off, Code::NotGranted),
        ] {
            decide(decision).await?;
            for (way, arguments) in [
                ("reload", json!({})),
                ("reload", json!({"hard": true})),
                (
                    "wait",
                    json!({"text": "Never", "reload": true, "reloadIntervalMs": 500, "timeoutMs": 8_000}),
                ),
            ] {
                let error = on
                    .page(way, arguments)
                    .await
                    .err()
                    .with_context(|| format!("{way} submitted a form, {times}"))?;
                assert_eq!((error.code, error.effect), (code, Some(Effect::None)), "{error}");
                assert_eq!(error.data, Some(json!({"needs": "browser.submit"})), "{error}");
            }
        }
        assert_eq!(sent(), times);
        decide(Decision::Allow).await?;
        on.page("reload", json!({})).await?;
        assert_eq!(sent(), times + 1);
    }
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn history_does_not_take_a_download_for_nothing_done() -> Result<()> {
    let on = Waiting::on("<p>First</p>").await?;
    let attached = (
        drawbridge_tests::site::header::CONTENT_DISPOSITION,
        "attachment; filename=report.csv".parse()?,
    );
    on.world.site.put_as("/attached", [attached], "a,b");
    let error = on
        .page("navigate", json!({"url": on.world.site.url("/attached")}))
        .await
        .err()
        .context("a file was shown")?;
    assert_eq!(
        (error.code, error.effect),
        (Code::PageUnreadable, Some(Effect::Unknown)),
        "{error}"
    );
    assert!(error.message.contains("download"), "{error}");
    assert!(on.text().await?.contains("First"));
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
