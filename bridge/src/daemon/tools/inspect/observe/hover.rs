//! What appears when the pointer rests on a control: tried out, since only the page knows.

use std::collections::HashSet;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::outline::{About, Kind, Note, OutlineNode, Ref, State};
use drawbridge_protocol::page::{By, Locator, PageFound, PageRead};
use drawbridge_protocol::tools::inspect::Common;
use tokio::time::Instant;

use super::super::reading::{Look, Spot, look};
use crate::daemon::tools::interact;
use crate::daemon::work::{Work, mismatch};

/// Controls that the pointer is rested on, at most.
const MOST: usize = 12;
/// Names told of what appeared.
const NAMES: usize = 12;
/// Characters of one name.
const NAME: usize = 40;
/// Kept back of the call's time for the reply.
const KEPT_BACK: Duration = Duration::from_millis(1_500);

/// Rests the pointer on controls that look as if something appeared then, and notes on each what did. In the end the
/// pointer is moved away.
///
/// # Errors
/// What acting on the page needs and is not allowed.
pub(super) async fn probe(
    work: &mut Work,
    spot: &Spot,
    common: &Common<'_>,
    ask: &PageRead,
    first: &mut Look,
) -> Result<(), Error> {
    let PageRead::Outline { within, depth, .. } = ask else {
        return Err(mismatch());
    };
    let whole = PageRead::Outline {
        within: within.clone(),
        depth: *depth,
        viewport_only: false,
        hidden: true,
    };
    let before = look(work, spot, common, &whole).await?;
    let before = nodes(&before)?.to_vec();
    let shown: HashSet<Ref> = visible(&before).filter_map(|node| node.r#ref).collect();
    let mut found: Vec<(&OutlineNode, Vec<String>)> = Vec::new();
    for one in candidates(&before) {
        if Instant::now() + KEPT_BACK >= work.deadline {
            break;
        }
        match interact::hover(work, spot, &first.document, meant(one)).await {
            Ok(()) => {}
            // It cannot be rested on: covered, gone, moving.
            Err(error) if !is_refusal(error.code) => continue,
            Err(error) => return Err(error),
        }
        let after = look(work, spot, common, &whole).await?;
        let names: Vec<String> = visible(nodes(&after)?)
            .filter(|node| node.kind == Kind::Control && !node.name.is_empty())
            .filter(|node| node.r#ref.is_some_and(|name| !shown.contains(&name)))
            .map(|node| node.name.chars().take(NAME).collect())
            .take(NAMES)
            .collect();
        if !names.is_empty() {
            found.push((one, names));
        }
    }
    interact::leave(work, spot, &first.document).await?;
    let PageFound::Outline { nodes, .. } = &mut first.found else {
        return Err(mismatch());
    };
    for (one, names) in found {
        let same =
            |node: &OutlineNode| node.r#ref == one.r#ref && node.role == one.role && node.name == one.name;
        if let Some(node) = nodes.iter_mut().find(|node| same(node)) {
            let note = Note {
                about: About::Hover,
                text: names.join(" | "),
            };
            let at = node
                .notes
                .partition_point(|other| (other.about as u8) < (About::Hover as u8));
            node.notes.insert(at, note);
        }
    }
    Ok(())
}

/// What refuses every further try as well.
fn is_refusal(code: Code) -> bool {
    matches!(
        code,
        Code::NeedsApproval
            | Code::NotGranted
            | Code::UserActive
            | Code::UserAborted
            | Code::DialogOpen
            | Code::Cancelled
            | Code::NotConnected
            | Code::TabGone
            | Code::SessionBusy
            | Code::PageUnreadable
    )
}

fn nodes(look: &Look) -> Result<&[OutlineNode], Error> {
    match &look.found {
        PageFound::Outline { nodes, .. } => Ok(nodes),
        _ => Err(mismatch()),
    }
}

/// Nodes that can be seen.
fn visible(nodes: &[OutlineNode]) -> impl Iterator<Item = &OutlineNode> {
    let hidden = hidden(nodes);
    nodes
        .iter()
        .zip(hidden)
        .filter_map(|(node, hidden)| (!hidden).then_some(node))
}

/// Which nodes cannot be seen: only the outermost of them say so.
fn hidden(nodes: &[OutlineNode]) -> Vec<bool> {
    let mut inside: Option<u32> = None;
    nodes
        .iter()
        .map(|node| {
            if inside.is_some_and(|depth| node.depth <= depth) {
                inside = None;
            }
            if inside.is_none() && node.states.contains(&State::Hidden) {
                inside = Some(node.depth);
            }
            inside.is_some()
        })
        .collect()
}

/// The element of a node: by its ref, or, as text has none, by all of its text.
fn meant(node: &OutlineNode) -> Locator {
    match node.r#ref {
        Some(name) => Locator::new(By::Ref(name)),
        None => Locator {
            exact: true,
            ..Locator::new(By::Text(node.name.clone()))
        },
    }
}

/// What can be seen and a hidden control follows, then the controls of navigations and menus; each once, in order.
fn candidates(nodes: &[OutlineNode]) -> Vec<&OutlineNode> {
    let hidden = hidden(nodes);
    let is_control = |node: &OutlineNode| node.kind == Kind::Control && node.r#ref.is_some();
    let mut likely = Vec::new();
    let mut others = Vec::new();
    // The depth of the navigation or menu bar that the walk is inside of.
    let mut menu: Option<u32> = None;
    for (index, node) in nodes.iter().enumerate() {
        if menu.is_some_and(|depth| node.depth <= depth) {
            menu = None;
        }
        if menu.is_none() && matches!(node.role.as_str(), "navigation" | "menubar" | "menu") {
            menu = Some(node.depth);
        }
        let is_text = node.role == "text" && !node.name.is_empty();
        if hidden[index] || !(is_control(node) || is_text) {
            continue;
        }
        // Up to the next thing that can be seen and rested on: what belongs to this one.
        let hides = (index + 1..nodes.len())
            .take_while(|&next| hidden[next] || !(is_control(&nodes[next]) || nodes[next].role == "text"))
            .any(|next| hidden[next] && is_control(&nodes[next]));
        if hides {
            likely.push(node);
        } else if is_control(node) && (menu.is_some() || node.states.contains(&State::Collapsed)) {
            others.push(node);
        }
    }
    likely.extend(others);
    likely.truncate(MOST);
    likely
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(depth: u32, role: &str, number: u32, states: &[State]) -> OutlineNode {
        OutlineNode {
            depth,
            role: role.to_owned(),
            r#ref: (number > 0).then(|| Ref::element(number)),
            states: states.to_vec(),
            kind: if number > 0 { Kind::Control } else { Kind::Other },
            ..OutlineNode::default()
        }
    }

    #[test]
    fn what_something_hidden_follows_is_tried_first() {
        let nodes = [
            node(0, "navigation", 0, &[]),
            node(1, "link", 1, &[]),
            node(1, "link", 2, &[]),
            node(2, "list", 0, &[State::Hidden]),
            node(3, "link", 3, &[]),
            node(1, "link", 4, &[]),
            node(0, "button", 5, &[]),
            node(0, "button", 6, &[State::Collapsed]),
        ];
        let names: Vec<u32> = candidates(&nodes)
            .iter()
            .filter_map(|one| one.r#ref)
            .map(|one| one.number)
            .collect();
        assert_eq!(names, [2, 1, 4, 6]);
    }

    #[test]
    fn a_page_full_of_menus_is_tried_in_part() {
        let nodes: Vec<OutlineNode> = (1..100)
            .map(|number| node(0, "button", number, &[State::Collapsed]))
            .collect();
        assert_eq!(candidates(&nodes).len(), MOST);
    }
}
