//! The browser's own accessibility tree, flattened in its order: main frame, frames in the same process, and frames in
//! processes of their own.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result};
use futures_util::future::{BoxFuture, try_join_all};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cdp::{BOUND, Browser, Page};

/// What the harness looks at in each element, in a world of its own.
const LOOK: &str = include_str!("look.js");

/// A node that the browser does not ignore.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// As the browser calls it; see [`super::element`].
    pub role: String,
    pub name: String,
    /// Value, where it has one.
    pub value: Option<String>,
    /// Properties by name; booleans as `true` and `false`.
    pub properties: BTreeMap<String, String>,
    /// Backend node id in its process.
    pub backend: Option<i64>,
    pub look: Look,
}

/// What the page shows of an element.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Look {
    /// By the rule that all readers share.
    pub visible: bool,
    /// Tag name, lower case; empty for what is no element.
    pub tag: String,
    pub title: String,
    /// Part of a built-in element's own inside, such as the parts of a date field.
    pub built_in: bool,
}

/// All nodes, in the browser's order.
pub(super) async fn read(page: &Page) -> Result<Vec<Node>> {
    let mut frames = HashMap::new();
    let auto = |on: bool| json!({"autoAttach": on, "waitForDebuggerOnStart": false, "flatten": true});
    let root = collect(page.browser(), page.session().to_owned(), &mut frames).await?;
    let mut nodes = Vec::new();
    splice(page.browser(), &root, &frames, &mut nodes).await?;
    page.send("Target.setAutoAttach", auto(false)).await?;
    Ok(nodes)
}

/// One frame's tree before it is put into its place.
struct Frame {
    session: String,
    /// The frame's world for the harness.
    context: i64,
    nodes: HashMap<String, AxNode>,
    root: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AxNode {
    node_id: String,
    ignored: bool,
    #[serde(default)]
    role: Option<AxValue>,
    #[serde(default)]
    name: Option<AxValue>,
    #[serde(default)]
    value: Option<AxValue>,
    #[serde(default)]
    properties: Vec<AxProperty>,
    #[serde(default)]
    parent_id: Option<String>,
    #[serde(default)]
    child_ids: Vec<String>,
    #[serde(default, rename = "backendDOMNodeId")]
    backend: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct AxValue {
    #[serde(default)]
    value: Value,
}

impl AxValue {
    fn text(value: Option<&Self>) -> String {
        match value.map(|value| &value.value) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        }
    }
}

#[derive(Debug, Deserialize)]
struct AxProperty {
    name: String,
    value: AxValue,
}

/// Takes the frames of one process, and those of the processes below it. Returns the id of the outermost one.
fn collect<'a>(
    browser: &'a Browser,
    session: String,
    frames: &'a mut HashMap<String, Frame>,
) -> BoxFuture<'a, Result<String>> {
    Box::pin(async move {
        let send =
            |method: &'static str, params: Value| browser.send_to(Some(&session), method, params, BOUND);
        let mut events = browser.listen().of_session(&session);
        send(
            "Target.setAutoAttach",
            json!({"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}),
        )
        .await?;
        let others = events.so_far("Target.attachedToTarget")?;
        let tree = send("Page.getFrameTree", json!({})).await?;
        let mut todo = vec![&tree["frameTree"]];
        let mut outermost = String::new();
        while let Some(at) = todo.pop() {
            let id = at["frame"]["id"]
                .as_str()
                .context("a frame without an id")?
                .to_owned();
            todo.extend(at["childFrames"].as_array().into_iter().flatten());
            let world = send(
                "Page.createIsolatedWorld",
                json!({"frameId": id, "worldName": "harness"}),
            )
            .await?;
            let context = world["executionContextId"]
                .as_i64()
                .context("a world without an id")?;
            let mut answer = send("Accessibility.getFullAXTree", json!({"frameId": id})).await?;
            let nodes: Vec<AxNode> = serde_json::from_value(answer["nodes"].take())?;
            let root = nodes
                .iter()
                .find(|node| node.parent_id.is_none())
                .map(|node| node.node_id.clone());
            let nodes = nodes
                .into_iter()
                .map(|node| (node.node_id.clone(), node))
                .collect();
            if outermost.is_empty() {
                outermost.clone_from(&id);
            }
            let frame = Frame {
                session: session.clone(),
                context,
                nodes,
                root,
            };
            frames.insert(id, frame);
        }
        for other in others {
            let is_frame = other["targetInfo"]["type"] == "iframe";
            if let Some(session) = other["sessionId"].as_str().filter(|_| is_frame) {
                collect(browser, session.to_owned(), frames).await?;
            }
        }
        Ok(outermost)
    })
}

/// Adds a frame's nodes in their order; a frame element's document comes right behind it.
fn splice<'a>(
    browser: &'a Browser,
    id: &'a str,
    frames: &'a HashMap<String, Frame>,
    out: &'a mut Vec<Node>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let Some(frame) = frames.get(id) else {
            return Ok(());
        };
        let mut kept = Vec::new();
        let mut todo: Vec<&str> = frame.root.iter().map(String::as_str).collect();
        while let Some(node) = todo.pop().and_then(|id| frame.nodes.get(id)) {
            todo.extend(node.child_ids.iter().rev().map(String::as_str));
            if !node.ignored {
                kept.push(node);
            }
        }
        let looks = look_at(browser, frame, &kept).await?;
        for (node, look) in kept.into_iter().zip(looks) {
            let is_frame = matches!(look.tag.as_str(), "iframe" | "frame" | "object" | "embed");
            let inside = match node.backend {
                Some(backend) if is_frame && look.visible => framed(browser, frame, backend).await?,
                Some(_) | None => None,
            };
            out.push(Node {
                role: AxValue::text(node.role.as_ref()),
                name: AxValue::text(node.name.as_ref()),
                value: node.value.as_ref().map(|value| AxValue::text(Some(value))),
                properties: node
                    .properties
                    .iter()
                    .map(|one| (one.name.clone(), AxValue::text(Some(&one.value))))
                    .collect(),
                backend: node.backend,
                look,
            });
            if let Some(inside) = inside {
                splice(browser, &inside, frames, out).await?;
            }
        }
        Ok(())
    })
}

/// The frame that an element shows.
async fn framed(browser: &Browser, frame: &Frame, backend: i64) -> Result<Option<String>> {
    let described = browser
        .send_to(
            Some(&frame.session),
            "DOM.describeNode",
            json!({"backendNodeId": backend}),
            BOUND,
        )
        .await?;
    Ok(described["node"]["frameId"].as_str().map(str::to_owned))
}

/// Looks at the elements of all nodes at once.
async fn look_at(browser: &Browser, frame: &Frame, nodes: &[&AxNode]) -> Result<Vec<Look>> {
    let resolved = try_join_all(nodes.iter().map(async |node| {
        let Some(backend) = node.backend else {
            return Ok::<_, anyhow::Error>(json!({"value": null}));
        };
        let params =
            json!({"backendNodeId": backend, "executionContextId": frame.context, "objectGroup": "harness"});
        // An element that went away meanwhile is none.
        let answer = browser
            .send_to(Some(&frame.session), "DOM.resolveNode", params, BOUND)
            .await;
        Ok(match answer {
            Ok(answer) => json!({"objectId": answer["object"]["objectId"]}),
            Err(_) => json!({"value": null}),
        })
    }))
    .await?;
    let mut looks = Vec::with_capacity(nodes.len());
    for arguments in resolved.chunks(2_000) {
        let params = json!({"executionContextId": frame.context, "functionDeclaration": LOOK, "returnByValue": true,
                            "arguments": arguments});
        let mut answer = browser
            .send_to(Some(&frame.session), "Runtime.callFunctionOn", params, BOUND)
            .await?;
        if let Some(details) = answer.get("exceptionDetails") {
            anyhow::bail!("looking at the page failed: {details}");
        }
        let part: Vec<Look> = serde_json::from_value(answer["result"]["value"].take())?;
        looks.extend(part);
    }
    let group = json!({"objectGroup": "harness"});
    browser
        .send_to(Some(&frame.session), "Runtime.releaseObjectGroup", group, BOUND)
        .await?;
    Ok(looks)
}
