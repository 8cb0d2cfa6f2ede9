//! Tasks with tickets.

use std::time::Duration;

use anyhow::{Context, Result};
use drawbridge_tests::wait;

use super::dates::pick;
use super::hands::{Found, Hands, between};

/// Minutes of `3h 25m`.
fn minutes(text: &str) -> Result<u32> {
    let (hours, rest) = text.trim().split_once("h ").context("no hours")?;
    Ok(hours.parse::<u32>()? * 60 + rest.trim_end_matches('m').parse::<u32>()?)
}

/// What stands after the dollar sign.
fn price(text: &str) -> Result<u32> {
    let (_, price) = text.split_once('$').context("no price")?;
    Ok(price.trim().parse()?)
}

/// Presses the button of the offer with the lowest or highest figure.
async fn press(hands: &Hands<'_>, buttons: &[Found], figures: &[u32], highest: bool) -> Result<()> {
    let all = || 0..buttons.len().min(figures.len());
    let at = if highest {
        all().max_by_key(|at| figures[*at])
    } else {
        all().min_by_key(|at| figures[*at])
    };
    hands.click(&buttons[at.context("no offer")?].r#ref).await
}

/// `Buy the ticket with the cheapest cost.` and its like.
pub(super) async fn ticket(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let buttons = hands.texts("#area .buy-ticket").await?;
    let figures: Vec<_> = if query.contains("cost") {
        buttons
            .iter()
            .map(|one| price(&one.value))
            .collect::<Result<_>>()?
    } else {
        let times = hands.texts("#area .time-duration").await?;
        times
            .iter()
            .map(|one| minutes(&one.value))
            .collect::<Result<_>>()?
    };
    let highest = query.contains("longest") || query.contains("most expensive");
    press(hands, &buttons, &figures, highest).await
}

/// Types a place and takes the suggestion that means it.
async fn place(hands: &Hands<'_>, field: &str, name: &str) -> Result<()> {
    hands.fill(field, name).await?;
    let item = wait::until("the suggestion", Duration::from_secs(5), async || {
        let items = hands.texts(".ui-autocomplete .ui-menu-item").await?;
        Ok(items.into_iter().find(|one| {
            one.value.trim().starts_with(&format!("{name} (")) || one.value.contains(&format!("({name})"))
        }))
    })
    .await?;
    hands.click(&item.r#ref).await
}

/// `Book the cheapest one-way flight from: X to: Y on 10/02/2016.`
pub(super) async fn book(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    place(hands, "#flight-from", between(&query, "from: ", " to: ")?).await?;
    place(hands, "#flight-to", between(&query, " to: ", " on ")?).await?;
    let (_, date) = query.rsplit_once(" on ").context("no date")?;
    pick(hands, date.trim_end_matches('.')).await?;
    hands.click("#search").await?;
    hands.until_still("#results .flight").await?;
    let buttons = hands.texts("#results .flight-price").await?;
    let figures: Vec<_> = if query.contains("cheapest") {
        buttons
            .iter()
            .map(|one| price(&one.value))
            .collect::<Result<_>>()?
    } else {
        let times = hands.texts("#results .time-duration").await?;
        times
            .iter()
            .map(|one| minutes(&one.value))
            .collect::<Result<_>>()?
    };
    press(hands, &buttons, &figures, false).await
}
