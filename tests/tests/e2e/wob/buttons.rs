//! Tasks that end with the press of a button.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use drawbridge_protocol::Effect;
use tokio::time::Instant;

use super::hands::{Hands, between};

pub(super) async fn first(hands: &Hands<'_>) -> Result<()> {
    hands.click("#subbtn").await
}

/// `Click button ONE.`
pub(super) async fn asked(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    hands
        .click_text("#area button", between(&query, "Click button ", ".")?)
        .await
}

pub(super) async fn sequence(hands: &Hands<'_>) -> Result<()> {
    hands.click_text("#area button", "ONE").await?;
    hands.click_text("#area button", "TWO").await
}

/// `Click button ONE, wait 2 seconds, then click button TWO.`
pub(super) async fn delay(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let seconds: u64 = between(&query, "wait ", " seconds")?.parse()?;
    let two = hands.with_text("#area button", "TWO").await?;
    // The first action of a tab takes longer than the next ones.
    hands.hover(&two.r#ref).await?;
    let one = hands.with_text("#area button", "ONE").await?;
    let since = Instant::now();
    hands.click(&one.r#ref).await?;
    tokio::time::sleep_until(since + Duration::from_secs(seconds)).await;
    hands.click(&two.r#ref).await
}

/// `Click on the "ok" button.`
pub(super) async fn named(hands: &Hands<'_>) -> Result<()> {
    let name = hands.quoted().await?;
    hands.click_text("#area button", &name).await
}

pub(super) async fn close(hands: &Hands<'_>) -> Result<()> {
    hands.click(".ui-dialog-titlebar button").await
}

/// `Click the button in the dialog box labeled "OK".`
pub(super) async fn dialog(hands: &Hands<'_>) -> Result<()> {
    match hands.quoted().await?.as_str() {
        "x" => close(hands).await,
        name => hands.click_text(".ui-dialog-buttonpane button", name).await,
    }
}

/// `Click on a "radio" widget.`
pub(super) async fn widget(hands: &Hands<'_>) -> Result<()> {
    let kind = hands.quoted().await?;
    let found = hands.boxes(&format!("#area [data-type={kind}]")).await?;
    hands.click(&found.first().context("no such widget")?.r#ref).await
}

/// Presses a slice. Its label comes to the front when the pointer does and may get the press in its place: what came of
/// that is looked at then.
async fn press_slice(hands: &Hands<'_>, at: u32) -> Result<()> {
    let slice = format!("#wheelnav-divWheel-slice-{at}");
    match hands.tab.click(&slice).await? {
        Err(error) if error.effect == Some(Effect::Unknown) => hands.one("#sync-task-cover").await.map(drop),
        told => told.map(drop).context(slice),
    }
}

/// `Expand the pie menu below and click on the item labeled "x".`
pub(super) async fn pie(hands: &Hands<'_>) -> Result<()> {
    let name = hands.quoted().await?;
    let plus = hands.with_text("#divWheel text", "+").await?;
    hands.click(&plus.r#ref).await?;
    hands.until_still("#divWheel text").await?;
    // A label moves when the pointer comes; its slice does not.
    for at in 0..12 {
        let label = hands.texts(&format!("#wheelnav-divWheel-title-{at}")).await?;
        if label.iter().any(|one| one.value.trim() == name) {
            return press_slice(hands, at).await;
        }
    }
    bail!("no item {name:?}")
}
