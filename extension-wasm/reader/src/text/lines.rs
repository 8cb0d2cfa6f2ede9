//! Text that grows word by word: white space folded, lines only where blocks end.

use crate::fold::{self, Seen};

/// What separates two words, the weaker first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gap {
    /// Nothing: they are one word.
    #[default]
    None,
    /// A space.
    Space,
    /// A tab, between cells of a row.
    Cell,
    /// A line break.
    Line,
}

/// How text is added.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// White space is the author's.
    pub(crate) verbatim: bool,
    /// Nobody can see it: it is marked, `[hidden: …]`, a line at a time.
    pub(crate) hidden: bool,
}

/// The text so far.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    text: String,
    characters: usize,
    /// What comes before the next word; nothing at the very beginning and end.
    gap: Gap,
    /// A mark of hidden text is open.
    marked: bool,
}

impl Lines {
    /// Separates what was written from what will be; of several gaps the strongest stays.
    pub(crate) fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Adds text.
    pub(crate) fn write(&mut self, text: &str, manner: Manner) {
        for character in text.chars() {
            match (fold::seen(character), manner.verbatim) {
                (Seen::Space, true) if character == '\r' => {}
                (Seen::Space, true) if character == '\n' => {
                    if self.text.is_empty() {
                        continue;
                    }
                    // No space at the end of a line.
                    self.gap = if self.gap == Gap::Line {
                        Gap::Line
                    } else {
                        Gap::None
                    };
                    self.put('\n', manner.hidden);
                }
                (Seen::Space, false) => self.gap(Gap::Space),
                // What does not show is the page's all the same; only where texts are compared it counts for nothing.
                (Seen::Space, true) | (Seen::Nothing | Seen::Character, _) => {
                    self.put(character, manner.hidden)
                }
            }
        }
    }

    /// Characters so far.
    pub(crate) fn characters(&self) -> usize {
        self.characters
    }

    /// The text, without white space at its ends.
    pub(crate) fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        if self.marked {
            self.text.push(']');
        }
        self.text
    }

    fn starts_line(&self) -> bool {
        self.text.is_empty() || self.text.ends_with('\n')
    }

    fn put(&mut self, character: char, hidden: bool) {
        if self.marked && (!hidden || self.gap >= Gap::Cell || character == '\n') {
            self.marked = false;
            self.push(']');
        }
        match std::mem::take(&mut self.gap) {
            _ if self.starts_line() => {}
            Gap::None => {}
            Gap::Space => self.push(' '),
            Gap::Cell => self.push('\t'),
            Gap::Line => self.push('\n'),
        }
        if hidden && !self.marked && character != '\n' {
            self.marked = true;
            "[hidden: ".chars().for_each(|character| self.push(character));
        }
        if hidden && character == ']' {
            // What nobody can see does not end its own mark.
            self.push('\\');
        }
        self.push(character);
    }

    fn push(&mut self, character: char) {
        self.text.push(character);
        self.characters += 1;
    }
}
