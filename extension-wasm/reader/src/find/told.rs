//! What is told of one match.

use drawbridge_protocol::Error;
use drawbridge_protocol::page::{ElementState, Match, Told};
use drawbridge_protocol::reader::{KEYS, flags};

use super::{bounds, context};
use crate::describe;
use crate::locate::Locate;
use crate::page::Element;
use crate::pages::Refs;
use crate::semantics::Semantics;
use crate::semantics::state::Checked;
use crate::text;

/// Refuses what no capture can tell.
pub(super) fn check(told: &Told) -> Result<(), Error> {
    match told {
        Told::Attribute(name) if !is_copied(name) => Err(Error::argument(
            "attribute",
            format!("{name:?} is none of those that are copied"),
        )
        .hint("html of the element shows every attribute")),
        _ => Ok(()),
    }
}

/// One match.
pub(super) fn of(locate: &Locate<'_, '_, '_>, refs: &mut Refs, index: usize, told: &Told) -> Match {
    let page = locate.page();
    let element = &page.elements[index];
    let mut found = Match {
        node: describe::node(locate.semantics(), refs, index),
        visible: element.is_visible(),
        ..Match::default()
    };
    match told {
        Told::Count => {}
        Told::Node => found.context = context::of(locate, index),
        Told::Text(most) => {
            let most = usize::try_from(*most).unwrap_or(usize::MAX);
            found.value = Some(text::line(page, index, most));
        }
        Told::Attribute(name) => found.value = attribute(element, name),
        Told::State => found.state = Some(state(locate.semantics(), index)),
        Told::Bounds => found.bounds = Some(bounds::of(page, index)),
    }
    found
}

/// Facts are no attributes.
fn is_copied(name: &str) -> bool {
    !name.starts_with(':') && KEYS.iter().any(|key| key.eq_ignore_ascii_case(name))
}

fn attribute(element: &Element<'_>, name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let secret = name == "value" && element.is(flags::SECRET);
    element.get(&name).filter(|_| !secret).map(str::to_owned)
}

fn state(semantics: &Semantics<'_, '_>, index: usize) -> ElementState {
    let element = &semantics.page().elements[index];
    let takes_text = element.is(flags::EDITABLE)
        || element.is_html("textarea")
        || (element.is_html("input") && is_typed_into(element));
    let enabled = !semantics.is_disabled(index);
    let fixed = semantics.is_readonly(index) || (element.has("readonly") && !element.is(flags::EDITABLE));
    ElementState {
        visible: element.is_visible(),
        in_viewport: element.is_visible() && element.is(flags::IN_VIEW),
        enabled,
        editable: takes_text && enabled && !fixed,
        checked: checked(semantics, index),
        focused: element.is(flags::FOCUSED),
        filled: element.is(flags::FILLED) || element.get(":value").is_some_and(|value| !value.is_empty()),
    }
}

fn is_typed_into(element: &Element<'_>) -> bool {
    let kind = element.get("type").unwrap_or_default().to_ascii_lowercase();
    !matches!(
        kind.as_str(),
        "button"
            | "checkbox"
            | "color"
            | "file"
            | "hidden"
            | "image"
            | "radio"
            | "range"
            | "reset"
            | "submit"
    )
}

/// Half on is not on.
fn checked(semantics: &Semantics<'_, '_>, index: usize) -> Option<bool> {
    let pressed = || {
        semantics.page().elements[index]
            .get("aria-pressed")
            .map(|value| value == "true")
    };
    semantics
        .checked(index)
        .map(|checked| checked == Checked::On)
        .or_else(pressed)
}
