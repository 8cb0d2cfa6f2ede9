//! The outline: what a person sees of a page and can do with it, one line each.
//!
//! | module | what it owns |
//! |---|---|
//! | `walk` | one pass over the page: what becomes a line, what text, what only passes its content on |
//! | `lines` | the lines as they grow, and which of them fold into others |
//! | `kind` | what each element is to an outline |
//! | [`line`] | one element's line: role, name, states, value, notes |
//! | `notes`, `hint` | what else is worth saying |
//! | `layers` | what lies in front |

mod hint;
mod kind;
mod layers;
pub(crate) mod line;
mod lines;
pub(crate) mod notes;
#[cfg(test)]
mod tests;
mod walk;

use drawbridge_protocol::Error;
use drawbridge_protocol::outline::{Kind, Omitted};
use drawbridge_protocol::page::{Locator, PageFound};

use crate::locate::Locate;
use crate::pages::Refs;
use crate::unread;

use lines::Lines;
use walk::Walk;

/// What an outline is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'r> {
    /// Only this part.
    pub(crate) within: Option<&'r Locator>,
    /// Levels below the part at most.
    pub(crate) depth: Option<u32>,
    /// Only what lies in the viewport.
    pub(crate) viewport_only: bool,
    /// Also what cannot be seen, marked.
    pub(crate) hidden: bool,
}

/// Answers a read of the outline.
///
/// # Errors
/// Those of the locator.
pub(crate) fn answer(
    locate: &Locate<'_, '_, '_>,
    refs: &mut Refs,
    ask: &Ask<'_>,
) -> Result<PageFound, Error> {
    let semantics = locate.semantics();
    let page = locate.page();
    let within = ask.within.map(|locator| locate.one(locator)).transpose()?;
    let root = within.unwrap_or_else(|| page.documents.first().map_or(0, |document| document.root));
    let mut walk = Walk::new(semantics, ask);
    let layers = match within {
        Some(_) => Vec::new(),
        None => layers::find(semantics),
    };
    for layer in &layers {
        walk.layer(layer);
    }
    walk.rest(root, &layers);
    let (lines, mut omitted) = walk.finish();
    let nodes = finish(semantics, refs, lines, ask.depth, &mut omitted);
    omitted.hidden = if ask.hidden { 0 } else { hidden(page, root) };
    omitted.frames = unread::count(page, root);
    omitted.elements = page.left_out;
    Ok(PageFound::Outline { nodes, omitted })
}

/// Gives lines their depths, leaves out those below the limit, and gives refs to the rest.
fn finish(
    semantics: &crate::semantics::Semantics<'_, '_>,
    refs: &mut Refs,
    lines: Lines,
    limit: Option<u32>,
    omitted: &mut Omitted,
) -> Vec<drawbridge_protocol::outline::OutlineNode> {
    let mut nodes = Vec::new();
    for (element, with_ref, mut node) in lines.finish() {
        if limit.is_some_and(|limit| node.depth > limit) {
            count(omitted, node.kind);
            continue;
        }
        if with_ref {
            node.r#ref = Some(refs.of(semantics.page(), element));
        }
        nodes.push(node);
    }
    nodes
}

/// Counts a line that is left out.
fn count(omitted: &mut Omitted, kind: Kind) {
    let of = match kind {
        Kind::Region => &mut omitted.regions,
        Kind::Control => &mut omitted.controls,
        Kind::Other => &mut omitted.nodes,
    };
    *of = of.saturating_add(1);
}

/// Elements with text that nobody can see.
fn hidden(page: &crate::page::Page<'_>, root: usize) -> u32 {
    let mut hidden = 0;
    let mut index = root;
    let end = page.elements.get(root).map_or(0, |element| element.end);
    while index < end {
        let element = &page.elements[index];
        if element.is_html("head") && index != root {
            index = element.end.max(index + 1);
            continue;
        }
        hidden += u32::from(!element.shows_text() && element.has_own_text());
        index += 1;
    }
    hidden
}
