//! What is said of an action: how far it got, and in few words. Pure.

use drawbridge_protocol::act::{Acted, Changed, Dialog};
use drawbridge_protocol::error::{Code, Effect, Error};

/// Characters of one text of a page in an outcome.
const TEXT: usize = 200;
/// Characters of an address in an outcome.
const ADDRESS: usize = 300;
/// Tabs and options that are told one by one.
const LISTED: usize = 5;

/// An error before anything was dispatched.
pub(super) fn undone(error: Error) -> Error {
    error.effect(Effect::None)
}

/// An error of the browser's part, or of the way to it. What is not said to be undone may have been done.
pub(super) fn dispatched(error: Error) -> Error {
    let effect = error.effect.unwrap_or(Effect::Unknown);
    let error = error.effect(effect);
    if error.code == Code::NotConnected && effect == Effect::Unknown {
        return Error {
            code: Code::EffectUnknown,
            ..error
        };
    }
    error
}

/// An outcome that stays small whatever the page says of itself.
pub(super) fn small(mut acted: Acted) -> Acted {
    let Changed {
        navigation,
        address,
        new_tabs,
        dialog,
        focused,
        value,
        selected,
        validation,
        ..
    } = &mut acted.changed;
    for text in [focused, value, validation].into_iter().flatten() {
        cut(text, TEXT);
    }
    for address in address
        .iter_mut()
        .chain(navigation.iter_mut().map(|moved| &mut moved.url))
        .chain(new_tabs.iter_mut().map(|tab| &mut tab.url))
    {
        cut(address, ADDRESS);
    }
    new_tabs.truncate(LISTED);
    if let Some(selected) = selected {
        selected.truncate(LISTED);
        for label in selected {
            cut(label, TEXT / LISTED);
        }
    }
    if let Some(dialog) = dialog {
        small_dialog(dialog);
    }
    acted
}

/// A dialog that stays small.
pub(super) fn small_dialog(dialog: &mut Dialog) {
    cut(&mut dialog.message, TEXT);
    if let Some(text) = &mut dialog.default_text {
        cut(text, TEXT);
    }
}

fn cut(text: &mut String, most: usize) {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
}
