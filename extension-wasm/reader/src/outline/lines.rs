//! Lines of an outline while it grows. What a line folds into is decided when everything inside of it is known; depths
//! are worked out at the end, so that folding costs nothing.

use drawbridge_protocol::outline::{Kind, OutlineNode};

use crate::semantics::name::{LIMIT, cut};

/// Index of a line.
pub(super) type At = usize;

/// Lines in the order of the page.
#[derive(Debug, Default)]
pub(super) struct Lines {
    all: Vec<Line>,
    /// Lines that no line is around.
    tops: Kids,
}

/// One line, in a list with those that are directly inside the same one.
#[derive(Debug)]
struct Line {
    element: usize,
    /// The line around it when it was added. That may have folded meanwhile.
    parent: Option<At>,
    before: Option<At>,
    after: Option<At>,
    kids: Kids,
    gone: bool,
    with_ref: bool,
    node: OutlineNode,
}

/// Lines directly inside a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kids {
    /// All of them.
    pub(super) count: u32,
    /// Those that are plain text.
    pub(super) texts: u32,
    pub(super) first: Option<At>,
    pub(super) last: Option<At>,
}

impl Lines {
    /// Adds a line.
    pub(super) fn push(
        &mut self,
        element: usize,
        parent: Option<At>,
        with_ref: bool,
        node: OutlineNode,
    ) -> At {
        let at = self.all.len();
        let text = u32::from(is_text(&node));
        let kids = self.kids_mut(parent);
        let before = kids.last.replace(at);
        kids.count += 1;
        kids.texts += text;
        kids.first.get_or_insert(at);
        if let Some(before) = before {
            self.all[before].after = Some(at);
        }
        self.all.push(Line {
            element,
            parent,
            before,
            after: None,
            kids: Kids::default(),
            gone: false,
            with_ref,
            node,
        });
        at
    }

    /// What is directly inside of a line; `None`: of none.
    pub(super) fn kids(&self, at: Option<At>) -> Kids {
        at.map_or(self.tops, |at| self.all[at].kids)
    }

    pub(super) fn node(&self, at: At) -> &OutlineNode {
        &self.all[at].node
    }

    /// What a line says, to be changed; not whether it is plain text.
    pub(super) fn node_mut(&mut self, at: At) -> &mut OutlineNode {
        &mut self.all[at].node
    }

    /// Says that a line has to have a ref.
    pub(super) fn needs_ref(&mut self, at: At) {
        self.all[at].with_ref = true;
    }

    /// Takes a line away that is directly inside of `parent`; what is inside of it moves outwards.
    pub(super) fn fold(&mut self, at: At, parent: Option<At>) {
        let (before, after, kids) = (self.all[at].before, self.all[at].after, self.all[at].kids);
        let text = u32::from(is_text(&self.all[at].node));
        self.all[at].gone = true;
        let (first, last) = (kids.first.or(after), kids.last.or(before));
        match before {
            Some(before) => self.all[before].after = first,
            None => self.kids_mut(parent).first = first,
        }
        match after {
            Some(after) => self.all[after].before = last,
            None => self.kids_mut(parent).last = last,
        }
        if let (Some(first), Some(last)) = (kids.first, kids.last) {
            self.all[first].before = before;
            self.all[last].after = after;
        }
        let around = self.kids_mut(parent);
        around.count = (around.count + kids.count).saturating_sub(1);
        around.texts = (around.texts + kids.texts).saturating_sub(text);
    }

    /// The texts directly inside of a line, one after another, which go away; `glue` between them.
    pub(super) fn take_texts(&mut self, at: At, glue: &str) -> String {
        let mut taken = String::new();
        let mut next = self.all[at].kids.first;
        while let Some(kid) = next {
            next = self.all[kid].after;
            if !is_text(&self.all[kid].node) {
                continue;
            }
            self.fold(kid, Some(at));
            if !taken.is_empty() {
                taken.push_str(glue);
            }
            taken.push_str(&self.all[kid].node.name);
        }
        cut(&mut taken, LIMIT);
        taken
    }

    /// The lines directly inside of a line.
    pub(super) fn inside(&self, at: At) -> impl Iterator<Item = At> + '_ {
        std::iter::successors(self.all[at].kids.first, |&kid| self.all[kid].after)
    }

    /// Every line that stayed: its element, whether it has a ref, and what it says, with its depth.
    pub(super) fn finish(self) -> impl Iterator<Item = (usize, bool, OutlineNode)> {
        // Of each line the depth of what is inside of it; a line that folded is not there.
        let mut depths: Vec<u32> = Vec::with_capacity(self.all.len());
        self.all.into_iter().filter_map(move |mut line| {
            let own = line.parent.map_or(0, |parent| depths[parent]);
            depths.push(if line.gone { own } else { own + 1 });
            line.node.depth = own;
            (!line.gone).then_some((line.element, line.with_ref, line.node))
        })
    }

    fn kids_mut(&mut self, parent: Option<At>) -> &mut Kids {
        match parent {
            Some(parent) => &mut self.all[parent].kids,
            None => &mut self.tops,
        }
    }
}

/// Whether a line is plain text, with nothing else to say.
pub(super) fn is_text(node: &OutlineNode) -> bool {
    node.role == "text" && node.kind == Kind::Other && node.notes.is_empty() && node.states.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(role: &str, name: &str) -> OutlineNode {
        OutlineNode {
            role: role.to_owned(),
            name: name.to_owned(),
            ..OutlineNode::default()
        }
    }

    fn shown(lines: Lines) -> String {
        lines
            .finish()
            .map(|(_, _, node)| format!("{}{} {}", " ".repeat(node.depth as usize), node.role, node.name))
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn what_folds_leaves_its_place_to_what_is_inside() {
        let mut lines = Lines::default();
        let a = lines.push(0, None, false, line("a", ""));
        let b = lines.push(0, Some(a), false, line("b", ""));
        let c = lines.push(0, Some(b), false, line("text", "c"));
        lines.push(0, Some(b), false, line("d", ""));
        lines.push(0, Some(a), false, line("text", "e"));
        assert_eq!(lines.kids(Some(b)).texts, 1);
        lines.fold(b, Some(a));
        let kids = lines.kids(Some(a));
        assert_eq!((kids.count, kids.texts, kids.first), (3, 2, Some(c)));
        assert_eq!(lines.inside(a).count(), 3);
        assert_eq!(lines.take_texts(a, " | "), "c | e");
        assert_eq!(lines.kids(Some(a)).count, 1);
        lines.push(0, Some(a), false, line("f", ""));
        assert_eq!(shown(lines), "a \n d \n f ");
    }

    #[test]
    fn the_only_line_can_go() {
        let mut lines = Lines::default();
        let a = lines.push(0, None, false, line("a", ""));
        lines.fold(a, None);
        assert_eq!(
            (
                lines.kids(None).count,
                lines.kids(None).first,
                lines.kids(None).last
            ),
            (0, None, None)
        );
        lines.push(0, None, false, line("b", ""));
        assert_eq!(lines.kids(None).count, 1);
        assert_eq!(shown(lines), "b ");
    }
}
