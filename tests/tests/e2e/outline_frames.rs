//! Frames of every kind and shadow trees stand in the outline at their place.

use anyhow::{Context, Result, ensure};
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
