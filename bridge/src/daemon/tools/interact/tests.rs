//! Actions over the in-memory link.

mod grants;
mod several;

use drawbridge_protocol::act::{Acted, Action, Button, Changed, Dialog, DialogKind, Moved, NewTab};
use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::outline::Ref;
use drawbridge_protocol::page::{Match, PageFound};
use serde_json::{Value, json};

use crate::daemon::access::Policy;
use crate::daemon::testing::{Browser, Client, Stage, run};
use crate::tokens;

const URL: &str = "https://shop.example/cart";

/// A session in `t1.a`.
struct Bench {
    stage: Stage,
    browser: Browser,
    client: Client,
}

impl Bench {
    async fn new() -> Self {
        Self::of(Policy::Sandbox).await
    }

    async fn of(policy: Policy) -> Self {
        let (stage, browser, client) = Stage::with_session(policy).await;
        Self {
            stage,
            browser,
            client,
        }
    }

    /// A call whose action the browser does.
    async fn does(&mut self, args: Value, acted: Acted) -> Result<Value, Error> {
        let id = self.client.begin("browser_interact", args).await;
        self.browser.shows("D", URL).await;
        self.browser.acts(acted).await;
        self.client.reply(id).await
    }

    /// A call whose action the browser refuses.
    async fn fails(&mut self, args: Value, error: Error) -> Error {
        let id = self.client.begin("browser_interact", args).await;
        self.browser.shows("D", URL).await;
        self.browser.fails_act(error).await;
        self.client.reply(id).await.unwrap_err()
    }
}

fn clicked() -> Acted {
    Acted {
        r#ref: Some(Ref::element(3)),
        confirmed: vec!["mousedown".to_owned(), "click".to_owned()],
        ..Acted::default()
    }
}

fn undone(code: Code) -> Error {
    Error::new(code, "it cannot be done").effect(Effect::None)
}

#[test]
fn an_action_is_fenced_with_the_document_that_is_there_and_reports_what_was_seen() {
    run(async {
        let mut bench = Bench::new().await;
        let args = json!({"action": "click", "target": "e3", "button": "right", "modifiers": ["Shift", "Shift"],
                          "settleMs": 200});
        let id = bench.client.begin("browser_interact", args).await;
        bench.browser.shows("D", URL).await;
        let asked = bench.browser.acts(clicked()).await;
        assert_eq!((asked.document.as_str(), asked.settle_ms), ("D", 200));
        assert_eq!(
            (asked.act, asked.submit),
            (vec!["D".to_owned()], vec!["D".to_owned()])
        );
        let Action::Click {
            button,
            count,
            modifiers,
        } = asked.action
        else {
            panic!("{:?}", asked.action)
        };
        assert_eq!((button, count, modifiers.len()), (Button::Right, 1, 1));
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(
            result,
            json!({"session": result["session"], "tab": "t1.a", "document": "D", "effect": "committed", "ref": "e3",
                   "confirmed": ["mousedown", "click"], "changed": {}})
        );
    });
}

#[test]
fn outcomes_stay_small_whatever_a_page_says() {
    run(async {
        let mut bench = Bench::new().await;
        let usual = Acted {
            changed: Changed {
                navigation: Some(Moved {
                    url: "https://shop.example/orders/1002?from=cart".to_owned(),
                    document: Some("E6D4B2A09C1F4E7D8A5B3C2D1E0F9A8B".into()),
                }),
                focused: Some("textbox \"Search orders\"".to_owned()),
                nodes: 41,
                errors: 1,
                ..Changed::default()
            },
            ..clicked()
        };
        let result = bench
            .does(json!({"action": "click", "target": "e3"}), usual)
            .await
            .unwrap();
        let told = tokens::count(&json!({"ok": true, "result": result}).to_string());
        assert!(told <= 150, "{told} tokens: {result}");

        let long = "x".repeat(5_000);
        let tab = NewTab {
            tab: "t2.a".into(),
            opener: "t1.a".into(),
            url: format!("https://shop.example/{long}"),
        };
        let endless = Acted {
            changed: Changed {
                address: Some(long.clone()),
                new_tabs: vec![tab; 40],
                value: Some(long.clone()),
                focused: Some(long.clone()),
                validation: Some(long.clone()),
                selected: Some(vec![long.clone(); 40]),
                dialog: Some(Dialog {
                    id: "d1".to_owned(),
                    kind: DialogKind::Alert,
                    message: long.clone(),
                    default_text: Some(long),
                    answerable: true,
                }),
                ..Changed::default()
            },
            ..clicked()
        };
        let result = bench
            .does(json!({"action": "click", "target": "e3"}), endless)
            .await
            .unwrap();
        assert!(result.to_string().len() < 4_500, "{}", result.to_string().len());
        assert_eq!(
            result["changed"]["value"]
                .as_str()
                .map(|text| text.chars().count()),
            Some(201)
        );
    });
}

#[test]
fn wrong_arguments_reach_no_browser_and_contradictions_name_both_fields() {
    run(async {
        let mut bench = Bench::new().await;
        for (args, says) in [
            (json!({"action": "click"}), "target: is missing"),
            (
                json!({"action": "click", "target": "e1", "ref": "e2"}),
                "target: and ref exclude each other",
            ),
            (
                json!({"action": "click", "target": "e1", "count": 3}),
                "count: is 3, must be 1 to 2",
            ),
            (
                json!({"action": "click", "target": "e1", "button": "back"}),
                "button: is back, must be left, middle, right",
            ),
            (
                json!({"action": "click", "target": "e1", "value": "x"}),
                "there is no value",
            ),
            (
                json!({"action": "hover", "target": "e1", "settleMs": 10_001}),
                "settleMs: is 10001",
            ),
            (json!({"action": "wheel", "deltaX": 0}), "deltaX: and deltaY"),
            (json!({"action": "fill", "target": "e1"}), "value is missing"),
            (json!({"action": "press", "key": "x".repeat(65)}), "key: must be"),
            (
                json!({"action": "select", "target": "e1", "values": ["a"], "labels": ["b"]}),
                "values: and labels exclude each other",
            ),
            (
                json!({"action": "select", "target": "e1"}),
                "values: or labels or indexes",
            ),
            (
                json!({"action": "drag", "target": "e1", "to": "e2", "path": [{"x": 1, "y": 1}]}),
                "to: and path exclude each other",
            ),
            (json!({"action": "drag", "target": "e1"}), "to: or path"),
            (
                json!({"action": "pointer", "do": "click", "x": 4}),
                "y: is missing",
            ),
            (
                json!({"action": "pointer", "do": "move", "x": 4, "y": 4, "key": "Enter"}),
                "key: does not go with do: move",
            ),
            (
                json!({"action": "pointer", "do": "drag", "path": [{"x": 1, "y": 1}]}),
                "path: has 1 points",
            ),
            (
                json!({"action": "probe", "do": "batch"}),
                "do: there is no action batch",
            ),
            (
                json!({"action": "probe", "do": "hover", "target": "e1", "value": "x"}),
                "there is no value",
            ),
            (
                json!({"action": "click", "target": "e1", "requestId": "x".repeat(129)}),
                "requestId: must be",
            ),
        ] {
            let error = bench
                .client
                .call("browser_interact", args.clone())
                .await
                .unwrap_err();
            assert_eq!(error.code, Code::InvalidArgument, "{args}: {error}");
            assert!(error.message.contains(says), "{args}: {error}");
        }
        // An empty value is one: it clears the field.
        let id = bench
            .client
            .begin(
                "browser_interact",
                json!({"action": "fill", "target": "e1", "value": ""}),
            )
            .await;
        bench.browser.shows("D", URL).await;
        let asked = bench.browser.acts(clicked()).await;
        assert!(matches!(asked.action, Action::Fill { value, append: false } if value.is_empty()));
        bench.client.reply(id).await.unwrap();
    });
}

#[test]
fn an_action_in_words_goes_on_in_the_next_document_and_one_by_ref_does_not() {
    run(async {
        let mut bench = Bench::new().await;
        let save = json!({"action": "click", "target": {"role": "button", "name": "Save"}});
        let id = bench.client.begin("browser_interact", save).await;
        bench.browser.shows("D", URL).await;
        bench.browser.fails_act(undone(Code::StaleRef)).await;
        bench.browser.shows("E", URL).await;
        assert_eq!(bench.browser.acts(clicked()).await.document, "E");
        assert_eq!(bench.client.reply(id).await.unwrap()["document"], "E");

        let error = bench
            .fails(json!({"action": "click", "target": "e3"}), undone(Code::StaleRef))
            .await;
        assert_eq!((error.code, error.effect), (Code::StaleRef, Some(Effect::None)));

        let args = json!({"action": "click", "target": "#save", "document": "D"});
        let id = bench.client.begin("browser_interact", args).await;
        bench.browser.shows("E", URL).await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!((error.code, error.effect), (Code::StaleRef, Some(Effect::None)));
    });
}

#[test]
fn what_is_not_said_to_be_undone_is_never_done_again() {
    run(async {
        let mut bench = Bench::new().await;
        let save = json!({"action": "click", "target": {"role": "button", "name": "Save"}});
        for effect in [None, Some(Effect::Unknown)] {
            let error = Error {
                effect,
                ..Error::new(Code::StaleRef, "it went")
            };
            let error = bench.fails(save.clone(), error).await;
            assert_eq!(
                (error.code, error.effect),
                (Code::StaleRef, Some(Effect::Unknown))
            );
        }
    });
}

#[test]
fn a_link_that_is_lost_after_the_dispatch_leaves_the_effect_unknown() {
    run(async {
        let mut bench = Bench::new().await;
        let args = json!({"action": "click", "target": "e3"});
        let id = bench.client.begin("browser_interact", args).await;
        bench.browser.shows("D", URL).await;
        bench.browser.acting().await;
        let Bench {
            stage,
            browser,
            mut client,
        } = bench;
        drop(browser);
        let error = client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::EffectUnknown, Some(Effect::Unknown))
        );
        drop(stage);
    });
}

#[test]
fn an_open_dialog_is_told_with_the_refusal() {
    run(async {
        let mut bench = Bench::new().await;
        let dialog = json!({"id": "d1", "kind": "confirm", "message": "Sure?", "answerable": true});
        let error = undone(Code::DialogOpen).data(json!({ "dialog": dialog }));
        let error = bench
            .fails(json!({"action": "click", "target": "e3"}), error)
            .await;
        assert_eq!((error.code, error.effect), (Code::DialogOpen, Some(Effect::None)));
        assert_eq!(error.data.unwrap()["dialog"], dialog);
    });
}

#[test]
fn a_probe_tells_where_it_ended_and_what_the_element_is_like_then() {
    run(async {
        let mut bench = Bench::new().await;
        let args = json!({"action": "probe", "do": "check", "target": "e3", "settleMs": 5});
        let id = bench.client.begin("browser_interact", args).await;
        bench.browser.shows("D", URL).await;
        let asked = bench.browser.acts(clicked()).await;
        assert_eq!((asked.action, asked.settle_ms), (Action::Check { on: true }, 5));
        bench.browser.shows("D", URL).await;
        let found = Match {
            node: serde_json::from_value(
                json!({"ref": "e3", "depth": 0, "role": "checkbox", "name": "Gift\nwrap", "kind": "control"}),
            )
            .unwrap(),
            visible: true,
            ..Match::default()
        };
        let matches = PageFound::Matches {
            total: 1,
            visible: 1,
            matches: vec![found],
            omitted: drawbridge_protocol::outline::Omitted::default(),
        };
        bench.browser.reads(URL, matches, 4).await;
        let probed = bench.client.reply(id).await.unwrap();
        assert_eq!(
            (&probed["effect"], &probed["documentAfter"], &probed["urlAfter"]),
            (&json!("committed"), &json!("D"), &json!(URL))
        );
        assert_eq!(probed["after"], "e3 checkbox \"Gift\\nwrap\"");

        let id = bench
            .client
            .begin(
                "browser_interact",
                json!({"action": "probe", "do": "click", "target": "e3"}),
            )
            .await;
        bench.browser.shows("D", URL).await;
        bench.browser.acts(clicked()).await;
        // It led elsewhere: nothing is looked for there.
        bench.browser.shows("E", "https://shop.example/done").await;
        let probed = bench.client.reply(id).await.unwrap();
        assert_eq!(probed["documentAfter"], "E");
        assert_eq!(probed.get("after"), None);
    });
}
