//! Blocks below each other, inside lists and quotes.

use super::escape;

/// Lists and quotes that are shown inside each other. A page can nest thousands; deeper ones are shown at this depth.
const DEEPEST: usize = 12;

/// What blocks are inside of.
#[derive(Clone, Debug)]
pub(super) enum Container {
    Quote,
    List {
        ordered: bool,
        /// Number of its next item.
        next: u64,
    },
    /// An item; its marker, until its first block has it, and how far the others are moved in.
    Item {
        marker: Option<String>,
        width: usize,
    },
}

/// The text so far.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    text: String,
    open: Vec<Container>,
    heading: Option<usize>,
    /// The last block is part of a list.
    in_list: bool,
    /// The next block follows without an empty line.
    joins: bool,
    /// How many of what the last block is inside of the next one is inside of, too.
    shared: usize,
}

impl Blocks {
    /// Goes into something.
    pub(super) fn open(&mut self, container: Container) {
        self.open.push(container);
    }

    /// Goes into an item of the list around; `number` is the one it gives itself.
    pub(super) fn item(&mut self, number: Option<u64>) {
        let marker = match self.open.last_mut() {
            Some(Container::List { ordered: true, next }) => {
                let own = number.unwrap_or(*next);
                *next = own.saturating_add(1);
                format!("{own}. ")
            }
            _ => "- ".to_owned(),
        };
        self.open.push(Container::Item {
            width: marker.len(),
            marker: Some(marker),
        });
    }

    /// Goes out of what was gone into last.
    pub(super) fn close(&mut self) {
        self.open.pop();
        self.shared = self.shared.min(self.open.len());
    }

    /// What comes is a heading of this level, or no longer.
    pub(super) fn heading(&mut self, level: Option<usize>) {
        self.heading = level;
    }

    /// Adds a paragraph, or the heading; its lines are text.
    pub(super) fn paragraph(&mut self, text: &str) {
        if let Some(level) = self.heading {
            let text = text.replace('\n', " ");
            let mut line = format!("{} {text}", "#".repeat(level));
            if line.ends_with('#') {
                // Else it would close the heading.
                line.insert(line.len() - 1, '\\');
            }
            self.lines(&[line]);
            return;
        }
        let lines: Vec<&str> = text.split('\n').map(str::trim).collect();
        let last = lines.len() - 1;
        let lines: Vec<String> = lines
            .into_iter()
            .enumerate()
            .map(|(nth, line)| format!("{}{}", escape::line(line), if nth < last { "\\" } else { "" }))
            .collect();
        self.lines(&lines);
    }

    /// Adds a line that is structure.
    pub(super) fn line(&mut self, line: &str) {
        self.lines(&[line]);
    }

    /// Whether the next block follows without an empty line.
    pub(super) fn join(&mut self, joins: bool) {
        self.joins = joins;
    }

    /// Adds a block of code.
    pub(super) fn code(&mut self, code: &str, language: &str) {
        let code = code.replace("\r\n", "\n");
        let code = code.strip_prefix('\n').unwrap_or(&code).trim_end();
        if code.is_empty() {
            return;
        }
        let longest = code
            .split(|character| character != '`')
            .map(str::len)
            .max()
            .unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let open = format!("{fence}{language}");
        let lines: Vec<&str> = std::iter::once(open.as_str())
            .chain(code.split('\n'))
            .chain([fence.as_str()])
            .collect();
        self.lines(&lines);
    }

    /// The whole text.
    pub(super) fn finish(self) -> String {
        self.text
    }

    fn lines<L: AsRef<str>>(&mut self, lines: &[L]) {
        let starts_item = self
            .open
            .iter()
            .any(|one| matches!(one, Container::Item { marker: Some(_), .. }));
        if !self.text.is_empty() {
            self.text.push('\n');
            let joins = std::mem::take(&mut self.joins);
            // Items follow each other closely, paragraphs do not.
            let follows_closely = joins || (starts_item && self.in_list);
            if !follows_closely {
                let shared = self.shared;
                let prefix = self.prefix(shared, false);
                self.text.push_str(prefix.trim_end());
                self.text.push('\n');
            }
        }
        for (nth, line) in lines.iter().enumerate() {
            if nth > 0 {
                self.text.push('\n');
            }
            let prefix = self.prefix(usize::MAX, true);
            let line = line.as_ref();
            self.text.push_str(if line.is_empty() {
                prefix.trim_end()
            } else {
                &prefix
            });
            self.text.push_str(line);
        }
        self.shared = self.open.len();
        self.in_list = self.open.iter().any(|one| matches!(one, Container::Item { .. }));
    }

    /// What stands before a line in the first `most` open containers; `marks`: items that begin with it get their
    /// markers.
    fn prefix(&mut self, most: usize, marks: bool) -> String {
        let mut prefix = String::new();
        let shown = self
            .open
            .iter_mut()
            .take(most)
            .filter(|one| !matches!(one, Container::List { .. }))
            .take(DEEPEST);
        for container in shown {
            match container {
                Container::Quote => prefix.push_str("> "),
                Container::List { .. } => {}
                Container::Item { marker, width } => match marker.take_if(|_| marks) {
                    Some(marker) => prefix.push_str(&marker),
                    None => prefix.extend(std::iter::repeat_n(' ', *width)),
                },
            }
        }
        prefix
    }
}
