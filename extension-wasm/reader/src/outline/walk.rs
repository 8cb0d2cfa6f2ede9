//! One pass over the page, without recursion: a page decides how deep it is.

mod close;
mod frames;
mod names;
mod text;

use std::collections::{HashMap, HashSet};
use std::str::Split;

use drawbridge_protocol::outline::{About, Kind, Note, Omitted, OutlineNode, State};
use drawbridge_protocol::reader::flags;

use super::kind::{self, Treat};
use super::layers::Layer;
use super::lines::{At, Lines};
use super::{Ask, line, notes};
use crate::page::GAP;
use crate::semantics::name::From;
use crate::semantics::{Role, Semantics, key};
use crate::visible;

use text::Pending;

/// The pass, and what it made so far.
pub(super) struct Walk<'s, 'p, 'a> {
    semantics: &'s Semantics<'p, 'a>,
    ask: &'s Ask<'s>,
    lines: Lines,
    omitted: Omitted,
    /// Text that goes into the next line.
    pending: Pending,
    /// Fields that have a line already, at their label.
    shown: HashSet<usize>,
    /// Plain elements whose text is the name of something else that has a line.
    naming: HashSet<usize>,
    /// Names of image maps whose picture can be seen.
    maps: HashSet<&'p str>,
    /// Layers in front, which are not met again.
    apart: Vec<usize>,
    /// What could not be read, by the frame that shows it.
    boundaries: HashMap<usize, Vec<usize>>,
    tables: Vec<Size>,
    /// Per document the host that its links lead to unless they say otherwise.
    hosts: Vec<Option<String>>,
    /// The line of the last term.
    term: Option<At>,
}

/// Rows of a table, and cells of its longest row.
#[derive(Clone, Copy, Default)]
struct Size {
    rows: u32,
    columns: u32,
}

/// Where an element is.
#[derive(Clone, Copy)]
struct Place {
    /// The line around.
    line: Option<At>,
    /// A control is around.
    in_control: bool,
    mute: Mute,
    /// It is `aria-hidden`, and the line around what is.
    aria_hidden: Option<Option<At>>,
    /// The line around is marked as hidden.
    hidden: bool,
    /// What is around is a row.
    in_row: bool,
}

/// Whether text is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mute {
    /// It is.
    No,
    /// A name has it.
    All,
    /// Not what the name of this line has.
    In(At),
}

/// An element that is not done.
struct Open<'p> {
    index: usize,
    next: usize,
    own: Split<'p, char>,
    stage: Stage,
    treat: Treat,
    /// The place of the element.
    at: Place,
    /// The place of what is inside of it.
    inside: Place,
}

#[derive(Clone, Copy)]
enum Stage {
    Text,
    Child,
    /// So many of what it owns are done.
    Owned(usize),
}

impl<'s, 'p, 'a> Walk<'s, 'p, 'a> {
    pub(super) fn new(semantics: &'s Semantics<'p, 'a>, ask: &'s Ask<'s>) -> Self {
        let mut boundaries: HashMap<usize, Vec<usize>> = HashMap::new();
        for (which, boundary) in semantics.page().boundaries.iter().enumerate() {
            if let Some(element) = boundary.element {
                boundaries.entry(element).or_default().push(which);
            }
        }
        Self {
            semantics,
            ask,
            lines: Lines::default(),
            omitted: Omitted::default(),
            pending: Pending::default(),
            shown: HashSet::new(),
            naming: names::naming(semantics),
            maps: names::maps(semantics),
            apart: Vec::new(),
            boundaries,
            tables: Vec::new(),
            hosts: notes::usual_hosts(semantics),
            term: None,
        }
    }

    /// Adds a layer in front.
    pub(super) fn layer(&mut self, layer: &Layer) {
        let mut node = line::of(self.semantics, layer.root);
        if self.semantics.role_of(layer.root).is_transparent() {
            "layer".clone_into(&mut node.role);
        }
        node.kind = Kind::Region;
        if layer.covers {
            node.notes.push(Note {
                about: About::Covers,
                text: "page".to_owned(),
            });
        }
        let top = self.lines.push(layer.root, None, true, node);
        let place = Place::top(Some(top));
        let open = self.open(layer.root, Treat::Pass, place, place);
        self.run(vec![open]);
        self.apart.push(layer.root);
    }

    /// Adds what is in `root`, but for the layers in front of it.
    pub(super) fn rest(&mut self, root: usize, layers: &[Layer]) {
        let covered = layers.iter().any(|layer| layer.covers);
        let document = self
            .semantics
            .page()
            .elements
            .get(root)
            .map_or(0, |element| element.document);
        let usual = notes::usually_to(self.hosts.get(document));
        let top = (covered || usual.is_some()).then(|| {
            let node = OutlineNode {
                role: "document".to_owned(),
                states: if covered { vec![State::Covered] } else { Vec::new() },
                notes: usual.into_iter().collect(),
                kind: Kind::Region,
                ..OutlineNode::default()
            };
            self.lines.push(root, None, false, node)
        });
        let place = Place::top(top.filter(|_| covered));
        let opened = match self.semantics.page().elements.get(root) {
            Some(_) => self.enter(root, place),
            None => None,
        };
        self.run(opened.into_iter().collect());
        self.loose_boundaries(place.line);
        // What only says where links lead needs nothing inside of it.
        if let Some(top) = top.filter(|top| covered && self.lines.kids(Some(*top)).count == 0) {
            self.lines.fold(top, None);
        }
    }

    pub(super) fn finish(self) -> (Lines, Omitted) {
        (self.lines, self.omitted)
    }

    fn run(&mut self, mut opened: Vec<Open<'p>>) {
        while let Some(open) = opened.last_mut() {
            match open.stage {
                Stage::Text => {
                    open.stage = Stage::Child;
                    if let Some(text) = open.own.next() {
                        self.text(open.index, text, open.inside);
                    }
                }
                Stage::Child => {
                    if open.next < self.semantics.page().elements[open.index].end {
                        let child = open.next;
                        open.next = self.semantics.page().elements[child].end;
                        open.stage = Stage::Text;
                        let place = open.inside;
                        if self.semantics.owner(child).is_none() {
                            opened.extend(self.enter(child, place));
                        }
                    } else if let Some(text) = open.own.next() {
                        self.text(open.index, text, open.inside);
                    } else {
                        open.stage = Stage::Owned(0);
                    }
                }
                Stage::Owned(done) => {
                    if let Some(&owned) = self.semantics.owned(open.index).get(done) {
                        open.stage = Stage::Owned(done + 1);
                        let place = open.inside;
                        opened.extend(self.enter(owned, place));
                    } else if let Some(open) = opened.pop() {
                        self.close(&open);
                    }
                }
            }
        }
        self.flush(None);
    }

    /// Meets an element. Returns it where something inside of it has to be looked at.
    fn enter(&mut self, index: usize, mut place: Place) -> Option<Open<'p>> {
        let semantics = self.semantics;
        let page = semantics.page();
        let element = &page.elements[index];
        if self.shown.contains(&index) || self.apart.contains(&index) {
            return None;
        }
        let seen = element.is_visible() || names::is_overlaid(semantics, index) || self.is_on_picture(index);
        if !seen && !self.ask.hidden && !visible::is_rendered(element.flags) {
            return None;
        }
        let in_row = std::mem::replace(&mut place.in_row, false);
        if place.aria_hidden.is_none() && semantics.get(index, key::ARIA_HIDDEN) == Some("true") {
            place.aria_hidden = Some(place.line);
        }
        let mut place = self.document(index, place);
        if element.is_html("label") {
            place = self.label(index, place);
        } else if self.naming.contains(&index) || names::names_its_parent(semantics, index) {
            place.mute = Mute::All;
        }
        let shown = seen || self.ask.hidden;
        let treat = match shown {
            true => kind::of(semantics, index, place.in_control),
            // What is inside may be seen all the same.
            false => Treat::Pass,
        };
        let treat = match treat {
            // A cell without a row is nothing of its own.
            Treat::Cell if !in_row => Treat::Pass,
            treat => treat,
        };
        match treat {
            Treat::Skip => None,
            Treat::Pass => {
                if kind::breaks_text(semantics, index) {
                    self.flush(place.line);
                } else if element.is(flags::INLINE_BOX) {
                    self.pending.text.push(' ');
                }
                // Groups of rows are no rows.
                place.in_row = in_row && semantics.role_of(index).is_transparent();
                Some(self.open(index, Treat::Pass, place, place))
            }
            Treat::Leaf => {
                let node = line::of(semantics, index);
                let looked_at = matches!(node.role.as_str(), "canvas" | "video" | "audio");
                let unnamed = node.role == "img" && node.name.is_empty();
                let with_ref = node.kind != Kind::Other || looked_at || unnamed;
                self.push(index, with_ref, node, place);
                None
            }
            Treat::Frame => self.frame(index, place),
            Treat::Line | Treat::Group(_) | Treat::Holder | Treat::Row | Treat::Cell | Treat::Pair => {
                self.line(index, treat, place)
            }
        }
    }

    /// A line with something inside.
    fn line(&mut self, index: usize, treat: Treat, place: Place) -> Option<Open<'p>> {
        let semantics = self.semantics;
        let role = semantics.role_of(index);
        let control = semantics.is_control(index);
        let mut node = match treat {
            Treat::Pair => line::text(""),
            // What a row and a cell say is put together from what is seen in them.
            Treat::Row | Treat::Cell if !control => line::unnamed(semantics, index),
            _ => line::of(semantics, index),
        };
        let scrolls = semantics.has(index, key::SCROLL);
        let with_ref = node.kind != Kind::Other
            || scrolls
            || matches!(
                role,
                Role::Table | Role::Grid | Role::TreeGrid | Role::Tree | Role::Menu | Role::List | Role::Feed
            );
        if matches!(treat, Treat::Group(_)) && scrolls && role.is_transparent() {
            "scrollable".clone_into(&mut node.role);
        }
        let line = self.push(index, with_ref, node, place)?;
        let mut inside = Place {
            line: Some(line),
            in_row: treat == Treat::Row,
            hidden: place.hidden || !semantics.page().elements[index].is_visible(),
            ..place
        };
        if control || role == Role::Heading {
            inside.in_control = control || place.in_control;
            inside.mute = match (semantics.name_of(index).from, role) {
                (From::Content, _) | (_, Role::Textbox | Role::Searchbox | Role::Combobox) => Mute::All,
                // What they show is their value.
                (_, Role::SpinButton | Role::Slider) => Mute::All,
                (From::Nothing, _) => place.mute,
                _ => Mute::In(line),
            };
        }
        match role {
            Role::Table | Role::Grid | Role::TreeGrid => self.tables.push(Size::default()),
            Role::Row => {
                if let Some(table) = self.tables.last_mut() {
                    table.rows += 1;
                }
            }
            _ => {}
        }
        Some(self.open(index, treat, place, inside))
    }

    /// Adds a line, marked by where it is. `None`: it is not wanted.
    fn push(&mut self, index: usize, with_ref: bool, mut node: OutlineNode, place: Place) -> Option<At> {
        self.flush(place.line);
        let element = &self.semantics.page().elements[index];
        if !self.is_wanted(index) && !matches!(node.kind, Kind::Region) && is_small(&node) {
            super::count(&mut self.omitted, node.kind);
            return None;
        }
        if let Some(usual) = self.hosts.get(element.document).and_then(Option::as_deref)
            && self.semantics.role_of(index) == Role::Link
        {
            notes::leads_unusually(self.semantics, usual, index, &mut node.notes);
        }
        if place.aria_hidden == Some(place.line) {
            node.states.push(State::AriaHidden);
        }
        if !element.is_visible() && !place.hidden && self.ask.hidden {
            node.states.push(State::Hidden);
        }
        node.states.sort_unstable();
        Some(self.lines.push(index, place.line, with_ref, node))
    }

    fn open(&self, index: usize, treat: Treat, at: Place, inside: Place) -> Open<'p> {
        let page = self.semantics.page();
        Open {
            index,
            next: index + 1,
            own: page.elements[index].own.split(GAP),
            stage: Stage::Text,
            treat,
            at,
            inside,
        }
    }

    /// Whether an element is where the read looks.
    fn is_wanted(&self, index: usize) -> bool {
        let element = &self.semantics.page().elements[index];
        !self.ask.viewport_only || element.is(flags::IN_VIEW | flags::CONTENTS)
    }
}

impl Place {
    fn top(line: Option<At>) -> Self {
        Self {
            line,
            in_control: false,
            mute: Mute::No,
            aria_hidden: None,
            hidden: false,
            in_row: false,
        }
    }
}

/// Whether nothing can be inside of a line that is worth a look though the line itself is out of view.
fn is_small(node: &OutlineNode) -> bool {
    node.kind == Kind::Control
        || matches!(
            node.role.as_str(),
            "img" | "heading" | "text" | "canvas" | "video" | "audio"
        )
}
