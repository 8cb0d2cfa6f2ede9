use drawbridge_protocol::local::{Admin, Decision, Grant};
use drawbridge_protocol::tools::session::TargetState;
use drawbridge_protocol::version::PROTOCOL;
use serde_json::{Value, json};

use super::*;
use crate::daemon::access::Policy;
use crate::daemon::testing::{Browser, Client, Stage, key_of, run};

/// A released daemon whose first browser was paired by set-up.
async fn released() -> (Stage, Browser) {
    let stage = Stage::new(Policy::Released).await;
    let mut setup = stage.client("setup", 90).await;
    let opened = setup.admin(Admin::OpenPairing).await.unwrap();
    assert_eq!(opened["state"], "open");
    let browser = stage.browser("one").await;
    assert!(stage.hub.targets.is_paired(&"one".into()));
    (stage, browser)
}

async fn echo(client: &mut Client) -> Result<Value, Error> {
    client.call("browser_targets", json!({})).await
}

/// Lets the client in as the person answers.
async fn admit(client: &mut Client, browser: &mut Browser, answer: Verdict) {
    assert_eq!(echo(client).await.unwrap_err().code, Code::NeedsApproval);
    let question = browser.asked().await;
    assert!(matches!(question.ask, Ask::Admit { .. }), "{question:?}");
    browser.decides(&question.id, answer).await;
}

async fn until_admitted(client: &mut Client) {
    for _ in 0..1_000 {
        if echo(client).await.is_ok() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("not admitted");
}

fn admitting(client: &str) -> Admin {
    Admin::Admit {
        client: client.into(),
        yes: false,
    }
}

fn allowing(site: &str) -> Admin {
    Admin::SetGrant {
        grant: Grant {
            subject: "cli".into(),
            action: "browser.read".into(),
            site: site.into(),
            decision: Decision::Allow,
        },
        yes: true,
    }
}

#[test]
fn a_person_lets_a_client_in_and_its_next_call_passes() {
    run(async {
        let (stage, mut browser) = released().await;
        let mut client = stage.client("cli", 1).await;
        admit(&mut client, &mut browser, Verdict::Allow).await;
        until_admitted(&mut client).await;
        assert!(stage.hub.access.grants().is_empty(), "every use is asked for");
    });
}

#[test]
fn a_denied_client_is_not_asked_about_again_by_its_own_calls() {
    run(async {
        let (stage, mut browser) = released().await;
        let mut client = stage.client("cli", 1).await;
        for _ in 0..3 {
            echo(&mut client).await.unwrap_err();
        }
        let question = browser.asked().await;
        browser.decides(&question.id, Verdict::Deny).await;
        // The answer is on its way: a command, which may ask, is answered after it.
        let asked = client.begin_admin(admitting("cli")).await;
        let again = browser.asked().await;
        assert_ne!(again.id, question.id);
        assert_eq!(
            echo_then(&mut client, asked, &mut browser, &again).await,
            Code::NotGranted
        );
        echo(&mut client).await.unwrap_err();
        assert!(stage.hub.approvals.open_in(&"one".into()).is_empty());
    });
}

/// Denies and takes the command's answer.
async fn echo_then(
    client: &mut Client,
    asked: drawbridge_protocol::ids::CallId,
    browser: &mut Browser,
    question: &Approval,
) -> Code {
    browser.decides(&question.id, Verdict::Deny).await;
    client.reply(asked).await.unwrap_err().code
}

#[test]
fn only_an_open_question_and_only_the_paired_browser_that_shows_it_decides() {
    run(async {
        let (stage, mut browser) = released().await;
        let mut stranger = stage.browser("two").await;
        assert!(stranger.welcome.as_ref().unwrap().unpaired);
        let mut client = stage.client("cli", 1).await;
        echo(&mut client).await.unwrap_err();
        let question = browser.asked().await;
        stranger.decides(&question.id, Verdict::AllowEverywhere).await;
        browser
            .decides(&"a-made-up".into(), Verdict::AllowEverywhere)
            .await;
        // Whatever was sent before is taken before this.
        stranger
            .send(&drawbridge_protocol::link::ToBridge::Pong { nonce: 1 })
            .await;
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!(echo(&mut client).await.unwrap_err().code, Code::NeedsApproval);
        browser.decides(&question.id, Verdict::Allow).await;
        until_admitted(&mut client).await;
        browser.decides(&question.id, Verdict::AllowEverywhere).await;
        echo(&mut client).await.unwrap();
        assert!(stage.hub.access.grants().is_empty(), "an answer counts once");
    });
}

#[test]
fn silence_is_no_answer() {
    run(async {
        let (stage, mut browser) = released().await;
        let mut client = stage.client("cli", 1).await;
        let waiting = client.begin_admin(admitting("cli")).await;
        let question = browser.asked().await;
        tokio::time::pause();
        tokio::time::advance(LIMIT + Duration::from_secs(1)).await;
        loop {
            match browser.next().await.unwrap() {
                ToExtension::Withdraw { id } => break assert_eq!(id, question.id),
                ToExtension::Ping { nonce } => {
                    browser
                        .send(&drawbridge_protocol::link::ToBridge::Pong { nonce })
                        .await;
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(client.reply(waiting).await.unwrap_err().code, Code::NeedsApproval);
        browser.decides(&question.id, Verdict::Allow).await;
        assert_eq!(echo(&mut client).await.unwrap_err().code, Code::NeedsApproval);
    });
}

#[test]
fn everywhere_leaves_sensitive_sites_and_local_addresses_out() {
    run(async {
        let (stage, mut browser) = released().await;
        let mut client = stage.client("cli", 1).await;
        admit(&mut client, &mut browser, Verdict::AllowEverywhere).await;
        until_admitted(&mut client).await;
        let at = |host: &str, local| {
            let site = crate::daemon::grants::Site {
                host: Some(host.to_owned()),
                local,
            };
            stage.hub.access.decide(&"cli".into(), "browser.read", &site)
        };
        assert_eq!(at("shop.example", false), Decision::Allow);
        assert_eq!(at("accounts.google.com", false), Decision::Ask);
        assert_eq!(at("www.paypal.com", false), Decision::Ask);
        assert_eq!(at("router", true), Decision::Ask);
    });
}

#[test]
fn a_question_survives_the_browsers_next_connection() {
    run(async {
        let (stage, mut browser) = released().await;
        let mut client = stage.client("cli", 1).await;
        echo(&mut client).await.unwrap_err();
        let question = browser.asked().await;
        let mut again = stage.browser("one").await;
        assert_eq!(again.asked().await.id, question.id);
        again.decides(&question.id, Verdict::Allow).await;
        until_admitted(&mut client).await;
    });
}

#[test]
fn without_a_paired_browser_nothing_widens() {
    run(async {
        let stage = Stage::new(Policy::Released).await;
        let _stranger = stage.browser("one").await;
        let mut client = stage.client("cli", 1).await;
        for admin in [
            admitting("cli"),
            allowing("*"),
            Admin::Pair {
                target: "one".into(),
                yes: true,
            },
        ] {
            assert_eq!(client.admin(admin).await.unwrap_err().code, Code::NeedsApproval);
        }
        assert!(stage.hub.access.grants().is_empty());
        assert_eq!(stage.hub.targets.rows()[0].state, TargetState::Unpaired);
    });
}

#[test]
fn the_wrong_secret_and_none_are_other_clients() {
    run(async {
        let (stage, mut browser) = released().await;
        let mut client = stage.client("cli", 1).await;
        admit(&mut client, &mut browser, Verdict::AllowEverywhere).await;
        until_admitted(&mut client).await;
        let stage = Stage::at(stage.folder, Policy::Released).await;
        for (secret, connection) in [(Some("another"), 2), (None, 3), (Some(""), 4)] {
            let mut other = stage.client_with("cli", secret, connection).await;
            assert_eq!(
                echo(&mut other).await.unwrap_err().code,
                Code::NeedsApproval,
                "{secret:?}"
            );
        }
        assert!(echo(&mut stage.client("cli", 5).await).await.is_ok());
        let named = stage.hub.access.clients();
        assert_eq!(named.iter().filter(|row| row.admitted).count(), 1);
    });
}

#[test]
fn another_key_under_a_paired_id_is_turned_away_and_a_stolen_one_proves_nothing() {
    run(async {
        let (stage, browser) = released().await;
        drop(browser);
        let (ours, other) = (key_of("one"), key_of("two"));
        for (key, signer, code) in [(&other, &other, Code::Conflict), (&ours, &other, Code::Unpaired)] {
            let mut copy = stage.impostor(8, "one", PROTOCOL, Vec::new(), key, signer).await;
            match copy.next().await {
                Some(ToExtension::Refused { error }) => assert_eq!(error.code, code),
                other => panic!("{other:?}"),
            }
            assert_eq!(copy.next().await, None);
        }
        assert!(stage.hub.targets.rows().is_empty());
    });
}

#[test]
fn the_pairing_window_takes_one_profile_and_stays_shut_then() {
    run(async {
        let (stage, browser) = released().await;
        let second = stage.browser("two").await;
        assert!(second.welcome.as_ref().unwrap().unpaired);
        assert!(!browser.welcome.as_ref().unwrap().unpaired);
        let mut client = stage.client("cli", 1).await;
        drop(browser);
        assert_eq!(client.admin(Admin::OpenPairing).await.unwrap()["state"], "closed");
        assert!(!stage.hub.targets.is_paired(&"two".into()));
        let error = stage.hub.targets.choose(None).unwrap_err();
        assert!(matches!(error.code, Code::Unpaired), "{error}");
    });
}

#[test]
fn a_person_confirms_a_second_profile_and_takes_it_back() {
    run(async {
        let (stage, mut first) = released().await;
        let mut second = stage.browser("two").await;
        let mut client = stage.client("cli", 1).await;
        let pairing = client
            .begin_admin(Admin::Pair {
                target: "two".into(),
                yes: false,
            })
            .await;
        let question = first.asked().await;
        assert!(matches!(question.ask, Ask::Pair { .. }));
        first.decides(&question.id, Verdict::Allow).await;
        client.reply(pairing).await.unwrap();
        assert_eq!(second.next().await, Some(ToExtension::Paired));
        assert!(stage.hub.targets.choose(Some("two")).is_ok());
        let unpair = Admin::Unpair { target: "two".into() };
        client.admin(unpair).await.unwrap();
        assert_eq!(second.next().await, None, "its link ends");
        assert!(stage.browser("two").await.welcome.unwrap().unpaired);
    });
}
