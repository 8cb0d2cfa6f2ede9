//! What changed since the last look, and nothing else.

use anyhow::{Context, Result, ensure};
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::outline::{navigate, open};

const PAGE: &str =
    "<title>List</title><main><h1>List</h1><ul><li><button>One</button><li><button>Two</button></ul>
    <label>Name <input id=name></label><p id=said>nothing yet</p></main>";

async fn changes(world: &World) -> Result<(String, Value)> {
    let result = inspect(&world.client, "observe", json!({"diff": true})).await?;
    let outline = result["outline"].as_str().context("an outline")?.to_owned();
    Ok((outline, result["diff"].clone()))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_look_gives_what_changed() -> Result<()> {
    let world = World::shared().await?;
    world.site.put("/list", PAGE);
    open(&world, "/list").await?;
    let page = world.browser.page(|url| url.ends_with("/list")).await?;
    let (all, told) = changes(&world).await?;
    assert_eq!(
        (&told["base"], &told["reason"]),
        (&json!(false), &json!("no earlier look"))
    );
    ensure!(all.contains("button \"One\"") && !all.starts_with('+'), "{all}");

    let (nothing, told) = changes(&world).await?;
    assert_eq!((nothing.as_str(), &told["base"]), ("", &json!(true)));
    assert_eq!(told["unchanged"], all.lines().count());

    page.evaluate::<Option<bool>>(
        "document.querySelector('#name').value = 'Ada', document.querySelector('#said').textContent = 'hello',
         document.querySelector('li').remove(),
         document.querySelector('ul').insertAdjacentHTML('beforeend', '<li><button>Three</button>'), null",
    )
    .await?;
    let (text, told) = changes(&world).await?;
    let has = |mark: char, part: &str| {
        text.lines()
            .any(|line| line.starts_with(&format!("{mark} ")) && line.contains(part))
    };
    for (mark, part) in [
        ('+', "button \"Three\""),
        ('-', "button \"One\""),
        ('~', "value=\"Ada\""),
        ('+', "hello"),
        ('-', "nothing yet"),
    ] {
        ensure!(has(mark, part), "{mark} {part} in {text}");
    }
    ensure!(!text.contains("\"Two\"") && !text.contains("\"List\""), "{text}");
    ensure!(told["unchanged"].as_u64() > Some(0), "{told}");
    let (nothing, _) = changes(&world).await?;
    assert_eq!(nothing, "");
    page.detach().await?;

    navigate(&world, "/list").await?;
    let (_, told) = changes(&world).await?;
    assert_eq!(
        (&told["base"], &told["reason"]),
        (&json!(false), &json!("another document"))
    );
    world.leaves_nothing().await
}
