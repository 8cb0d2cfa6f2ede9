//! A click lands in the frame that is meant, wherever that is shown, and nowhere else.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::{Code, Effect};
use serde_json::json;

use crate::act::Acting;

const PRESSED: [&str; 14] = [
    "frame-same",
    "frame-cross",
    "frame-foreign",
    "frame-bordered",
    "frame-foreign-bordered",
    "frame-scrolled",
    "frame-foreign-scrolled",
    "frame-scaled",
    "frame-rotated",
    "frame-foreign-scaled",
    "frame-nested",
    "frame-sandboxed",
    "frame-shadow",
    "frame-closed",
];

#[tokio::test(flavor = "multi_thread")]
async fn act_frames_get_the_press_that_is_meant_for_them() -> Result<()> {
    let mut tab = Acting::open("/act/batch").await?;
    let mut failed = Vec::new();
    for name in PRESSED {
        tab.go(&format!("/act/{name}")).await?;
        let r#ref = tab.ref_of("Go").await.with_context(|| name.to_owned())?;
        let told = tab.act("click", json!({ "ref": r#ref })).await?;
        let log = tab.log_at_rest().await;
        let pressed = log == ["mousedown go", "mouseup go", "click go 1"];
        let committed = told.as_ref().is_ok_and(|told| told["effect"] == "committed");
        if !(pressed && committed) {
            failed.push(format!("{name}: {told:?}; the page got {log:?}"));
        }
    }
    ensure!(failed.is_empty(), "{failed:#?}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_frames_that_the_parent_covers_are_refused() -> Result<()> {
    let mut tab = Acting::open("/act/batch").await?;
    for name in ["frame-covered", "frame-foreign-covered"] {
        tab.go(&format!("/act/{name}")).await?;
        let r#ref = tab.ref_of("Go").await.with_context(|| name.to_owned())?;
        let covered = tab.refused("click", json!({ "ref": r#ref })).await?;
        assert_eq!(covered.code, Code::Covered, "{name}: {covered:?}");
        tab.untouched().await.with_context(|| name.to_owned())?;
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_frames_with_the_same_content_are_two_elements() -> Result<()> {
    let tab = Acting::open("/act/frame-twins").await?;
    // Nothing is guessed: the same words in two frames are ambiguous.
    let read = json!({"mode": "structured"});
    let refs = drawbridge_tests::wait::until("both", std::time::Duration::from_secs(15), async || {
        let nodes = tab.inspect("observe", read.clone()).await??;
        let nodes = nodes["nodes"].as_array().cloned().unwrap_or_default();
        let refs: Vec<_> = nodes
            .iter()
            .filter(|node| node["name"] == "Go")
            .filter_map(|node| node["ref"].as_str().map(str::to_owned))
            .collect();
        Ok((refs.len() == 2).then_some(refs))
    })
    .await?;
    let two = tab
        .refused("click", json!({"target": {"role": "button", "name": "Go"}}))
        .await?;
    assert_eq!(two.code, Code::Ambiguous);
    tab.untouched().await?;
    tab.done("click", json!({"ref": refs[1]})).await?;
    tab.log_at_rest().await;
    let told = tab.world.site.requests("/act/log");
    let other = tab.world.site.other.trim_start_matches("http://").to_owned();
    let posts: Vec<_> = told.iter().filter(|event| event.method == "POST").collect();
    ensure!(!posts.is_empty(), "no press");
    ensure!(posts.iter().all(|event| event.host == other), "{posts:?}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_frames_that_are_on_their_way_are_waited_for() -> Result<()> {
    let mut tab = Acting::open("/act/frame-late").await?;
    tab.page.until("document.querySelector('iframe')").await?;
    let target = json!({"target": {"role": "button", "name": "Go"}});
    let told = tab.done("click", target).await?;
    assert!(told["confirmed"].to_string().contains("click"), "{told}");
    assert_eq!(tab.count("click go 1").await, 1);
    // What is nowhere and not on its way either is said at once.
    tab.go("/act/visible").await?;
    let missing = tab
        .refused("click", json!({"target": {"role": "slider"}}))
        .await?;
    assert_eq!(missing.code, drawbridge_protocol::Code::NotFound, "{missing:?}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_frames_that_do_not_load_hold_nothing_up() -> Result<()> {
    let tab = Acting::open("/act/batch").await?;
    let url = tab.world.site.url("/act/frame-slow");
    tab.call(
        "browser_page",
        json!({"action": "navigate", "url": url, "waitUntil": "domcontentloaded"}),
    )
    .await??;
    let since = std::time::Instant::now();
    let told = tab.click("#go").await?.context("the slow frame held it up")?;
    assert_eq!(told["effect"], "committed");
    ensure!(
        since.elapsed() < drawbridge_tests::wait::patient(std::time::Duration::from_secs(4)),
        "{:?}",
        since.elapsed()
    );
    assert_eq!(tab.count("click go 1").await, 1);
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_frames_that_are_replaced_keep_no_ref() -> Result<()> {
    let mut tab = Acting::open("/act/frame-cross").await?;
    let r#ref = tab.ref_of("Go").await?;
    tab.page
        .evaluate::<Option<bool>>(
            "new Promise((done) => { const f = document.querySelector('iframe'), n = f.cloneNode();
             n.onload = () => done(null); f.replaceWith(n); })",
        )
        .await?;
    let gone = tab.act("click", json!({ "ref": r#ref })).await?;
    let gone = gone.err().context("a ref of a frame that is gone")?;
    assert_eq!((gone.code, gone.effect), (Code::StaleRef, Some(Effect::None)));
    tab.untouched().await?;
    let again = tab.ref_of("Go").await?;
    ensure!(again != r#ref, "the number came back");
    tab.go("/act/batch").await?;
    tab.end().await
}
