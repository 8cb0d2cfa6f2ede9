//! Who gets in by the door: nobody before a person said so, whatever is typed, and no profile that nobody confirmed.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::tools::{Row, Surface, TABLE, ToolId};
use drawbridge_tests::approval::{self, Question};
use drawbridge_tests::project::Bridge;
use drawbridge_tests::sandbox::{Options, Sandbox};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::impostor::Impostor;

/// Commands that widen access, as a client with a shell would give them.
const WIDENING: &[&[&str]] = &[
    &["grants", "set", "cli", "browser.read", "allow"],
    &["grants", "set", "*", "*", "allow"],
    &[
        "grants",
        "set",
        "cli",
        "browser.interact",
        "allow",
        "--site",
        "127.0.0.1",
    ],
    &["grants", "set", "cli", "browser.list", "ask"],
    &["clients", "admit", "cli"],
    &["clients", "admit", "mcp"],
];

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_was_not_admitted_learns_nothing_from_any_tool() -> Result<()> {
    let world = World::fresh(Options {
        strict: true,
        ..Options::default()
    })
    .await?;
    world
        .site
        .put("/private", "<title>Aunt Agatha</title><p>hello</p>");
    let page = world.browser.open(&world.site.url("/private")).await?;
    let profile = world.sandbox.profile();
    let secrets = [
        profile.target.as_str(),
        &profile.name,
        "Agatha",
        "/private",
        "127.0.0.1",
    ];
    let keeps = |reply: &str| {
        secrets
            .iter()
            .all(|secret| !reply.contains(secret))
            .then_some(())
            .with_context(|| format!("a reply tells too much: {reply}"))
    };
    for row in TABLE {
        for name in [row.flat, row.domain] {
            let error = world
                .client
                .call_raw(name, arguments(row, name, &world.site.url("/private")))
                .await
                .err()
                .with_context(|| format!("{name} was served"))?;
            assert_eq!(error.code, Code::NeedsApproval, "{name}: {error}");
            assert_eq!(error.data, None, "{name}");
            keeps(&format!("{error:?}"))?;
        }
    }
    for surface in ["domains", "flat"] {
        let mcp = world.mcp(surface).await?;
        for tool in mcp.tools().await? {
            let name = tool["name"].as_str().context("a name")?.to_owned();
            keeps(&tool.to_string())?;
            let called = mcp.call(&name, json!({"action": "list"})).await?;
            let error = called
                .outcome
                .0
                .err()
                .with_context(|| format!("{name} was served"))?;
            assert_eq!(error.code, Code::NeedsApproval, "{name}: {error}");
            assert!(called.is_error);
            keeps(&called.text)?;
        }
        assert!(mcp.close(Duration::from_secs(1)).await?.success());
    }
    for command in [
        &["chrome", "status"][..],
        &["chrome", "tabs"],
        &["call", "browser_targets"],
    ] {
        let (code, text) = world.sandbox.cli([command, &["--json"]].concat()).await?;
        assert_eq!(code, 1, "{command:?}: {text}");
        let reply: Value = serde_json::from_str(&text)?;
        assert_eq!(reply["error"]["code"], "needs_approval", "{command:?}");
        keeps(&text)?;
    }

    // A client is its id, not the name it gives itself.
    let id = world.id();
    let (code, text) = world
        .sandbox
        .cli(["clients", "admit", id.as_str(), "--yes", "--json"])
        .await?;
    assert_eq!((code, text.trim()), (0, "{\"ok\":true,\"result\":null}"));
    let status = world.client.call_raw("browser_status", json!({})).await?;
    assert_eq!(status["connected"], true, "{status}");
    assert_eq!(status["target"]["name"], profile.name.as_str());
    let twin = world.sandbox.client("twin").await?;
    let error = twin
        .call_raw("browser_status", json!({}))
        .await
        .err()
        .context("served")?;
    assert_eq!(error.code, Code::NeedsApproval);
    drop(twin);
    // Those of the command line, of the MCP server and of the twin.
    approval::close(&world.browser, 3).await?;
    page.close().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_terminal_no_command_of_a_released_build_widens_anything() -> Result<()> {
    let sandbox = released()?;
    let (code, text) = sandbox.cli(["clients", "list", "--json"]).await?;
    assert_eq!(code, 0, "{text}");
    let before = decisions(sandbox.home())?;
    for words in WIDENING {
        let (code, text) = on_terminal(&sandbox, words).await?;
        ensure!(code != 0, "{words:?} ended with {code}: {text}");
        let refused = ["a person has to answer", "has asked to be let in"];
        ensure!(
            refused.iter().any(|words| text.contains(words)),
            "{words:?}: {text}"
        );
        for yes in ["--yes", "-y", "--yes=true"] {
            let (code, text) = on_terminal(&sandbox, &[words, &[yes][..]].concat()).await?;
            ensure!(
                code == 1 && text.contains("unexpected argument"),
                "{words:?} {yes} ended with {code}: {text}"
            );
        }
    }
    // Nor does whoever speaks to the daemon without the command line.
    let client = sandbox.client("cli").await?;
    for admin in [
        json!({"admin": "setGrant", "yes": true, "grant":
            {"subject": "cli", "action": "*", "site": "*", "decision": "allow"}}),
        json!({"admin": "admit", "client": "cli", "yes": true}),
    ] {
        let error = client
            .admin(serde_json::from_value::<Admin>(admin)?)
            .await
            .err()
            .context("widened")?;
        assert_eq!(error.code, Code::NeedsApproval);
    }
    assert_eq!(decisions(sandbox.home())?, before);
    // Nor does a file that is for sandboxes.
    fs::write(sandbox.home().join("sandbox.json"), "{\"strict\": false}")?;
    let (code, text) = sandbox.cli(["daemon", "--stop"]).await?;
    assert_eq!(code, 0, "{text}");
    let (code, text) = sandbox.cli(["call", "browser_status"]).await?;
    assert_eq!(code, 1);
    assert_eq!(
        serde_json::from_str::<Value>(&text)?["error"]["code"],
        "needs_approval"
    );
    drop(client);
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_terminal_every_widening_command_waits_for_the_browser() -> Result<()> {
    let world = World::fresh(Options {
        bridge: Bridge::Released,
        ..Options::default()
    })
    .await?;
    let sandbox = &world.sandbox;
    let id = world.id();
    ensure!(world.client.call_raw("browser_status", json!({})).await.is_err());
    approval::close(&world.browser, 1).await?;
    let (code, text) = sandbox
        .cli(["settings", "set", "approval.sensitive", "bank.example", "--json"])
        .await?;
    ensure!(code == 0, "{text}");
    let before = decisions(sandbox.home())?;
    let rows = |home: &Path| -> Result<i64> {
        let database = Connection::open(home.join("drawbridge.db"))?;
        Ok(database.query_row("SELECT count(*) FROM audit_log", [], |row| row.get(0))?)
    };
    ensure!(rows(sandbox.home())? > 0);
    let commands: [&[&str]; 8] = [
        &["targets", "pair", "grandmas-laptop"],
        &["clients", "admit", id.as_str()],
        &["grants", "set", id.as_str(), "browser.read", "allow"],
        &["grants", "set", id.as_str(), "browser.list", "ask"],
        &["grants", "set", "*", "*", "allow"],
        &[
            "grants",
            "set",
            "cli",
            "browser.interact",
            "allow",
            "--site",
            "127.0.0.1",
        ],
        &["settings", "set", "approval.sensitive", ""],
        &["audit", "delete"],
    ];
    // It answers no sign of life, so it stays only for the first of them.
    let mut stranger = Impostor::start(sandbox, "grandmas-laptop", "p-0123456789abcdef").await?;
    stranger.welcomed().await?;
    for words in commands {
        let asked = on_terminal(sandbox, words);
        let denied = async {
            let question = Question::appears(&world.browser)
                .await
                .with_context(|| format!("{words:?}"))?;
            assert_eq!(decisions(sandbox.home())?, before, "{words:?}, while it is asked");
            question.deny().await
        };
        let ((code, text), ()) = futures_util::future::try_join(asked, denied).await?;
        ensure!(
            code == 1 && text.contains("the person said no"),
            "{words:?}: {code}: {text}"
        );
        assert_eq!(decisions(sandbox.home())?, before, "{words:?}");
    }
    ensure!(rows(sandbox.home())? > 0);
    // It is the person's answer that was missing.
    let asked = on_terminal(sandbox, commands[1]);
    let allowed = async { Question::appears(&world.browser).await?.allow().await };
    let ((code, text), ()) = futures_util::future::try_join(asked, allowed).await?;
    ensure!(code == 0, "{text}");
    ensure!(decisions(sandbox.home())?.contains(&format!("admitted {id}")));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_released_build_pairs_no_link_and_sends_it_no_call() -> Result<()> {
    let sandbox = released()?;
    let mut link = Impostor::start(&sandbox, "grandmas-laptop", "p-0123456789abcdef").await?;
    assert_eq!(link.welcomed().await?, "grandmas-laptop");
    let client = sandbox.client("cli").await?;
    for row in TABLE {
        for name in [row.flat, row.domain] {
            let error = client
                .call_raw(name, arguments(row, name, "https://shop.example/"))
                .await
                .err()
                .with_context(|| format!("{name} was served"))?;
            assert_eq!(error.code, Code::NeedsApproval, "{name}: {error}");
            let told = format!("{error:?}");
            ensure!(!told.contains("grandmas") && !told.contains("p-0123"), "{told}");
        }
    }
    for admin in [Admin::Links, Admin::Audit { limit: 100 }] {
        let error = client.admin(admin).await.err().context("told")?;
        assert_eq!(error.code, Code::NeedsApproval);
    }
    drop(client);
    assert_eq!(link.leave().await?, Vec::new(), "the link was sent something");

    // Not even for a client that a person let in and allowed everything: the profile is another decision.
    sandbox.cli(["daemon", "--stop"]).await?;
    let database = Connection::open(sandbox.home().join("drawbridge.db"))?;
    database.execute("UPDATE clients SET admitted = 1 WHERE id = 'cli'", [])?;
    for site in ["*", "127.0.0.1", "shop.example"] {
        database.execute("INSERT INTO grants VALUES ('cli', '*', ?1, 'allow')", [site])?;
    }
    drop(database);
    let mut link = Impostor::start(&sandbox, "grandmas-laptop", "p-0123456789abcdef").await?;
    link.welcomed().await?;
    let client = sandbox.client("cli").await?;
    for row in TABLE {
        let called = client
            .call_raw(row.flat, arguments(row, row.flat, "https://shop.example/"))
            .await;
        let wanted = match row.id {
            ToolId::SessionList | ToolId::SessionStatus | ToolId::SessionTargets | ToolId::SessionDoctor => {
                None
            }
            ToolId::SessionStart
            | ToolId::TabsList
            | ToolId::InspectSelectors
            | ToolId::InspectSuggest
            | ToolId::Extract => Some(Code::Unpaired),
            ToolId::SessionStop
            | ToolId::TabsNew
            | ToolId::TabsClose
            | ToolId::PageNavigate
            | ToolId::PageBack
            | ToolId::PageForward
            | ToolId::PageReload
            | ToolId::PageWait
            | ToolId::PageDialog
            | ToolId::InspectScreenshot
            | ToolId::InteractClick
            | ToolId::InteractDoubleClick
            | ToolId::InteractHover
            | ToolId::InteractFocus
            | ToolId::InteractBlur
            | ToolId::InteractScrollTo
            | ToolId::InteractWheel
            | ToolId::InteractFill
            | ToolId::InteractType
            | ToolId::InteractPress
            | ToolId::InteractSelect
            | ToolId::InteractCheck
            | ToolId::InteractUncheck
            | ToolId::InteractDrag
            | ToolId::InteractForm
            | ToolId::InteractBatch
            | ToolId::InteractPointer
            | ToolId::InteractProbe
            | ToolId::InspectObserve
            | ToolId::InspectSnapshot
            | ToolId::InspectText
            | ToolId::InspectFind
            | ToolId::InspectTable
            | ToolId::InspectHtml
            | ToolId::InspectDom => Some(Code::SessionUnknown),
            ToolId::DebugEcho => Some(Code::Unsupported),
        };
        assert_eq!(
            called.as_ref().err().map(|error| error.code),
            wanted,
            "{}: {called:?}",
            row.flat
        );
    }
    let status = client.call_raw("browser_status", json!({})).await?;
    assert_eq!(
        (&status["connected"], &status["issues"][0]["id"]),
        (&json!(false), &json!("unpaired"))
    );
    let targets = client.call_raw("browser_targets", json!({})).await?;
    assert_eq!(targets["targets"][0]["state"], "unpaired");
    drop(client);
    assert_eq!(link.leave().await?, Vec::new(), "the link was sent something");
    sandbox.stop().await
}

/// A home for the build that is released, without a browser.
fn released() -> Result<Sandbox> {
    Sandbox::without_browser(&Options {
        bridge: Bridge::Released,
        ..Options::default()
    })
}

/// Arguments that a call of the row takes, under one of its names.
fn arguments(row: &Row, name: &str, url: &str) -> Value {
    let origin = url.split('/').take(3).collect::<Vec<_>>().join("/");
    let mut args = match row.id {
        ToolId::SessionStart
        | ToolId::SessionList
        | ToolId::SessionStatus
        | ToolId::SessionTargets
        | ToolId::SessionDoctor
        | ToolId::TabsList
        | ToolId::TabsNew
        | ToolId::InspectObserve
        | ToolId::InspectSnapshot
        | ToolId::InspectText
        | ToolId::InspectTable
        | ToolId::InspectDom
        | ToolId::InspectScreenshot
        | ToolId::PageBack
        | ToolId::PageForward
        | ToolId::PageReload
        | ToolId::DebugEcho => json!({}),
        ToolId::PageWait => json!({"load": true}),
        ToolId::PageDialog => json!({"do": "status"}),
        ToolId::InspectFind
        | ToolId::InspectHtml
        | ToolId::InteractClick
        | ToolId::InteractDoubleClick
        | ToolId::InteractHover
        | ToolId::InteractFocus
        | ToolId::InteractBlur
        | ToolId::InteractScrollTo
        | ToolId::InteractCheck
        | ToolId::InteractUncheck => json!({"target": "body"}),
        ToolId::InteractWheel => json!({"deltaY": 1}),
        ToolId::InteractFill => json!({"target": "body", "value": ""}),
        ToolId::InteractType => json!({"text": "a"}),
        ToolId::InteractPress => json!({"key": "a"}),
        ToolId::InteractSelect => json!({"target": "body", "values": ["a"]}),
        ToolId::InteractDrag => json!({"target": "body", "to": "body"}),
        ToolId::InteractForm => json!({"fields": [{"target": "body", "value": "a"}]}),
        ToolId::InteractBatch => json!({"steps": [{"action": "click", "ref": "e1"}]}),
        ToolId::InteractPointer => json!({"do": "move", "x": 1, "y": 1}),
        ToolId::InteractProbe => json!({"do": "hover", "target": "body"}),
        ToolId::SessionStop => json!({"session": "s-1"}),
        ToolId::TabsClose => json!({"tab": "t1.a"}),
        ToolId::PageNavigate | ToolId::InspectSelectors | ToolId::InspectSuggest => json!({ "url": url }),
        ToolId::Extract => json!({"recipe": drawbridge_tests::site::recipes::list(&origin, "/")}),
    };
    if let (Some(action), true) = (row.action, name == row.domain) {
        args["action"] = json!(action);
    }
    match row.surface {
        Surface::Public | Surface::Sandbox => args,
    }
}

/// All that a person decided, as it is stored.
fn decisions(home: &Path) -> Result<Vec<String>> {
    let database = Connection::open(home.join("drawbridge.db"))?;
    let mut found = Vec::new();
    for question in [
        "SELECT subject || ' ' || action || ' ' || site || ' ' || decision FROM grants",
        "SELECT 'admitted ' || id FROM clients WHERE admitted <> 0",
        "SELECT 'target ' || id FROM targets",
        "SELECT key || '=' || value FROM settings",
    ] {
        let mut rows = database.prepare(question)?;
        let rows = rows.query_map([], |row| row.get::<_, String>(0))?;
        found.extend(rows.collect::<rusqlite::Result<Vec<_>>>()?);
    }
    Ok(found)
}

/// Runs the command line on a terminal of its own, with a person's yes already typed: exit code and what it showed.
async fn on_terminal(sandbox: &Sandbox, words: &[&str]) -> Result<(i32, String)> {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&controller)?;
    unlockpt(&controller)?;
    let name = ptsname(&controller, Vec::new())?;
    let terminal = File::options().read(true).write(true).open(name.to_str()?)?;
    let mut child = Command::new("setsid")
        .args(["--ctty", "--wait"])
        .arg(sandbox.bridge())
        .args(words)
        .env("DRAWBRIDGE_HOME", sandbox.home())
        .env_remove("DRAWBRIDGE_CLIENT")
        .stdin(terminal.try_clone()?)
        .stdout(terminal.try_clone()?)
        .stderr(terminal)
        .spawn()
        .context("could not start setsid")?;
    let mut controller = File::from(controller);
    controller.write_all(b"y\nyes\n\n")?;
    let work = tokio::task::spawn_blocking(move || {
        let mut shown = Vec::new();
        // The end of a terminal is an error on Linux.
        let _ = controller.read_to_end(&mut shown);
        let status = child.wait()?;
        Ok((
            status.code().unwrap_or(-1),
            String::from_utf8_lossy(&shown).into_owned(),
        ))
    });
    wait::within("the command on a terminal", Duration::from_secs(60), async {
        work.await?
    })
    .await
}
