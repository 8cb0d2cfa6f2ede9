//! The command line: its exit codes, and JSON for every command that is asked for it.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::local::{FromDaemon, ToDaemon};
use drawbridge_protocol::{Code, Error, version};
use drawbridge_tests::client::{read_frame, write_frame};
use drawbridge_tests::sandbox::{Options, Sandbox};
use drawbridge_tests::world::World;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::UnixListener;

/// A command, and whether its result is what it should be.
type Case = (&'static [&'static str], fn(&Value) -> bool);

#[tokio::test(flavor = "multi_thread")]
async fn every_command_answers_in_json() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let target = world.sandbox.profile().target.clone();
    let cases: &[Case] = &[
        (&["chrome", "status"], |result| result["connected"] == true),
        (&["chrome", "status", "--target", "profile-1"], |result| {
            result["targets"] == 1
        }),
        (&["chrome", "tabs"], |result| result["totalTabs"].is_u64()),
        (&["chrome", "tabs", "--query", "nothing has this"], |result| {
            result["matchedTabs"] == 0
        }),
        (&["grants", "list"], |result| *result == json!([])),
        (&["grants", "set", "x", "browser.read", "off"], |result| {
            result["decision"] == "off"
        }),
        (
            &[
                "grants",
                "set",
                "x",
                "browser.read",
                "allow",
                "--site",
                "Shop.Example",
                "--yes",
            ],
            |result| result["site"] == "shop.example" && result["decision"] == "allow",
        ),
        (
            &["grants", "revoke", "x", "*", "--site", "shop.example"],
            |result| result["action"] == "*",
        ),
        (&["clients", "admit", "x", "--yes"], Value::is_null),
        (&["clients", "list"], |result| result[0]["client"].is_string()),
        (&["settings", "get", "recipe.window"], |result| {
            result == "when_needed"
        }),
        (&["settings", "set", "recipe.window", "never"], |result| {
            result == "never"
        }),
        (&["settings", "get", "recipe.window"], |result| result == "never"),
        (&["audit", "show", "--limit", "1"], |result| {
            result.as_array().is_some_and(|rows| rows.len() == 1)
        }),
        (&["tools"], |result| {
            result.as_array().is_some_and(|rows| rows.len() > 10)
        }),
        (&["tools", "browser_page"], |result| {
            result["arguments"]["type"] == "object"
        }),
        (&["call", "browser_status"], |result| result["connected"] == true),
        (&["daemon", "--stop"], Value::is_null),
    ];
    for (words, fits) in cases {
        for json_first in [false, true] {
            let words = if json_first {
                [&["--json"], *words].concat()
            } else {
                [*words, &["--json"]].concat()
            };
            let (code, text) = world.sandbox.cli(words.iter().copied()).await?;
            assert_eq!((code, text.lines().count()), (0, 1), "{words:?}: {text}");
            let reply: Value = serde_json::from_str(&text)?;
            ensure!(reply["ok"] == true && fits(&reply["result"]), "{words:?}: {text}");
            if words.contains(&"--stop") {
                // Whoever needs it starts the next one.
                assert_eq!(world.sandbox.cli(["grants", "list"]).await?.0, 0);
            }
        }
        // For people it says the same in words, and none of them is JSON but the call's.
        let (code, text) = world.sandbox.cli(words.iter().copied()).await?;
        assert_eq!(code, 0, "{words:?}: {text}");
        ensure!(!text.is_empty(), "{words:?} says nothing");
        assert_eq!(
            text.starts_with("{\"ok\""),
            words[0] == "call",
            "{words:?}: {text}"
        );
    }
    let (_, text) = world
        .sandbox
        .cli(["call", "browser_echo", "{\"text\":\"é\"}", "--hops"])
        .await
        .context("echo")?;
    // The browser may still be on its way to the new daemon.
    let reply: Value = serde_json::from_str(&text)?;
    ensure!(reply["hops"][0]["name"] == "client", "{text}");
    assert!(!target.as_str().is_empty());
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_takes_its_arguments_from_stdin() -> Result<()> {
    let world = World::shared().await?;
    let mut child = world
        .sandbox
        .command(["call", "browser_extract", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let args = json!({"recipe": world.site.recipe("/states/ok")}).to_string();
    let mut stdin = child.stdin.take().context("stdin")?;
    stdin.write_all(args.as_bytes()).await?;
    drop(stdin);
    let output = child.wait_with_output().await?;
    let reply: Value = serde_json::from_slice(&output.stdout)?;
    assert_eq!(
        (output.status.code(), &reply["result"]["state"]),
        (Some(0), &json!("ok")),
        "{reply}"
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_codes_say_what_kind_of_end_it_was() -> Result<()> {
    let world = World::shared().await?;
    let never = json!({"recipe": world.site.recipe("/slow/never"), "timeoutMs": 1500}).to_string();
    let elsewhere = json!({"recipe": world.site.recipe("/states/redirect-other")}).to_string();
    let ok = json!({"recipe": world.site.recipe("/states/ok")}).to_string();
    let lost = json!({"url": "http://127.0.0.1:1/"}).to_string();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["call", "browser_extract", &ok], 0, ""),
        (&["call", "browser_nothing"], 1, "invalid_argument"),
        (&["call", "browser_status", "{"], 1, "invalid_argument"),
        (&["call", "browser_status", "[1]"], 1, "invalid_argument"),
        (&["call", "browser_stop"], 1, "session_unknown"),
        (&["settings", "get", "no.such"], 1, "invalid_argument"),
        (
            &["settings", "set", "recipe.window", "sometimes"],
            1,
            "invalid_argument",
        ),
        (
            &["grants", "set", "x", "browser.fly", "off"],
            1,
            "invalid_argument",
        ),
        (
            &["grants", "set", "x", "browser.read", "off", "--site", "http://a/"],
            1,
            "invalid_argument",
        ),
        (
            &["grants", "set", "a b", "browser.read", "off"],
            1,
            "invalid_argument",
        ),
        (
            &["grants", "set", "x", "browser.read", "allow"],
            1,
            "needs_approval",
        ),
        (&["clients", "admit", "x"], 1, "needs_approval"),
        (&["tools", "browser_nothing"], 1, "invalid_argument"),
        (&["chrome", "tabs", "--target", "nobody"], 2, "target_unavailable"),
        (&["call", "browser_extract", &elsewhere], 3, "navigation_blocked"),
        (&["call", "browser_selectors", &lost], 3, "page_unreadable"),
        (&["call", "browser_extract", &never], 4, "timeout"),
        // Wrong use that the parser finds.
        (&["fly"], 1, "invalid_argument"),
        (&["grants", "set", "x"], 1, "invalid_argument"),
        (
            &["grants", "set", "x", "browser.read", "perhaps"],
            1,
            "invalid_argument",
        ),
        (&["audit", "show", "--limit", "many"], 1, "invalid_argument"),
        (&["chrome", "status", "--colour"], 1, "invalid_argument"),
        (&[], 1, "invalid_argument"),
    ];
    for (words, wanted, error) in cases {
        let asked = [*words, &["--json"]].concat();
        let (code, text) = world.sandbox.cli(asked).await?;
        assert_eq!(code, *wanted, "{words:?}: {text}");
        let reply: Value = serde_json::from_str(&text).with_context(|| format!("{words:?}: {text}"))?;
        let told = reply["error"]["code"].as_str().unwrap_or_default();
        assert_eq!((told, text.lines().count()), (*error, 1), "{words:?}: {text}");
        // Without it people read stderr, a call excepted.
        let (code, text) = world.sandbox.cli(words.iter().copied()).await?;
        assert_eq!(code, *wanted, "{words:?}");
        assert_eq!(
            text.is_empty(),
            words.first() != Some(&"call"),
            "{words:?}: {text}"
        );
    }
    for words in [&["--help"][..], &["--version"], &["grants", "set", "--help"]] {
        let (code, text) = world.sandbox.cli(words.iter().copied()).await?;
        ensure!(code == 0 && !text.is_empty(), "{words:?}: {code} {text}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bridge_that_cannot_be_reached_is_a_transport_end_and_one_of_another_version_is_told_apart()
-> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    // Without a browser the daemon itself is there.
    let (code, text) = sandbox.cli(["call", "browser_tabs"]).await?;
    assert_eq!((code, code_of(&text)?), (2, json!("not_connected")), "{text}");
    let (code, text) = sandbox.cli(["chrome", "status", "--json"]).await?;
    let reply: Value = serde_json::from_str(&text)?;
    assert_eq!(code, 0, "a status is an answer: {text}");
    assert_eq!(reply["result"]["issues"][0]["id"], "no_browser");
    sandbox.cli(["daemon", "--stop"]).await?;

    // A daemon of another version answers in its place.
    let listener = UnixListener::bind(sandbox.home().join("run/daemon.sock"))?;
    let other = tokio::spawn(async move {
        let mut met = 0;
        while let Ok((mut stream, _)) = listener.accept().await {
            let Ok(Some(hello)) = read_frame(&mut stream).await else {
                continue;
            };
            if let Ok(ToDaemon::Client(hello)) = serde_json::from_slice(&hello)
                && hello.protocol == version::PROTOCOL
            {
                met += 1;
                let error = Error::new(Code::VersionMismatch, "the bridge (9.0.0, protocol 9) differs")
                    .hint("update the client");
                let refused = serde_json::to_vec(&FromDaemon::Refused { error }).unwrap_or_default();
                if write_frame(&mut stream, &refused).await.is_err() {
                    break;
                }
            }
        }
        met
    });
    for words in [&["call", "browser_status"][..], &["grants", "list", "--json"]] {
        let (code, text) = sandbox.cli(words.iter().copied()).await?;
        assert_eq!(
            (code, code_of(&text)?),
            (5, json!("version_mismatch")),
            "{words:?}: {text}"
        );
        ensure!(text.contains("update the client"), "{text}");
    }
    other.abort();
    sandbox.stop().await
}

/// What a page says cannot move the cursor of a person's terminal, nor turn the text around.
#[tokio::test(flavor = "multi_thread")]
async fn titles_are_harmless_on_a_terminal() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/title",
        "<script>document.title = 'one\\u001b[31m\\u001b]0;x\\u0007two\\u202ethree\\u2066\\u200f\\u009bfour\\u0000'</script>",
    );
    let page = world.browser.open(&world.site.url("/title")).await?;
    let (code, text) = world.sandbox.cli(["chrome", "tabs", "--query", "two"]).await?;
    assert_eq!(code, 0);
    let bad = |character: char| {
        (character.is_control() && character != '\n')
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    ensure!(text.contains("two") && !text.contains(bad), "{text:?}");
    // As JSON it is exact, and escaped.
    let (_, text) = world
        .sandbox
        .cli(["chrome", "tabs", "--query", "two", "--json"])
        .await?;
    ensure!(!text.contains(bad), "{text:?}");
    let reply: Value = serde_json::from_str(&text)?;
    let title = reply["result"]["tabs"][0]["title"].as_str().unwrap_or_default();
    ensure!(
        title.contains("\u{202e}three\u{2066}\u{200f}\u{9b}four"),
        "{title:?}"
    );
    page.close().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_mcp_server_that_is_told_wrong_things_says_so_and_ends() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let mut command = sandbox.command(["mcp", "--surface", "round", "--json"]);
    let output = command.stdin(Stdio::null()).output();
    let output = tokio::time::timeout(Duration::from_secs(40), output).await??;
    assert_eq!(output.status.code(), Some(1));
    sandbox.stop().await
}

fn code_of(text: &str) -> Result<Value> {
    let reply: Value = serde_json::from_str(text).with_context(|| text.to_owned())?;
    Ok(reply["error"]["code"].clone())
}
