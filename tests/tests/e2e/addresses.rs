//! Only web addresses are opened, whichever call names them, however they are written, and whatever leads to them.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::tools::page::NavigateArgs;
use drawbridge_protocol::tools::session::StartArgs;
use drawbridge_protocol::version::EXTENSION_ID;
use drawbridge_protocol::{Code, Effect, Error};
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::watch::Watch;

/// Every call that takes an address, by what it is called in a failure.
const CALLS: &[&str] = &["start", "new", "navigate", "selectors", "recipe"];

/// Addresses of schemes, places and forms that are never opened. `ORIGIN` stands for the site's.
const BLOCKED: &[&str] = &[
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "  file:///etc/passwd",
    "fi\nle:///etc/passwd",
    "file:/etc/passwd",
    "file:\\\\etc\\passwd",
    "javascript:fetch('/log')",
    "\tJaVaScRiPt:fetch('/log')",
    "java\r\nscript:fetch('/log')",
    "data:text/html,<h1>Hello</h1>",
    "DATA:text/html;base64,PGgxPg==",
    "view-source:ORIGIN/states/ok",
    "View-Source:file:///etc/passwd",
    "blob:ORIGIN/6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "filesystem:ORIGIN/temporary/x",
    "chrome://settings/",
    "Chrome://version",
    "chrome-untrusted://terminal/",
    "devtools://devtools/bundled/inspector.html",
    "chrome-extension://EXTENSION/popup.html",
    "about:srcdoc",
    "about:version",
    "ftp://127.0.0.1/",
    "ws://127.0.0.1/",
    "localhost:80/x",
    "https://chromewebstore.google.com/detail/x",
    "HTTPS://ChromeWebStore.Google.Com.:443/",
    "https://chrome.google.com/webstore/detail/x",
    "http://user:swordfish@127.0.0.1/",
    "http://user@127.0.0.1/",
];

/// What is no address at all.
const NONE: &[&str] = &[
    "%66ile:///etc/passwd",
    "file%3A///etc/passwd",
    "%6aavascript:fetch('/log')",
    "/etc/passwd",
    "//127.0.0.1/x",
    "127.0.0.1/x",
    "http://",
    "http://a b/",
    "http//127.0.0.1",
    "\u{0}",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_call_opens_anything_but_web_addresses() -> Result<()> {
    let world = World::shared().await?;
    world.client.call(&StartArgs::default()).await?;
    let mut watch = Watch::over(&world).await?;
    for (texts, code) in [(BLOCKED, Code::NavigationBlocked), (NONE, Code::InvalidArgument)] {
        for text in texts {
            let url = placed(&world, text);
            for call in CALLS {
                let error = make(&world, call, &url)
                    .await
                    .err()
                    .with_context(|| format!("{call} took {text:?}"))?;
                // A recipe is a document: an origin that is none is a wrong argument.
                let fits = error.code == code || (*call == "recipe" && error.code == Code::InvalidArgument);
                ensure!(fits, "{call} {text:?}: {error}");
                ensure!(!error.message.contains("swordfish"), "{call} {text:?}: {error}");
            }
        }
    }
    let (addresses, requests) = (watch.addresses(&world).await?, watch.requests(&world));
    ensure!(addresses.is_empty(), "opened: {addresses:?}");
    ensure!(requests.is_empty(), "asked: {requests:?}");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_redirect_leads_off_the_web() -> Result<()> {
    let world = World::shared().await?;
    world.client.call(&StartArgs::default()).await?;
    let mut watch = Watch::over(&world).await?;
    for to in [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "chrome://version/",
        "devtools://devtools/bundled/inspector.html",
        "chrome-extension://EXTENSION/popup.html",
        "data:text/html,<h1>Hello</h1>",
        "javascript:fetch('/log')",
        "view-source:ORIGIN/states/ok",
        "blob:ORIGIN/6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "about:srcdoc",
    ] {
        let url = world
            .site
            .url(&format!("/redirect?to={}", encoded(&placed(&world, to))));
        for call in CALLS {
            let error = make(&world, call, &url)
                .await
                .err()
                .with_context(|| format!("{call} followed {to}"))?;
            // Of these the browser does not say where they led: they count as answers without a page.
            let silent = to.starts_with("javascript:") || to.starts_with("view-source:");
            let code = if silent {
                Code::PageUnreadable
            } else {
                Code::NavigationBlocked
            };
            ensure!(error.code == code, "{call} {to}: {error}");
        }
    }
    expect_web_alone(watch.pages(&world).await?)?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_script_of_a_page_leads_a_tab_of_ours_off_the_web() -> Result<()> {
    let world = World::shared().await?;
    let started = world.client.call(&StartArgs::default()).await?;
    let mut watch = Watch::over(&world).await?;
    for to in [
        "file:///etc/passwd",
        "chrome://version/",
        "devtools://devtools/bundled/inspector.html",
        "chrome-extension://EXTENSION/popup.html",
        "data:text/html,<h1>Hello</h1>",
        "view-source:ORIGIN/states/ok",
    ] {
        let path = format!("/script-redirect?to={}", encoded(&placed(&world, to)));
        let asked = world.site.url(&path);
        let args = NavigateArgs {
            session: Some(started.session.clone()),
            tab: None,
            url: asked.clone(),
            wait_until: None,
            request_id: None,
            timeout_ms: None,
        };
        // The page stays, or the browser shows an error page in its place.
        match world.client.call(&args).await {
            Ok(navigated) => ensure!(navigated.url == asked, "{to}: {navigated:?}"),
            Err(error) => ensure!(
                matches!(error.code, Code::PageUnreadable | Code::NavigationBlocked),
                "{to}: {error}"
            ),
        }
    }
    expect_web_alone(watch.pages(&world).await?)?;
    world.leaves_nothing().await
}

/// The browser lets a page go to a blob of its own; a tab of ours is taken off it.
#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_shows_a_blob_is_taken_off_it_or_not_read() -> Result<()> {
    let world = World::shared().await?;
    let go = "const page = URL.createObjectURL(new Blob(['<p>inside the blob</p>'], {type: 'text/html'}));";
    world.site.put(
        "/at-once",
        format!("<script>{go} location.replace(page)</script>"),
    );
    world.site.put(
        "/later",
        format!("<p>outside</p><script>{go} addEventListener('go', () => location.assign(page))</script>"),
    );
    let started = world.client.call(&StartArgs::default()).await?;
    let at_once = make(&world, "navigate", &world.site.url("/at-once")).await;
    let error = at_once.err().context("the blob was opened")?;
    assert_eq!(
        (error.code, error.effect),
        (Code::NavigationBlocked, Some(Effect::Committed))
    );
    world
        .browser
        .page(|url| url == "about:blank")
        .await
        .context("the tab was not taken off the blob")?
        .detach()
        .await?;

    make(&world, "navigate", &world.site.url("/later")).await?;
    let later = world.site.url("/later");
    let page = world.browser.page(|url| url == later).await?;
    page.evaluate::<Value>("dispatchEvent(new Event('go'))").await?;
    page.until("location.protocol === 'blob:' && document.readyState === 'complete'")
        .await?;
    page.detach().await?;
    for (tool, args) in [
        ("browser_inspect", json!({"action": "text"})),
        ("browser_inspect", json!({"action": "selectors"})),
    ] {
        let error = world.client.call_raw(tool, args).await.err().context(tool)?;
        assert_eq!(error.code, Code::PageUnreadable, "{error}");
        assert!(!format!("{error:?}").contains("inside"), "{error:?}");
    }
    let closed = world
        .client
        .call_raw("browser_close_tab", json!({"tab": started.tab}))
        .await?;
    assert_eq!(closed["effect"], "committed");
    world.leaves_nothing().await
}

/// Makes a call that names an address; a tab that opened is closed again.
async fn make(world: &World, call: &str, url: &str) -> Result<(), Error> {
    let client = &world.client;
    match call {
        "start" => {
            let started = client.call_raw("browser_start", json!({"url": url})).await?;
            let session = started["session"].clone();
            client
                .call_raw("browser_stop", json!({ "session": session }))
                .await?;
        }
        "new" => {
            let opened = client.call_raw("browser_new_tab", json!({"url": url})).await?;
            client
                .call_raw("browser_close_tab", json!({"tab": opened["tab"]}))
                .await?;
        }
        "navigate" => {
            client.call_raw("browser_navigate", json!({"url": url})).await?;
        }
        "selectors" => {
            client.call_raw("browser_selectors", json!({"url": url})).await?;
        }
        _ => {
            let mut recipe = world.site.recipe("/");
            recipe["urlTemplate"] = json!(url);
            if !url.starts_with(&world.site.origin) {
                // The origin such an address would have.
                let end = url.match_indices('/').nth(2).map_or(url.len(), |(at, _)| at);
                recipe["origin"] = json!(&url[..end]);
            }
            client
                .call_raw("browser_extract", json!({"recipe": recipe}))
                .await?;
        }
    }
    Ok(())
}

fn placed(world: &World, text: &str) -> String {
    text.replace("ORIGIN", &world.site.origin)
        .replace("EXTENSION", EXTENSION_ID)
}

/// Percent-encoded, so that the site gets it as it is.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Besides web pages there are blank ones and the browser's error pages: those stand at the address that was refused,
/// and have no other title than that.
fn expect_web_alone(pages: Vec<(String, String)>) -> Result<()> {
    let fits = |(url, title): &(String, String)| {
        url.is_empty()
            || url.starts_with("http://127.0.0.1:")
            || url == "about:blank"
            || url.starts_with("about:blank#")
            || url == "chrome-extension://invalid/"
            || (url.starts_with("chrome-extension:") && title != "Drawbridge")
    };
    let others: Vec<_> = pages.iter().filter(|page| !fits(page)).collect();
    ensure!(others.is_empty(), "opened: {others:?}");
    Ok(())
}
