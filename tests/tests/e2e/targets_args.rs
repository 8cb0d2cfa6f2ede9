//! Everything a caller may write for one element means the same on every action, and what contradicts itself is refused
//! with both names.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::world::World;
use serde_json::json;

use crate::outline::{controls, open, ref_of};

const PAGE: &str = "<title>Targets</title><main><h1>Targets</h1><section aria-label=First><button>Save</button>
    <label>Mail <input placeholder=you@example></label></section><section aria-label=Second><button data-testid=second>Save</button>
    <p>Second text</p></section></main>";

#[tokio::test(flavor = "multi_thread")]
async fn every_way_to_say_it_finds_the_same() -> Result<()> {
    let world = World::shared().await?;
    world.site.put("/targets", PAGE);
    open(&world, "/targets").await?;
    let all = controls(&world).await?;
    let mail = ref_of(&all, "Mail")?;
    let saves: Vec<&str> = all
        .iter()
        .filter(|node| node.name == "Save")
        .filter_map(|node| node.r#ref.as_deref())
        .collect();
    let [first, second] = saves[..] else {
        anyhow::bail!("{saves:?}")
    };
    for (args, wanted) in [
        (json!({"target": mail}), mail.as_str()),
        (json!({"target": format!("@{mail}")}), &mail),
        (json!({"target": format!("[ref={mail}]")}), &mail),
        (json!({"ref": mail, "selector": "", "target": ""}), &mail),
        (json!({"selector": "input"}), &mail),
        (json!({"target": {"label": "Mail"}}), &mail),
        (json!({"target": {"placeholder": "you@"}}), &mail),
        (
            json!({"target": {"role": "textbox", "name": "mail", "index": -1, "text": ""}}),
            &mail,
        ),
        (json!({"target": {"testId": "second"}}), second),
        (
            json!({"target": {"role": "button", "name": "Save", "index": 1}}),
            second,
        ),
        (
            json!({"target": {"role": "button", "scope": {"role": "region", "name": "Second"}}}),
            second,
        ),
        (
            json!({"target": {"text": "Save", "exact": true, "index": 0}}),
            first,
        ),
    ] {
        let mut args = args;
        args["do"] = json!("state");
        let found = inspect(&world.client, "find", args.clone())
            .await
            .with_context(|| args.to_string())?;
        assert_eq!(
            found["total"].as_u64().map(|total| total >= 1),
            Some(true),
            "{args}: {found}"
        );
        assert_eq!(found["matches"][0]["node"]["ref"], wanted, "{args}: {found}");
    }
    // The same words name a part for every other action.
    let part = json!({"target": {"role": "region", "name": "Second"}});
    let text = inspect(&world.client, "text", part.clone()).await?;
    ensure!(
        text["text"]
            .as_str()
            .is_some_and(|text| text.contains("Second text") && !text.contains("Targets")),
        "{text}"
    );
    let outline = inspect(&world.client, "observe", part).await?;
    ensure!(
        outline["outline"]
            .as_str()
            .is_some_and(|outline| outline.contains(second) && !outline.contains("Mail")),
        "{outline}"
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_contradicts_itself_is_refused_with_both_names() -> Result<()> {
    let world = World::shared().await?;
    world.site.put("/targets", PAGE);
    open(&world, "/targets").await?;
    for (args, names) in [
        (json!({"target": "main", "ref": "e1"}), ["target", "ref"]),
        (json!({"ref": "e1", "selector": "main"}), ["ref", "selector"]),
        (
            json!({"target": {"role": "main", "text": "x"}}),
            ["target.role", "target.text"],
        ),
        (
            json!({"target": {"ref": "e1", "index": 2}}),
            ["target.ref", "target.index"],
        ),
        (
            json!({"target": {"text": "x", "name": "y"}}),
            ["target.name", "target.text"],
        ),
        (json!({"target": {"hasText": "x"}}), ["target", "hasText"]),
        (
            json!({"diff": true, "mode": "structured"}),
            ["diff", "structured"],
        ),
    ] {
        let error = inspect(&world.client, "observe", args.clone())
            .await
            .err()
            .context("it was read")?;
        assert_eq!(error.code, Code::InvalidArgument, "{args}: {error}");
        ensure!(
            names.iter().all(|name| error.message.contains(name)),
            "{args}: {error}"
        );
    }
    let other = json!({"document": "0123456789ABCDEF0123456789ABCDEF"});
    let error = inspect(&world.client, "observe", other)
        .await
        .err()
        .context("it was read")?;
    assert_eq!(error.code, Code::StaleRef);
    for (action, args, code) in [
        ("text", json!({"target": "li.none"}), Code::NotFound),
        ("text", json!({"target": "section"}), Code::Ambiguous),
        ("text", json!({"target": "li:frob"}), Code::InvalidArgument),
        ("observe", json!({"target": "e4000000"}), Code::StaleRef),
    ] {
        let error = inspect(&world.client, action, args.clone())
            .await
            .err()
            .context("it was read")?;
        assert_eq!(error.code, code, "{args}: {error}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn flat_names_take_the_words_of_other_skills() -> Result<()> {
    let world = World::shared().await?;
    world.site.put("/targets", PAGE);
    open(&world, "/targets").await?;
    let client = &world.client;
    let count = json!({"target": {"role": "button", "scopeSelector": "main"}, "action": "count"});
    assert_eq!(client.call_raw("browser_locator", count).await?["total"], 2);
    let attribute = json!({"target": "input", "action": "getAttribute", "attribute": "placeholder"});
    let found = client.call_raw("browser_locator", attribute).await?;
    assert_eq!(found["matches"][0]["value"], "you@example");
    let text = json!({"scope": "log", "tail": true, "includeFrames": false, "maxChars": 400, "responseMode": "compact"});
    let text = client.call_raw("browser_extract", text).await?;
    ensure!(
        text["text"]
            .as_str()
            .is_some_and(|text| text.contains("Second text")),
        "{text}"
    );
    let raw = client
        .call_raw("browser_snapshot", json!({"responseMode": "raw"}))
        .await;
    assert_eq!(raw.err().context("it was raw")?.code, Code::Unsupported);
    world.leaves_nothing().await
}
