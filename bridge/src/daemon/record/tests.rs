use drawbridge_protocol::link::ToBridge;
use serde_json::json;
use tokio::time::{Instant, timeout};

use super::super::access::Policy;
use super::super::testing::{Browser, Stage, run};
use super::*;

/// The next end that a browser is told; pings are answered on the way.
async fn told(browser: &mut Browser) -> RecordEnd {
    loop {
        match browser.next().await.unwrap() {
            ToExtension::Record { home, end } => {
                assert_eq!(home, "home");
                return end;
            }
            ToExtension::Ping { nonce } => browser.send(&ToBridge::Pong { nonce }).await,
            other => panic!("{other:?}"),
        }
    }
}

async fn says(browser: &mut Browser, home: &str, end: Option<RecordEnd>) {
    let home = home.to_owned();
    browser.send(&ToBridge::Record { home, end }).await;
}

fn calls(stage: &Stage) -> impl Future<Output = ()> {
    let client = stage.client("c", 1);
    async {
        client.await.call("browser_sessions", json!({})).await.unwrap();
    }
}

#[test]
fn a_browser_is_told_after_it_said_what_it_has_and_at_most_every_few_seconds() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let mut browser = stage.browser("one").await;
        assert_eq!(browser.welcome.as_ref().unwrap().home.as_deref(), Some("home"));
        tokio::task::spawn_local(mirror(Rc::clone(&stage.hub)));
        calls(&stage).await;
        says(&mut browser, "another", None).await;
        says(&mut browser, "home", None).await;
        let first = told(&mut browser).await;
        let began = Instant::now();
        let mut last = first.clone();
        let mut words = 0;
        for _ in 0..20 {
            calls(&stage).await;
        }
        let head = stage.hub.store.audit_head().await.unwrap();
        while last.seq < head.seq.unsigned_abs() {
            last = told(&mut browser).await;
            words += 1;
        }
        // One at once, one per pause.
        let pauses = began.elapsed().as_secs() / EVERY.as_secs();
        assert!(words <= pauses + 2, "{words} words in {:?}", began.elapsed());
        assert_eq!(stage.hub.record.changed(&stage.hub).await, None);
        // Nothing is said while nothing is recorded.
        assert!(timeout(EVERY * 2, told(&mut browser)).await.is_err());
    });
}

#[test]
fn an_end_that_the_record_does_not_go_through_is_an_issue_until_the_record_begins_anew() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        calls(&stage).await;
        let mut browser = stage.browser("one").await;
        let foreign = RecordEnd {
            seq: 400,
            hash: "ab".to_owned(),
        };
        says(&mut browser, "home", Some(foreign.clone())).await;
        // The answer to it is none: what it remembers stays.
        let silent = timeout(EVERY, told(&mut browser)).await;
        assert!(silent.is_err(), "{silent:?}");
        let issue = stage.hub.record.issue(&stage.hub).await.unwrap();
        assert_eq!(issue.id, "audit_changed");
        assert!(issue.repair.contains("row 400"), "{issue:?}");
        let checked = stage.hub.record.verify(&stage.hub).await.unwrap();
        assert!(!checked.intact);

        stage.hub.record.delete(&stage.hub).await.unwrap();
        let end = told(&mut browser).await;
        assert!(end.seq > foreign.seq, "{end:?}");
        assert_eq!(stage.hub.record.issue(&stage.hub).await, None);
        // Also for one that remembers it and comes later.
        let mut later = stage.browser("two").await;
        says(&mut later, "home", Some(foreign)).await;
        told(&mut later).await;
        assert_eq!(stage.hub.record.issue(&stage.hub).await, None);
    });
}

#[test]
fn a_record_that_is_changed_under_a_running_bridge_is_noticed_with_the_next_word() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        calls(&stage).await;
        let mut browser = stage.browser("one").await;
        says(&mut browser, "home", None).await;
        told(&mut browser).await;
        let database = rusqlite::Connection::open(stage.folder.path().join("drawbridge.db")).unwrap();
        database.execute_batch("DELETE FROM audit_log").unwrap();
        stage.hub.record.tell(&stage.hub).await.unwrap();
        assert!(stage.hub.record.changed(&stage.hub).await.is_some());
    });
}

#[test]
fn one_that_nobody_paired_is_not_heard() {
    run(async {
        let stage = Stage::new(Policy::Released).await;
        let mut browser = stage.browser("one").await;
        assert!(browser.welcome.as_ref().unwrap().unpaired);
        let end = RecordEnd {
            seq: 1,
            hash: "ab".to_owned(),
        };
        says(&mut browser, "home", Some(end)).await;
        assert!(timeout(EVERY, told(&mut browser)).await.is_err());
        assert_eq!(stage.hub.record.issue(&stage.hub).await, None);
    });
}
