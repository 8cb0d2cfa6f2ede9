//! What is told as the name of something else, and what only its name shows.

use std::collections::HashSet;

use drawbridge_protocol::outline::About;
use drawbridge_protocol::reader::flags;

use super::super::line;
use super::{Mute, Place, Walk};
use crate::semantics::name::{From, content};
use crate::semantics::{Role, Semantics, key};

/// Elements in what names something else, beyond which it is more than a name.
const NAMING: usize = 20;
/// How small a field that lies transparent over its drawing may be, CSS px.
const OVERLAID: u32 = 8;

impl Walk<'_, '_, '_> {
    /// A label: its text is the name of its field, and a field that only its label shows has its line here.
    pub(super) fn label(&mut self, index: usize, mut place: Place) -> Place {
        let semantics = self.semantics;
        let page = semantics.page();
        let Some(field) = semantics.field(index) else {
            return place;
        };
        let element = &page.elements[field];
        let label = &page.elements[index];
        let styled = element.is_html("input")
            && matches!(
                semantics.role_of(field),
                Role::Checkbox | Role::Radio | Role::Switch | Role::Button
            );
        let mut seen = element.is_visible() || self.shown.contains(&field) || is_overlaid(semantics, field);
        if !seen && styled && label.is_visible() {
            let mut node = line::of(semantics, field);
            if node.name.is_empty() {
                // It is not seen itself, so that it has no name of its own.
                node.name = content(semantics, index);
                node.notes
                    .retain(|note| note.about != About::Hint || node.name.is_empty());
            }
            let unmarked = Place {
                hidden: true,
                ..place
            };
            self.push(field, true, node, unmarked);
            self.shown.insert(field);
            seen = true;
            place.mute = Mute::All;
        }
        if seen && semantics.name_of(field).from == From::Label {
            place.mute = Mute::All;
        }
        place
    }

    /// Whether it is a place of a picture that can be seen. It has no box of its own.
    pub(super) fn is_on_picture(&self, index: usize) -> bool {
        let page = self.semantics.page();
        let map = || {
            page.around(index)
                .find(|&around| page.elements[around].is_html("map"))
        };
        page.elements[index].is_html("area")
            && map()
                .and_then(|map| self.semantics.get(map, key::NAME))
                .is_some_and(|name| self.maps.contains(name))
    }
}

/// Whether a field lies transparent over what is drawn in its place.
pub(super) fn is_overlaid(semantics: &Semantics<'_, '_>, index: usize) -> bool {
    let page = semantics.page();
    let element = &page.elements[index];
    let field =
        matches!(element.tag.as_ref(), "input" | "select" | "textarea") && !element.is(flags::FOREIGN);
    field
        && element.flags & (flags::SEEN | flags::UNSEEN) == flags::SEEN | flags::TRANSPARENT
        && element.width >= OVERLAID
        && element.height >= OVERLAID
        && page
            .parent(index)
            .is_some_and(|parent| page.elements[parent].is_visible())
}

/// Names of the image maps that visible pictures use.
pub(super) fn maps<'p>(semantics: &Semantics<'p, '_>) -> HashSet<&'p str> {
    let page = semantics.page();
    (0..page.elements.len())
        .filter(|&index| semantics.has(index, key::USEMAP) && page.elements[index].is_visible())
        .filter_map(|index| semantics.get(index, key::USEMAP)?.strip_prefix('#'))
        .collect()
}

/// Plain elements that `aria-labelledby` of something shown refers to: what is in them is told as its name.
pub(super) fn naming(semantics: &Semantics<'_, '_>) -> HashSet<usize> {
    let page = semantics.page();
    let mut naming = HashSet::new();
    for (index, element) in page.elements.iter().enumerate() {
        let ids = semantics
            .said(index, key::ARIA_LABELLEDBY)
            .filter(|_| element.is_visible());
        let told = semantics.is_control(index)
            || matches!(
                semantics.role_of(index),
                Role::Group | Role::RadioGroup | Role::Meter | Role::Progressbar
            );
        let Some(ids) = ids.filter(|_| told && semantics.name_of(index).from == From::Reference) else {
            continue;
        };
        let targets = ids
            .split_ascii_whitespace()
            .filter_map(|id| semantics.by_id(index, id));
        naming.extend(targets.filter(|&target| {
            let plain =
                semantics.role_of(target).is_transparent() || semantics.role_of(target) == Role::Paragraph;
            let size = page.elements[target].end - target;
            // What is large is more than a name; what is around is the name of more than one thing.
            plain && size <= NAMING && !semantics.is_control(target) && !page.is_within(index, target)
        }));
    }
    naming
}

/// Whether the text of an element is the name of what it is in.
pub(super) fn names_its_parent(semantics: &Semantics<'_, '_>, index: usize) -> bool {
    let page = semantics.page();
    let element = &page.elements[index];
    let wanted = match element.tag.as_ref() {
        "legend" => "fieldset",
        "caption" => "table",
        _ => return false,
    };
    let parent = page
        .parent(index)
        .filter(|&parent| page.elements[parent].is_html(wanted));
    parent.is_some_and(|parent| semantics.name_of(parent).from == From::Label)
}
