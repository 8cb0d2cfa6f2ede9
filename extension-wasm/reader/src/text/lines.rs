//! Text that grows word by word: white space folded, lines only where blocks end.

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

/// The text so far.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    text: String,
    characters: usize,
    /// What comes before the next word; nothing at the very beginning and end.
    gap: Gap,
}

impl Lines {
    /// Separates what was written from what will be; of several gaps the strongest stays.
    pub(crate) fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Adds text; `verbatim` keeps its white space.
    pub(crate) fn write(&mut self, text: &str, verbatim: bool) {
        for character in text.chars() {
            match character {
                '\r' if verbatim => {}
                '\n' if verbatim && self.text.is_empty() => {}
                '\n' if verbatim => {
                    // No space at the end of a line.
                    self.gap = if self.gap == Gap::Line {
                        Gap::Line
                    } else {
                        Gap::None
                    };
                    self.put('\n');
                }
                white if white.is_whitespace() && !verbatim => self.gap(Gap::Space),
                other => self.put(other),
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
        self.text
    }

    fn starts_line(&self) -> bool {
        self.text.is_empty() || self.text.ends_with('\n')
    }

    fn put(&mut self, character: char) {
        let gap = match std::mem::take(&mut self.gap) {
            _ if self.starts_line() => None,
            Gap::None => None,
            Gap::Space => Some(' '),
            Gap::Cell => Some('\t'),
            Gap::Line => Some('\n'),
        };
        for character in gap.into_iter().chain([character]) {
            self.text.push(character);
            self.characters += 1;
        }
    }
}
