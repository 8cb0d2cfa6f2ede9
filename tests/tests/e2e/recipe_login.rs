//! The login of the profile is used, and its cookie never leaves the browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::recipe::State;
use drawbridge_protocol::tools::inspect::{SelectorsArgs, TextArgs};
use drawbridge_protocol::tools::session::StartArgs;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_recipe_reads_as_whoever_is_signed_in_until_they_sign_out() -> Result<()> {
    let world = World::shared().await?;
    let read = async || {
        world
            .extract_with(world.site.orders_recipe(), json!({"page": 3}))
            .await
    };
    assert_eq!(read().await?.state, State::LoginRequired);

    world.sign_in("ada").await?;
    let orders = read().await?;
    assert_eq!(
        (orders.state, orders.pages, orders.complete),
        (State::Ok, 1, true)
    );
    assert_eq!(
        json!(orders.rows),
        json!([
            {"number": "A-1009", "date": "2026-09-09", "total": "66.90 EUR", "note": null},
            {"number": "A-1010", "date": "2026-09-10", "total": "73.90 EUR", "note": "Gift wrapped"},
            {"number": "A-1011", "date": "2026-09-11", "total": "80.90 EUR", "note": null},
            {"number": "A-1012", "date": "2026-09-12", "total": "87.90 EUR", "note": null},
        ])
    );

    let page = world.browser.open(&world.site.url("/logout")).await?;
    page.until("location.pathname === '/login'").await?;
    page.close().await?;
    assert_eq!(read().await?.state, State::LoginRequired);

    // Somebody else signs in: nothing is left of the first.
    world.sign_in("new").await?;
    let none = read().await?;
    assert_eq!((none.state, none.rows.len()), (State::Empty, 0));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cookie_is_nowhere_in_results_logs_store_or_audit() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    world.sign_in("ada").await?;
    let secret = world.site.secret().to_owned();
    let recipe = json!({"recipe": world.site.orders_recipe(), "inputs": {"page": 1}});
    let mut told: Vec<String> = Vec::new();

    // Each tool that reads, every way of calling, and ways of failing.
    let raw = world.client.call_raw("browser_extract", recipe.clone()).await?;
    assert_eq!(raw["rows"][0]["number"], "A-1001");
    told.push(raw.to_string());
    let (code, line) = world
        .sandbox
        .cli(["call", "browser_extract", &recipe.to_string(), "--hops"])
        .await?;
    assert_eq!(code, 0, "{line}");
    told.push(line);
    let mcp = world.mcp("flat").await?;
    let called = mcp.call("browser_extract", recipe).await?;
    ensure!(!called.is_error, "{}", called.text);
    told.extend([called.text, called.outcome.0?.to_string()]);
    mcp.close(Duration::from_secs(1)).await?;
    let started = world
        .client
        .call(&StartArgs {
            url: Some(world.site.url("/account")),
            ..StartArgs::default()
        })
        .await?;
    let text = world.client.call(&TextArgs::default()).await?;
    assert_eq!(text.text, "Account of ada");
    told.extend([serde_json::to_string(&started)?, serde_json::to_string(&text)?]);
    let selectors = SelectorsArgs {
        url: Some(world.site.url("/orders")),
        ..SelectorsArgs::default()
    };
    let selectors = world.client.call(&selectors).await?;
    ensure!(selectors.entries.len() > 4, "{selectors:?}");
    told.push(serde_json::to_string(&selectors)?);
    let blocked = world
        .extract(world.site.recipe("/states/next-other-origin"))
        .await;
    let blocked = blocked.err().context("blocked")?;
    assert_eq!(blocked.code, Code::NavigationBlocked);
    told.push(serde_json::to_string(&blocked)?);
    let audit = world.client.admin(Admin::Audit { limit: 100 }).await?;
    told.push(audit.to_string());

    // The site did get it, each time.
    let carried = world.site.requests("/orders");
    ensure!(carried.len() >= 10, "{}", carried.len());
    for event in carried {
        let cookie = event.cookie.context("a cookie")?;
        ensure!(cookie.contains(&secret), "{cookie}");
    }
    for text in &told {
        ensure!(!holds(text.as_bytes(), &secret), "told: {text}");
    }

    // What the bridge keeps, while it runs and after it ended.
    world
        .client
        .call_raw("browser_session", json!({"action": "stop"}))
        .await?;
    let written = kept(world.sandbox.home(), &secret)?;
    for part in [".db", ".db-wal", "logs"] {
        ensure!(
            written.iter().any(|path| path.contains(part)),
            "no {part} in {written:?}"
        );
    }
    let home = world.sandbox.home().to_owned();
    world.client.admin(Admin::Shutdown).await?;
    drawbridge_tests::wait::until("the daemon to end", Duration::from_secs(10), async || {
        Ok(world.client.admin(Admin::Links).await.err().map(drop))
    })
    .await?;
    kept(&home, &secret)?;

    // What the extension keeps of it.
    let page = world.sandbox.profile().extension_page(&world.browser).await?;
    let stored: Value = page
        .evaluate(
            "(async () => [await chrome.storage.local.get(), await chrome.storage.session.get(),
               await chrome.storage.sync.get()])()",
        )
        .await?;
    page.close().await?;
    ensure!(!holds(stored.to_string().as_bytes(), &secret), "{stored}");
    world.leaves_nothing().await
}

/// Looks into every file below a folder; answers with those that hold anything.
fn kept(folder: &Path, secret: &str) -> Result<Vec<String>> {
    let mut written = Vec::new();
    for path in files(folder)? {
        // The daemon removes files of its own while it runs.
        let Ok(bytes) = fs::read(&path) else { continue };
        ensure!(!holds(&bytes, secret), "{} holds the cookie", path.display());
        if !bytes.is_empty() {
            written.push(path.display().to_string());
        }
    }
    Ok(written)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            found.extend(files(&entry.path())?);
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// Whether bytes hold a text: as it is, in UTF-16, or in base64 at any offset.
fn holds(bytes: &[u8], text: &str) -> bool {
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let coded = (0..3).map(|offset| base64(&text.as_bytes()[offset..]));
    [text.as_bytes().to_vec(), wide]
        .into_iter()
        .chain(coded)
        .any(|needle| bytes.windows(needle.len()).any(|window| window == needle))
}

/// The characters that whole groups of three bytes give, whatever follows them.
fn base64(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |group: &[u8]| {
        let bits = group.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte));
        [18, 12, 6, 0].map(|shift| DIGITS[bits >> shift & 63])
    };
    bytes.chunks_exact(3).flat_map(digits).collect()
}

#[test]
fn the_search_finds_what_is_there() {
    let secret = "0123456789abcdef";
    assert!(holds(b"x0123456789abcdefy", secret));
    assert!(holds(
        b"\0\x30\0\x31\0\x32\0\x33\0\x34\0\x35\0\x36\0\x37\0\x38\0\x39\0a\0b\0c\0d\0e\0f\0",
        secret
    ));
    // `session=0123456789abcdef`, `xsession=…`, `xxsession=…`
    for coded in [
        "c2Vzc2lvbj0wMTIzNDU2Nzg5YWJjZGVm",
        "eHNlc3Npb249MDEyMzQ1Njc4OWFiY2RlZg==",
        "eHhzZXNzaW9uPTAxMjM0NTY3ODlhYmNkZWY=",
    ] {
        assert!(holds(coded.as_bytes(), secret), "{coded}");
    }
    assert!(!holds(b"0123456789abcdeg", secret));
}
