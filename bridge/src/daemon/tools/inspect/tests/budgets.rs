//! Exactly what fits, exactly what is missing, and nothing lost or twice between a reply and the next.

use super::*;
use crate::{reply, tokens};

fn said(result: &Value) -> String {
    reply::text(result).unwrap_or_else(|| json!({"ok": true, "result": result}).to_string())
}

#[test]
fn a_small_page_is_given_whole() {
    run(async {
        let mut bench = Bench::new().await;
        let (result, asked) = bench.asked(json!({"action": "observe"}), "d1", page(2), 3).await;
        let result = result.unwrap();
        assert_eq!(
            result["outline"],
            "main\n  e1 button \"Delete order 1\"\n  text \"Ordered on day 1\"\n  e2 button \"Delete order 2\"\n  \
             text \"Ordered on day 2\"\n"
        );
        assert_eq!(result["omitted"], json!({"hidden": 2}));
        assert_eq!((result.get("truncated"), result.get("nextCursor")), (None, None));
        assert_eq!(
            (&result["tab"], &result["document"]),
            (&json!("t1.a"), &json!("d1"))
        );
        assert_eq!((asked.next_ref, asked.frames), (1, Some(Vec::new())));
        // The next read goes on with the numbers.
        let (_, asked) = bench
            .asked(json!({"action": "observe", "frames": false}), "d2", page(2), 3)
            .await;
        assert_eq!((asked.next_ref, asked.frames), (3, None));
    });
}

#[test]
fn whole_lines_fill_the_budget_and_the_cursor_gives_the_rest() {
    run(async {
        let mut bench = Bench::new().await;
        let PageFound::Outline { nodes, .. } = page(300) else {
            panic!()
        };
        for (mode, most) in [
            ("text", 300),
            ("text", 2_000),
            ("structured", 700),
            ("text", 1_999),
        ] {
            let args = json!({"action": "observe", "maxTokens": most, "mode": mode});
            let mut result = bench.reads(args, "d1", page(300)).await.unwrap();
            let (mut given, mut outline, mut data) = (0, String::new(), Vec::new());
            loop {
                let used = tokens::count(&said(&result));
                assert!(used <= most, "{used} > {most}");
                let count = match mode {
                    "text" => {
                        let lines = result["outline"].as_str().unwrap();
                        outline.push_str(lines);
                        lines.lines().count()
                    }
                    _ => {
                        let nodes: Vec<OutlineNode> =
                            serde_json::from_value(result["nodes"].clone()).unwrap();
                        data.extend(nodes.iter().cloned());
                        nodes.len()
                    }
                };
                given += count;
                let left = nodes.len() - given;
                let controls = nodes[given..]
                    .iter()
                    .filter(|node| node.kind == Kind::Control)
                    .count();
                if left == 0 {
                    assert_eq!(result["omitted"], json!({"hidden": 2}));
                    assert_eq!((result.get("truncated"), result.get("nextCursor")), (None, None));
                    break;
                }
                let omitted = match controls {
                    0 => json!({"nodes": left, "hidden": 2}),
                    _ => json!({"nodes": left, "controls": controls, "hidden": 2}),
                };
                assert_eq!(result["omitted"], omitted);
                assert_eq!(result["truncated"], true);
                // One more line would not have fitted: the longest takes twenty-some tokens, as data sixty.
                assert!(
                    used + if mode == "text" { 25 } else { 65 } > most,
                    "{used} of {most}"
                );
                let cursor = result["nextCursor"].as_str().unwrap().to_owned();
                let args = json!({"action": "observe", "cursor": cursor, "maxTokens": most});
                result = bench.goes_on(args, "d1").await.unwrap();
            }
            if mode == "text" {
                let all: String = nodes
                    .iter()
                    .map(|node| drawbridge_protocol::outline::line::line(node) + "\n")
                    .collect();
                assert_eq!(outline, all);
            } else {
                assert_eq!(data, nodes);
            }
        }
    });
}

#[test]
fn a_budget_for_nothing_says_what_is_needed() {
    run(async {
        let mut bench = Bench::new().await;
        for args in [
            json!({"action": "observe", "maxTokens": 5}),
            json!({"action": "observe", "maxTokens": 1, "mode": "structured"}),
        ] {
            let error = bench.reads(args, "d1", page(300)).await.unwrap_err();
            assert_eq!(error.code, Code::TooLarge);
            let needed: u32 = error
                .hint
                .unwrap()
                .split(' ')
                .find_map(|word| word.parse().ok())
                .unwrap();
            let args = json!({"action": "observe", "maxTokens": needed});
            let result = bench.reads(args, "d1", page(300)).await.unwrap();
            assert!(result["outline"].as_str().unwrap().lines().count() >= 1);
        }
        for wrong in [0, 200_001] {
            let error = bench
                .refused(json!({"action": "observe", "maxTokens": wrong}))
                .await;
            assert!(error.message.starts_with("maxTokens: is"), "{error}");
        }
    });
}

#[test]
fn a_cursor_ends_with_its_document_and_with_a_newer_read() {
    run(async {
        let mut bench = Bench::new().await;
        let observe = json!({"action": "observe", "maxTokens": 300});
        let cursor = async |bench: &mut Bench| {
            let result = bench.reads(observe.clone(), "d1", page(300)).await.unwrap();
            json!({"action": "observe", "cursor": result["nextCursor"]})
        };
        let first = cursor(&mut bench).await;
        assert!(bench.goes_on(first.clone(), "d1").await.is_ok());
        // A read of another kind ends nothing.
        bench
            .reads(json!({"action": "text"}), "d1", text("hello"))
            .await
            .unwrap();
        assert!(bench.goes_on(first.clone(), "d1").await.is_ok());
        let second = cursor(&mut bench).await;
        assert_eq!(bench.refused(first).await.code, Code::StaleSnapshot);
        assert_eq!(
            bench.goes_on(second.clone(), "d2").await.unwrap_err().code,
            Code::StaleSnapshot
        );
        assert_eq!(bench.refused(second).await.code, Code::StaleSnapshot);

        let third = cursor(&mut bench).await;
        let mut other = third.clone();
        other["action"] = json!("text");
        assert_eq!(bench.refused(other).await.code, Code::StaleSnapshot);
        let mut changed = third.clone();
        changed["viewportOnly"] = json!(true);
        assert!(
            bench
                .refused(changed)
                .await
                .message
                .starts_with("cursor: goes on")
        );
        assert!(
            bench
                .refused(json!({"action": "observe", "cursor": "nonsense"}))
                .await
                .message
                .starts_with("cursor:")
        );
        // Nobody else's.
        let mut stranger = bench.stage.client("other", 2).await;
        let error = stranger.call("browser_inspect", third.clone()).await.unwrap_err();
        assert_eq!(error.code, Code::StaleSnapshot);
        // It ends with the session.
        let id = bench.client.begin("browser_stop", json!({})).await;
        let session = bench.browser.call().await;
        let drawbridge_protocol::link::BrowserCall::EndSession { .. } = session.1 else {
            panic!("{session:?}")
        };
        let ended = drawbridge_protocol::link::BrowserReply::Ended {
            closed: vec!["t1.a".into()],
            pending: Vec::new(),
        };
        bench.browser.done(session.0, ended).await;
        bench.client.reply(id).await.unwrap();
        assert_eq!(bench.refused(third).await.code, Code::StaleSnapshot);
    });
}

#[test]
fn text_is_cut_by_characters_or_tokens_and_goes_on() {
    run(async {
        let mut bench = Bench::new().await;
        let whole: String = (0..500).map(|n| format!("Line {n} 👨‍👩‍👧‍👦 e\u{301} 好\n")).collect();
        for (bound, tail) in [
            (json!({"maxChars": 777}), false),
            (json!({"maxChars": 777}), true),
            (json!({"maxTokens": 900}), false),
            (json!({"maxTokens": 900}), true),
        ] {
            let mut args = bound.clone();
            args["action"] = json!("text");
            if tail {
                args["tail"] = json!(true);
            }
            let mut result = bench.reads(args, "d1", text(&whole)).await.unwrap();
            let mut parts = Vec::new();
            let mut given = 0;
            loop {
                let part = result["text"].as_str().unwrap().to_owned();
                given += part.chars().count();
                match bound["maxChars"].as_u64() {
                    Some(most) => assert!(part.chars().count() as u64 <= most),
                    None => assert!(tokens::count(&said(&result)) <= 900),
                }
                parts.push(part);
                let left = whole.chars().count() - given;
                assert_eq!(result["omitted"]["characters"].as_u64().unwrap_or(0), left as u64);
                let Some(cursor) = result.get("nextCursor") else {
                    break;
                };
                let mut args = bound.clone();
                args["action"] = json!("text");
                args["cursor"] = cursor.clone();
                result = bench.goes_on(args, "d1").await.unwrap();
            }
            assert!(parts.len() > 5);
            if tail {
                parts.reverse();
            }
            assert_eq!(parts.concat(), whole);
        }
    });
}

#[test]
fn less_than_one_character_is_refused_with_what_the_smallest_part_takes() {
    run(async {
        let mut bench = Bench::new().await;
        let family = "👨‍👩‍👧‍👦 x";
        for most in 1..7 {
            let error = bench
                .reads(json!({"action": "text", "maxChars": most}), "d1", text(family))
                .await
                .unwrap_err();
            assert_eq!(error.code, Code::TooLarge);
            assert!(
                error.message.starts_with(&format!("maxChars: {most} ")),
                "{error}"
            );
            assert_eq!(error.hint.as_deref(), Some("ask for maxChars of at least 7"));
        }
        let html = PageFound::Html {
            html: family.to_owned(),
            bytes: family.len() as u64,
            secrets: 0,
        };
        let args = json!({"action": "html", "target": "p", "maxBytes": 3});
        let error = bench.reads(args, "d1", html).await.unwrap_err();
        assert_eq!(error.hint.as_deref(), Some("ask for maxBytes of at least 25"));
        let result = bench
            .reads(json!({"action": "text", "maxChars": 7}), "d1", text(family))
            .await
            .unwrap();
        assert_eq!(result["text"], "👨‍👩‍👧‍👦");
    });
}

#[test]
fn a_cursor_keeps_the_limits_of_its_first_call_unless_given_others() {
    run(async {
        let mut bench = Bench::new().await;
        let first = json!({"action": "text", "maxChars": 7});
        let result = bench
            .reads(first, "d1", text(&"0123456789".repeat(9)))
            .await
            .unwrap();
        let cursor = json!({"action": "text", "cursor": result["nextCursor"]});
        let result = bench.goes_on(cursor.clone(), "d1").await.unwrap();
        assert_eq!(result["text"], "7890123");
        let mut wider = cursor;
        wider["maxChars"] = json!(12);
        let result = bench.goes_on(wider, "d1").await.unwrap();
        assert_eq!(result["text"], "789012345678");

        let few = json!({"action": "observe", "maxTokens": 300});
        let result = bench.reads(few, "d1", page(300)).await.unwrap();
        let cursor = json!({"action": "observe", "cursor": result["nextCursor"]});
        let result = bench.goes_on(cursor, "d1").await.unwrap();
        assert!(tokens::count(&said(&result)) <= 300);
    });
}

#[test]
fn a_hint_names_what_helps() {
    run(async {
        let mut bench = Bench::new().await;
        let mut cut = page(1);
        if let PageFound::Outline { omitted, .. } = &mut cut {
            omitted.controls = 3;
        }
        let args = json!({"action": "observe", "target": "main", "depth": 1});
        let result = bench.reads(args, "d1", cut).await.unwrap();
        assert_eq!(result["truncated"], true);
        assert!(result["hint"].as_str().unwrap().contains("raise depth"));
        let log = |count: u32| PageFound::Text {
            text: "a".to_owned(),
            omitted: Omitted {
                items: count - 1,
                ..Omitted::default()
            },
            matched: Some(drawbridge_protocol::page::LogMatches {
                count,
                numbers: vec![1],
            }),
        };
        for (most, named) in [(1, true), (1_000, false)] {
            let args = json!({"action": "text", "logMatch": "a", "logMaxMatches": most});
            let result = bench.reads(args, "d1", log(2_000)).await.unwrap();
            let hint = result["hint"].as_str().unwrap();
            assert_eq!(hint.contains("raise logMaxMatches"), named, "{hint}");
        }
    });
}

#[test]
fn a_difference_is_taken_against_the_last_look_at_the_same_part() {
    run(async {
        let mut bench = Bench::new().await;
        let diff = json!({"action": "observe", "diff": true});
        let result = bench.reads(diff.clone(), "d1", page(2)).await.unwrap();
        assert_eq!(result["diff"]["base"], false);
        assert_eq!(result["diff"]["reason"], "no earlier look");
        assert_eq!(result["outline"].as_str().unwrap().lines().count(), 5);

        let result = bench.reads(diff.clone(), "d1", page(2)).await.unwrap();
        assert_eq!(result["outline"], "");
        assert_eq!(
            result["diff"],
            json!({"base": true, "added": 0, "changed": 0, "removed": 0, "unchanged": 5})
        );

        let result = bench.reads(diff.clone(), "d1", page(3)).await.unwrap();
        assert_eq!(
            result["outline"],
            "+   e3 button \"Delete order 3\"\n+   text \"Ordered on day 3\"\n"
        );

        let part = json!({"action": "observe", "diff": true, "target": "e1"});
        let result = bench.reads(part, "d1", page(1)).await.unwrap();
        assert_eq!(result["diff"]["reason"], "the earlier look was at another part");
        let result = bench.reads(diff.clone(), "d2", page(1)).await.unwrap();
        assert_eq!(result["diff"]["reason"], "another document");
        // A difference is cut and gone on with like anything else.
        let result = bench
            .reads(
                json!({"action": "observe", "diff": true, "maxTokens": 200}),
                "d2",
                page(400),
            )
            .await
            .unwrap();
        assert_eq!(result["diff"]["added"], 798);
        let lines = result["outline"].as_str().unwrap().lines().count() as u64;
        assert_eq!(result["omitted"]["nodes"], 798 - lines);
        let cursor = json!({"action": "observe", "cursor": result["nextCursor"]});
        let result = bench.goes_on(cursor, "d2").await.unwrap();
        assert!(result["outline"].as_str().unwrap().starts_with("+   "));
        let error = bench
            .refused(json!({"action": "observe", "diff": true, "mode": "structured"}))
            .await;
        assert_eq!(error.message, "diff: and mode: structured exclude each other");
    });
}
