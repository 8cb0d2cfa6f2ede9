//! What stands in one paragraph: text, and what is set apart in it.

use super::escape;
use crate::fold::{self, Seen, fold};

/// How a part of a line is set apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Emphasis,
    Strong,
    Struck,
    Code,
}

/// A part that is open.
#[derive(Clone, Debug)]
enum Span {
    Style(Style),
    /// Where it leads; nothing once it was said.
    Link(String),
    /// It changes nothing, since one around it does the same.
    Nothing,
}

/// A paragraph that grows.
#[derive(Debug, Default)]
pub(super) struct Inline {
    text: String,
    /// White space comes before the next word.
    gap: bool,
    /// Open parts, and where their text begins.
    spans: Vec<(Span, usize)>,
    /// A mark of hidden text is open.
    marked: bool,
    /// Breaks are spaces: a cell has one line.
    flat: bool,
}

impl Inline {
    /// A paragraph that has no breaks.
    pub(super) fn on_one_line() -> Self {
        Self {
            flat: true,
            ..Self::default()
        }
    }

    /// Separates words.
    pub(super) fn gap(&mut self) {
        self.gap = true;
    }

    /// Adds text; `hidden`: nobody can see it.
    pub(super) fn write(&mut self, text: &str, hidden: bool) {
        let mut word = String::new();
        for character in text.chars() {
            match fold::seen(character) {
                Seen::Space => {
                    self.word(&word, hidden, true);
                    word.clear();
                    self.gap = true;
                }
                Seen::Nothing | Seen::Character => word.push(character),
            }
        }
        self.word(&word, hidden, false);
    }

    /// Ends the line inside the paragraph.
    pub(super) fn line_break(&mut self) {
        if self.flat || self.text.is_empty() {
            self.gap = true;
            return;
        }
        self.unmark();
        self.gap = false;
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
    }

    /// An image.
    pub(super) fn image(&mut self, alt: &str, src: &str) {
        self.unmark();
        self.close_gap();
        self.text.push_str("![");
        for (nth, word) in fold(alt).split(' ').enumerate() {
            if nth > 0 {
                self.text.push(' ');
            }
            escape::text(&mut self.text, word, true);
        }
        self.text.push_str("](");
        self.text.push_str(src);
        self.text.push(')');
    }

    /// Begins a part.
    pub(super) fn open(&mut self, style: Style) {
        let is_open = |span: &(Span, usize)| matches!(span.0, Span::Style(open) if open == style || open == Style::Code);
        let span = if self.spans.iter().any(is_open) {
            Span::Nothing
        } else {
            Span::Style(style)
        };
        self.begin(span);
    }

    /// Begins a link.
    pub(super) fn open_link(&mut self, href: String) {
        let inside = self.spans.iter().any(|(span, _)| matches!(span, Span::Link(_)));
        let span = if inside || href.is_empty() {
            Span::Nothing
        } else {
            Span::Link(href)
        };
        self.begin(span);
    }

    /// Ends the part that began last.
    pub(super) fn close(&mut self) {
        self.unmark();
        if let Some((span, start)) = self.spans.pop() {
            self.wrap(&span, start);
        }
    }

    /// Ends a link; `label` says where it leads when nothing in it does.
    pub(super) fn close_link(&mut self, label: Option<&str>) {
        let is_empty = |(span, start): &(Span, usize)| {
            matches!(span, Span::Link(href) if !href.is_empty()) && self.text.len() <= *start
        };
        if self.spans.last().is_some_and(is_empty)
            && let Some(label) = label
        {
            self.write(label, false);
        }
        self.close();
    }

    /// The paragraph so far, if it says anything; parts that are open go on in the next one.
    pub(super) fn take(&mut self) -> Option<String> {
        self.unmark();
        for place in (0..self.spans.len()).rev() {
            let (span, start) = self.spans[place].clone();
            let said = self.text.len() > start;
            self.wrap(&span, start);
            // A link that was made is not made again for the rest of what it holds.
            if said && let Span::Link(href) = &mut self.spans[place].0 {
                href.clear();
            }
        }
        for (_, start) in &mut self.spans {
            *start = 0;
        }
        self.gap = false;
        let text = std::mem::take(&mut self.text);
        let text = text.trim_matches([' ', '\n']);
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn begin(&mut self, span: Span) {
        self.unmark();
        // The space before stays outside: `a *b*`.
        self.close_gap();
        self.spans.push((span, self.text.len()));
    }

    fn wrap(&mut self, span: &Span, start: usize) {
        let inner = self.text.split_off(start.min(self.text.len()));
        let trimmed = inner.trim_matches([' ', '\n']);
        let (before, after) = match span {
            _ if trimmed.is_empty() => ("", String::new()),
            Span::Nothing => ("", String::new()),
            Span::Link(href) if href.is_empty() => ("", String::new()),
            Span::Link(href) => ("[", format!("]({href})")),
            Span::Style(Style::Emphasis) => ("*", "*".to_owned()),
            Span::Style(Style::Strong) => ("**", "**".to_owned()),
            Span::Style(Style::Struck) => ("~~", "~~".to_owned()),
            Span::Style(Style::Code) => {
                let (text, fence) = code(trimmed);
                self.text.push_str(&fence);
                self.text.push_str(&text);
                self.text.push_str(&fence);
                return;
            }
        };
        if before.is_empty() {
            self.text.push_str(&inner);
            return;
        }
        let lead = inner.len() - inner.trim_start_matches([' ', '\n']).len();
        self.text.push_str(&inner[..lead]);
        self.text.push_str(before);
        self.text.push_str(trimmed);
        self.text.push_str(&after);
        self.text.push_str(&inner[lead + trimmed.len()..]);
    }

    fn word(&mut self, word: &str, hidden: bool, ends: bool) {
        if word.is_empty() {
            return;
        }
        if !hidden {
            self.unmark();
        }
        self.close_gap();
        if hidden && !self.marked {
            // The page's own brackets are escaped, so nothing it says passes for this.
            self.text.push_str("[hidden: ");
            self.marked = true;
        }
        if self
            .spans
            .iter()
            .any(|(span, _)| matches!(span, Span::Style(Style::Code)))
        {
            self.text.push_str(word);
        } else {
            escape::text(&mut self.text, word, ends);
        }
    }

    fn unmark(&mut self) {
        if std::mem::take(&mut self.marked) {
            self.text.push(']');
        }
    }

    fn close_gap(&mut self) {
        if std::mem::take(&mut self.gap) && !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }
}

/// Code on one line, and what it is set between: more ticks than it has in a row.
fn code(text: &str) -> (String, String) {
    let text = text.replace('\n', " ");
    let mut longest = 0;
    for run in text.split(|character| character != '`') {
        longest = longest.max(run.len());
    }
    let fence = "`".repeat(longest + 1);
    match text.starts_with('`') || text.ends_with('`') {
        true => (format!(" {text} "), fence),
        false => (text, fence),
    }
}
