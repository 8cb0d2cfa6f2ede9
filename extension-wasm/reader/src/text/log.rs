//! Text as a log has it: lines, their white space kept.

use drawbridge_protocol::reader::flags;

use crate::page::Page;
use crate::text::lines::Gap;
use crate::text::{Part, Written, edge, edge_of_hidden, is_shown};
use crate::walk::{Step, Walk};

/// The lines of a part; `hidden`: also what cannot be seen, marked.
pub(crate) fn write(page: &Page<'_>, part: &Part, hidden: bool) -> Written {
    let (mut log, mut written) = (Log::default(), Written::default());
    let edge = if hidden { edge_of_hidden } else { edge };
    for &root in &part.roots {
        let mut verbatim: Vec<bool> = Vec::new();
        for step in Walk::new(page, root) {
            match step {
                Step::Enter(index) => {
                    let element = &page.elements[index];
                    written.meet(page, index, hidden);
                    // A break is a line even where the one before is empty.
                    if element.tag == "br" && element.is_visible() {
                        log.line();
                    } else {
                        log.gap(edge(element));
                    }
                    let around = verbatim.last().copied().unwrap_or(false);
                    verbatim.push(around || element.tag == "pre");
                }
                Step::Text(index, text) => {
                    let element = &page.elements[index];
                    let verbatim = verbatim.last().copied().unwrap_or(false);
                    if is_shown(element) {
                        log.write(text, verbatim);
                    } else if hidden && !element.is(flags::SECRET) && !text.trim().is_empty() {
                        let text = text.trim_matches(['\n', '\r']).replace(']', "\\]");
                        log.write(
                            &format!("[hidden: {}]", text.replace('\n', "]\n[hidden: ")),
                            verbatim,
                        );
                    }
                }
                Step::Leave(index) => {
                    verbatim.pop();
                    if page.elements[index].tag != "br" {
                        log.gap(edge(&page.elements[index]));
                    }
                }
            }
        }
    }
    written.text = log.finish();
    written
}

#[derive(Debug, Default)]
struct Log {
    text: String,
    gap: Gap,
}

impl Log {
    fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    fn line(&mut self) {
        self.close_gap();
        self.text.push('\n');
    }

    /// Outside of `pre`, line breaks at the ends are those of the source: one more gap, no empty line.
    fn write(&mut self, text: &str, verbatim: bool) {
        let mut text = text;
        let mut breaks_after = false;
        if !verbatim {
            let lead = text.len() - text.trim_start().len();
            if let Some(last) = text[..lead].rfind('\n') {
                self.gap(Gap::Line);
                text = &text[last + 1..];
            }
            let end = text.trim_end().len();
            if let Some(first) = text[end..].find('\n') {
                breaks_after = true;
                text = &text[..end + first];
            }
            if text.trim().is_empty() && (self.starts_line() || self.gap == Gap::Line) {
                // Nothing but the indentation of the next tag.
                text = "";
            }
        }
        if !text.is_empty() {
            self.close_gap();
            let lines = text.replace("\r\n", "\n");
            self.text.push_str(&lines.replace('\r', "\n"));
        }
        if breaks_after {
            self.gap(Gap::Line);
        }
    }

    fn starts_line(&self) -> bool {
        self.text.is_empty() || self.text.ends_with('\n')
    }

    fn close_gap(&mut self) {
        match std::mem::take(&mut self.gap) {
            _ if self.starts_line() => {}
            Gap::None => {}
            Gap::Space => self.text.push(' '),
            Gap::Cell => self.text.push('\t'),
            Gap::Line => self.text.push('\n'),
        }
    }

    fn finish(mut self) -> String {
        // The last line ends; another would be empty.
        self.text.truncate(self.text.trim_end_matches('\n').len());
        self.text
    }
}
