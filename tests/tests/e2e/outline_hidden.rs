//! What cannot be seen is left out, what can be seen is there, and secrets are nowhere.

use anyhow::{Context, Result, ensure};
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::site::hidden::METHODS;
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
    let outline = text(&world, json!({"maxTokens": WHOLE})).await?;
    let readable = inspect(&world.client, "text", json!({"maxTokens": WHOLE}))
        .await?
        .to_string();
    let asked = text(&world, json!({"maxTokens": WHOLE, "includeHidden": true})).await?;
    // It is faint and can be seen.
    let methods = METHODS
        .iter()
        .map(|(word, _)| *word)
        .filter(|word| *word != "faint");
    let mut leaks = Vec::new();
    for word in methods.chain(MORE.iter().copied()) {
        let marker = format!("text {word}");
        for (reader, read) in [("observe", &outline), ("text", &readable)] {
            if read.contains(&marker) {
                leaks.push(format!("{reader}: {word}"));
            }
        }
        // What is no part of the rendered page at all stays away.
        if !["template", "noscript"].contains(&word) && !asked.contains(&marker) {
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
        .find(|line| line.contains("text display"))
        .context("a line")?;
    ensure!(marked.contains("hidden"), "{marked}");
    world.leaves_nothing().await
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
