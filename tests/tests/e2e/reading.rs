//! Text and selectors of a page: what is read, what is said to be missing, and what cannot be read.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::tools::inspect::{SelectorEntry, SelectorsArgs, TextArgs, TextRead};
use drawbridge_protocol::tools::page::NavigateArgs;
use drawbridge_protocol::tools::session::{StartArgs, Started};
use drawbridge_protocol::version::EXTENSION_ID;
use drawbridge_protocol::{Code, Error};
use drawbridge_tests::project;
use drawbridge_tests::site::recipes::SavedPage;
use drawbridge_tests::site::{HeaderValue, header};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn text_is_what_a_person_sees_one_line_per_block() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/text",
        "<title>A page</title><h1>One  <b>bold</b>\n word</h1><p>Two<br>lines</p><div><div>Three</div></div>
         <table><tr><td>a<td>b<tr><td>c<td>d</table><pre>  kept\n    as is</pre><ul><li>first<li>sec<i>ond</i></ul>
         <p>foo&nbsp;bar soft&shy;hyphen</p><script>var gone</script><style>.gone {}</style><textarea>gone</textarea>
         <input value=gone><template>gone</template><noscript>gone</noscript>",
    );
    let started = open(&world, "/text").await?;
    let read = world.client.call(&TextArgs::default()).await?;
    assert_eq!(
        read.text,
        "One bold word\nTwo\nlines\nThree\na\tb\nc\td\n  kept\n    as is\nfirst\nsecond\nfoo bar soft\u{ad}hyphen"
    );
    assert_eq!(read.omitted, None);
    assert_eq!(
        (read.title.as_str(), read.url),
        ("A page", world.site.url("/text"))
    );
    assert_eq!((&read.session, &read.tab), (&started.session, &started.tab));
    for _ in 0..5 {
        assert_eq!(world.client.call(&TextArgs::default()).await?.text, read.text);
    }
    let list = text(&world, "ul").await?;
    assert_eq!((list.text.as_str(), list.omitted), ("first\nsecond", None));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_is_counted_exactly() -> Result<()> {
    let world = World::shared().await?;
    let hidden = [
        "display:none",
        "visibility:hidden",
        "opacity:0",
        "position:absolute;left:-9999px",
        "height:0;overflow:hidden",
        "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)",
        "content-visibility:hidden",
    ];
    let inner = "<span>gone</span>";
    let hidden: String = hidden
        .iter()
        .map(|style| format!("<div style='{style}'>{inner}</div>"))
        .collect();
    world.site.put(
        "/omitted",
        format!(
            "<p>shown</p>{hidden}<details><summary>more</summary>{inner}</details>
             <div style='visibility:hidden'>{inner}<b style='visibility:visible'>back</b></div>
             <iframe srcdoc='framed' title=1></iframe><iframe srcdoc='framed' title=2></iframe>
             <iframe srcdoc='framed' hidden></iframe>"
        ),
    );
    open(&world, "/omitted").await?;
    let alone = TextArgs {
        frames: Some(false),
        ..TextArgs::default()
    };
    let read = world.client.call(&alone).await?;
    assert_eq!(read.text, "shown\nmore\nback");
    let omitted = Omitted {
        hidden: 9,
        frames: 2,
        ..Omitted::default()
    };
    assert_eq!(read.omitted, Some(omitted.clone()));

    for most in 1..=15_u32 {
        let args = TextArgs {
            max_chars: Some(most),
            ..alone.clone()
        };
        let cut = world.client.call(&args).await?;
        let left = 15 - most;
        assert_eq!(cut.text, read.text[..most as usize], "{most}");
        let omitted = Omitted {
            characters: left,
            ..omitted.clone()
        };
        assert_eq!(cut.omitted, Some(omitted), "{most}");
    }
    for most in [0, 200_001] {
        let args = TextArgs {
            max_chars: Some(most),
            ..TextArgs::default()
        };
        let error = world.client.call(&args).await.err().context("refused")?;
        assert_eq!(error.code, Code::InvalidArgument);
        ensure!(error.message.starts_with("maxChars:"), "{error}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_falls_between_what_people_see_as_characters() -> Result<()> {
    let world = World::shared().await?;
    let graphemes = ["a", "👨‍👩‍👧‍👦", "e\u{301}", "🇧🇪", "好", "ש", "👍🏽", "z"];
    let whole = graphemes.concat();
    world.site.put("/graphemes", format!("<p>{whole}</p>"));
    open(&world, "/graphemes").await?;
    let all = whole.chars().count();
    for most in 1..=all {
        let args = TextArgs {
            max_chars: Some(u32::try_from(most)?),
            ..TextArgs::default()
        };
        let read = world.client.call(&args).await?;
        let fits = (0..=graphemes.len())
            .map(|count| graphemes[..count].concat())
            .rfind(|text| text.chars().count() <= most)
            .context("nothing fits")?;
        assert_eq!(read.text, fits, "{most}");
        let gone = read.omitted.map_or(0, |omitted| omitted.characters);
        assert_eq!(gone as usize, all - fits.chars().count(), "{most}");
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_or_scope_that_is_not_one_element_is_an_error_with_the_count() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/states/ok").await?;
    for (target, code, says) in [
        ("li.gone", Code::NotFound, "li.gone"),
        ("li.row", Code::Ambiguous, "matches 3 elements"),
        ("li:frob", Code::InvalidArgument, "target:"),
        ("li[", Code::InvalidArgument, "target:"),
    ] {
        let error = text(&world, target).await.err().context(target)?;
        assert_eq!(error.code, code, "{target}: {error}");
        ensure!(error.message.contains(says), "{target}: {error}");
    }
    for (scope, code, says) in [
        ("li.gone", Code::SourceChanged, "matches 0 elements"),
        ("li.row", Code::SourceChanged, "matches 3 elements"),
        ("li:frob", Code::InvalidArgument, "scope:"),
        ("li[", Code::InvalidArgument, "scope:"),
    ] {
        for url in [None, Some(world.site.url("/states/ok"))] {
            let args = SelectorsArgs {
                scope: Some(scope.to_owned()),
                url,
                ..SelectorsArgs::default()
            };
            let error = world.client.call(&args).await.err().context(scope)?;
            assert_eq!(error.code, code, "{scope}: {error}");
            ensure!(error.message.contains(says), "{scope}: {error}");
        }
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn selectors_tell_an_author_what_a_recipe_needs() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/states/missing-optional").await?;
    let read = world.client.call(&SelectorsArgs::default()).await?;
    assert_eq!((read.title.as_str(), read.omitted), ("List", 0));
    assert_eq!(read.url, world.site.url("/states/missing-optional"));
    let told: Vec<_> = read.entries.iter().map(short).collect();
    assert_eq!(
        told,
        [
            ("h1", 1, "h1", Some("heading"), "List"),
            ("a.title", 3, "a", Some("link"), "Item 1"),
            ("span.price", 2, "span", None, "1.50 EUR"),
            ("a.title", 3, "a", Some("link"), "Item 2"),
            ("a.title", 3, "a", Some("link"), "Item 3"),
            ("span.price", 2, "span", None, "3.50 EUR"),
        ],
        "{read:?}"
    );
    assert_eq!(json!(read.entries[1].attributes), json!({"href": "/item/1"}));

    for limit in 1..=6_u32 {
        let args = SelectorsArgs {
            limit: Some(limit),
            ..SelectorsArgs::default()
        };
        let some = world.client.call(&args).await?;
        assert_eq!(some.entries, read.entries[..limit as usize]);
        assert_eq!(some.omitted, 6 - limit);
    }
    for limit in [0, 201] {
        let args = SelectorsArgs {
            limit: Some(limit),
            ..SelectorsArgs::default()
        };
        let error = world.client.call(&args).await.err().context("refused")?;
        assert_eq!(error.code, Code::InvalidArgument);
        ensure!(error.message.starts_with("limit:"), "{error}");
    }
    let scoped = SelectorsArgs {
        scope: Some("ul > li:nth-child(2)".to_owned()),
        ..SelectorsArgs::default()
    };
    let scoped = world.client.call(&scoped).await?;
    let told: Vec<_> = scoped.entries.iter().map(short).collect();
    assert_eq!(told, [("a.title", 1, "a", Some("link"), "Item 2")]);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_selector_matches_as_often_as_it_says_in_the_browser_itself() -> Result<()> {
    if project::shared()?.is_none() {
        return Ok(());
    }
    let world = World::shared().await?;
    for page in SavedPage::all()? {
        let url = world.site.url(&format!("/saved/recipes/{}.html", page.page));
        let scope = if page.page == "dishnz" { "html" } else { "body" };
        let args = SelectorsArgs {
            url: Some(url.clone()),
            scope: Some(scope.to_owned()),
            limit: Some(200),
            ..SelectorsArgs::default()
        };
        let read = world.client.call(&args).await?;
        // One of them shows nothing without its scripts.
        ensure!(!read.entries.is_empty() || page.page == "dishnz", "{url}");
        let tab = world.browser.open(&url).await?;
        let list = serde_json::to_string(&read.entries)?;
        let wrong: Vec<serde_json::Value> = tab
            .evaluate(&format!(
                "{list}.map(entry => [entry, document.querySelector('{scope}').querySelectorAll(entry.selector).length])
                   .filter(([entry, count]) => count !== entry.matches)"
            ))
            .await?;
        assert_eq!(wrong, Vec::<serde_json::Value>::new(), "{url}");
        tab.close().await?;
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_read_in_a_private_tab_with_the_profiles_login() -> Result<()> {
    let world = World::shared().await?;
    let read = async |path: &str| {
        let args = SelectorsArgs {
            url: Some(world.site.url(path)),
            ..SelectorsArgs::default()
        };
        world.client.call(&args).await
    };
    let stranger = read("/account").await?;
    assert_eq!(stranger.url, world.site.url("/login"));
    world.sign_in("ada").await?;
    let account = read("/account").await?;
    assert_eq!(account.url, world.site.url("/account"));
    assert_eq!(
        account.entries.iter().map(short).collect::<Vec<_>>(),
        [("h1", 1, "h1", Some("heading"), "Account of ada")]
    );
    // It is nobody's session, and it is gone.
    assert_eq!(
        world
            .client
            .call_raw("browser_session", json!({"action": "list"}))
            .await?,
        json!({"sessions": []})
    );
    world.looks_as_before().await?;

    let error = read("/states/redirect-other").await.err().context("blocked")?;
    assert_eq!(error.code, Code::NavigationBlocked, "{error}");
    let error = refused(
        &world,
        json!({"action": "selectors", "url": world.site.url("/account"), "tab": "x"}),
    )
    .await?;
    ensure!(error.message.starts_with("url:"), "{error}");
    let error = refused(&world, json!({"action": "selectors", "target": "profile-1"})).await?;
    ensure!(error.message.starts_with("target:"), "{error}");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_cannot_be_read_says_why_and_what_works() -> Result<()> {
    let world = World::shared().await?;
    let pdf = [(header::CONTENT_TYPE, HeaderValue::from_static("application/pdf"))];
    world.site.put_as("/paper.pdf", pdf, PDF);
    open(&world, "/states/ok?here").await?;
    let page = world.browser.page(|url| url.ends_with("?here")).await?;
    let tab = page.target().to_owned();
    page.detach().await?;
    let pages = [
        ("about:blank".to_owned(), "blank"),
        ("chrome://version/".to_owned(), "the browser's own"),
        (
            format!("chrome-extension://{EXTENSION_ID}/manifest.json"),
            "extension",
        ),
        ("data:text/html,<p>hello".to_owned(), "data"),
        ("file:///etc/hostname".to_owned(), "file"),
        (world.site.url("/paper.pdf"), "PDF"),
        ("http://127.0.0.1:1/".to_owned(), "error page"),
        (format!("view-source:{}", world.site.url("/states/ok")), "source"),
    ];
    for (url, says) in pages {
        shows(&world, &tab, &url).await?;
        for tool in [json!({"action": "text"}), json!({"action": "selectors"})] {
            let error = refused(&world, tool.clone()).await.with_context(|| url.clone())?;
            assert_eq!(error.code, Code::PageUnreadable, "{url} {tool}: {error}");
            ensure!(error.message.contains(says), "{url} {tool}: {error}");
            ensure!(error.hint.is_some(), "{url} {tool}: {error}");
        }
        let navigate = NavigateArgs {
            url: world.site.url("/states/ok"),
            session: None,
            tab: None,
            wait_until: None,
            request_id: None,
            timeout_ms: None,
        };
        world.client.call(&navigate).await.with_context(|| url.clone())?;
        ensure!(
            world
                .client
                .call(&TextArgs::default())
                .await?
                .text
                .contains("Item 3"),
            "{url}"
        );
    }

    // The same for what opens its own tab; nothing waits for the deadline.
    let mut recipe = world.site.recipe("/paper.pdf");
    recipe["ready"] = json!("main");
    let args = json!({"recipe": recipe, "timeoutMs": 10_000});
    let began = std::time::Instant::now();
    let error = world
        .client
        .call_raw("browser_extract", args)
        .await
        .err()
        .context("a recipe")?;
    assert_eq!(error.code, Code::PageUnreadable, "{error}");
    ensure!(error.message.contains("PDF"), "{error}");
    ensure!(
        began.elapsed() < std::time::Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
    for url in [world.site.url("/paper.pdf"), "http://127.0.0.1:1/".to_owned()] {
        let error = refused(&world, json!({"action": "selectors", "url": url})).await?;
        assert_eq!(error.code, Code::PageUnreadable, "{url}: {error}");
    }
    world.leaves_nothing().await
}

/// bug:L1, bug:L3: half a surrogate pair, wherever it stands, reads as U+FFFD and shifts nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn lone_surrogates_read_as_replacement_characters() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/surrogates",
        r#"<main><li class=row><a class=title href="/item/1"></a><span class=price></span></li><p id=end>end</p></main>
        <script>
          const [title, price] = document.querySelectorAll('.title, .price');
          title.textContent = 'x\uD83D';
          price.textContent = '\uDE00y';
          title.setAttribute('href', '/item/\uDE00\uD83D');
          title.setAttribute('title', '\uD83D');
          document.title = '\uDC00 title \uD83D';
        </script>"#,
    );
    let result = world.extract(world.site.recipe("/surrogates")).await?;
    assert_eq!(
        json!(result.rows),
        json!([{"title": "x\u{fffd}", "price": "\u{fffd}y", "link": "/item/\u{fffd}\u{fffd}"}])
    );
    open(&world, "/surrogates").await?;
    let read = world.client.call(&TextArgs::default()).await?;
    assert_eq!(read.text, "x\u{fffd}\u{fffd}y\nend");
    assert_eq!(read.title, "\u{fffd} title \u{fffd}");
    let entries = world.client.call(&SelectorsArgs::default()).await?.entries;
    let texts: Vec<_> = entries.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(texts, ["x\u{fffd}", "\u{fffd}y", "end"]);
    assert_eq!(
        json!(entries[0].attributes),
        json!({"href": "/item/\u{fffd}\u{fffd}", "title": "\u{fffd}"})
    );
    world.leaves_nothing().await
}

/// bug:T5: a page that never rests is read as it was at one moment.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_changes_all_the_time_is_read_at_one_moment() -> Result<()> {
    let world = World::shared().await?;
    // A channel is not slowed down in the background; each round is another list of the same length.
    world.site.put(
        "/restless",
        "<main><ul></ul></main><script>
         const list = document.querySelector('ul'), channel = new MessageChannel();
         let round = 0;
         channel.port1.onmessage = () => {
           round++;
           list.replaceChildren(...Array.from({length: 60}, (_, index) => {
             const row = document.createElement('li');
             row.className = 'row';
             row.innerHTML = `<a class=title href=/${round}>${round}</a> <span class=price>${round}-${index}</span>`;
             return row;
           }));
           channel.port2.postMessage(0);
         };
         channel.port2.postMessage(0);
         </script>",
    );
    let mut rounds = std::collections::BTreeSet::new();
    for _ in 0..10 {
        let result = world.extract(world.site.recipe("/restless")).await?;
        let round = result.rows[0]["title"].as_str().context("a round")?.to_owned();
        let rows: Vec<_> = (0..60)
            .map(|index| json!({"title": round, "link": format!("/{round}"), "price": format!("{round}-{index}")}))
            .collect();
        assert_eq!(json!(result.rows), json!(rows));
    }
    open(&world, "/restless").await?;
    for _ in 0..20 {
        let read = text(&world, "ul").await?;
        let round = read.text.split(' ').next().context("a round")?.to_owned();
        let lines: Vec<_> = (0..60).map(|index| format!("{round} {round}-{index}")).collect();
        assert_eq!(read.text, lines.join("\n"));
        rounds.insert(round);
        let read = world.client.call(&SelectorsArgs::default()).await?;
        let told: Vec<_> = read.entries.iter().map(|entry| entry.text.as_str()).collect();
        ensure!(told.len() == 100 && read.omitted == 20, "{read:?}");
        ensure!(told[99] == format!("{}-49", told[0]), "{told:?}");
    }
    ensure!(rounds.len() > 10, "the page did not change: {rounds:?}");
    world.leaves_nothing().await
}

/// bug:X4: the value of a secret field is no part of any read, however the field shows it.
#[tokio::test(flavor = "multi_thread")]
async fn the_value_of_a_secret_field_is_in_no_read() -> Result<()> {
    let world = World::shared().await?;
    let fields = [
        "<input type=password value=SECRET>",
        "<input type=text autocomplete=current-password value=SECRET>",
        "<input autocomplete=new-password value=SECRET>",
        "<input autocomplete=one-time-code value=SECRET>",
        "<input autocomplete='billing cc-number' value=SECRET>",
        "<input autocomplete=cc-csc value=SECRET>",
        "<input type=password id=toggled value=SECRET>",
        "<input type=hidden name=token value=SECRET>",
        "<input type=password id=typed>",
        "<textarea autocomplete=one-time-code>SECRET</textarea>",
        "<textarea id=filled></textarea>",
    ];
    let rows: String = fields
        .iter()
        .map(|field| format!("<li class=row><label>Field {field} here</label></li>"))
        .collect();
    world.site.put(
        "/secrets",
        format!(
            "<main><form><ul>{rows}</ul></form></main><script>
             document.querySelector('#toggled').type = 'text';
             document.querySelector('#typed').value = 'SECRET';
             document.querySelector('#filled').value = 'SECRET';
             </script>"
        ),
    );
    let field = |name: &str, selector: Option<&str>, read: &str| {
        let mut field = json!({"name": name, "read": read, "required": false});
        if let Some(selector) = selector {
            field["selector"] = json!(selector);
        }
        field
    };
    let mut recipe = world.site.recipe("/secrets");
    recipe["fields"] = json!([
        field("row", None, "text"),
        field("content", None, "textContent"),
        field("field", Some("input, textarea"), "text"),
        field("fieldContent", Some("input, textarea"), "textContent"),
        field("label", Some("label"), "textContent"),
    ]);
    let result = world.extract(recipe).await?;
    let row = json!({"row": "Field here", "content": "Field  here", "field": null, "fieldContent": null, "label": "Field  here"});
    let folded: Vec<_> = result
        .rows
        .iter()
        .map(|row| {
            let mut row = json!(row);
            row["row"] = json!(
                row["row"]
                    .as_str()
                    .unwrap_or_default()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            );
            row
        })
        .collect();
    assert_eq!(folded, vec![row; fields.len()]);

    open(&world, "/secrets").await?;
    let page = world.browser.page(|url| url.ends_with("/secrets")).await?;
    page.type_into("#typed", "SECRET").await?;
    page.detach().await?;
    let read = world.client.call(&TextArgs::default()).await?;
    assert_eq!(read.text, vec!["Field here"; fields.len()].join("\n"));
    let selectors = world.client.call(&SelectorsArgs::default()).await?;
    for told in [json!(result), json!(read), json!(selectors)] {
        ensure!(!told.to_string().contains("SECRET"), "{told}");
    }
    world.leaves_nothing().await
}

/// A strict page says afterwards whatever it could see of its readers: the same as without any.
#[tokio::test(flavor = "multi_thread")]
async fn a_strict_page_is_read_and_cannot_tell() -> Result<()> {
    let world = World::shared().await?;
    // Nobody reads it.
    let url = world.site.url("/strict");
    world.browser.open(&url).await?.close().await?;
    let alone = witnessed(&world, 1).await?;
    ensure!(alone.iter().any(|said| said.contains("evidence")), "{alone:?}");

    // All reads: in a session's tab, in private tabs, again and again.
    let before = world.site.events().len();
    open(&world, "/strict").await?;
    for _ in 0..3 {
        let read = world.client.call(&TextArgs::default()).await?;
        assert_eq!(
            read.text,
            "List\nItem 1 1.50 EUR\nItem 2 2.50 EUR\nItem 3 3.50 EUR"
        );
        let read = world.client.call(&SelectorsArgs::default()).await?;
        assert_eq!((read.entries.len(), read.omitted), (7, 0), "{read:?}");
    }
    let private = SelectorsArgs {
        url: Some(url.clone()),
        ..SelectorsArgs::default()
    };
    assert_eq!(world.client.call(&private).await?.entries.len(), 7);
    assert_eq!(world.extract(world.site.recipe("/strict")).await?.rows.len(), 3);
    world
        .client
        .call_raw("browser_session", json!({"action": "stop"}))
        .await?;
    let visits = world.site.events().split_off(before);
    let visits = visits.iter().filter(|event| event.path == "/strict").count();
    assert_eq!(visits, 3);
    assert_eq!(witnessed(&world, 4).await?, alone);
    ensure!(world.site.requests("/report").is_empty(), "the browser reported");

    // The strictest policy, where no script runs at all.
    assert_eq!(
        world.extract(world.site.recipe("/strict/none")).await?.rows.len(),
        3
    );
    ensure!(world.site.requests("/report").is_empty(), "the browser reported");

    // The page and the site do see it when somebody is not careful.
    let page = world.browser.open(&url).await?;
    page.evaluate::<()>(
        "void (window.left = 1, document.body.append(Object.assign(new Image(), {src: 'https://a.example/'})))",
    )
    .await?;
    world
        .site
        .until("a violation", |event| event.body.contains("\"violation\""))
        .await?;
    world
        .site
        .until("a mutation", |event| event.body.contains("\"mutation\""))
        .await?;
    world
        .site
        .until("a report", |event| event.path == "/report")
        .await?;
    page.close().await?;
    world
        .site
        .until("a global", |event| {
            event.body.contains("\"evidence\"") && event.body.contains("\"left\"")
        })
        .await?;
    world.leaves_nothing().await
}

/// What the strict page said, each thing once, after so many visits in all ended.
async fn witnessed(world: &World, visits: usize) -> Result<std::collections::BTreeSet<String>> {
    let said = |kind: &str| {
        let kind = format!("\"kind\":\"{kind}\"");
        let events = world.site.requests("/log").into_iter();
        events.filter(|event| event.body.contains(&kind)).count()
    };
    wait::until(
        "the page's last words",
        std::time::Duration::from_secs(10),
        async || Ok((said("evidence") == visits && said("loaded") == visits).then_some(())),
    )
    .await?;
    Ok(world
        .site
        .requests("/log")
        .into_iter()
        .map(|event| event.body)
        .collect())
}

async fn open(world: &World, path: &str) -> Result<Started, Error> {
    let args = StartArgs {
        url: Some(world.site.url(path)),
        ..StartArgs::default()
    };
    world.client.call(&args).await
}

async fn text(world: &World, target: &str) -> Result<TextRead, Error> {
    let args = TextArgs {
        target: Some(target.into()),
        ..TextArgs::default()
    };
    world.client.call(&args).await
}

async fn refused(world: &World, args: serde_json::Value) -> Result<Error> {
    let told = world.client.call_raw("browser_inspect", args).await;
    told.err().context("it was read")
}

/// Has the browser itself show an address in a tab, as a person could, and waits until it does.
async fn shows(world: &World, tab: &str, url: &str) -> Result<()> {
    let page = world.browser.attach(tab).await?;
    page.send("Page.navigate", json!({"url": url})).await?;
    wait::until(url, std::time::Duration::from_secs(10), async || {
        let targets = world.browser.targets().await?;
        let shown = targets.iter().find(|target| target.target_id == tab);
        // The address of an error page is the one that failed.
        Ok(shown.context("the tab")?.url.starts_with(url).then_some(()))
    })
    .await?;
    page.detach().await
}

fn short(entry: &SelectorEntry) -> (&str, u32, &str, Option<&str>, &str) {
    (
        &entry.selector,
        entry.matches,
        &entry.tag,
        entry.role.as_deref(),
        &entry.text,
    )
}

/// The least of a PDF that the browser shows in its viewer.
const PDF: &str = "%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
";
