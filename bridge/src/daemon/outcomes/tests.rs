use drawbridge_protocol::act::{Acted, Changed};
use drawbridge_protocol::local::{Decision, Grant};
use serde_json::json;

use super::*;
use crate::daemon::access::Policy;
use crate::daemon::testing::{Browser, Client, Stage, run};

const URL: &str = "https://shop.example/cart";
const TYPED: &str = "correct horse battery staple";

/// A session that is the client's own over a restart of the daemon.
async fn begun(stage: &Stage) -> (Browser, Client, String) {
    let mut browser = stage.browser("one").await;
    let mut client = stage.client("cli", 1).await;
    let id = client.begin("browser_start", json!({"lease": "timed"})).await;
    let session = browser.opens("t1.a", "about:blank").await;
    client.reply(id).await.unwrap();
    (browser, client, session.0)
}

fn fill(session: &str, request: &str) -> Value {
    json!({"action": "fill", "session": session, "target": "e1", "value": TYPED, "requestId": request})
}

fn filled() -> Acted {
    Acted {
        confirmed: vec!["value".to_owned()],
        changed: Changed {
            value: Some(TYPED.to_owned()),
            ..Changed::default()
        },
        ..Acted::default()
    }
}

/// Everything that a home holds, as text.
fn on_the_disk(stage: &Stage) -> String {
    let files = std::fs::read_dir(stage.folder.path()).unwrap();
    files
        .map(|file| String::from_utf8_lossy(&std::fs::read(file.unwrap().path()).unwrap()).into_owned())
        .collect()
}

#[test]
fn the_same_id_gets_the_first_outcome_and_acts_once() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let (mut browser, mut client, session) = begun(&stage).await;
        let id = client.begin("browser_interact", fill(&session, "r-1")).await;
        browser.shows("D", URL).await;
        browser.acts(filled()).await;
        let first = client.reply(id).await.unwrap();
        // In another order of arguments, with another deadline, by another name of the tool.
        let again = json!({"timeoutMs": 9_000, "requestId": "r-1", "value": TYPED, "target": "e1", "session": session});
        assert_eq!(client.call("browser_fill", again).await.unwrap(), first);
        // The browser heard nothing of it: the next thing it hears is another call.
        let id = client.begin("browser_interact", fill(&session, "r-2")).await;
        browser.shows("D", URL).await;
        browser.acts(filled()).await;
        client.reply(id).await.unwrap();
        let rows = stage.hub.store.audit(3).await.unwrap();
        assert_eq!(rows[1].decision, "repeated");
    });
}

#[test]
fn an_id_belongs_to_one_call_of_one_client() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let (mut browser, mut client, session) = begun(&stage).await;
        let id = client.begin("browser_interact", fill(&session, "r-1")).await;
        browser.shows("D", URL).await;
        browser.acts(filled()).await;
        client.reply(id).await.unwrap();
        let mut other = fill(&session, "r-1");
        other["value"] = json!("something else");
        let error = client.call("browser_interact", other).await.unwrap_err();
        assert_eq!((error.code, error.effect), (Code::Conflict, Some(Effect::None)));
        let mut stranger = stage.client("other", 2).await;
        let error = stranger
            .call("browser_interact", fill(&session, "r-1"))
            .await
            .unwrap_err();
        assert_eq!(error.code, Code::SessionUnknown, "another client's id is its own");
    });
}

#[test]
fn while_the_first_runs_the_second_waits_for_it() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let (mut browser, mut client, session) = begun(&stage).await;
        let first = client.begin("browser_interact", fill(&session, "r-1")).await;
        browser.shows("D", URL).await;
        let (act, asked) = browser.acting().await;
        // A connection of the same client that lost its patience.
        let mut again = stage.client("cli", 2).await;
        let second = again.begin("browser_interact", fill(&session, "r-1")).await;
        let mut short = fill(&session, "r-1");
        short["timeoutMs"] = json!(50);
        let error = client.call("browser_status", json!({})).await.err();
        assert_eq!(error, None, "other calls go on");
        let mut third = stage.client("cli", 3).await;
        let error = third.call("browser_interact", short).await.unwrap_err();
        assert_eq!((error.code, error.effect), (Code::Timeout, Some(Effect::Unknown)));
        let acted = Box::new(filled());
        let next_ref = asked.next_ref;
        browser
            .done(
                act,
                drawbridge_protocol::link::BrowserReply::Acted { acted, next_ref },
            )
            .await;
        let result = client.reply(first).await.unwrap();
        assert_eq!(again.reply(second).await.unwrap(), result);
    });
}

#[test]
fn a_call_that_did_nothing_leaves_its_id_free() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let (mut browser, mut client, session) = begun(&stage).await;
        let id = client.begin("browser_interact", fill(&session, "r-1")).await;
        browser.shows("D", URL).await;
        browser
            .fails_act(Error::new(Code::Covered, "something is in front").effect(Effect::None))
            .await;
        assert_eq!(client.reply(id).await.unwrap_err().code, Code::Covered);
        let id = client.begin("browser_interact", fill(&session, "r-1")).await;
        browser.shows("D", URL).await;
        browser.acts(filled()).await;
        client.reply(id).await.unwrap();
    });
}

#[test]
fn an_unknown_effect_is_the_outcome_of_its_id() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let (mut browser, mut client, session) = begun(&stage).await;
        let id = client.begin("browser_interact", fill(&session, "r-1")).await;
        browser.shows("D", URL).await;
        browser
            .fails_act(Error::new(Code::EffectUnknown, "nothing was seen").effect(Effect::Unknown))
            .await;
        client.reply(id).await.unwrap_err();
        let error = client
            .call("browser_interact", fill(&session, "r-1"))
            .await
            .unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::EffectUnknown, Some(Effect::Unknown))
        );
    });
}

#[test]
fn the_next_daemon_knows_the_outcome_and_nothing_that_was_typed_or_read() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let (mut browser, mut client, session) = begun(&stage).await;
        let id = client.begin("browser_interact", fill(&session, "r-1")).await;
        browser.shows("D", URL).await;
        browser.acts(filled()).await;
        let first = client.reply(id).await.unwrap();
        assert_eq!(first["changed"]["value"], TYPED);
        let id = client.begin("browser_interact", fill(&session, "r-2")).await;
        browser.shows("D", URL).await;
        let told = format!("it holds {TYPED} by now");
        let error = Error::new(Code::Unconfirmed, told)
            .effect(Effect::Committed)
            .data(json!({"actual": TYPED}));
        browser.fails_act(error).await;
        assert!(client.reply(id).await.unwrap_err().message.contains(TYPED));
        stage.hub.store.settle().await.unwrap();
        assert!(!on_the_disk(&stage).contains(TYPED), "it is on the disk");

        let next = Stage::at(stage.folder, Policy::Sandbox).await;
        let mut client = next.client("cli", 1).await;
        let again = client
            .call("browser_interact", fill(&session, "r-1"))
            .await
            .unwrap();
        assert_eq!(
            (&again["effect"], &again["confirmed"], &again["document"]),
            (&json!("committed"), &json!(["value"]), &json!("D"))
        );
        assert_eq!(again["changed"], json!({}));
        let error = client
            .call("browser_interact", fill(&session, "r-2"))
            .await
            .unwrap_err();
        assert_eq!(
            (error.code, error.effect, error.data.clone()),
            (Code::Unconfirmed, Some(Effect::Committed), None)
        );
        assert!(!error.message.contains(TYPED), "{error}");
        let mut other = fill(&session, "r-1");
        other["value"] = json!("something else");
        let error = client.call("browser_interact", other).await.unwrap_err();
        assert_eq!(error.code, Code::Conflict);
    });
}

#[test]
fn of_a_call_that_a_daemon_died_over_the_next_one_says_that_it_may_have_been_done() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let (mut browser, mut client, session) = begun(&stage).await;
        client.begin("browser_interact", fill(&session, "r-1")).await;
        browser.shows("D", URL).await;
        browser.acting().await;
        stage.hub.store.settle().await.unwrap();
        // What is on the disk at this moment is what a daemon leaves that is killed now.
        let left = tempfile::tempdir().unwrap();
        std::fs::copy(
            stage.folder.path().join("drawbridge.db"),
            left.path().join("drawbridge.db"),
        )
        .unwrap();
        let next = Stage::at(left, Policy::Sandbox).await;
        let owned = vec![drawbridge_protocol::link::OwnedTab {
            session: session.as_str().into(),
            tab: "t1.a".into(),
        }];
        let mut browser = next
            .stranger("one", drawbridge_protocol::version::PROTOCOL, owned)
            .await;
        browser.next().await;
        let mut client = next.client("cli", 1).await;
        for _ in 0..2 {
            let error = client
                .call("browser_interact", fill(&session, "r-1"))
                .await
                .unwrap_err();
            assert_eq!(
                (error.code, error.effect),
                (Code::EffectUnknown, Some(Effect::Unknown))
            );
        }
        // The first thing that this browser hears is a call with another id.
        let id = client.begin("browser_interact", fill(&session, "r-2")).await;
        browser.shows("D", URL).await;
        browser.acts(filled()).await;
        client.reply(id).await.unwrap();
    });
}

#[test]
fn what_a_page_said_is_not_told_again_once_a_grant_changed() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let (mut browser, mut client, session) = begun(&stage).await;
        let id = client.begin("browser_interact", fill(&session, "r-1")).await;
        browser.shows("D", URL).await;
        browser.acts(filled()).await;
        client.reply(id).await.unwrap();
        let off = Grant {
            subject: "cli".into(),
            action: "browser.read".into(),
            site: "shop.example".into(),
            decision: Decision::Off,
        };
        stage.hub.access.set(vec![off]).await.unwrap();
        let again = client
            .call("browser_interact", fill(&session, "r-1"))
            .await
            .unwrap();
        assert_eq!(again["effect"], "committed");
        assert!(!again.to_string().contains(TYPED), "{again}");
    });
}
