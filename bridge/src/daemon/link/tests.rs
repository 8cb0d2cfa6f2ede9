use drawbridge_protocol::link::ToBridge;
use drawbridge_protocol::tools::session::TargetState;

use tokio::task::JoinHandle;

use super::*;
use crate::daemon::access::Policy;
use crate::daemon::testing::{Browser, Stage, run};

fn echo() -> BrowserCall {
    BrowserCall::Echo {
        text: "x".into(),
        fill: 0,
        wait_ms: 0,
    }
}

fn open_tab() -> BrowserCall {
    BrowserCall::CloseTab {
        session: "s-1".into(),
        tab: "t1.a".into(),
    }
}

fn echoed() -> BrowserReply {
    BrowserReply::Echo {
        text: "x".into(),
        fill: String::new(),
    }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

/// Starts a call on a task and returns it with its token.
fn begin(stage: &Stage, call: BrowserCall, deadline: Instant) -> (JoinHandle<Answered>, CancellationToken) {
    let link = stage.hub.targets.choose(None).unwrap().link;
    let cancel = CancellationToken::new();
    let token = cancel.clone();
    (
        tokio::task::spawn_local(async move { link.call(call, deadline, &token).await }),
        cancel,
    )
}

async fn stage() -> (Stage, Browser) {
    let stage = Stage::new(Policy::Sandbox).await;
    let browser = stage.browser("one").await;
    (stage, browser)
}

#[test]
fn replies_find_their_calls_in_any_order() {
    run(async {
        let (stage, mut browser) = stage().await;
        let (first, _) = begin(&stage, echo(), soon());
        let (second, _) = begin(&stage, BrowserCall::ListTabs, soon());
        let (id1, _) = browser.call().await;
        let (id2, _) = browser.call().await;
        browser.done(id2, BrowserReply::Tabs { tabs: vec![] }).await;
        browser.done(id1, echoed()).await;
        assert_eq!(first.await.unwrap().unwrap().0, echoed());
        assert_eq!(
            second.await.unwrap().unwrap().0,
            BrowserReply::Tabs { tabs: vec![] }
        );
    });
}

#[test]
fn a_cancelled_call_waits_for_the_browser_to_clean_up() {
    run(async {
        let (stage, mut browser) = stage().await;
        let (call, cancel) = begin(&stage, echo(), soon());
        let (id, _) = browser.call().await;
        cancel.cancel();
        browser.cancelled(id).await;
        assert!(!call.is_finished());
        browser.failed(id, Error::new(Code::Cancelled, "closed")).await;
        assert_eq!(call.await.unwrap().unwrap_err().message, "closed");
    });
}

#[test]
fn a_browser_that_ignores_a_deadline_is_not_waited_for() {
    run(async {
        let (stage, mut browser) = stage().await;
        let (call, _) = begin(&stage, open_tab(), Instant::now() + Duration::from_millis(500));
        let (id, _) = browser.call().await;
        let error = call.await.unwrap().unwrap_err();
        assert_eq!((error.code, error.effect), (Code::Timeout, Some(Effect::Unknown)));
        browser.cancelled(id).await;
        browser.done(id, BrowserReply::Closed).await;
        let (next, _) = begin(&stage, echo(), soon());
        let (id, _) = browser.call().await;
        browser.done(id, echoed()).await;
        assert!(next.await.unwrap().is_ok(), "a late reply disturbs nothing");
    });
}

#[test]
fn a_lost_link_ends_what_it_waited_for_and_says_what_may_have_changed() {
    run(async {
        let (stage, mut browser) = stage().await;
        let (change, _) = begin(&stage, open_tab(), soon());
        let (read, _) = begin(&stage, echo(), soon());
        browser.call().await;
        browser.call().await;
        drop(browser);
        let change = change.await.unwrap().unwrap_err();
        assert_eq!(
            (change.code, change.effect),
            (Code::NotConnected, Some(Effect::Unknown))
        );
        let read = read.await.unwrap().unwrap_err();
        assert_eq!((read.code, read.effect), (Code::NotConnected, None));
        assert_eq!(
            stage.hub.targets.choose(None).unwrap_err().code,
            Code::NotConnected
        );
    });
}

#[test]
fn a_newer_link_replaces_the_older_and_outlives_its_end() {
    run(async {
        let (stage, mut old) = stage().await;
        let (call, _) = begin(&stage, echo(), soon());
        old.call().await;
        let mut new = stage.browser("one").await;
        assert_eq!(call.await.unwrap().unwrap_err().code, Code::NotConnected);
        assert_eq!(old.next().await, None);
        drop(old);
        let row = &stage.hub.targets.rows()[0];
        assert_eq!((row.generation, row.state), (2, TargetState::Connected));
        let (call, _) = begin(&stage, echo(), soon());
        let (id, _) = new.call().await;
        new.done(id, echoed()).await;
        assert!(call.await.unwrap().is_ok());
    });
}

#[test]
fn names_are_unique_and_stay_with_their_profile() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let first = stage.browser("one").await;
        let second = stage.browser("two").await;
        assert_eq!(first.welcome.unwrap().name, "profile");
        assert_eq!(second.welcome.unwrap().name, "profile 2");
        let stage = Stage::at(stage.folder, Policy::Sandbox).await;
        assert_eq!(stage.browser("two").await.welcome.unwrap().name, "profile 2");
    });
}

#[test]
fn an_extension_outside_the_range_is_told_which_side_to_update() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        for (protocol, side) in [(0, "update the extension"), (99, "update the bridge")] {
            let mut browser = stage.stranger("one", protocol, Vec::new()).await;
            let Some(ToExtension::Refused { error }) = browser.next().await else {
                panic!("not refused")
            };
            assert_eq!(
                (error.code, error.hint.as_deref()),
                (Code::VersionMismatch, Some(side))
            );
            assert!(
                error.message.contains(crate::versions::build()),
                "{}",
                error.message
            );
            assert_eq!(browser.next().await, None);
        }
        assert!(stage.hub.targets.rows().is_empty());
    });
}

#[test]
fn a_message_out_of_turn_ends_the_link() {
    run(async {
        let (_stage, mut browser) = stage().await;
        browser.send(&"nonsense").await;
        match browser.next().await {
            Some(ToExtension::Refused { error }) => assert_eq!(error.code, Code::InvalidArgument),
            other => panic!("{other:?}"),
        }
        assert_eq!(browser.next().await, None);
    });
}

#[test]
fn a_silent_link_ends_and_a_living_one_does_not() {
    run(async {
        let (_stage, mut browser) = stage().await;
        tokio::time::pause();
        for _ in 0..10 {
            let Some(ToExtension::Ping { nonce }) = browser.next().await else {
                panic!("no ping")
            };
            browser.send(&ToBridge::Pong { nonce }).await;
        }
        let silent = Instant::now();
        while browser.next().await.is_some() {}
        let took = silent.elapsed();
        assert!(
            took >= PONG_LIMIT && took <= PONG_LIMIT + 2 * PING_EVERY,
            "{took:?}"
        );
    });
}

#[test]
fn large_messages_come_in_parts() {
    run(async {
        let (stage, mut browser) = stage().await;
        let text = "é".repeat(2_000_000);
        let call = BrowserCall::Echo {
            text: text.clone(),
            fill: 0,
            wait_ms: 0,
        };
        let (call, _) = begin(&stage, call, soon());
        let (id, BrowserCall::Echo { text: got, .. }) = browser.call().await else {
            panic!("no echo")
        };
        assert!(got == text);
        browser.done(id, echoed()).await;
        assert!(call.await.unwrap().is_ok());
    });
}

#[test]
fn another_browser_does_not_take_the_seat_of_one_that_is_alive() {
    run(async {
        let (stage, mut browser) = stage().await;
        let mut copy = stage.process(8, "one", PROTOCOL, Vec::new()).await;
        match browser.next().await {
            Some(ToExtension::Ping { nonce }) => browser.send(&ToBridge::Pong { nonce }).await,
            other => panic!("{other:?}"),
        }
        match copy.next().await {
            Some(ToExtension::Refused { error }) => assert_eq!(error.code, Code::Conflict),
            other => panic!("{other:?}"),
        }
        assert_eq!(copy.next().await, None, "its link is closed");
        let (call, _) = begin(&stage, echo(), soon());
        let (id, _) = browser.call().await;
        browser.done(id, echoed()).await;
        assert!(call.await.unwrap().is_ok(), "calls go where they went");
        assert_eq!(stage.hub.targets.rows()[0].generation, 1);
    });
}

#[test]
fn another_browser_takes_the_seat_of_one_that_is_dead() {
    run(async {
        let (stage, _silent) = stage().await;
        let mut next = stage.process(8, "one", PROTOCOL, Vec::new()).await;
        assert!(matches!(next.next().await, Some(ToExtension::Welcome(_))));
        assert_eq!(stage.hub.targets.rows()[0].generation, 2);
    });
}
