//! Tasks with calendars.

use anyhow::{Context, Result, bail};

use super::hands::{Hands, between};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// `Select 03/04/2016 as the date and hit submit.`
pub(super) async fn choose(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    pick(hands, between(&query, "Select ", " as")?).await?;
    hands.click("#subbtn").await
}

/// Picks a date in the calendar that opens from its field.
pub(super) async fn pick(hands: &Hands<'_>, date: &str) -> Result<()> {
    let mut parts = date.split('/');
    let month: usize = parts.next().context("no month")?.parse()?;
    let day: u32 = parts.next().context("no day")?.parse()?;
    let month = MONTHS.get(month.wrapping_sub(1)).context("no such month")?;
    hands.click("#datepicker").await?;
    hands.until_still(".ui-datepicker").await?;
    for _ in 0..24 {
        let shown = hands.texts(".ui-datepicker-month").await?;
        if shown.first().is_some_and(|one| one.value.trim() == *month) {
            return hands
                .click_text(".ui-datepicker-calendar a", &day.to_string())
                .await;
        }
        hands.click(".ui-datepicker-prev").await?;
    }
    bail!("no {date}")
}

/// `Create a 1 hour event named "Food", between 8AM and 12PM.`
pub(super) async fn calendar(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let halves = match between(&query, "Create a ", " event")? {
        "0.5 hours" | "30 mins" => 1,
        "1 hour" | "60 mins" => 2,
        _ => 3,
    };
    let name = hands.quoted().await?;
    let first = match between(&query, "between ", " and")? {
        "8AM" => 16,
        "12PM" => 24,
        _ => 32,
    };
    let taken = hands.boxes("#area .event").await?;
    let slots = hands.boxes("#area .half-hour").await?;
    let window = slots.get(first..first + 8).context("no such hours")?;
    let free = |at: usize| {
        let top = window[at].area[1] - 2;
        let bottom = window[at + halves - 1].area[1] + window[at + halves - 1].area[3] + 2;
        !taken
            .iter()
            .any(|one| one.area[1] < bottom && one.area[1] + one.area[3] > top)
    };
    let at = (0..=8 - halves).find(|at| free(*at)).context("no room for it")?;
    // Within the first half hour a move makes the event, in the others it grows.
    let height = window[at].area[3];
    let mut path = vec![(0, 3)];
    path.extend((1..halves).map(|one| (0, i32::try_from(one).unwrap_or(0) * (height + 1))));
    hands.drag_by(&window[at].r#ref, &path).await?;
    hands.fill("#event-name", &name).await?;
    hands.click("#create-event .create").await
}
