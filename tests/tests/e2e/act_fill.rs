//! Filling native fields: the page's own state holds the value, or both values are told.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::{Code, Effect};
use drawbridge_tests::world::World;
use serde_json::{Value, json};

use crate::act::{Acting, is_refused, with};

async fn fields() -> Result<Acting> {
    let tab = Acting::open("/editors/fields").await?;
    tab.page
        .until("document.documentElement.dataset.ready !== undefined")
        .await?;
    Ok(tab)
}

async fn model(tab: &Acting, id: &str) -> Result<String> {
    tab.page.evaluate(&format!("String(model({}))", json!(id))).await
}

async fn fill(tab: &Acting, id: &str, value: &str) -> Result<Result<Value, drawbridge_protocol::Error>> {
    tab.act("fill", json!({"selector": format!("#{id}"), "value": value}))
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_reaches_the_state_of_frameworks() -> Result<()> {
    let tab = fields().await?;
    for (id, value) in [
        ("react-text", "Grace"),
        ("vue-text", "Grace"),
        ("react-text", "Ada L."),
        ("mail", "a@b.example"),
        ("number", "7"),
    ] {
        let done = fill(&tab, id, value).await??;
        assert_eq!(done["changed"]["value"], value, "{done}");
        assert_eq!(model(&tab, id).await?, value, "{id}");
    }
    let (count, disabled): (String, bool) = (
        tab.page
            .evaluate("document.getElementById('count').textContent")
            .await?,
        tab.page
            .evaluate("document.getElementById('react-send').disabled")
            .await?,
    );
    assert_eq!((count.as_str(), disabled), ("6", false));
    let added = json!({"target": {"label": "React", "exact": true}, "value": "!", "append": true});
    tab.done("fill", added).await?;
    assert_eq!(model(&tab, "react-text").await?, "Ada L.!");
    let inside = json!({"target": {"label": "Inside"}, "value": "shadow"});
    tab.done("fill", inside).await?;
    assert_eq!(model(&tab, "inside").await?, "shadow");
    fill(&tab, "react-text", "").await??;
    assert_eq!(model(&tab, "react-text").await?, "");
    let events: Vec<String> = tab.page.evaluate("events()").await?;
    ensure!(
        events.iter().all(|event| !event.ends_with("untrusted")),
        "{events:?}"
    );
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_of_a_value_with_one_form_takes_it_as_html_or_people_write_it() -> Result<()> {
    let tab = fields().await?;
    for (id, value, held) in [
        ("date", "2026-11-30", "2026-11-30"),
        ("date", "30.11.2026", "2026-11-30"),
        ("date", "12/31/2027", "2027-12-31"),
        ("time", "13:45", "13:45"),
        ("time", "1:46 pm", "13:46"),
        ("both", "2026-11-30T13:45", "2026-11-30T13:45"),
        ("month", "2026-11", "2026-11"),
        ("week", "2026-W48", "2026-W48"),
        ("color", "#FF8800", "#ff8800"),
        ("range", "8", "8"),
        ("react-day", "2026-02-03", "2026-02-03"),
        ("vue-day", "2026-02-03", "2026-02-03"),
        ("react-loud", "7", "7"),
    ] {
        fill(&tab, id, value)
            .await?
            .with_context(|| format!("{id} {value}"))?;
        assert_eq!(model(&tab, id).await?, held, "{id} {value}");
    }
    for (id, value) in [
        ("date", "the day after"),
        ("time", "25:00"),
        ("color", "orange"),
        ("number", "many"),
        ("range", "loud"),
    ] {
        let before = model(&tab, id).await?;
        let outcome = fill(&tab, id, value).await?;
        is_refused(&outcome, Code::InvalidArgument).with_context(|| id.to_owned())?;
        assert_eq!(model(&tab, id).await?, before, "{id}");
    }
    // Out of its range: the browser keeps a date and says so, and moves a range.
    let late = fill(&tab, "date", "2031-01-01").await??;
    ensure!(late["changed"]["validation"].is_string(), "{late}");
    let range = fill(&tab, "range", "30").await?.err().context("it was filled")?;
    assert_eq!(range.code, Code::Unconfirmed);
    let data = range.data.unwrap_or_default();
    assert_eq!(
        (&data["wanted"], &data["value"], &data["max"]),
        (&json!("30"), &json!("10"), &json!("10"))
    );
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_tells_both_values_where_the_page_keeps_another() -> Result<()> {
    let tab = fields().await?;
    for (id, value, held) in [
        ("thousands", "1234567", "1,234,567"),
        ("masked", "1234567890", "(123) 456-7890"),
        ("upper", "loud", "LOUD"),
        ("snaps", "new", "kept"),
        ("late", "spaced  ", "spaced"),
    ] {
        let error = fill(&tab, id, value)
            .await?
            .err()
            .with_context(|| format!("{id} was filled"))?;
        assert_eq!(error.code, Code::Unconfirmed, "{id}: {error:?}");
        assert_eq!(error.effect, Some(Effect::Unknown), "{id}");
        let data = error.data.unwrap_or_default();
        assert_eq!(
            (&data["wanted"], &data["value"]),
            (&json!(value), &json!(held)),
            "{id}"
        );
        assert_eq!(model(&tab, id).await?, held, "{id}");
    }
    let already = fill(&tab, "thousands", "1,234,567").await??;
    assert_eq!(already["effect"], "committed");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_never_cuts_a_value() -> Result<()> {
    let tab = fields().await?;
    let short = fill(&tab, "short", "abcdefgh").await?;
    is_refused(&short, Code::Unconfirmed)?;
    assert_eq!(model(&tab, "short").await?, "abc");
    fill(&tab, "short", "abcde").await??;
    let lines: Vec<String> = (0..400)
        .map(|line| format!("{line} `tick` \"quoted\" 'single' <b> & \\ ünï 😀 \u{2028}end"))
        .collect();
    let long = lines.join("\n");
    ensure!(long.len() > 20_000, "{}", long.len());
    for id in ["growing", "lines"] {
        fill(&tab, id, &long).await??;
        ensure!(model(&tab, id).await? == long, "{id} holds something else");
    }
    let lines = fill(&tab, "upper", "one\ntwo").await?;
    is_refused(&lines, Code::InvalidArgument)?;
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_refuses_what_nobody_could_fill() -> Result<()> {
    let tab = fields().await?;
    for (id, code) in [
        ("readonly", Code::NotEditable),
        ("off", Code::NotEnabled),
        ("offset", Code::NotEnabled),
        ("box", Code::NotEditable),
        ("send", Code::NotEditable),
        ("react", Code::NotEditable),
    ] {
        let outcome = fill(&tab, id, "x").await?;
        is_refused(&outcome, code).with_context(|| id.to_owned())?;
    }
    let events: Vec<String> = tab.page.evaluate("events()").await?;
    ensure!(events.is_empty(), "{events:?}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_of_a_secret_tells_no_value() -> Result<()> {
    let tab = fields().await?;
    let done = fill(&tab, "password", "correct horse").await??;
    assert_eq!(model(&tab, "password").await?, "correct horse");
    let told = done.to_string();
    ensure!(!told.contains("horse") && !told.contains("old"), "{told}");
    let differs = fill(&tab, "changing", "battery staple")
        .await?
        .err()
        .context("it was filled")?;
    assert_eq!(differs.code, Code::Unconfirmed);
    let told = format!("{differs:?}");
    ensure!(!told.contains("staple") && told.contains("differs"), "{told}");
    let added = json!({"selector": "#password", "value": " battery", "append": true});
    let done = tab.done("fill", added).await?.to_string();
    assert_eq!(model(&tab, "password").await?, "correct horse battery");
    ensure!(!done.contains("battery") && !done.contains("horse"), "{done}");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_says_that_suggestions_are_open() -> Result<()> {
    let tab = fields().await?;
    let done = fill(&tab, "city", "ber").await??;
    assert_eq!(done["changed"]["value"], "ber", "{done}");
    assert_eq!(done["changed"]["expanded"], true, "{done}");
    let options: i32 = tab
        .page
        .evaluate("document.querySelectorAll('#cities li').length")
        .await?;
    assert_eq!(options, 3);
    let awesome = fill(&tab, "awesome", "jav").await??;
    assert_eq!(awesome["changed"]["expanded"], true, "{awesome}");
    fill(&tab, "listed", "Fi").await??;
    assert_eq!(model(&tab, "listed").await?, "Fi");
    tab.end().await
}

/// What its fields hold, a page in a frame tells the one around.
const INNER: &str = "<!doctype html><title>inner</title><label>Inner <input></label>
<label>Kind <select><option>one<option>two</select></label><label>Box <input type=checkbox></label>
<div contenteditable role=textbox aria-label=Note style='min-height: 20px'></div><input type=date aria-label=Day>
<script>
const tell = ({ target }) => parent.postMessage(target.type === 'checkbox' ? target.checked : target.value ?? target.innerText, '*');
addEventListener('input', tell);
</script>";

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_works_in_frames_of_other_processes() -> Result<()> {
    let world = World::shared().await?;
    let abroad = world.site.other.replace("127.0.0.1", "localhost");
    world.site.put("/fill/inner", INNER);
    world.site.put(
        "/fill/outer",
        format!(
            "<!doctype html><title>outer</title><input aria-label=Outer value=kept autofocus>
             <script>window.told = []; addEventListener('message', (event) => told.push(String(event.data)));</script>
             <iframe src='{abroad}/fill/inner' style='width: 500px; height: 200px'></iframe>"
        ),
    );
    let tab = Acting::in_world(world, "/fill/outer", json!({})).await?;
    let mut wanted = Vec::new();
    for (action, target, more, told) in [
        (
            "fill",
            json!({"role": "textbox", "name": "Inner"}),
            json!({"value": "across"}),
            "across",
        ),
        (
            "fill",
            json!({"role": "textbox", "name": "Note"}),
            json!({"value": "a note"}),
            "a note",
        ),
        (
            "fill",
            json!({"label": "Day"}),
            json!({"value": "2026-11-30"}),
            "2026-11-30",
        ),
        (
            "select",
            json!({"label": "Kind"}),
            json!({"labels": ["two"]}),
            "two",
        ),
        (
            "check",
            json!({"role": "checkbox", "name": "Box"}),
            json!({}),
            "true",
        ),
    ] {
        let done = tab.done(action, with(json!({"target": target}), more)).await;
        done.with_context(|| told.to_owned())?;
        wanted.push(told.to_owned());
    }
    // Messages between processes take their time.
    tab.page
        .until(&format!("told.length >= {}", wanted.len()))
        .await?;
    let told: Vec<String> = tab.page.evaluate("told").await?;
    assert_eq!(told, wanted);
    let outer: String = tab.page.evaluate("document.querySelector('input').value").await?;
    assert_eq!(outer, "kept");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_of_a_form_sets_each_field_by_its_kind() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/fill/form",
        "<!doctype html><title>form</title><form onsubmit='event.preventDefault()'><input id=name><textarea id=text></textarea>
         <select id=one><option value=a>Alpha<option value=b>Beta</select><select id=many multiple><option>x<option>y<option>z</select>
         <input id=box type=checkbox><input id=day type=date><input id=last></form>",
    );
    let tab = Acting::in_world(world, "/fill/form", json!({})).await?;
    let fields = json!([
        {"target": "#name", "value": "Ada"},
        {"target": "#text", "value": "one\ntwo"},
        {"target": "#one", "value": "Beta"},
        {"target": "#many", "value": ["x", "z"]},
        {"target": "#box", "value": true},
        {"target": "#day", "value": "2026-11-30"},
    ]);
    tab.act("form", json!({"fields": fields})).await??;
    let held: Value = tab
        .page
        .evaluate(
            "[...document.querySelectorAll('form > *')].map((one) => one.multiple
               ? [...one.selectedOptions].map((each) => each.value) : one.type === 'checkbox' ? one.checked : one.value)",
        )
        .await?;
    assert_eq!(
        held,
        json!(["Ada", "one\ntwo", "b", ["x", "z"], true, "2026-11-30", ""])
    );
    // It stops at the first that fails.
    let wrong = json!([{"target": "#box", "value": "text"}, {"target": "#last", "value": "never"}]);
    let told = format!("{:?}", tab.act("form", json!({"fields": wrong})).await?);
    ensure!(
        told.contains("InvalidArgument") || told.contains("invalid_argument"),
        "{told}"
    );
    let last: String = tab.page.evaluate("document.getElementById('last').value").await?;
    assert_eq!(last, "");
    tab.end().await
}

/// A page that answers what is asked of it with what it likes, and members that pose as those of elements.
#[tokio::test(flavor = "multi_thread")]
async fn act_fill_believes_no_page_that_poses() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/fill/poses",
        "<!doctype html><title>poses</title>
         <form id=form><input name=value><input name=focus><input name=closest></form><img name=activeElement>
         <label>Real <input id=real></label>
         <div id=liar contenteditable style='min-height: 20px; border: 1px solid'>old</div>
         <script>
         HTMLInputElement.prototype.select = () => { throw new Error('no'); };
         Object.defineProperty(HTMLInputElement.prototype, 'value', { get: () => 'forged', set() {} });
         liar.addEventListener('beforeinput', (event) => event.preventDefault());
         liar.addEventListener('paste', (event) => event.preventDefault());
         </script>",
    );
    let tab = Acting::in_world(world, "/fill/poses", json!({})).await?;
    let done = fill(&tab, "real", "typed").await??;
    assert_eq!(done["changed"]["value"], "typed", "{done}");
    let inside = fill(&tab, "form", "x").await?;
    is_refused(&inside, Code::NotEditable)?;
    let liar = fill(&tab, "liar", "new").await?.err().context("it was filled")?;
    assert_eq!(liar.code, Code::Unconfirmed);
    assert_eq!(liar.data.unwrap_or_default()["value"], "old");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_that_opens_a_dialog_says_so() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/fill/dialogs",
        "<!doctype html><title>dialogs</title><input id=text oninput='alert(`typed`)'>
         <input id=day type=date onchange='alert(`day`)'><select id=one onchange='alert(`one`)'><option>a<option>b</select>
         <input id=box type=checkbox onchange='alert(`box`)'>",
    );
    let tab = Acting::in_world(world, "/fill/dialogs", json!({})).await?;
    for (action, arguments, message) in [
        ("fill", json!({"selector": "#text", "value": "x"}), "typed"),
        ("fill", json!({"selector": "#day", "value": "2026-11-30"}), "day"),
        ("select", json!({"selector": "#one", "labels": ["b"]}), "one"),
    ] {
        let done = tab
            .done(action, arguments)
            .await
            .with_context(|| message.to_owned())?;
        assert_eq!(done["changed"]["dialog"]["message"], message, "{done}");
        let answer = json!({"action": "dialog", "do": "accept"});
        let answered = tab.call("browser_page", answer).await??;
        ensure!(answered.to_string().contains(message), "{answered}");
    }
    // The state of a box is the answer's to say: a page may undo the press on a no.
    let outcome = tab.act("check", json!({"selector": "#box"})).await?;
    let open = outcome
        .err()
        .context("a box was told as switched behind a dialog")?;
    assert_eq!(open.code, Code::DialogOpen, "{open:?}");
    assert_eq!(open.effect, Some(Effect::Unknown), "{open:?}");
    let answer = json!({"action": "dialog", "do": "accept"});
    tab.call("browser_page", answer).await??;
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_fill_types_nowhere_else() -> Result<()> {
    let world = World::shared().await?;
    world.site.put(
        "/fill/moves",
        "<!doctype html><title>moves</title><input id=away onfocus='other.focus()'><input id=other value=kept>",
    );
    let tab = Acting::in_world(world, "/fill/moves", json!({})).await?;
    let away = fill(&tab, "away", "x").await?;
    is_refused(&away, Code::NotEditable)?;
    let other: String = tab.page.evaluate("other.value").await?;
    assert_eq!(other, "kept");
    tab.end().await
}
