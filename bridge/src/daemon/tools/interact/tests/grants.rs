//! What a person decides about actions.

use drawbridge_protocol::act::needs;
use drawbridge_protocol::approval::{Ask, Verdict};
use drawbridge_protocol::local::{Decision, Grant};

use super::*;

/// A strict stage in which `cli` may do these things at the shop.
async fn strict(actions: &[&str]) -> Bench {
    let bench = Bench::of(Policy::Strict).await;
    grant(&bench, actions, "shop.example", Decision::Allow).await;
    bench
}

async fn grant(bench: &Bench, actions: &[&str], site: &str, decision: Decision) {
    let written = actions.iter().map(|action| Grant {
        subject: "cli".into(),
        action: (*action).to_owned(),
        site: site.to_owned(),
        decision,
    });
    bench.stage.hub.access.set(written.collect()).await.unwrap();
}

fn refused(needs: &str, document: &str) -> Error {
    undone(Code::NeedsApproval).data(json!({"needs": needs, "document": document}))
}

#[test]
fn nothing_is_done_where_acting_is_not_allowed() {
    run(async {
        let mut bench = strict(&["browser.read"]).await;
        let args = json!({"action": "click", "target": "e3"});
        let id = bench.client.begin("browser_interact", args.clone()).await;
        bench.browser.shows("D", URL).await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::NeedsApproval, Some(Effect::None))
        );
        grant(&bench, &["browser.interact"], "shop.example", Decision::Off).await;
        let id = bench.client.begin("browser_interact", args).await;
        bench.browser.shows("D", URL).await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!((error.code, error.effect), (Code::NotGranted, Some(Effect::None)));
    });
}

#[test]
fn to_look_for_an_element_in_words_is_a_read() {
    run(async {
        let mut bench = strict(&["browser.interact"]).await;
        let words = json!({"action": "click", "target": {"text": "Save"}});
        let id = bench.client.begin("browser_interact", words).await;
        bench.browser.shows("D", URL).await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(error.code, Code::NeedsApproval);
        assert!(error.message.contains("browser.read"), "{error}");
        bench
            .does(json!({"action": "click", "target": "e3"}), clicked())
            .await
            .unwrap();
    });
}

#[test]
fn a_submit_is_asked_for_by_itself_and_passes_after_the_yes() {
    run(async {
        let mut bench = strict(&["browser.read", "browser.interact"]).await;
        let args = json!({"action": "click", "target": "e3"});
        let id = bench.client.begin("browser_interact", args.clone()).await;
        bench.browser.shows("D", URL).await;
        let asked = bench.browser.fails_act(refused(needs::SUBMIT, "D")).await;
        assert_eq!((asked.act, asked.submit), (vec!["D".to_owned()], Vec::new()));
        let question = bench.browser.asked().await;
        let Ask::Use { action, site, .. } = &question.ask else {
            panic!("{question:?}")
        };
        assert_eq!(
            (action.as_str(), site.as_deref()),
            ("browser.submit", Some("shop.example"))
        );
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::NeedsApproval, Some(Effect::None))
        );
        assert_eq!(error.data, Some(json!({"needs": "browser.submit"})));

        let changes = bench.stage.hub.access.changes();
        bench.browser.decides(&question.id, Verdict::Allow).await;
        while bench.stage.hub.access.changes() == changes {
            tokio::task::yield_now().await;
        }
        let id = bench.client.begin("browser_interact", args).await;
        bench.browser.shows("D", URL).await;
        assert_eq!(bench.browser.acts(clicked()).await.submit, ["D"]);
        bench.client.reply(id).await.unwrap();
    });
}

#[test]
fn a_submit_that_is_switched_off_asks_nobody() {
    run(async {
        let mut bench = strict(&["browser.read", "browser.interact"]).await;
        grant(&bench, &["browser.submit"], "shop.example", Decision::Off).await;
        let error = bench
            .fails(
                json!({"action": "press", "target": "e3", "key": "Enter"}),
                refused(needs::SUBMIT, "D"),
            )
            .await;
        assert_eq!((error.code, error.effect), (Code::NotGranted, Some(Effect::None)));
        assert!(error.message.contains("browser.submit"), "{error}");
    });
}

#[test]
fn frames_are_acted_on_by_the_grant_of_their_own_site() {
    run(async {
        let mut bench = strict(&["browser.read", "browser.interact", "browser.submit"]).await;
        grant(&bench, &["browser.read"], "pay.example", Decision::Allow).await;
        let frames = [
            ["P", "D", "https://pay.example/card"],
            ["S", "D", "about:srcdoc"],
            ["O", "D", "https://other.example/"],
        ];
        let args = json!({"action": "click", "target": "e3"});
        let id = bench.client.begin("browser_interact", args.clone()).await;
        bench.browser.shows_frames("D", URL, &frames).await;
        let asked = bench.browser.fails_act(refused(needs::INTERACT, "P")).await;
        assert_eq!(asked.frames, ["P", "S"], "read");
        assert_eq!(asked.act, ["D", "S"], "acted on");
        assert_eq!(asked.submit, ["D", "S"], "submitted");
        let question = bench.browser.asked().await;
        let Ask::Use { action, site, .. } = &question.ask else {
            panic!("{question:?}")
        };
        assert_eq!(
            (action.as_str(), site.as_deref()),
            ("browser.interact", Some("pay.example"))
        );
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::NeedsApproval, Some(Effect::None))
        );

        // A document that the tab does not have raises no question.
        let id = bench.client.begin("browser_interact", args).await;
        bench.browser.shows_frames("D", URL, &frames).await;
        bench.browser.fails_act(refused(needs::SUBMIT, "X")).await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::PageUnreadable, Some(Effect::None))
        );
    });
}

#[test]
fn a_refusal_that_repeats_after_the_yes_ends() {
    run(async {
        let mut bench = Bench::new().await;
        let args = json!({"action": "click", "target": "e3"});
        let id = bench.client.begin("browser_interact", args).await;
        // In this sandbox all is allowed, so an extension that goes on refusing is at odds with it.
        for _ in 0..super::super::acting::ATTEMPTS {
            bench.browser.shows("D", URL).await;
            bench.browser.fails_act(refused(needs::SUBMIT, "D")).await;
        }
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::PageChanging, Some(Effect::None))
        );
    });
}

#[test]
fn an_admission_for_all_sites_does_not_allow_to_submit() {
    run(async {
        let stage = Stage::new(Policy::Strict).await;
        let mut browser = stage.browser("one").await;
        let mut client = stage.client("cli", 1).await;
        client.call("browser_status", json!({})).await.unwrap_err();
        let question = browser.asked().await;
        let before = stage.hub.access.changes();
        browser.decides(&question.id, Verdict::AllowEverywhere).await;
        while stage.hub.access.changes() == before {
            tokio::task::yield_now().await;
        }
        let granted: Vec<String> = stage
            .hub
            .access
            .grants()
            .into_iter()
            .filter(|grant| grant.decision == Decision::Allow)
            .map(|grant| grant.action)
            .collect();
        assert_eq!(granted, ["browser.read", "browser.interact", "browser.list"]);
    });
}
