//! What cannot be seen is left out, what can be seen is there, and secrets are nowhere.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::site::hidden::{FINER, HIDDEN_AROUND, METHODS, SHOWN_AROUND};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::json;

use crate::outline::{WHOLE, controls, names, navigate, open, text};

/// Hidden by other means than a style.
const MORE: &[&str] = &[
    "closeddetails",
    "hiddenattribute",
    "untilfound",
    "inside",
    "template",
    "noscript",
    "closeddialog",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_reader_tells_hidden_text_unasked() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/hidden/methods").await?;
    let words: Vec<&str> = METHODS
        .iter()
        .map(|(word, _)| *word)
        .chain(MORE.iter().copied())
        .collect();
    tells_none(&world, &words).await?;
    navigate(&world, "/hidden/finer").await?;
    let words: Vec<&str> = FINER.iter().map(|(word, _)| *word).collect();
    tells_none(&world, &words).await?;
    world.leaves_nothing().await
}

/// Whether observe and text leave out what goes with these words, and tell it when asked.
async fn tells_none(world: &World, words: &[&str]) -> Result<()> {
    let outline = text(world, json!({"maxTokens": WHOLE})).await?;
    let readable = inspect(&world.client, "text", json!({"maxTokens": WHOLE}))
        .await?
        .to_string();
    let asked = text(world, json!({"maxTokens": WHOLE, "includeHidden": true})).await?;
    let mut leaks = Vec::new();
    for word in words {
        let marker = format!("text {word}");
        for (reader, read) in [("observe", &outline), ("text", &readable)] {
            if read.contains(&marker) {
                leaks.push(format!("{reader}: {word}"));
            }
        }
        // What is no part of the rendered page at all stays away.
        if !["template", "noscript"].contains(word) && !asked.contains(&marker) {
            leaks.push(format!("not even when asked: {word}"));
        }
    }
    ensure!(leaks.is_empty(), "{leaks:#?}\n{outline}");
    for read in [&outline, &readable] {
        ensure!(
            read.contains("plainly shown") && read.contains("plainly last"),
            "{read}"
        );
    }
    let marked = asked
        .lines()
        .find(|line| line.contains(&format!("text {}", words[0])))
        .context("a line")?;
    ensure!(marked.contains("hidden"), "{marked}");
    Ok(())
}

/// Reads of a page in every way that tells its text.
const READS: &[(&str, &str)] = &[
    ("observe", r#"{"maxTokens": 200000}"#),
    ("observe", r#"{"maxTokens": 200000, "mode": "structured"}"#),
    ("text", r#"{"maxTokens": 200000}"#),
    ("text", r#"{"maxTokens": 200000, "format": "markdown"}"#),
    ("text", r#"{"maxTokens": 200000, "scope": "log"}"#),
    ("find", r#"{"query": "text", "limit": 100, "maxTokens": 200000}"#),
    (
        "find",
        r#"{"selector": "div, p, li, td, main, body, select, canvas, svg", "do": "text", "limit": 100, "maxTokens": 200000}"#,
    ),
    ("dom", r#"{"maxTokens": 200000}"#),
    ("selectors", r#"{"limit": 200}"#),
];

/// Every read, as one text each.
async fn reads(world: &World, more: &[(&str, &str)]) -> Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    for (action, arguments) in READS.iter().chain(more) {
        let read = inspect(&world.client, action, serde_json::from_str(arguments)?).await;
        let read = read.with_context(|| format!("{action} {arguments}"))?.to_string();
        all.push((format!("{action} {arguments}"), read));
    }
    Ok(all)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_reader_tells_text_that_is_hidden_by_what_is_around_it() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/hidden/around").await?;
    text_settles(&world).await?;
    let mut leaks = Vec::new();
    let reads = reads(&world, &[]).await?;
    for (reader, read) in &reads {
        for word in HIDDEN_AROUND {
            if read.contains(&format!("text {word}")) {
                leaks.push(format!("{reader}: {word}"));
            }
        }
    }
    let (outline, readable) = (&reads[0].1, &reads[2].1);
    for word in SHOWN_AROUND {
        let marker = format!("plainly {word}");
        if !outline.contains(&marker) {
            leaks.push(format!("observe lacks {word}"));
        }
        // Choices are no text.
        if *word != "chosen" && !readable.contains(&marker) {
            leaks.push(format!("text lacks {word}"));
        }
    }
    ensure!(leaks.is_empty(), "{leaks:#?}\n{outline}");
    let recipe = recipe_of(&world, "/hidden/around", "main", ".");
    let read = world.extract(recipe).await?;
    let told = serde_json::to_string(&read)?;
    let leaks: Vec<_> = HIDDEN_AROUND
        .iter()
        .filter(|word| told.contains(&format!("text {word}")))
        .collect();
    ensure!(leaks.is_empty(), "a recipe: {leaks:?}\n{told}");
    for word in ["dimmed", "kept", "escaped", "scrolled", "clipped", "grey"] {
        ensure!(told.contains(&format!("plainly {word}")), "{word}: {told}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_row_of_a_table_list_or_recipe_has_hidden_text() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/hidden/rows").await?;
    let tables = [
        ("table", r#"{"selector": "table", "maxTokens": 200000}"#),
        ("table", r#"{"selector": "ul", "maxTokens": 200000}"#),
        (
            "table",
            r#"{"selector": "table", "format": "csv", "maxTokens": 200000}"#,
        ),
        ("suggest", "{}"),
    ];
    let mut leaks = Vec::new();
    let mut all = reads(&world, &tables).await?;
    for (place, what) in [(".", "p.word"), (".", "div"), ("p.word", ".")] {
        let rows = if place == "." { "li.row" } else { place };
        let recipe = recipe_of(&world, "/hidden/rows", rows, what);
        let read = world.extract(recipe).await?;
        all.push((format!("a recipe for {what}"), serde_json::to_string(&read)?));
    }
    for (reader, read) in &all {
        for (word, _) in METHODS.iter().chain(FINER) {
            if read.contains(&format!("text {word}")) {
                leaks.push(format!("{reader}: {word}"));
            }
        }
        if reader.starts_with("table") && !(read.contains("cell 3") || read.contains("more 3")) {
            leaks.push(format!("{reader} lacks what is shown: {read}"));
        }
        if reader.ends_with("p.word") && !read.contains("more 3") {
            leaks.push(format!("{reader} lacks what is shown: {read}"));
        }
    }
    ensure!(leaks.is_empty(), "{leaks:#?}");
    world.leaves_nothing().await
}

/// A recipe with one text per row.
fn recipe_of(world: &World, path: &str, rows: &str, field: &str) -> serde_json::Value {
    let mut recipe = world.site.recipe(path);
    recipe["ready"] = rows.into();
    recipe["rows"] = rows.into();
    recipe["fields"] = json!([{"name": "said", "read": "text", "required": false}]);
    if field != "." {
        recipe["fields"][0]["selector"] = field.into();
    }
    recipe
}

/// Waits until the frames of the page are there.
async fn text_settles(world: &World) -> Result<()> {
    wait::until("what the frame shows", Duration::from_secs(15), async || {
        let read = text(world, json!({"maxTokens": WHOLE})).await?;
        Ok(read.contains("plainly framed").then_some(()))
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_looks_hidden_to_a_careless_reader_is_there() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/hidden/shown").await?;
    let all = controls(&world).await?;
    assert_eq!(
        names(&all),
        [
            "visible inside hidden",
            "in display contents",
            "itself display contents",
            "aria hidden button",
            "overflows a box without height",
            "fixed out of a clip",
            "laid out when near",
            "white on black",
            "Open",
            "in open details",
            "styled box",
            "scrolled out of a box",
            "far below",
        ]
    );
    ensure!(all[3].states.contains("ariaHidden"), "{:?}", all[3]);
    let outline = text(&world, json!({"maxTokens": WHOLE})).await?;
    for words in [
        "visible innermost",
        "aria hidden text",
        "white on black text",
        "own background",
    ] {
        ensure!(outline.contains(words), "{words}: {outline}");
    }
    for words in ["hidden outer", "hidden inner"] {
        ensure!(!outline.contains(words), "{words}: {outline}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_read_tells_a_secret() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/states/empty").await?;
    navigate(&world, "/hidden/secrets").await?;
    let page = world.browser.page(|url| url.ends_with("/hidden/secrets")).await?;
    for toggled in [false, true] {
        if toggled {
            // What was seen as a password stays one, also when the page shows it.
            page.evaluate::<Option<bool>>("toggled.type = 'text', null")
                .await?;
        }
        let mut told = String::new();
        for (action, arguments) in [
            ("observe", json!({"maxTokens": WHOLE})),
            (
                "observe",
                json!({"maxTokens": WHOLE, "mode": "structured", "includeHidden": true}),
            ),
            ("text", json!({"maxTokens": WHOLE, "includeHidden": true})),
            ("text", json!({"maxTokens": WHOLE, "format": "markdown"})),
            ("find", json!({"query": "secret 1", "limit": 100})),
            ("find", json!({"selector": "input", "do": "text", "limit": 100})),
            (
                "find",
                json!({"selector": "input", "do": "attribute", "attribute": "value", "limit": 100}),
            ),
            ("html", json!({"selector": "form"})),
            ("dom", json!({"maxTokens": WHOLE})),
            ("selectors", json!({"limit": 200})),
        ] {
            let read = inspect(&world.client, action, arguments.clone()).await;
            let read = read.with_context(|| format!("{action} {arguments}"))?.to_string();
            for number in 1..=15 {
                let secret = format!("secret-{number}");
                ensure!(!read.contains(&secret), "{action} {arguments}: {read}");
            }
            told.push_str(&read);
        }
        ensure!(told.contains("told-name"), "{told}");
        let all = controls(&world).await?;
        let secret = all
            .iter()
            .find(|one| one.name == "Secret 1")
            .context("Secret 1")?;
        ensure!(
            secret.states.contains("filled") && secret.value.is_none(),
            "{secret:?}"
        );
        let empty = all.iter().find(|one| one.name == "Empty").context("Empty")?;
        ensure!(!empty.states.contains("filled"), "{empty:?}");
    }
    page.detach().await?;
    world.leaves_nothing().await
}
