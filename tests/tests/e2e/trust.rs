//! Strangers get nothing, and only a person in front of the approval page lets them in.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::tools::session::TargetsArgs;
use drawbridge_protocol::version::EXTENSION_ID;
use drawbridge_protocol::{Code, Secret};
use drawbridge_tests::approval::Question;
use drawbridge_tests::client::{Client, write_frame};
use drawbridge_tests::project::Bridge;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::extension::{Played, link_hello, socket};

async fn strict() -> Result<World> {
    World::fresh(Options {
        strict: true,
        ..Options::default()
    })
    .await
}

async fn code(client: &Client) -> Result<Code> {
    match client.call(&TargetsArgs {}).await {
        Ok(_) => anyhow::bail!("let in"),
        Err(error) => Ok(error.code),
    }
}

async fn until_let_in(client: &Client) -> Result<()> {
    wait::until("the client to be let in", Duration::from_secs(5), async || {
        Ok(client.call(&TargetsArgs {}).await.ok().map(drop))
    })
    .await
}

/// The whole way of a released build: pairing by set-up, admission and one use by a person's clicks, work, revocation.
#[tokio::test(flavor = "multi_thread")]
async fn a_released_build_works_once_a_person_let_it() -> Result<()> {
    let world = World::fresh(Options {
        bridge: Bridge::Released,
        ..Options::default()
    })
    .await?;
    ensure!(code(&world.client).await? == Code::NeedsApproval);
    let question = Question::appears(&world.browser).await?;
    let said = question.text().await?;
    ensure!(said.contains(world.id().as_str()), "{said}");
    ensure!(
        code(&world.client).await? == Code::NeedsApproval,
        "nothing before the answer"
    );
    question.allow().await?;
    until_let_in(&world.client).await?;

    let recipe = world.site.recipe("/states/ok");
    let error = world
        .extract(recipe.clone())
        .await
        .err()
        .context("read unasked")?;
    ensure!(error.code == Code::NeedsApproval, "{error}");
    let question = Question::appears(&world.browser).await?;
    let said = question.text().await?;
    ensure!(
        said.contains("127.0.0.1") && said.contains(world.id().as_str()),
        "{said}"
    );
    question.allow().await?;
    let rows = wait::until("the recipe to be allowed", Duration::from_secs(5), async || {
        Ok(world.extract(recipe.clone()).await.ok())
    })
    .await?;
    ensure!(!rows.rows.is_empty());

    let id = world.id();
    let (exit, _) = world
        .sandbox
        .cli(["grants", "revoke", id.as_str(), "browser.read", "--json"])
        .await?;
    ensure!(exit == 0);
    let error = world
        .extract(recipe)
        .await
        .err()
        .context("read after the revocation")?;
    ensure!(error.code == Code::NotGranted, "{error}");
    let (exit, said) = world.sandbox.cli(["audit", "verify", "--json"]).await?;
    ensure!(exit == 0 && said.contains("\"intact\":true"), "{exit}: {said}");
    world.leaves_nothing().await
}

/// Whatever is no deliberate press of a person in front of the page allows nothing; closing it is a no.
#[tokio::test(flavor = "multi_thread")]
async fn only_a_deliberate_press_allows() -> Result<()> {
    let world = strict().await?;
    ensure!(code(&world.client).await? == Code::NeedsApproval);
    let question = Question::appears(&world.browser).await?;
    let page = &question.page;
    let focus: String = page.evaluate("document.activeElement.id").await?;
    ensure!(focus == "deny", "the focus is on {focus}");
    // Too early, since the window came to the front just now.
    page.evaluate::<Value>("dispatchEvent(new Event('blur')), null")
        .await?;
    page.click("#allow").await?;
    // What a script makes up.
    question.until_armed().await?;
    page.evaluate::<Value>("document.getElementById('allow').click(), null")
        .await?;
    page.evaluate::<Value>(
        "for (const kind of ['pointerdown', 'mousedown', 'mouseup', 'click'])
           document.getElementById('allow').dispatchEvent(new PointerEvent(kind, {bubbles: true})); null",
    )
    .await?;
    page.evaluate::<Value>("document.getElementById('allow').focus(), null")
        .await?;
    // A key that was down before.
    for _ in 0..5 {
        question.key_down("Enter", true).await?;
    }
    // The window changes while the button is down.
    let point: (f64, f64) = page
        .evaluate("(() => { const r = document.getElementById('allow').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        .await?;
    let mouse = |kind: &str| json!({"type": kind, "x": point.0, "y": point.1, "button": "left", "buttons": 1, "clickCount": 1});
    page.send("Input.dispatchMouseEvent", mouse("mousePressed"))
        .await?;
    page.evaluate::<Value>("dispatchEvent(new Event('blur')), dispatchEvent(new Event('focus')), null")
        .await?;
    question.until_armed().await?;
    page.send("Input.dispatchMouseEvent", mouse("mouseReleased"))
        .await?;
    ensure!(code(&world.client).await? == Code::NeedsApproval);
    // Another context of the extension, as one that was tricked into asking, has no say.
    let other = world.sandbox.profile().extension_page(&world.browser).await?;
    let id: String = page
        .evaluate("chrome.runtime.sendMessage({ask: 'approval'}).then((answer) => answer.approval.id)")
        .await?;
    let answer: Value = other
        .evaluate(&format!(
            "chrome.runtime.sendMessage({{ask: 'decide', id: '{id}', answer: {{verdict: 'allow'}}}})"
        ))
        .await?;
    ensure!(answer["error"].is_string(), "{answer}");
    other.close().await?;
    ensure!(code(&world.client).await? == Code::NeedsApproval);
    question.page.close().await?;
    // Closed is denied, and its calls do not ask again.
    let admitting = Admin::Admit {
        client: world.id(),
        yes: false,
    };
    ensure!(code(&world.client).await? == Code::NeedsApproval);
    let targets = world.browser.targets().await?;
    ensure!(!targets.iter().any(|target| target.url.contains("approve.html")));
    // A command of the person does.
    loop {
        tokio::select! {
            // It may still have joined the question that was closed just now.
            joined = world.client.admin(admitting.clone()) => {
                ensure!(joined.err().context("let in")?.code == Code::NotGranted);
            }
            question = Question::appears(&world.browser) => break question?.deny().await?,
        }
    }
    ensure!(code(&world.client).await? == Code::NeedsApproval);
    world.leaves_nothing().await
}

/// No tool reaches the approval page, and no page can hold it in a frame.
#[tokio::test(flavor = "multi_thread")]
async fn an_admitted_client_cannot_reach_the_question() -> Result<()> {
    let world = strict().await?;
    let admit = |client| Admin::Admit { client, yes: true };
    world.client.admin(admit(world.id())).await?;
    let other = world.sandbox.client("other").await?;
    ensure!(code(&other).await? == Code::NeedsApproval);
    let question = Question::appears(&world.browser).await?;
    let address: String = question.page.evaluate("location.href").await?;
    for (tool, args) in [
        ("browser_session", json!({"action": "start", "url": address})),
        ("browser_inspect", json!({"action": "selectors", "url": address})),
        ("browser_inspect", json!({"action": "text", "url": address})),
    ] {
        ensure!(
            world.client.call_raw(tool, args.clone()).await.is_err(),
            "{tool} {args}"
        );
    }
    let tabs = world
        .client
        .call_raw("browser_tabs", json!({"action": "list"}))
        .await;
    ensure!(!format!("{tabs:?}").contains("approve.html"), "{tabs:?}");
    let page = world.browser.open(&world.site.url("/states/ok")).await?;
    let framed: String = page
        .evaluate(&format!(
            "new Promise((resolve) => {{ const frame = document.createElement('iframe'); frame.src = '{address}';
               frame.onload = () => {{ let seen; try {{ seen = frame.contentDocument ? 'blank' : 'other'; }} catch {{ seen = 'other'; }}
                 resolve(seen); }}; frame.onerror = () => resolve('error'); document.body.append(frame); }})"
        ))
        .await?;
    let targets = world.browser.targets().await?;
    let inside = targets
        .iter()
        .filter(|target| target.kind == "iframe" && target.url.contains(EXTENSION_ID))
        .count();
    ensure!(inside == 0, "{framed}: {targets:?}");
    page.close().await?;
    ensure!(code(&other).await? == Code::NeedsApproval);
    question.deny().await?;
    world.leaves_nothing().await
}

/// The name of an admitted client is worth nothing without its secret.
#[tokio::test(flavor = "multi_thread")]
async fn another_secret_is_another_client() -> Result<()> {
    let world = strict().await?;
    let admitting = Admin::Admit {
        client: world.id(),
        yes: true,
    };
    world.client.admin(admitting).await?;
    until_let_in(&world.client).await?;
    let id = world.id();
    for secret in [Some(Secret::new("0".repeat(64))), None] {
        let impostor = Client::connect_with(world.sandbox.home(), id.as_str(), secret).await?;
        ensure!(code(&impostor).await? == Code::NeedsApproval);
    }
    Question::appears(&world.browser).await?.deny().await?;
    until_let_in(&world.client).await?;
    world.leaves_nothing().await
}

/// Whoever starts a native host by hand, and speaks as the extension does, gets no call of a released build.
#[tokio::test(flavor = "multi_thread")]
async fn a_played_extension_is_not_paired() -> Result<()> {
    let world = World::fresh(Options {
        bridge: Bridge::Released,
        ..Options::default()
    })
    .await?;
    let mut stream = socket(&world.sandbox).await?;
    write_frame(&mut stream, &serde_json::to_vec(&link_hello())?).await?;
    let (source, sink) = stream.into_split();
    let mut played = Played::over(source, sink);
    let welcome = wait::within("a welcome", Duration::from_secs(5), played.greet()).await?;
    ensure!(
        welcome.unpaired && welcome.live_sessions.is_empty(),
        "{welcome:?}"
    );
    ensure!(code(&world.client).await? == Code::NeedsApproval);
    // The question goes to the browser of the person.
    Question::appears(&world.browser).await?.allow().await?;
    until_let_in(&world.client).await?;
    let reply = world
        .client
        .call_raw("browser_session", json!({"action": "status", "target": "played"}))
        .await;
    ensure!(format!("{reply:?}").contains("unpaired"), "{reply:?}");
    let silent = tokio::time::timeout(Duration::from_secs(1), async {
        loop {
            match played.next().await? {
                Some(drawbridge_protocol::link::ToExtension::Ping { .. }) => {}
                other => return anyhow::Ok(other),
            }
        }
    })
    .await;
    ensure!(silent.is_err(), "{silent:?}");
    world.leaves_nothing().await
}
