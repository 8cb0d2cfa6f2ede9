//! What is a person's own stays in the browser: nothing of it is in what the bridge and the extension keep, with their
//! logs at the finest.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::tools::session::StartArgs;
use drawbridge_protocol::version::EXTENSION_ID;
use drawbridge_tests::approval::Question;
use drawbridge_tests::client::write_frame;
use drawbridge_tests::sandbox::{Options, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::extension::{Played, link_hello, socket};

/// Logs all that it can.
const FINEST: &[(&str, &str)] = &[("DRAWBRIDGE_LOG", "trace"), ("RUST_LOG", "trace")];

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_page_a_person_or_an_argument_is_kept() -> Result<()> {
    let mut world = World::fresh(Options::default()).await?;
    let daemon = world.replace_daemon(FINEST).await?;
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

    let stored = browser_keeps_none(&world, &secrets).await?;
    ensure!(stored[0]["target"].is_string(), "{stored}");

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

/// Seeds that come on the way of trust and transport rather than from a page's text: what a site is sent, what lets a
/// client in, what a person is asked, what opens the socket. Then parts crash.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_headers_credentials_approvals_or_a_crash_is_kept() -> Result<()> {
    let mut world = World::fresh(Options {
        strict: true,
        ..Options::default()
    })
    .await?;
    let daemon = world.start_daemon(FINEST).await?;
    let home = world.sandbox.home().to_owned();
    let seeds: Vec<String> = (0..7).map(|_| uuid()).collect();
    let [header, userinfo, query, hash, cookie, title, site] = seeds.as_slice() else {
        bail!("seven seeds")
    };
    let mut secrets = vec![header, userinfo, query, hash, cookie, title]
        .into_iter()
        .cloned()
        .collect::<Vec<_>>();
    // The secret of the client lies in its own file alone.
    let own = home.join("clients").join(world.id().as_str());
    let client_secret = fs::read_to_string(&own)?.trim().to_owned();
    secrets.push(client_secret.clone());

    // A page that sends a credential, keeps a cookie and has both in its address.
    world.site.put(
        "/sends",
        format!(
            "<title>{title}</title><p>text</p><script>document.cookie = 'sid={cookie}; path=/';
             fetch('/states/ok', {{headers: {{Authorization: 'Bearer {header}'}}}}).then(() => document.body.id = 'sent')</script>"
        ),
    );
    let address = world.site.url(&format!("/sends?access_token={query}#{hash}"));
    // Asked first: the question knows the site and what the page calls itself.
    let id = world.id();
    let (code, text) = world
        .sandbox
        .cli(["clients", "admit", id.as_str(), "--yes", "--json"])
        .await?;
    ensure!(code == 0, "{text}");
    wait::until(
        "the browser to be connected",
        Duration::from_secs(30),
        async || {
            let status = world.client.call_raw("browser_status", json!({})).await?;
            Ok((status["connected"] == true).then_some(()))
        },
    )
    .await?;
    let error = world
        .client
        .call_raw("browser_start", json!({ "url": address }))
        .await
        .err()
        .context("opened unasked")?;
    ensure!(error.code == Code::NeedsApproval, "{error}");
    let question = Question::appears(&world.browser).await?;
    let asked: Value = question
        .page
        .evaluate("chrome.runtime.sendMessage({ask: 'approval'})")
        .await?;
    secrets.push(
        asked["approval"]["id"]
            .as_str()
            .context("no question")?
            .to_owned(),
    );
    question.allow().await?;
    let started = wait::until("the session to start", Duration::from_secs(20), async || {
        Ok(world
            .client
            .call_raw("browser_start", json!({ "url": address }))
            .await
            .ok())
    })
    .await?;
    let page = world.browser.page(|shown| shown == address).await?;
    page.until("document.body.id === 'sent'").await?;
    page.detach().await?;
    let read = json!({"action": "text", "session": started["session"]});
    let error = world
        .client
        .call_raw("browser_inspect", read.clone())
        .await
        .err()
        .context("read unasked")?;
    ensure!(error.code == Code::NeedsApproval, "{error}");
    let question = Question::appears(&world.browser).await?;
    ensure!(
        question.text().await?.contains(title.as_str()),
        "the title is quoted"
    );
    let asked: Value = question
        .page
        .evaluate("chrome.runtime.sendMessage({ask: 'approval'})")
        .await?;
    secrets.push(
        asked["approval"]["id"]
            .as_str()
            .context("no question")?
            .to_owned(),
    );
    question.deny().await?;
    // Credentials where an address, a site and a command take words.
    for url in [
        format!("http://ada:{userinfo}@{site}.example/"),
        format!("https://{site}.example:99999/?password={userinfo}"),
    ] {
        ensure!(
            world
                .client
                .call_raw("browser_selectors", json!({ "url": url }))
                .await
                .is_err()
        );
        let (code, _) = world
            .sandbox
            .cli([
                "grants",
                "set",
                id.as_str(),
                "browser.read",
                "allow",
                "--site",
                &url,
                "--yes",
            ])
            .await?;
        ensure!(code != 0, "{url}");
        let (code, _) = world
            .sandbox
            .cli(["settings", "set", "approval.sensitive", &url])
            .await?;
        ensure!(code != 0, "{url}");
    }
    // What opens the socket, seen by an extension that does not use it.
    let (source, mut sink) = socket(&world.sandbox).await?.into_split();
    write_frame(&mut sink, &serde_json::to_vec(&link_hello())?).await?;
    let welcome = Played::over(source, sink).greet().await?;
    let offer = welcome.socket.context("no socket is offered")?;
    secrets.push(offer.token.expose().to_owned());

    // Parts crash in the middle of it.
    let pid = world.sandbox.daemon().context("no daemon")?;
    let limits = fs::read_to_string(format!("/proc/{pid}/limits"))?;
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .context("no limit")?;
    ensure!(
        core.split_whitespace().nth(4) == Some("0"),
        "the bridge leaves its memory behind: {core}"
    );
    let running = world
        .client
        .start_raw("browser_selectors", json!({"url": address}));
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(i32::try_from(pid)?).context("no process")?,
        rustix::process::Signal::ABORT,
    )?;
    // Who waited hears that it is gone, or is served by the one that came after.
    let answered = running.answer().await;
    ensure!(processes::ends_within(pid, Duration::from_secs(20)).await);
    world.sandbox.profile().stop_worker().await?;
    wait::until("the browser to be back", Duration::from_secs(30), async || {
        let Ok(client) = world.sandbox.client(id.as_str()).await else {
            return Ok(None);
        };
        let status = client.call_raw("browser_status", json!({})).await?;
        Ok((status["connected"] == true).then_some(()))
    })
    .await?;

    if let Ok(answer) = answered {
        expect_none(
            "an answer over the crash",
            format!("{answer:?}").as_bytes(),
            &secrets,
        )?;
    }
    let stored = browser_keeps_none(&world, &secrets).await?;
    ensure!(stored[0]["records"].is_array(), "{stored}");
    // The same on the disk, with what was overwritten and not yet cleared away.
    let mut databases = 0;
    for folder in ["Local Extension Settings", "Extension State", "IndexedDB"] {
        for path in files(&world.sandbox.profile().folder().join("Default").join(folder)).unwrap_or_default()
        {
            if path.display().to_string().contains(EXTENSION_ID) {
                expect_none(&path.display().to_string(), &fs::read(&path)?, &secrets)?;
                databases += 1;
            }
        }
    }
    ensure!(databases > 2, "no database of the extension was looked at");
    let without_own = |secret: &String| *secret != client_secret;
    let others: Vec<String> = secrets
        .iter()
        .filter(|secret| without_own(secret))
        .cloned()
        .collect();
    for path in files(&home)? {
        let Ok(bytes) = fs::read(&path) else { continue };
        let wanted = if path == own { &others } else { &secrets };
        expect_none(&path.display().to_string(), &bytes, wanted)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ensure!(!name.starts_with("core"), "a crash left {}", path.display());
    }
    expect_none("what processes left", &temporary(world.sandbox.root())?, &secrets)?;
    ensure!(logs(&home)?.contains("link up"));
    drop(daemon);
    world.leaves_nothing().await
}

/// The bytes of everything that the processes of a sandbox left in its folder for temporary files.
fn temporary(root: &Path) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    for path in files(&root.join("tmp"))? {
        all.extend(fs::read(&path).unwrap_or_default());
    }
    Ok(all)
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
        secret
            .bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect::<String>()
            .into_bytes(),
        secret
            .bytes()
            .map(|byte| format!("\\u{:04x}", u16::from(byte)))
            .collect::<String>()
            .into_bytes(),
        secret
            .bytes()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
            .into_bytes(),
    ] {
        ensure!(
            expect_none("it", &bytes, std::slice::from_ref(&secret)).is_err(),
            "{}",
            String::from_utf8_lossy(&bytes)
        );
    }
    expect_none("it", uuid().as_bytes(), &[secret])
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

/// The extension's storage, lasting and of this run, once neither it nor the browser's log holds a secret.
async fn browser_keeps_none(world: &World, secrets: &[String]) -> Result<Value> {
    let profile = world.sandbox.profile();
    let storage = profile.extension_page(&world.browser).await?;
    let stored: Value = storage
        .evaluate("Promise.all([chrome.storage.local.get(null), chrome.storage.session.get(null)])")
        .await?;
    storage.close().await?;
    expect_none("the extension's storage", stored.to_string().as_bytes(), secrets)?;
    expect_none("the browser's log", &fs::read(profile.log())?, secrets)?;
    Ok(stored)
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

/// The ways a secret of letters and digits can stand somewhere. URL- and JSON-escaping leave such a one as it is, unless
/// whoever does it escapes everything.
fn forms(secret: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![secret.as_bytes().to_vec()];
    forms.push(secret.encode_utf16().flat_map(u16::to_le_bytes).collect());
    forms.push(secret.encode_utf16().flat_map(u16::to_be_bytes).collect());
    let bytes = |one: fn(u8) -> String| secret.bytes().map(one).collect::<String>().into_bytes();
    forms.push(bytes(|byte| format!("{byte:02x}")));
    forms.push(bytes(|byte| format!("{byte:02X}")));
    forms.push(bytes(|byte| format!("%{byte:02x}")));
    forms.push(bytes(|byte| format!("%{byte:02X}")));
    forms.push(bytes(|byte| format!("\\u{:04x}", u16::from(byte))));
    forms.push(bytes(|byte| format!("\\u{:04X}", u16::from(byte))));
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
