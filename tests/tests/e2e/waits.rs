//! A wait ends when what it waits for can be seen, at once on a failure, and says how near it came.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use drawbridge_protocol::Error;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

/// A wait that ends early ends long before this.
const EARLY: Duration = Duration::from_secs(10);

/// A session whose tab shows a page of this test.
pub(crate) struct Waiting {
    pub(crate) world: World,
}

impl Waiting {
    /// Opens a page with this body.
    pub(crate) async fn on(body: &str) -> Result<Self> {
        let world = World::shared().await?;
        let waiting = Self { world };
        waiting.put("/page", body);
        waiting.start("/page").await?;
        Ok(waiting)
    }

    pub(crate) fn put(&self, path: &str, body: &str) {
        let page = format!("<!doctype html><title>Page</title><body>{body}</body>");
        self.world.site.put(path, page);
    }

    pub(crate) async fn start(&self, path: &str) -> Result<Value> {
        let start = json!({"action": "start", "url": self.world.site.url(path)});
        Ok(self.world.client.call_raw("browser_session", start).await?)
    }

    pub(crate) async fn page(&self, action: &str, mut arguments: Value) -> Result<Value, Error> {
        arguments["action"] = action.into();
        self.world.client.call_raw("browser_page", arguments).await
    }

    pub(crate) async fn wait(&self, mut arguments: Value) -> Result<Value> {
        if arguments.get("timeoutMs").is_none() {
            arguments["timeoutMs"] = 20_000.into();
        }
        Ok(self.page("wait", arguments).await?)
    }

    /// Waits and expects that to succeed. Answers what matched.
    async fn comes(&self, arguments: Value) -> Result<String> {
        let done = self.wait(arguments).await?;
        assert_eq!(done["terminalState"], "success", "{done}");
        assert_eq!(done["matched"], true, "{done}");
        Ok(done["matchedText"].as_str().unwrap_or_default().to_owned())
    }

    /// Waits and expects that to be in vain. Answers what came nearest.
    async fn does_not_come(&self, mut arguments: Value) -> Result<String> {
        arguments["timeoutMs"] = 1_500.into();
        let done = self.wait(arguments).await?;
        assert_eq!(done["terminalState"], "timeout", "{done}");
        assert_eq!(done["matched"], false, "{done}");
        Ok(done["nearest"].as_str().unwrap_or_default().to_owned())
    }

    pub(crate) async fn text(&self) -> Result<String> {
        let read = self
            .world
            .client
            .call_raw("browser_inspect", json!({"action": "text"}))
            .await?;
        Ok(read["text"].as_str().context("no text")?.to_owned())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_sees_content_that_a_script_brings_after_the_load() -> Result<()> {
    let on = Waiting::on(
        "<div id=root></div><script>setTimeout(() => { root.innerHTML = '<h1>Your <b>orders</b></h1>'; }, 1500)</script>",
    )
    .await?;
    assert_eq!(on.comes(json!({"text": "your orders"})).await?, "your orders");
    assert!(on.text().await?.contains("Your orders"));
    // It is there already.
    on.comes(json!({"textAny": ["nothing", "Your orders"]})).await?;
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_sees_what_comes_into_shadow_trees_and_frames() -> Result<()> {
    let world = World::shared().await?;
    let on = Waiting { world };
    on.put(
        "/inner",
        "<p id=p>Inner</p><script>setTimeout(() => { p.textContent = 'Inside a frame'; }, 400)</script>",
    );
    let there = format!("{}/inner", on.world.site.other);
    on.put(
        "/page",
        &format!(
            "<x-box id=open></x-box><x-box id=closed></x-box><div id=late></div><script>
             const put = (host, mode, text) => {{ const root = host.attachShadow({{mode}}); root.innerHTML = '<p>Empty</p>';
               setTimeout(() => {{ root.firstChild.textContent = text; }}, 600); }};
             put(document.getElementById('open'), 'open', 'Open tree'); put(document.getElementById('closed'), 'closed', 'Closed tree');
             setTimeout(() => {{ late.innerHTML = '<iframe src=\"{there}\"></iframe>'; }}, 900);
             </script>"
        ),
    );
    on.start("/page").await?;
    for text in ["Open tree", "Closed tree", "Inside a frame"] {
        on.comes(json!({"text": text})).await?;
    }
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_is_not_satisfied_by_what_nobody_sees() -> Result<()> {
    let on = Waiting::on(
        "<template><p>Saved</p></template><p hidden>Saved</p><p style=\"opacity: 0\">Saved</p><p>Saving your order</p>
         <button hidden>Go</button><button>Twice</button><button>Twice</button><button disabled>Off</button>",
    )
    .await?;
    let nearest = on.does_not_come(json!({"text": "saved"})).await?;
    assert!(nearest.contains("cannot be seen"), "{nearest}");
    let nearest = on.does_not_come(json!({"text": "order confirmed"})).await?;
    assert!(nearest.contains("Saving your order"), "{nearest}");
    for (target, state, part) in [
        ("Go", "visible", "cannot be seen"),
        ("Twice", "visible", "2 matches"),
        ("Twice", "enabled", "2 matches"),
        ("Off", "enabled", "disabled"),
        ("None", "attached", "nothing matches"),
    ] {
        // A name is no way to something that nobody sees.
        let target = match target {
            "Go" => json!({"selector": "button[hidden]"}),
            name => json!({"role": "button", "name": name}),
        };
        let nearest = on
            .does_not_come(json!({"target": target, "state": state}))
            .await?;
        assert!(nearest.contains(part), "{target} {state}: {nearest}");
    }
    on.comes(json!({"selector": "button[hidden]", "state": "attached"}))
        .await?;
    on.comes(json!({"selector": "button[hidden]", "state": "hidden"}))
        .await?;
    on.comes(json!({"selector": "button.none", "state": "detached"}))
        .await?;
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_for_the_end_of_a_skeleton_sees_the_route_behind_it() -> Result<()> {
    let on = Waiting::on(
        "<main id=view><h1>Old page</h1></main><script>setTimeout(() => { history.pushState({}, '', '/page?view=new');
         view.innerHTML = '<p aria-busy=true>Loading</p>'; setTimeout(() => { view.innerHTML = '<h1>New page</h1>'; }, 700); }, 600)</script>",
    )
    .await?;
    on.comes(json!({"urlIncludes": "view=new"})).await?;
    on.comes(json!({"textGone": "Loading"})).await?;
    assert!(on.text().await?.contains("New page"));
    let nearest = on.does_not_come(json!({"textGone": "New page"})).await?;
    assert!(nearest.contains("New page"), "{nearest}");
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_text_ends_a_wait_early_and_comes_first() -> Result<()> {
    let on = Waiting::on(
        "<p id=p>Paying</p><script>setTimeout(() => { p.textContent = 'Your card was declined. Thanks for trying.'; }, 500)</script>",
    )
    .await?;
    let failures = json!(["expired", "was DECLINED"]);
    for wait in [
        json!({"text": "Thanks"}),
        json!({"text": "Receipt"}),
        json!({"urlIncludes": "/receipt"}),
        json!({"idle": 20_000}),
        json!({"response": {"pattern": "/receipt"}}),
    ] {
        let mut wait = wait;
        wait["failureTextAny"] = failures.clone();
        let began = Instant::now();
        let done = on.wait(wait.clone()).await?;
        assert_eq!(done["terminalState"], "failure", "{wait}: {done}");
        assert_eq!(done["matchedText"], "was DECLINED", "{wait}: {done}");
        assert!(began.elapsed() < EARLY, "{wait}");
    }
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_goes_on_in_the_document_that_comes() -> Result<()> {
    let world = World::shared().await?;
    let on = Waiting { world };
    on.put(
        "/next",
        "<p id=p>Next</p><script>setTimeout(() => { p.textContent = 'Arrived'; }, 500)</script>",
    );
    on.put(
        "/page",
        "<p>First</p><script>setTimeout(() => location.assign('/next'), 600)</script>",
    );
    on.start("/page").await?;
    on.comes(json!({"text": "Arrived"})).await?;
    on.page("navigate", json!({"url": on.world.site.url("/page")}))
        .await?;
    on.comes(json!({"urlIncludes": "/next"})).await?;
    on.comes(json!({"url": on.world.site.url("/next")})).await?;
    let nearest = on.does_not_come(json!({"urlIncludes": "/nowhere"})).await?;
    assert!(nearest.contains("/next"), "{nearest}");
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_response_is_told_without_its_query() -> Result<()> {
    let on = Waiting::on(
        "<script>setInterval(() => { fetch('/missing?token=s3cret'); fetch('/page?token=s3cret'); }, 300)</script>",
    )
    .await?;
    let told = on
        .comes(json!({"response": {"pattern": "/missing*token"}}))
        .await?;
    assert_eq!(told, format!("404 {}", on.world.site.url("/missing")));
    on.comes(json!({"response": {"pattern": "/page", "status": 200}}))
        .await?;
    let nearest = on
        .does_not_come(json!({"response": {"pattern": "/page", "status": 500}}))
        .await?;
    assert!(
        nearest.contains("200") && !nearest.contains("s3cret"),
        "{nearest}"
    );
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_with_an_open_stream_gets_idle_all_the_same() -> Result<()> {
    let on = Waiting::on(
        "<p id=p>Loading</p><script>new EventSource('/slow/headers?ms=25000'); fetch('/slow/headers?ms=25000');
         setTimeout(() => { p.textContent = 'Content'; }, 1000)</script>",
    )
    .await?;
    on.comes(json!({"text": "Content"})).await?;
    on.comes(json!({"idle": 700})).await?;
    on.comes(json!({"load": true})).await?;
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_goes_on_changing_does_not_get_idle_and_a_text_in_it_is_seen() -> Result<()> {
    let on = Waiting::on("<p>Calm</p>").await?;
    on.put(
        "/counts",
        "<output id=n>0</output><p id=p></p><script>setInterval(() => { n.textContent = Number(n.textContent) + 1;
         if (n.textContent === '40') p.textContent = 'Forty'; }, 50)</script>",
    );
    // In front: a page in the background counts once a second.
    let new = json!({"action": "new", "active": true, "url": on.world.site.url("/counts")});
    on.world.client.call_raw("browser_tabs", new).await?;
    on.comes(json!({"text": "Forty"})).await?;
    let nearest = on.does_not_come(json!({"idle": 500})).await?;
    assert!(nearest.contains("changing"), "{nearest}");
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn five_bursts_are_waited_for_by_what_the_last_one_brings() -> Result<()> {
    let on = Waiting::on(
        "<table><tbody id=rows></tbody></table><script>
         const load = async (n) => { await fetch(`/page?part=${n}`); if (n === 5) rows.innerHTML = '<tr><td>All five parts</td></tr>'; else setTimeout(load, 800, n + 1); };
         setTimeout(load, 100, 1)</script>",
    )
    .await?;
    on.comes(json!({"text": "All five parts"})).await?;
    assert_eq!(
        on.world
            .site
            .events()
            .iter()
            .filter(|event| event.path == "/page")
            .count(),
        6
    );
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_for_rest_does_not_take_the_page_that_is_being_left_for_the_one_that_comes() -> Result<()> {
    let on = Waiting::on("<p>First</p>").await?;
    let first = on.world.site.url("/page");
    let slow = on.world.site.url("/slow/headers?ms=2500");
    for wait in [
        json!({"load": true}),
        json!({"idle": 300}),
        json!({"load": true, "failureTextAny": ["Refused"]}),
    ] {
        on.page("navigate", json!({"url": first})).await?;
        let hand = on.world.browser.page(|shown| shown == first).await?;
        let asked = || on.world.site.requests("/slow/headers").len();
        let before = asked();
        hand.evaluate::<Value>(&format!("void location.assign({})", json!(slow)))
            .await?;
        drawbridge_tests::wait::until(
            "the request",
            EARLY,
            async || Ok((asked() > before).then_some(())),
        )
        .await?;
        let done = on.wait(wait.clone()).await?;
        assert_eq!(
            (&done["terminalState"], &done["url"]),
            (&json!("success"), &json!(slow)),
            "{wait}: {done}"
        );
        hand.detach().await?;
    }
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_for_downloads_says_that_there_is_none() -> Result<()> {
    let on = Waiting::on("<p>Page</p>").await?;
    let error = on
        .page("wait", json!({"download": true, "timeoutMs": 2_000}))
        .await
        .err()
        .context("nothing can be told of downloads")?;
    assert_eq!(error.code, drawbridge_protocol::Code::Unsupported, "{error}");
    on.world.leaves_nothing().await
}
