//! Tasks with shapes and colours.

use anyhow::{Context, Result};

use super::hands::{Found, Hands, between};

/// What is drawn.
struct Shape {
    found: Found,
    /// `letter`, `digit` or `shape`.
    kind: &'static str,
    /// The character, or which shape.
    text: String,
    color: String,
    large: bool,
}

impl Shape {
    /// Whether words such as `large red circle` fit.
    fn fits(&self, words: &str) -> bool {
        words.split(' ').all(|word| match word {
            "large" => self.large,
            "small" => !self.large,
            "item" => true,
            word => word == self.kind || word == self.text || word == self.color,
        })
    }
}

async fn drawn(hands: &Hands<'_>) -> Result<Vec<Shape>> {
    let mut all = Vec::new();
    for (tag, name) in [
        ("text", ""),
        ("rect", "rectangle"),
        ("circle", "circle"),
        ("polygon", "triangle"),
    ] {
        let selector = format!("#area_svg {tag}");
        let boxes = hands.boxes(&selector).await?;
        let colors = hands.attributes(&selector, "fill").await?;
        let (texts, sizes) = if name.is_empty() {
            (
                hands.texts(&selector).await?,
                hands.attributes(&selector, "font-size").await?,
            )
        } else {
            (Vec::new(), Vec::new())
        };
        for (at, found) in boxes.into_iter().enumerate() {
            let text = texts
                .get(at)
                .map_or(name.to_owned(), |one| one.value.trim().to_owned());
            let large = sizes
                .get(at)
                .map_or(found.area[2] > 15, |one| one.value == "20px");
            let digit = text.chars().all(|one| one.is_ascii_digit());
            let kind = match (name.is_empty(), digit) {
                (false, _) => "shape",
                (true, true) => "digit",
                (true, false) => "letter",
            };
            let color = colors.get(at).context("no colour")?.value.clone();
            all.push(Shape {
                found,
                kind,
                text,
                color,
                large,
            });
        }
    }
    Ok(all)
}

/// `Click on a large red item`
pub(super) async fn shape(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let words = query.strip_prefix("Click on a ").context("no shape")?;
    let all = drawn(hands).await?;
    let fits = all.iter().find(|one| one.fits(words));
    hands
        .click(&fits.with_context(|| query.clone())?.found.r#ref)
        .await
}

/// `How many large red items are there?`
pub(super) async fn count(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let words = between(&query, "How many ", "s are there")?;
    let all = drawn(hands).await?;
    let count = all.iter().filter(|one| one.fits(words)).count();
    hands
        .click_text("#count-buttons button", &count.to_string())
        .await
}

/// `Click on the numbers in ascending order.` After the first press they are hidden behind boxes.
pub(super) async fn ascending(hands: &Hands<'_>) -> Result<()> {
    let texts = hands.texts("#area_svg text").await?;
    let boxes = hands.boxes("#area_svg text").await?;
    let mut order: Vec<_> = texts.iter().map(|one| one.value.trim()).zip(&boxes).collect();
    order.sort_by_key(|(number, _)| *number);
    for (at, (_, found)) in order.iter().enumerate() {
        if at == 0 {
            hands.click(&found.r#ref).await?;
            continue;
        }
        let (x, y) = found.middle();
        let covers = hands.boxes("#area_svg rect").await?;
        let near = covers.iter().min_by_key(|one| {
            let (left, top) = one.middle();
            (left - x).pow(2) + (top - y).pow(2)
        });
        hands.click(&near.context("no box")?.r#ref).await?;
    }
    Ok(())
}

/// `Click on the red colored box.`, or with the colour itself in place of its name.
pub(super) async fn color(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let shown = hands.attributes("#query .color", "style").await?;
    let wanted = match shown.first() {
        Some(shown) => shown.value.clone(),
        None => format!(
            "background-color: {};",
            between(&query, "Click on the ", " colored")?
        ),
    };
    let all = hands.attributes("#area .color", "style").await?;
    let fits = all.iter().find(|one| one.value == wanted);
    hands.click(&fits.with_context(|| wanted.clone())?.r#ref).await
}

/// `Select all the shades of green and press Submit.`
pub(super) async fn shades(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let at = match between(&query, "shades of ", " and")? {
        "red" => 0,
        "green" => 1,
        _ => 2,
    };
    for one in hands.attributes("#area span", "style").await? {
        let parts = between(&one.value, "rgb(", ")")?;
        let parts: Vec<u32> = parts.split(", ").map(str::parse).collect::<Result<_, _>>()?;
        if parts.iter().max() == parts.get(at) {
            hands.click(&one.r#ref).await?;
        }
    }
    hands.click("#submit").await
}
