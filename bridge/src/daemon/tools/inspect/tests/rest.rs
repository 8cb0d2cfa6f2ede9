//! The other reads: what is asked of the page, and what comes back.

use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::page::{
    By, Locator, Match, PageRead, Suggestion, Table, TextFormat, TextScope, Told, Wanted,
};

use super::*;

#[test]
fn arguments_become_what_is_asked_of_the_page() {
    run(async {
        let mut bench = Bench::new().await;
        let (_, asked) = bench
            .asked(
                json!({"action": "text", "target": {"role": "Log", "index": -1}, "scope": "log", "format": "markdown", "tail": true,
                       "logMatch": "Finished:", "logMaxMatches": 7, "includeHidden": true}),
                "d1",
                text("x"),
                1,
            )
            .await;
        let by = By::Role {
            role: "log".into(),
            name: None,
        };
        assert_eq!(
            asked.ask,
            PageRead::Text {
                within: Some(Locator::new(by)),
                scope: TextScope::Log,
                format: TextFormat::Markdown,
                hidden: true,
                tail: true,
                log_match: Some("Finished:".into()),
                log_max_matches: 7,
                max_chars: 400_000,
            }
        );
        for (args, says) in [
            (
                json!({"action": "observe", "target": "e1", "ref": "e2"}),
                "target: and ref exclude each other",
            ),
            (json!({"action": "find"}), "target: or query is needed"),
            (
                json!({"action": "find", "query": "x", "selector": "li"}),
                "query: and target exclude each other",
            ),
            (
                json!({"action": "find", "target": "li", "do": "attribute"}),
                "attribute: is needed",
            ),
            (
                json!({"action": "find", "target": "li", "attribute": "href"}),
                "attribute: goes only with",
            ),
            (json!({"action": "find", "target": "li", "do": "click"}), "do: "),
            (json!({"action": "html"}), "target: is needed"),
            (
                json!({"action": "text", "logMaxMatches": 3}),
                "logMaxMatches: goes only with",
            ),
            (json!({"action": "text", "maxChars": 0}), "maxChars: is 0"),
            (json!({"action": "table", "maxRows": 0}), "maxRows: is 0"),
            (json!({"action": "observe", "target": "li["}), "target: "),
        ] {
            let error = bench.refused(args.clone()).await;
            assert!(error.message.starts_with(says), "{args}: {error}");
        }
    });
}

#[test]
fn matches_come_with_counts() {
    run(async {
        let mut bench = Bench::new().await;
        let found = |count: u32| PageFound::Matches {
            total: 50,
            visible: 40,
            matches: (1..=count)
                .map(|number| Match {
                    node: node(number, "button", "Buy", Kind::Control),
                    visible: true,
                    context: vec![format!("row {number}")],
                    ..Match::default()
                })
                .collect(),
            omitted: Omitted::default(),
        };
        let (result, asked) = bench
            .asked(
                json!({"action": "find", "target": {"text": "Buy"}, "within": "main"}),
                "d1",
                found(20),
                21,
            )
            .await;
        let PageRead::Find {
            within,
            what,
            limit,
            told,
        } = asked.ask
        else {
            panic!()
        };
        assert_eq!(within, Some(Locator::new(By::Selector("main".into()))));
        assert_eq!(what, Wanted::Locator(Locator::new(By::Text("Buy".into()))));
        assert_eq!((limit, told), (20, Told::Node));
        let result = result.unwrap();
        assert_eq!((&result["total"], &result["visible"]), (&json!(50), &json!(40)));
        assert_eq!(result["matches"][0]["node"]["ref"], "e1");
        let given = result["matches"].as_array().unwrap().len();
        assert_eq!(result["omitted"]["items"], 50 - given);

        let result = bench
            .reads(json!({"action": "find", "query": "buy"}), "d1", found(20))
            .await
            .unwrap();
        let given = result["matches"].as_array().unwrap().len();
        assert_eq!(
            result["omitted"]["items"].as_u64().unwrap_or(0) as usize,
            50 - given
        );
        assert!(result["hint"].as_str().unwrap().contains("raise limit"));
        let most = json!({"action": "find", "query": "buy", "limit": 500});
        let result = bench.reads(most, "d1", found(20)).await.unwrap();
        assert!(!result["hint"].as_str().unwrap().contains("raise"), "{result}");
        let count = json!({"action": "find", "target": "li", "do": "count"});
        let result = bench.reads(count, "d1", found(0)).await.unwrap();
        assert_eq!(
            (result["total"].as_u64(), result.get("omitted")),
            (Some(50), None)
        );
    });
}

#[test]
fn a_table_is_rows_or_csv_and_goes_on() {
    run(async {
        let mut bench = Bench::new().await;
        let found = |rows: u32| PageFound::Table {
            table: Table {
                r#ref: Some(Ref::element(4)),
                kind: "table".into(),
                name: "Orders".into(),
                columns: vec!["Number".into(), "Who, what".into()],
                rows: (0..rows)
                    .map(|row| vec![row.to_string(), "Ada \"A\"".into()])
                    .collect(),
                declared_rows: Some(900),
                scroll: None,
            },
            omitted: Omitted {
                rows: 5,
                ..Omitted::default()
            },
        };
        let result = bench
            .reads(json!({"action": "table"}), "d1", found(2))
            .await
            .unwrap();
        assert_eq!(
            result["rows"],
            json!([{"Number": "0", "Who, what": "Ada \"A\""}, {"Number": "1", "Who, what": "Ada \"A\""}])
        );
        assert_eq!(
            (&result["totalRows"], &result["declaredRows"]),
            (&json!(7), &json!(900))
        );
        assert_eq!(
            (&result["omitted"], &result["ref"]),
            (&json!({"rows": 5}), &json!("e4"))
        );

        let csv = json!({"action": "table", "format": "csv", "maxTokens": 400});
        let mut result = bench.reads(csv, "d1", found(300)).await.unwrap();
        let mut rows = 0;
        loop {
            let text = result["csv"].as_str().unwrap();
            let mut lines = text.lines();
            assert_eq!(lines.next(), Some("Number,\"Who, what\""));
            for line in lines {
                assert_eq!(line, format!("{rows},\"Ada \"\"A\"\"\""));
                rows += 1;
            }
            assert_eq!(result["omitted"]["rows"], 305 - rows);
            let Some(cursor) = result.get("nextCursor") else {
                break;
            };
            let args = json!({"action": "table", "cursor": cursor, "maxTokens": 400});
            result = bench.goes_on(args, "d1").await.unwrap();
        }
        assert_eq!(rows, 300);
    });
}

#[test]
fn markup_is_cut_by_bytes_and_goes_on() {
    run(async {
        let mut bench = Bench::new().await;
        let html: String = (0..1_000).map(|n| format!("<li>é {n}</li>\n")).collect();
        let found = || PageFound::Html {
            html: html.clone(),
            bytes: html.len() as u64,
            secrets: 1,
        };
        let mut result = bench
            .reads(
                json!({"action": "html", "target": "ul", "maxBytes": 1_000}),
                "d1",
                found(),
            )
            .await
            .unwrap();
        assert_eq!(
            (&result["bytes"], &result["secrets"]),
            (&json!(html.len()), &json!(1))
        );
        let mut whole = String::new();
        loop {
            let part = result["html"].as_str().unwrap();
            assert!(part.len() <= 1_000);
            whole.push_str(part);
            let Some(cursor) = result.get("nextCursor") else {
                break;
            };
            let args = json!({"action": "html", "cursor": cursor, "maxBytes": 1_000});
            result = bench.goes_on(args, "d1").await.unwrap();
        }
        assert_eq!(whole, html);
        let result = bench
            .reads(json!({"action": "html", "target": "ul"}), "d1", found())
            .await
            .unwrap();
        assert_eq!(result["html"], html);
    });
}

#[test]
fn a_list_has_numbers_of_its_own() {
    run(async {
        let mut bench = Bench::new().await;
        let found = || PageFound::Listed {
            nodes: vec![
                node(7, "button", "A", Kind::Control),
                node(0, "text", "B", Kind::Other),
            ],
            omitted: Omitted::default(),
        };
        let first = bench
            .reads(json!({"action": "dom"}), "d1", found())
            .await
            .unwrap();
        assert_eq!(
            (&first["nodes"][0]["ref"], &first["nodes"][1]["ref"]),
            (&json!("d1"), &json!("d2"))
        );
        let second = bench
            .reads(json!({"action": "dom", "do": "list"}), "d1", found())
            .await
            .unwrap();
        assert_ne!(first["snapshotId"], second["snapshotId"]);
        assert!(
            bench
                .refused(json!({"action": "dom", "do": "click"}))
                .await
                .message
                .starts_with("do:")
        );
    });
}

#[test]
fn an_author_reads_a_tab_or_an_address() {
    run(async {
        let mut bench = Bench::new().await;
        let recipe = serde_json::from_value(json!({
            "version": 1, "name": "orders", "description": "reads orders", "origin": "https://shop.example",
            "urlTemplate": "https://shop.example/orders", "ready": "main", "rows": "li", "limit": 10, "maxPages": 1,
            "fields": [{"name": "title", "read": "text", "required": true}]
        }))
        .unwrap();
        let suggestion = Suggestion {
            recipe,
            rows: 3,
            evidence: Vec::new(),
            why: vec!["list of 3".into()],
        };
        let found = || PageFound::Suggestions {
            suggestions: vec![suggestion.clone(); 3],
        };
        let (result, asked) = bench
            .asked(json!({"action": "suggest", "goal": "orders"}), "d1", found(), 1)
            .await;
        assert_eq!(result.unwrap()["suggestions"].as_array().unwrap().len(), 3);
        assert_eq!(asked.frames, None);
        let few = json!({"action": "suggest", "maxTokens": 230});
        let result = bench.reads(few, "d1", found()).await.unwrap();
        let given = result["suggestions"].as_array().unwrap().len();
        assert!((1..3).contains(&given));
        assert_eq!(result["omitted"], 3 - given);

        let args = json!({"action": "selectors", "url": "https://shop.example/x", "scope": "main"});
        let id = bench.client.begin("browser_inspect", args).await;
        let selectors = PageFound::Selectors {
            entries: Vec::new(),
            omitted: 4,
        };
        let asked = bench.browser.reads("https://shop.example/x", selectors, 1).await;
        assert_eq!(
            asked.ask,
            PageRead::Selectors {
                scope: "main".into(),
                limit: 100
            }
        );
        assert_eq!(bench.client.reply(id).await.unwrap()["omitted"], 4);
    });
}

#[test]
fn a_list_is_scrolled_only_where_acting_is_allowed() {
    run(async {
        let mut bench = Bench::new().await;
        let found = PageFound::Table {
            table: Table {
                kind: "grid".into(),
                columns: vec!["column1".into()],
                rows: vec![vec!["a".into()]],
                ..Table::default()
            },
            omitted: Omitted::default(),
        };
        let scroll = json!({"action": "table", "scroll": true});
        let id = bench.client.begin("browser_inspect", scroll.clone()).await;
        bench.browser.shows("d1", URL).await;
        let (call, asked) = bench.browser.call().await;
        assert!(matches!(asked, BrowserCall::ReadScrolling { .. }), "{asked:?}");
        let reply = BrowserReply::Read {
            document: "d1".into(),
            url: URL.into(),
            title: String::new(),
            found: Box::new(found),
            next_ref: 2,
        };
        bench.browser.done(call, reply).await;
        assert_eq!(bench.client.reply(id).await.unwrap()["totalRows"], 1);
        let revoke = Admin::RevokeGrant {
            subject: "cli".into(),
            action: "browser.interact".into(),
            site: Some("shop.example".into()),
        };
        bench.client.admin(revoke).await.unwrap();
        let error = bench.goes_on(scroll, "d1").await.unwrap_err();
        assert_eq!(error.code, Code::NotGranted);
    });
}

#[test]
fn a_snapshot_tells_what_changed_unless_asked_for_all() {
    run(async {
        let mut bench = Bench::new().await;
        let look = async |bench: &mut Bench, args: Value, buttons: u32| {
            let id = bench.client.begin("browser_inspect", args).await;
            bench.browser.shows("d1", URL).await;
            let (call, asked) = bench.browser.call().await;
            assert!(matches!(asked, BrowserCall::Snapshot { .. }), "{asked:?}");
            let PageFound::Outline { nodes, omitted } = page(buttons) else {
                panic!()
            };
            let reply = BrowserReply::Snapshot {
                document: "d1".into(),
                url: URL.into(),
                title: "A page".into(),
                snapshot: format!("snap{buttons}"),
                nodes,
                omitted,
            };
            bench.browser.done(call, reply).await;
            bench.client.reply(id).await.unwrap()
        };
        let snapshot = json!({"action": "snapshot"});
        let first = look(&mut bench, snapshot.clone(), 1).await;
        assert_eq!(
            (&first["snapshotId"], &first["diff"]["base"]),
            (&json!("snap1"), &json!(false))
        );
        let second = look(&mut bench, snapshot, 2).await;
        assert_eq!(
            (&second["diff"]["base"], &second["diff"]["added"]),
            (&json!(true), &json!(2))
        );
        let all = look(&mut bench, json!({"action": "snapshot", "diff": false}), 2).await;
        assert_eq!(all["outline"].as_str().unwrap().lines().count(), 5);
        let data = look(&mut bench, json!({"action": "snapshot", "mode": "structured"}), 2).await;
        assert_eq!(data["nodes"].as_array().unwrap().len(), 5);
        let error = bench.refused(json!({"action": "snapshot", "target": "e1"})).await;
        assert!(error.message.starts_with("target: "));
    });
}

#[test]
fn what_a_page_calls_itself_is_repeated_within_bounds() {
    run(async {
        let mut bench = Bench::new().await;
        let id = bench
            .client
            .begin("browser_inspect", json!({"action": "observe"}))
            .await;
        bench.browser.shows("d1", URL).await;
        let (call, _) = bench.browser.call().await;
        let reply = BrowserReply::Read {
            document: "d1".into(),
            url: format!("{URL}?{}", "x".repeat(100_000)),
            title: "👨‍👩‍👧‍👦".repeat(100_000),
            found: Box::new(page(1)),
            next_ref: 2,
        };
        bench.browser.done(call, reply).await;
        let result = bench.client.reply(id).await.unwrap();
        assert!(result["url"].as_str().unwrap().len() < 2_010);
        let title = result["title"].as_str().unwrap();
        assert!(title.len() < 310 && title.ends_with("👨‍👩‍👧‍👦…"), "{title}");
    });
}
