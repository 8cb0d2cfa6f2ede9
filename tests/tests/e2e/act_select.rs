//! Choosing options: exactly the one that is meant, or a typed error.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::{Code, Error};
use serde_json::{Value, json};

use crate::act::{Acting, is_refused, with};

async fn page(name: &str) -> Result<Acting> {
    let tab = Acting::open(&format!("/editors/{name}")).await?;
    tab.page
        .until("document.documentElement.dataset.ready !== undefined")
        .await?;
    Ok(tab)
}

async fn model(tab: &Acting, id: &str) -> Result<String> {
    tab.page.evaluate(&format!("String(model({}))", json!(id))).await
}

async fn select(tab: &Acting, selector: &str, what: Value) -> Result<Result<Value, Error>> {
    tab.act("select", with(json!({"selector": selector}), what)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_select_takes_exactly_the_option_that_is_meant() -> Result<()> {
    let tab = page("selects").await?;
    for (id, what, held) in [
        ("prefixes", json!({"labels": ["option10"]}), "10"),
        ("prefixes", json!({"labels": ["option1"]}), "1"),
        ("prefixes", json!({"values": ["3"]}), "3"),
        ("prefixes", json!({"indexes": [1]}), "10"),
        ("cross", json!({"labels": ["Alpha"]}), "a"),
        ("cross", json!({"values": ["Alpha"]}), "Alpha"),
        ("twins", json!({"values": ["s"]}), "s"),
        ("many", json!({"labels": ["Banana", "Cherry"]}), "b,c"),
        ("sized", json!({"labels": ["Two"]}), "Two"),
        ("base", json!({"values": ["dog"]}), "dog"),
    ] {
        let done = select(&tab, &format!("#{id}"), what.clone())
            .await?
            .with_context(|| format!("{id} {what}"))?;
        assert_eq!(done["effect"], "committed");
        assert_eq!(model(&tab, id).await?, held, "{id} {what}");
    }
    let again = select(&tab, "#sized", json!({"labels": ["Two"]})).await??;
    assert_eq!(again["confirmed"], json!(["selected"]));
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_select_refuses_what_is_not_one_option() -> Result<()> {
    let tab = page("selects").await?;
    for (id, what, code) in [
        ("twins", json!({"labels": ["Same"]}), Code::Ambiguous),
        ("twins", json!({"labels": ["Closed"]}), Code::NotEnabled),
        ("prefixes", json!({"labels": ["option"]}), Code::OptionNotFound),
        ("prefixes", json!({"indexes": [7]}), Code::OptionNotFound),
        ("prefixes", json!({"indexes": [0, 1]}), Code::InvalidArgument),
        ("off", json!({"labels": ["Wanted"]}), Code::NotEnabled),
    ] {
        let before = model(&tab, id).await?;
        let outcome = select(&tab, &format!("#{id}"), what.clone()).await?;
        is_refused(&outcome, code).with_context(|| format!("{id} {what}"))?;
        assert_eq!(model(&tab, id).await?, before, "{id} {what}");
    }
    let missing = select(&tab, "#prefixes", json!({"labels": ["none"]}))
        .await?
        .err()
        .context("chosen")?;
    assert_eq!(
        missing.data.unwrap_or_default()["labels"],
        json!(["option1", "option10", "option3"])
    );
    // A value that is another option's label: which of both is meant has to be said.
    let fields = json!({"fields": [{"target": "#cross", "value": "Alpha"}]});
    let both = tab.act("form", fields).await?;
    let told = format!("{both:?}");
    ensure!(told.contains("ambiguous") || told.contains("Ambiguous"), "{told}");
    assert_eq!(model(&tab, "cross").await?, "0");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_select_says_that_the_page_undid_it() -> Result<()> {
    let tab = page("selects").await?;
    for id in ["now", "soon", "later"] {
        let error = select(&tab, &format!("#{id}"), json!({"labels": ["Wanted"]}))
            .await?
            .err()
            .with_context(|| id.to_owned())?;
        assert_eq!(error.code, Code::Reverted, "{id}: {error:?}");
        assert_eq!(model(&tab, id).await?, "Kept", "{id}");
    }
    let leaves = select(&tab, "#leaves", json!({"labels": ["Boxes"]})).await??;
    let url = leaves["changed"]["navigation"]["url"]
        .as_str()
        .unwrap_or_default();
    ensure!(url.ends_with("/editors/boxes"), "{leaves}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_select_works_in_lists_of_the_pages_own() -> Result<()> {
    let tab = page("selects").await?;
    for (selector, id, what, held) in [
        ("#combo", "combo", json!({"labels": ["Fruit 1"]}), "Fruit 1"),
        ("#combo", "combo", json!({"labels": ["Fruit 12"]}), "Fruit 12"),
        ("#combo", "combo", json!({"indexes": [2]}), "Fruit 3"),
        ("#box", "box", json!({"labels": ["Large"]}), "Large"),
        (
            "#toggles",
            "toggles",
            json!({"labels": ["Olives", "Ham"]}),
            "Olives,Ham",
        ),
    ] {
        let done = select(&tab, selector, what.clone())
            .await?
            .with_context(|| format!("{selector} {what}"))?;
        assert_eq!(done["effect"], "committed", "{done}");
        assert_eq!(model(&tab, id).await?, held, "{selector} {what}");
    }
    let off = select(&tab, "#box", json!({"labels": ["Huge"]})).await?;
    is_refused(&off, Code::NotEnabled)?;
    let missing = select(&tab, "#combo", json!({"labels": ["Fruit 99"]}))
        .await?
        .err()
        .context("chosen")?;
    assert_eq!(missing.code, Code::OptionNotFound);
    assert_eq!(
        missing.data.unwrap_or_default()["labels"]
            .as_array()
            .map(Vec::len),
        Some(10)
    );
    assert_eq!(model(&tab, "combo").await?, "Fruit 3");
    let open: bool = tab
        .page
        .evaluate("!document.getElementById('combo-list').hidden")
        .await?;
    ensure!(!open, "the list was left open");
    let refuses = select(&tab, "#refuses", json!({"labels": ["Something"]}))
        .await?
        .err()
        .context("chosen")?;
    assert_eq!(refuses.code, Code::Reverted, "{refuses:?}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_select_works_in_lists_of_widgets() -> Result<()> {
    let tab = page("lists").await?;
    for (selector, id, what, held) in [
        ("#kind", "kind", json!({"labels": ["Table"]}), "table"),
        (
            "#kinds",
            "kinds",
            json!({"labels": ["Chair", "Lamp"]}),
            "chair,lamp",
        ),
        ("#long", "long", json!({"labels": ["option10"]}), "10"),
        ("#long", "long", json!({"labels": ["option250"]}), "250"),
        (
            "#one + .select2 [role=combobox]",
            "one",
            json!({"labels": ["Spain"]}),
            "Spain",
        ),
    ] {
        let done = select(&tab, selector, with(what.clone(), json!({"timeoutMs": 20_000})))
            .await?
            .with_context(|| format!("{selector} {what}"))?;
        assert_eq!(done["effect"], "committed", "{done}");
        let mut found: Vec<String> = model(&tab, id).await?.split(',').map(str::to_owned).collect();
        found.sort();
        assert_eq!(found.join(","), held, "{selector} {what}");
    }
    let missing = select(&tab, "#kind", json!({"labels": ["Sofa"]}))
        .await?
        .err()
        .context("chosen")?;
    assert_eq!(missing.code, Code::OptionNotFound, "{missing:?}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_select_works_in_a_list_of_element_plus() -> Result<()> {
    let tab = Acting::open("/widgets/element-plus").await?;
    tab.page
        .until("document.documentElement.dataset.ready !== undefined")
        .await?;
    let done = select(&tab, ".el-select", json!({"labels": ["Shanghai"]})).await??;
    assert_eq!(done["changed"]["selected"], json!(["Shanghai"]), "{done}");
    let shown: String = tab
        .page
        .evaluate("document.querySelector('.el-select').innerText.trim()")
        .await?;
    assert_eq!(shown, "Shanghai");
    tab.end().await
}
