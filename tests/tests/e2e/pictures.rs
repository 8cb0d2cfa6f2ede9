//! A picture shows what the viewport shows, wherever the tab is, but for what is secret or not to be read.

use anyhow::{Context, Result, ensure};
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use super::waits::Waiting;

const PAGE: &str = "<style>body { margin: 0; background: rgb(0, 128, 0) } input, iframe { position: absolute; width: 200px; height: 60px; border: 0; background: rgb(200, 0, 0) }</style>
    <input id=plain style=\"left: 20px; top: 20px\"><input type=password value=s3cret style=\"left: 20px; top: 120px\">
    <input autocomplete=one-time-code value=123456 style=\"left: 20px; top: 220px\"><input type=password style=\"left: 20px; top: 3000px\">";

/// Takes a picture and looks at the colours of some points of it, CSS px from its left top.
async fn colours(on: &Waiting, more: Value, points: &[(u32, u32)]) -> Result<(Value, Vec<[u32; 3]>)> {
    let mut arguments = json!({"action": "screenshot"});
    for (name, value) in more.as_object().into_iter().flatten() {
        arguments[name] = value.clone();
    }
    let mut shot = on.world.client.call_raw("browser_inspect", arguments).await?;
    let image = shot["image"].take();
    let (image, mime) = (
        image.as_str().context("no picture")?,
        shot["mimeType"].as_str().context("no type")?,
    );
    let eye = on.world.browser.open("about:blank").await?;
    let looked: Vec<Vec<u32>> = eye
        .evaluate(&format!(
            "(async () => {{ const bytes = Uint8Array.from(atob('{image}'), (one) => one.charCodeAt(0));
             const image = await createImageBitmap(new Blob([bytes], {{type: '{mime}'}}));
             const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d'); context.drawImage(image, 0, 0);
             return [[image.width, image.height, 0], ...{points}.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3))]; }})()",
            points = json!(points)
        ))
        .await?;
    eye.close().await?;
    let size = looked.first().context("no size")?;
    ensure!(
        shot["width"] == size[0] && shot["height"] == size[1],
        "{shot} {size:?}"
    );
    let colours = looked[1..].iter().map(|one| [one[0], one[1], one[2]]).collect();
    Ok((shot, colours))
}

fn is_near(colour: [u32; 3], wanted: [u32; 3]) -> bool {
    colour
        .iter()
        .zip(wanted)
        .all(|(one, other)| one.abs_diff(other) < 24)
}

const GROUND: [u32; 3] = [0, 128, 0];
const FIELD: [u32; 3] = [200, 0, 0];
const COVER: [u32; 3] = [32, 33, 36];

#[tokio::test(flavor = "multi_thread")]
async fn secret_fields_are_painted_over_in_front_in_the_background_and_in_another_window() -> Result<()> {
    let world = World::shared().await?;
    let on = Waiting { world };
    on.put("/page", PAGE);
    let url = on.world.site.url("/page");
    for start in [
        json!({"action": "start", "url": url}),
        json!({"action": "start", "url": url, "placement": "window"}),
    ] {
        let started = on.world.client.call_raw("browser_session", start.clone()).await?;
        for (active, format) in [(false, "png"), (true, "jpeg")] {
            if active {
                let new = json!({"action": "new", "active": true, "url": url, "session": started["session"]});
                on.world.client.call_raw("browser_tabs", new).await?;
            }
            let more = json!({"format": format, "maxSide": 4096, "session": started["session"]});
            let points = [(300, 60), (120, 50), (120, 150), (120, 250)];
            let (shot, seen) = colours(&on, more, &points).await?;
            let wanted = [GROUND, FIELD, COVER, COVER];
            for (seen, wanted) in seen.iter().zip(wanted) {
                assert!(
                    is_near(*seen, wanted),
                    "{start} {active}: {seen:?} is not {wanted:?}: {shot}"
                );
            }
            assert_eq!(shot["masked"], 2, "{shot}");
        }
        let stop = json!({"action": "stop", "session": started["session"]});
        on.world.client.call_raw("browser_session", stop).await?;
    }
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_picture_shows_all_of_the_viewport() -> Result<()> {
    let on = Waiting::on(PAGE).await?;
    let (shot, _) = colours(&on, json!({"maxSide": 200}), &[]).await?;
    assert_eq!(
        shot["width"].as_u64().max(shot["height"].as_u64()),
        Some(200),
        "{shot}"
    );
    let (_, seen) = colours(&on, json!({"maxSide": 200, "format": "png"}), &[(150, 20)]).await?;
    assert!(is_near(seen[0], GROUND), "{seen:?}");
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_was_shown_as_dots_stays_covered_when_it_is_shown_as_text() -> Result<()> {
    let on = Waiting::on(&format!("{PAGE}<script>setTimeout(() => {{ document.querySelector('[type=password]').type = 'text'; document.title = 'Shown'; }}, 600)</script>")).await?;
    let (_, before) = colours(&on, json!({"format": "png"}), &[(120, 150)]).await?;
    assert!(is_near(before[0], COVER), "{before:?}");
    let url = on.world.site.url("/page");
    let eye = on.world.browser.page(|shown| shown == url).await?;
    eye.until("document.title === 'Shown'").await?;
    let (_, after) = colours(&on, json!({"format": "png"}), &[(120, 150), (120, 50)]).await?;
    assert!(is_near(after[0], COVER) && is_near(after[1], FIELD), "{after:?}");
    on.world.leaves_nothing().await
}
