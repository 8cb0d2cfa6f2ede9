//! Frames of every kind and shadow trees stand in the outline at their place.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_tests::oracle::shown::{self, inspect};
use drawbridge_tests::world::World;
use serde_json::json;

use crate::outline::{controls, meaning, names, navigate, open, until_named};

#[tokio::test(flavor = "multi_thread")]
async fn what_frames_hold_stands_between_what_is_around_them() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/states/empty").await?;
    for name in [
        "same",
        "srcdoc",
        "blank",
        "cross",
        "foreign",
        "late",
        "shadow-only",
    ] {
        if name == "shadow-only" {
            navigate(&world, "/frames/shadow").await?;
            let expected = [
                "Before",
                "shadow",
                "Field shadow",
                "shadow-cross",
                "Field shadow-cross",
                "After",
            ];
            until_named(&world, &expected).await?;
            continue;
        }
        navigate(&world, &format!("/frames/{name}")).await?;
        let field = format!("Field {name}");
        let all = until_named(&world, &["Before", name, &field, "After"]).await?;
        for one in all {
            let found = one.r#ref.context("a control without a ref")?;
            assert_eq!(meaning(&world, &found).await?, one.name, "{name}");
        }
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_in_frames_and_without_rights_are_read_too() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/frames/sandboxed").await?;
    let expected = [
        "Before",
        "sandboxed",
        "Field sandboxed",
        "scripted",
        "Field scripted",
        "After",
    ];
    until_named(&world, &expected).await?;
    navigate(&world, "/frames/nested").await?;
    let inside = [
        "Before",
        "outer",
        "Field outer",
        "back",
        "Field back",
        "deep",
        "Field deep",
        "After",
    ];
    until_named(&world, &[&["Before"], &inside[..], &["After"]].concat()).await?;
    navigate(&world, "/frames/hidden").await?;
    until_named(&world, &["Before", "shown", "Field shown", "After"]).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_may_be_left_out_and_are_named_then() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/frames/same").await?;
    let nodes = shown::outline(&world.client, json!({"frames": false})).await?;
    let controls: Vec<_> = nodes
        .iter()
        .filter(|node| node.kind == "control")
        .cloned()
        .collect();
    assert_eq!(names(&controls), ["Before", "After"]);
    ensure!(nodes.iter().any(|node| node.role == "frame"), "{nodes:?}");
    world.leaves_nothing().await
}

/// Takes away the grant for the site that `foreign` frames come from.
async fn withhold(world: &World) -> Result<()> {
    let id = world.id();
    let off = [
        "grants",
        "set",
        id.as_str(),
        "browser.read",
        "off",
        "--site",
        "localhost",
    ];
    let (code, told) = world.sandbox.cli(off).await?;
    ensure!(code == 0, "{told}");
    Ok(())
}

/// Frames of a site without a grant, three of which are in sight and share one address.
#[tokio::test(flavor = "multi_thread")]
async fn every_read_counts_each_frame_that_is_withheld_once() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/frames/withheld").await?;
    // Granted, they are all there.
    let all = [
        &["Before"][..],
        &["ad", "Field ad"].repeat(3),
        &["same", "Field same", "After"],
    ]
    .concat();
    until_named(&world, &all).await?;
    withhold(&world).await?;

    for (action, arguments, frames) in [
        ("observe", json!({}), 3),
        ("observe", json!({"mode": "structured"}), 3),
        ("text", json!({}), 3),
        ("text", json!({"format": "markdown"}), 3),
        ("text", json!({"selector": "table"}), 0),
        ("find", json!({"query": "ad"}), 3),
        ("find", json!({"target": {"role": "button"}, "do": "count"}), 3),
        ("find", json!({"target": {"role": "cell", "scope": "table"}}), 0),
        // A selector looks in one document.
        ("find", json!({"selector": "button"}), 0),
        ("table", json!({}), 3),
        ("table", json!({"selector": "table"}), 0),
        ("dom", json!({}), 3),
    ] {
        let read = inspect(&world.client, action, arguments.clone()).await;
        let read = read.with_context(|| format!("{action} {arguments}"))?;
        let told = read["omitted"]["frames"].as_u64().unwrap_or(0);
        assert_eq!(told, frames, "{action} {arguments}: {read}");
        ensure!(
            frames == 0
                || read["hint"]
                    .as_str()
                    .is_some_and(|hint| hint.contains("allows those sites")),
            "{action} {arguments}: {read}"
        );
        ensure!(
            !read.to_string().contains("Field ad"),
            "{action} {arguments}: {read}"
        );
    }

    // Each stands at its place, with the reason inside of it.
    let outline = crate::outline::text(&world, json!({})).await?;
    let frames: Vec<&str> = outline.lines().map(str::trim).collect();
    let boundaries = frames.iter().filter(|line| line.starts_with("boundary")).count();
    assert_eq!(boundaries, 3, "{outline}");
    for (above, line) in frames.iter().zip(&frames[1..]) {
        if line.starts_with("boundary") {
            ensure!(
                above.contains("frame \"ad\"") && line.contains("no grant"),
                "{outline}"
            );
        }
    }
    ensure!(!outline.contains("no document"), "{outline}");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_in_a_withheld_frame_is_refused_and_not_missed() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/frames/withheld").await?;
    withhold(&world).await?;
    let ad = "iframe[title=ad]:not([hidden])";
    for (action, arguments) in [
        (
            "find",
            json!({"target": {"role": "button", "frame": "iframe:first-of-type"}}),
        ),
        (
            "find",
            json!({"target": {"selector": "button", "scope": {"selector": ad, "index": 1}}}),
        ),
        ("find", json!({"query": "ad", "within": "iframe:first-of-type"})),
        (
            "text",
            json!({"target": {"selector": "h2", "scope": {"selector": ad, "index": 2}}}),
        ),
        (
            "html",
            json!({"target": {"selector": "h2", "scope": {"selector": ad, "index": 0}}}),
        ),
        (
            "observe",
            json!({"target": {"selector": "h2", "scope": {"selector": ad, "index": 0}}}),
        ),
        (
            "table",
            json!({"target": {"selector": "h2", "scope": {"selector": ad, "index": 0}}}),
        ),
    ] {
        let error = inspect(&world.client, action, arguments.clone()).await;
        let error = error
            .err()
            .with_context(|| format!("{action} {arguments} was answered"))?;
        assert_eq!(error.code, Code::NotGranted, "{action} {arguments}: {error}");
        ensure!(error.message.contains("localhost"), "{error}");
        ensure!(
            error.hint.as_deref().is_some_and(|hint| hint.contains("allows")),
            "{error:?}"
        );
    }
    // What is nowhere stays not found, and is told what to try.
    for action in ["text", "html", "observe", "table"] {
        let error = inspect(&world.client, action, json!({"target": {"role": "buton"}})).await;
        let error = error.err().context("there is no such role")?;
        assert_eq!(error.code, Code::NotFound, "{action}: {error}");
        ensure!(
            error.hint.as_deref().is_some_and(|hint| hint.contains("button")),
            "{action}: {error:?}"
        );
    }
    let error = inspect(
        &world.client,
        "find",
        json!({"frames": false, "target": {"role": "button", "frame": "iframe[title=same]"}}),
    )
    .await;
    let error = error.err().context("frames were not asked for")?;
    assert_eq!(error.code, Code::NotFound, "{error}");
    ensure!(
        error.hint.as_deref().is_some_and(|hint| hint.contains("frames")),
        "{error:?}"
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn open_and_closed_shadow_trees_are_read() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/shadow/open").await?;
    let all = controls(&world).await?;
    assert_eq!(
        names(&all),
        [
            "Button 1",
            "Field 1",
            "Button 2",
            "Field 2",
            "Button 3",
            "Field 3",
            "Deep link",
            "After"
        ]
    );
    assert_eq!(all[5].value.as_deref(), Some("value 3"));
    let found = inspect(
        &world.client,
        "find",
        json!({"selector": "a[href='/deep']", "do": "count"}),
    )
    .await?;
    assert_eq!(found["total"], 1);
    navigate(&world, "/shadow/closed").await?;
    assert_eq!(
        names(&controls(&world).await?),
        ["In a closed root", "In an open root", "Closed in open"]
    );
    navigate(&world, "/shadow/slots").await?;
    assert_eq!(
        names(&controls(&world).await?),
        [
            "Shown first",
            "Shown last",
            "Fallback",
            "Named in the root",
            "Slotted name"
        ]
    );
    world.leaves_nothing().await
}
