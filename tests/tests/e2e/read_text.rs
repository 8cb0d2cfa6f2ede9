//! Text as Markdown, the content of real pages, hidden text on request.

use anyhow::{Context, Result, ensure};
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::project;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::outline::{WHOLE, open};

#[tokio::test(flavor = "multi_thread")]
async fn markdown_has_the_structure_of_the_page_and_none_of_its_words() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/markdown",
        "<title>M</title><h1>Guide</h1><p>See <a href='/next'>the <b>next</b> page</a>.</p>
         <ul><li>one<ol><li>two</ol><li>three</ul><pre><code class=language-rust>let a = 1;\n    b</code></pre>
         <table><tr><th>Name<th>Age<tr><td>Ann<td>3</table><blockquote>quoted</blockquote>
         <p># not a heading [x](y)</p><img src=/cat.png alt='A cat'>",
    );
    open(&world, "/markdown").await?;
    let read = inspect(&world.client, "text", json!({"format": "markdown"})).await?;
    assert_eq!(
        text(&read)?,
        "# Guide\n\nSee [the **next** page](/next).\n\n- one\n  1. two\n- three\n\n```rust\nlet a = 1;\n    b\n```\n\n\
         | Name | Age |\n| --- | --- |\n| Ann | 3 |\n\n> quoted\n\n\\# not a heading \\[x\\](y)\n\n![A cat](/cat.png)"
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_text_is_counted_and_given_only_on_request() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/hidden",
        "<body style='background:#fff'><p>seen <span style='display:none'>gone</span> <span style='color:#fff'>white</span></p>
         <details><summary>More</summary><p>answer</p></details>
         <div style='visibility:hidden'>no <b style='visibility:visible'>yes</b></div>
         <div style='height:0;overflow:hidden'>flat</div><input type=password value=hunter2>",
    );
    open(&world, "/hidden").await?;
    let read = inspect(&world.client, "text", json!({})).await?;
    assert_eq!(text(&read)?, "seen\nMore\nyes");
    assert_eq!(read["omitted"]["hidden"], 5, "{read}");
    let all = inspect(&world.client, "text", json!({"includeHidden": true})).await?;
    for part in [
        "[hidden: gone white]",
        "[hidden: answer]",
        "[hidden: no]",
        "[hidden: flat]",
    ] {
        ensure!(text(&all)?.contains(part), "{part} in {all}");
    }
    ensure!(!all.to_string().contains("hunter2"), "{all}");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_content_of_saved_pages_is_read_and_nothing_beside_it() -> Result<()> {
    if project::shared()?.is_none() {
        return Ok(());
    }
    let world = World::shared().await?;
    for (page, has, lacks) in [
        ("heise", "Zur TOTP-Nutzung", "Impressum"),
        ("aktualne", "Tohle musí být náš standard", "Právě se děje"),
        ("wikipedia", "is a free-software community", "Create account"),
        (
            "links-in-tables",
            "Techniques used in File-by-File patching",
            "Blog Archive",
        ),
    ] {
        open(&world, &format!("/saved/articles/{page}.html")).await?;
        let read = inspect(
            &world.client,
            "text",
            json!({"scope": "primary", "maxTokens": WHOLE, "maxChars": 200_000}),
        )
        .await?;
        let text = text(&read)?;
        ensure!(text.contains(has), "{page}: {text}");
        ensure!(!text.contains(lacks), "{page}: {text}");
        world
            .client
            .call_raw("browser_session", json!({"action": "stop"}))
            .await?;
    }
    world.leaves_nothing().await
}

fn text(read: &Value) -> Result<&str> {
    read["text"].as_str().context("no text")
}
