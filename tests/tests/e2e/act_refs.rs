//! A ref presses its own element, whatever happened around it, or nothing.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::{Code, Effect};
use serde_json::json;

use crate::act::Acting;

#[tokio::test(flavor = "multi_thread")]
async fn act_refs_press_their_own_element_after_another_came_before_it() -> Result<()> {
    let tab = Acting::open("/act/three").await?;
    let two = tab.ref_of("Two").await?;
    for _ in 0..3 {
        tab.page.evaluate::<Option<bool>>("insert(), null").await?;
        tab.inspect("observe", json!({})).await??;
    }
    tab.done("click", json!({ "ref": two })).await?;
    let log = tab.log_at_rest().await;
    assert_eq!(log, ["mousedown two", "mouseup two", "click two 1"]);
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_refs_outlive_a_page_that_never_stops_changing() -> Result<()> {
    let tab = Acting::open("/act/busy").await?;
    let go = tab.ref_of("Go").await?;
    tab.page
        .until("Number(document.getElementById('count').textContent) > 20")
        .await?;
    for _ in 0..3 {
        tab.done("click", json!({ "ref": go })).await?;
    }
    assert_eq!(tab.count("click go 1").await, 3);
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_refs_that_an_error_told_are_never_given_again() -> Result<()> {
    let mut tab = Acting::open("/act/twice").await?;
    let two = tab.refused("click", json!({"selector": ".same"})).await?;
    assert_eq!(two.code, Code::Ambiguous);
    let told = two.data.context("nothing told")?["matches"].to_string();
    let told: Vec<u32> = told
        .split(|sign: char| !sign.is_ascii_alphanumeric())
        .filter_map(|word| word.strip_prefix('e')?.parse().ok())
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    tab.go("/act/three").await?;
    let one = tab.ref_of("One").await?;
    let number: u32 = one.trim_start_matches('e').parse()?;
    ensure!(told.iter().all(|told| number > *told), "{one} after {told:?}");
    // And the page before named nothing here.
    let stale = tab
        .refused("click", json!({"ref": format!("e{}", told[0])}))
        .await?;
    assert_eq!(stale.code, Code::StaleRef);
    tab.untouched().await?;
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_refs_of_what_is_gone_press_nothing() -> Result<()> {
    let mut tab = Acting::open("/act/three").await?;
    let two = tab.ref_of("Two").await?;
    tab.page
        .evaluate::<Option<bool>>(
            "(() => { const b = document.getElementById('two'); b.replaceWith(b.cloneNode(true)); })(), null",
        )
        .await?;
    let gone = tab.refused("click", json!({ "ref": two })).await?;
    assert_eq!(gone.code, Code::StaleRef);
    tab.untouched().await?;
    // Another document, and the same one from the history.
    let three = tab.ref_of("Three").await?;
    tab.go("/act/visible").await?;
    for back in [false, true] {
        if back {
            tab.page.evaluate::<Option<bool>>("history.back(), null").await?;
            tab.page
                .until("document.getElementById('three') !== null")
                .await?;
        }
        let told = tab.act("click", json!({ "ref": three })).await?;
        match told {
            Err(error) => {
                assert_eq!((error.code, error.effect), (Code::StaleRef, Some(Effect::None)));
                tab.untouched().await?;
            }
            // A page that the browser kept whole still has the element.
            Ok(_) => {
                ensure!(back, "a ref of another document was pressed");
                assert_eq!(tab.count("click three 1").await, 1);
            }
        }
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_batch_stops_at_the_first_step_that_fails() -> Result<()> {
    let tab = Acting::open("/act/batch").await?;
    let (one, two, three) = (
        tab.ref_of("One").await?,
        tab.ref_of("Two").await?,
        tab.ref_of("Three").await?,
    );
    tab.page
        .evaluate::<Option<bool>>("document.getElementById('two').remove(), null")
        .await?;
    let steps = json!([
        {"action": "click", "ref": one},
        {"action": "click", "ref": two},
        {"action": "click", "ref": three},
    ]);
    let told = tab.act("batch", json!({ "steps": steps })).await?;
    let log = tab.log_at_rest().await;
    assert_eq!(log, ["mousedown one", "mouseup one", "click one 1"]);
    let stopped = told.err().context("it went on")?;
    assert_eq!(stopped.code, Code::StaleRef, "{stopped:?}");
    ensure!(stopped.effect != Some(Effect::None), "{stopped:?}");
    let receipts = stopped.data.context("no receipts")?;
    assert_eq!(receipts["at"], "steps[1]", "{receipts}");
    assert_eq!(receipts["steps"].as_array().map(Vec::len), Some(1), "{receipts}");
    assert_eq!(receipts["steps"][0]["ref"], one, "{receipts}");
    assert_eq!(receipts["steps"][0]["effect"], "committed", "{receipts}");
    tab.end().await
}
