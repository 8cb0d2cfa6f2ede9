//! Forms and batches.

use drawbridge_protocol::act::FieldValue;

use super::*;

fn set(value: &str) -> Acted {
    Acted {
        r#ref: Some(Ref::element(1)),
        confirmed: vec!["value".to_owned()],
        changed: Changed {
            value: Some(value.to_owned()),
            ..Changed::default()
        },
        ..Acted::default()
    }
}

#[test]
fn a_batch_stops_at_the_first_step_that_fails_and_says_what_was_done() {
    run(async {
        let mut bench = Bench::new().await;
        let steps = json!([
            {"action": "fill", "target": "e1", "value": "Ada"},
            {"action": "click", "ref": "@e2"},
            {"action": "press", "key": "Enter"}
        ]);
        let args = json!({"action": "batch", "steps": steps});
        let id = bench.client.begin("browser_interact", args.clone()).await;
        bench.browser.shows("D", URL).await;
        bench.browser.acts(set("Ada")).await;
        bench.browser.shows("D", URL).await;
        let covered = undone(Code::Covered).data(json!({"by": "div"}));
        bench.browser.fails_act(covered).await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::Covered, Some(Effect::Committed))
        );
        assert!(error.message.starts_with("steps[1]: "), "{error}");
        let data = error.data.unwrap();
        assert_eq!((&data["at"], &data["by"]), (&json!("steps[1]"), &json!("div")));
        let receipts = data["steps"].as_array().unwrap();
        assert_eq!(receipts.len(), 1, "{data}");
        assert_eq!(receipts[0]["changed"]["value"], "Ada");

        // The third was never sent: the next thing the browser hears is the next call.
        let id = bench.client.begin("browser_interact", args).await;
        bench.browser.shows("D", URL).await;
        let asked = bench.browser.fails_act(undone(Code::NotEnabled)).await;
        assert!(matches!(asked.action, Action::Fill { .. }));
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!((error.code, error.effect), (Code::NotEnabled, Some(Effect::None)));
    });
}

#[test]
fn a_batch_is_about_the_document_it_began_in() {
    run(async {
        let mut bench = Bench::new().await;
        let steps =
            json!([{"action": "click", "target": "e1"}, {"action": "type", "text": "for the page before"}]);
        let args = json!({"action": "batch", "steps": steps});
        let id = bench.client.begin("browser_interact", args).await;
        bench.browser.shows("D", URL).await;
        bench.browser.acts(clicked()).await;
        bench.browser.shows("E", URL).await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::StaleRef, Some(Effect::Committed))
        );
    });
}

#[test]
fn a_batch_takes_refs_and_is_read_whole_before_it_begins() {
    run(async {
        let mut bench = Bench::new().await;
        let click = json!({"action": "click", "target": "e1"});
        for (steps, says) in [
            (json!([]), "steps: has 0 entries"),
            (json!(vec![click.clone(); 21]), "steps: has 21 entries"),
            (
                json!([click, {"action": "click", "target": "#save"}]),
                "steps[1].target: must be a ref",
            ),
            (json!([{"action": "click"}]), "steps[0].target: is missing"),
            (
                json!([{"action": "drag", "target": "e1", "to": "#bin"}]),
                "steps[0].target: must be a ref",
            ),
            (
                json!([{"action": "batch", "steps": []}]),
                "steps[0].action: there is no action batch",
            ),
            (
                json!([{"action": "form", "fields": []}]),
                "steps[0].action: there is no action form",
            ),
            (json!([{"target": "e1"}]), "steps[0].action: is missing"),
            (
                json!([{"action": "click", "target": "e1", "tab": "t2.a"}]),
                "steps[0].tab: is for the whole call",
            ),
            (
                json!([{"action": "fill", "target": "e1", "value": 5}]),
                "steps[0].value: is 5, must be a text",
            ),
            (json!(["click"]), "steps[0]: must be an object"),
        ] {
            let args = json!({"action": "batch", "steps": steps});
            let error = bench.client.call("browser_interact", args).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArgument, "{steps}: {error}");
            assert!(error.message.contains(says), "{steps}: {error}");
        }
    });
}

#[test]
fn a_form_sets_its_fields_in_order_and_submits_last() {
    run(async {
        let mut bench = Bench::new().await;
        let args = json!({"action": "form", "submit": true, "fields": [
            {"target": {"label": "Name"}, "value": "Ada"},
            {"target": "e2", "value": true},
            {"target": "e3", "value": ["a", "b"]},
        ]});
        let id = bench.client.begin("browser_interact", args).await;
        let wanted = [
            Action::Set {
                value: FieldValue::Text("Ada".to_owned()),
            },
            Action::Set {
                value: FieldValue::On(true),
            },
            Action::Set {
                value: FieldValue::Many(vec!["a".to_owned(), "b".to_owned()]),
            },
            Action::Submit,
        ];
        for action in wanted {
            bench.browser.shows("D", URL).await;
            let asked = bench.browser.acts(clicked()).await;
            assert_eq!(asked.action, action);
            assert!(asked.target.is_some());
        }
        let result = bench.client.reply(id).await.unwrap();
        assert_eq!(result["effect"], "committed");
        assert_eq!(result["fields"].as_array().map(Vec::len), Some(3));
        assert_eq!(result["submitted"]["confirmed"], json!(["mousedown", "click"]));
    });
}

#[test]
fn a_form_whose_submit_is_not_allowed_says_that_its_fields_are_set() {
    run(async {
        let mut bench = Bench::new().await;
        let args = json!({"action": "form", "submit": true, "fields": [{"target": "e1", "value": "Ada"}]});
        let id = bench.client.begin("browser_interact", args).await;
        bench.browser.shows("D", URL).await;
        bench.browser.acts(set("Ada")).await;
        bench.browser.shows("D", URL).await;
        bench.browser.fails_act(undone(Code::NotGranted)).await;
        let error = bench.client.reply(id).await.unwrap_err();
        assert_eq!(
            (error.code, error.effect),
            (Code::NotGranted, Some(Effect::Committed))
        );
        let data = error.data.unwrap();
        assert_eq!(data["at"], "submit");
        assert_eq!(data["fields"].as_array().map(Vec::len), Some(1));
    });
}
