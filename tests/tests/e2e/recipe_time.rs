//! A recipe ends in time, whatever ends it, and its tab is gone.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::recipe::{RecipeResult, State, Visibility};
use drawbridge_protocol::tools::extract::ExtractArgs;
use drawbridge_protocol::{Code, Error};
use drawbridge_tests::client::Running;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

/// Well below what is left of any deadline here: a stop that is only noticed at the deadline is none.
const AT_ONCE: Duration = Duration::from_secs(5);

/// How long a caller may hear after a deadline, at most: the bridge's own grace, cleaning up, and a slow machine.
const LATE: Duration = Duration::from_secs(12);

/// A page that comes so long after now, however long the tab takes until it asks for it.
fn late(what: &str, ms: u128) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("/slow/{what}?ms=60000&at={}", now.as_millis() + ms)
}

/// The whole command has 20 seconds. All of these run side by side, in one browser.
#[tokio::test(flavor = "multi_thread")]
async fn nineteen_seconds_are_enough_and_twenty_one_are_not() -> Result<()> {
    let world = World::shared().await?;
    let timed = async |path: String| {
        let began = Instant::now();
        let result = world.extract(world.site.recipe(&path)).await;
        (result, began.elapsed())
    };
    let (headers, body, late_headers, late_body, rows, never) = tokio::join!(
        timed(late("headers", 19_000)),
        timed(late("body", 18_500)),
        timed(late("headers", 21_000)),
        timed(late("body", 21_000)),
        timed("/slow/rows?ms=6000".to_owned()),
        timed("/slow/never".to_owned()),
    );
    for (what, (result, took)) in [("headers", headers), ("body", body), ("rows", rows)] {
        let result = result.with_context(|| what.to_owned())?;
        assert_eq!((result.state, result.rows.len()), (State::Ok, 3), "{what}");
        ensure!(took < Duration::from_secs(20), "{what}: {took:?}");
    }
    for (what, says, (result, took)) in [
        ("headers", "did not load before the deadline", late_headers),
        ("body", "did not load before the deadline", late_body),
        ("never", "neither `ready` nor `empty` was ever visible", never),
    ] {
        let error = result.err().with_context(|| what.to_owned())?;
        assert_eq!(error.code, Code::Timeout, "{what}: {error}");
        ensure!(error.message.contains(says), "{what}: {error}");
        ensure!(error.hint.is_some(), "{what}: {error}");
        ensure!(
            (Duration::from_secs(19)..Duration::from_secs(20) + LATE).contains(&took),
            "{what}: {took:?}"
        );
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deadline_is_the_callers_where_it_is_shorter_and_never_longer() -> Result<()> {
    let world = World::shared().await?;
    let timed = async |path: &str, ms: u64| {
        let began = Instant::now();
        let args = json!({"recipe": world.site.recipe(path), "timeoutMs": ms});
        let result = world.client.call_raw("browser_extract", args).await;
        (result, began.elapsed())
    };
    let ((short, took_short), (next, took_next), (long, took_long)) = tokio::join!(
        timed("/slow/headers?ms=60000", 700),
        timed("/states/ok", 15_000),
        timed("/slow/headers?ms=60000", 600_000),
    );
    assert_eq!(short.err().context("short")?.code, Code::Timeout);
    ensure!(took_short < LATE, "{took_short:?}");
    // One that waits does not hold up another.
    assert_eq!(next?["state"], "ok");
    ensure!(took_next < Duration::from_secs(15), "{took_next:?}");
    assert_eq!(long.err().context("long")?.code, Code::Timeout);
    ensure!(took_long < Duration::from_secs(20) + LATE, "{took_long:?}");
    world.leaves_nothing().await
}

/// Where a recipe is when something ends it.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// The call was sent and nothing is known of it.
    Sent,
    /// The site was asked and says nothing.
    NoAnswer,
    /// Half the page is there.
    HalfLoaded,
    /// The page is there, and what the recipe looks for is not.
    NotReady,
    /// The page was moved into a window.
    InWindow,
    /// The first page was read, and the second does not come.
    NextPage,
}

const MOMENTS: [Moment; 6] = [
    Moment::Sent,
    Moment::NoAnswer,
    Moment::HalfLoaded,
    Moment::NotReady,
    Moment::InWindow,
    Moment::NextPage,
];

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_recipe_ends_at_once_and_its_tab_is_gone() -> Result<()> {
    let world = World::shared().await?;
    for moment in MOMENTS {
        let running = started(&world, moment).await?;
        world.client.cancel(running.id);
        let error = ended(running, moment).await?;
        assert_eq!(error.code, Code::Cancelled, "{moment:?}: {error}");
        nothing_is_left(&world, moment).await?;
    }
    reads(&world).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoke_reaches_into_a_running_recipe() -> Result<()> {
    let world = World::shared().await?;
    for moment in MOMENTS {
        let running = started(&world, moment).await?;
        let revoke = Admin::RevokeGrant {
            subject: world.id(),
            action: "browser.read".to_owned(),
            site: None,
        };
        world.client.admin(revoke).await?;
        let error = ended(running, moment).await?;
        assert_eq!(error.code, Code::NotGranted, "{moment:?}: {error}");
        nothing_is_left(&world, moment).await?;

        // From now on it does not even begin.
        let asked = world.site.events().len();
        let error = world
            .extract(world.site.recipe("/states/ok"))
            .await
            .err()
            .context("refused")?;
        assert_eq!(error.code, Code::NotGranted, "{moment:?}: {error}");
        assert_eq!(world.site.events().len(), asked, "{moment:?}");
        allow(&world).await?;
        reads(&world).await?;
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_takes_its_recipe_along() -> Result<()> {
    let mut world = World::shared().await?;
    for moment in MOMENTS {
        let running = started(&world, moment).await?;
        world.client = world.sandbox.client(world.id().as_str()).await?;
        let error = ended(running, moment).await?;
        assert_eq!(error.code, Code::NotConnected, "{moment:?}: {error}");
        nothing_is_left(&world, moment).await?;
    }
    reads(&world).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_bridge_leaves_no_tab() -> Result<()> {
    let mut world = World::fresh(Options::default()).await?;
    for moment in MOMENTS {
        let running = started(&world, moment).await?;
        world.sandbox.kill_daemon()?;
        let error = ended(running, moment).await?;
        assert_eq!(error.code, Code::NotConnected, "{moment:?}: {error}");
        nothing_is_left(&world, moment).await?;
        world.sandbox.until_connected().await?;
        world.client = world.sandbox.client(world.id().as_str()).await?;
        reads(&world).await?;
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_the_person_closes_ends_its_recipe() -> Result<()> {
    let world = World::shared().await?;
    for moment in [
        Moment::NoAnswer,
        Moment::HalfLoaded,
        Moment::NotReady,
        Moment::InWindow,
        Moment::NextPage,
    ] {
        let before: Vec<_> = tabs(&world).await?;
        let running = started(&world, moment).await?;
        let opened: Vec<_> = tabs(&world)
            .await?
            .into_iter()
            .filter(|tab| !before.contains(tab))
            .collect();
        assert_eq!(opened.len(), 1, "{moment:?}: {opened:?}");
        let close = json!({"targetId": opened[0]});
        world.browser.send("Target.closeTarget", close).await?;
        let error = ended(running, moment).await?;
        assert_eq!(error.code, Code::TabGone, "{moment:?}: {error}");
        nothing_is_left(&world, moment).await?;
    }
    reads(&world).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_wait_to_be_looked_at_are_read_in_a_window_that_takes_no_focus() -> Result<()> {
    let world = World::shared().await?;
    let result = world.extract(world.site.recipe("/observer")).await?;
    assert_eq!(
        (result.state, titles(&result), result.visibility),
        (State::Ok, vec!["Item 1", "Item 2", "Item 3"], Visibility::Window)
    );
    // What needs no look stays in the background.
    let plain = world.extract(world.site.recipe("/states/ok")).await?;
    assert_eq!(plain.visibility, Visibility::Background);
    world.looks_as_before().await?;

    let page = world.sandbox.profile().extension_page(&world.browser).await?;
    let windows = "(async () => (await chrome.windows.getAll({populate: true})).map(window =>
        [window.focused, window.type, window.tabs.filter(tab => tab.active).map(tab => tab.url || tab.pendingUrl)]))()";
    let before: Vec<Value> = page.evaluate(windows).await?;
    let running = started(&world, Moment::InWindow).await?;
    let during: Vec<Value> = page.evaluate(windows).await?;
    world.client.cancel(running.id);
    ended(running, Moment::InWindow).await?;
    // The user's window is as it was, the same tab in front; the new one is unfocused and holds the page alone.
    let never = world.site.url("/slow/never?moment=InWindow");
    let new: Vec<&Value> = during.iter().filter(|window| !before.contains(window)).collect();
    assert_eq!(new, [&json!([false, "normal", [never]])]);
    assert_eq!(during.len(), before.len() + 1);
    page.close().await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_window_the_timeout_says_that_the_page_was_hidden() -> Result<()> {
    let world = World::shared().await?;
    set_window(&world, "never").await?;
    let args = json!({"recipe": world.site.recipe("/observer"), "timeoutMs": 6000});
    let error = world
        .client
        .call_raw("browser_extract", args)
        .await
        .err()
        .context("hidden")?;
    assert_eq!(error.code, Code::Timeout, "{error}");
    ensure!(error.message.contains("hidden"), "{error}");
    let hint = error.hint.context("a hint")?;
    ensure!(hint.contains("recipe.window"), "{hint}");
    // What needs no look is read all the same.
    let plain = world.extract(world.site.recipe("/states/ok")).await?;
    assert_eq!(
        (plain.state, plain.visibility),
        (State::Ok, Visibility::Background)
    );
    set_window(&world, "when_needed").await?;
    let seen = world.extract(world.site.recipe("/observer")).await?;
    assert_eq!((seen.state, seen.visibility), (State::Ok, Visibility::Window));
    world.leaves_nothing().await
}

/// Starts a recipe and waits until it is at that moment.
async fn started(world: &World, moment: Moment) -> Result<Running> {
    let waits = format!("moment={moment:?}");
    let path = match moment {
        Moment::Sent | Moment::NoAnswer => format!("/slow/headers?ms=60000&{waits}"),
        Moment::HalfLoaded => format!("/slow/body?ms=60000&{waits}"),
        Moment::NotReady | Moment::InWindow => format!("/slow/never?{waits}"),
        Moment::NextPage => {
            let row = "<li class=row><a class=title href=/item/1>Item 1</a></li>";
            let next = format!("<a class=next href='/slow/headers?ms=60000&amp;{waits}'>Next</a>");
            world.site.put("/first", format!("<main>{row}{next}</main>"));
            "/first".to_owned()
        }
    };
    let seen = world.site.events().len();
    let args = ExtractArgs {
        recipe: world.site.recipe(&path),
        inputs: Default::default(),
        target: None,
        timeout_ms: None,
    };
    let running = world.client.start(&args)?;
    if !matches!(moment, Moment::Sent) {
        wait::until("the site to be asked", Duration::from_secs(10), async || {
            let asked = world.site.events().split_off(seen);
            Ok(asked.iter().find(|event| event.query.contains(&waits)).map(drop))
        })
        .await?;
    }
    match moment {
        Moment::Sent | Moment::NoAnswer | Moment::NextPage => {}
        Moment::HalfLoaded | Moment::NotReady => shows(world, &waits, "true").await?,
        Moment::InWindow => shows(world, &waits, "document.visibilityState === 'visible'").await?,
    }
    Ok(running)
}

/// Waits until the tab shows the page, as far as it is.
async fn shows(world: &World, waits: &str, how: &str) -> Result<()> {
    let page = world.browser.page(|url| url.contains(waits)).await?;
    page.until(how).await?;
    page.detach().await
}

/// The browser looks as it did before the recipe that was stopped at this moment.
async fn nothing_is_left(world: &World, moment: Moment) -> Result<()> {
    world
        .looks_as_before()
        .await
        .with_context(|| format!("{moment:?}"))
}

/// The error a recipe ended with, well before its deadline.
async fn ended(running: Running, moment: Moment) -> Result<Error> {
    let result = wait::within("the recipe's end", AT_ONCE, async { Ok(running.answer().await) })
        .await
        .with_context(|| format!("{moment:?}"))?;
    match result.and_then(|answered| answered.outcome) {
        Ok(value) => anyhow::bail!("{moment:?}: it ended with {value}"),
        Err(error) => Ok(error),
    }
}

/// The next recipe works.
async fn reads(world: &World) -> Result<()> {
    let result = world.extract(world.site.recipe("/states/ok")).await?;
    ensure!(result.state == State::Ok && result.rows.len() == 3, "{result:?}");
    Ok(())
}

fn titles(result: &RecipeResult) -> Vec<&str> {
    result
        .rows
        .iter()
        .filter_map(|row| row["title"].as_str())
        .collect()
}

/// Target ids of all tabs.
async fn tabs(world: &World) -> Result<Vec<String>> {
    let targets = world.browser.targets().await?;
    Ok(targets
        .into_iter()
        .filter(|target| target.kind == "page")
        .map(|target| target.target_id)
        .collect())
}

async fn allow(world: &World) -> Result<()> {
    // A revoke covers the local addresses too, and what allows them has to name them.
    for site in ["*", "127.0.0.1"] {
        let grant = drawbridge_protocol::local::Grant {
            subject: world.id(),
            action: "browser.read".to_owned(),
            site: site.to_owned(),
            decision: drawbridge_protocol::local::Decision::Allow,
        };
        world.client.admin(Admin::SetGrant { grant, yes: true }).await?;
    }
    Ok(())
}

async fn set_window(world: &World, value: &str) -> Result<()> {
    let set = Admin::SetSetting {
        key: "recipe.window".to_owned(),
        value: value.to_owned(),
    };
    let told = world.client.admin(set).await?;
    ensure!(told == value, "{told}");
    Ok(())
}
