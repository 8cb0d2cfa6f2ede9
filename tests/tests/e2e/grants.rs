//! What a person decided holds: for this client, this action and this site, in the middle of a call too.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::ids::ClientId;
use drawbridge_protocol::local::{Admin, Decision, Grant};
use drawbridge_protocol::tools::session::{StartArgs, Started};
use drawbridge_protocol::tools::tabs::{ListArgs, Owner};
use drawbridge_protocol::{Code, Effect, Error};
use drawbridge_tests::approval;
use drawbridge_tests::client::Client;
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use Decision::{Allow, Ask, Off};

/// Names that lead to this machine's site: to the bridge they are hosts like any other.
const NAMES: &str = "--host-resolver-rules=MAP *.test 127.0.0.1";

/// Decisions of a person, then uses and what comes of each: action, host, refusal. `me` is a client that
/// nothing was decided about before.
type Case = (
    &'static [(&'static str, &'static str, &'static str, Decision)],
    &'static [(&'static str, &'static str, Option<Code>)],
);

const NEEDS: Option<Code> = Some(Code::NeedsApproval);
const NOT: Option<Code> = Some(Code::NotGranted);

const CASES: &[Case] = &[
    // Nothing was decided.
    (
        &[],
        &[
            ("read", "shop.test", NEEDS),
            ("interact", "shop.test", NEEDS),
            ("read", "127.0.0.1", NEEDS),
        ],
    ),
    // A site and what is below it, one action.
    (
        &[("me", "browser.read", "shop.test", Allow)],
        &[
            ("read", "shop.test", None),
            ("read", "www.shop.test", None),
            ("read", "other.test", NEEDS),
            ("read", "myshop.test", NEEDS),
            ("interact", "shop.test", NEEDS),
            ("read", "127.0.0.1", NEEDS),
        ],
    ),
    // Everywhere leaves local addresses out; they are sites of their own.
    (
        &[("me", "*", "*", Allow)],
        &[
            ("read", "shop.test", None),
            ("interact", "other.test", None),
            ("read", "127.0.0.1", NEEDS),
            ("interact", "127.0.0.1", NEEDS),
            ("read", "localhost", NEEDS),
        ],
    ),
    (
        &[
            ("me", "*", "*", Allow),
            ("me", "browser.read", "127.0.0.1", Allow),
        ],
        &[
            ("read", "127.0.0.1", None),
            ("interact", "127.0.0.1", NEEDS),
            ("read", "localhost", NEEDS),
        ],
    ),
    // The narrower decision wins, whichever it is.
    (
        &[
            ("me", "browser.read", "*", Allow),
            ("me", "browser.read", "shop.test", Off),
            ("me", "browser.read", "www.shop.test", Ask),
        ],
        &[
            ("read", "other.test", None),
            ("read", "shop.test", NOT),
            ("read", "www.shop.test", NEEDS),
        ],
    ),
    // Another client's are none of ours.
    (
        &[("other", "*", "*", Allow), ("other", "*", "127.0.0.1", Allow)],
        &[
            ("read", "shop.test", NEEDS),
            ("interact", "shop.test", NEEDS),
            ("read", "127.0.0.1", NEEDS),
        ],
    ),
    // Every admitted client, and one of them.
    (
        &[
            ("*", "browser.read", "*", Allow),
            ("me", "browser.read", "*", Off),
        ],
        &[("read", "shop.test", NOT)],
    ),
    (
        &[
            ("*", "browser.read", "*", Off),
            ("me", "browser.read", "shop.test", Allow),
        ],
        &[("read", "shop.test", None), ("read", "other.test", NOT)],
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn grants_hold_for_their_client_their_action_and_their_site() -> Result<()> {
    let world = strict().await?;
    for (index, (decisions, uses)) in CASES.iter().enumerate() {
        let me = ClientId(format!("case-{index}"));
        let client = world.sandbox.client(me.as_str()).await?;
        admit(&world, &me).await?;
        client.call(&StartArgs::default()).await?;
        for (subject, action, site, decision) in *decisions {
            let subject = if *subject == "me" {
                me.clone()
            } else {
                ClientId::from(*subject)
            };
            set(&world, &subject, action, site, *decision).await?;
        }
        for (action, host, refusal) in *uses {
            let requests = world.site.events().len();
            let error = make(&world, &client, action, host).await.err();
            let code = error.as_ref().map(|error| error.code);
            ensure!(code == *refusal, "case {index}: {action} at {host}: {error:?}");
            if let Some(error) = error {
                assert_eq!(error.effect, Some(Effect::None), "{error:?}");
                let requests = world.site.events().split_off(requests);
                ensure!(
                    requests.is_empty(),
                    "case {index}: {action} at {host} asked {requests:?}"
                );
            }
        }
    }
    // Every refusal that a person could lift has put its question.
    approval::close(&world.browser, 8).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_to_a_site_that_is_not_granted_is_no_way_in() -> Result<()> {
    let world = strict().await?;
    for action in ["browser.read", "browser.interact"] {
        set(&world, &world.id(), action, "shop.test", Allow).await?;
    }
    let started = world.client.call(&StartArgs::default()).await?;
    for host in ["other.test", "127.0.0.1"] {
        let path = format!("/redirect?to={}", at(&world, host, "/states/ok"));
        let from = at(&world, "shop.test", &path);
        let error = world
            .client
            .call_raw("browser_navigate", json!({ "url": from }))
            .await
            .err()
            .context("navigated")?;
        assert_eq!(
            (error.code, error.effect),
            (Code::NeedsApproval, Some(Effect::Committed))
        );
        for action in ["text", "selectors"] {
            let error = world
                .client
                .call_raw("browser_inspect", json!({ "action": action }))
                .await
                .err()
                .context(action)?;
            assert_eq!(error.code, Code::NeedsApproval, "{error}");
        }
        for (tool, args) in [
            ("browser_selectors", json!({ "url": from })),
            (
                "browser_extract",
                json!({ "recipe": recipe(&world, "shop.test", &path) }),
            ),
        ] {
            let error = world.client.call_raw(tool, args).await.err().context(tool)?;
            assert_eq!(error.code, Code::NavigationBlocked, "{tool}: {error}");
        }
    }
    let error = world
        .client
        .call_raw("browser_close_tab", json!({"tab": started.tab}))
        .await
        .err()
        .context("closed")?;
    assert_eq!(error.code, Code::NeedsApproval);
    world
        .client
        .call_raw("browser_stop", json!({"session": started.session}))
        .await?;
    // Every refusal that a person could lift has put its question.
    approval::close(&world.browser, 4).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoke_beats_the_defaults_of_a_sandbox_and_hits_no_other_client() -> Result<()> {
    let world = World::shared().await?;
    let other_id = format!("other-{}", world.id());
    let other = world.sandbox.client(&other_id).await?;
    let recipe = json!({"recipe": world.site.recipe("/states/ok")});
    let read = async |client: &Client| client.call_raw("browser_extract", recipe.clone()).await;
    assert_eq!(read(&world.client).await?["state"], "ok");

    let (code, text) = world
        .sandbox
        .cli(["grants", "revoke", world.id().as_str(), "browser.read", "--json"])
        .await?;
    assert_eq!(code, 0, "{text}");
    let written: Value = serde_json::from_str(&text)?;
    assert_eq!(
        written["result"],
        json!({"subject": world.id(), "action": "browser.read", "site": "*", "decision": "off"})
    );
    let error = read(&world.client).await.err().context("read after the revoke")?;
    assert_eq!((error.code, error.effect), (Code::NotGranted, Some(Effect::None)));
    assert_eq!(read(&other).await?["state"], "ok");
    // The other action is untouched.
    let started = world.client.call(&StartArgs::default()).await?;
    let url = world.site.url("/states/ok");
    world
        .client
        .call_raw("browser_navigate", json!({ "url": url }))
        .await?;
    let error = world
        .client
        .call_raw("browser_inspect", json!({"action": "text"}))
        .await
        .err()
        .context("text after the revoke")?;
    assert_eq!(error.code, Code::NotGranted);
    // And a person can take it back.
    set(&world, &world.id(), "browser.read", "127.0.0.1", Allow).await?;
    assert_eq!(read(&world.client).await?["state"], "ok");
    drop((other, started));
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoke_on_one_site_ends_what_runs_there_and_closes_its_tab() -> Result<()> {
    let world = World::shared().await?;
    for site in [Some("127.0.0.1"), None] {
        let before = world.browser.targets().await?.len();
        let running = world.client.start_raw(
            "browser_extract",
            json!({"recipe": world.site.recipe("/slow/never")}),
        );
        let asked = world.site.requests("/slow/never").len();
        world
            .site
            .until("the recipe's page", |event| event.path == "/slow/never")
            .await?;
        ensure!(asked <= 1);
        world
            .client
            .admin(Admin::RevokeGrant {
                subject: world.id(),
                action: "browser.read".to_owned(),
                site: site.map(str::to_owned),
            })
            .await?;
        let answered = tokio::time::timeout(Duration::from_secs(15), running.answer()).await??;
        let error = answered.outcome.err().context("a result after the revoke")?;
        assert_eq!(error.code, Code::NotGranted, "{error}");
        // It is gone when the caller hears, not some time after.
        let pages = world.browser.targets().await?;
        ensure!(pages.len() <= before, "{pages:?}");
        set(&world, &world.id(), "browser.read", "127.0.0.1", Allow).await?;
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoke_ends_a_running_load() -> Result<()> {
    let world = World::shared().await?;
    let started = world.client.call(&StartArgs::default()).await?;
    let running = world.client.start_raw(
        "browser_navigate",
        json!({"url": world.site.url("/slow/headers?ms=30000")}),
    );
    world
        .site
        .until("the load", |event| event.path == "/slow/headers")
        .await?;
    revoke(&world, "browser.interact").await?;
    let answered = tokio::time::timeout(Duration::from_secs(15), running.answer()).await??;
    let error = answered.outcome.err().context("a result after the revoke")?;
    assert_eq!(
        (error.code, error.effect),
        (Code::NotGranted, Some(Effect::Unknown))
    );

    // A session that is only just starting leaves no tab behind.
    let running = world.client.start_raw(
        "browser_start",
        json!({"url": world.site.url("/slow/headers?ms=29000")}),
    );
    let error = running.answer().await?.outcome.err().context("started")?;
    assert_eq!((error.code, error.effect), (Code::NotGranted, Some(Effect::None)));
    set(&world, &world.id(), "browser.interact", "127.0.0.1", Allow).await?;
    let running = world.client.start_raw(
        "browser_start",
        json!({"url": world.site.url("/slow/headers?ms=28000")}),
    );
    world
        .site
        .until("the session's page", |event| event.query == "ms=28000")
        .await?;
    revoke(&world, "browser.interact").await?;
    let error = running.answer().await?.outcome.err().context("started")?;
    assert_eq!(
        (error.code, error.effect),
        (Code::NotGranted, Some(Effect::None)),
        "{error:?}"
    );
    world
        .client
        .call_raw("browser_stop", json!({"session": started.session}))
        .await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_and_tabs_of_another_client_are_unknown() -> Result<()> {
    let world = World::shared().await?;
    let other = world.sandbox.client(&format!("other-{}", world.id())).await?;
    let theirs = start(&other, &world).await?;
    let calls = |session: Value, tab: Value| {
        let url = world.site.url("/states/ok");
        [
            ("browser_stop", json!({ "session": session })),
            ("browser_new_tab", json!({ "session": session })),
            ("browser_close_tab", json!({"session": session, "tab": tab})),
            (
                "browser_navigate",
                json!({"session": session, "tab": tab, "url": url}),
            ),
            (
                "browser_inspect",
                json!({"action": "text", "session": session, "tab": tab}),
            ),
            ("browser_selectors", json!({"session": session, "tab": tab})),
        ]
    };
    // Theirs looks like one that never was; so does none at all.
    for session in [json!(theirs.session), json!("s-00000000000000000000000000000000")] {
        for (tool, args) in calls(session, json!(theirs.tab)) {
            let error = world.client.call_raw(tool, args).await.err().context(tool)?;
            assert_eq!(error.code, Code::SessionUnknown, "{tool}: {error}");
            assert_eq!(error.message, "you have no such session", "{tool}");
        }
    }
    let ours = start(&world.client, &world).await?;
    for (tool, args) in calls(json!(ours.session), json!(theirs.tab)) {
        if ["browser_stop", "browser_new_tab"].contains(&tool) {
            continue;
        }
        let error = world.client.call_raw(tool, args).await.err().context(tool)?;
        assert_eq!(error.code, Code::TabNotOwned, "{tool}: {error}");
    }
    let list = world.client.call(&ListArgs::default()).await?;
    for row in &list.tabs {
        let (owner, session) = if row.id == ours.tab {
            (Owner::Owned, Some(&ours.session))
        } else {
            (Owner::User, None)
        };
        assert_eq!((row.owner, row.session.as_ref()), (owner, session), "{row:?}");
    }
    let sessions = world.client.call_raw("browser_sessions", json!({})).await?;
    assert_eq!(
        sessions["sessions"].as_array().map(Vec::len),
        Some(1),
        "{sessions}"
    );
    assert!(!sessions.to_string().contains(theirs.session.as_str()));
    // Theirs is as it was.
    let read = other
        .call_raw("browser_inspect", json!({"action": "text"}))
        .await?;
    assert!(
        read["text"].as_str().unwrap_or_default().contains("Item 1"),
        "{read}"
    );
    drop(other);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn titles_and_addresses_of_the_persons_tabs_need_a_grant() -> Result<()> {
    let world = strict().await?;
    let url = world.site.url("/states/empty");
    let person = world.browser.open(&url).await?;
    let ours = world.client.call(&StartArgs::default()).await?;
    let list = world.client.call(&ListArgs::default()).await?;
    assert_eq!((list.total_tabs, list.matched_tabs, list.omitted_tabs), (3, 3, 0));
    for row in &list.tabs {
        let shown = row.id == ours.tab;
        assert_eq!(row.title.is_some(), shown, "{row:?}");
        assert_eq!(row.url.is_some(), shown, "{row:?}");
    }
    for query in ["List", "states/empty", "127.0.0.1", "http"] {
        assert_eq!(matched(&world, query).await?, 0, "{query}");
    }
    set(&world, &world.id(), "browser.list", "*", Allow).await?;
    let list = world.client.call(&ListArgs::default()).await?;
    let row = list
        .tabs
        .iter()
        .find(|row| row.url.as_deref() == Some(&url))
        .context("the person's tab")?;
    assert_eq!((row.title.as_deref(), row.owner), (Some("List"), Owner::User));
    assert_eq!(matched(&world, "STATES/EMPTY").await?, 1);
    revoke(&world, "browser.list").await?;
    assert_eq!(matched(&world, "states/empty").await?, 0);
    person.close().await?;
    world.leaves_nothing().await
}

async fn matched(world: &World, query: &str) -> Result<u32> {
    let args = ListArgs {
        query: Some(query.to_owned()),
        ..ListArgs::default()
    };
    Ok(world.client.call(&args).await?.matched_tabs)
}

/// A sandbox where nothing was decided, and its test's client admitted.
async fn strict() -> Result<World> {
    let world = World::fresh(Options {
        strict: true,
        flags: vec![NAMES.to_owned()],
        ..Options::default()
    })
    .await?;
    admit(&world, &world.id()).await?;
    Ok(world)
}

async fn admit(world: &World, client: &ClientId) -> Result<()> {
    let admit = Admin::Admit {
        client: client.clone(),
        yes: true,
    };
    Ok(world.client.admin(admit).await.map(drop)?)
}

async fn set(world: &World, subject: &ClientId, action: &str, site: &str, decision: Decision) -> Result<()> {
    let grant = Grant {
        subject: subject.clone(),
        action: action.to_owned(),
        site: site.to_owned(),
        decision,
    };
    world
        .client
        .admin(Admin::SetGrant { grant, yes: true })
        .await
        .map(drop)
        .with_context(|| format!("{action} at {site}"))
}

async fn revoke(world: &World, action: &str) -> Result<()> {
    let revoke = Admin::RevokeGrant {
        subject: world.id(),
        action: action.to_owned(),
        site: None,
    };
    Ok(world.client.admin(revoke).await.map(drop)?)
}

/// An address of the site under another name.
fn at(world: &World, host: &str, path: &str) -> String {
    world.site.url(path).replacen("127.0.0.1", host, 1)
}

fn recipe(world: &World, host: &str, path: &str) -> Value {
    let mut recipe = world.site.recipe("/");
    recipe["origin"] = json!(at(world, host, ""));
    recipe["urlTemplate"] = json!(at(world, host, path));
    recipe
}

/// One use of an action at a host.
async fn make(world: &World, client: &Client, action: &str, host: &str) -> Result<(), Error> {
    let url = at(world, host, "/states/ok");
    if action == "interact" {
        return client
            .call_raw("browser_navigate", json!({ "url": url }))
            .await
            .map(drop);
    }
    let by_address = client.call_raw("browser_selectors", json!({ "url": url })).await;
    let by_recipe = client
        .call_raw(
            "browser_extract",
            json!({"recipe": recipe(world, host, "/states/ok")}),
        )
        .await;
    // Both reads are the same use.
    match (by_address, by_recipe) {
        (Ok(_), Ok(_)) => Ok(()),
        (Err(one), Err(other)) if one.code == other.code => Err(one),
        (one, other) => Err(Error::internal(format!("{one:?} and {other:?}"))),
    }
}

async fn start(client: &Client, world: &World) -> Result<Started> {
    let args = StartArgs {
        url: Some(world.site.url("/states/ok")),
        ..StartArgs::default()
    };
    let started = client.call(&args).await?;
    wait::until("the page", Duration::from_secs(5), async || {
        Ok((!world.site.requests("/states/ok").is_empty()).then_some(()))
    })
    .await?;
    Ok(started)
}
