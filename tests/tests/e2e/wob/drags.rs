//! Tasks with drags.

use std::f64::consts::TAU;

use anyhow::{Context, Result, bail};

use super::hands::{Found, Hands, between};

/// `Drag the smaller box so that it is completely inside the larger box.`
pub(super) async fn onto(hands: &Hands<'_>) -> Result<()> {
    let (small, large) = (
        hands.one("#draggableSmall").await?,
        hands.one("#draggableLarge").await?,
    );
    let ((x, y), (to_x, to_y)) = (small.middle(), large.middle());
    hands.drag_by("#draggableSmall", &[(to_x - x, to_y - y)]).await?;
    hands.click("#subbtn").await
}

/// `Drag the circle left then press Submit.`
pub(super) async fn aside(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let words: Vec<_> = query.split(' ').collect();
    let by = match words.get(3) {
        Some(&"left") => (-45, 0),
        Some(&"right") => (45, 0),
        Some(&"up") => (0, -45),
        Some(&"down") => (0, 45),
        _ => bail!("where to? {query}"),
    };
    hands
        .drag_by("#area svg circle, #area svg rect, #area svg polygon", &[by])
        .await?;
    hands.click("#subbtn").await
}

/// Drags an item of a list to the place of another, a little past its middle: that is where lists make room.
async fn move_to(hands: &Hands<'_>, item: &Found, place: &Found) -> Result<()> {
    let ((x, y), (to_x, to_y)) = (item.middle(), place.middle());
    let by = (to_x - x, to_y - y);
    let past = (by.0 + by.0.signum() * 8, by.1 + by.1.signum() * 8);
    hands.drag_by(&item.r#ref, &[past]).await
}

/// `Drag Ann to the 3rd position.`, `Drag Ann up by one.` and their like.
pub(super) async fn items(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let rest = query.strip_prefix("Drag ").context("nothing to drag")?;
    let (name, place) = rest.split_once(' ').context("no place")?;
    let all = hands.texts("#sortable li").await?;
    let at = all
        .iter()
        .position(|one| one.value.trim() == name)
        .with_context(|| format!("no {name}"))?;
    let is_grid = all.len() == 9;
    let across = if is_grid { 3 } else { 1 };
    let to = match place.trim_end_matches('.') {
        "to the top" => 0,
        "to the bottom" => all.len() - 1,
        "up by one position" => at - 1,
        "down by one position" => at + 1,
        "up by one" => at - across,
        "down by one" => at + across,
        "left by one" => at - 1,
        "right by one" => at + 1,
        "to the top left" => 0,
        "to the top center" => 1,
        "to the top right" => 2,
        "to the center left" => 3,
        "to the center" => 4,
        "to the center right" => 5,
        "to the bottom left" => 6,
        "to the bottom center" => 7,
        "to the bottom right" => 8,
        place => {
            let number = between(place, "to the ", " position")?;
            let digits = number.trim_end_matches(|one: char| one.is_ascii_alphabetic());
            digits.parse::<usize>()?.wrapping_sub(1)
        }
    };
    let places = hands.boxes("#sortable li").await?;
    let goal = places.get(to).with_context(|| query.clone())?;
    move_to(hands, &places[at], goal).await
}

/// `Sort the numbers in increasing order …`
pub(super) async fn numbers(hands: &Hands<'_>) -> Result<()> {
    for place in 0..4 {
        let all = hands.texts("#sortable li").await?;
        let numbers: Vec<i32> = all
            .iter()
            .map(|one| one.value.trim().parse())
            .collect::<Result<_, _>>()?;
        let least = (place..numbers.len())
            .min_by_key(|at| numbers[*at])
            .context("no numbers")?;
        if least != place {
            let places = hands.boxes("#sortable li").await?;
            move_to(hands, &places[least], &places[place]).await?;
            hands.until_still("#sortable li").await?;
        }
    }
    hands.click("#subbtn").await
}

/// `Drag all circles into the black box.`, `Drag all red shapes into the left box, and everything else into the right box.`
pub(super) async fn sorted_out(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let wanted = between(&query, "Drag all ", " into")?;
    let everything = query.contains("everything else");
    let goals = hands.boxes("#area_svg #shape-container").await?;
    let mut moves = Vec::new();
    for (selector, name) in [
        ("#area_svg rect:not(#shape-container)", "rectangles"),
        ("#area_svg circle", "circles"),
        ("#area_svg polygon", "triangles"),
    ] {
        let colors = hands.attributes(selector, "fill").await?;
        for (one, color) in hands.boxes(selector).await?.into_iter().zip(colors) {
            let fits = wanted == name || wanted == format!("{} shapes", color.value);
            if fits {
                moves.push((one, 0));
            } else if everything {
                moves.push((one, 1));
            }
        }
    }
    for (at, (shape, goal)) in moves.iter().enumerate() {
        let goal = goals.get(*goal).context("no box")?;
        let (x, y) = shape.middle();
        let (to_x, to_y) = goal.middle();
        // Beside each other, so that none hides another.
        let beside = i32::try_from(at % 3)? * 14 - 14;
        hands
            .drag_by(&shape.r#ref, &[(to_x + beside - x, to_y + 3 - y)])
            .await?;
    }
    hands.click("#subbtn").await
}

/// `Draw a circle centered around the marked point …`
pub(super) async fn circle(hands: &Hands<'_>) -> Result<()> {
    let (x, y) = hands.one("#circ").await?.middle();
    let path: Vec<_> = (0..=20)
        .map(|at| {
            let angle = TAU * f64::from(at) / 20.0;
            (
                f64::from(x) + 22.0 * angle.cos(),
                f64::from(y) + 22.0 * angle.sin(),
            )
        })
        .collect();
    hands.drag_along(&path).await?;
    hands.click("#controls button").await
}

/// `Draw a horizontal line that runs through the dot, then press submit.`
pub(super) async fn line(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let [left, top, ..] = hands.one("#circ").await?.area;
    let (x, y) = (f64::from(left) + 2.0, f64::from(top) + 2.0);
    let path = if query.contains("horizontal") {
        [(x - 22.0, y), (x, y), (x + 50.0, y)]
    } else {
        [(x, y - 20.0), (x, y), (x, y + 50.0)]
    };
    hands.drag_along(&path).await?;
    hands.click("#controls button").await
}
