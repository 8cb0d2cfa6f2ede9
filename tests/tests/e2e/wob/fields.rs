//! Tasks with fields.

use anyhow::{Context, Result};

use super::hands::{Hands, between};

/// `Enter "x" into the text field and press Submit.` and its like; also with a change of case, and into several fields.
pub(super) async fn text(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let mut text = hands.quoted().await?;
    if query.contains("all upper case") {
        text = text.to_uppercase();
    } else if query.contains("all lower case") {
        text = text.to_lowercase();
    }
    for field in hands.boxes("#form input").await? {
        hands.fill(&field.r#ref, &text).await?;
    }
    hands.click("#subbtn").await
}

/// `Enter 03/04/2015 as the date and hit submit.`
pub(super) async fn date(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let date = between(&query, "Enter ", " as")?;
    let mut parts = date.split('/');
    let (month, day, year) = (parts.next(), parts.next(), parts.next());
    let (month, day, year) = (
        month.context("no month")?,
        day.context("no day")?,
        year.context("no year")?,
    );
    hands.fill("#tt", &format!("{year}-{month}-{day}")).await?;
    hands.click("#subbtn").await
}

/// `Enter 3:05 PM as the time and press submit.`
pub(super) async fn time(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let time = between(&query, "Enter ", " as")?;
    let digits: String = time
        .chars()
        .take_while(|one| one.is_ascii_digit() || *one == ':')
        .collect();
    let (hours, minutes) = digits.split_once(':').context("no time")?;
    let hours: u32 = hours.parse()?;
    let hours = match (time.contains("PM"), hours) {
        (true, 12) => 12,
        (true, hours) => hours + 12,
        (false, 12) => 0,
        (false, hours) => hours,
    };
    hands.fill("#tt", &format!("{hours:02}:{minutes}")).await?;
    hands.click("#subbtn").await
}

/// `Copy the text from the 2nd text area below …`, `Copy the text in the textarea below …`
pub(super) async fn copy(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let nth = ["1st", "2nd", "3rd"]
        .iter()
        .position(|word| query.contains(word))
        .unwrap_or(0);
    let areas = hands.boxes("#area textarea").await?;
    let from = areas.get(nth).context("no such area")?;
    hands.fill("#answer-input", &from.holds).await?;
    hands.click("#subbtn").await
}
