//! Recipes, version 1: each rule on a page of its own, with the whole result it gives.

use anyhow::{Context, Result};
use drawbridge_protocol::Code;
use drawbridge_protocol::recipe::{RecipeResult, State, Visibility};
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use State::{Empty, Incomplete, LoginRequired, Ok as Full, SourceChanged};

/// Page below `/states`, state, numbers of the items that are returned, pages that were read, issues.
type Case = (&'static str, State, &'static [u32], u32, Value);

fn cases() -> Vec<Case> {
    let no_rows = |page: u32| json!([{"kind": "no_rows", "selector": "li.row", "matched": 0, "page": page}]);
    let next = |kind: &str, matched: u32| json!([{"kind": kind, "selector": "a.next", "matched": matched, "page": 1}]);
    let repeated = |page: u32| json!([{"kind": "next_repeated", "page": page}]);
    let field = |kind: &str, name: &str, selector: &str, matched: u32| json!({"kind": kind, "field": name, "selector": selector, "matched": matched, "row": 2, "page": 1});
    let (all, none): (&[u32], &[u32]) = (&[1, 2, 3], &[]);
    let fine = json!([]);
    vec![
        ("ok", Full, all, 1, fine.clone()),
        ("moved", Full, all, 1, fine.clone()),
        ("password-beside", Full, all, 1, fine.clone()),
        // Nothing to list, and the ways of not saying so.
        ("empty", Empty, none, 1, fine.clone()),
        ("empty-hidden", SourceChanged, none, 1, no_rows(1)),
        ("nothing", SourceChanged, none, 1, no_rows(1)),
        ("renamed", SourceChanged, none, 1, no_rows(1)),
        (
            "rows-and-empty",
            SourceChanged,
            none,
            1,
            json!([{"kind": "rows_and_empty", "selector": ".empty", "matched": 1, "page": 1}]),
        ),
        // More than one page.
        ("ends-empty", Full, all, 2, fine.clone()),
        ("ends-changed", SourceChanged, none, 2, no_rows(2)),
        (
            "shifting",
            Full,
            &[1, 2, 3, 3, 4, 5, 5, 6, 7],
            3,
            json!([{"kind": "repeated_row", "row": 1, "page": 2}, {"kind": "repeated_row", "row": 1, "page": 3}]),
        ),
        (
            "paged",
            Incomplete,
            &[
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
            ],
            10,
            json!([{"kind": "max_pages_reached", "page": 10}]),
        ),
        // Somebody has to sign in.
        (
            "login-element",
            LoginRequired,
            none,
            1,
            json!([{"kind": "login_element", "selector": ".login", "matched": 1, "page": 1}]),
        ),
        (
            "login-redirect-other",
            LoginRequired,
            none,
            1,
            json!([{"kind": "login_redirect", "page": 1}]),
        ),
        // Fields.
        (
            "ambiguous-optional",
            SourceChanged,
            none,
            1,
            json!([field("field_ambiguous", "price", ".price", 2)]),
        ),
        (
            "ambiguous-required",
            SourceChanged,
            none,
            1,
            json!([field("field_ambiguous", "title", ".title", 2)]),
        ),
        (
            "missing-required",
            SourceChanged,
            none,
            1,
            json!([
                field("field_missing", "title", ".title", 0),
                field("field_missing", "link", "a.title", 0)
            ]),
        ),
        (
            "blank-required",
            SourceChanged,
            none,
            1,
            json!([field("field_missing", "title", ".title", 1)]),
        ),
        ("missing-optional", Full, all, 1, fine.clone()),
        ("blank-optional", Full, all, 1, fine.clone()),
        ("hidden-row", Full, &[1, 3], 1, fine.clone()),
        ("hidden-copy", Full, all, 1, fine.clone()),
        // The link to the next page.
        ("next-hidden", Full, all, 1, fine.clone()),
        ("next-two", SourceChanged, none, 1, next("next_ambiguous", 2)),
        (
            "next-no-href",
            SourceChanged,
            none,
            1,
            next("next_without_href", 1),
        ),
        ("next-same", SourceChanged, none, 1, repeated(1)),
        ("next-fragment", SourceChanged, none, 1, repeated(1)),
        ("next-loop?page=1", SourceChanged, none, 2, repeated(2)),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_read_as_its_rule_says() -> Result<()> {
    let world = World::shared().await?;
    let mut wrong = Vec::new();
    for (name, state, items, pages, issues) in cases() {
        let result = read(&world, name).await.with_context(|| name.to_owned())?;
        let told = json!({
            "state": result.state, "items": numbers(&result)?, "complete": result.complete, "pages": result.pages,
            "issues": result.issues, "visibility": result.visibility,
        });
        let expected = json!({
            "state": state, "items": items, "complete": matches!(state, Full | Empty), "pages": pages,
            "issues": issues, "visibility": Visibility::Background,
        });
        if told != expected {
            wrong.push(format!("{name}:\n    read {told}\nexpected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_objects_of_text_as_rendered_and_attributes_as_written() -> Result<()> {
    let world = World::shared().await?;
    let before = now(&world).await?;
    let result = read(&world, "missing-optional").await?;
    assert_eq!(
        json!(result.rows),
        json!([
            {"title": "Item 1", "link": "/item/1", "price": "1.50 EUR"},
            {"title": "Item 2", "link": "/item/2", "price": null},
            {"title": "Item 3", "link": "/item/3", "price": "3.50 EUR"},
        ])
    );
    let blank = read(&world, "blank-optional").await?;
    assert_eq!(
        (&blank.rows[1]["title"], &blank.rows[1]["price"]),
        (&json!("Item 2"), &Value::Null)
    );
    assert_eq!(result.source_url, world.site.url("/states/missing-optional"));
    assert_eq!(
        read(&world, "moved").await?.source_url,
        world.site.url("/states/ok")
    );
    let after = now(&world).await?;
    assert!(
        before <= result.checked_at && result.checked_at <= after,
        "{before} {} {after}",
        result.checked_at
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_ends_it_where_it_says() -> Result<()> {
    let world = World::shared().await?;
    // Page, limit, pages allowed; state, rows, issues.
    let reached = |page: u32| json!([{"kind": "limit_reached", "page": page}]);
    let cases = [
        ("many", 100, 10, Incomplete, 100, reached(1)),
        ("ok", 3, 1, Full, 3, json!([])),
        ("ok", 2, 1, Incomplete, 2, reached(1)),
        ("paged", 4, 10, Incomplete, 4, reached(2)),
        ("paged", 5, 10, Incomplete, 5, reached(3)),
        (
            "paged",
            100,
            2,
            Incomplete,
            4,
            json!([{"kind": "max_pages_reached", "page": 2}]),
        ),
        (
            "ends-empty",
            100,
            1,
            Incomplete,
            3,
            json!([{"kind": "max_pages_reached", "page": 1}]),
        ),
    ];
    for (name, limit, pages, state, rows, issues) in cases {
        let mut recipe = world.site.recipe(&format!("/states/{name}"));
        recipe["limit"] = json!(limit);
        recipe["maxPages"] = json!(pages);
        let result = world.extract(recipe).await?;
        let case = format!("{name}, {limit} rows, {pages} pages");
        assert_eq!((result.state, result.rows.len()), (state, rows), "{case}");
        assert_eq!(result.complete, state == Full, "{case}");
        assert_eq!(json!(result.issues), issues, "{case}");
        let items = numbers(&result)?;
        assert_eq!(items, (1..=u32::try_from(rows)?).collect::<Vec<_>>(), "{case}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_to_a_password_field_wants_a_login_whatever_the_recipe_looks_for() -> Result<()> {
    let world = World::shared().await?;
    let element = read(&world, "login-redirect").await?;
    assert_eq!(
        json!(element.issues),
        json!([{"kind": "login_element", "selector": ".login", "matched": 1, "page": 1}])
    );
    // Without a `login` selector; `ready` is there on the page of the form too, or not.
    for ready in ["main", "main ul"] {
        let mut recipe = world.site.recipe("/states/login-redirect");
        recipe["login"] = Value::Null;
        recipe["ready"] = json!(ready);
        let result = world.extract(recipe).await?;
        assert_eq!(
            (result.state, result.rows.len(), result.complete),
            (LoginRequired, 0, false),
            "{ready}: {result:?}"
        );
        let field = json!([{"kind": "login_redirect", "selector": "input[type=password i]", "matched": 1, "page": 1}]);
        assert_eq!(json!(result.issues), field, "{ready}");
        assert_eq!(result.source_url, world.site.url("/login"), "{ready}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_leads_off_the_origin_is_blocked_and_not_read() -> Result<()> {
    let world = World::shared().await?;
    for name in [
        "redirect-other",
        "next-other-origin",
        "next-redirect-other",
        "next-script",
    ] {
        let error = read(&world, name).await.err().context(name)?;
        assert_eq!(error.code, Code::NavigationBlocked, "{name}: {error}");
        assert!(error.message.starts_with(&world.site.origin), "{name}: {error}");
    }
    // Nobody followed the link itself.
    let other = world.site.other.trim_start_matches("http://");
    let followed: Vec<_> = world
        .site
        .requests("/states/next-other-origin")
        .into_iter()
        .map(|event| event.host)
        .filter(|host| host == other)
        .collect();
    assert_eq!(followed, Vec::<String>::new());
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_a_person_can_see_counts_as_a_row() -> Result<()> {
    let world = World::shared().await?;
    let result = read(&world, "visibility").await?;
    assert_eq!(numbers(&result)?, [1, 6, 7, 8, 11, 12], "{result:?}");
    assert!(result.rows.iter().all(|row| row["price"] == "seen"), "{result:?}");

    let row = |number: u32, style: &str| {
        format!("<li class=row style=\"{style}\"><a class=title href=/item/{number}>Item {number}</a></li>")
    };
    let hidden = [
        (
            "a collapsed details",
            "<details><summary>More</summary>{}</details>",
        ),
        ("hidden until found", "<div hidden=until-found>{}</div>"),
        ("skipped content", "<div style=content-visibility:hidden>{}</div>"),
        (
            "a clipping box without room",
            "<div style=height:0;overflow:hidden>{}</div>",
        ),
        (
            "a clip that leaves nothing",
            "<div style='position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)'>{}</div>",
        ),
        ("a template", "<template>{}</template>"),
        ("a closed dialog", "<dialog>{}</dialog>"),
    ];
    for (what, around) in hidden {
        let page = format!("<main>{}{}</main>", row(1, ""), around.replace("{}", &row(2, "")));
        world.site.put("/hidden", page);
        let result = world.extract(world.site.recipe("/hidden")).await?;
        assert_eq!(numbers(&result)?, [1], "{what}");
    }
    world.site.put(
        "/shown",
        format!(
            "<main><details open><summary>More</summary>{}</details>{}{}<div style=height:200px;overflow:auto>\
             <div style=height:900px></div>{}</div></main>",
            row(1, ""),
            row(2, "content-visibility:auto;margin-top:3000px"),
            row(3, "transform:scale(.5);filter:opacity(.9)"),
            row(4, ""),
        ),
    );
    let result = world.extract(world.site.recipe("/shown")).await?;
    assert_eq!(
        numbers(&result)?,
        [1, 2, 3, 4],
        "seen after scrolling at the latest: {result:?}"
    );
    world.leaves_nothing().await
}

/// A browser lays out what is far from the screen only when it comes near; the text is there all the same.
#[tokio::test(flavor = "multi_thread")]
async fn text_that_was_not_laid_out_yet_is_read_as_it_will_be_rendered() -> Result<()> {
    let world = World::shared().await?;
    let auto = "content-visibility:auto";
    let inner = "<a class=title href=/item/1>Item  1</a>
        <div>second <b hidden>gone</b><i style=visibility:hidden>gone</i><script>gone</script><span>li</span>ne</div>";
    world.site.put(
        "/auto",
        format!(
            "<main><div style=height:4000px></div>
             <li class=row>{inner}</li>
             <li class=row style={auto}>{inner}</li>
             <li class=row><div style={auto}>{inner}</div></li>
             <section style={auto}><li class=row>{inner}</li></section>
             <li class=row style={auto}>Item 1 <p>second line</li></main>"
        ),
    );
    let mut recipe = world.site.recipe("/auto");
    recipe["fields"] = json!([
        {"name": "row", "read": "text", "required": true},
        {"name": "title", "selector": ".title", "read": "text", "required": false},
    ]);
    let result = world.extract(recipe).await?;
    let rows: Vec<_> = result
        .rows
        .iter()
        .map(|row| {
            let text = row["row"].as_str().unwrap_or_default();
            let lines: Vec<_> = text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .collect();
            (lines.join("|"), row["title"].as_str())
        })
        .collect();
    let row = |title| ("Item 1|second line".to_owned(), title);
    let title = Some("Item 1");
    assert_eq!(
        rows,
        [row(title), row(title), row(title), row(title), row(None)],
        "{result:?}"
    );
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_copy_inside_a_visible_row_is_read_by_text_content_alone() -> Result<()> {
    let world = World::shared().await?;
    let mut recipe = world.site.recipe("/states/copy");
    recipe["fields"] = json!([
        {"name": "hidden", "selector": ".copy", "read": "textContent", "required": true},
        {"name": "rendered", "selector": ".copy", "read": "text", "required": false},
        {"name": "row", "read": "text", "required": true},
    ]);
    let result = world.extract(recipe.clone()).await?;
    assert_eq!(
        json!(result.rows[0]),
        json!({"hidden": "copy:", "rendered": null, "row": "Item 1 1.50 EUR"})
    );
    recipe["fields"][1]["required"] = json!(true);
    let result = world.extract(recipe).await?;
    assert_eq!((result.state, result.rows.len()), (SourceChanged, 0));
    assert_eq!(
        json!(result.issues[0]),
        json!({"kind": "field_missing", "field": "rendered", "selector": ".copy", "matched": 0, "row": 1, "page": 1})
    );

    // A second price that nobody sees: no match for rendered text, one too many for text content.
    let mut recipe = world.site.recipe("/states/hidden-copy");
    assert_eq!(world.extract(recipe.clone()).await?.rows[1]["price"], "2.50 EUR");
    recipe["fields"][2]["read"] = json!("textContent");
    let result = world.extract(recipe).await?;
    assert_eq!(
        json!(result.issues),
        json!([{"kind": "field_ambiguous", "field": "price", "selector": ".price", "matched": 2, "row": 2, "page": 1}])
    );
    world.leaves_nothing().await
}

/// bug:Z1: nothing to list, no list, a login and a refusal with status 200 are four different things.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_there_is_told_from_nothing_found_from_a_login_and_from_a_refusal() -> Result<()> {
    let world = World::shared().await?;
    world
        .site
        .put("/blocked", "<h1>Access denied</h1><p>Reference 18.2f</p>");
    for (path, expected) in [
        ("/states/empty", Ok(Empty)),
        ("/states/nothing", Ok(SourceChanged)),
        ("/states/login-redirect", Ok(LoginRequired)),
        ("/blocked", Err(Code::Timeout)),
        ("/nowhere", Err(Code::Timeout)),
    ] {
        let args = json!({"recipe": world.site.recipe(path), "timeoutMs": 2500});
        let told = world.client.call_raw("browser_extract", args).await;
        match (expected, told) {
            (Ok(state), Ok(result)) => {
                assert_eq!(
                    (&result["state"], &result["rows"]),
                    (&json!(state), &json!([])),
                    "{path}"
                );
            }
            (Err(code), Err(error)) => {
                assert_eq!(error.code, code, "{path}: {error}");
                assert!(error.message.contains("`ready`"), "{path}: {error}");
                let words = format!("{error}").to_lowercase();
                assert!(!words.contains("sign in") && !words.contains("log in"), "{error}");
            }
            (expected, told) => panic!("{path}: {told:?}, not {expected:?}"),
        }
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_replaces_itself_first_is_read_in_the_end() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/reloads",
        "<body><script>
         const round = Number(sessionStorage.round ?? 0);
         sessionStorage.round = round + 1;
         if (round < 4) location.reload();
         else document.body.innerHTML = '<main><li class=row><a class=title href=/item/1>Item 1</a></li></main>';
         </script>",
    );
    let result = world.extract(world.site.recipe("/reloads")).await?;
    assert_eq!((result.state, numbers(&result)?), (Full, vec![1]), "{result:?}");
    assert_eq!(world.site.requests("/reloads").len(), 5);

    let url = world.site.url("/states/ok");
    world
        .site
        .put("/leaves", format!("<script>location.replace('{url}')</script>"));
    let result = world.extract(world.site.recipe("/leaves")).await?;
    assert_eq!((result.state, result.source_url), (Full, url));
    world.leaves_nothing().await
}

async fn read(world: &World, name: &str) -> Result<RecipeResult, drawbridge_protocol::Error> {
    world.extract(world.site.recipe(&format!("/states/{name}"))).await
}

/// The items' numbers, by title and link.
fn numbers(result: &RecipeResult) -> Result<Vec<u32>> {
    let number = |row: &serde_json::Map<String, Value>| {
        let (title, link) = (row["title"].as_str()?, row["link"].as_str()?);
        let number = title.strip_prefix("Item ")?;
        (Some(number) == link.strip_prefix("/item/")).then(|| number.parse().ok())?
    };
    result
        .rows
        .iter()
        .map(|row| number(row).with_context(|| format!("{row:?}")))
        .collect()
}

/// The browser's own clock, as results state times.
async fn now(world: &World) -> Result<String> {
    let page = world.browser.open("about:blank").await?;
    let now = page.evaluate("new Date().toISOString()").await?;
    page.close().await?;
    Ok(now)
}
