//! Filling fields: text goes through the browser's input pipeline, and what the field holds then is read back.
//!
//! All is selected and one text put in its place, as an input method does: editors that follow the page's own events take
//! it as typed. Some indent or close brackets on their own while one types; those get it as something that
//! is pasted. What an editor holds beyond what it shows is asked for as what it would copy.

use std::pin::pin;
use std::time::Duration;

use drawbridge_protocol::act::{Acted, Modifier};
use drawbridge_protocol::reader::filling::{FillOp, kinds};
use drawbridge_protocol::{Code, Effect, Error};
use futures_util::future::{Either, join, select};
use serde_json::{Value, json};

use super::Act;
use super::field::{Field, Held, not_editable};
use super::keys::table;
use super::look::Watch;
use crate::text;
use crate::time::{now, sleep};

/// How long a field may take to hold what was put into it.
const HOLDS: Duration = Duration::from_millis(150);
/// Pages that write into a field by themselves do so in the next task.
const STAYS: Duration = Duration::from_millis(20);
/// How long suggestions may take to open.
const SUGGESTS: Duration = Duration::from_millis(700);
/// Between two looks.
const LOOKS: Duration = Duration::from_millis(10);
/// How often an editor is asked what it would copy, and how long between.
const COPIES: u32 = 3;
const COPIED: Duration = Duration::from_millis(60);
/// Keys that may be pressed in one filling.
const KEYS: usize = 40;
/// Characters told of a value.
const TOLD: usize = 120;

/// What a field should hold, in the two ways to read it.
struct Wanted {
    shown: String,
    copied: String,
    /// For a secret that is added to.
    length: usize,
    adds_to_secret: bool,
}

impl Act<'_> {
    pub(super) async fn fill(
        &self,
        target: &super::Element,
        value: &str,
        append: bool,
    ) -> Result<Acted, Error> {
        let field = self.field(target).await?;
        self.fill_field(&field, value, append).await
    }

    /// Makes a value what a field holds, or adds it to the end of that.
    ///
    /// # Errors
    /// `not_editable`, `not_visible`, `not_enabled`, `invalid_argument`; `unconfirmed` with both values.
    pub(super) async fn fill_field(&self, field: &Field, value: &str, append: bool) -> Result<Acted, Error> {
        match field.kind {
            kinds::TEXT | kinds::EDITABLE | kinds::PIPE => {}
            kinds::EXACT => return self.fill_exact(field, value, append).await,
            _ => return Err(not_editable(field)),
        }
        self.usable(field).await?;
        let value = value.replace("\r\n", "\n").replace('\r', "\n");
        takes(field, &value)?;
        let watch = self.watch(&field.element, &["keydown"; KEYS]).await?;
        let wanted = self.wanted(field, &value, append).await?;
        if let Some(most) = field.most
            && wanted.length > most
        {
            return Err(Error::new(
                Code::Unconfirmed,
                format!(
                    "{} takes {most} characters at most, and this would be {}: nothing was typed",
                    field.words, wanted.length
                ),
            )
            .effect(Effect::None)
            .data(too_long(field, &wanted, most)));
        }
        crate::stop::refuse(self.app, Some(self.tab))?;
        self.hold.still()?;
        let put = pin!(self.put_text(field, &value, append));
        let dialog = pin!(self.hold.attached().dialog_opened());
        match select(put, dialog).await {
            Either::Left((put, _)) => put?,
            Either::Right(_) => return self.filled(field, watch, "dialog", None).await,
        }
        let held = match self.reads_back(field, &value, &wanted, append).await {
            // What it opened is in the way of reading it.
            Err(error) if error.code == Code::DialogOpen => {
                return self.filled(field, watch, "dialog", None).await;
            }
            Err(_) if self.is_leaving(&watch) => return self.filled(field, watch, "navigation", None).await,
            held => held.map_err(|error| field.told(error))?,
        };
        if field.suggests && field.kind == kinds::TEXT && !value.is_empty() {
            self.suggestions(&watch).await?;
        }
        self.filled(field, watch, "value", held).await
    }

    /// What came of it. An editor's own value stands for that of the field it hides.
    async fn filled(
        &self,
        field: &Field,
        watch: Watch,
        confirmed: &str,
        held: Option<String>,
    ) -> Result<Acted, Error> {
        let mut acted = self.confirm_field(field, watch, confirmed).await?;
        if let (Some(held), kinds::PIPE | kinds::EDITABLE) = (held, field.kind) {
            acted.changed.value = Some(cut(&held));
        }
        Ok(acted)
    }

    async fn wanted(&self, field: &Field, value: &str, append: bool) -> Result<Wanted, Error> {
        let mut wanted = Wanted {
            shown: value.to_owned(),
            copied: value.to_owned(),
            length: units(value),
            adds_to_secret: append && field.is_secret,
        };
        if !append {
            return Ok(wanted);
        }
        let shown = self.holds(field, false, None).await?;
        wanted.length += shown.length;
        let before = shown.text.unwrap_or_default();
        wanted.shown = format!("{before}{value}");
        wanted.copied.clone_from(&wanted.shown);
        if matches!(field.kind, kinds::PIPE | kinds::EDITABLE) && !field.is_secret {
            self.take(field, true).await?;
            self.select_all(field).await?;
            let copied = self.holds(field, true, None).await?.text.unwrap_or_default();
            wanted.copied = format!("{}{value}", copied.trim_end_matches('\n'));
        }
        Ok(wanted)
    }

    /// Gives a field the keyboard; answers how far the place to type is set.
    async fn take(&self, field: &Field, all: bool) -> Result<i32, Error> {
        let op = FillOp::Take {
            r#ref: field.element.r#ref,
            all,
        };
        let mut columns = self.ask(&field.element.document, &op).await?;
        if columns.int()? == 0 {
            return Err(super::gone(&field.target));
        }
        if columns.int()? == 0 {
            return Err(Error::new(
                Code::NotEditable,
                format!("{} does not take the keyboard", field.words),
            )
            .effect(Effect::None));
        }
        columns.int()
    }

    async fn put_text(&self, field: &Field, value: &str, append: bool) -> Result<(), Error> {
        let placed = self.take(field, !append).await?;
        self.dispatching();
        if placed == 0 || field.kind == kinds::PIPE {
            self.select_all(field).await?;
        }
        if append && (placed != 1 || field.kind == kinds::PIPE) {
            self.plain_key("ArrowRight").await?;
        }
        if !value.is_empty() {
            // Typed, a long text takes some of these seconds, and they change it.
            if field.kind == kinds::PIPE && self.pastes(field, value).await? {
                return Ok(());
            }
            return self.insert(value).await;
        }
        if append {
            Ok(())
        } else {
            self.plain_key("Delete").await
        }
    }

    /// Puts a text where the keyboard is, in place of what is selected.
    async fn insert(&self, text: &str) -> Result<(), Error> {
        let limit = self.context.left().saturating_sub(HOLDS);
        self.hold
            .send("Input.insertText", &json!({"text": text}), limit)
            .await
            .map_err(|failure| self.undelivered(&failure))
    }

    async fn plain_key(&self, key: &str) -> Result<(), Error> {
        self.stroke(&[], &table::read(key)?.1, Duration::ZERO).await
    }

    /// Selects all where the keyboard is, as a person would: editors know their content beyond what they show.
    async fn select_all(&self, field: &Field) -> Result<(), Error> {
        let modifier = if field.is_mac {
            Modifier::Meta
        } else {
            Modifier::Control
        };
        let event = |kind: &str| {
            json!({
                "type": kind, "key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65, "nativeVirtualKeyCode": 65,
                "modifiers": super::click::bits(&[modifier]),
            })
        };
        let mut down = event("rawKeyDown");
        down["commands"] = json!(["selectAll"]);
        // Both are on their way at once: the key comes up whatever happens.
        let (pressed, released) = join(self.send_key(&down), self.send_key(&event("keyUp"))).await;
        pressed.and(released)?;
        // Editors learn of a selection by an event of its own.
        sleep(STAYS).await;
        Ok(())
    }

    async fn send_key(&self, event: &Value) -> Result<(), Error> {
        self.hold
            .send("Input.dispatchKeyEvent", event, self.left())
            .await
            .map_err(|failure| self.undelivered(&failure))
    }

    /// Looks until the field holds what it should. Answers with its value; `None` for a secret.
    async fn reads_back(
        &self,
        field: &Field,
        value: &str,
        wanted: &Wanted,
        append: bool,
    ) -> Result<Option<String>, Error> {
        let is_editor = field.kind != kinds::TEXT;
        let began = now();
        loop {
            if self.shows(field, wanted).await? {
                sleep(STAYS).await;
                if self.shows(field, wanted).await? {
                    return Ok(self.holds(field, false, None).await?.text);
                }
            }
            if now().saturating_sub(began) >= HOLDS || self.left().is_zero() {
                break;
            }
            sleep(LOOKS).await;
        }
        let mut held = self.holds(field, false, None).await?;
        if is_editor && !field.is_secret {
            held = self.copies(field, wanted).await?;
            if !held.same && !append && !value.is_empty() && self.pastes(field, value).await? {
                sleep(STAYS).await;
                if self.shows(field, wanted).await? {
                    return Ok(Some(value.to_owned()));
                }
                held = self.copies(field, wanted).await?;
            }
        }
        if held.same {
            return Ok(held.text);
        }
        Err(differs(field, wanted, held.text))
    }

    async fn shows(&self, field: &Field, wanted: &Wanted) -> Result<bool, Error> {
        if field.kind == kinds::PIPE {
            return Ok(false);
        }
        let held = self.holds(field, false, Some(&wanted.shown)).await?;
        Ok(held.same || (wanted.adds_to_secret && held.length == wanted.length))
    }

    /// What an editor would copy, and whether that is as wanted; then the place to type is at the end, else all is selected.
    async fn copies(&self, field: &Field, wanted: &Wanted) -> Result<Held, Error> {
        let mut tries = 0;
        loop {
            self.select_all(field).await?;
            let held = self.holds(field, true, Some(&wanted.copied)).await?;
            tries += 1;
            // Some take a while to know what is selected.
            if held.same {
                self.plain_key("ArrowRight").await?;
            } else if tries < COPIES {
                sleep(COPIED).await;
                continue;
            }
            return Ok(held);
        }
    }

    /// Hands the page a text as one that is pasted, all being selected.
    async fn pastes(&self, field: &Field, value: &str) -> Result<bool, Error> {
        let op = FillOp::Paste {
            text: value.to_owned(),
        };
        Ok(self.ask(&field.element.document, &op).await?.int()? == 1)
    }

    /// Gives suggestions their moment to open.
    async fn suggestions(&self, watch: &Watch) -> Result<(), Error> {
        let began = now();
        while now().saturating_sub(began) < SUGGESTS && !self.left().is_zero() {
            match self.collect(watch, false).await? {
                Some(seen) if seen.state.expanded != 1 => sleep(LOOKS).await,
                Some(_) | None => break,
            }
        }
        Ok(())
    }
}

/// Whether a field can take a text, as far as that is known before.
fn takes(field: &Field, value: &str) -> Result<(), Error> {
    if field.r#type == "number" && !value.is_empty() && !is_number(value.trim()) {
        return Err(Error::argument(
            "value",
            format!("{} takes a number, such as 12.5", field.words),
        ));
    }
    if !field.lines && value.contains('\n') {
        return Err(Error::argument(
            "value",
            format!("{} takes one line, and this has several", field.words),
        ));
    }
    Ok(())
}

/// Whether a field for numbers takes it, in the form that HTML has for numbers.
fn is_number(text: &str) -> bool {
    let is_plain = text
        .chars()
        .all(|sign| sign.is_ascii_digit() || "+-.eE".contains(sign));
    is_plain
        && !text.starts_with('+')
        && !text.ends_with('.')
        && text.parse::<f64>().is_ok_and(f64::is_finite)
}

fn too_long(field: &Field, wanted: &Wanted, most: usize) -> Value {
    if field.is_secret {
        return json!({"most": most});
    }
    json!({"wanted": cut(&wanted.shown), "most": most})
}

/// The field holds something else.
fn differs(field: &Field, wanted: &Wanted, held: Option<String>) -> Error {
    let error = Error::new(
        Code::Unconfirmed,
        format!("{} holds something else than what was put in", field.words),
    )
    .effect(Effect::Unknown);
    let Some(held) = held else {
        return error.data(json!({"differs": true}));
    };
    let wanted = &wanted.shown;
    let at = wanted
        .chars()
        .zip(held.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let from = at.saturating_sub(TOLD / 4);
    let part = |text: &str| {
        if from == 0 {
            cut(text)
        } else {
            format!("…{}", cut(&text.chars().skip(from).collect::<String>()))
        }
    };
    error
        .hint("the page may format or refuse what is typed: compare both values")
        .data(json!({
            "wanted": part(wanted), "value": part(&held), "differsAt": at,
            "wantedLength": wanted.chars().count(), "valueLength": held.chars().count(),
        }))
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The beginning of a value, as much as errors tell.
pub(super) fn cut(value: &str) -> String {
    text::cut(value, TOLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_html_knows() {
        for text in ["12", "-0.5", "1e3", ".5"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "NaN", "inf", "+5", "1,5", "5.", "1e999", "0x1", "twelve"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn a_value_is_cut_between_characters() {
        assert_eq!(cut("é"), "é");
        let long = "é".repeat(TOLD + 1);
        assert_eq!(cut(&long).chars().count(), TOLD + 1);
        assert!(cut(&long).ends_with('…'));
    }
}
