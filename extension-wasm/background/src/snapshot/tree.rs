//! Makes an outline of the browser's accessibility trees. Pure.

use std::collections::{HashMap, HashSet};

use drawbridge_protocol::outline::{About, Kind, Note, OutlineNode, Ref, RefKind, State};
use serde::Deserialize;
use serde_json::Value;

use super::names::Names;
use crate::text::cut;

/// Characters of one name or value.
const LIMIT: usize = 1_000;

/// The tree of one frame.
#[derive(Debug, Default)]
pub(super) struct FrameTree {
    /// The debugger's session; `None`: that of the tab.
    pub(super) session: Option<String>,
    /// The frame that this session is for. Unlike the session it is the same in the next snapshot.
    pub(super) home: Option<String>,
    /// The tree that has its element.
    pub(super) parent: Option<usize>,
    /// The element it is shown in, a node of the parent's document.
    pub(super) owner: Option<i64>,
    pub(super) url: String,
    /// Why there are no nodes.
    pub(super) missing: Option<&'static str>,
    pub(super) nodes: Vec<Node>,
}

/// A node as the debugger tells it.
/// <https://chromedevtools.github.io/devtools-protocol/tot/Accessibility/#type-AXNode>
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Node {
    node_id: String,
    ignored: bool,
    role: Told,
    name: Told,
    description: Told,
    value: Told,
    properties: Vec<Property>,
    child_ids: Vec<String>,
    #[serde(rename = "backendDOMNodeId")]
    backend_dom_node_id: Option<i64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Told {
    value: Value,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Property {
    name: String,
    value: Told,
}

impl Told {
    fn text(&self) -> String {
        match &self.value {
            Value::String(text) => cut(text, LIMIT),
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        }
    }
}

/// All trees as one outline, frames where their elements are. `hushed`: no value of any field is told.
pub(super) fn outline(
    trees: &[FrameTree],
    depth: Option<u32>,
    hushed: bool,
    names: &mut Names,
) -> Vec<OutlineNode> {
    let indexes: Vec<HashMap<&str, usize>> = trees
        .iter()
        .map(|tree| {
            let ids = tree.nodes.iter().enumerate();
            ids.map(|(index, node)| (node.node_id.as_str(), index)).collect()
        })
        .collect();
    // Trees by the tree and node of their element; those without one come at the end of the tree they are in.
    let mut inside: HashMap<(usize, Option<i64>), Vec<usize>> = HashMap::new();
    for (index, tree) in trees.iter().enumerate() {
        if let Some(parent) = tree.parent {
            inside.entry((parent, tree.owner)).or_default().push(index);
        }
    }
    let mut nodes = Vec::new();
    // No page is so deep that it could exhaust a stack of its own making.
    let mut todo = Vec::new();
    let mut done: HashSet<(usize, usize)> = HashSet::new();
    let root = |tree: usize, depth: u32| {
        (!trees[tree].nodes.is_empty()).then_some(Step {
            tree,
            node: 0,
            depth,
            is_named: false,
        })
    };
    todo.extend((!trees.is_empty()).then(|| root(0, 0)).flatten());
    while let Some(step) = todo.pop() {
        let (tree, node) = (&trees[step.tree], &trees[step.tree].nodes[step.node]);
        if !done.insert((step.tree, step.node)) {
            continue;
        }
        let role = node.role.text();
        let mut below = Step { ..step };
        let shown = shown(node, &role, step.is_named, hushed);
        if let Some(mut told) = shown {
            if depth.is_none_or(|most| step.depth < most) {
                told.depth = step.depth;
                told.r#ref = node
                    .backend_dom_node_id
                    .filter(|_| told.role != "text")
                    .map(|backend| Ref {
                        kind: RefKind::Accessibility,
                        number: names.of(tree.home.as_deref(), backend),
                    });
                below.is_named = is_named_by_content(&told.role) && !told.name.is_empty();
                nodes.push(told);
            }
            below.depth += 1;
        }
        let start = todo.len();
        if !is_closed(node, &role, hushed) {
            let children = node.child_ids.iter();
            let children = children.filter_map(|id| indexes[step.tree].get(id.as_str()));
            todo.extend(children.map(|&child| Step { node: child, ..below }));
        }
        let mut frames = Vec::new();
        if let Some(backend) = node.backend_dom_node_id {
            frames.extend(inside.remove(&(step.tree, Some(backend))).into_iter().flatten());
        }
        if step.node == 0 {
            frames.extend(inside.remove(&(step.tree, None)).into_iter().flatten());
        }
        for frame in frames {
            match trees[frame].missing {
                Some(why) if depth.is_none_or(|most| below.depth < most) => {
                    nodes.push(boundary(&trees[frame].url, why, below.depth));
                }
                Some(_) => {}
                None => todo.extend(root(frame, below.depth)),
            }
        }
        todo[start..].reverse();
    }
    nodes
}

/// What is still to be told.
#[derive(Clone, Copy)]
struct Step {
    tree: usize,
    node: usize,
    depth: u32,
    /// The node around it is named by it already.
    is_named: bool,
}

/// The line of a node; `None`: it has none of its own.
fn shown(node: &Node, role: &str, is_named: bool, hushed: bool) -> Option<OutlineNode> {
    if node.ignored {
        return None;
    }
    let name = node.name.text();
    let role = match role {
        "StaticText" if is_named || name.trim().is_empty() => return None,
        "StaticText" => "text",
        "Iframe" | "IframePresentational" => "frame",
        "RootWebArea" | "InlineTextBox" | "LineBreak" | "ListMarker" | "none" | "generic" | "" => {
            return None;
        }
        other => other,
    };
    let mut told = OutlineNode {
        role: plain(role),
        name,
        ..OutlineNode::default()
    };
    let is_field = matches!(
        told.role.as_str(),
        "textbox" | "searchbox" | "combobox" | "spinbutton" | "slider" | "listbox"
    );
    states(node, &mut told);
    told.states.sort_unstable();
    told.states.dedup();
    let value = node.value.text();
    if !value.is_empty() {
        if hushed && is_field {
            told.states.push(State::Filled);
            told.states.sort_unstable();
        } else if value != told.name {
            told.value = Some(value);
        }
    }
    let description = node.description.text();
    if !description.is_empty() {
        told.notes.push(Note {
            about: About::Description,
            text: description,
        });
    }
    told.kind = if is_control(&told.role) {
        Kind::Control
    } else if is_region(&told.role) {
        Kind::Region
    } else {
        Kind::Other
    };
    Some(told)
}

fn states(node: &Node, told: &mut OutlineNode) {
    for property in &node.properties {
        let value = &property.value.value;
        let on = value == &Value::Bool(true) || value == "true";
        let off = value == &Value::Bool(false) || value == "false";
        let mut say = |state| told.states.push(state);
        match property.name.as_str() {
            "focused" if on => say(State::Focused),
            "checked" if on => say(State::Checked),
            "checked" if value == "mixed" => say(State::Mixed),
            "checked" if off => say(State::Unchecked),
            "pressed" if on => say(State::Pressed),
            "pressed" if value == "mixed" => say(State::Mixed),
            "selected" if on => say(State::Selected),
            "expanded" if on => say(State::Expanded),
            "expanded" if off => say(State::Collapsed),
            "disabled" if on => say(State::Disabled),
            "readonly" if on => say(State::Readonly),
            "required" if on => say(State::Required),
            "multiselectable" if on => say(State::Multiple),
            "modal" if on => say(State::Modal),
            "busy" if on => say(State::Busy),
            "invalid" if !off => say(State::Invalid),
            "live" if value == "polite" || value == "assertive" => say(State::Live),
            "level" => told.level = value.as_u64().and_then(|level| u32::try_from(level).ok()),
            _ => {}
        }
    }
}

/// Whether what is inside of a node is the value of a field, or, where no value is told, may be.
fn is_closed(node: &Node, role: &str, hushed: bool) -> bool {
    matches!(role, "textbox" | "searchbox" | "spinbutton")
        || node
            .properties
            .iter()
            .any(|property| property.name == "editable" && (hushed || property.value.value == "plaintext"))
}

fn is_named_by_content(role: &str) -> bool {
    matches!(
        role,
        "button"
            | "link"
            | "heading"
            | "option"
            | "tab"
            | "menuitem"
            | "menuitemcheckbox"
            | "menuitemradio"
            | "checkbox"
            | "radio"
            | "switch"
            | "treeitem"
            | "cell"
            | "gridcell"
            | "columnheader"
            | "rowheader"
            | "tooltip"
            | "DisclosureTriangle"
    )
}

fn is_control(role: &str) -> bool {
    matches!(
        role,
        "button"
            | "link"
            | "textbox"
            | "searchbox"
            | "combobox"
            | "listbox"
            | "option"
            | "checkbox"
            | "radio"
            | "switch"
            | "slider"
            | "spinbutton"
            | "tab"
            | "menuitem"
            | "menuitemcheckbox"
            | "menuitemradio"
            | "treeitem"
            | "DisclosureTriangle"
    )
}

fn is_region(role: &str) -> bool {
    matches!(
        role,
        "banner"
            | "navigation"
            | "main"
            | "complementary"
            | "contentinfo"
            | "search"
            | "form"
            | "region"
            | "dialog"
            | "alertdialog"
            | "frame"
    )
}

/// A role as one plain word.
fn plain(role: &str) -> String {
    match role {
        "DisclosureTriangle" => "button".to_owned(),
        role => role
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|letter| letter.to_ascii_lowercase())
            .collect(),
    }
}

fn boundary(url: &str, why: &str, depth: u32) -> OutlineNode {
    OutlineNode {
        depth,
        role: "boundary".to_owned(),
        name: cut(place(url), LIMIT),
        notes: vec![Note {
            about: About::Reason,
            text: why.to_owned(),
        }],
        ..OutlineNode::default()
    }
}

/// What may be told of where a frame is that is not read: its host, or the scheme of an address without one.
fn place(url: &str) -> &str {
    let rest = url.strip_prefix("blob:").unwrap_or(url);
    match rest.split_once("://") {
        Some((_, rest)) => {
            let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
            authority.rsplit('@').next().unwrap_or_default()
        }
        None if rest.starts_with("about:") => rest.split(['?', '#']).next().unwrap_or_default(),
        None => rest.split_inclusive(':').next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn nodes(value: Value) -> Vec<Node> {
        serde_json::from_value(value).unwrap()
    }

    fn lines(outline: &[OutlineNode]) -> Vec<String> {
        outline
            .iter()
            .map(|node| {
                let number = node.r#ref.map(|one| format!("{one} ")).unwrap_or_default();
                let value = node
                    .value
                    .as_deref()
                    .map(|value| format!("={value}"))
                    .unwrap_or_default();
                format!(
                    "{}{number}{} {}{value} {:?}",
                    "  ".repeat(node.depth as usize),
                    node.role,
                    node.name,
                    node.states
                )
            })
            .collect()
    }

    fn page() -> Vec<FrameTree> {
        let main = json!([
            {"nodeId": "1", "role": {"value": "RootWebArea"}, "childIds": ["2", "5", "6", "8"], "backendDOMNodeId": 1},
            {"nodeId": "2", "ignored": true, "role": {"value": "generic"}, "childIds": ["3"], "backendDOMNodeId": 2},
            {"nodeId": "3", "role": {"value": "button"}, "name": {"value": "Go"}, "childIds": ["4"], "backendDOMNodeId": 3,
                "properties": [{"name": "disabled", "value": {"value": true}}, {"name": "expanded", "value": {"value": false}}]},
            {"nodeId": "4", "role": {"value": "StaticText"}, "name": {"value": "Go"}, "backendDOMNodeId": 4},
            {"nodeId": "5", "role": {"value": "StaticText"}, "name": {"value": "plain"}, "backendDOMNodeId": 5},
            {"nodeId": "6", "role": {"value": "textbox"}, "name": {"value": "Code"}, "value": {"value": "1234"},
                "childIds": ["7"], "backendDOMNodeId": 6},
            {"nodeId": "7", "role": {"value": "StaticText"}, "name": {"value": "1234"}, "backendDOMNodeId": 7},
            {"nodeId": "8", "role": {"value": "Iframe"}, "name": {"value": "inner"}, "backendDOMNodeId": 8},
        ]);
        let inner = json!([
            {"nodeId": "1", "role": {"value": "RootWebArea"}, "childIds": ["2", "gone"], "backendDOMNodeId": 1},
            {"nodeId": "2", "role": {"value": "heading"}, "name": {"value": "Title"}, "backendDOMNodeId": 3,
                "properties": [{"name": "level", "value": {"value": 2}}]},
        ]);
        vec![
            FrameTree {
                nodes: nodes(main),
                ..FrameTree::default()
            },
            FrameTree {
                home: Some("f".to_owned()),
                parent: Some(0),
                owner: Some(8),
                nodes: nodes(inner),
                ..FrameTree::default()
            },
            FrameTree {
                parent: Some(0),
                url: "https://me:word@ads.example/path?token=1#x".to_owned(),
                missing: Some("its site is not allowed"),
                ..FrameTree::default()
            },
        ]
    }

    #[test]
    fn trees_become_one_outline() {
        let mut names = Names::default();
        let told = outline(&page(), None, false, &mut names);
        assert_eq!(
            lines(&told),
            [
                "boundary ads.example []",
                "a1 button Go [Collapsed, Disabled]",
                "text plain []",
                "a2 textbox Code=1234 []",
                "a3 frame inner []",
                "  a4 heading Title []",
            ]
        );
        assert_eq!(told[5].level, Some(2));
        let again = outline(&page(), None, false, &mut names);
        assert_eq!(told, again, "a node keeps its ref");
    }

    #[test]
    fn of_a_frame_that_is_not_read_only_its_place_is_told() {
        for (url, told) in [
            ("https://a.example:81/x?q=1", "a.example:81"),
            ("blob:https://a.example/0-1", "a.example"),
            ("about:srcdoc#x", "about:srcdoc"),
            ("data:text/html,secret", "data:"),
            ("", ""),
        ] {
            assert_eq!(place(url), told);
        }
    }

    #[test]
    fn where_there_are_secrets_no_value_is_told() {
        let told = outline(&page(), Some(1), true, &mut Names::default());
        assert!(!format!("{told:?}").contains("1234"), "{told:?}");
        assert_eq!(told[3].states, [State::Filled]);
        assert_eq!(told.len(), 5, "one level");
    }

    #[test]
    fn a_tree_in_a_circle_ends() {
        let circle = json!([
            {"nodeId": "1", "role": {"value": "group"}, "childIds": ["2"], "backendDOMNodeId": 1},
            {"nodeId": "2", "role": {"value": "group"}, "childIds": ["1"], "backendDOMNodeId": 2},
        ]);
        let tree = FrameTree {
            nodes: nodes(circle),
            ..FrameTree::default()
        };
        assert_eq!(outline(&[tree], None, false, &mut Names::default()).len(), 2);
        assert!(outline(&[], None, false, &mut Names::default()).is_empty());
    }
}
