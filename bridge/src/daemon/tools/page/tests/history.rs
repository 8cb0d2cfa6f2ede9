//! History, and dialogs in the way of it.

use super::*;

fn again() -> Error {
    Error::new(Code::NeedsApproval, "it may submit a form again")
        .data(json!({"needs": "browser.submit", "document": "D"}))
        .effect(Effect::None)
}

#[test]
fn a_form_is_submitted_again_only_where_submitting_is_allowed() {
    run(async {
        let mut bench = Bench::new().await;
        let reload = json!({"action": "reload"});
        let wait = json!({"action": "wait", "text": "Paid", "reload": true, "reloadIntervalMs": 500});
        for (decision, code) in [
            (Decision::Allow, None),
            (Decision::Ask, Some(Code::NeedsApproval)),
            (Decision::Off, Some(Code::NotGranted)),
        ] {
            bench.submits(decision).await;
            for args in [&reload, &wait] {
                let id = bench.begin(args.clone()).await;
                bench.browser.shows("D", URL).await;
                if args["action"] == "wait" {
                    bench.browser.waits(URL, Waited::TimedOut { nearest: None }).await;
                    bench.browser.shows("D", URL).await;
                }
                let (call, asked) = bench.browser.call().await;
                let BrowserCall::History { may_submit, .. } = asked else {
                    panic!("{asked:?}")
                };
                assert_eq!(may_submit, code.is_none(), "{decision:?}");
                let Some(code) = code else {
                    bench.browser.done(call, arrived("D", URL)).await;
                    if args["action"] == "wait" {
                        bench.browser.shows("D", URL).await;
                        bench.browser.waits(URL, matched("Paid")).await;
                    }
                    bench.client.reply(id).await.unwrap();
                    continue;
                };
                bench.browser.failed(call, again()).await;
                let error = bench.client.reply(id).await.unwrap_err();
                assert_eq!((error.code, error.effect), (code, Some(Effect::None)), "{args}");
                assert_eq!(error.data, Some(json!({"needs": "browser.submit"})), "{args}");
            }
        }
    });
}

#[test]
fn a_page_that_asks_before_it_is_left_was_not_left() {
    run(async {
        let mut bench = Bench::new().await;
        for kind in [DialogKind::BeforeUnload, DialogKind::Alert] {
            let open = Dialog { kind, ..dialog() };
            let id = bench.begin(json!({"action": "reload"})).await;
            bench.browser.shows("D", URL).await;
            let (call, _) = bench.browser.call().await;
            let BrowserReply::Navigated {
                document,
                url,
                phase,
                timed_out,
                redirected,
                ..
            } = arrived("D", URL)
            else {
                panic!("another reply")
            };
            let reply = BrowserReply::Navigated {
                document,
                url,
                phase,
                timed_out,
                redirected,
                dialog: Some(open),
            };
            bench.browser.done(call, reply).await;
            match bench.client.reply(id).await {
                Ok(result) => {
                    assert_eq!(kind, DialogKind::Alert);
                    assert_eq!(result["dialog"]["id"], "d1");
                }
                Err(error) => {
                    assert_eq!(kind, DialogKind::BeforeUnload);
                    assert_eq!(
                        (error.code, error.effect),
                        (Code::DialogOpen, Some(Effect::Unknown))
                    );
                    assert_eq!(error.data.unwrap()["dialog"]["id"], "d1");
                }
            }
        }
    });
}

#[test]
fn history_is_decided_for_where_it_begins_and_where_it_ends() {
    run(async {
        let mut bench = Bench::new().await;
        let id = bench
            .begin(json!({"action": "reload", "hard": true, "waitUntil": "commit"}))
            .await;
        bench.browser.shows("D", URL).await;
        let (call, asked) = bench.browser.call().await;
        let BrowserCall::History { go, wait_until, .. } = asked else {
            panic!("{asked:?}")
        };
        assert_eq!((go, wait_until), (History::HardReload, Phase::Commit));
        bench.browser.done(call, arrived("E", URL)).await;
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(
            (&result["document"], &result["effect"]),
            (&json!("E"), &json!("committed"))
        );

        bench.off("other.example").await;
        let id = bench.begin(json!({"action": "back"})).await;
        bench.browser.shows("E", URL).await;
        let (call, _) = bench.browser.call().await;
        bench
            .browser
            .done(call, arrived("F", "https://other.example/"))
            .await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::NotGranted, Some(Effect::Committed))
        );

        let id = bench.begin(json!({"action": "forward"})).await;
        bench.browser.shows("F", "https://other.example/").await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!((error.code, error.effect), (Code::NotGranted, Some(Effect::None)));

        // A page that nothing is ever done on may be left.
        let id = bench.begin(json!({"action": "back"})).await;
        bench.browser.shows("G", "chrome-error://chromewebdata/").await;
        let (call, _) = bench.browser.call().await;
        bench.browser.done(call, arrived("D", URL)).await;
        assert_eq!(bench.client.reply(id).await.unwrap()["url"], URL);
    });
}

#[test]
fn a_dialog_is_told_and_answered() {
    run(async {
        let mut bench = Bench::new().await;
        let id = bench.begin(json!({"action": "dialog"})).await;
        bench.browser.shows("D", URL).await;
        let (call, asked) = bench.browser.call().await;
        assert!(matches!(asked, BrowserCall::Dialog { answer: None, .. }));
        let open = Some(dialog());
        bench
            .browser
            .done(call, BrowserReply::Dialog { open, answered: None })
            .await;
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(
            (&result["effect"], &result["open"]["id"]),
            (&json!("none"), &json!("d1"))
        );

        let id = bench
            .begin(json!({"action": "dialog", "do": "accept", "text": "7", "dialogId": "d1"}))
            .await;
        bench.browser.shows("D", URL).await;
        let (call, asked) = bench.browser.call().await;
        let wanted = DialogAnswer {
            accept: true,
            text: Some("7".to_owned()),
            id: Some("d1".to_owned()),
        };
        assert!(
            matches!(&asked, BrowserCall::Dialog { answer: Some(answer), .. } if *answer == wanted),
            "{asked:?}"
        );
        let answered = Some(dialog());
        bench
            .browser
            .done(call, BrowserReply::Dialog { open: None, answered })
            .await;
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(
            (&result["effect"], &result["answered"]["id"]),
            (&json!("committed"), &json!("d1"))
        );

        // An answer that nobody saw arrive is not reported as one.
        let id = bench.begin(json!({"action": "dialog", "do": "dismiss"})).await;
        bench.browser.shows("D", URL).await;
        let (call, _) = bench.browser.call().await;
        let nothing = BrowserReply::Dialog {
            open: None,
            answered: None,
        };
        bench.browser.done(call, nothing).await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(error.effect, Some(Effect::Unknown));

        let error = bench
            .client
            .call(
                "browser_page",
                json!({"action": "dialog", "do": "dismiss", "text": "7"}),
            )
            .await
            .unwrap_err();
        assert!(error.message.starts_with("text: goes only with"), "{error}");
    });
}

#[test]
fn a_dialog_while_loading_is_part_of_the_result() {
    run(async {
        let mut bench = Bench::new().await;
        let id = bench.begin(json!({"action": "navigate", "url": URL})).await;
        let (call, _) = bench.browser.call().await;
        let BrowserReply::Navigated {
            document,
            url,
            timed_out,
            redirected,
            ..
        } = arrived("D", URL)
        else {
            panic!("arrived")
        };
        let reply = BrowserReply::Navigated {
            document,
            url,
            phase: Phase::Commit,
            timed_out,
            redirected,
            dialog: Some(dialog()),
        };
        bench.browser.done(call, reply).await;
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(
            (&result["effect"], &result["phase"], &result["dialog"]["kind"]),
            (&json!("committed"), &json!("commit"), &json!("confirm"))
        );
    });
}
