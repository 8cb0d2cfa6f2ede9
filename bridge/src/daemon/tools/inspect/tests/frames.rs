//! Which documents are read: the one that is meant, and the frames whose sites are allowed.

use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::local::{Admin, Decision, Grant};

use super::*;

async fn decided(bench: &mut Bench, site: &str, decision: Decision) {
    let set = Admin::SetGrant {
        grant: Grant {
            subject: "cli".into(),
            action: "browser.read".into(),
            site: site.into(),
            decision,
        },
        yes: true,
    };
    bench.client.admin(set).await.unwrap();
}

#[test]
fn a_frame_is_read_where_its_own_site_is_allowed() {
    run(async {
        let mut bench = Bench::new().await;
        decided(&mut bench, "bank.example", Decision::Off).await;
        decided(&mut bench, "ads.example", Decision::Ask).await;
        let frames = [
            ["f1", "d1", "https://cdn.example/x"],
            ["f2", "d1", "https://bank.example/"],
            ["f3", "f2", "about:srcdoc"],
            ["f4", "d1", "about:blank"],
            ["f5", "d1", "https://ads.example/"],
            ["f6", "f1", "about:blank"],
        ];
        let id = bench
            .client
            .begin("browser_inspect", json!({"action": "observe"}))
            .await;
        bench.browser.shows_frames("d1", URL, &frames).await;
        let asked = bench.browser.reads(URL, page(300), 2).await;
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(asked.frames.unwrap(), ["f1", "f4", "f6"]);

        // What was read of a site whose grant is gone is given no more.
        let cursor = json!({"action": "observe", "cursor": result["nextCursor"]});
        let id = bench.client.begin("browser_inspect", cursor.clone()).await;
        bench.browser.shows_frames("d1", URL, &frames).await;
        bench.client.reply(id).await.unwrap();
        decided(&mut bench, "cdn.example", Decision::Off).await;
        let id = bench.client.begin("browser_inspect", cursor).await;
        bench.browser.shows_frames("d1", URL, &frames).await;
        assert_eq!(
            bench.client.reply(id).await.unwrap_err().code,
            Code::StaleSnapshot
        );
    });
}

#[test]
fn taking_back_the_site_of_a_frame_stops_the_read() {
    run(async {
        let mut bench = Bench::new().await;
        let id = bench
            .client
            .begin("browser_inspect", json!({"action": "observe"}))
            .await;
        bench
            .browser
            .shows_frames("d1", URL, &[["f1", "d1", "https://cdn.example/x"]])
            .await;
        let (call, _) = bench.browser.call().await;
        let mut person = bench.stage.client("cli", 2).await;
        let revoke = Admin::RevokeGrant {
            subject: "cli".into(),
            action: "browser.read".into(),
            site: Some("cdn.example".into()),
        };
        person.admin(revoke).await.unwrap();
        bench.browser.cancelled(call).await;
        bench
            .browser
            .failed(call, Error::new(Code::Cancelled, "stopped"))
            .await;
        assert_eq!(bench.client.reply(id).await.unwrap_err().code, Code::NotGranted);
    });
}

#[test]
fn a_call_that_means_one_document_is_never_answered_with_another() {
    run(async {
        let mut bench = Bench::new().await;
        let meant = json!({"action": "observe", "document": "d1"});
        assert_eq!(
            bench.goes_on(meant.clone(), "d2").await.unwrap_err().code,
            Code::StaleRef
        );
        // By a ref it means the document that has it: one answer, no second try.
        for args in [
            meant,
            json!({"action": "text", "ref": "e5"}),
            json!({"action": "html", "target": {"text": "x", "scope": "e5"}}),
        ] {
            let id = bench.client.begin("browser_inspect", args).await;
            bench.browser.shows("d1", URL).await;
            let (call, _) = bench.browser.call().await;
            bench
                .browser
                .failed(call, Error::new(Code::StaleRef, "gone"))
                .await;
            assert_eq!(bench.client.reply(id).await.unwrap_err().code, Code::StaleRef);
        }
        // Without either, the page that is there by now is as good.
        let id = bench
            .client
            .begin("browser_inspect", json!({"action": "observe"}))
            .await;
        bench.browser.shows("d1", URL).await;
        let (call, _) = bench.browser.call().await;
        bench
            .browser
            .failed(call, Error::new(Code::StaleRef, "another document"))
            .await;
        bench.browser.shows("d2", URL).await;
        bench.browser.reads(URL, page(1), 2).await;
        assert_eq!(bench.client.reply(id).await.unwrap()["document"], "d2");
    });
}

#[test]
fn reads_of_one_tab_take_turns() {
    run(async {
        let mut bench = Bench::new().await;
        let mut second = bench.stage.client("cli", 1).await;
        let first_id = bench
            .client
            .begin("browser_inspect", json!({"action": "observe"}))
            .await;
        bench.browser.shows("d1", URL).await;
        let (first_read, call) = bench.browser.call().await;
        assert!(matches!(call, BrowserCall::Read { next_ref: 1, .. }), "{call:?}");
        let second_id = second
            .begin("browser_inspect", json!({"action": "observe"}))
            .await;
        bench.browser.shows("d1", URL).await;
        // The second has its turn once the first is done, and hears what that gave out.
        let first = BrowserReply::Read {
            document: "d1".into(),
            url: URL.into(),
            title: String::new(),
            found: Box::new(page(7)),
            next_ref: 8,
        };
        bench.browser.done(first_read, first).await;
        let asked = bench.browser.reads(URL, page(7), 8).await;
        assert_eq!(asked.next_ref, 8);
        bench.client.reply(first_id).await.unwrap();
        second.reply(second_id).await.unwrap();
    });
}
