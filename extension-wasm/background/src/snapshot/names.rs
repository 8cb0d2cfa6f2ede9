//! Refs of a tab's snapshots: which node each means, and for how long. Pure.

use std::collections::HashMap;

/// Names that one tab's latest snapshot gave.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Names the snapshot.
    id: String,
    document: String,
    /// The frame of the debugger's session and number of a node, and its ref.
    given: HashMap<(Option<String>, i64), u32>,
    next: u32,
}

impl Names {
    /// A snapshot of a document begins: the refs of an earlier one are over, but a node of the same document keeps its
    /// number. Answers the new snapshot's name.
    pub(super) fn begin(&mut self, document: &str) -> String {
        if self.document != document {
            self.given.clear();
            document.clone_into(&mut self.document);
        }
        self.id = crate::random_word();
        self.id.clone()
    }

    /// The ref of a node.
    pub(super) fn of(&mut self, home: Option<&str>, node: i64) -> u32 {
        let next = &mut self.next;
        *self
            .given
            .entry((home.map(str::to_owned), node))
            .or_insert_with(|| {
                *next += 1;
                *next
            })
    }
}
