//! Elements by locator and by words, and what is told of them.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::outline::open;

const SHOP: &str = "<title>Shop</title><header><nav><a href=/>Home</a> <a href=/login>Sign in</a></nav></header><main><ul>
    <li><h3>Alpha</h3><button class='btn small'>Details</button> <button id=b1 class='btn blue'>Buy</button></li>
    <li><h3>Beta</h3><button id=b2 class='btn red'>Purchase</button></li>
    <li><h3>Gamma</h3><button id=b3 class='btn red'>Buy</button></li></ul>
    <label>Code <input id=code autocomplete=one-time-code value=123456></label>
    <div id=host></div></main><footer><a href=/>Home</a></footer>
    <script>document.getElementById('host').attachShadow({mode:'closed'}).innerHTML='<button data-testid=deep>Deep</button>'</script>";

#[tokio::test(flavor = "multi_thread")]
async fn locators_and_words_find_the_same_elements_with_the_same_refs() -> Result<()> {
    let world = World::shared().await?;
    world.site.put("/shop", SHOP);
    open(&world, "/shop").await?;
    let by = async |arguments: Value| inspect(&world.client, "find", arguments).await;
    let buy = by(json!({"target": {"role": "button", "name": "buy"}})).await?;
    assert_eq!((&buy["total"], &buy["visible"]), (&json!(2), &json!(2)));
    let first = &buy["matches"][0]["node"]["ref"];
    for (words, id) in [
        ("the blue buy button next to the small one", "b1"),
        ("buy button in the row of Gamma", "b3"),
        ("second buy button", "b2"),
    ] {
        let found = by(json!({"query": words, "do": "attribute", "attribute": "id"})).await?;
        assert_eq!(found["matches"][0]["value"], *id, "{words}: {found}");
    }
    let words = by(json!({"query": "blue buy button"})).await?;
    assert_eq!(words["matches"][0]["node"]["ref"], *first);
    ensure!(
        words["matches"][0]["why"][0]
            .as_str()
            .context("why")?
            .starts_with("name says"),
        "{words}"
    );
    let again = by(json!({"target": {"text": "buy", "exact": false, "index": 0}})).await?;
    assert_eq!(again["matches"][0]["node"]["ref"], *first);
    let deep = by(json!({"target": {"testId": "deep"}, "do": "text"})).await?;
    assert_eq!(deep["matches"][0]["value"], "Deep", "in a closed shadow tree");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn state_bounds_and_errors_are_plain() -> Result<()> {
    let world = World::shared().await?;
    world.site.put("/shop", SHOP);
    world.site.put(
        "/framed",
        "<body style='margin:0'><iframe srcdoc=\"<body style='margin:0'><button style='position:absolute;left:30px;top:20px;width:80px;height:25px'>In</button>\"
         style='position:absolute;left:100px;top:50px;border:5px solid;width:300px;height:200px'></iframe>",
    );
    open(&world, "/shop").await?;
    let by = async |arguments: Value| inspect(&world.client, "find", arguments).await;
    let secret = by(json!({"target": {"label": "Code"}, "do": "state"})).await?;
    let state = &secret["matches"][0]["state"];
    assert_eq!(
        (&state["filled"], &state["editable"], &state["visible"]),
        (&json!(true), &json!(true), &json!(true))
    );
    let value = by(json!({"target": {"label": "Code"}, "do": "attribute", "attribute": "value"})).await?;
    ensure!(
        !value.to_string().contains("123456") && !secret.to_string().contains("123456"),
        "{value}"
    );
    assert_eq!(
        by(json!({"target": "button.none", "do": "count"})).await?["total"],
        0
    );
    let code = async |arguments: Value| -> Result<Code> {
        let refused = inspect(&world.client, "text", arguments)
            .await
            .err()
            .context("an error")?;
        Ok(refused.code)
    };
    assert_eq!(
        code(json!({"target": {"role": "button", "name": "buy"}})).await?,
        Code::Ambiguous
    );
    assert_eq!(
        code(json!({"target": {"role": "button", "name": "sell"}})).await?,
        Code::NotFound
    );
    assert_eq!(
        code(json!({"target": "button >> x"})).await?,
        Code::InvalidArgument
    );

    crate::outline::navigate(&world, "/framed").await?;
    let bounds = by(json!({"target": {"role": "button", "name": "In"}, "do": "bounds"})).await?;
    assert_eq!(
        bounds["matches"][0]["bounds"],
        json!({"x": 135, "y": 75, "width": 80, "height": 25}),
        "{bounds}"
    );
    world.leaves_nothing().await
}
