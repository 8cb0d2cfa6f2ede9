use drawbridge_protocol::approval::Verdict;
use drawbridge_protocol::ids::SessionId;
use drawbridge_protocol::link::{BrowserCall, BrowserReply, BrowserTab, Place};
use drawbridge_protocol::local::{Admin, Decision, Grant};
use drawbridge_protocol::tools::tabs::Lifecycle;
use serde_json::json;

use super::*;
use crate::daemon::access::Policy;
use crate::daemon::testing::{Browser, Client, Stage, run};

async fn stage() -> (Stage, Browser, Client) {
    let stage = Stage::new(Policy::Sandbox).await;
    let browser = stage.browser("one").await;
    let client = stage.client("cli", 1).await;
    (stage, browser, client)
}

fn recipe() -> Value {
    json!({
        "version": 1, "name": "orders", "description": "reads orders", "origin": "https://shop.example",
        "urlTemplate": "https://shop.example/orders", "ready": "main", "rows": "li", "limit": 10, "maxPages": 1,
        "fields": [{"name": "title", "read": "text", "required": true}]
    })
}

async fn started(browser: &mut Browser, client: &mut Client, args: Value, tab: &str) -> SessionId {
    let id = client.begin("browser_start", args).await;
    let session = browser.opens(tab, "about:blank").await;
    let result = client.reply(id).await.unwrap();
    assert_eq!(result["session"], session.as_str());
    session
}

async fn codes(stage: &Stage) -> Vec<(String, String)> {
    let rows = stage.hub.store.audit(20).await.unwrap();
    rows.into_iter()
        .map(|row| (row.decision, row.code.unwrap_or_default()))
        .collect()
}

#[test]
fn strangers_get_nothing() {
    run(async {
        for policy in [Policy::Released, Policy::Strict] {
            let stage = Stage::new(policy).await;
            let browser = stage.browser("one").await;
            let mut client = stage.client("cli", 1).await;
            for tool in ["browser_status", "browser_targets", "browser_echo", "nonsense"] {
                let error = client.call(tool, json!({})).await.unwrap_err();
                assert_eq!(error.code, Code::NeedsApproval, "{tool}");
                let text = serde_json::to_string(&error).unwrap();
                assert!(!text.contains("profile") && !text.contains("one\""), "{text}");
            }
            assert!(
                codes(&stage)
                    .await
                    .iter()
                    .all(|(decision, _)| decision == "unadmitted")
            );
            drop(browser);
        }
    });
}

#[test]
fn a_released_build_takes_no_yes() {
    run(async {
        let stage = Stage::new(Policy::Released).await;
        let mut client = stage.client("cli", 1).await;
        let admit = Admin::Admit {
            client: "cli".into(),
            yes: true,
        };
        assert_eq!(client.admin(admit).await.unwrap_err().code, Code::NeedsApproval);
        let grant = |decision| Grant {
            subject: "cli".into(),
            action: "*".into(),
            site: "*".into(),
            decision,
        };
        let set = |decision| Admin::SetGrant {
            grant: grant(decision),
            yes: true,
        };
        assert_eq!(
            client.admin(set(Decision::Allow)).await.unwrap_err().code,
            Code::NeedsApproval
        );
        assert!(client.admin(set(Decision::Off)).await.is_ok());
        for private in [Admin::Links, Admin::Audit { limit: 1 }] {
            assert_eq!(client.admin(private).await.unwrap_err().code, Code::NeedsApproval);
        }
    });
}

#[test]
fn in_a_strict_sandbox_a_person_admits_and_grants() {
    run(async {
        let stage = Stage::new(Policy::Strict).await;
        let mut browser = stage.browser("one").await;
        let mut client = stage.client("cli", 1).await;
        let admitting = client
            .begin_admin(Admin::Admit {
                client: "cli".into(),
                yes: false,
            })
            .await;
        let question = browser.asked().await;
        browser.decides(&question.id, Verdict::Deny).await;
        let refused = client.reply(admitting).await.unwrap_err();
        assert_eq!(refused.code, Code::NotGranted);
        client
            .admin(Admin::Admit {
                client: "cli".into(),
                yes: true,
            })
            .await
            .unwrap();
        let error = client
            .call("browser_extract", json!({"recipe": recipe()}))
            .await
            .unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::NeedsApproval, Some(Effect::None))
        );
        let grant = Grant {
            subject: "cli".into(),
            action: "browser.read".into(),
            site: "shop.example".into(),
            decision: Decision::Allow,
        };
        client.admin(Admin::SetGrant { grant, yes: true }).await.unwrap();
        let id = client.begin("browser_extract", json!({"recipe": recipe()})).await;
        let (call, asked) = browser.call().await;
        assert!(matches!(asked, BrowserCall::Recipe { .. }));
        browser.failed(call, Error::new(Code::PageUnreadable, "no")).await;
        assert_eq!(client.reply(id).await.unwrap_err().code, Code::PageUnreadable);
        assert_eq!(
            codes(&stage).await[0],
            ("allow".to_owned(), "page_unreadable".to_owned())
        );
    });
}

#[test]
fn wrong_arguments_reach_no_browser() {
    run(async {
        let (_stage, mut browser, mut client) = stage().await;
        let mut blank = recipe();
        blank["fields"][0]["name"] = json!("1");
        let mut elsewhere = recipe();
        elsewhere["urlTemplate"] = json!("https://other.example/");
        let cases = [
            (
                "browser_extract",
                json!({"recipe": blank}),
                Code::InvalidArgument,
                "recipe.fields[0].name",
            ),
            (
                "browser_extract",
                json!({"recipe": elsewhere}),
                Code::InvalidArgument,
                "recipe.urlTemplate",
            ),
            (
                "browser_extract",
                json!({"recipe": recipe(), "inputs": {"x": 1}}),
                Code::InvalidArgument,
                "inputs.x",
            ),
            (
                "browser_extract",
                json!({"recipe": recipe(), "timeoutMs": 0}),
                Code::InvalidArgument,
                "timeoutMs",
            ),
            (
                "browser_selectors",
                json!({"url": "chrome://settings"}),
                Code::NavigationBlocked,
                "url",
            ),
            (
                "browser_selectors",
                json!({"url": "https://a.example", "tab": "t1"}),
                Code::InvalidArgument,
                "url",
            ),
            (
                "browser_selectors",
                json!({"url": "https://a.example", "scope": "a["}),
                Code::InvalidArgument,
                "scope",
            ),
            (
                "browser_session",
                json!({"action": "start", "leaseMs": 5}),
                Code::InvalidArgument,
                "leaseMs",
            ),
            (
                "browser_tabs",
                json!({"limit": 201}),
                Code::InvalidArgument,
                "limit",
            ),
            (
                "browser_page",
                json!({"action": "fly"}),
                Code::InvalidArgument,
                "action",
            ),
            (
                "browser_page",
                json!({"action": "navigate", "url": "https://a.example", "x": 1}),
                Code::InvalidArgument,
                "x",
            ),
        ];
        for (tool, args, code, path) in cases {
            let error = client.call(tool, args.clone()).await.unwrap_err();
            assert_eq!(error.code, code, "{tool} {args}: {error}");
            assert!(error.message.contains(path), "{tool} {args}: {error}");
        }
        let id = client.begin("browser_echo", json!({"text": "x"})).await;
        let (call, asked) = browser.call().await;
        assert!(
            matches!(asked, BrowserCall::Echo { .. }),
            "the first call that got through: {asked:?}"
        );
        browser
            .done(
                call,
                BrowserReply::Echo {
                    text: "x".into(),
                    fill: String::new(),
                },
            )
            .await;
        assert_eq!(client.reply(id).await.unwrap(), json!({"text": "x"}));
    });
}

#[test]
fn a_revoke_stops_a_running_read() {
    run(async {
        let (stage, mut browser, mut client) = stage().await;
        let mut other = stage.client("person", 2).await;
        let id = client.begin("browser_extract", json!({"recipe": recipe()})).await;
        let (call, _) = browser.call().await;
        let elsewhere = Admin::RevokeGrant {
            subject: "cli".into(),
            action: "browser.read".into(),
            site: Some("other.example".into()),
        };
        other.admin(elsewhere).await.unwrap();
        let here = Admin::RevokeGrant {
            subject: "cli".into(),
            action: "browser.read".into(),
            site: None,
        };
        other.admin(here).await.unwrap();
        browser.cancelled(call).await;
        browser
            .failed(call, Error::new(Code::Cancelled, "tab closed"))
            .await;
        assert_eq!(client.reply(id).await.unwrap_err().code, Code::NotGranted);
        let error = client
            .call("browser_extract", json!({"recipe": recipe()}))
            .await
            .unwrap_err();
        assert_eq!(error.code, Code::NotGranted, "and the next one does not start");
    });
}

#[test]
fn a_cancelled_call_answers_once_the_browser_is_clean() {
    run(async {
        let (_stage, mut browser, mut client) = stage().await;
        let id = client.begin("browser_extract", json!({"recipe": recipe()})).await;
        let (call, _) = browser.call().await;
        client.cancel(id).await;
        browser.cancelled(call).await;
        browser
            .failed(call, Error::new(Code::Cancelled, "tab closed"))
            .await;
        assert_eq!(client.reply(id).await.unwrap_err().code, Code::Cancelled);
    });
}

#[test]
fn a_cancel_right_behind_its_call_is_not_lost() {
    run(async {
        let (_stage, _browser, mut client) = stage().await;
        let id = client.begin("browser_echo", json!({"waitMs": 60_000})).await;
        client.cancel(id).await;
        assert_eq!(client.reply(id).await.unwrap_err().code, Code::Cancelled);
    });
}

#[test]
fn a_client_that_leaves_takes_its_calls_and_attached_sessions_along() {
    run(async {
        let (stage, mut browser, mut client) = stage().await;
        let session = started(&mut browser, &mut client, json!({}), "t1.a").await;
        client.begin("browser_echo", json!({"waitMs": 60_000})).await;
        let (call, _) = browser.call().await;
        drop(client);
        browser.cancelled(call).await;
        browser.failed(call, Error::new(Code::Cancelled, "stopped")).await;
        browser.ends(&session, &["t1.a"]).await;
        stage.hub.calls.drained(|_| true).await;
        while !stage.hub.sessions.all().is_empty() {
            stage.hub.sessions.changed().await;
        }
    });
}

#[test]
fn a_start_whose_client_leaves_ends_the_session_it_opened() {
    run(async {
        let (stage, mut browser, mut client) = stage().await;
        client.begin("browser_start", json!({})).await;
        let (call, asked) = browser.call().await;
        let BrowserCall::OpenTab { session, .. } = asked else {
            panic!("{asked:?}")
        };
        drop(client);
        browser.cancelled(call).await;
        let opened = BrowserReply::Opened {
            tab: "t1.a".into(),
            url: "about:blank".into(),
            phase: drawbridge_protocol::tools::page::Phase::Load,
        };
        browser.done(call, opened).await;
        browser.ends(&session, &["t1.a"]).await;
        stage.hub.calls.drained(|_| true).await;
        assert!(stage.hub.sessions.all().is_empty());
    });
}

#[test]
fn sessions_belong_to_their_client_alone() {
    run(async {
        let (stage, mut browser, mut mine) = stage().await;
        let mut other = stage.client("mcp", 2).await;
        let mut again = stage.client("cli", 3).await;
        let session = started(&mut browser, &mut mine, json!({}), "t1.a").await;
        for thief in [&mut other, &mut again] {
            for args in [json!({"session": session, "tab": "t1.a"}), json!({"tab": "t1.a"})] {
                let error = thief.call("browser_close_tab", args).await.unwrap_err();
                assert_eq!(error.code, Code::SessionUnknown);
            }
            let error = thief
                .call("browser_stop", json!({"session": session}))
                .await
                .unwrap_err();
            assert_eq!(error.code, Code::SessionUnknown);
            assert_eq!(
                thief.call("browser_sessions", json!({})).await.unwrap(),
                json!({"sessions": []})
            );
        }
        let id = mine.begin("browser_stop", json!({})).await;
        browser.ends(&session, &["t1.a"]).await;
        let stopped = mine.reply(id).await.unwrap();
        assert_eq!(
            stopped,
            json!({"session": session, "closed": ["t1.a"], "alreadyClosed": false})
        );
        let stopped = mine
            .call("browser_stop", json!({"session": session}))
            .await
            .unwrap();
        assert_eq!(stopped["alreadyClosed"], true);
    });
}

#[test]
fn a_timed_session_outlives_its_client_and_the_daemon_and_ends_in_quiet() {
    run(async {
        let (first, mut browser, mut client) = stage().await;
        let args = json!({"lease": "timed", "leaseMs": 1_500});
        let session = started(&mut browser, &mut client, args, "t1.a").await;
        drop((client, browser));
        let attached = {
            let mut browser = first.browser("one").await;
            let mut client = first.client("cli", 4).await;
            assert_eq!(
                browser.welcome.take().unwrap().live_sessions,
                std::slice::from_ref(&session)
            );
            started(&mut browser, &mut client, json!({}), "t2.a").await
        };
        // The first daemon dies here, without a word to anybody.
        let second = Stage::at(first.folder, Policy::Sandbox).await;
        let owned = drawbridge_protocol::link::OwnedTab {
            tab: "t1.a".into(),
            session: session.clone(),
        };
        let mut browser = second.stranger("one", 1, vec![owned]).await;
        let Some(drawbridge_protocol::link::ToExtension::Welcome(welcome)) = browser.next().await else {
            panic!("no welcome")
        };
        assert_eq!(welcome.live_sessions, std::slice::from_ref(&session));
        let mut client = second.client("cli", 1).await;
        let listed = client.call("browser_sessions", json!({})).await.unwrap();
        assert_eq!(listed["sessions"][0]["tabs"], json!(["t1.a"]));
        let stopped = client
            .call("browser_stop", json!({"session": attached}))
            .await
            .unwrap();
        assert_eq!(stopped["alreadyClosed"], true);
        let hub = Rc::clone(&second.hub);
        tokio::task::spawn_local(async move { hub.reap().await });
        browser.ends(&session, &["t1.a"]).await;
    });
}

#[test]
fn a_read_in_a_tab_is_granted_for_the_document_that_is_there() {
    run(async {
        let (_stage, mut browser, mut client) = stage().await;
        started(&mut browser, &mut client, json!({}), "t1.a").await;
        let revoke = Admin::RevokeGrant {
            subject: "cli".into(),
            action: "browser.read".into(),
            site: Some("bank.example".into()),
        };
        client.admin(revoke).await.unwrap();
        let id = client.begin("browser_inspect", json!({"action": "text"})).await;
        browser.shows("d1", "https://bank.example/").await;
        assert_eq!(client.reply(id).await.unwrap_err().code, Code::NotGranted);

        let id = client.begin("browser_inspect", json!({"action": "text"})).await;
        browser.shows("d2", "https://shop.example/").await;
        let (call, asked) = browser.call().await;
        let BrowserCall::Read {
            place: Place::Tab { document, .. },
            ..
        } = asked
        else {
            panic!("{asked:?}")
        };
        assert_eq!(document.as_str(), "d2");
        // The page moves on to the other site: the grant is asked for that one.
        browser
            .failed(call, Error::new(Code::StaleRef, "another document"))
            .await;
        browser.shows("d3", "https://bank.example/").await;
        assert_eq!(client.reply(id).await.unwrap_err().code, Code::NotGranted);

        let id = client.begin("browser_inspect", json!({"action": "text"})).await;
        browser.shows("d4", "chrome://settings/").await;
        assert_eq!(client.reply(id).await.unwrap_err().code, Code::PageUnreadable);
    });
}

#[test]
fn a_redirect_to_a_site_that_is_off_is_no_success() {
    run(async {
        let (_stage, mut browser, mut client) = stage().await;
        let session = started(&mut browser, &mut client, json!({}), "t1.a").await;
        let revoke = Admin::RevokeGrant {
            subject: "cli".into(),
            action: "browser.interact".into(),
            site: Some("bank.example".into()),
        };
        client.admin(revoke).await.unwrap();
        let error = client
            .call("browser_navigate", json!({"url": "https://bank.example/"}))
            .await
            .unwrap_err();
        assert_eq!((error.code, error.effect), (Code::NotGranted, Some(Effect::None)));
        let id = client
            .begin("browser_new_tab", json!({"url": "https://shop.example/"}))
            .await;
        assert_eq!(browser.opens("t2.a", "https://bank.example/").await, session);
        let error = client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::NotGranted, Some(Effect::Committed))
        );
        assert_eq!(error.data, Some(json!({"tab": "t2.a"})));
    });
}

#[test]
fn titles_of_user_tabs_need_a_grant_and_match_nothing_without() {
    run(async {
        let (stage, mut browser, mut client) = stage().await;
        let session = started(&mut browser, &mut client, json!({}), "t1.a").await;
        let mut other = stage.client("mcp", 2).await;
        let tab = |id: &str, session: Option<&SessionId>, title: &str| BrowserTab {
            tab: id.into(),
            window: 1,
            index: 0,
            active: false,
            lifecycle: Lifecycle::Active,
            session: session.cloned(),
            title: title.into(),
            url: format!("https://{title}.example/"),
        };
        let tabs = || BrowserReply::Tabs {
            tabs: vec![
                tab("t1.a", Some(&session), "Mine"),
                tab("t5.a", None, "secret"),
                tab("t6.a", None, "news"),
            ],
        };
        let id = client.begin("browser_tabs", json!({"query": "SECRET"})).await;
        let (call, _) = browser.call().await;
        browser.done(call, tabs()).await;
        let listed = client.reply(id).await.unwrap();
        assert_eq!(listed["tabs"][0]["title"], "secret");
        assert_eq!(
            (&listed["totalTabs"], &listed["matchedTabs"]),
            (&json!(3), &json!(1))
        );
        for client in ["cli", "mcp"] {
            let revoke = Admin::RevokeGrant {
                subject: client.into(),
                action: "browser.list".into(),
                site: None,
            };
            other.admin(revoke).await.unwrap();
        }
        for (client, owned) in [(&mut client, 1), (&mut other, 0)] {
            let id = client.begin("browser_tabs", json!({"limit": 2})).await;
            let (call, _) = browser.call().await;
            browser.done(call, tabs()).await;
            let listed = client.reply(id).await.unwrap();
            let rows = listed["tabs"].as_array().unwrap();
            assert_eq!(rows.iter().filter(|row| row["owner"] == "owned").count(), owned);
            assert_eq!(
                rows.iter().filter(|row| row.get("title").is_some()).count(),
                owned
            );
            assert_eq!(
                (&listed["omittedTabs"], &listed["matchedTabs"]),
                (&json!(1), &json!(3))
            );
            let id = client.begin("browser_tabs", json!({"query": "secret"})).await;
            let (call, _) = browser.call().await;
            browser.done(call, tabs()).await;
            assert_eq!(client.reply(id).await.unwrap()["matchedTabs"], 0);
        }
    });
}

#[test]
fn a_target_is_chosen_or_asked_for() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let mut client = stage.client("cli", 1).await;
        let error = client.call("browser_echo", json!({})).await.unwrap_err();
        assert_eq!(error.code, Code::NotConnected);
        let status = client.call("browser_status", json!({})).await.unwrap();
        assert_eq!(
            (&status["connected"], &status["issues"][0]["id"]),
            (&json!(false), &json!("no_browser"))
        );
        let mut one = stage.browser("one").await;
        let two = stage.browser("two").await;
        let error = client.call("browser_echo", json!({})).await.unwrap_err();
        assert_eq!(error.code, Code::TargetRequired);
        let expected =
            json!({"targets": [{"id": "one", "name": "profile"}, {"id": "two", "name": "profile 2"}]});
        assert_eq!(error.data, Some(expected));
        let error = client
            .call("browser_echo", json!({"target": "three"}))
            .await
            .unwrap_err();
        assert_eq!(error.code, Code::TargetUnavailable);
        let id = client.begin("browser_status", json!({"target": "profile"})).await;
        let (call, _) = one.call().await;
        one.done(
            call,
            BrowserReply::Echo {
                text: String::new(),
                fill: String::new(),
            },
        )
        .await;
        let status = client.reply(id).await.unwrap();
        assert_eq!(status["connected"], true);
        assert!(status.to_string().len() <= 400, "{}", status.to_string().len());
        drop(two);
    });
}

#[test]
fn every_call_leaves_one_audit_row_without_its_arguments() {
    run(async {
        let (stage, mut browser, mut client) = stage().await;
        let id = client.begin("browser_echo", json!({"text": "hush"})).await;
        let (call, _) = browser.call().await;
        let rows = stage.hub.store.audit(10).await.unwrap();
        assert_eq!(
            (rows.len(), rows[0].code.clone()),
            (1, None),
            "written before the browser is asked"
        );
        browser
            .done(
                call,
                BrowserReply::Echo {
                    text: "hush".into(),
                    fill: String::new(),
                },
            )
            .await;
        client.reply(id).await.unwrap();
        client.call("browser_echo", json!({"no": 1})).await.unwrap_err();
        client.call("hush", json!({})).await.unwrap_err();
        let rows = stage.hub.store.audit(10).await.unwrap();
        let seen: Vec<_> = rows
            .iter()
            .map(|row| (row.tool.as_str(), row.code.as_deref().unwrap()))
            .collect();
        assert_eq!(
            seen,
            [
                ("?", "invalid_argument"),
                ("browser_echo", "invalid_argument"),
                ("browser_echo", "ok")
            ]
        );
        assert!(!serde_json::to_string(&rows).unwrap().contains("hush"));
    });
}
