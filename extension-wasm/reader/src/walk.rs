//! One pass over a part of a page in document order, without recursion: a page decides how deep it is.

use std::str::Split;

use crate::page::{GAP, Page};

/// What is met on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'p> {
    /// An element begins.
    Enter(usize),
    /// Own text of the innermost element that began and did not end; never empty.
    Text(usize, &'p str),
    /// An element ends.
    Leave(usize),
}

/// The steps through an element and everything inside of it.
///
/// What documents keep in their heads is nothing anybody reads, and left out unless it is where the walk begins.
#[derive(Debug)]
pub(crate) struct Walk<'p, 'a> {
    page: &'p Page<'a>,
    /// Where the walk begins, until it did.
    root: Option<usize>,
    next: usize,
    open: Vec<Open<'p>>,
    /// The innermost open element has text before its next child.
    text_is_due: bool,
}

#[derive(Debug)]
struct Open<'p> {
    index: usize,
    /// Behind everything inside of it.
    end: usize,
    /// Its own text that comes after the child that is open.
    own: Split<'p, char>,
}

impl<'p, 'a> Walk<'p, 'a> {
    /// A walk through `root`.
    pub(crate) fn new(page: &'p Page<'a>, root: usize) -> Self {
        Self {
            page,
            root: Some(root),
            next: root,
            open: Vec::new(),
            text_is_due: false,
        }
    }

    /// Goes on behind the innermost open element, which is left next.
    pub(crate) fn pass(&mut self) {
        if let Some(open) = self.open.last_mut() {
            self.next = open.end;
            open.own = "".split(GAP);
            self.text_is_due = false;
            // The one empty part of an empty text.
            open.own.next();
        }
    }

    fn enter(&mut self, index: usize) -> Option<Step<'p>> {
        let element = self.page.elements.get(index)?;
        self.open.push(Open {
            index,
            end: element.end,
            own: element.own.split(GAP),
        });
        self.next = index + 1;
        self.text_is_due = true;
        Some(Step::Enter(index))
    }
}

impl<'p> Iterator for Walk<'p, '_> {
    type Item = Step<'p>;

    fn next(&mut self) -> Option<Step<'p>> {
        if let Some(root) = self.root.take() {
            return self.enter(root);
        }
        loop {
            let open = self.open.last_mut()?;
            let index = open.index;
            if std::mem::take(&mut self.text_is_due) {
                match open.own.next() {
                    Some("") | None => {}
                    Some(text) => return Some(Step::Text(index, text)),
                }
            }
            if self.next < open.end {
                let child = self.page.elements.get(self.next)?;
                if child.is_html("head") {
                    self.next = child.end.max(self.next + 1);
                    self.text_is_due = true;
                    continue;
                }
                return self.enter(self.next);
            }
            // More text than children: the port left children out.
            match open.own.next() {
                Some("") => {}
                Some(text) => return Some(Step::Text(index, text)),
                None => {
                    self.open.pop();
                    self.text_is_due = true;
                    return Some(Step::Leave(index));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::page;
    use crate::sample::{Capture, Node};
    use drawbridge_protocol::reader::Part;

    fn steps(nodes: &[Node], root: usize, skip: Option<usize>) -> Vec<String> {
        let columns = Capture::new(nodes).build();
        let part = Part {
            bytes: columns.len() as u32,
            parent: None,
        };
        let page = page(&columns, &[part], &[], 0).unwrap();
        let mut walk = Walk::new(&page, root);
        let mut steps = Vec::new();
        while let Some(step) = walk.next() {
            steps.push(match step {
                Step::Enter(index) => format!("<{}>", page.elements[index].tag),
                Step::Text(_, text) => text.to_owned(),
                Step::Leave(index) => format!("</{}>", page.elements[index].tag),
            });
            if skip.is_some_and(|skip| step == Step::Enter(skip)) {
                walk.pass();
            }
        }
        steps
    }

    fn nodes() -> Vec<Node> {
        vec![
            Node::new(None, "html").own("||"),
            Node::new(Some(0), "head").own("|"),
            Node::new(Some(1), "title").own("T"),
            Node::new(Some(0), "body").own("a|b|c|d"),
            Node::new(Some(3), "p").own("p|q"),
            Node::new(Some(4), "i").own("i"),
            Node::new(Some(3), "b").own("b"),
        ]
    }

    #[test]
    fn text_stands_between_children_and_heads_are_left_out() {
        let all = steps(&nodes(), 0, None).join("");
        assert_eq!(all, "<html><body>a<p>p<i>i</i>q</p>b<b>b</b>cd</body></html>");
        assert_eq!(steps(&nodes(), 1, None).join(""), "<head><title>T</title></head>");
        assert_eq!(steps(&nodes(), 4, None).join(""), "<p>p<i>i</i>q</p>");
        assert_eq!(steps(&nodes(), 9, None), Vec::<String>::new());
    }

    #[test]
    fn a_part_can_be_left_out() {
        let all = steps(&nodes(), 0, Some(4)).join("");
        assert_eq!(all, "<html><body>a<p></p>b<b>b</b>cd</body></html>");
        assert_eq!(steps(&nodes(), 3, Some(3)).join(""), "<body></body>");
    }
}
