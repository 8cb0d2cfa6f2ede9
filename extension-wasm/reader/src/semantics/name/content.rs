//! Names from content: text, generated text and what names of elements inside add to it, with spaces where Chromium has
//! them.

use std::str::Split;

use drawbridge_protocol::reader::flags;

use super::super::{Naming, Role, Semantics, is_blank, key};
use super::own;
use crate::page::GAP;

/// Elements and texts that one name is made of at most, as in Chromium: nothing is named by half a page.
const PARTS: usize = 100;
/// References inside references.
const DEPTH: u8 = 6;
/// Bytes of a name before it is cut.
const BYTES: usize = 20_000;

/// Which elements the name that is being worked out has had already.
#[derive(Debug)]
pub(in crate::semantics) struct Scratch {
    stamps: Vec<u32>,
    stamp: u32,
}

impl Scratch {
    pub(in crate::semantics) fn new(elements: usize) -> Self {
        Self {
            stamps: vec![0; elements],
            stamp: 0,
        }
    }

    fn begin(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    fn visit(&mut self, index: usize) {
        self.stamps[index] = self.stamp;
    }

    fn has(&self, index: usize) -> bool {
        self.stamps[index] == self.stamp
    }
}

/// One name that is being put together.
pub(super) struct Run<'s, 'p, 'a> {
    semantics: &'s Semantics<'p, 'a>,
    scratch: &'s mut Scratch,
    out: String,
    /// Parts that may still be added.
    left: usize,
    /// References around what is looked at.
    depth: u8,
    root: Root,
}

/// What a run over content begins with.
#[derive(Clone, Copy)]
struct Root {
    /// `aria-labelledby` or the like led here: no such attribute is followed again.
    referenced: bool,
    /// It is not rendered or not visible, so what is inside counts all the same.
    hidden: bool,
    /// The same with `aria-hidden`.
    aria_hidden: bool,
}

/// An element whose content is being added.
struct Frame<'p> {
    index: usize,
    /// Where its text begins.
    start: usize,
    next: usize,
    own: Split<'p, char>,
    stage: Stage,
    /// Whether what was added last stands apart from what comes next; `None`: nothing was added.
    apart: Option<bool>,
    /// Its own text does not show.
    mute: bool,
}

#[derive(Clone, Copy)]
enum Stage {
    Before,
    Text,
    Child,
    After,
    /// So many of what it owns are done.
    Owned(usize),
}

impl<'s, 'p, 'a> Run<'s, 'p, 'a> {
    /// A run for the name of `index`, which is no part of its own name.
    pub(super) fn new(semantics: &'s Semantics<'p, 'a>, scratch: &'s mut Scratch, index: usize) -> Self {
        scratch.begin();
        scratch.visit(index);
        Self {
            semantics,
            scratch,
            out: String::new(),
            left: PARTS,
            depth: 0,
            root: Root {
                referenced: false,
                hidden: !semantics.is_styled_in(index),
                aria_hidden: semantics.is_aria_hidden(index),
            },
        }
    }

    pub(super) fn semantics(&self) -> &'s Semantics<'p, 'a> {
        self.semantics
    }

    pub(super) fn text(&self) -> &str {
        &self.out
    }

    pub(super) fn clear(&mut self) {
        self.out.clear();
    }

    pub(super) fn write(&mut self, text: &str) {
        let room = BYTES.saturating_sub(self.out.len());
        let end = (0..=room.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at));
        self.out.push_str(&text[..end.unwrap_or(0)]);
    }

    /// Adds the texts of elements that something refers to, a space between them. `hidden`: also of such that are hidden,
    /// or are part of the name already.
    pub(super) fn references(&mut self, targets: &[usize], hidden: bool) {
        if self.depth >= DEPTH {
            return;
        }
        self.depth += 1;
        let root = self.root;
        for &target in targets {
            let shown = self.semantics.is_styled_in(target) && !self.semantics.is_aria_hidden(target);
            let skipped = self.scratch.has(target) || (!shown && !root.hidden && !root.aria_hidden);
            if !hidden && skipped {
                continue;
            }
            self.root = Root {
                referenced: hidden,
                hidden: !self.semantics.is_styled_in(target),
                aria_hidden: self.semantics.is_aria_hidden(target),
            };
            let start = self.out.len();
            self.referenced(target);
            if start > 0 && self.out.len() > start {
                self.out.insert(start, ' ');
            }
        }
        self.root = root;
        self.depth -= 1;
    }

    /// The text of one element that something refers to: its name, else all that is inside of it.
    fn referenced(&mut self, index: usize) {
        let start = self.out.len();
        let seen = self.scratch.has(index);
        self.scratch.visit(index);
        if !seen && own::value(self, index) {
            return;
        }
        if let Some(label) = self.semantics.said(index, key::ARIA_LABEL) {
            self.write(label);
            return;
        }
        if own::native(self, index).is_some() {
            return;
        }
        self.content(index);
        if is_blank(&self.out[start..]) {
            own::fallback(self, index);
        }
    }

    /// [`Self::content`] from inside of content.
    pub(super) fn deeper(&mut self, index: usize) {
        if self.depth < DEPTH {
            self.depth += 1;
            let before = std::mem::take(&mut self.out);
            self.content(index);
            let added = std::mem::replace(&mut self.out, before);
            self.out.push_str(&added);
            self.depth -= 1;
        }
    }

    /// Adds what is inside of an element.
    pub(super) fn content(&mut self, index: usize) {
        let mut frames = vec![self.frame(index, false)];
        while let Some(frame) = frames.last_mut() {
            match frame.stage {
                Stage::Before => {
                    frame.stage = Stage::Text;
                    let text = self.semantics.get(frame.index, key::BEFORE);
                    self.add_text(frame, text);
                }
                Stage::Text => {
                    frame.stage = Stage::Child;
                    let text = frame.own.next();
                    self.add_text(frame, text);
                }
                Stage::Child => {
                    let page = self.semantics.page;
                    if frame.next < page.elements[frame.index].end {
                        let child = frame.next;
                        frame.next = page.elements[child].end;
                        frame.stage = Stage::Text;
                        if self.semantics.owner(child).is_none() {
                            let inner = self.enter(frame, child);
                            frames.extend(inner);
                        }
                    } else if let Some(text) = frame.own.next() {
                        self.add_text(frame, Some(text));
                    } else {
                        frame.stage = Stage::After;
                    }
                }
                Stage::After => {
                    frame.stage = Stage::Owned(0);
                    let text = self.semantics.get(frame.index, key::AFTER);
                    self.add_text(frame, text);
                }
                Stage::Owned(done) => match self.semantics.owned(frame.index).get(done) {
                    Some(&owned) => {
                        frame.stage = Stage::Owned(done + 1);
                        let inner = self.enter(frame, owned);
                        frames.extend(inner);
                    }
                    None => {
                        let done = frames.pop();
                        if let (Some(done), Some(around)) = (done, frames.last_mut()) {
                            self.leave(&done, around);
                        }
                    }
                },
            }
        }
    }

    fn frame(&self, index: usize, mute: bool) -> Frame<'p> {
        let page = self.semantics.page;
        Frame {
            index,
            start: self.out.len(),
            next: index + 1,
            own: page.elements[index].own.split(GAP),
            stage: Stage::Before,
            apart: None,
            mute,
        }
    }

    fn add_text(&mut self, frame: &mut Frame<'p>, text: Option<&str>) {
        let Some(text) = text.filter(|text| !text.is_empty() && !frame.mute && self.left > 0) else {
            return;
        };
        if !is_blank(text) {
            self.left -= 1;
        }
        let start = self.out.len();
        self.write(text);
        self.join(frame, start, false);
    }

    /// Adds a child, or begins to.
    fn enter(&mut self, frame: &mut Frame<'p>, child: usize) -> Option<Frame<'p>> {
        let semantics = self.semantics;
        let element = &semantics.page.elements[child];
        if self.left == 0 || self.is_left_out(child) {
            return None;
        }
        self.left -= 1;
        let start = self.out.len();
        if !self.root.referenced
            && let Some(ids) = semantics.said(child, key::ARIA_LABELLEDBY)
        {
            let targets = semantics.relations.by_ids(semantics.page, child, ids);
            self.nested(&targets, true);
            if !is_blank(&self.out[start..]) {
                self.join(frame, start, true);
                return None;
            }
            self.out.truncate(start);
        }
        if self.scratch.has(child) {
            return None;
        }
        self.scratch.visit(child);
        let shows = self.root.hidden || semantics.is_styled_in(child);
        let told =
            shows && (own::value(self, child) || self.label(child) || own::native(self, child).is_some());
        if told || (shows && !passes_content(semantics, child)) {
            if !told {
                own::fallback(self, child);
            }
            let apart = self.out.len() > start || self.is_apart(child);
            self.join(frame, start, apart);
            return None;
        }
        if element.is_html("br") || element.is_html("wbr") {
            self.out.push('\n');
        }
        Some(self.frame(child, !shows))
    }

    fn label(&mut self, index: usize) -> bool {
        let label = self.semantics.said(index, key::ARIA_LABEL);
        self.write(label.unwrap_or_default());
        label.is_some()
    }

    /// References from inside of content: what they add is joined by whoever asked.
    fn nested(&mut self, targets: &[usize], hidden: bool) {
        let before = std::mem::take(&mut self.out);
        self.references(targets, hidden);
        let added = std::mem::replace(&mut self.out, before);
        self.out.push_str(&added);
    }

    /// [`Self::nested`] for labels, legends and captions.
    pub(super) fn labels(&mut self, targets: &[usize]) {
        self.nested(targets, false);
    }

    fn leave(&mut self, frame: &Frame<'p>, around: &mut Frame<'p>) {
        if is_blank(&self.out[frame.start..])
            && !frame.mute
            && !self.semantics.role_of(frame.index).is_transparent()
        {
            own::fallback(self, frame.index);
        }
        let apart = self.is_apart(frame.index);
        self.join(around, frame.start, apart);
    }

    /// Whether an element stands apart from text beside it.
    fn is_apart(&self, index: usize) -> bool {
        self.semantics.role_of(index).stands_apart()
            || self.semantics.breaks_line(index)
            || self.semantics.page.elements[index].is(flags::INLINE_BOX | flags::CONTENTS)
    }

    /// Says that what stands behind `start` belongs to `frame` now; puts a space before it where one is missing.
    fn join(&mut self, frame: &mut Frame<'p>, start: usize, apart: bool) {
        let space = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        let bytes = self.out.as_bytes();
        let (before, after) = (&bytes[frame.start..start], &bytes[start..]);
        if frame.apart.is_some_and(|last| last || apart) && !space(before.last()) && !space(after.first()) {
            self.out.insert(start, ' ');
        }
        frame.apart = Some(apart);
    }

    fn is_left_out(&self, index: usize) -> bool {
        let semantics = self.semantics;
        let element = &semantics.page.elements[index];
        // Notes on how to read a text are no part of it.
        if element.is_html("rt") || element.is_html("rp") {
            return true;
        }
        if !self.root.aria_hidden && semantics.get(index, key::ARIA_HIDDEN) == Some("true") {
            return true;
        }
        !self.root.hidden && !crate::visible::is_rendered(element.flags)
    }
}

/// Whether what is inside of an element is part of the names around it.
fn passes_content(semantics: &Semantics<'_, '_>, index: usize) -> bool {
    let element = &semantics.page.elements[index];
    // What is in a frame is another document's.
    if matches!(
        element.tag.as_ref(),
        "iframe" | "frame" | "object" | "embed" | "video" | "audio"
    ) {
        return false;
    }
    match semantics.role_of(index) {
        Role::Group => element.is_html("details"),
        Role::ContentInfo | Role::SectionFooter => element.is_html("footer"),
        // A formula's signs are no text.
        Role::Math => !element.is(flags::FOREIGN),
        role => role.naming() != Naming::Author,
    }
}
