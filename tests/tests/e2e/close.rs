//! Every tab that a session opened goes, whatever its page wants and whatever ends in between; nothing else changes.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use drawbridge_protocol::Effect;
use drawbridge_protocol::ids::TabId;
use drawbridge_protocol::tools::session::{ListArgs, Placement, StartArgs, Started, StopArgs};
use drawbridge_protocol::tools::tabs::{CloseArgs, NewArgs};
use drawbridge_tests::client::Client;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;

/// Within which a tab closes, however it was armed.
const CLOSES: Duration = Duration::from_secs(2);

/// What a hand does in a page before it is closed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hand {
    Nothing,
    /// A trusted click in the middle of the one element that matches; the site hears of it.
    Clicks(&'static str),
    /// A trusted key in the field.
    Types,
}

/// Asks before it is left, tells the site of a hand, and may embed others.
fn asking(inside: &str) -> String {
    format!(
        "<!doctype html><title>Asks</title><style>body {{ margin: 0; min-height: 90vh }}</style>
         <input id=\"field\"><p id=\"text\">Text</p>{inside}<script>
         addEventListener('beforeunload', event => {{ event.preventDefault(); event.returnValue = 'stay'; }});
         for (const kind of ['click', 'keydown']) addEventListener(kind, event => fetch('/log',
           {{method: 'POST', keepalive: true, body: 'hand ' + event.isTrusted + ' ' + location.href}}));</script>"
    )
}

/// Embeds a page, large enough that a click in its middle is a click in it.
fn framed(url: &str) -> String {
    format!("<iframe src=\"{url}\" style=\"width: 400px; height: 300px; border: 0\"></iframe>")
}

/// Pages that make closing hard: path, what a hand does there, and the page where the site hears of it.
pub(crate) fn pages(world: &World) -> Vec<(&'static str, Hand, &'static str)> {
    let site = &world.site;
    let (here, there) = (site.url("/asks"), format!("{}/asks", site.other));
    let calm = "<!doctype html><title>Calm</title>";
    site.put("/asks", asking(""));
    site.put("/asks-around-asking", asking(&framed(&here)));
    site.put("/calm-around-here", format!("{calm}{}", framed(&here)));
    site.put("/calm-around-there", format!("{calm}{}", framed(&there)));
    site.put("/asks-around-there", asking(&framed(&there)));
    site.put(
        "/calm-around-nested",
        format!("{calm}{}", framed(&format!("{}/calm-around-here", site.other))),
    );
    site.put(
        "/endless",
        "<!doctype html><title>Endless</title><p id=\"text\">Text</p><script>
         addEventListener('click', event => fetch('/log', {method: 'POST', keepalive: true, body: 'hand ' + event.isTrusted + ' ' + location.href}));
         addEventListener('beforeunload', event => { event.preventDefault(); const end = performance.now() + 800;
           while (performance.now() < end); });</script>",
    );
    vec![
        ("/asks", Hand::Nothing, "/asks"),
        ("/asks", Hand::Clicks("#text"), "/asks"),
        ("/asks", Hand::Types, "/asks"),
        ("/asks-around-asking", Hand::Clicks("iframe"), "/asks"),
        (
            "/asks-around-asking",
            Hand::Clicks("#text"),
            "/asks-around-asking",
        ),
        ("/calm-around-here", Hand::Clicks("iframe"), "/asks"),
        ("/calm-around-there", Hand::Clicks("iframe"), "/asks"),
        ("/asks-around-there", Hand::Clicks("iframe"), "/asks"),
        ("/calm-around-nested", Hand::Clicks("iframe"), "/asks"),
        ("/endless", Hand::Clicks("#text"), "/endless"),
        ("/dialog?kind=alert", Hand::Nothing, ""),
        ("/dialog?kind=confirm", Hand::Nothing, ""),
        ("/dialog?kind=prompt", Hand::Nothing, ""),
    ]
}

/// Uses a page as a person does, and leaves it alone again.
pub(crate) async fn use_by_hand(world: &World, url: &str, hand: Hand, heard: &str) -> Result<()> {
    let selector = match hand {
        Hand::Nothing => return Ok(()),
        Hand::Clicks(selector) => selector,
        Hand::Types => "#field",
    };
    let before = world.site.events().len();
    let page = world.browser.page(|at| at == url).await?;
    match hand {
        // A frame's own page may come after the load of the page around it.
        Hand::Clicks("iframe") => page.until("document.readyState === 'complete'").await?,
        Hand::Nothing | Hand::Clicks(_) | Hand::Types => {}
    }
    match hand {
        Hand::Types => page.type_into(selector, "x").await?,
        Hand::Nothing | Hand::Clicks(_) => page.click(selector).await?,
    }
    wait::until("the page to feel the hand", Duration::from_secs(10), async || {
        let felt = world.site.events().into_iter().skip(before).any(|event| {
            event.path == "/log" && event.body.starts_with("hand true") && event.body.ends_with(heard)
        });
        Ok(felt.then_some(()))
    })
    .await?;
    page.detach().await
}

async fn is_there(world: &World, url: &str) -> Result<bool> {
    Ok(world
        .browser
        .targets()
        .await?
        .iter()
        .any(|target| target.url == url))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_asks_before_it_is_left_goes_when_its_session_stops() -> Result<()> {
    let world = World::shared().await?;
    for (path, hand, heard) in pages(&world) {
        let url = world.site.url(path);
        let started = start(&world.client, &url, Placement::Group).await?;
        use_by_hand(&world, &url, hand, heard)
            .await
            .with_context(|| format!("{path} {hand:?}"))?;
        let began = Instant::now();
        let stopped = world.client.call(&StopArgs::default()).await?;
        let took = began.elapsed();
        assert_eq!(stopped.closed, [started.tab], "{path} {hand:?}: {took:?}");
        assert_eq!(
            (stopped.pending.len(), stopped.already_closed),
            (0, false),
            "{path} {hand:?}"
        );
        assert!(took < wait::patient(CLOSES), "{path} {hand:?} took {took:?}");
        assert!(!is_there(&world, &url).await?, "{path} {hand:?}");
        world
            .looks_as_before()
            .await
            .with_context(|| format!("{path} {hand:?}"))?;
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_asks_before_it_is_left_goes_when_it_is_closed() -> Result<()> {
    let world = World::shared().await?;
    let kept = start(&world.client, &world.site.url("/states/ok"), Placement::Window).await?;
    for (path, hand, heard) in pages(&world) {
        let url = world.site.url(path);
        let opened = world
            .client
            .call(&NewArgs {
                url: Some(url.clone()),
                ..NewArgs::default()
            })
            .await
            .with_context(|| format!("{path} {hand:?}"))?;
        use_by_hand(&world, &url, hand, heard)
            .await
            .with_context(|| format!("{path} {hand:?}"))?;
        let began = Instant::now();
        let closed = world
            .client
            .call(&CloseArgs {
                session: None,
                tab: opened.tab.clone(),
                timeout_ms: None,
            })
            .await
            .with_context(|| format!("{path} {hand:?}"))?;
        let took = began.elapsed();
        assert_eq!(
            (closed.tab, closed.effect),
            (opened.tab, Effect::Committed),
            "{path} {hand:?}"
        );
        assert!(took < wait::patient(CLOSES), "{path} {hand:?} took {took:?}");
        assert!(!is_there(&world, &url).await?, "{path} {hand:?}");
    }
    let sessions = world.client.call(&ListArgs::default()).await?.sessions;
    assert_eq!(sessions[0].tabs, [kept.tab], "the other tab of the session stays");
    world.client.call(&StopArgs::default()).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_asks_before_it_is_left_goes_with_its_client() -> Result<()> {
    let world = World::shared().await?;
    let client = world.sandbox.client(&format!("{}-leaves", world.id())).await?;
    for placement in [Placement::Group, Placement::Window] {
        let url = world.site.url("/asks-around-there");
        pages(&world);
        start(&client, &url, placement).await?;
        use_by_hand(&world, &url, Hand::Clicks("iframe"), "/asks").await?;
    }
    drop(client);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_stop_is_told_so_and_a_stop_of_many_tabs_names_each() -> Result<()> {
    let world = World::shared().await?;
    pages(&world);
    let url = world.site.url("/asks");
    let started = start(&world.client, &url, Placement::Group).await?;
    let mut tabs = vec![started.tab.clone()];
    for _ in 0..4 {
        let args = NewArgs {
            url: Some(url.clone()),
            ..NewArgs::default()
        };
        tabs.push(world.client.call(&args).await?.tab);
    }
    let stop = StopArgs {
        session: Some(started.session.clone()),
        timeout_ms: None,
    };
    let first = world.client.call(&stop).await?;
    assert_eq!(
        (sorted(first.closed), first.already_closed),
        (sorted(tabs), false)
    );
    let second = world.client.call(&stop).await?;
    assert_eq!(
        (second.closed, second.pending, second.already_closed),
        (vec![], vec![], true)
    );
    world.leaves_nothing().await
}

fn sorted(mut tabs: Vec<TabId>) -> Vec<TabId> {
    tabs.sort();
    tabs
}

pub(crate) async fn start(client: &Client, url: &str, placement: Placement) -> Result<Started> {
    let args = StartArgs {
        url: Some(url.to_owned()),
        placement: Some(placement),
        label: Some("work".to_owned()),
        ..StartArgs::default()
    };
    client.call(&args).await.with_context(|| url.to_owned())
}
