//! Which element an action means, and in which document it is.

use drawbridge_protocol::outline::{Ref, RefKind};
use drawbridge_protocol::page::{By, Locator};
use drawbridge_protocol::reader::acting::ActOp;
use drawbridge_protocol::{Code, Error};

use super::{Act, Element, gone};
use crate::{capture, read};

impl Act<'_> {
    /// The one element that a locator means.
    ///
    /// # Errors
    /// `stale_ref`, `not_found`, `ambiguous`, `not_visible`.
    pub(crate) async fn resolve(&self, locator: &Locator) -> Result<Element, Error> {
        if let Some(one) = plain_ref(locator) {
            return self.held(one).await;
        }
        let number = read::one(
            self.app,
            self.context,
            self.tab,
            self.shown,
            self.frames,
            &self.next_ref,
            locator,
        )
        .await?;
        self.held(Ref::element(number)).await
    }

    /// The element that keys go to: the target, given the keyboard by the caller, or the one that has it.
    ///
    /// # Errors
    /// As [`Act::resolve`]; `needs_approval` for a frame that may not be acted in.
    pub(crate) async fn keyboard(&self, target: Option<&Locator>) -> Result<Keyboard, Error> {
        if let Some(locator) = target {
            let element = self.resolve(locator).await?;
            self.allowed(&element.document, false)?;
            let op = ActOp::Focus {
                r#ref: element.r#ref,
                blur: false,
            };
            let aimed = self.look_at(&element, true).await?;
            self.person(aimed.person_ms)?;
            aimed.enabled()?;
            let mut columns = self.ask(&element.document, &op).await?;
            if columns.int()? == 0 {
                return Err(gone(&element));
            }
            if columns.int()? == 0 {
                return Err(Error::new(
                    Code::NotEditable,
                    format!("{} does not take the keyboard", aimed.words),
                ));
            }
        }
        self.keys_go_to().await
    }

    /// Where a key that is pressed now goes to.
    ///
    /// # Errors
    /// `not_found` where that is in no document that may be read; `user_active`; `needs_approval` for a frame that may not be
    /// acted in.
    pub(crate) async fn keys_go_to(&self) -> Result<Keyboard, Error> {
        // The deepest document that has it: a frame's, where a frame is what has it in the one around.
        for document in self.documents().rev() {
            let mut columns = self.ask(document, &ActOp::Keyboard).await?;
            if columns.int()? != 1 {
                continue;
            }
            let facts = columns.int()?;
            let number = columns.int()?;
            self.person(columns.int()?)?;
            let is_noted = columns.int()? == 1;
            columns.text()?;
            let words = columns.text()?.unwrap_or_default();
            self.allowed(document, false)?;
            return Ok(Keyboard {
                element: Element {
                    document: document.to_owned(),
                    r#ref: u32::try_from(number).unwrap_or(0),
                },
                facts,
                is_noted,
                words,
            });
        }
        Err(Error::new(
            Code::NotFound,
            "the keyboard is nowhere on the page that may be acted in",
        )
        .hint("name the field with target, or focus it first"))
    }

    /// All documents that are read, each after the one it is in.
    pub(crate) fn documents(&self) -> impl DoubleEndedIterator<Item = &str> {
        let read = self.frames.iter().filter(|frame| frame.missing.is_none());
        std::iter::once(self.shown.document.as_str()).chain(read.map(|frame| frame.document.as_str()))
    }

    async fn held(&self, one: Ref) -> Result<Element, Error> {
        if one.kind != RefKind::Element {
            return Err(Error::new(
                Code::Unsupported,
                format!("{one} belongs to one snapshot; act on refs such as e12"),
            ));
        }
        let element = Element {
            document: String::new(),
            r#ref: one.number,
        };
        match capture::holder(self.tab, self.documents(), one.number, self.left()).await {
            Ok(Some(document)) => Ok(Element {
                document: document.to_owned(),
                ..element
            }),
            Ok(None) => Err(gone(&element)),
            Err(trouble) => Err(self.trouble(&trouble)),
        }
    }
}

/// Where the keyboard is.
pub(crate) struct Keyboard {
    /// Its ref is 0 where it was never given one: the document knows which it is.
    pub(crate) element: Element,
    pub(crate) facts: i32,
    /// Whether its events are noted.
    pub(crate) is_noted: bool,
    /// Words for it. Page data.
    pub(crate) words: String,
}

/// A ref that nothing narrows.
fn plain_ref(locator: &Locator) -> Option<Ref> {
    match locator {
        Locator {
            by: By::Ref(one),
            exact: false,
            index: None,
            scope: None,
            has_text: None,
        } => Some(*one),
        _ => None,
    }
}
