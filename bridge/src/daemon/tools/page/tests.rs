//! Waits, history and dialogs over the in-memory link.

mod history;

use std::time::Duration;

use drawbridge_protocol::act::{Dialog, DialogAnswer, DialogKind, History, Until, WaitState, Waited};
use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::local::{Decision, Grant};
use drawbridge_protocol::tools::page::Phase;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::daemon::access::Policy;
use crate::daemon::testing::{Browser, Client, Stage, run};

const URL: &str = "https://shop.example/orders";

struct Bench {
    stage: Stage,
    browser: Browser,
    client: Client,
}

impl Bench {
    async fn new() -> Self {
        let (stage, browser, client) = Stage::with_session(Policy::Sandbox).await;
        Self {
            stage,
            browser,
            client,
        }
    }

    async fn begin(&mut self, args: Value) -> CallId {
        self.client.begin("browser_page", args).await
    }

    async fn off(&self, site: &str) {
        let grant = Grant {
            subject: "cli".into(),
            action: "*".into(),
            site: site.to_owned(),
            decision: Decision::Off,
        };
        self.stage.hub.access.set(vec![grant]).await.unwrap();
    }

    async fn submits(&self, decision: Decision) {
        let grant = Grant {
            subject: "cli".into(),
            action: "browser.submit".into(),
            site: "*".to_owned(),
            decision,
        };
        self.stage.hub.access.set(vec![grant]).await.unwrap();
    }
}

fn matched(text: &str) -> Waited {
    Waited::Success {
        matched: Some(text.to_owned()),
    }
}

fn dialog() -> Dialog {
    Dialog {
        id: "d1".to_owned(),
        kind: DialogKind::Confirm,
        message: "Delete all?".to_owned(),
        default_text: None,
        answerable: true,
    }
}

#[test]
fn a_wait_goes_on_in_the_next_document_and_counts_its_whole_time() {
    run(async {
        let mut bench = Bench::new().await;
        let id = bench
            .begin(json!({"action": "wait", "textAny": ["Paid", "Sent"], "failureTextAny": ["Refused"]}))
            .await;
        bench.browser.shows("D", URL).await;
        let (document, wait) = bench.browser.waits(URL, Waited::Left).await;
        assert_eq!(
            (document.as_str(), wait.failures),
            ("D", vec!["Refused".to_owned()])
        );
        bench.browser.shows("E", URL).await;
        let (document, wait) = bench.browser.waits(URL, matched("Sent")).await;
        assert_eq!(document, "E");
        assert_eq!(
            wait.until,
            Until::Text {
                any: vec!["Paid".to_owned(), "Sent".to_owned()]
            }
        );
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(
            (
                &result["matched"],
                &result["matchedText"],
                &result["terminalState"]
            ),
            (&json!(true), &json!("Sent"), &json!("success"))
        );
        assert_eq!((&result["document"], &result["url"]), (&json!("E"), &json!(URL)));
        assert!(result["elapsedMs"].as_u64() >= Some(wait.waited_ms));
    });
}

#[test]
fn every_document_of_a_wait_needs_its_own_grant() {
    run(async {
        let mut bench = Bench::new().await;
        bench.off("other.example").await;
        let id = bench.begin(json!({"action": "wait", "text": "Paid"})).await;
        bench.browser.shows("D", URL).await;
        bench.browser.waits(URL, Waited::Left).await;
        bench.browser.shows("E", "https://other.example/").await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(error.code, Code::NotGranted);
    });
}

#[test]
fn failure_and_timeout_are_results_that_say_so() {
    run(async {
        let mut bench = Bench::new().await;
        let id = bench
            .begin(json!({"action": "wait", "text": "Paid", "failureTextAny": ["Refused"]}))
            .await;
        bench.browser.shows("D", URL).await;
        let text = "Refused".to_owned();
        bench.browser.waits(URL, Waited::Failure { text }).await;
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(
            (
                &result["matched"],
                &result["matchedText"],
                &result["terminalState"]
            ),
            (&json!(false), &json!("Refused"), &json!("failure"))
        );
        let id = bench
            .begin(json!({"action": "wait", "target": "#pay", "state": "enabled", "timeoutMs": 500}))
            .await;
        bench.browser.shows("D", URL).await;
        let nearest = Some("1 match, disabled".to_owned());
        let (_, wait) = bench.browser.waits(URL, Waited::TimedOut { nearest }).await;
        assert!(matches!(
            wait.until,
            Until::Element {
                state: WaitState::Enabled,
                ..
            }
        ));
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(
            (&result["matched"], &result["nearest"], &result["terminalState"]),
            (&json!(false), &json!("1 match, disabled"), &json!("timeout"))
        );
        // A browser that does not answer at all in time, too.
        let id = bench
            .begin(json!({"action": "wait", "text": "Paid", "timeoutMs": 100}))
            .await;
        bench.browser.shows("D", URL).await;
        let (call, _) = bench.browser.call().await;
        bench
            .browser
            .failed(call, Error::new(Code::Timeout, "the time is over"))
            .await;
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(result["terminalState"], "timeout");
    });
}

#[test]
fn a_condition_counts_only_while_the_address_is_the_one_it_was_asked_for() {
    run(async {
        let mut bench = Bench::new().await;
        let id = bench
            .begin(json!({"action": "wait", "text": "Paid", "urlIncludes": "/done"}))
            .await;
        let guard = Until::Url {
            text: "/done".to_owned(),
            exact: false,
        };
        let done = "https://shop.example/done";
        bench.browser.shows("D", URL).await;
        assert_eq!(bench.browser.waits(done, matched(done)).await.1.until, guard);
        // The text is there, and the address has moved on: it has to come back first.
        for (url, until) in [(URL, false), (done, true), (done, false)] {
            bench.browser.shows("D", url).await;
            let (_, wait) = bench.browser.waits(url, matched("Paid")).await;
            assert_eq!(wait.until == guard, until, "{url}");
        }
        assert_eq!(bench.client.reply(id).await.unwrap()["url"], done);
    });
}

#[test]
fn the_document_of_a_ref_is_part_of_what_is_waited_for() {
    run(async {
        let mut bench = Bench::new().await;
        for (state, ends) in [("detached", true), ("hidden", true), ("visible", false)] {
            let id = bench
                .begin(json!({"action": "wait", "ref": "e4", "state": state}))
                .await;
            bench.browser.shows("D", URL).await;
            bench.browser.waits(URL, Waited::Left).await;
            match bench.client.reply(id).await {
                Ok(result) => assert!(ends && result["matched"] == true, "{state}: {result}"),
                Err(error) => assert!(!ends && error.code == Code::StaleRef, "{state}: {error}"),
            }
        }
        let id = bench
            .begin(json!({"action": "wait", "text": "Paid", "document": "D"}))
            .await;
        bench.browser.shows("D", URL).await;
        bench.browser.waits(URL, Waited::Left).await;
        bench.browser.shows("E", URL).await;
        assert_eq!(bench.client.reply(id).await.unwrap_err().code, Code::StaleRef);
    });
}

#[test]
fn a_wait_outlives_its_link() {
    run(async {
        let Bench {
            stage,
            mut browser,
            mut client,
        } = Bench::new().await;
        let args = json!({"action": "wait", "text": "Paid"});
        let id = client.begin("browser_page", args).await;
        browser.shows("D", URL).await;
        let (_, call) = browser.call().await;
        assert!(matches!(call, BrowserCall::Wait { .. }));
        let session = stage.hub.sessions.all().remove(0);
        drop(browser);
        let owned = vec![drawbridge_protocol::link::OwnedTab {
            session,
            tab: "t1.a".into(),
        }];
        let mut browser = stage
            .stranger("one", drawbridge_protocol::version::PROTOCOL, owned)
            .await;
        browser.next().await;
        browser.shows("D", URL).await;
        let (document, _) = browser.waits(URL, matched("Paid")).await;
        assert_eq!(document, "D");
        assert_eq!(client.reply(id).await.unwrap()["matched"], true);
    });
}

#[test]
fn a_wait_that_reloads_does_so_between_its_looks() {
    run(async {
        let mut bench = Bench::new().await;
        let args = json!({"action": "wait", "text": "Finished", "reload": true, "reloadIntervalMs": 500});
        let id = bench.begin(args).await;
        bench.browser.shows("D", URL).await;
        let nearest = None;
        bench.browser.waits(URL, Waited::TimedOut { nearest }).await;
        bench.browser.shows("D", URL).await;
        let (call, asked) = bench.browser.call().await;
        let BrowserCall::History { go, wait_until, .. } = asked else {
            panic!("{asked:?}")
        };
        assert_eq!((go, wait_until), (History::Reload, Phase::Commit));
        bench.browser.done(call, arrived("E", URL)).await;
        bench.browser.shows("E", URL).await;
        bench.browser.waits(URL, matched("Finished")).await;
        assert_eq!(bench.client.reply(id).await.unwrap()["document"], "E");
    });
}

#[test]
fn a_wait_never_reloads_more_often_than_it_was_asked_to() {
    run(async {
        let mut bench = Bench::new().await;
        let args = json!({"action": "wait", "text": "Finished", "reload": true, "reloadIntervalMs": 500, "timeoutMs": 900});
        let id = bench.begin(args).await;
        let began = Instant::now();
        bench.browser.shows("D", URL).await;
        // A look that ends before its time is no reason to reload sooner.
        bench.browser.waits(URL, Waited::TimedOut { nearest: None }).await;
        bench.browser.shows("D", URL).await;
        let (call, asked) = bench.browser.call().await;
        assert!(matches!(asked, BrowserCall::History { .. }), "{asked:?}");
        assert!(
            began.elapsed() >= Duration::from_millis(500),
            "{:?}",
            began.elapsed()
        );
        bench.browser.done(call, arrived("E", URL)).await;
        // There is no time for another one: this look is the last, however early it ends.
        bench.browser.shows("E", URL).await;
        let nearest = Some("Finishing".to_owned());
        bench.browser.waits(URL, Waited::TimedOut { nearest }).await;
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(
            (&result["terminalState"], &result["reloads"], &result["nearest"]),
            (&json!("timeout"), &json!(1), &json!("Finishing"))
        );
    });
}

#[test]
fn a_wait_whose_time_is_over_while_it_reloads_is_a_timeout_and_counts_no_reload() {
    run(async {
        let mut bench = Bench::new().await;
        let args = json!({"action": "wait", "text": "Finished", "reload": true, "reloadIntervalMs": 500, "timeoutMs": 900});
        let id = bench.begin(args).await;
        bench.browser.shows("D", URL).await;
        bench.browser.waits(URL, Waited::TimedOut { nearest: None }).await;
        let (call, asked) = bench.browser.call().await;
        assert!(matches!(asked, BrowserCall::Document { .. }), "{asked:?}");
        let late = || Error::new(Code::Timeout, "the browser did not answer in time");
        bench.browser.failed(call, late()).await;
        let (call, asked) = bench.browser.call().await;
        assert!(matches!(asked, BrowserCall::Document { .. }), "{asked:?}");
        bench.browser.failed(call, late()).await;
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(
            (&result["terminalState"], &result["reloads"]),
            (&json!("timeout"), &json!(0))
        );
    });
}

fn arrived(document: &str, url: &str) -> BrowserReply {
    BrowserReply::Navigated {
        document: document.into(),
        url: url.to_owned(),
        phase: Phase::Load,
        timed_out: false,
        redirected: false,
        dialog: None,
    }
}

#[test]
fn a_dialog_ends_a_wait_and_is_told() {
    run(async {
        let mut bench = Bench::new().await;
        let id = bench.begin(json!({"action": "wait", "load": true})).await;
        bench.browser.shows("D", URL).await;
        let blocked = Waited::Blocked { dialog: dialog() };
        bench.browser.waits(URL, blocked).await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(error.code, Code::DialogOpen);
        assert_eq!(error.data.unwrap()["dialog"]["message"], "Delete all?");
    });
}

#[test]
fn a_wait_waits_for_one_thing() {
    run(async {
        let mut bench = Bench::new().await;
        for (args, says) in [
            (json!({}), "arguments: name nothing to wait for"),
            (json!({"load": false}), "arguments: name nothing to wait for"),
            (
                json!({"text": "a", "textGone": "b"}),
                "text: and textGone exclude each other",
            ),
            (
                json!({"load": true, "idle": 500}),
                "load: and idle exclude each other",
            ),
            (
                json!({"url": URL, "urlIncludes": "/"}),
                "url: and urlIncludes exclude each other",
            ),
            (json!({"state": "visible"}), "target: is missing, and state"),
            (json!({"textAny": vec!["x"; 21]}), "textAny: has 21 texts"),
            (json!({"text": "   "}), "text: must have 1 to"),
            (
                json!({"text": "a", "failureTextAny": [""]}),
                "failureTextAny[0]: must have 1 to",
            ),
            (json!({"idle": 1}), "idle: is 1, must be 50 to 60000"),
            (
                json!({"load": true, "reloadIntervalMs": 900}),
                "reloadIntervalMs: goes only with reload",
            ),
            (
                json!({"load": true, "reload": true, "reloadIntervalMs": 9}),
                "reloadIntervalMs: is 9",
            ),
            (
                json!({"response": {"pattern": "*", "status": 99}}),
                "response.status: is 99",
            ),
            (json!({"response": {}}), "response: pattern is missing"),
        ] {
            let mut call = args.clone();
            call["action"] = json!("wait");
            let error = bench.client.call("browser_page", call).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArgument, "{args}: {error}");
            assert!(error.message.contains(says), "{args}: {error}");
        }
    });
}
