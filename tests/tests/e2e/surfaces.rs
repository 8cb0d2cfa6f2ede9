//! No call touches pages of the browser or of an extension, above all our own: that is what keeps a client from
//! answering its own requests. Every test asks those pages what they noticed.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::ids::TabId;
use drawbridge_protocol::tools::page::NavigateArgs;
use drawbridge_protocol::tools::session::StartArgs;
use drawbridge_protocol::tools::tabs::{ListArgs, Owner};
use drawbridge_protocol::version::EXTENSION_ID;
use drawbridge_tests::cdp::Page;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::watch::Watch;

/// Notes every event that a hand, a script or the browser can cause in a page. What the page does by itself is no event.
const LISTEN: &str = "(() => { globalThis.seen = [];
  for (const kind of ['click', 'mousedown', 'pointerdown', 'keydown', 'input', 'focus', 'blur', 'message', 'scroll',
    'beforeunload', 'pagehide', 'visibilitychange', 'freeze'])
    addEventListener(kind, event => seen.push(event.type), true);
  return true; })()";

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_the_browser_and_of_extensions_are_neither_listed_nor_touched() -> Result<()> {
    let world = World::shared().await?;
    let started = world.client.call(&StartArgs::default()).await?;
    let before = world.client.call(&ListArgs::default()).await?;
    let popup = format!("chrome-extension://{EXTENSION_ID}/popup.html");
    let mut pages = Vec::new();
    for url in [popup.as_str(), "chrome://version/", "chrome://extensions/"] {
        let page = world.browser.start(url).await?;
        page.until("document.readyState === 'complete' && location.href !== 'about:blank'")
            .await?;
        pages.push((url, page));
    }
    // Until the popup shows the state, it changes by itself.
    pages[0]
        .1
        .until("document.body.innerText.includes('onnected')")
        .await?;
    for (_, page) in &pages {
        page.evaluate::<bool>(LISTEN).await?;
    }

    let mut other = world.client.call(&ListArgs::default()).await?;
    assert_eq!(other, before, "a page that is kept back is listed");
    for query in ["chrome", "drawbridge", EXTENSION_ID, "version", "extensions"] {
        other = world
            .client
            .call(&ListArgs {
                query: Some(query.to_owned()),
                ..ListArgs::default()
            })
            .await?;
        assert!(
            other.tabs.iter().all(|tab| tab.owner == Owner::Owned),
            "{query}: {other:?}"
        );
    }

    // Their ids can be guessed: the number is the browser's, and the fence is that of every tab.
    let (_, fence) = started.tab.as_str().split_once('.').context("a fence")?;
    for number in numbers(&pages[0].1).await? {
        let id = TabId(format!("t{number}.{fence}"));
        if id == started.tab {
            continue;
        }
        for (tool, args) in [
            ("browser_close_tab", json!({ "tab": id })),
            (
                "browser_navigate",
                json!({"tab": id, "url": world.site.url("/states/ok")}),
            ),
            ("browser_inspect", json!({"action": "text", "tab": id})),
            ("browser_selectors", json!({ "tab": id })),
        ] {
            let error = world.client.call_raw(tool, args).await.err().context(tool)?;
            assert_eq!(error.code, Code::TabNotOwned, "{tool} {id}: {error}");
        }
    }
    for (url, page) in pages {
        noticed_nothing(&page, url).await?;
        page.close().await?;
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_of_ours_that_the_person_leads_there_is_not_read_and_can_be_led_away() -> Result<()> {
    let world = World::shared().await?;
    let home = world.site.url("/states/ok");
    let started = world
        .client
        .call(&StartArgs {
            url: Some(home.clone()),
            ..StartArgs::default()
        })
        .await?;
    for url in [
        format!("chrome-extension://{EXTENSION_ID}/popup.html"),
        "chrome://version/".to_owned(),
        format!("view-source:{home}"),
    ] {
        let page = world.browser.page(|shown| shown == home).await?;
        page.navigate(&url).await?;
        let watched = !url.starts_with("view-source:");
        if url.ends_with("popup.html") {
            page.until("document.body.innerText.includes('onnected')").await?;
        }
        if watched {
            page.evaluate::<bool>(LISTEN).await?;
        }
        for action in ["text", "selectors"] {
            let error = world
                .client
                .call_raw("browser_inspect", json!({ "action": action }))
                .await
                .err()
                .with_context(|| format!("{action} of {url}"))?;
            assert_eq!(error.code, Code::PageUnreadable, "{action} {url}: {error}");
            assert!(error.hint.is_some(), "{error}");
        }
        let list = world.client.call(&ListArgs::default()).await?;
        let row = list
            .tabs
            .iter()
            .find(|row| row.id == started.tab)
            .context("the session's own tab is listed")?;
        if watched {
            assert_eq!(
                (row.title.as_deref(), row.url.as_deref()),
                (Some(""), Some("")),
                "{url}"
            );
            noticed_nothing(&page, &url).await?;
        }
        page.detach().await?;
        let navigated = world
            .client
            .call(&NavigateArgs {
                session: None,
                tab: None,
                url: home.clone(),
                wait_until: None,
                request_id: None,
                timeout_ms: None,
            })
            .await
            .with_context(|| format!("away from {url}"))?;
        assert_eq!(navigated.url, home);
    }
    let page = world.browser.page(|shown| shown == home).await?;
    page.navigate("chrome://version/").await?;
    page.detach().await?;
    let closed = world
        .client
        .call_raw("browser_close_tab", json!({"tab": started.tab}))
        .await?;
    assert_eq!(closed["effect"], "committed");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_brings_them_in_by_frame_link_or_popup() -> Result<()> {
    let world = World::shared().await?;
    let popup = format!("chrome-extension://{EXTENSION_ID}/popup.html");
    let places = [
        popup.as_str(),
        "chrome://version/",
        "devtools://devtools/bundled/inspector.html",
    ];
    let frames: String = places
        .iter()
        .map(|url| {
            format!("<iframe src=\"{url}\"></iframe><embed src=\"{url}\"><object data=\"{url}\"></object>")
        })
        .collect();
    let opens: String = places
        .iter()
        .map(|url| format!("try {{ window.open('{url}') }} catch {{}} "))
        .collect();
    world.site.put(
        "/lures",
        format!(
            "<p>lures</p>{frames}<button id=\"open\" onclick=\"{opens}\">Open</button>
             <a id=\"link\" href=\"{popup}\" target=\"_blank\">Link</a>
             <script>for (const url of {}) fetch(url, {{mode: 'no-cors'}}).then(
               () => fetch('/log', {{method: 'POST', body: 'reached ' + url}}), () => {{}})</script>",
            json!(places)
        ),
    );
    let lures = world.site.url("/lures");
    let mut watch = Watch::over(&world).await?;
    world
        .client
        .call(&StartArgs {
            url: Some(lures.clone()),
            ..StartArgs::default()
        })
        .await?;
    let read = world
        .client
        .call_raw("browser_inspect", json!({"action": "text"}))
        .await?;
    assert!(
        !read["text"].as_str().unwrap_or_default().contains("onnected"),
        "{read}"
    );
    world
        .client
        .call_raw("browser_selectors", json!({ "url": lures }))
        .await?;
    // A person's hand in the page opens nothing either.
    let page = world.browser.page(|url| url == lures).await?;
    page.click("#open").await?;
    page.click("#link").await?;
    page.until("document.readyState === 'complete'").await?;
    page.detach().await?;
    let pages = watch.pages(&world).await?;
    let opened: Vec<_> = pages.iter().filter(|(_, title)| is_surface(title)).collect();
    ensure!(opened.is_empty(), "{opened:?}");
    let reached = world.site.requests("/log");
    ensure!(reached.is_empty(), "{reached:?}");
    // What a hand opened in vain is the person's to close, however late it comes.
    world.client.call_raw("browser_stop", json!({})).await?;
    wait::until("the browser as it was", Duration::from_secs(40), async || {
        for target in world.browser.targets().await? {
            let vain = target.url == "about:blank#blocked"
                || target.url.starts_with("chrome-extension://invalid")
                || target.url.starts_with("chrome-error:")
                || target.url == popup;
            if target.kind == "page" && vain {
                world.browser.attach(&target.target_id).await?.close().await?;
            }
        }
        Ok(world.looks_as_before().await.ok())
    })
    .await?;
    world.leaves_nothing().await
}

/// Titles that such pages give themselves.
fn is_surface(title: &str) -> bool {
    ["Drawbridge", "About Version", "DevTools"].contains(&title)
}

/// The browser's numbers of all tabs, from a page of the extension.
async fn numbers(page: &Page) -> Result<Vec<i64>> {
    page.evaluate("chrome.tabs.query({}).then(tabs => tabs.map(tab => tab.id))")
        .await
}

async fn noticed_nothing(page: &Page, url: &str) -> Result<()> {
    let seen: Value = page.evaluate("globalThis.seen").await?;
    ensure!(seen == json!([]), "{url} noticed {seen}");
    let here: String = page.evaluate("location.href").await?;
    ensure!(here.starts_with(url), "{url} is {here} now");
    Ok(())
}
