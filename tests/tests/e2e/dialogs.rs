//! A dialog never hangs a call: it is told at once, answered when that is asked, and nobody claims to have answered one
//! that was not open.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use drawbridge_protocol::{Code, Effect, Error};
use serde_json::{Value, json};

use super::waits::Waiting;

/// Within which a dialog is told, on a machine that does other things, too.
const TOLD: Duration = Duration::from_secs(4);

impl Waiting {
    async fn navigate(&self, path: &str) -> Result<Value, Error> {
        self.page("navigate", json!({"url": self.world.site.url(path)}))
            .await
    }

    async fn dialog(&self, arguments: Value) -> Result<Value, Error> {
        self.page("dialog", arguments).await
    }

    /// Reads and expects to be told of a dialog instead.
    async fn is_blocked(&self) -> Result<Value> {
        let began = Instant::now();
        let read = self
            .world
            .client
            .call_raw("browser_inspect", json!({"action": "text", "timeoutMs": 20_000}))
            .await;
        let error = read.err().context("a page with a dialog was read")?;
        assert_eq!(error.code, Code::DialogOpen, "{error}");
        assert!(began.elapsed() < TOLD, "{:?}", began.elapsed());
        error
            .data
            .map(|data| data["dialog"].clone())
            .context("it is not said which")
    }

    /// Waits for a dialog by a wait that it blocks.
    async fn until_blocked(&self) -> Result<Value> {
        let error = self
            .page("wait", json!({"text": "never", "timeoutMs": 15_000}))
            .await
            .err()
            .context("the wait ended otherwise")?;
        assert_eq!(error.code, Code::DialogOpen, "{error}");
        error
            .data
            .map(|data| data["dialog"].clone())
            .context("it is not said which")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_while_a_page_loads_is_told_at_once_and_answered() -> Result<()> {
    let on = Waiting::on("<p>Calm</p>").await?;
    on.put(
        "/alerts",
        "<script>alert('One'); alert('Two')</script><p>Behind</p>",
    );
    let began = Instant::now();
    let loaded = on.navigate("/alerts").await?;
    assert!(began.elapsed() < TOLD, "{:?}", began.elapsed());
    assert_eq!(loaded["dialog"]["kind"], "alert", "{loaded}");
    assert_eq!(loaded["dialog"]["message"], "One", "{loaded}");
    assert_eq!(loaded["dialog"]["answerable"], true, "{loaded}");
    let open = on.is_blocked().await?;
    assert_eq!(open["message"], "One");
    // Another navigation waits for nothing either, and does nothing.
    let refused = on
        .navigate("/page")
        .await
        .err()
        .context("navigated over a dialog")?;
    assert_eq!(
        (refused.code, refused.effect),
        (Code::DialogOpen, Some(Effect::None))
    );
    // Two in a row: the id of the first is not that of the second.
    let first = loaded["dialog"]["id"].clone();
    let answered = on.dialog(json!({"do": "accept", "dialogId": first})).await?;
    assert_eq!(answered["answered"]["message"], "One", "{answered}");
    assert_eq!(answered["effect"], "committed", "{answered}");
    assert_eq!(answered["open"]["message"], "Two", "{answered}");
    let wrong = on
        .dialog(json!({"do": "accept", "dialogId": first}))
        .await
        .err()
        .context("a dialog that was over")?;
    assert_eq!(
        (wrong.code, wrong.effect),
        (Code::NotFound, Some(Effect::None)),
        "{wrong}"
    );
    let answered = on.dialog(json!({"do": "dismiss"})).await?;
    assert_eq!(answered["answered"]["message"], "Two", "{answered}");
    assert!(answered.get("open").is_none(), "{answered}");
    let none = on
        .dialog(json!({"do": "accept"}))
        .await
        .err()
        .context("none was open")?;
    assert_eq!(
        (none.code, none.effect),
        (Code::NotFound, Some(Effect::None)),
        "{none}"
    );
    let status = on.dialog(json!({"do": "status"})).await?;
    assert!(
        status.get("open").is_none() && status["effect"] == "none",
        "{status}"
    );
    assert!(on.text().await?.contains("Behind"));
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_answered_is_what_the_page_gets() -> Result<()> {
    let on = Waiting::on("<p>Calm</p>").await?;
    let asking = |call: &str| {
        format!("<p id=p>Asking</p><iframe srcdoc=\"<script>parent.inner = (text) => confirm(text)</script>\"></iframe>
                 <script>setTimeout(() => {{ p.textContent = 'Got ' + {call}; }}, 700)</script>")
    };
    let cases = [
        (
            "prompt('Name?', 'Ada')",
            json!({"do": "accept"}),
            "Got Ada",
            "prompt",
        ),
        (
            "prompt('Name?', 'Ada')",
            json!({"do": "accept", "text": "Bo"}),
            "Got Bo",
            "prompt",
        ),
        (
            "prompt('Name?', 'Ada')",
            json!({"do": "dismiss"}),
            "Got null",
            "prompt",
        ),
        ("confirm('Sure?')", json!({"do": "accept"}), "Got true", "confirm"),
        (
            "confirm('Sure?')",
            json!({"do": "dismiss"}),
            "Got false",
            "confirm",
        ),
        (
            "inner('From a frame?')",
            json!({"do": "accept"}),
            "Got true",
            "confirm",
        ),
    ];
    for (call, answer, got, kind) in cases {
        on.put("/asks", &asking(call));
        let loaded = on.navigate("/asks").await?;
        assert!(loaded.get("dialog").is_none(), "{call}: {loaded}");
        let open = on.until_blocked().await?;
        assert_eq!(open["kind"], kind, "{call}: {open}");
        if kind == "prompt" {
            assert_eq!(open["defaultText"], "Ada", "{open}");
        }
        on.dialog(answer).await?;
        assert!(on.text().await?.contains(got), "{call}: {}", on.text().await?);
    }
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_in_one_tab_holds_up_no_other() -> Result<()> {
    let on = Waiting::on("<p>Calm</p>").await?;
    on.put("/confirms", "<script>confirm('Sure?')</script>");
    let blocked = on.navigate("/confirms").await?;
    assert_eq!(blocked["dialog"]["kind"], "confirm", "{blocked}");
    let new = json!({"action": "new", "url": on.world.site.url("/page")});
    on.world.client.call_raw("browser_tabs", new).await?;
    assert!(on.text().await?.contains("Calm"));
    let answer = json!({"do": "dismiss", "tab": blocked["tab"]});
    assert_eq!(on.dialog(answer).await?["answered"]["kind"], "confirm");
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_that_was_open_before_is_for_a_person() -> Result<()> {
    let on = Waiting::on("<p>Calm</p>").await?;
    on.put(
        "/later",
        "<p>Later</p><script>setTimeout(() => confirm('Before?'), 1200)</script>",
    );
    // In front, since a page in the background opens none that blocks; and nothing is done in it.
    let new = json!({"action": "new", "active": true, "url": on.world.site.url("/later")});
    on.world.client.call_raw("browser_tabs", new).await?;
    assert!(on.text().await?.contains("Later"));
    let blocked = on.until_blocked().await?;
    assert_eq!(
        (&blocked["kind"], &blocked["answerable"]),
        (&json!("unknown"), &json!(false)),
        "{blocked}"
    );
    let open = on.is_blocked().await?;
    assert_eq!(open["answerable"], false, "{open}");
    let status = on.dialog(json!({"do": "status"})).await?;
    assert_eq!(status["open"]["answerable"], false, "{status}");
    for refused in [
        on.dialog(json!({"do": "accept"})).await,
        on.navigate("/page").await,
    ] {
        let refused = refused.err().context("nobody can answer it")?;
        assert_eq!(
            (refused.code, refused.effect),
            (Code::DialogOpen, Some(Effect::None)),
            "{refused}"
        );
    }
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_page_is_not_taken_for_one_with_a_dialog() -> Result<()> {
    let on = Waiting::on("<p>Calm</p>").await?;
    on.put(
        "/busy-once",
        "<p>Busy</p><script>setTimeout(() => { const end = performance.now() + 3000; while (performance.now() < end); document.body.append('Rested'); }, 1200)</script>",
    );
    let new = json!({"action": "new", "active": true, "url": on.world.site.url("/busy-once")});
    on.world.client.call_raw("browser_tabs", new).await?;
    let done = on.wait(json!({"text": "Rested"})).await?;
    assert_eq!(done["terminalState"], "success", "{done}");
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_after_a_person_was_first_is_honest() -> Result<()> {
    let on = Waiting::on("<p>Calm</p>").await?;
    on.put("/confirms", "<p id=p>Asking</p><script>setTimeout(() => { p.textContent = 'Got ' + confirm('Sure?'); }, 300)</script>");
    let url = on.world.site.url("/page");
    let hand = on.world.browser.page(|shown| shown == url).await?;
    hand.send("Page.enable", json!({})).await?;
    on.navigate("/confirms").await?;
    let open = on.until_blocked().await?;
    assert_eq!(open["kind"], "confirm", "{open}");
    hand.send("Page.handleJavaScriptDialog", json!({"accept": false}))
        .await?;
    let late = on
        .dialog(json!({"do": "accept"}))
        .await
        .err()
        .context("none was open")?;
    assert_eq!(
        (late.code, late.effect),
        (Code::NotFound, Some(Effect::None)),
        "{late}"
    );
    assert!(on.text().await?.contains("Got false"));
    drop(hand);
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_asks_before_it_is_left_is_left_only_on_request() -> Result<()> {
    let on = Waiting::on("<p>First</p>").await?;
    on.put(
        "/dirty",
        "<input id=field><script>addEventListener('beforeunload', (event) => event.preventDefault())</script>",
    );
    for way in ["navigate", "reload", "back"] {
        on.navigate("/page").await?;
        on.navigate("/dirty").await?;
        let dirty = on.world.site.url("/dirty");
        let hand = on.world.browser.page(|shown| shown == dirty).await?;
        hand.type_into("#field", "x").await?;
        hand.detach().await?;
        let began = Instant::now();
        let asks = async || -> Result<()> {
            let went = match way {
                "navigate" => on.navigate("/page").await,
                way => on.page(way, json!({})).await,
            };
            let error = went.err().with_context(|| format!("{way} left the page"))?;
            assert_eq!(
                (error.code, error.effect),
                (Code::DialogOpen, Some(Effect::Unknown)),
                "{way}: {error}"
            );
            let data = error.data.unwrap_or_default();
            assert_eq!(data["dialog"]["kind"], "beforeunload", "{way}: {data}");
            Ok(())
        };
        asks().await?;
        assert!(began.elapsed() < TOLD, "{way}: {:?}", began.elapsed());
        let stays = on.dialog(json!({"do": "dismiss"})).await?;
        assert_eq!(stays["answered"]["kind"], "beforeunload", "{way}: {stays}");
        asks().await?;
        let leaves = on.dialog(json!({"do": "accept"})).await?;
        assert_eq!(leaves["answered"]["kind"], "beforeunload", "{way}: {leaves}");
        if way != "reload" {
            let done = on.wait(json!({"url": on.world.site.url("/page")})).await?;
            assert_eq!(done["terminalState"], "success", "{way}: {done}");
        }
    }
    on.world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn printing_hangs_nothing() -> Result<()> {
    let on = Waiting::on("<p>Calm</p>").await?;
    on.put(
        "/prints",
        "<p id=p>Paper</p><script>print(); p.textContent = 'Printed'</script>",
    );
    on.navigate("/prints").await?;
    let done = on.wait(json!({"text": "Printed"})).await?;
    assert_eq!(done["terminalState"], "success", "{done}");
    on.world.leaves_nothing().await
}
