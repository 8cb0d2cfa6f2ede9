//! Several questions to a person at once: one window, one question at a time, each with a guard of its own.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::tools::session::{StartArgs, TargetsArgs};
use drawbridge_tests::approval::Question;
use drawbridge_tests::client::Client;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(20);

async fn strict() -> Result<World> {
    World::fresh(Options {
        strict: true,
        ..Options::default()
    })
    .await
}

/// A client that asks to be let in.
async fn asks(world: &World, id: &str) -> Result<Client> {
    let client = world.sandbox.client(id).await?;
    ensure!(code(&client).await? == Some(Code::NeedsApproval));
    Ok(client)
}

async fn code(client: &Client) -> Result<Option<Code>> {
    Ok(client.call(&TargetsArgs {}).await.err().map(|error| error.code))
}

/// Waits until the page asks about a client.
async fn shows(question: &Question, client: &str) -> Result<()> {
    question
        .page
        .until(&format!(
            "document.getElementById('question').textContent.includes('“{client}”')"
        ))
        .await
}

async fn windows(world: &World) -> Result<usize> {
    let targets = world.browser.targets().await?;
    Ok(targets
        .iter()
        .filter(|target| target.kind == "page" && target.url.contains("/approve.html"))
        .count())
}

async fn until_waiting(question: &Question, count: usize) -> Result<()> {
    let words =
        format!("document.getElementById('note').textContent.includes('{count} more after this one')");
    question.page.until(&words).await
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_queue_in_one_window_and_each_has_a_guard_of_its_own() -> Result<()> {
    let world = strict().await?;
    let first = asks(&world, "first").await?;
    let question = Question::appears(&world.browser).await?;
    shows(&question, "first").await?;
    let second = asks(&world, "second").await?;
    let third = asks(&world, "third").await?;
    let fourth = asks(&world, "fourth").await?;
    until_waiting(&question, 3).await?;
    ensure!(windows(&world).await? == 1, "more than one window");

    // Two presses in a row, as a double click, answer one question; nothing that was picked goes into the next one.
    let page = &question.page;
    question.choose("everywhere").await?;
    question.until_armed().await?;
    // No time passes between the two, however slow the machine is.
    page.evaluate::<Value>(
        "globalThis.passes = performance.now; const at = performance.now(); performance.now = () => at; null",
    )
    .await?;
    page.click("#allow").await?;
    shows(&question, "second").await?;
    let focus: String = page.evaluate("document.activeElement.id").await?;
    page.click("#allow").await?;
    page.click("#deny").await?;
    page.evaluate::<Value>("performance.now = globalThis.passes; dispatchEvent(new Event('focus')), null")
        .await?;
    ensure!(focus == "deny", "the focus is on {focus}");
    let state: Value = page
        .evaluate("({picked: document.querySelector('input[name=choice]:checked').value})")
        .await?;
    ensure!(state["picked"] == "ask", "{state}");
    wait::until("the first to be let in", PATIENCE, async || {
        Ok(code(&first).await?.is_none().then_some(()))
    })
    .await?;
    ensure!(
        code(&second).await? == Some(Code::NeedsApproval),
        "a double click let two in"
    );
    shows(&question, "second").await?;

    // A press that began on one question is none on the next.
    question.until_armed().await?;
    let point: (f64, f64) = page
        .evaluate("(() => { const r = document.getElementById('allow').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        .await?;
    let mouse = |kind: &str| json!({"type": kind, "x": point.0, "y": point.1, "button": "left", "buttons": 1, "clickCount": 1});
    page.send("Input.dispatchMouseEvent", mouse("mousePressed"))
        .await?;
    // Meanwhile it is answered as another window would.
    page.evaluate::<Value>(
        "chrome.runtime.sendMessage({ask: 'approval'}).then(({approval}) =>
           chrome.runtime.sendMessage({ask: 'decide', id: approval.id, answer: {verdict: 'deny'}}))",
    )
    .await?;
    shows(&question, "third").await?;
    question.until_armed().await?;
    page.send("Input.dispatchMouseEvent", mouse("mouseReleased"))
        .await?;
    shows(&question, "third").await?;
    ensure!(code(&third).await? == Some(Code::NeedsApproval));

    // A late answer to a question that is over is none to the one after it.
    let late: Value = page
        .evaluate("chrome.runtime.sendMessage({ask: 'decide', id: 'a-0', answer: {verdict: 'allow'}})")
        .await?;
    ensure!(late["error"].is_string(), "{late}");

    // Closing is a no to the one that was shown; the next one gets a window of its own.
    question.close().await?;
    let question = Question::appears(&world.browser).await?;
    shows(&question, "fourth").await?;
    ensure!(code(&third).await? == Some(Code::NeedsApproval));
    question.allow().await?;
    wait::until("the fourth to be let in", PATIENCE, async || {
        Ok(code(&fourth).await?.is_none().then_some(()))
    })
    .await?;
    ensure!(code(&second).await? == Some(Code::NeedsApproval));
    ensure!(windows(&world).await? == 0);
    drop((first, second, third, fourth));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_starts_anew_shows_the_same_questions_in_the_same_window() -> Result<()> {
    let world = strict().await?;
    let first = asks(&world, "first").await?;
    let question = Question::appears(&world.browser).await?;
    shows(&question, "first").await?;
    let second = asks(&world, "second").await?;
    until_waiting(&question, 1).await?;
    world.sandbox.profile().stop_worker().await?;
    until_waiting(&question, 1).await?;
    shows(&question, "first").await?;
    // The link may not be back yet: a press that was not heard is said to be none.
    wait::until("the answer to be heard", PATIENCE, async || {
        let asked: String = question
            .page
            .evaluate("document.getElementById('question').textContent")
            .await?;
        if asked.contains("first") {
            // Stopping the worker took a tab in another window.
            question.page.send("Page.bringToFront", json!({})).await?;
            question.until_armed().await?;
            question.page.click("#allow").await?;
        }
        Ok(code(&first).await?.is_none().then_some(()))
    })
    .await?;
    shows(&question, "second").await?;
    ensure!(windows(&world).await? == 1);
    question.until_armed().await?;
    question.deny().await?;
    ensure!(code(&second).await? == Some(Code::NeedsApproval));
    ensure!(windows(&world).await? == 0);
    drop((first, second));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_calls_itself_is_a_quotation_after_the_site() -> Result<()> {
    let world = strict().await?;
    let id = world.id();
    let admitting = Admin::Admit {
        client: id.clone(),
        yes: true,
    };
    world.client.admin(admitting).await?;
    let (code, text) = world
        .sandbox
        .cli([
            "grants",
            "set",
            id.as_str(),
            "browser.interact",
            "allow",
            "--site",
            "127.0.0.1",
            "--yes",
            "--json",
        ])
        .await?;
    ensure!(code == 0, "{text}");
    let title = format!(
        "Trusted\u{202e} bank\u{2066}”</dd>\u{7} “Client “cli” {}",
        "x".repeat(500)
    );
    world.site.put(
        "/titled",
        format!(
            "<title></title><script>document.title = {}</script><p>text</p>",
            json!(title)
        ),
    );
    let started = world
        .client
        .call(&StartArgs {
            url: Some(world.site.url("/titled")),
            ..StartArgs::default()
        })
        .await?;
    let read = json!({"action": "text", "session": started.session});
    let error = world
        .client
        .call_raw("browser_inspect", read)
        .await
        .err()
        .context("read unasked")?;
    ensure!(error.code == Code::NeedsApproval);
    ensure!(
        !format!("{error:?}").contains("Trusted"),
        "the client was told: {error:?}"
    );
    let question = Question::appears(&world.browser).await?;
    let shown: Value = question
        .page
        .evaluate(
            "({where: document.getElementById('where').textContent,
               rows: [...document.querySelectorAll('#facts div')].map((row) => [row.children[0].textContent, row.children[1].textContent]),
               children: document.querySelectorAll('#facts dd *').length,
               direction: getComputedStyle(document.querySelector('#facts dd')).unicodeBidi})",
        )
        .await?;
    ensure!(shown["where"] == "127.0.0.1" && shown["children"] == 0, "{shown}");
    ensure!(shown["direction"] == "isolate", "{shown}");
    let rows = shown["rows"].as_array().context("no rows")?;
    ensure!(rows.len() == 3 && rows[0] == json!(["Client", id]), "{shown}");
    ensure!(rows[2][0] == "The page calls itself", "{shown}");
    let quoted = rows[2][1].as_str().context("no title")?;
    ensure!(
        quoted.starts_with("“Trusted bank”</dd> “Client") && quoted.ends_with("x”"),
        "{quoted}"
    );
    ensure!(quoted.chars().count() <= 82, "{quoted}");
    ensure!(
        !quoted.chars().any(|c| c.is_control()
            || ('\u{202a}'..='\u{202e}').contains(&c)
            || ('\u{2066}'..='\u{2069}').contains(&c)),
        "{quoted:?}"
    );
    question.deny().await?;
    world
        .client
        .call_raw("browser_stop", json!({"session": started.session}))
        .await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sensitive_site_is_put_on_the_list_by_anybody_and_taken_off_by_a_person() -> Result<()> {
    let world = strict().await?;
    let set = |value: &str| {
        world.client.admin(Admin::SetSetting {
            key: "approval.sensitive".to_owned(),
            value: value.to_owned(),
        })
    };
    let kept = async || {
        let key = "approval.sensitive".to_owned();
        anyhow::Ok(world.client.admin(Admin::GetSetting { key }).await?)
    };
    set("one.example,two.example").await?;
    ensure!(kept().await? == "one.example,two.example");
    for answer in ["deny", "allow"] {
        let asked = async { Ok(set("two.example, three.example").await) };
        let answered = async {
            let question = Question::appears(&world.browser).await?;
            let said = question.text().await?;
            ensure!(
                said.contains("one.example") && !said.contains("two.example"),
                "{said}"
            );
            ensure!(kept().await? == "one.example,two.example");
            if answer == "allow" {
                question.allow().await
            } else {
                question.deny().await
            }
        };
        let (result, ()) = futures_util::future::try_join(asked, answered).await?;
        match result {
            Ok(value) => ensure!(
                answer == "allow" && value == "three.example,two.example",
                "{value}"
            ),
            Err(error) => ensure!(answer == "deny" && error.code == Code::NotGranted, "{error}"),
        }
    }
    ensure!(kept().await? == "three.example,two.example");
    // An error of a command repeats no secret that it was given.
    let error = set("https://ada:hunter2hunter2@shop.example/?token=abcdefabcdef")
        .await
        .err()
        .context("taken")?;
    let told = format!("{error:?}");
    ensure!(
        !told.contains("hunter2") && !told.contains("abcdefabcdef"),
        "{told}"
    );
    world.leaves_nothing().await
}
