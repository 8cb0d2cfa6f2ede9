//! Submitting a form is a use of its own, whichever way it is done.

use anyhow::{Result, ensure};
use drawbridge_protocol::Code;
use drawbridge_protocol::local::{Admin, Decision, Grant};
use drawbridge_tests::sandbox::Options;
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::act::Acting;

/// A form that tells the site what it was submitted with.
const FORM: &str = "<form id=form action=/submitted><label>Name <input id=name name=name></label>
    <label><input type=checkbox id=gift name=gift> Gift</label>
    <label>Year <select id=year name=year><option>2025<option>2026</select></label>
    <button id=send>Send</button><button id=plain type=button>Plain</button></form>";

async fn opened(options: Options) -> Result<Acting> {
    let world = World::fresh(options).await?;
    world.site.put("/form", FORM.to_owned());
    world.site.put("/submitted", "<p>Thank you".to_owned());
    Acting::in_world(world, "/form", json!({})).await
}

async fn decide(tab: &Acting, decision: Decision) -> Result<()> {
    let grant = Grant {
        subject: "*".into(),
        action: "browser.submit".to_owned(),
        site: "*".to_owned(),
        decision,
    };
    tab.world
        .client
        .admin(Admin::SetGrant { grant, yes: true })
        .await?;
    Ok(())
}

async fn place(tab: &Acting) -> Result<String> {
    tab.page.evaluate("location.pathname + location.search").await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_submit_needs_its_own_grant_whichever_way_it_is_done() -> Result<()> {
    let tab = opened(Options::default()).await?;
    for (decision, code) in [
        (Decision::Ask, Code::NeedsApproval),
        (Decision::Off, Code::NotGranted),
    ] {
        decide(&tab, decision).await?;
        for (action, arguments) in [
            ("click", json!({"selector": "#send"})),
            ("press", json!({"selector": "#name", "key": "Enter"})),
        ] {
            let error = tab.refused(action, arguments).await?;
            assert_eq!(error.code, code, "{action}: {error:?}");
            ensure!(error.message.contains("browser.submit"), "{error:?}");
        }
        assert_eq!(place(&tab).await?, "/form", "{decision:?}");
    }
    // What submits nothing goes on.
    tab.done("click", json!({"selector": "#plain"})).await?;
    tab.done("fill", json!({"selector": "#name", "value": "Ada"}))
        .await?;
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_clipboard_is_out_of_reach_of_keys_and_of_the_middle_button() -> Result<()> {
    let tab = opened(Options::default()).await?;
    for (action, arguments) in [
        ("click", json!({"selector": "#name", "button": "middle"})),
        ("press", json!({"selector": "#name", "key": "Control+V"})),
        ("press", json!({"selector": "#name", "key": "Shift+Insert"})),
    ] {
        let error = tab.refused(action, arguments.clone()).await?;
        assert_eq!(error.code, Code::Unsupported, "{arguments}: {error:?}");
    }
    let held: String = tab.page.evaluate("document.getElementById('name').value").await?;
    assert_eq!(held, "");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_form_sets_fields_by_their_kind_and_submits_when_that_is_allowed() -> Result<()> {
    let tab = opened(Options::default()).await?;
    decide(&tab, Decision::Off).await?;
    let fields = json!([
        {"target": {"label": "Name"}, "value": "Ada"},
        {"target": "#gift", "value": true},
        {"target": "#year", "value": "2026"},
    ]);
    let form = json!({"fields": fields, "submit": true});
    let error = tab
        .act("form", form.clone())
        .await?
        .expect_err("a submit that is off");
    assert_eq!(error.code, Code::NotGranted, "{error:?}");
    let data = error.data.unwrap_or_default();
    assert_eq!(
        (&data["at"], data["fields"].as_array().map(Vec::len)),
        (&json!("submit"), Some(3)),
        "{data}"
    );
    let values: Value = tab
        .page
        .evaluate("[document.all.name.value, document.all.gift.checked, document.all.year.value]")
        .await?;
    assert_eq!(values, json!(["Ada", true, "2026"]));
    assert_eq!(place(&tab).await?, "/form");

    decide(&tab, Decision::Allow).await?;
    tab.done("form", form).await?;
    tab.page.until("location.pathname === '/submitted'").await?;
    assert_eq!(place(&tab).await?, "/submitted?name=Ada&gift=on&year=2026");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_batch_with_a_bad_middle_does_not_run_its_third_step() -> Result<()> {
    let tab = Acting::open("/act/visible").await?;
    let go = tab.ref_of("Go").await?;
    let steps = json!([
        {"action": "click", "target": go},
        {"action": "click", "target": "e9999"},
        {"action": "click", "target": go},
    ]);
    let error = tab
        .act("batch", json!({ "steps": steps }))
        .await?
        .expect_err("a ref that names nothing");
    let data = error.data.clone().unwrap_or_default();
    assert_eq!(
        (&data["at"], data["steps"].as_array().map(Vec::len)),
        (&json!("steps[1]"), Some(1)),
        "{error:?}"
    );
    assert_eq!(tab.count("click go 1").await, 1);
    let result = tab
        .done(
            "batch",
            json!({"steps": [{"action": "hover", "ref": go}, {"action": "click", "ref": go}]}),
        )
        .await?;
    assert_eq!(result["steps"].as_array().map(Vec::len), Some(2));
    assert_eq!(tab.count("click go 1").await, 2);
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_probe_tells_what_the_element_is_like_afterwards() -> Result<()> {
    let tab = opened(Options::default()).await?;
    let probed = tab
        .done(
            "probe",
            json!({"do": "check", "selector": "#gift", "settleMs": 100}),
        )
        .await?;
    assert_eq!(probed["document"], probed["documentAfter"], "{probed}");
    assert_eq!(probed["urlAfter"], tab.world.site.url("/form"), "{probed}");
    let after = probed["after"].as_str().unwrap_or_default();
    ensure!(
        after.contains("checkbox \"Gift\"") && after.contains("checked"),
        "{probed}"
    );
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_flat_names_take_the_words_of_other_skills() -> Result<()> {
    let tab = opened(Options::default()).await?;
    let flat = tab.world.mcp("flat").await?;
    let started = flat
        .call("browser_start", json!({"url": tab.world.site.url("/form")}))
        .await?;
    ensure!(!started.is_error, "{:?}", started.outcome);
    for (tool, arguments) in [
        ("browser_wait", json!({"state": "load", "urlIncludes": "/form"})),
        (
            "browser_fill",
            json!({"target": {"label": "Name", "scopeSelector": "form"}, "value": "Ada"}),
        ),
        ("browser_check", json!({"selector": "#gift"})),
        ("browser_select", json!({"selector": "#year", "values": ["2026"]})),
        ("browser_press_key", json!({"selector": "#name", "key": "End"})),
        ("browser_scroll_to", json!({"selector": "#send"})),
        ("browser_cua", json!({"action": "move", "x": 5, "y": 5})),
        (
            "browser_navigate",
            json!({"url": tab.world.site.url("/form"), "wait": true}),
        ),
    ] {
        let called = flat.call(tool, arguments).await?;
        ensure!(!called.is_error, "{tool}: {:?}", called.outcome);
    }
    let stopped = flat.call("browser_stop", json!({})).await?;
    ensure!(!stopped.is_error, "{:?}", stopped.outcome);
    drop(flat);
    tab.end().await
}
