//! Switching boxes, radios and switches: pressed where a person would press them, and the state looked at afterwards.

use std::time::Duration;

use drawbridge_protocol::act::Acted;
use drawbridge_protocol::reader::acting::facts;
use drawbridge_protocol::reader::filling::kinds;
use drawbridge_protocol::{Code, Effect, Error};

use super::field::Field;
use super::{Act, Aimed, Element};
use crate::time::{now, sleep};

/// How long a page may take to show the new state.
const SHOWN: Duration = Duration::from_millis(400);
/// Pages that undo it do so soon after.
const STAYS: Duration = Duration::from_millis(40);
/// Between two looks.
const LOOKS: Duration = Duration::from_millis(10);
/// Presses at most: what is neither on nor off may go through a state that is not wanted.
const PRESSES: u32 = 2;

impl Act<'_> {
    pub(super) async fn check(&self, target: &Element, on: bool) -> Result<Acted, Error> {
        let field = self.field(target).await?;
        self.check_field(&field, on).await
    }

    /// Makes a box, radio or switch on or off.
    ///
    /// # Errors
    /// `no_effect` when it was pressed and stayed as it was, `unsupported` for what cannot be switched so.
    pub(super) async fn check_field(&self, field: &Field, on: bool) -> Result<Acted, Error> {
        if field.kind != kinds::BOX {
            return Err(Error::new(
                Code::Unsupported,
                format!("{} is no box, radio or switch", field.words),
            )
            .hint("click it")
            .effect(Effect::None));
        }
        let before = self.state_of(field).await?;
        self.person(before.person_ms)?;
        if is(&before, on) {
            let watch = self.watch(&field.element, &[]).await?;
            return self.confirm_field(field, watch, "state").await;
        }
        if !on && before.has(facts::RADIO) {
            return Err(Error::new(
                Code::Unsupported,
                "a radio is switched off by switching another one of its group on",
            )
            .effect(Effect::None));
        }
        before.enabled()?;
        if before.has(facts::READ_ONLY) && !before.has(facts::NATIVE_BOX) {
            return Err(Error::new(
                Code::NotEditable,
                format!("{} can only be read", before.words),
            ));
        }
        for _ in 0..PRESSES {
            let watch = self.press_field(field).await?;
            match self.switched(field, &before, on).await {
                Ok(true) => {
                    let mut acted = self.confirm_field(field, watch, "state").await?;
                    acted.changed.checked = Some(on.to_string());
                    return Ok(acted);
                }
                Ok(false) => {
                    let now = self.state_of(field).await?;
                    // What is neither on nor off got another state: once more.
                    if state(&now) == state(&before) {
                        break;
                    }
                }
                // Which state it ends in is the answer's to say.
                Err(error) if error.code == Code::DialogOpen => return Err(error.effect(Effect::Unknown)),
                Err(_) if self.is_leaving(&watch) => {
                    return self.confirm_field(field, watch, "navigation").await;
                }
                Err(error) => return Err(field.told(error)),
            }
        }
        let wanted = if on { "on" } else { "off" };
        Err(Error::new(
            Code::NoEffect,
            format!("{} was pressed and is not {wanted}", before.words),
        )
        .hint("observe the page for why it does not change")
        .effect(Effect::Unknown))
    }

    /// Waits until it is in the state that is wanted, and stays there.
    async fn switched(&self, field: &Field, before: &Aimed, on: bool) -> Result<bool, Error> {
        let began = now();
        loop {
            let state_now = self.state_of(field).await?;
            if is(&state_now, on) {
                sleep(STAYS).await;
                if is(&self.state_of(field).await?, on) {
                    return Ok(true);
                }
            } else if state(&state_now) != state(before) && before.has(facts::MIXED) {
                return Ok(false);
            }
            if now().saturating_sub(began) >= SHOWN || self.left().is_zero() {
                return Ok(false);
            }
            sleep(LOOKS).await;
        }
    }

    async fn state_of(&self, field: &Field) -> Result<Aimed, Error> {
        self.look_at(&field.element, false)
            .await
            .map_err(|error| field.told(error))
    }
}

fn state(aimed: &Aimed) -> i32 {
    aimed.facts & (facts::CHECKED | facts::MIXED)
}

fn is(aimed: &Aimed, on: bool) -> bool {
    state(aimed) == if on { facts::CHECKED } else { 0 }
}
