//! Port replies as the DOM port would write them, for tests.

pub(crate) mod ask;
pub(crate) mod html;

use std::collections::HashMap;

use drawbridge_protocol::reader::flags;

/// A visible block.
pub(crate) const BLOCK: i32 = flags::RENDERED | flags::VISIBLE | flags::BLOCK;
/// Visible inside a line.
pub(crate) const INLINE: i32 = flags::RENDERED | flags::VISIBLE;
/// `display: none`.
pub(crate) const GONE: i32 = 0;

/// Columns that grow.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) ints: Vec<i32>,
    pub(crate) texts: String,
}

impl Sample {
    /// The header of a complete page.
    pub(crate) fn new() -> Self {
        let mut sample = Self {
            ints: vec![1, 77, 2, 0],
            texts: String::new(),
        };
        for text in ["https://shop.example/list", "https://shop.example", "Shop"] {
            sample.text(Some(text));
        }
        sample.ints.extend([0, 0]);
        sample
    }

    pub(crate) fn text(&mut self, text: Option<&str>) {
        self.ints
            .push(text.map_or(-1, |text| text.encode_utf16().count() as i32));
        self.texts.push_str(text.unwrap_or_default());
    }

    /// One set: matches in all, and per described match its parent, flags and texts.
    pub(crate) fn set(mut self, total: i32, matches: &[(i32, i32, &[Option<&str>])]) -> Self {
        self.ints.extend([total, matches.len() as i32]);
        for (parent, flags, texts) in matches {
            self.ints.extend([*parent, *flags, 100, 20]);
            texts.iter().for_each(|text| self.text(*text));
        }
        self
    }

    pub(crate) fn build(&self) -> String {
        let ints: Vec<String> = self.ints.iter().map(i32::to_string).collect();
        format!("{};{}\n{}", ints.len(), ints.join(","), self.texts)
    }
}

/// Parent, flags, tag, own text, attributes.
pub(crate) type Row<'s> = (i32, i32, &'s str, &'s str, &'s [(&'s str, &'s str)]);

/// One capture of a document.
#[derive(Clone, Debug)]
pub(crate) struct Capture {
    sample: Sample,
    window: usize,
    selected: Vec<i32>,
}

/// One element of a capture.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    parent: i32,
    host: i32,
    tag: String,
    flags: i32,
    own: String,
    place: [i32; 4],
    reference: i32,
    keys: Vec<(String, String)>,
}

impl Node {
    /// A visible block of 100 by 20 px.
    pub(crate) fn new(parent: Option<usize>, tag: &str) -> Self {
        Self {
            parent: parent.map_or(-1, |parent| parent as i32),
            host: -1,
            tag: tag.to_owned(),
            flags: BLOCK,
            own: String::new(),
            place: [0, 0, 100, 20],
            reference: 0,
            keys: Vec::new(),
        }
    }

    /// Own text; `|` stands for a child.
    pub(crate) fn own(mut self, text: &str) -> Self {
        self.own = text.replace('|', "\u{1}");
        self
    }

    /// Own text as it is.
    pub(crate) fn text(mut self, text: &str) -> Self {
        self.own = text.to_owned();
        self
    }

    /// All flags.
    pub(crate) fn flags(mut self, flags: i32) -> Self {
        self.flags = flags;
        self
    }

    /// More flags.
    pub(crate) fn also(mut self, flags: i32) -> Self {
        self.flags |= flags;
        self
    }

    /// An attribute or fact.
    pub(crate) fn key(mut self, name: &str, value: &str) -> Self {
        self.keys.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Left, top, width, height.
    pub(crate) fn at(mut self, place: [i32; 4]) -> Self {
        self.place = place;
        self
    }

    /// Its ref.
    pub(crate) fn reference(mut self, number: i32) -> Self {
        self.reference = number;
        self
    }

    /// Part of the shadow tree of an earlier element.
    pub(crate) fn host(mut self, host: usize) -> Self {
        self.host = host as i32;
        self.flags |= flags::IN_SHADOW;
        self
    }
}

impl Capture {
    /// A capture of these elements, in preorder.
    pub(crate) fn new(nodes: &[Node]) -> Self {
        let mut sample = Sample::new();
        let highest = nodes.iter().map(|node| node.reference).max().unwrap_or(0);
        sample.ints.extend([7, highest]);
        let window = sample.ints.len();
        sample.ints.extend([-1, 1280, 720, 0, 0, nodes.len() as i32, 0]);
        let mut siblings: HashMap<(i32, &str), i32> = HashMap::new();
        for node in nodes {
            let same = siblings.entry((node.parent, node.tag.as_str())).or_default();
            let before = std::mem::replace(same, *same + 1);
            sample.ints.extend([node.parent, node.flags]);
            sample.ints.extend(node.place);
            sample
                .ints
                .extend([before, node.host, node.reference, node.keys.len() as i32]);
            sample.text(Some(&node.tag));
            sample.text(Some(&node.own));
            for (name, value) in &node.keys {
                let key = drawbridge_protocol::reader::KEYS
                    .iter()
                    .position(|key| key == name)
                    .expect("a key of the table");
                sample.ints.push(key as i32);
                sample.text(Some(value));
            }
        }
        Self {
            sample,
            window,
            selected: Vec::new(),
        }
    }

    /// A capture of rows.
    pub(crate) fn of_rows(rows: &[Row<'_>]) -> Self {
        let nodes: Vec<Node> = rows
            .iter()
            .map(|(parent, flags, tag, own, attributes)| {
                let node = Node::new(usize::try_from(*parent).ok(), tag)
                    .flags(*flags)
                    .own(own);
                attributes
                    .iter()
                    .fold(node, |node, (name, value)| node.key(name, value))
            })
            .collect();
        Self::new(&nodes)
    }

    /// Index among the parent's windows.
    pub(crate) fn window(mut self, index: i32) -> Self {
        self.sample.ints[self.window] = index;
        self
    }

    /// What the next selector matches: in all, and which.
    pub(crate) fn select(mut self, total: i32, indexes: &[i32]) -> Self {
        self.selected.extend([total, indexes.len() as i32]);
        self.selected.extend(indexes);
        self
    }

    pub(crate) fn build(&self) -> String {
        let mut sample = self.sample.clone();
        sample.ints.extend(&self.selected);
        sample.ints.push(0);
        sample.build()
    }
}
