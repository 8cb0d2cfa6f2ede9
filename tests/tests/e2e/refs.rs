//! Refs live in their documents: what happens to the extension's worker, or to the extension, makes none of them mean
//! another element.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::json;

use crate::outline::{controls, meaning, open, ref_of};

fn number(one: &str) -> Result<u32> {
    Ok(one.trim_start_matches('e').parse()?)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ref_outlives_the_worker() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    open(&world, "/frames/all").await?;
    wait::until("the frames", Duration::from_secs(15), async || {
        let all = controls(&world).await?;
        Ok(all.iter().any(|one| one.name == "foreign").then_some(()))
    })
    .await?;
    let first = controls(&world).await?;
    world.sandbox.profile().stop_worker().await?;
    wait::until("the worker to come back", Duration::from_secs(15), async || {
        Ok(controls(&world).await.is_ok().then_some(()))
    })
    .await?;
    for name in ["same", "foreign", "shadow"] {
        let one = ref_of(&first, name)?;
        assert_eq!(meaning(&world, &one).await?, name);
    }
    let again = controls(&world).await?;
    assert_eq!(
        first.iter().map(|one| &one.r#ref).collect::<Vec<_>>(),
        again.iter().map(|one| &one.r#ref).collect::<Vec<_>>()
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ref_is_good_or_stale_once_the_extension_was_loaded_anew() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    open(&world, "/changing/three").await?;
    let first = controls(&world).await?;
    let two = ref_of(&first, "Two")?;
    let page = world.sandbox.profile().extension_page(&world.browser).await?;
    page.evaluate::<Option<bool>>("setTimeout(() => chrome.runtime.reload(), 50), null")
        .await?;
    let bound = Duration::from_secs(30);
    wait::until("the extension to go", bound, async || {
        Ok(meaning(&world, &two).await.is_err().then_some(()))
    })
    .await?;
    let found = wait::until("the extension to come back", bound, async || {
        Ok(match meaning(&world, &two).await {
            Err(error) if error.code == Code::StaleRef => Some(None),
            Ok(name) => Some(Some(name)),
            Err(_) => None,
        })
    })
    .await?;
    let again = controls(&world).await?;
    let now = ref_of(&again, "Two")?;
    match found {
        Some(name) => assert_eq!((name.as_str(), &now), ("Two", &two)),
        None => {
            let last = first
                .iter()
                .filter_map(|one| one.r#ref.as_deref())
                .map(number)
                .collect::<Result<Vec<_>>>()?;
            let last = last.into_iter().max().context("refs")?;
            ensure!(number(&now)? > last, "{now} was given before, up to e{last}");
        }
    }
    // Its page got another process, or went with it.
    for target in world.browser.targets().await? {
        if target.kind == "page" && target.url.starts_with("chrome-extension:") {
            let target = json!({"targetId": target.target_id});
            world.browser.send("Target.closeTarget", target).await?;
        }
    }
    world.leaves_nothing().await
}
