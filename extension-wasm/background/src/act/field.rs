//! The field that an element is, labels or contains: what it takes, what it holds, and where else it can be pressed.

use drawbridge_protocol::act::{Acted, Button};
use drawbridge_protocol::outline::Ref;
use drawbridge_protocol::reader::acting::facts;
use drawbridge_protocol::reader::filling::{FillOp, handle, kinds};
use drawbridge_protocol::reader::flags;
use drawbridge_protocol::{Code, Effect, Error};

use super::aim::Front;
use super::look::Watch;
use super::{Act, Aimed, Element, gone};

/// A field.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    /// What the action named.
    pub(super) target: Element,
    /// The field itself, by a handle.
    pub(super) element: Element,
    /// One of [`kinds`].
    pub(super) kind: i32,
    /// UTF-16 units that it takes at most.
    pub(super) most: Option<usize>,
    /// Whether it may hold several lines.
    pub(super) lines: bool,
    /// Whether it suggests while one types.
    pub(super) suggests: bool,
    pub(super) is_mac: bool,
    pub(super) is_secret: bool,
    /// Its type, as in HTML.
    pub(super) r#type: String,
    /// The least and the greatest value.
    pub(super) range: (String, String),
    /// The browser's language.
    pub(super) language: String,
    /// Words for it. Page data.
    pub(super) words: String,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Held {
    /// Whether it is what was expected.
    pub(super) same: bool,
    /// UTF-16 units.
    pub(super) length: usize,
    /// `None` for a secret.
    pub(super) text: Option<String>,
}

impl Field {
    /// An error about the field as one about what the action named.
    pub(super) fn told(&self, error: Error) -> Error {
        if error.code == Code::StaleRef {
            let effect = error.effect;
            let mut told = gone(&self.target);
            told.effect = effect;
            return told;
        }
        error
    }

    /// What came of it, with the ref of what the action named.
    pub(super) fn acted(&self, mut acted: Acted) -> Acted {
        acted.r#ref = Some(Ref::element(self.target.r#ref));
        acted
    }

    fn at(&self, number: i32) -> Element {
        Element {
            document: self.element.document.clone(),
            r#ref: handle(u32::try_from(number).unwrap_or(0)),
        }
    }
}

impl Act<'_> {
    /// The field that an element is, labels or contains.
    ///
    /// # Errors
    /// `stale_ref`; `needs_approval` for a frame that may not be acted in.
    pub(super) async fn field(&self, target: &Element) -> Result<Field, Error> {
        let field = self.field_at(target).await?;
        match (field.kind, field.most) {
            (kinds::FRAME, Some(place)) => self.field_within(field, place).await,
            _ => Ok(field),
        }
    }

    /// The document of a frame, where that is edited as a whole; else the frame.
    async fn field_within(&self, frame: Field, place: usize) -> Result<Field, Error> {
        for inner in self.frames.iter().filter(|inner| inner.missing.is_none()) {
            let around = inner.parent.and_then(|parent| self.frames.get(parent));
            if around.map_or(&self.shown.document, |around| &around.document) != &frame.target.document {
                continue;
            }
            let mut columns = self.ask(&inner.document, &FillOp::Body).await?;
            let is_it = usize::try_from(columns.int()?) == Ok(place);
            if columns.int()? != 1 || !is_it {
                continue;
            }
            let body = Element {
                document: inner.document.clone(),
                r#ref: handle(u32::try_from(columns.int()?).unwrap_or(0)),
            };
            let mut field = self.field_at(&body).await?;
            field.target = frame.target;
            return Ok(field);
        }
        Ok(frame)
    }

    async fn field_at(&self, target: &Element) -> Result<Field, Error> {
        self.allowed(&target.document, false)?;
        let op = FillOp::Field { r#ref: target.r#ref };
        let mut columns = self.ask(&target.document, &op).await?;
        if columns.int()? != 1 {
            return Err(gone(target));
        }
        let kind = columns.int()?;
        let number = columns.int()?;
        let most = usize::try_from(columns.int()?).ok();
        let lines = columns.int()? == 1;
        let suggests = columns.int()? == 1;
        let is_mac = columns.int()? == 1;
        let is_secret = columns.int()? == 1;
        let mut text = || Ok::<_, Error>(columns.text()?.unwrap_or_default());
        let mut field = Field {
            target: target.clone(),
            element: target.clone(),
            kind,
            most,
            lines,
            suggests,
            is_mac,
            is_secret,
            r#type: text()?,
            range: (text()?, text()?),
            language: text()?,
            words: text()?,
        };
        field.element = field.at(number);
        Ok(field)
    }

    /// Looks at a field that is about to be changed.
    ///
    /// # Errors
    /// `not_visible`, `not_enabled`, `not_editable` for one that can only be read, `user_active`.
    pub(super) async fn usable(&self, field: &Field) -> Result<Aimed, Error> {
        let looked = self.look_at(&field.element, true).await;
        let aimed = looked.map_err(|error| field.told(error))?;
        self.person(aimed.person_ms)?;
        if field.kind != kinds::PIPE {
            aimed.visible()?;
        } else if aimed.flags & flags::RENDERED == 0 {
            return Err(Error::new(
                Code::NotVisible,
                format!("{} is not displayed", aimed.words),
            ));
        }
        aimed.enabled()?;
        if aimed.has(facts::READ_ONLY) {
            return Err(Error::new(
                Code::NotEditable,
                format!("{} can only be read", aimed.words),
            ));
        }
        Ok(aimed)
    }

    /// What a field holds; `copy`: what the page would copy of it, all being selected.
    ///
    /// # Errors
    /// `stale_ref`, and those of the document.
    pub(super) async fn holds(&self, field: &Field, copy: bool, expect: Option<&str>) -> Result<Held, Error> {
        let op = FillOp::Held {
            r#ref: field.element.r#ref,
            copy,
            expect: expect.map(str::to_owned),
        };
        let mut columns = self.ask(&field.element.document, &op).await?;
        if columns.int()? != 1 {
            return Err(gone(&field.target));
        }
        columns.int()?;
        Ok(Held {
            same: columns.int()? == 1,
            length: usize::try_from(columns.int()?).unwrap_or(0),
            text: columns.text()?,
        })
    }

    /// Tells what came of an action on a field that this alone confirms.
    ///
    /// # Errors
    /// Those of [`Act::report`].
    pub(super) async fn confirm_field(
        &self,
        field: &Field,
        watch: Watch,
        confirmed: &str,
    ) -> Result<Acted, Error> {
        Ok(field.acted(self.confirm(watch, confirmed).await?))
    }

    /// Presses a field, or what stands for one that nobody sees: its label, what is drawn beside or around it.
    ///
    /// # Errors
    /// Those of [`Act::press`] for the field itself, where nothing stands for it.
    pub(super) async fn press_field(&self, field: &Field) -> Result<Watch, Error> {
        let op = FillOp::Handles {
            r#ref: field.element.r#ref,
        };
        let mut columns = self.ask(&field.element.document, &op).await?;
        let mut handles = Vec::new();
        for _ in 0..columns.int()? {
            handles.push(field.at(columns.int()?));
        }
        for one in &handles {
            let aimed = self.look_at(one, true).await.map_err(|error| field.told(error))?;
            if one.r#ref == handles[0].r#ref {
                aimed.enabled()?;
            }
            if aimed.front != Front::Itself
                || aimed.visible().is_err()
                || aimed.has(facts::LEAVES | facts::OPENS)
            {
                continue;
            }
            let pressed = self.press(one, Button::Left, 1, &[]).await;
            let (watch, _) = pressed.map_err(|error| field.told(error))?;
            return Ok(watch);
        }
        // The field's own reasons.
        let pressed = self.press(&field.element, Button::Left, 1, &[]).await;
        Ok(pressed.map_err(|error| field.told(error))?.0)
    }

    /// An element of a list, by its handle.
    pub(super) fn entry(field: &Field, number: i32) -> Element {
        field.at(number)
    }
}

/// Why an element takes no text, with what to do instead.
pub(super) fn not_editable(field: &Field) -> Error {
    let words = &field.words;
    let (message, hint) = match field.kind {
        kinds::SELECT | kinds::LIST => (
            format!("{words} takes no text"),
            "choose an option of it with select",
        ),
        kinds::BOX => (
            format!("{words} takes no text"),
            "switch it with check or uncheck",
        ),
        kinds::FILE => (format!("{words} takes files"), "hand it files with upload"),
        kinds::PART => (
            format!("it is a part of what can be edited as a whole, {words}"),
            "fill the whole, or click here and type",
        ),
        kinds::FRAME => (
            format!("{words} is a frame, and its document is not edited as a whole"),
            "name a field inside of it",
        ),
        kinds::SEVERAL => (format!("there are several fields in {words}"), "name one of them"),
        _ => (
            format!("{words} is no field and can not be edited"),
            "observe the page for its fields",
        ),
    };
    Error::new(Code::NotEditable, message)
        .hint(hint)
        .effect(Effect::None)
}
