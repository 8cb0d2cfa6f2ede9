//! A click's verdict is what the page's own log says.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::{Code, Effect};
use serde_json::json;

use crate::act::{Acting, is_refused};

/// Every page on which `#go` has to get exactly one press and one click.
const PRESSED: [&str; 17] = [
    "visible",
    "off-screen",
    "smooth",
    "sticky",
    "sheer",
    "partly",
    "moving",
    "scrolled",
    "scaled",
    "rotated",
    "two-lines",
    "shadow",
    "closed",
    "slotted",
    "arms",
    "busy",
    "twice",
];

#[tokio::test(flavor = "multi_thread")]
async fn act_click_presses_what_can_be_pressed_and_nothing_else() -> Result<()> {
    let mut tab = Acting::open("/act/batch").await?;
    let mut failed = Vec::new();
    for name in PRESSED {
        tab.go(&format!("/act/{name}")).await?;
        let told = tab.click("#go").await?;
        let log = tab.log_at_rest().await;
        let committed = told.as_ref().is_ok_and(|told| {
            told["effect"] == "committed" && told["confirmed"].to_string().contains("\"click\"")
        });
        if !(committed && log == ["mousedown go", "mouseup go", "click go 1"]) {
            failed.push(format!("{name}: {told:?}; the page got {log:?}"));
        }
    }
    ensure!(failed.is_empty(), "{failed:#?}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_click_of_what_cannot_be_pressed_is_refused_and_touches_nothing() -> Result<()> {
    let mut tab = Acting::open("/act/batch").await?;
    for (name, code) in [
        ("opaque", Code::Covered),
        ("transparent", Code::Covered),
        ("strip", Code::Covered),
        ("disabled", Code::NotEnabled),
        ("fieldset", Code::NotEnabled),
        ("aria-disabled", Code::NotEnabled),
        ("inert", Code::NotEnabled),
        ("zero", Code::NotVisible),
        ("hidden", Code::NotVisible),
        ("none", Code::NotVisible),
        ("cut-off", Code::NotVisible),
    ] {
        tab.go(&format!("/act/{name}")).await?;
        let told = tab.click("#go").await?;
        is_refused(&told, code).with_context(|| name.to_owned())?;
        tab.untouched().await.with_context(|| name.to_owned())?;
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_click_names_what_covers_and_what_is_missing() -> Result<()> {
    let mut tab = Acting::open("/act/opaque").await?;
    let covered = tab.refused("click", json!({"selector": "#go"})).await?;
    let words = format!("{} {:?}", covered.message, covered.data);
    ensure!(words.contains("wrong"), "{words}");
    tab.go("/act/twice").await?;
    let two = tab.refused("click", json!({"selector": ".same"})).await?;
    assert_eq!(two.code, Code::Ambiguous);
    let none = tab.refused("click", json!({"selector": "#missing"})).await?;
    assert_eq!(none.code, Code::NotFound);
    tab.untouched().await?;
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_click_never_passes_through_to_what_is_behind() -> Result<()> {
    let mut tab = Acting::open("/act/through").await?;
    let told = tab.click("#go").await?;
    let refused = told.err().context("it was done")?;
    assert_eq!(refused.effect, Some(Effect::None), "{refused:?}");
    ensure!(
        matches!(refused.code, Code::Covered | Code::NotEnabled),
        "{refused:?}"
    );
    tab.untouched().await?;
    // What goes away under the pointer is not told as pressed, and what was behind it gets nothing.
    for name in ["detached-by-pointer", "evasive"] {
        tab.go(&format!("/act/{name}")).await?;
        let told = tab.click("#go").await?;
        let log = tab.log_at_rest().await;
        let wrong = log.iter().any(|line| line == "click wrong 1");
        let right = log.iter().any(|line| line == "click go 1");
        match told {
            Ok(told) => ensure!(right && !wrong, "{name}: {told}, and the page got {log:?}"),
            Err(error) if error.effect == Some(Effect::None) => {
                ensure!(log.is_empty(), "{name}: {error:?}, and the page got {log:?}");
            }
            Err(error) => ensure!(
                error.effect == Some(Effect::Unknown) && !right,
                "{name}: {error:?}, and the page got {log:?}"
            ),
        }
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_click_on_what_never_rests_says_what_happened() -> Result<()> {
    let mut tab = Acting::open("/act/batch").await?;
    for name in ["restless", "late", "detached-by-press"] {
        tab.go(&format!("/act/{name}")).await?;
        let told = tab
            .act("click", json!({"selector": "#go", "timeoutMs": 8_000}))
            .await?;
        let log = tab.log_at_rest().await;
        let pressed = log.iter().filter(|line| *line == "mousedown go").count();
        match told {
            Ok(told) => assert_eq!(pressed, 1, "{name}: {told}, {log:?}"),
            Err(error) if error.effect == Some(Effect::None) => {
                ensure!(log.is_empty(), "{name}: {error:?}, {log:?}");
            }
            Err(error) => ensure!(pressed <= 1, "{name}: {error:?}, {log:?}"),
        }
        if name == "detached-by-press" {
            assert_eq!(pressed, 1, "{log:?}");
        }
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_click_of_labelled_boxes_switches_them_once() -> Result<()> {
    let mut tab = Acting::open("/act/labelled").await?;
    for name in ["labelled", "beside"] {
        tab.go(&format!("/act/{name}")).await?;
        tab.done("click", json!({"selector": "#label"})).await?;
        let log = tab.log_at_rest().await;
        let changes = log.iter().filter(|line| *line == "change go").count();
        assert_eq!(changes, 1, "{name}: {log:?}");
        let on: bool = tab.page.evaluate("document.getElementById('go').checked").await?;
        ensure!(on, "{name}");
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_click_that_opens_a_layer_on_press_is_a_success() -> Result<()> {
    let tab = Acting::open("/act/opens-layer").await?;
    let told = tab.click("#go").await?.context("the layer hid it")?;
    assert_eq!(told["effect"], "committed");
    ensure!(told["confirmed"].to_string().contains("mousedown"), "{told}");
    assert_eq!(tab.count("mousedown go").await, 1);
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_click_has_buttons_counts_and_modifiers() -> Result<()> {
    let mut tab = Acting::open("/act/visible").await?;
    tab.done("double-click", json!({"selector": "#go"})).await?;
    let log = tab.log_at_rest().await;
    let clicks: Vec<_> = log.iter().filter(|line| line.contains("click")).collect();
    assert_eq!(clicks, ["click go 1", "click go 2", "dblclick go"], "{log:?}");
    tab.go("/act/visible").await?;
    tab.done("click", json!({"selector": "#go", "button": "right"}))
        .await?;
    assert_eq!(tab.count("contextmenu go").await, 1);
    tab.go("/act/visible").await?;
    tab.page
        .evaluate::<Option<bool>>(
            "document.getElementById('go').addEventListener('click', (e) => { document.title = `${e.shiftKey} ${e.ctrlKey} ${e.altKey}` }), null",
        )
        .await?;
    tab.done(
        "click",
        json!({"selector": "#go", "modifiers": ["Shift", "Control"]}),
    )
    .await?;
    let title: String = tab.page.evaluate("document.title").await?;
    assert_eq!(title, "true true false");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_click_moves_there_before_it_presses() -> Result<()> {
    let mut tab = Acting::open("/act/arms").await?;
    tab.done("click", json!({"selector": "#go"})).await?;
    let state: String = tab
        .page
        .evaluate("document.getElementById('state').textContent")
        .await?;
    assert_eq!(state, "armed click");
    // The printed form of a ref is taken as well.
    tab.go("/act/arms").await?;
    let r#ref = tab.ref_of("Go").await?;
    tab.done("click", json!({"target": format!("[ref={ref}]")}))
        .await?;
    assert_eq!(tab.count("click go 1").await, 1);
    tab.end().await
}
