//! What is a person's own stays in the browser: nothing of it is in what the bridge and the extension keep, with their
//! logs at the finest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use drawbridge_protocol::tools::session::StartArgs;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};
use tokio::process::Child;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_page_a_person_or_an_argument_is_kept() -> Result<()> {
    let mut world = World::fresh(Options::default()).await?;
    let daemon = finest_daemon(&mut world).await?;
    let secrets: Vec<String> = (0..8).map(|_| uuid()).collect();
    let [password, typed, text, token, input, word, title, cookie] = secrets.as_slice() else {
        bail!("eight secrets")
    };
    world.site.put(
        "/form",
        format!(
            "<title>{title}</title><p>{text}</p><script>document.cookie = 'k={cookie}; path=/'</script>
             <form><input id=pass type=password value='{password}'><input id=note>
             <input type=hidden value='{password}'><textarea id=area></textarea></form>"
        ),
    );
    let url = world.site.url(&format!("/form?token={token}#{token}"));
    let mut told: Vec<Value> = Vec::new();
    let started = world
        .client
        .call(&StartArgs {
            url: Some(url.clone()),
            ..StartArgs::default()
        })
        .await?;
    let page = world.browser.page(|shown| shown == url).await?;
    page.type_into("#pass", typed).await?;
    page.type_into("#note", typed).await?;
    page.type_into("#area", typed).await?;
    page.detach().await?;
    for (tool, args) in [
        ("browser_inspect", json!({"action": "text"})),
        ("browser_inspect", json!({"action": "text", "target": "form"})),
        ("browser_inspect", json!({"action": "selectors"})),
        ("browser_selectors", json!({ "url": url })),
        ("browser_navigate", json!({ "url": url })),
        ("browser_tabs", json!({ "query": token })),
        ("browser_sessions", json!({})),
        ("browser_status", json!({})),
    ] {
        told.push(
            world
                .client
                .call_raw(tool, args)
                .await
                .with_context(|| tool.to_owned())?,
        );
    }
    let mut recipe = world.site.recipe("/");
    recipe["urlTemplate"] = json!(format!("{}/form?token={{token}}", world.site.origin));
    recipe["inputs"] = json!(["token"]);
    recipe["ready"] = json!("form");
    recipe["rows"] = json!("form");
    recipe["fields"] = json!([
        {"name": "shown", "read": "text", "required": false},
        {"name": "whole", "read": "textContent", "required": false}]);
    let found = world.extract_with(recipe, json!({ "token": input })).await?;
    told.push(serde_json::to_value(found)?);
    // Wrong uses, each with something of the caller's in it.
    for (tool, args) in [
        (word.as_str(), json!({})),
        ("browser_status", json!({ word.as_str(): word })),
        ("browser_tabs", json!({"action": word})),
        (
            "browser_inspect",
            json!({"action": "text", "target": format!("#{word}")}),
        ),
        ("browser_navigate", json!({"url": format!("ftp://{word}/")})),
        (
            "browser_navigate",
            json!({"url": format!("http://127.0.0.1:1/{word}?{word}")}),
        ),
        ("browser_stop", json!({"session": word})),
        ("browser_extract", json!({"recipe": {"name": word}})),
    ] {
        ensure!(world.client.call_raw(tool, args).await.is_err(), "{tool}");
    }
    let mcp = world.mcp("flat").await?;
    mcp.call("browser_selectors", json!({ "url": url })).await?;
    ensure!(mcp.close(Duration::from_secs(1)).await?.success());

    // The reads did see the page.
    let whole = told.iter().map(Value::to_string).collect::<String>();
    ensure!(
        whole.contains(text.as_str()) && whole.contains(title.as_str()),
        "{whole}"
    );
    for (what, secret) in [("password", password), ("typed", typed), ("cookie", cookie)] {
        ensure!(!whole.contains(secret.as_str()), "{what} was told: {whole}");
    }

    let profile = world.sandbox.profile();
    let storage = profile.extension_page(&world.browser).await?;
    let stored: Value = storage
        .evaluate("Promise.all([chrome.storage.local.get(null), chrome.storage.session.get(null)])")
        .await?;
    ensure!(stored[0]["target"].is_string(), "{stored}");
    storage.close().await?;
    expect_none("the extension's storage", stored.to_string().as_bytes(), &secrets)?;
    expect_none("the browser's log", &fs::read(profile.log())?, &secrets)?;

    // While it runs, with the write-ahead log, and after its end.
    let home = world.sandbox.home().to_owned();
    let seen = look(&home, &secrets)?;
    for part in [
        "drawbridge.db",
        "drawbridge.db-wal",
        "daemon.",
        "mcp.",
        "native-host.",
    ] {
        ensure!(
            seen.iter().any(|name| name.starts_with(part)),
            "{part} is not in {seen:?}"
        );
    }
    let log = logs(&home)?;
    ensure!(log.contains("link up"), "the log says nothing: {log}");
    world
        .client
        .call_raw("browser_stop", json!({"session": started.session}))
        .await?;
    let (code, text) = world.sandbox.cli(["daemon", "--stop"]).await?;
    assert_eq!(code, 0, "{text}");
    look(&home, &secrets)?;
    drop(daemon);
    world.leaves_nothing().await
}

/// The search itself finds what is hidden in every way that it looks for.
#[test]
fn the_search_finds_what_is_encoded() -> Result<()> {
    let secret = uuid();
    let wide = |order: fn(u16) -> [u8; 2]| secret.encode_utf16().flat_map(order).collect::<Vec<_>>();
    for bytes in [
        format!("x{secret}y").into_bytes(),
        format!("\"a\\\"{secret}%20\"").into_bytes(),
        base64(format!("a{secret}b").as_bytes()).into_bytes(),
        base64(format!("ab{secret}b").as_bytes()).into_bytes(),
        base64(format!("abc{secret}b").as_bytes()).into_bytes(),
        wide(u16::to_le_bytes),
        wide(u16::to_be_bytes),
    ] {
        ensure!(
            expect_none("it", &bytes, std::slice::from_ref(&secret)).is_err(),
            "{}",
            String::from_utf8_lossy(&bytes)
        );
    }
    expect_none("it", uuid().as_bytes(), &[secret])
}

/// Replaces the daemon by one that logs all it can, and connects the test's client anew.
async fn finest_daemon(world: &mut World) -> Result<Child> {
    for _ in 0..20 {
        if world.sandbox.daemon().is_some() {
            world.sandbox.kill_daemon()?;
        }
        let mut child = world
            .sandbox
            .command(["daemon"])
            .env("DRAWBRIDGE_LOG", "trace")
            .env("RUST_LOG", "trace")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        // A native host may have been first.
        let ours = wait::until("a daemon", Duration::from_secs(10), async || {
            Ok(match (child.try_wait()?, world.sandbox.daemon()) {
                (Some(_), _) => Some(false),
                (None, Some(pid)) => Some(Some(pid) == child.id()),
                (None, None) => None,
            })
        })
        .await?;
        if !ours {
            continue;
        }
        world.client = wait::until("the client", Duration::from_secs(10), async || {
            Ok(world.sandbox.client(world.id().as_str()).await.ok())
        })
        .await?;
        wait::until("the browser", Duration::from_secs(20), async || {
            Ok(world.client.call_raw("browser_echo", json!({})).await.ok())
        })
        .await?;
        return Ok(child);
    }
    bail!("somebody else was always first")
}

/// Looks into every file of a home; returns their names.
fn look(home: &Path, secrets: &[String]) -> Result<Vec<String>> {
    let mut seen = Vec::new();
    for path in files(home)? {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // A socket cannot be read.
        if let Ok(bytes) = fs::read(&path) {
            expect_none(&name, &bytes, secrets)?;
            seen.push(name);
        }
    }
    Ok(seen)
}

fn logs(home: &Path) -> Result<String> {
    let mut all = String::new();
    for path in files(&home.join("logs"))? {
        all.push_str(&fs::read_to_string(path)?);
    }
    Ok(all)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

fn expect_none(place: &str, bytes: &[u8], secrets: &[String]) -> Result<()> {
    for (number, secret) in secrets.iter().enumerate() {
        for needle in forms(secret) {
            let at = bytes.windows(needle.len()).position(|part| part == needle);
            if let Some(at) = at {
                let from = at.saturating_sub(200);
                let around = String::from_utf8_lossy(&bytes[from..(at + 200).min(bytes.len())]);
                bail!("{place} holds secret {number}: {around}");
            }
        }
    }
    Ok(())
}

/// The ways a secret of letters and digits can stand somewhere. URL- and JSON-escaping leave such a one as it is.
fn forms(secret: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![secret.as_bytes().to_vec()];
    forms.push(secret.encode_utf16().flat_map(u16::to_le_bytes).collect());
    forms.push(secret.encode_utf16().flat_map(u16::to_be_bytes).collect());
    for shift in 0..3 {
        // What of the base64 depends on the secret alone, wherever it begins.
        let padded = [&vec![b'x'; shift], secret.as_bytes()].concat();
        let text = base64(&padded[..padded.len() / 3 * 3]);
        forms.push(text.as_bytes()[if shift == 0 { 0 } else { 4 }..].to_vec());
    }
    forms
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let number = (0..3).fold(0u32, |sum, at| {
            sum << 8 | u32::from(chunk.get(at).copied().unwrap_or(0))
        });
        for digit in 0..=chunk.len() {
            text.push(char::from(DIGITS[(number >> (18 - 6 * digit)) as usize & 63]));
        }
    }
    text
}

fn uuid() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}
