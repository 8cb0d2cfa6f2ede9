//! Filling editors: their own model holds what was filled in.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::Code;
use serde_json::{Value, json};

use crate::act::{Acting, is_refused};

/// Three lines, an empty one, white space, and what editors close by themselves.
const TEXT: &str = "First line: \"quotes\" & `ticks`\n  second <b>line</b> {[(\n\nfourth 'ends";

/// Opens a page of an editor.
async fn editor(name: &str) -> Result<Acting> {
    let tab = Acting::open(&format!("/editors/{name}")).await?;
    tab.page
        .until("document.documentElement.dataset.ready !== undefined")
        .await?;
    Ok(tab)
}

async fn model(tab: &Acting, part: &str) -> Result<String> {
    tab.page
        .evaluate(&format!("String(model({}))", json!(part)))
        .await
}

/// Fills, replaces what was filled, adds, and empties.
async fn holds_what_is_filled(name: &str, selector: &str) -> Result<()> {
    let tab = editor(name).await?;
    let before = model(&tab, "").await?;
    ensure!(before.contains(['O', 'o']) && before != TEXT, "{before:?}");
    let done = tab
        .done("fill", json!({"selector": selector, "value": TEXT}))
        .await?;
    assert_eq!(done["confirmed"], json!(["value"]), "{done}");
    assert_eq!(model(&tab, "").await?, TEXT);
    let long: Vec<String> = (0..500)
        .map(|line| format!("let line{line} = \"{line}\";"))
        .collect();
    let long = long.join("\n");
    tab.done("fill", json!({"selector": selector, "value": long}))
        .await?;
    ensure!(model(&tab, "").await? == long, "500 lines");
    tab.done(
        "fill",
        json!({"selector": selector, "value": "more", "append": true}),
    )
    .await?;
    assert_eq!(model(&tab, "").await?, format!("{long}more"));
    tab.done("fill", json!({"selector": selector, "value": ""}))
        .await?;
    assert_eq!(model(&tab, "").await?, "");
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_editor_quill_holds_what_is_filled() -> Result<()> {
    holds_what_is_filled("quill", ".ql-editor").await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_editor_prosemirror_holds_what_is_filled() -> Result<()> {
    holds_what_is_filled("prosemirror", ".ProseMirror").await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_editor_trix_holds_what_is_filled() -> Result<()> {
    holds_what_is_filled("trix", "trix-editor").await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_editor_codemirror_5_holds_what_is_filled() -> Result<()> {
    holds_what_is_filled("codemirror5", ".CodeMirror").await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_editor_codemirror_6_holds_what_is_filled() -> Result<()> {
    holds_what_is_filled("codemirror6", ".cm-content").await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_editor_monaco_holds_what_is_filled() -> Result<()> {
    holds_what_is_filled("monaco", ".monaco-editor").await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_editor_lexical_holds_what_is_filled() -> Result<()> {
    holds_what_is_filled("lexical", "#editor").await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_editor_draft_holds_what_is_filled() -> Result<()> {
    holds_what_is_filled("draft", "[contenteditable]").await
}

/// It edits in a frame of its own.
#[tokio::test(flavor = "multi_thread")]
async fn act_editor_tinymce_holds_what_is_filled() -> Result<()> {
    let tab = editor("tinymce").await?;
    // The document as a whole is what is edited: it is named by its frame, or from inside.
    let read = json!({"mode": "structured", "maxTokens": 50_000});
    let found = tab.inspect("observe", read).await??;
    let nodes = found["nodes"].as_array().cloned().unwrap_or_default();
    let frame = nodes
        .iter()
        .find(|node| node["role"] == "frame")
        .context("no frame")?;
    let frame = frame["ref"].clone();
    let done = tab.done("fill", json!({"ref": frame, "value": TEXT})).await?;
    assert_eq!(done["ref"], frame);
    assert_eq!(model(&tab, "").await?, TEXT);
    let inside = json!({"target": {"selector": "body", "frame": frame}, "value": "more", "append": true});
    tab.done("fill", inside).await?;
    assert_eq!(model(&tab, "").await?, format!("{TEXT}more"));
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_editor_plain_content_keeps_its_lines() -> Result<()> {
    let tab = editor("editable").await?;
    let text = "first\n second  line\nthird";
    for id in ["plain", "paragraphs", "wrap", "only", "box"] {
        let target = json!({"selector": format!("#{id}"), "value": text});
        tab.done("fill", target).await?;
        let model = model(&tab, id).await?;
        // A paragraph is followed by an empty line in what the browser makes of it.
        let lines: Vec<&str> = model
            .lines()
            .filter(|line| !line.is_empty())
            .map(str::trim_end)
            .collect();
        let folded: Vec<String> = lines
            .iter()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(folded, ["first", "second line", "third"], "{id}: {model:?}");
    }
    for (name, id) in [("In open", "open"), ("In closed", "closed")] {
        let target = json!({"target": {"role": "textbox", "name": name}, "value": text});
        tab.done("fill", target).await?;
        assert_eq!(model(&tab, id).await?.lines().count(), 3, "{name}");
    }
    tab.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn act_editor_that_refuses_is_told_with_both_values() -> Result<()> {
    let tab = editor("editable").await?;
    let refused = tab
        .refused("fill", json!({"selector": "#fixed", "value": "x"}))
        .await?;
    assert_eq!(refused.code, Code::NotEditable);
    let part = tab
        .act("fill", json!({"selector": "#plain b", "value": "x"}))
        .await?;
    is_refused(&part, Code::NotEditable)?;
    let stubborn = tab
        .act("fill", json!({"selector": "#stubborn", "value": "new"}))
        .await?;
    let error = stubborn
        .err()
        .unwrap_or_else(|| drawbridge_protocol::Error::internal("it was filled"));
    assert_eq!(error.code, Code::Unconfirmed, "{error:?}");
    let data: Value = error.data.unwrap_or_default();
    assert_eq!(
        (&data["wanted"], &data["value"]),
        (&json!("new"), &json!("Stubborn"))
    );
    assert_eq!(model(&tab, "stubborn").await?, "Stubborn");
    tab.end().await
}
