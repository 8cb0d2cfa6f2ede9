//! States, values, levels and what else is worth knowing of an element, as far as it tells.

use drawbridge_protocol::outline::State;
use drawbridge_protocol::reader::flags;

use super::name::{self, tidy};
use super::{Role, Semantics, key, native};

impl Semantics<'_, '_> {
    /// The states that hold, in the order of the protocol; those of where it stands (hidden, covered) are not among them.
    pub(crate) fn states(&self, index: usize) -> Vec<State> {
        let element = &self.page.elements[index];
        let role = self.role_of(index);
        let control = self.is_control(index);
        let is = |key, value: &str| {
            self.get(index, key)
                .is_some_and(|own| own.eq_ignore_ascii_case(value))
        };
        let says = |key| {
            self.said(index, key)
                .is_some_and(|own| !own.eq_ignore_ascii_case("false"))
        };
        let mut states = Vec::new();
        let mut add = |holds: bool, state| states.extend(holds.then_some(state));
        add(element.is(flags::FOCUSED), State::Focused);
        let checked = self.checked(index);
        let pressed = (role == Role::Button)
            .then(|| self.said(index, key::ARIA_PRESSED))
            .flatten();
        add(checked == Some(Checked::On), State::Checked);
        add(
            checked == Some(Checked::Half) || pressed == Some("mixed"),
            State::Mixed,
        );
        add(checked == Some(Checked::Off), State::Unchecked);
        add(
            pressed.is_some_and(|is| !matches!(is, "mixed" | "false" | "undefined")),
            State::Pressed,
        );
        add(
            is(key::ARIA_SELECTED, "true") && is_selectable(role) || is(key::SELECTED, "true"),
            State::Selected,
        );
        add(says(key::ARIA_CURRENT), State::Current);
        let open = self.expanded(index);
        add(open == Some(true), State::Expanded);
        add(open == Some(false), State::Collapsed);
        add(
            (control || role == Role::Group) && self.is_disabled(index),
            State::Disabled,
        );
        add(self.is_readonly(index), State::Readonly);
        let field = matches!(element.tag.as_ref(), "input" | "select" | "textarea");
        add(
            (field && self.has(index, key::REQUIRED))
                || (is(key::ARIA_REQUIRED, "true") && role != Role::Button),
            State::Required,
        );
        add(
            says(key::ARIA_INVALID) || self.has(index, key::MESSAGE),
            State::Invalid,
        );
        add(
            element.is(flags::SECRET) && element.is(flags::FILLED),
            State::Filled,
        );
        add(
            (field && self.has(index, key::MULTIPLE)) || is(key::ARIA_MULTISELECTABLE, "true"),
            State::Multiple,
        );
        add(self.is_modal(index), State::Modal);
        add(is(key::ARIA_BUSY, "true"), State::Busy);
        let live = self.said(index, key::ARIA_LIVE);
        add(
            live.map_or(role.is_live(), |live| !live.eq_ignore_ascii_case("off")),
            State::Live,
        );
        states
    }

    /// Whether it is on, half on or off; `None`: that means nothing of it.
    pub(crate) fn checked(&self, index: usize) -> Option<Checked> {
        let role = self.role_of(index);
        let half = matches!(role, Role::Checkbox | Role::MenuItemCheckbox);
        match role {
            Role::Checkbox | Role::MenuItemCheckbox | Role::MenuItemRadio | Role::Radio | Role::Switch => {}
            Role::Option | Role::TreeItem if self.said(index, key::ARIA_CHECKED).is_some() => {}
            _ => return None,
        }
        let native = self.get(index, key::CHECKED);
        Some(match native.or_else(|| self.get(index, key::ARIA_CHECKED)) {
            Some("true") => Checked::On,
            Some("mixed") if half || native.is_some() => Checked::Half,
            Some(_) | None => Checked::Off,
        })
    }

    /// Whether what it controls is shown; `None`: it controls nothing that opens.
    pub(crate) fn expanded(&self, index: usize) -> Option<bool> {
        let page = self.page;
        let element = &page.elements[index];
        let role = self.role_of(index);
        if element.is_html("summary") && role == Role::Button {
            let details = page
                .around(index)
                .find(|&around| page.elements[around].is_html("details"))?;
            return Some(self.has(details, key::OPEN));
        }
        let said = match self.get(index, key::ARIA_EXPANDED) {
            Some("true") => Some(true),
            Some("false") => Some(false),
            Some(_) | None => None,
        };
        match role {
            Role::Combobox if element.is_html("select") => Some(said.unwrap_or(false)),
            Role::Application
            | Role::Button
            | Role::Checkbox
            | Role::Combobox
            | Role::GridCell
            | Role::Link
            | Role::ColumnHeader
            | Role::Listbox
            | Role::MenuItem
            | Role::MenuItemCheckbox
            | Role::MenuItemRadio
            | Role::Row
            | Role::RowHeader
            | Role::Switch
            | Role::Tab
            | Role::TreeItem => said.or_else(|| {
                let popover = self.by_id(index, self.said(index, key::POPOVERTARGET)?)?;
                Some(page.elements[popover].is(flags::TOP_LAYER))
            }),
            _ => None,
        }
    }

    /// Whether it cannot be used.
    pub(crate) fn is_disabled(&self, index: usize) -> bool {
        self.page.elements[index].is(flags::DISABLED) || self.is_aria_disabled(index)
    }

    /// Whether its value cannot be changed.
    pub(crate) fn is_readonly(&self, index: usize) -> bool {
        let element = &self.page.elements[index];
        let text = matches!(
            self.role_of(index),
            Role::Textbox | Role::Searchbox | Role::SpinButton | Role::Combobox | Role::Grid | Role::TreeGrid
        );
        let native = matches!(element.tag.as_ref(), "input" | "textarea") && self.has(index, key::READONLY);
        text && (native || self.get(index, key::ARIA_READONLY) == Some("true"))
    }

    /// Whether nothing outside of it can be used.
    pub(crate) fn is_modal(&self, index: usize) -> bool {
        let element = &self.page.elements[index];
        let dialog = matches!(self.role_of(index), Role::Dialog | Role::AlertDialog);
        let native = element.is_html("dialog") && element.is(flags::TOP_LAYER);
        native || (dialog && self.get(index, key::ARIA_MODAL) == Some("true"))
    }

    /// The level of a heading, or of a tree item or row that says it.
    pub(crate) fn level(&self, index: usize) -> Option<u32> {
        let said = || {
            let level = self.said(index, key::ARIA_LEVEL)?.trim().parse::<u32>().ok()?;
            (1..=100).contains(&level).then_some(level)
        };
        match self.role_of(index) {
            Role::Heading => {
                let tag = self.page.elements[index].tag.as_ref();
                let own = match tag.as_bytes() {
                    [b'h', level @ b'1'..=b'6'] => u32::from(level - b'0'),
                    _ => 2,
                };
                Some(said().unwrap_or(own))
            }
            Role::TreeItem | Role::Row | Role::Comment => said(),
            _ => None,
        }
    }

    /// The current value of a field; never that of a secret one.
    pub(crate) fn value(&self, index: usize) -> Option<String> {
        let element = &self.page.elements[index];
        if element.is(flags::SECRET) {
            return None;
        }
        let own = self.get(index, key::FIELD_VALUE);
        let value = match self.role_of(index) {
            Role::Slider
            | Role::SpinButton
            | Role::Scrollbar
            | Role::Separator
            | Role::Meter
            | Role::Progressbar => {
                let said = [key::ARIA_VALUETEXT, key::ARIA_VALUENOW].into_iter();
                let said = said
                    .chain([key::FIELD_VALUE, key::VALUE])
                    .find_map(|key| self.said(index, key));
                said.map(tidy)
            }
            Role::Button | Role::Checkbox | Role::Radio | Role::Switch => match native::input_kind(element) {
                "file" if element.is_html("input") => own.map(tidy),
                _ => None,
            },
            Role::Combobox | Role::Listbox if element.is_html("select") => {
                own.map(|own| tidy(&own.replace('\u{1}', ", ")))
            }
            Role::Textbox | Role::Searchbox | Role::Combobox => match element.tag.as_ref() {
                "input" | "textarea" => own.map(tidy),
                // What a list that is made of other elements shows as chosen.
                _ => Some(name::content(self, index)),
            },
            _ if element.is(flags::EDITABLE) && self.is_recovered(index) => Some(name::content(self, index)),
            _ => None,
        };
        value.filter(|value| !value.is_empty())
    }
}

/// How a box is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    /// On.
    On,
    /// Half on.
    Half,
    /// Off.
    Off,
}

fn is_selectable(role: Role) -> bool {
    matches!(
        role,
        Role::Option
            | Role::Tab
            | Role::TreeItem
            | Role::Row
            | Role::GridCell
            | Role::ColumnHeader
            | Role::RowHeader
    )
}
