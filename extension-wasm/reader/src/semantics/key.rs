//! Attributes and facts that roles, names and states are made of.

use crate::page::Key;

macro_rules! keys {
    ($($name:ident $key:literal)*) => {
        $(pub(crate) const $name: Key = Key::of($key);)*
    };
}

keys! {
    ACCEPT "accept"
    ALT "alt"
    CLASS "class"
    CONTENTEDITABLE "contenteditable"
    FOR "for"
    HEADERS "headers"
    HREF "href"
    ID "id"
    LABEL "label"
    LIST "list"
    MAX "max"
    MIN "min"
    MULTIPLE "multiple"
    NAME "name"
    ONCLICK "onclick"
    OPEN "open"
    PLACEHOLDER "placeholder"
    POPOVERTARGET "popovertarget"
    READONLY "readonly"
    REQUIRED "required"
    ROLE "role"
    SCOPE "scope"
    SIZE "size"
    SRC "src"
    STEP "step"
    TABINDEX "tabindex"
    TITLE "title"
    TYPE "type"
    USEMAP "usemap"
    VALUE "value"
    ARIA_BUSY "aria-busy"
    ARIA_CHECKED "aria-checked"
    ARIA_COLCOUNT "aria-colcount"
    ARIA_CONTROLS "aria-controls"
    ARIA_CURRENT "aria-current"
    ARIA_DESCRIBEDBY "aria-describedby"
    ARIA_DESCRIPTION "aria-description"
    ARIA_DISABLED "aria-disabled"
    ARIA_ERRORMESSAGE "aria-errormessage"
    ARIA_EXPANDED "aria-expanded"
    ARIA_HIDDEN "aria-hidden"
    ARIA_INVALID "aria-invalid"
    ARIA_LABEL "aria-label"
    ARIA_LABELLEDBY "aria-labelledby"
    ARIA_LEVEL "aria-level"
    ARIA_LIVE "aria-live"
    ARIA_MODAL "aria-modal"
    ARIA_MULTISELECTABLE "aria-multiselectable"
    ARIA_OWNS "aria-owns"
    ARIA_PLACEHOLDER "aria-placeholder"
    ARIA_POSINSET "aria-posinset"
    ARIA_PRESSED "aria-pressed"
    ARIA_READONLY "aria-readonly"
    ARIA_REQUIRED "aria-required"
    ARIA_ROLEDESCRIPTION "aria-roledescription"
    ARIA_ROWCOUNT "aria-rowcount"
    ARIA_SELECTED "aria-selected"
    ARIA_SETSIZE "aria-setsize"
    ARIA_SORT "aria-sort"
    ARIA_VALUEMAX "aria-valuemax"
    ARIA_VALUEMIN "aria-valuemin"
    ARIA_VALUENOW "aria-valuenow"
    ARIA_VALUETEXT "aria-valuetext"
    AFTER ":after"
    BEFORE ":before"
    CHECKED ":checked"
    FIELD_VALUE ":value"
    LAYER ":layer"
    MESSAGE ":message"
    SCROLL ":scroll"
    SELECTED ":selected"
    WINDOW ":window"
}

/// Which attributes and facts an element has, as bits: most questions are answered by this alone.
pub(super) fn present(keys: &[(Key, std::borrow::Cow<'_, str>)]) -> u128 {
    keys.iter().fold(0, |bits, (key, _)| bits | bit(*key))
}

/// The bit of one key.
pub(super) const fn bit(key: Key) -> u128 {
    1 << key.place()
}

const _: () = assert!(drawbridge_protocol::reader::KEYS.len() <= 128, "one bit a key");
