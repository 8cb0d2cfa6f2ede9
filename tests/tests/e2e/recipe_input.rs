//! What is wrong with a recipe is said before a tab opens, with the path to the field.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_tests::cdp::Events;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

/// Where it is wrong, what is wrong: a pointer into the arguments and the value that is put there.
type Case = (&'static str, &'static str, Value);

/// `ORIGIN` and `OTHER` stand for the site's two origins.
fn recipes() -> Vec<Case> {
    let field = |changes: Value| {
        let mut field = json!({"name": "title", "selector": ".title", "read": "text", "required": true});
        for (name, value) in changes.as_object().into_iter().flatten() {
            field[name] = value.clone();
        }
        field
    };
    let fields = |count: usize| {
        let named = |index| field(json!({"name": format!("f{index}")}));
        Value::from((0..count).map(named).collect::<Vec<_>>())
    };
    vec![
        // Closed: nothing more and nothing less.
        ("recipe.colour", "/recipe/colour", json!("red")),
        ("recipe.fields[0].colour", "/recipe/fields/0/colour", json!("red")),
        ("recipe.script", "/recipe/script", json!("return 1")),
        ("recipe.version", "/recipe/version", json!(2)),
        ("recipe.version", "/recipe/version", json!("1")),
        ("recipe.name", "/recipe/name", json!("")),
        ("recipe.name", "/recipe/name", json!("n".repeat(65))),
        (
            "recipe.description",
            "/recipe/description",
            json!("d".repeat(2001)),
        ),
        ("recipe", "/recipe", json!("https://shop.example/")),
        ("recipe", "/recipe", json!([1])),
        // Numbers.
        ("recipe.fields", "/recipe/fields", fields(21)),
        ("recipe.fields", "/recipe/fields", fields(0)),
        ("recipe.limit", "/recipe/limit", json!(101)),
        ("recipe.limit", "/recipe/limit", json!(0)),
        ("recipe.limit", "/recipe/limit", json!(-1)),
        ("recipe.limit", "/recipe/limit", json!(1.5)),
        ("recipe.maxPages", "/recipe/maxPages", json!(11)),
        ("recipe.maxPages", "/recipe/maxPages", json!(0)),
        // Selectors.
        ("recipe.ready", "/recipe/ready", json!(" ")),
        ("recipe.ready", "/recipe/ready", json!(null)),
        ("recipe.rows", "/recipe/rows", json!("li[class")),
        ("recipe.rows", "/recipe/rows", json!("li > ")),
        ("recipe.rows", "/recipe/rows", json!("a".repeat(1001))),
        ("recipe.empty", "/recipe/empty", json!("p { }")),
        ("recipe.login", "/recipe/login", json!("")),
        ("recipe.next", "/recipe/next", json!("a\u{0}b")),
        (
            "recipe.fields[0].selector",
            "/recipe/fields/0",
            field(json!({"selector": "a)"})),
        ),
        // Fields.
        (
            "recipe.fields[0].read",
            "/recipe/fields/0",
            field(json!({"read": "html"})),
        ),
        (
            "recipe.fields[0].attribute",
            "/recipe/fields/0",
            field(json!({"read": "attribute"})),
        ),
        (
            "recipe.fields[0].attribute",
            "/recipe/fields/0",
            field(json!({"attribute": "href"})),
        ),
        (
            "recipe.fields[0].attribute",
            "/recipe/fields/0",
            field(json!({"read": "attribute", "attribute": "value"})),
        ),
        (
            "recipe.fields[0].name",
            "/recipe/fields/0",
            field(json!({"name": "2nd"})),
        ),
        (
            "recipe.fields[1].name",
            "/recipe/fields/1",
            field(json!({"name": "number"})),
        ),
        (
            "recipe.fields[0].required",
            "/recipe/fields/0",
            field(json!({"required": null})),
        ),
        // The address.
        ("recipe.origin", "/recipe/origin", json!("ORIGIN/")),
        ("recipe.origin", "/recipe/origin", json!("ORIGIN/states")),
        ("recipe.origin", "/recipe/origin", json!("{page}")),
        ("recipe.origin", "/recipe/origin", json!("about:blank")),
        ("recipe.urlTemplate", "/recipe/origin", json!("OTHER")),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("OTHER/orders?page={page}"),
        ),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("{page}/orders"),
        ),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("/orders?page={page}"),
        ),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("javascript:alert({page})"),
        ),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!(" JavaScript:alert({page})"),
        ),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("data:text/html,<main>{page}</main>"),
        ),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("file:///etc/passwd?{page}"),
        ),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("view-source:ORIGIN/orders?page={page}"),
        ),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("ORIGIN@evil.example/{page}"),
        ),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("ORIGIN1/{page}"),
        ),
        // Inputs: declared, in the template, and given.
        ("recipe.inputs[0]", "/recipe/urlTemplate", json!("ORIGIN/orders")),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("ORIGIN/orders?page={page}&sort={sort}"),
        ),
        (
            "recipe.urlTemplate",
            "/recipe/urlTemplate",
            json!("ORIGIN/orders?page={page"),
        ),
        ("recipe.inputs[1]", "/recipe/inputs", json!(["page", "page"])),
        ("recipe.inputs[0]", "/recipe/inputs", json!(["a b"])),
        ("inputs.page", "/inputs", json!({})),
        ("inputs.page", "/inputs/page", json!("")),
        ("inputs.page", "/inputs/page", json!(null)),
        ("inputs.page", "/inputs/page", json!({"of": 3})),
        ("inputs.page", "/inputs/page", json!("p".repeat(2001))),
        ("inputs.sort", "/inputs/sort", json!("date")),
        // The call itself.
        ("colour", "/colour", json!("red")),
        ("timeoutMs", "/timeoutMs", json!("soon")),
        ("timeoutMs", "/timeoutMs", json!(0)),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recipe_that_does_not_fit_is_refused_before_a_tab_opens() -> Result<()> {
    let world = World::shared().await?;
    let mut watch = Watch::over(&world).await?;
    let good = json!({"recipe": world.site.orders_recipe(), "inputs": {"page": 1}});
    let mut wrong = Vec::new();
    for (path, pointer, value) in recipes() {
        let mut args = good.clone();
        put(&mut args, pointer, placed(&world, value))?;
        let told = world.client.call_raw("browser_extract", args).await;
        let fits = told.as_ref().is_err_and(|error| {
            error.code == Code::InvalidArgument
                && (error.message.starts_with(&format!("{path}:"))
                    // What is missing or unknown is named beside its parent's path.
                    || path.rsplit_once('.').is_some_and(|(parent, name)| {
                        error.message.starts_with(&format!("{parent}:")) && error.message.contains(&format!("`{name}`"))
                    }))
        });
        if !fits {
            wrong.push(format!("{path}: {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    watch.saw_nothing(&world).await?;

    // The same watch does see a recipe that fits.
    let login = world.client.call_raw("browser_extract", good).await?;
    assert_eq!(login["state"], "login_required");
    ensure!(watch.saw_nothing(&world).await.is_err(), "nobody watched");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_but_the_optional_ones_is_needed() -> Result<()> {
    let world = World::shared().await?;
    let mut watch = Watch::over(&world).await?;
    let good = world.site.recipe("/states/ok");
    for (name, _) in good.as_object().context("a recipe")? {
        let mut recipe = good.clone();
        recipe.as_object_mut().context("a recipe")?.remove(name);
        match name.as_str() {
            "inputs" | "empty" | "login" | "next" => {}
            _ => {
                let error = world.extract(recipe).await.err().with_context(|| name.clone())?;
                assert_eq!(error.code, Code::InvalidArgument, "{name}: {error}");
                assert!(
                    error.message.starts_with("recipe:")
                        && error.message.contains(&format!("{name} is missing")),
                    "{name}: {error}"
                );
            }
        }
    }
    watch.saw_nothing(&world).await?;
    let mut least = good;
    for name in ["inputs", "empty", "login", "next"] {
        least.as_object_mut().context("a recipe")?.remove(name);
    }
    assert_eq!(world.extract(least).await?.rows.len(), 3);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_input_stays_in_its_place_in_the_address() -> Result<()> {
    let world = World::shared().await?;
    let mut watch = Watch::over(&world).await?;
    let mut recipe = world.site.recipe("/echo/{where}?q={what}");
    recipe["inputs"] = json!(["where", "what"]);
    for place in ["..", "."] {
        let inputs = json!({"where": place, "what": 1});
        let error = world
            .extract_with(recipe.clone(), inputs)
            .await
            .err()
            .context(place)?;
        assert_eq!(error.code, Code::InvalidArgument, "{error}");
    }
    watch.saw_nothing(&world).await?;

    // Nothing of it is a path, a query, a fragment or another placeholder.
    world.site.put(
        "/echo/a%2F..%2Fb%3Fc%23%7Bwhat%7D",
        "<link rel=icon href=data:,><main><p class=empty>Nothing</p></main>",
    );
    let inputs = json!({"where": "a/../b?c#{what}", "what": "ü & 1=2+3 #x"});
    let result = world.extract_with(recipe.clone(), inputs).await?;
    assert_eq!(json!(result.state), json!("empty"));
    let query = "q=%C3%BC%20%26%201%3D2%2B3%20%23x";
    assert_eq!(
        result.source_url,
        format!("{}?{query}", world.site.url("/echo/a%2F..%2Fb%3Fc%23%7Bwhat%7D"))
    );
    let asked: Vec<_> = world
        .site
        .events()
        .into_iter()
        .map(|event| (event.path, event.query))
        .collect();
    assert_eq!(
        asked,
        [("/echo/a%2F..%2Fb%3Fc%23%7Bwhat%7D".to_owned(), query.to_owned())]
    );
    world.leaves_nothing().await
}

/// Only the browser knows all of CSS: what looks like a selector and is none to it is a wrong argument all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_selector_that_is_none_to_the_browser_is_named() -> Result<()> {
    let world = World::shared().await?;
    for pointer in ["ready", "rows", "empty", "login", "next", "fields[2].selector"] {
        let mut recipe = world.site.recipe("/states/ok");
        match pointer {
            "fields[2].selector" => recipe["fields"][2]["selector"] = json!("li:frob"),
            name => recipe[name] = json!("li:frob"),
        }
        let error = world.extract(recipe).await.err().context(pointer)?;
        assert_eq!(error.code, Code::InvalidArgument, "{error}");
        assert!(
            error.message.starts_with(&format!("recipe.{pointer}:")),
            "{error}"
        );
    }
    world.leaves_nothing().await
}

/// Looks for tabs that open, be it for a moment, and for requests.
struct Watch {
    events: Events,
    requests: usize,
}

impl Watch {
    async fn over(world: &World) -> Result<Self> {
        world
            .browser
            .send("Target.setDiscoverTargets", json!({"discover": true}))
            .await?;
        Ok(Self {
            events: world.browser.listen(),
            requests: world.site.events().len(),
        })
    }

    async fn saw_nothing(&mut self, world: &World) -> Result<()> {
        // Its answer comes after every event before it.
        world.browser.targets().await?;
        let opened: Vec<_> = self
            .events
            .so_far("Target.targetCreated")?
            .into_iter()
            .filter(|event| matches!(event["targetInfo"]["type"].as_str(), Some("page" | "tab")))
            .collect();
        ensure!(opened.is_empty(), "a tab opened: {opened:?}");
        let requests = world.site.events().split_off(self.requests);
        ensure!(requests.is_empty(), "the site was asked: {requests:?}");
        Ok(())
    }
}

/// The site's real origins in their places.
fn placed(world: &World, value: Value) -> Value {
    match value {
        Value::String(text) => text
            .replace("ORIGIN", &world.site.origin)
            .replace("OTHER", &world.site.other)
            .into(),
        other => other,
    }
}

/// Puts a value where a pointer leads, into an object or at the end of an array too.
fn put(args: &mut Value, pointer: &str, value: Value) -> Result<()> {
    let (parent, name) = pointer.rsplit_once('/').context("a pointer")?;
    match args.pointer_mut(parent).context("the parent")? {
        Value::Object(map) => {
            map.insert(name.to_owned(), value);
        }
        Value::Array(list) => {
            let index: usize = name.parse()?;
            match list.get_mut(index) {
                Some(place) => *place = value,
                None => list.push(value),
            }
        }
        other => anyhow::bail!("{parent} is {other}"),
    }
    Ok(())
}
