//! The ground that outlines are judged on: every page shows what it should, and the oracle sees it.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_tests::cdp::Browser;
use drawbridge_tests::oracle::{self, Element};
use drawbridge_tests::site;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;

/// What the browser says of a page of the site.
async fn seen(browser: &Browser, url: &str) -> Result<Vec<Element>> {
    let page = browser.start(url).await?;
    page.until("location.href !== 'about:blank'").await?;
    oracle::settle(&page).await.with_context(|| url.to_owned())?;
    let elements = oracle::read(&page).await.with_context(|| url.to_owned())?;
    page.close().await?;
    Ok(elements)
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_and_shadow_trees_are_seen_in_their_place() -> Result<()> {
    let world = World::shared().await?;
    let names = async |path: &str, most: usize| -> Result<Vec<String>> {
        let page = world.browser.start(&world.site.url(path)).await?;
        page.until("location.href !== 'about:blank'").await?;
        oracle::settle(&page).await?;
        // Frames load on their own.
        let elements = wait::until("all elements", Duration::from_secs(10), async || {
            let elements = oracle::read(&page).await?;
            Ok((elements.len() >= most).then_some(elements))
        })
        .await?;
        page.close().await?;
        Ok(elements.into_iter().map(|one| one.name).collect())
    };
    let frame = |name: &str| [name.to_owned(), format!("Field {name}")];
    for name in ["same", "srcdoc", "blank", "cross", "foreign", "late", "moved"] {
        let far = if name == "moved" {
            frame("far").to_vec()
        } else {
            Vec::new()
        };
        let expected = [
            vec!["Before".to_owned()],
            frame(name).to_vec(),
            far,
            vec!["After".to_owned()],
        ]
        .concat();
        assert_eq!(names(&format!("/frames/{name}"), expected.len()).await?, expected);
    }
    let outer = [
        "Before",
        "outer",
        "Field outer",
        "back",
        "Field back",
        "deep",
        "Field deep",
        "After",
    ];
    assert_eq!(
        names("/frames/nested", 10).await?,
        [&["Before"], &["Before"][..], &outer[1..], &["After"]].concat()
    );
    assert_eq!(
        names("/shadow/open", 8).await?,
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
    assert_eq!(
        names("/shadow/closed", 3).await?,
        ["In a closed root", "In an open root", "Closed in open"]
    );
    assert_eq!(
        names("/shadow/slots", 5).await?,
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

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_seen_does_not_count() -> Result<()> {
    let world = World::shared().await?;
    let names = async |path: &str| -> Result<Vec<String>> {
        let elements = seen(&world.browser, &world.site.url(path)).await?;
        Ok(elements.into_iter().map(|one| one.name).collect())
    };
    assert_eq!(
        names("/hidden/shown").await?,
        [
            "visible inside hidden",
            "in display contents",
            "itself display contents",
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
    // A button keeps its box and its own colours, whatever becomes of the text around it.
    let kept = [
        "indent",
        "samecolour",
        "inherited",
        "nocolour",
        "fontzero",
        "fontone",
    ];
    let kept = kept.map(|word| format!("button {word}"));
    assert_eq!(
        names("/hidden/methods").await?,
        [&kept[..], &["More".to_owned()]].concat()
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_widget_and_pattern_is_there() -> Result<()> {
    let world = World::shared().await?;
    let mut problems = Vec::new();
    for path in site::widgets()?.into_iter().chain(site::patterns()?) {
        match seen(&world.browser, &world.site.url(&path)).await {
            Ok(elements) => {
                if elements.is_empty() {
                    problems.push(format!("{path}: nothing"));
                }
            }
            Err(problem) => problems.push(format!("{path}: {problem:#}")),
        }
    }
    ensure!(problems.is_empty(), "{}", problems.join("\n"));
    world.leaves_nothing().await
}
