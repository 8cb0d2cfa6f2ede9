//! Where an element can be pressed: seen, enabled, at rest, and in front in its own document and in every one around it.

use std::time::Duration;

use drawbridge_protocol::reader::acting::{ActOp, facts};
use drawbridge_protocol::reader::flags;
use drawbridge_protocol::{Code, Effect, Error};
use serde_json::json;

use super::{Act, Element, gone};
use crate::columns::Columns;
use crate::time::{now, sleep};

/// Two looks at a place that are told apart by at least so much.
const APART: Duration = Duration::from_millis(8);
/// The same for what moved already.
pub(super) const LONGER: Duration = Duration::from_millis(40);
/// How long something in front of an element, or a scroll that is still going on, may take to go.
const CLEARS: Duration = Duration::from_millis(600);
/// How long an element may move.
const RESTS: Duration = Duration::from_secs(3);

/// An element as it was last looked at.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Aimed {
    /// Its [`flags`].
    pub(crate) flags: i32,
    /// Its [`facts`].
    pub(crate) facts: i32,
    /// x, y, width and height of its box, in its own window's viewport, hundredths of a CSS px.
    pub(crate) area: [i32; 4],
    /// Where to press it, in its own window's viewport, hundredths of a CSS px.
    pub(crate) spot: (i32, i32),
    /// Where that is in the top-level viewport, CSS px.
    pub(crate) point: (f64, f64),
    /// What is in front there.
    pub(crate) front: Front,
    /// Width and height of the top-level viewport.
    pub(crate) viewport: (i32, i32),
    /// Milliseconds since a person used its document; −1: never.
    pub(crate) person_ms: i32,
    /// Its tag.
    pub(crate) tag: String,
    /// Its type, as fields and buttons have one.
    pub(crate) kind: String,
    /// Words for it. Page data.
    pub(crate) words: String,
    /// Whether other words stand on it since it was scrolled.
    pub(crate) is_other: bool,
    window: i32,
}

/// What is in front of an element where it would be pressed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Front {
    /// It, a part of it, or its label.
    Itself,
    /// Something else, in words. Page data.
    Other(String),
    /// No part of it can be seen.
    Nothing,
}

impl Aimed {
    /// Whether it has this of [`facts`].
    pub(crate) fn has(&self, fact: i32) -> bool {
        self.facts & fact != 0
    }

    /// Whether it can be used.
    ///
    /// # Errors
    /// `not_enabled`.
    pub(crate) fn enabled(&self) -> Result<(), Error> {
        if self.flags & flags::DISABLED != 0 || self.has(facts::ARIA_DISABLED) {
            return Err(Error::new(
                Code::NotEnabled,
                format!("{} is disabled", self.words),
            ));
        }
        Ok(())
    }

    /// Whether it has a box that a person could find.
    ///
    /// # Errors
    /// `not_visible`.
    pub(crate) fn visible(&self) -> Result<(), Error> {
        let why = if self.flags & flags::RENDERED == 0 {
            "is not displayed"
        } else if self.flags & flags::VISIBLE == 0 {
            "is hidden"
        } else if self.area[2] == 0 || self.area[3] == 0 {
            "has no size"
        } else if self.flags & (flags::CLIPS | flags::OFF_PAGE) != 0 {
            "is cut off, or outside of the page"
        } else {
            return Ok(());
        };
        Err(Error::new(Code::NotVisible, format!("{} {why}", self.words)))
    }

    /// Whether it is still what it was called: lists that reuse their rows put another one there while they scroll.
    ///
    /// # Errors
    /// `page_changing`.
    pub(crate) fn same(&self, said: Option<&str>) -> Result<(), Error> {
        if self.is_other || said.is_some_and(|said| said != self.words) {
            return Err(Error::new(
                Code::PageChanging,
                format!(
                    "it became {} while it was aimed at, and was not pressed",
                    self.words
                ),
            )
            .hint("observe the page again")
            .effect(Effect::None));
        }
        Ok(())
    }

    fn rests_like(&self, other: &Self) -> bool {
        self.area == other.area
            && self.spot == other.spot
            && self.point == other.point
            && self.viewport == other.viewport
    }
}

impl Act<'_> {
    /// Looks at an element once, and where it lies in the top-level viewport.
    ///
    /// # Errors
    /// `stale_ref`, and those of the documents.
    pub(crate) async fn look_at(&self, element: &Element, scroll: bool) -> Result<Aimed, Error> {
        self.look_by(element, scroll, false, None).await
    }

    async fn look_by(
        &self,
        element: &Element,
        scroll: bool,
        center: bool,
        held: Option<(i32, i32)>,
    ) -> Result<Aimed, Error> {
        let op = ActOp::Aim {
            r#ref: element.r#ref,
            scroll,
            center,
            held,
        };
        let columns = self.ask(&element.document, &op).await?;
        let aimed = read(columns, element)?;
        self.through(element, aimed).await
    }

    /// Looks until it can be pressed: visible, enabled, at rest, in front. Answers with the last look.
    ///
    /// # Errors
    /// `not_visible`, `not_enabled`, `covered`, `user_active`, `page_changing` for what does not come to rest.
    pub(crate) async fn aim(&self, element: &Element) -> Result<Aimed, Error> {
        self.aim_at(element, APART).await
    }

    /// As [`Act::aim`], with so much time between the two looks that have to agree.
    ///
    /// # Errors
    /// Those of [`Act::aim`].
    pub(super) async fn aim_at(&self, element: &Element, apart: Duration) -> Result<Aimed, Error> {
        let began = now();
        let mut before: Option<Aimed> = None;
        let (mut center, mut centered) = (false, false);
        loop {
            let looked = now();
            let aimed = self
                .look_by(element, before.is_none(), std::mem::take(&mut center), None)
                .await?;
            self.person(aimed.person_ms)?;
            aimed.visible()?;
            aimed.enabled()?;
            aimed.same(None)?;
            let spent = now().saturating_sub(began);
            let out_of_time = self.left().is_zero();
            match &aimed.front {
                Front::Itself => {}
                // What sticks to an edge is in front of what was scrolled under it.
                Front::Other(_) if !centered => {
                    (center, centered) = (true, true);
                    before = None;
                    continue;
                }
                // It may be on its way out, or the page may still scroll.
                front if spent >= CLEARS || out_of_time => return Err(covered(&aimed, front)),
                _ => {
                    before = None;
                    self.pause(APART).await;
                    continue;
                }
            }
            match before {
                Some(last) if last.rests_like(&aimed) => return Ok(aimed),
                Some(_) if spent >= RESTS || out_of_time => {
                    return Err(Error::new(
                        Code::PageChanging,
                        format!("{} does not come to rest", aimed.words),
                    )
                    .hint("wait for what moves it, or stop it"));
                }
                _ => before = Some(aimed),
            }
            self.pause(apart.saturating_sub(now().saturating_sub(looked)))
                .await;
        }
    }

    /// The first of the two looks that [`Act::aim`] takes, for whoever moves the pointer there before the second.
    ///
    /// # Errors
    /// Those of [`Act::aim`].
    pub(crate) async fn first_aim(&self, element: &Element) -> Result<Aimed, Error> {
        let aimed = self.look_at(element, true).await?;
        self.person(aimed.person_ms)?;
        aimed.visible()?;
        aimed.enabled()?;
        aimed.same(None)?;
        if aimed.front == Front::Itself && !aimed.has(facts::ANIMATES) {
            return Ok(aimed);
        }
        self.aim(element).await
    }

    /// Whether it is where it was, and in front. Loosely: whether it is what would be pressed at the same point.
    ///
    /// # Errors
    /// Those of [`Act::look_at`].
    pub(crate) async fn stays(
        &self,
        element: &Element,
        before: &Aimed,
        loosely: bool,
    ) -> Result<bool, Error> {
        let aimed = self.look_by(element, false, false, Some(before.spot)).await?;
        self.person(aimed.person_ms)?;
        aimed.same(Some(&before.words))?;
        let rests = if loosely {
            aimed.point == before.point
        } else {
            aimed.rests_like(before)
        };
        Ok(aimed.front == Front::Itself && rests && aimed.enabled().is_ok())
    }

    /// Waits a moment between two looks.
    async fn pause(&self, time: Duration) {
        if !time.is_zero() {
            sleep(time.min(self.left())).await;
        }
    }

    /// From a frame outwards, to the top.
    async fn through(&self, element: &Element, mut aimed: Aimed) -> Result<Aimed, Error> {
        let mut document = element.document.clone();
        let mut at = aimed.spot;
        while document != self.shown.document {
            let Some(frame) = self.frames.iter().find(|frame| frame.document == document) else {
                return Err(gone(element));
            };
            let parent = match frame.parent.and_then(|parent| self.frames.get(parent)) {
                Some(parent) => parent.document.clone(),
                None => self.shown.document.clone(),
            };
            let op = ActOp::Through {
                window: aimed.window,
                url: frame.url.clone(),
                x: at.0,
                y: at.1,
            };
            let mut columns = self.ask(&parent, &op).await?;
            if columns.int()? != 1 {
                return Err(Error::new(
                    Code::Unsupported,
                    "the frame's element cannot be told from others, so nothing is pressed in it",
                )
                .effect(Effect::None));
            }
            at = (columns.int()?, columns.int()?);
            let front = columns.int()?;
            aimed.viewport = (columns.int()?, columns.int()?);
            aimed.window = columns.int()?;
            let words = columns.text()?.unwrap_or_default();
            if aimed.front == Front::Itself {
                aimed.front = front_of(front, words);
            }
            document = parent;
        }
        aimed.point = (f64::from(at.0) / 100.0, f64::from(at.1) / 100.0);
        Ok(aimed)
    }
}

fn read(mut columns: Columns, element: &Element) -> Result<Aimed, Error> {
    if columns.int()? != 1 {
        return Err(gone(element));
    }
    let flags = columns.int()?;
    let facts = columns.int()?;
    let area = [columns.int()?, columns.int()?, columns.int()?, columns.int()?];
    let spot = (columns.int()?, columns.int()?);
    let front = columns.int()?;
    let viewport = (columns.int()?, columns.int()?);
    let window = columns.int()?;
    let person_ms = columns.int()?;
    let is_other = columns.int()? == 1;
    let tag = columns.text()?.unwrap_or_default();
    let kind = columns.text()?.unwrap_or_default();
    let words = columns.text()?.unwrap_or_default();
    let other = columns.text()?.unwrap_or_default();
    Ok(Aimed {
        flags,
        facts,
        area,
        spot,
        point: (0.0, 0.0),
        front: front_of(front, other),
        viewport,
        person_ms,
        tag,
        kind,
        words,
        is_other,
        window,
    })
}

fn front_of(front: i32, words: String) -> Front {
    match front {
        0 => Front::Itself,
        1 => Front::Other(words),
        _ => Front::Nothing,
    }
}

fn covered(aimed: &Aimed, front: &Front) -> Error {
    match front {
        Front::Other(other) if aimed.has(facts::NO_POINTER) => Error::new(
            Code::Covered,
            format!(
                "{} takes no pointer (pointer-events: none), and {other} would be pressed instead",
                aimed.words
            ),
        )
        .data(json!({"covering": other})),
        Front::Other(other) => Error::new(Code::Covered, format!("{other} is in front of {}", aimed.words))
            .hint("close or move what covers it, or act on that")
            .data(json!({"covering": other})),
        Front::Itself | Front::Nothing => Error::new(
            Code::NotVisible,
            format!("no part of {} can be scrolled into view", aimed.words),
        ),
    }
}
