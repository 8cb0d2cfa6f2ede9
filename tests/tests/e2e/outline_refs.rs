//! A ref means one element for as long as that is part of its document, and nothing afterwards.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_tests::oracle::Shown;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;

use crate::outline::{controls, meaning, names, navigate, open, ref_of, until_named};

/// Refs of all, in order.
fn refs(all: &[Shown]) -> Vec<&str> {
    all.iter().filter_map(|one| one.r#ref.as_deref()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ref_stays_with_its_element() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/changing/three").await?;
    let page = world.browser.page(|url| url.ends_with("/changing/three")).await?;
    let first = controls(&world).await?;
    assert_eq!(names(&first), ["One", "Two", "Three"]);
    for turn in 1..=20 {
        page.evaluate::<Option<bool>>("insert(), null").await?;
        let now = controls(&world).await?;
        assert_eq!(now.len(), 3 + turn);
        assert_eq!(refs(&now[turn..]), refs(&first), "{now:?}");
    }
    let two = ref_of(&first, "Two")?;
    assert_eq!(meaning(&world, &two).await?, "Two");
    page.evaluate::<Option<bool>>("drop(21), null").await?;
    let gone = meaning(&world, &two).await.err().context("it was found")?;
    assert_eq!(gone.code, Code::StaleRef);
    page.detach().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ref_outlives_a_change_of_route() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/changing/pushstate").await?;
    let page = world
        .browser
        .page(|url| url.ends_with("/changing/pushstate"))
        .await?;
    let first = controls(&world).await?;
    let (stays, view) = (ref_of(&first, "Stays")?, ref_of(&first, "First view")?);
    for turn in 0..5 {
        page.evaluate::<Option<bool>>(&format!("go('v{turn}'), null"))
            .await?;
        assert_eq!(ref_of(&controls(&world).await?, "Stays")?, stays);
    }
    assert_eq!(meaning(&world, &stays).await?, "Stays");
    let gone = meaning(&world, &view).await.err().context("it was found")?;
    assert_eq!(gone.code, Code::StaleRef);
    page.detach().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ref_ends_with_its_document_and_its_number_never_returns() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/changing/uncached").await?;
    let mut old = refs(&controls(&world).await?)
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    for path in ["/changing/away", "/changing/uncached", "/changing/three"] {
        navigate(&world, path).await?;
        for one in &old {
            let since = Instant::now();
            let gone = meaning(&world, one).await.err().context("it was found")?;
            assert_eq!(gone.code, Code::StaleRef, "{path} {one}");
            ensure!(since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());
        }
        let now = controls(&world).await?;
        for one in refs(&now) {
            ensure!(!old.iter().any(|before| before == one), "{one} again on {path}");
        }
        old.extend(refs(&now).into_iter().map(str::to_owned));
    }
    assert_eq!(world.site.requests("/log").len(), 0);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ref_is_good_or_stale_after_back_and_forward() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/changing/cached").await?;
    let here = ref_of(&controls(&world).await?, "Here")?;
    navigate(&world, "/changing/away").await?;
    let gone = meaning(&world, &here).await.err().context("it was found")?;
    assert_eq!(gone.code, Code::StaleRef);
    let page = world.browser.page(|url| url.ends_with("/changing/away")).await?;
    page.evaluate::<Option<bool>>("history.back(), null").await?;
    wait::until("the page before", Duration::from_secs(10), async || {
        Ok(controls(&world)
            .await
            .is_ok_and(|all| names(&all).contains(&"Here"))
            .then_some(()))
    })
    .await?;
    // The very same document, or a fresh one: never another element.
    match meaning(&world, &here).await {
        Ok(name) => assert_eq!(name, "Here"),
        Err(error) => assert_eq!(error.code, Code::StaleRef),
    }
    page.detach().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_element_that_looks_the_same_is_another_one() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/frames/replaced").await?;
    let expected = ["Before", "Replace", "replaced", "Field replaced", "After"];
    let first = until_named(&world, &expected).await?;
    let inside = ref_of(&first, "replaced")?;
    let page = world
        .browser
        .page(|url| url.ends_with("/frames/replaced"))
        .await?;
    page.evaluate::<Option<bool>>("document.getElementById('replace').click(), null")
        .await?;
    let second = until_named(&world, &expected).await?;
    ensure!(
        ref_of(&second, "replaced")? != inside,
        "the same ref in another document"
    );
    let gone = meaning(&world, &inside).await.err().context("it was found")?;
    assert_eq!(gone.code, Code::StaleRef);
    page.detach().await?;

    navigate(&world, "/changing/rerender").await?;
    let page = world
        .browser
        .page(|url| url.ends_with("/changing/rerender"))
        .await?;
    let first = controls(&world).await?;
    page.evaluate::<Option<bool>>("shuffle(), rename(), null").await?;
    // The same elements, moved and renamed.
    assert_eq!(meaning(&world, &ref_of(&first, "Open Ada")?).await?, "Open Ada");
    assert_eq!(meaning(&world, &ref_of(&first, "Open Bo")?).await?, "Renamed");
    page.evaluate::<Option<bool>>("draw(), null").await?;
    for one in refs(&first) {
        let gone = meaning(&world, one).await.err().context("it was found")?;
        assert_eq!(gone.code, Code::StaleRef);
    }
    page.detach().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_never_rests_is_read_all_the_same() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/changing/churn").await?;
    let mut stable = None;
    for _ in 0..20 {
        let all = controls(&world).await?;
        let now = ref_of(&all, "Stable")?;
        assert_eq!(stable.get_or_insert_with(|| now.clone()), &now);
        assert_eq!(meaning(&world, &now).await?, "Stable");
    }
    world.leaves_nothing().await
}
