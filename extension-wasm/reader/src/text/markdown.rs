//! Markdown (CommonMark with the tables of GFM): headings, links, images, nested lists, code, tables, quotes, emphasis.
//!
//! What the page says is escaped, so that only what the page *is* makes structure.

mod blocks;
mod escape;
mod inline;
mod kinds;
mod tables;
#[cfg(test)]
mod tests;

use drawbridge_protocol::reader::flags;

use crate::page::Page;
use crate::text::lines::Gap;
use crate::text::{Part, Written, edge, edge_of_hidden};
use crate::walk::{Step, Walk};

use blocks::{Blocks, Container};
use inline::{Inline, Style};
use kinds::Kind;

/// A part as Markdown; `hidden`: also what cannot be seen, marked.
pub(super) fn write(page: &Page<'_>, part: &Part, hidden: bool) -> Written {
    let mut writer = Writer {
        page,
        part,
        hidden,
        tables: tables::of_data(page),
        blocks: Blocks::default(),
        inline: Inline::default(),
        code: None,
        written: Written::default(),
    };
    for &root in &part.roots {
        writer.run(root);
    }
    writer.flush();
    writer.written.text = writer.blocks.finish();
    writer.written
}

struct Writer<'w, 'p, 'a> {
    page: &'p Page<'a>,
    part: &'w Part,
    hidden: bool,
    /// Tables that are tables and not there for looks, ascending.
    tables: Vec<usize>,
    blocks: Blocks,
    inline: Inline,
    /// Where the block of code that is open begins, and what it says so far.
    code: Option<(usize, String)>,
    written: Written,
}

impl<'p> Writer<'_, 'p, '_> {
    fn run(&mut self, root: usize) {
        let mut walk = Walk::new(self.page, root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(index) if self.part.lacks(index) => walk.pass(),
                Step::Enter(index) if self.tables.binary_search(&index).is_ok() && self.code.is_none() => {
                    self.table(index);
                    walk.pass();
                }
                Step::Enter(index) => self.enter(index),
                Step::Text(index, text) => self.text(index, text),
                Step::Leave(index) => self.leave(index),
            }
        }
    }

    fn enter(&mut self, index: usize) {
        let page = self.page;
        let element = &page.elements[index];
        self.written.meet(page, index, self.hidden);
        if !element.is_visible() && !self.hidden {
            // What is inside of it may be seen all the same; its own shape is not.
            self.edge(index);
            return;
        }
        if self.code.is_some() {
            self.code_line(index);
            return;
        }
        match kinds::of(element) {
            Kind::Heading(level) => {
                self.flush();
                self.blocks.heading(Some(level));
            }
            Kind::List { ordered } => {
                self.flush();
                self.blocks.open(Container::List { ordered, next: 1 });
            }
            Kind::Item => {
                self.flush();
                self.blocks
                    .item(element.get("value").and_then(|value| value.trim().parse().ok()));
            }
            Kind::Quote => {
                self.flush();
                self.blocks.open(Container::Quote);
            }
            Kind::Code => {
                self.flush();
                self.code = Some((index, String::new()));
            }
            Kind::Rule => {
                self.flush();
                self.blocks.line("---");
            }
            Kind::Break => self.inline.line_break(),
            Kind::Image => self.image(index),
            Kind::Style(style) => self.inline.open(style),
            Kind::Link => {
                let href = element.get("href").map(kinds::address).unwrap_or_default();
                self.inline.open_link(href);
            }
            Kind::Term => {
                self.flush();
                self.inline.open(Style::Strong);
            }
            Kind::Other => self.edge(index),
        }
    }

    fn leave(&mut self, index: usize) {
        let element = &self.page.elements[index];
        if self.part.lacks(index) || self.tables.binary_search(&index).is_ok() {
            return;
        }
        if !element.is_visible() && !self.hidden {
            self.edge(index);
            return;
        }
        if let Some((_, code)) = self.code.take_if(|(begin, _)| *begin == index) {
            self.blocks.code(&code, kinds::language(self.page, index));
            return;
        }
        if self.code.is_some() {
            if element.tag != "br" {
                self.code_line(index);
            }
            return;
        }
        match kinds::of(element) {
            Kind::Heading(_) => {
                self.flush();
                self.blocks.heading(None);
            }
            Kind::List { .. } | Kind::Item | Kind::Quote => {
                self.flush();
                self.blocks.close();
            }
            Kind::Style(_) => self.inline.close(),
            Kind::Link => {
                let label = element.get("aria-label").or_else(|| element.get("title"));
                self.inline.close_link(label);
            }
            Kind::Term => {
                self.inline.close();
                self.flush();
            }
            Kind::Other => self.edge(index),
            Kind::Code | Kind::Rule | Kind::Break | Kind::Image => {}
        }
    }

    fn text(&mut self, index: usize, text: &str) {
        let element = &self.page.elements[index];
        let seen = element.shows_text();
        if element.is(flags::SECRET) || !(seen || self.hidden) {
            return;
        }
        if let Some((_, code)) = &mut self.code {
            if seen {
                code.push_str(text);
            }
        } else {
            self.inline.write(text, !seen);
        }
    }

    /// Begins a line of code where a block does.
    fn code_line(&mut self, index: usize) {
        let is_line = self.edge_of(index) == Gap::Line;
        let is_break = self.page.elements[index].tag == "br";
        if let Some((_, code)) = &mut self.code
            && is_line
            && (is_break || !(code.is_empty() || code.ends_with('\n')))
        {
            code.push('\n');
        }
    }

    fn image(&mut self, index: usize) {
        let element = &self.page.elements[index];
        let alt = element
            .get("alt")
            .or_else(|| element.get("aria-label"))
            .unwrap_or_default();
        if element.is_visible() && !alt.trim().is_empty() {
            let src = element.get("src").map(kinds::address).unwrap_or_default();
            self.inline.image(alt, &src);
        }
    }

    fn table(&mut self, index: usize) {
        self.flush();
        for inside in index..self.page.elements[index].end {
            self.written.meet(self.page, inside, self.hidden);
        }
        for line in tables::lines(self.page, index) {
            self.blocks.line(&line.text);
            self.blocks.join(line.joins_next);
        }
    }

    fn edge_of(&self, index: usize) -> Gap {
        let element = &self.page.elements[index];
        if self.hidden {
            edge_of_hidden(element)
        } else {
            edge(element)
        }
    }

    fn edge(&mut self, index: usize) {
        match self.edge_of(index) {
            Gap::None => {}
            Gap::Space | Gap::Cell => self.inline.gap(),
            Gap::Line => self.flush(),
        }
    }

    fn flush(&mut self) {
        if let Some(paragraph) = self.inline.take() {
            self.blocks.paragraph(&paragraph);
        }
    }
}
