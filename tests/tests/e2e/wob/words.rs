//! Tasks with links, sections, tabs and menus.

use anyhow::{Context, Result, bail};

use super::hands::{Hands, between};

/// The visible link with a text, if there is one now.
async fn press_link(hands: &Hands<'_>, text: &str) -> Result<bool> {
    let links = hands.texts(".alink").await?;
    match links.iter().find(|one| one.value.trim() == text) {
        Some(link) => hands.click(&link.r#ref).await.map(|()| true),
        None => Ok(false),
    }
}

/// `Click on the link "amet,".`
pub(super) async fn link(hands: &Hands<'_>) -> Result<()> {
    let text = hands.quoted().await?;
    match press_link(hands, &text).await? {
        true => Ok(()),
        false => bail!("no link {text:?}"),
    }
}

/// `Expand the section below and click submit.`
pub(super) async fn expand(hands: &Hands<'_>) -> Result<()> {
    hands.click("#area h3").await?;
    hands.until_still("#subbtn").await?;
    hands.click("#subbtn").await
}

/// `Expand the sections below, to find and click on the link "sed".`
pub(super) async fn link_in_sections(hands: &Hands<'_>) -> Result<()> {
    let text = hands.quoted().await?;
    for section in hands.boxes("#area h3").await? {
        hands.click(&section.r#ref).await?;
        hands.until_still("#area h3, #area .ui-accordion-content").await?;
        if press_link(hands, &text).await? {
            return Ok(());
        }
    }
    bail!("no link {text:?}")
}

/// `Click on Tab #2.`
pub(super) async fn tab(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let name = query
        .strip_prefix("Click on ")
        .context("no tab")?
        .trim_end_matches('.');
    hands.click_text("#area ul a", name).await
}

/// `Switch between the tabs to find and click on the link "sed".` Where no tab has it, the last tab was what is asked for.
pub(super) async fn link_in_tabs(hands: &Hands<'_>) -> Result<()> {
    let text = hands.quoted().await?;
    for tab in hands.boxes("#area ul a").await? {
        hands.click(&tab.r#ref).await?;
        if press_link(hands, &text).await? {
            return Ok(());
        }
    }
    Ok(())
}

/// `Select Ann>Bob>Cal`
pub(super) async fn menu(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let path: Vec<_> = query
        .strip_prefix("Select ")
        .context("nothing to select")?
        .split('>')
        .collect();
    let (last, above) = path.split_last().context("an empty path")?;
    for item in above {
        let found = hands.with_text("#menu .ui-menu-item-wrapper", item).await?;
        hands.hover(&found.r#ref).await?;
    }
    hands.click_text("#menu .ui-menu-item-wrapper", last).await
}

/// `… find and click on the item labeled "Stop".`, or with an icon in place of the label.
pub(super) async fn menu_with_icons(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    hands.click("#open-menu").await?;
    let item = if query.contains("labeled") {
        let label = between(&query, "labeled \"", "\"")?.to_owned();
        if !hands
            .texts("#menu .ui-menu-item-wrapper")
            .await?
            .iter()
            .any(|one| one.value.trim() == label)
        {
            open_playback(hands).await?;
        }
        hands.with_text("#menu .ui-menu-item-wrapper", &label).await?
    } else {
        let icons = hands.attributes("#query .ui-icon", "class").await?;
        let icon = icons.first().context("no icon")?.value.replace(' ', ".");
        let wanted = format!("#menu .ui-menu-item-wrapper:has(> .{icon})");
        if hands.boxes(&wanted).await?.is_empty() {
            open_playback(hands).await?;
        }
        drawbridge_tests::wait::until("the item", std::time::Duration::from_secs(4), async || {
            Ok(hands.boxes(&wanted).await?.into_iter().next())
        })
        .await?
    };
    hands.click(&item.r#ref).await
}

async fn open_playback(hands: &Hands<'_>) -> Result<()> {
    let above = hands.with_text("#menu .ui-menu-item-wrapper", "Playback").await?;
    hands.hover(&above.r#ref).await
}
