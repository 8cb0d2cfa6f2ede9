//! Pressing keys and typing.

pub(crate) mod table;

use std::time::Duration;

use drawbridge_protocol::act::{Acted, Modifier};
use drawbridge_protocol::reader::acting::facts;
use drawbridge_protocol::{Code, Effect, Error};
use futures_util::future::{Either, select};
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

use super::click::bits;
use super::look::unseen;
use super::resolve::Keyboard;
use super::{Act, Expects};
use crate::chrome;
use crate::time::sleep;
use table::Key;

/// What the browser may take to deliver one key.
const DELIVERED: Duration = Duration::from_secs(3);

impl Act<'_> {
    pub(super) async fn press_key(&self, at: &Keyboard, key: &str, hold: Duration) -> Result<Acted, Error> {
        let (held, key) = table::read(key)?;
        refuse_clipboard(&held, &key)?;
        let submits = submits(at.facts, &key);
        self.allowed(&at.element.document, submits)?;
        let mut events = vec!["keyup", "input", "change", "submit", "click"];
        events.extend(std::iter::repeat_n("keydown", held.len() + 1));
        let watch = self.watch(&at.element, &events).await?;
        crate::stop::refuse(self.app, Some(self.tab))?;
        self.hold.still()?;
        self.dispatching();
        let pressed = self.stroke(&held, &key, hold);
        match select(
            std::pin::pin!(pressed),
            std::pin::pin!(self.hold.attached().dialog_opened()),
        )
        .await
        {
            Either::Left((pressed, _)) => pressed?,
            Either::Right(_) => {
                return self.confirm(watch, "dialog").await;
            }
        }
        let any = |event: &str, seen: &super::look::Collected| seen.got(event) || seen.strayed(event);
        match self.until_seen(&watch, |seen| any("keydown", seen)).await? {
            Some(seen) if any("keydown", &seen) => {
                let mut confirmed = vec!["keydown".to_owned()];
                for event in ["input", "change", "submit"] {
                    if any(event, &seen) {
                        confirmed.push(event.to_owned());
                    }
                }
                let enters = key.key == "Enter" || key.key == " ";
                let expects = Expects {
                    navigation: enters
                        && !seen.prevented("keydown")
                        && !seen.prevented("submit")
                        && (submits || at.facts & facts::LEAVES != 0),
                    tab: false,
                };
                self.report(watch, confirmed, expects).await
            }
            seen => self.left_or_unseen(watch, seen.is_some()).await,
        }
    }

    pub(super) async fn type_text(&self, at: &Keyboard, text: &str, delay: Duration) -> Result<Acted, Error> {
        let strokes: Vec<char> = text.chars().filter(|sign| *sign != '\r').collect();
        let mut watch = self.watch(&at.element, &events(&strokes)).await?;
        let (mut facts, mut moved) = (at.facts, false);
        for (index, sign) in strokes.iter().copied().enumerate() {
            if index > 0 && !delay.is_zero() {
                sleep(delay).await;
            }
            crate::stop::refuse(self.app, Some(self.tab)).map_err(|error| self.so_far(error))?;
            self.hold.still()?;
            // Each key goes where the keyboard is by then: another field, a frame, somebody else's.
            let here = self.keys_go_to().await.map_err(|error| self.so_far(error))?;
            if !here.is_noted {
                let by_us = index > 0 && matches!(strokes[index - 1], '\t' | '\n');
                if !by_us {
                    return Err(strayed(&here, index, strokes.len(), self.so_far(unseen()).effect));
                }
                watch = self.watch(&here.element, &events(&strokes[index..])).await?;
                moved = true;
            }
            facts = here.facts;
            let (_, key) = stroke_of(sign)?;
            self.allowed(&here.element.document, submits(facts, &key))
                .map_err(|error| self.so_far(error))?;
            self.dispatching();
            let typed = self.sign(sign);
            match select(
                std::pin::pin!(typed),
                std::pin::pin!(self.hold.attached().dialog_opened()),
            )
            .await
            {
                Either::Left((typed, _)) => typed?,
                Either::Right((dialog, _)) if index + 1 < strokes.len() => {
                    return Err(crate::dialogs::error(&dialog).effect(Effect::Unknown));
                }
                Either::Right(_) => {
                    return self.confirm(watch, "dialog").await;
                }
            }
        }
        let any = |seen: &super::look::Collected| !seen.events.is_empty();
        match self.until_seen(&watch, any).await? {
            Some(seen) if any(&seen) => {
                let confirmed = seen.each_once();
                let is_field = facts & (facts::FIELD | facts::EDITABLE) != 0;
                let types = strokes.iter().any(|sign| !matches!(sign, '\t' | '\n'));
                if is_field
                    && types
                    && !moved
                    && !seen.got("input")
                    && seen.state.value == watch.before().value
                {
                    return Err(Error::new(
                        Code::NoEffect,
                        "the keys were pressed, and the field holds what it held before",
                    )
                    .hint("it may not be editable, or the page refuses what was typed")
                    .effect(Effect::Unknown));
                }
                let enters = strokes.last() == Some(&'\n') && facts & facts::ENTER_SUBMITS != 0;
                let expects = Expects {
                    navigation: (enters && !seen.prevented("submit"))
                        || seen
                            .events
                            .iter()
                            .any(|got| got.event == "submit" && !got.prevented),
                    tab: false,
                };
                self.report(watch, confirmed, expects).await
            }
            seen => self.left_or_unseen(watch, seen.is_some()).await,
        }
    }

    /// Types one character: by its key, where a US keyboard has one, else as an input method would.
    async fn sign(&self, sign: char) -> Result<(), Error> {
        match sign {
            '\n' => self.stroke(&[], &table::read("Enter")?.1, Duration::ZERO).await,
            '\t' => self.stroke(&[], &table::read("Tab")?.1, Duration::ZERO).await,
            sign => match Key::of(sign) {
                Some(key) => {
                    let held: &[Modifier] = if key.shift { &[Modifier::Shift] } else { &[] };
                    self.stroke(held, &key, Duration::ZERO).await
                }
                None => self
                    .hold
                    .send("Input.insertText", &json!({"text": sign.to_string()}), DELIVERED)
                    .await
                    .map_err(|failure| self.undelivered(&failure)),
            },
        }
    }

    /// Presses a key with its modifiers and releases them all, whatever happens in between.
    ///
    /// # Errors
    /// `effect_unknown`.
    pub(crate) async fn stroke(&self, held: &[Modifier], key: &Key, hold: Duration) -> Result<(), Error> {
        let mut up = KeysUp {
            tab: self.tab,
            events: Vec::new(),
        };
        let mut down: Vec<Modifier> = Vec::new();
        for modifier in held {
            let (_, own) = table::read(&format!("{modifier:?}"))?;
            down.push(*modifier);
            up.events
                .push(event("keyUp", &own, bits(&down[..down.len() - 1])));
            self.key(&event("rawKeyDown", &own, bits(&down))).await?;
        }
        let mut all = down.clone();
        if let Some(own) = key.modifier() {
            all.push(own);
        }
        let mut pressed = event("rawKeyDown", key, bits(&all));
        let types = !key.text.is_empty() && held.iter().all(|held| *held == Modifier::Shift);
        if types {
            pressed["type"] = json!("keyDown");
            pressed["text"] = json!(key.text);
            pressed["unmodifiedText"] = json!(key.text);
        }
        up.events.push(event("keyUp", key, bits(&down)));
        self.key(&pressed).await?;
        if !hold.is_zero() {
            sleep(hold.min(self.left())).await;
        }
        while let Some(release) = up.events.last().cloned() {
            self.key(&release).await?;
            up.events.pop();
        }
        Ok(())
    }

    async fn key(&self, event: &Value) -> Result<(), Error> {
        self.hold
            .send("Input.dispatchKeyEvent", event, DELIVERED)
            .await
            .map_err(|failure| self.undelivered(&failure))
    }
}

/// Keys that are down come up, also when nobody waits for it any more.
struct KeysUp {
    tab: i64,
    events: Vec<Value>,
}

impl Drop for KeysUp {
    fn drop(&mut self) {
        let (tab, events) = (self.tab, std::mem::take(&mut self.events));
        if events.is_empty() {
            return;
        }
        spawn_local(async move {
            for event in events.iter().rev() {
                let sent = chrome::debugger_command(tab, "Input.dispatchKeyEvent", event, DELIVERED);
                if let Err(failure) = sent.await {
                    crate::log(&format!("releasing a key: {failure}"));
                }
            }
        });
    }
}

/// The events of so many keys. A capital letter takes two.
fn events(strokes: &[char]) -> Vec<&'static str> {
    let keys = |sign: &char| 1 + usize::from(Key::of(*sign).is_some_and(|key| key.shift));
    let mut events = vec!["input", "change", "submit", "click"];
    events.extend(std::iter::repeat_n("keydown", strokes.iter().map(keys).sum()));
    events
}

/// The key of a character; of one that has none, a key that submits nothing.
fn stroke_of(sign: char) -> Result<(Vec<Modifier>, Key), Error> {
    match sign {
        '+' => table::read("+"),
        sign => table::read(&sign.to_string()),
    }
}

/// The page moved the keyboard while it was typed.
fn strayed(here: &Keyboard, typed: usize, all: usize, effect: Option<Effect>) -> Error {
    Error {
        effect,
        ..Error::new(
            Code::Unconfirmed,
            format!(
                "the page moved the keyboard to {} after {typed} of {all} characters",
                here.words
            ),
        )
        .hint("observe the page; fill sets a field at once")
    }
}

fn event(kind: &str, key: &Key, modifiers: u8) -> Value {
    json!({
        "type": kind, "key": key.key, "code": key.code, "windowsVirtualKeyCode": key.number,
        "nativeVirtualKeyCode": key.number, "modifiers": modifiers,
    })
}

/// Whether a key would submit the form around where the keyboard is.
fn submits(facts: i32, key: &Key) -> bool {
    // A button takes them with any modifier.
    match key.key.as_str() {
        "Enter" => facts & (facts::ENTER_SUBMITS | facts::SUBMITS) != 0,
        " " => facts & facts::SUBMITS != 0,
        _ => false,
    }
}

/// Copying and pasting reach what the person has in the clipboard: that is access of its own.
fn refuse_clipboard(held: &[Modifier], key: &Key) -> Result<(), Error> {
    let has = |modifier: Modifier| held.contains(&modifier);
    let by_letter = (has(Modifier::Control) || has(Modifier::Meta))
        && matches!(key.code.as_str(), "KeyC" | "KeyV" | "KeyX");
    let by_name = match key.key.as_str() {
        "Insert" => has(Modifier::Shift) || has(Modifier::Control),
        "Delete" => has(Modifier::Shift),
        _ => false,
    };
    if by_letter || by_name {
        return Err(Error::new(
            Code::Unsupported,
            "keys that copy, cut or paste use the person's clipboard, which no action here may",
        )
        .hint("read with browser_inspect, write with fill")
        .effect(Effect::None));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(text: &str) -> (Vec<Modifier>, Key) {
        table::read(text).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_clipboard_is_out_of_reach() {
        for text in [
            "Control+V",
            "Meta+c",
            "Control+Shift+V",
            "Shift+Insert",
            "Shift+Delete",
            "Control+X",
        ] {
            let (held, key) = pressed(text);
            assert!(refuse_clipboard(&held, &key).is_err(), "{text}");
        }
        for text in ["Control+A", "v", "Insert", "Delete", "Alt+C"] {
            let (held, key) = pressed(text);
            assert!(refuse_clipboard(&held, &key).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_key_that_submits_is_known() {
        let says = |text: &str, facts: i32| submits(facts, &pressed(text).1);
        assert!(says("Enter", facts::ENTER_SUBMITS) && says("Enter", facts::SUBMITS));
        assert!(says("Space", facts::SUBMITS) && !says("Space", facts::ENTER_SUBMITS));
        assert!(says("Control+Space", facts::SUBMITS) && says("Alt+Enter", facts::ENTER_SUBMITS));
        assert!(!says("Enter", facts::FIELD) && !says("a", facts::ENTER_SUBMITS));
    }
}
