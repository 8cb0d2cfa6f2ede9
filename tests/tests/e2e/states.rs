//! Recipes, version 1: each rule on a page of its own.

use anyhow::Result;
use drawbridge_protocol::Code;
use drawbridge_protocol::recipe::{IssueKind, RecipeResult, State};
use drawbridge_tests::world::World;

use IssueKind::*;
use State::*;

/// Page, state, rows, pages, kinds of issue.
type Case = (&'static str, State, usize, u32, &'static [IssueKind]);

const CASES: &[Case] = &[
    ("ok", Ok, 3, 1, &[]),
    ("moved", Ok, 3, 1, &[]),
    ("empty", Empty, 0, 1, &[]),
    ("empty-hidden", SourceChanged, 0, 1, &[NoRows]),
    ("rows-and-empty", SourceChanged, 0, 1, &[RowsAndEmpty]),
    ("nothing", SourceChanged, 0, 1, &[NoRows]),
    ("renamed", SourceChanged, 0, 1, &[NoRows]),
    ("many", Incomplete, 100, 1, &[LimitReached]),
    ("paged", Incomplete, 20, 10, &[MaxPagesReached]),
    ("shifting", Ok, 9, 3, &[RepeatedRow, RepeatedRow]),
    ("ends-empty", Ok, 3, 2, &[]),
    ("ends-changed", SourceChanged, 0, 2, &[NoRows]),
    ("login-element", LoginRequired, 0, 1, &[LoginElement]),
    ("login-redirect", LoginRequired, 0, 1, &[LoginElement]),
    ("login-redirect-other", LoginRequired, 0, 1, &[LoginRedirect]),
    ("password-beside", Ok, 3, 1, &[]),
    ("ambiguous-optional", SourceChanged, 0, 1, &[FieldAmbiguous]),
    ("ambiguous-required", SourceChanged, 0, 1, &[FieldAmbiguous]),
    ("missing-optional", Ok, 3, 1, &[]),
    ("blank-optional", Ok, 3, 1, &[]),
    (
        "missing-required",
        SourceChanged,
        0,
        1,
        &[FieldMissing, FieldMissing],
    ),
    ("blank-required", SourceChanged, 0, 1, &[FieldMissing]),
    ("hidden-row", Ok, 2, 1, &[]),
    ("visibility", Ok, 6, 1, &[]),
    ("copy", Ok, 3, 1, &[]),
    ("hidden-copy", Ok, 3, 1, &[]),
    ("next-two", SourceChanged, 0, 1, &[NextAmbiguous]),
    ("next-hidden", Ok, 3, 1, &[]),
    ("next-no-href", SourceChanged, 0, 1, &[NextWithoutHref]),
    ("next-loop", SourceChanged, 0, 2, &[NextRepeated]),
    ("next-same", SourceChanged, 0, 1, &[NextRepeated]),
    ("next-fragment", SourceChanged, 0, 1, &[NextRepeated]),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_state_page_is_read_as_the_rules_say() -> Result<()> {
    let world = World::shared().await?;
    let mut wrong = Vec::new();
    for (name, state, rows, pages, issues) in CASES {
        let result = world.extract(world.site.recipe(&format!("/states/{name}"))).await;
        let fits = result.as_ref().is_ok_and(|found| {
            found.state == *state
                && found.rows.len() == *rows
                && found.pages == *pages
                && kinds(found) == *issues
                && found.complete == matches!(state, Ok | Empty)
        });
        if !fits {
            wrong.push(format!("{name}: {result:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_leads_off_the_origin_is_blocked() -> Result<()> {
    let world = World::shared().await?;
    for name in [
        "redirect-other",
        "next-other-origin",
        "next-redirect-other",
        "next-script",
    ] {
        let error = world
            .extract(world.site.recipe(&format!("/states/{name}")))
            .await
            .unwrap_err();
        assert_eq!(error.code, Code::NavigationBlocked, "{name}: {error}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_a_person_can_see_counts_as_a_row() -> Result<()> {
    let world = World::shared().await?;
    let result = world.extract(world.site.recipe("/states/visibility")).await?;
    let prices: Vec<_> = result
        .rows
        .iter()
        .map(|row| row["price"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(prices, ["seen"; 6], "{result:?}");
    world.leaves_nothing().await
}

fn kinds(result: &RecipeResult) -> Vec<IssueKind> {
    result.issues.iter().map(|issue| issue.kind).collect()
}
