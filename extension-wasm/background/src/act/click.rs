//! Pressing and hovering.

use std::time::Duration;

use drawbridge_protocol::act::{Acted, Button, Modifier};
use drawbridge_protocol::page::Bounds;
use drawbridge_protocol::reader::acting::facts;
use drawbridge_protocol::{Code, Effect, Error};
use futures_util::future::{Either, join, select};
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

use super::look::unseen;
use super::{Act, Aimed, Element, Expects, gone};
use crate::chrome;

/// How often an element that moved away under the pointer is aimed at anew.
const TRIES: usize = 12;
/// How often the pointer is moved into a frame that does not get it.
const REACHES: usize = 5;
/// What the browser may take to deliver one event.
const DELIVERED: Duration = Duration::from_secs(3);

impl Act<'_> {
    pub(super) async fn click(
        &self,
        element: &Element,
        button: Button,
        count: u8,
        modifiers: &[Modifier],
    ) -> Result<Acted, Error> {
        let (watch, aimed) = self.press(element, button, count, modifiers).await?;
        let last = if count == 2 { "dblclick" } else { up_event(button) };
        let seen = self.until_seen(&watch, |seen| seen.got(last)).await;
        let seen = match seen {
            Ok(seen) => seen,
            // What the press opened is in the way of asking.
            Err(error) if error.code == Code::DialogOpen => {
                return self.confirm(watch, "dialog").await;
            }
            Err(error) => return Err(error),
        };
        let Some(seen) = seen else {
            // The document went with the press: only what is on its way can say so.
            return self.confirm(watch, "navigation").await;
        };
        let confirmed: Vec<String> = ["mousedown", up_event(button), "dblclick"]
            .iter()
            .filter(|event| seen.got(event))
            .map(|&event| event.to_owned())
            .collect();
        if confirmed.is_empty() {
            if self.is_leaving(&watch) {
                return self.confirm(watch, "navigation").await;
            }
            if seen.strayed("mousedown") {
                return Err(Error::new(
                    Code::EffectUnknown,
                    format!("something else got the press that was meant for {}", aimed.words),
                )
                .hint("observe the page before doing it again")
                .effect(Effect::Unknown));
            }
            return Err(unseen());
        }
        let plain =
            button == Button::Left && !seen.prevented(up_event(button)) && !seen.prevented("mousedown");
        let new_tab = modifiers
            .iter()
            .any(|held| matches!(held, Modifier::Control | Modifier::Meta | Modifier::Shift));
        let expects = Expects {
            navigation: plain && !new_tab && aimed.has(facts::LEAVES | facts::SUBMITS) && seen.got("click"),
            tab: !seen.may_open
                || (plain
                    && (aimed.has(facts::OPENS) || (new_tab && aimed.has(facts::LEAVES)))
                    && seen.got("click")),
        };
        let mut acted = self.report(watch, confirmed, expects).await?;
        acted.changed.unclicked = button == Button::Left && !seen.got("click");
        Ok(acted)
    }

    /// Presses an element with all checks. Answers with what is watched since right before, and the last look at it.
    ///
    /// # Errors
    /// Why it was not pressed, with the effect `none`; `effect_unknown`.
    pub(crate) async fn press(
        &self,
        element: &Element,
        button: Button,
        count: u8,
        modifiers: &[Modifier],
    ) -> Result<(super::look::Watch, Aimed), Error> {
        let events = [
            "mousedown",
            "mouseup",
            up_event(button),
            "dblclick",
            "mousedown",
            "mouseup",
            up_event(button),
        ];
        let held = bits(modifiers);
        let mut tries = 0;
        let (aimed, watch) = loop {
            let aimed = match tries {
                0 => self.first_aim(element).await?,
                // It moved: what shifts now and then has to rest for longer.
                _ => self.aim_at(element, super::aim::LONGER).await?,
            };
            self.allowed(&element.document, Self::would_submit(&aimed, button))?;
            if button == Button::Middle && aimed.has(facts::FIELD | facts::EDITABLE) {
                return Err(Error::new(
                    Code::Unsupported,
                    "the middle button pastes what the person selected elsewhere, which no action here may",
                )
                .effect(Effect::None));
            }
            // A press without a move before it does not reach what waits for one.
            if element.document == self.shown.document {
                self.mouse("mouseMoved", &aimed, json!({"modifiers": held}))
                    .await?;
            } else {
                self.reach(element, &aimed, held).await?;
            }
            if self.stays(element, &aimed, tries > 1).await? {
                break (aimed, self.watch(element, &events).await?);
            }
            tries += 1;
            if tries == TRIES || self.left().is_zero() {
                return Err(Error::new(
                    Code::PageChanging,
                    format!("{} moves away from the pointer", aimed.words),
                )
                .effect(Effect::None));
            }
        };
        crate::stop::refuse(self.app, Some(self.tab))?;
        self.hold.still()?;
        self.dispatching();
        for number in 1..=count {
            let with = json!({
                "button": name(button), "buttons": number_of(button), "clickCount": number, "modifiers": held,
            });
            let released =
                json!({"button": name(button), "buttons": 0, "clickCount": number, "modifiers": held});
            let release = Release {
                tab: self.tab,
                parameters: Some(event_at(aimed.point, "mouseReleased", released)),
            };
            // Both are on their way at once: nothing that the press sets off comes between them.
            let both = join(
                self.send(event_at(aimed.point, "mousePressed", with)),
                release.now(self),
            );
            match select(
                std::pin::pin!(both),
                std::pin::pin!(self.hold.attached().dialog_opened()),
            )
            .await
            {
                Either::Left(((pressed, ()), _)) => pressed?,
                Either::Right((dialog, _)) if number < count => {
                    return Err(crate::dialogs::error(&dialog).effect(Effect::Unknown));
                }
                Either::Right(_) => break,
            }
        }
        Ok((watch, aimed))
    }

    /// Moves the pointer into a frame until the frame's document gets it: after a scroll the browser may, for a moment, take
    /// a point in a frame of another process for one of the document around it.
    async fn reach(&self, element: &Element, aimed: &Aimed, held: u8) -> Result<(), Error> {
        let watch = self.watch(element, &["mousemove"]).await?;
        let (x, y) = aimed.point;
        for _ in 0..REACHES {
            for point in [(x + 1.0, y), (x, y)] {
                self.mouse_at("mouseMoved", point, json!({"modifiers": held}))
                    .await?;
            }
            match self.until_seen(&watch, |seen| !seen.events.is_empty()).await? {
                Some(seen) if seen.events.is_empty() => {}
                Some(_) => return Ok(()),
                None => return Err(gone(element).effect(Effect::None)),
            }
        }
        Err(Error::new(
            Code::PageChanging,
            format!("the pointer does not get to {} in its frame", aimed.words),
        )
        .hint("wait until the page rests, and try again")
        .effect(Effect::None))
    }

    pub(super) async fn hover(&self, element: &Element) -> Result<Acted, Error> {
        let aimed = self.aim(element).await?;
        self.allowed(&element.document, false)?;
        let events = ["mousemove", "mouseenter", "mouseover"];
        let watch = self.watch(element, &events).await?;
        self.dispatching();
        self.mouse("mouseMoved", &aimed, json!({})).await?;
        let mut seen = self.until_seen(&watch, |seen| seen.got("mousemove")).await?;
        if seen
            .as_ref()
            .is_some_and(|seen| !seen.got("mousemove") && !seen.strayed("mousemove"))
        {
            // A pointer that is there already moves nothing: once aside and back.
            self.mouse_at("mouseMoved", (aimed.point.0 + 1.0, aimed.point.1), json!({}))
                .await?;
            self.mouse("mouseMoved", &aimed, json!({})).await?;
            seen = self.until_seen(&watch, |seen| seen.got("mousemove")).await?;
        }
        match seen {
            Some(seen) if seen.got("mousemove") => self.confirm(watch, "mousemove").await,
            Some(_) => Err(unseen()),
            None => Err(gone(element).effect(Effect::Unknown)),
        }
    }

    pub(super) async fn scroll_to(&self, element: &Element) -> Result<Acted, Error> {
        self.allowed(&element.document, false)?;
        let watch = self.watch(element, &[]).await?;
        self.dispatching();
        let began = crate::time::now();
        let aimed = loop {
            let aimed = self.look_at(element, true).await?;
            self.person(aimed.person_ms)?;
            aimed.visible().map_err(|error| error.effect(Effect::None))?;
            let is_shown = aimed.front != super::aim::Front::Nothing;
            // Frames in other processes are scrolled a little later.
            if is_shown || crate::time::now().saturating_sub(began) > Duration::from_millis(600) {
                if !is_shown {
                    return Err(Error::new(
                        Code::NotVisible,
                        format!("no part of {} can be scrolled into view", aimed.words),
                    )
                    .effect(Effect::None));
                }
                break aimed;
            }
            crate::time::sleep(Duration::from_millis(10)).await;
        };
        let mut acted = self.confirm(watch, "position").await?;
        acted.bounds = Some(seen_part(&aimed));
        Ok(acted)
    }

    /// Sends a mouse event to where an element is pressed.
    pub(crate) async fn mouse(&self, kind: &str, aimed: &Aimed, more: Value) -> Result<(), Error> {
        self.mouse_at(kind, aimed.point, more).await
    }

    /// Sends a mouse event to a point of the top-level viewport, CSS px.
    ///
    /// # Errors
    /// `effect_unknown`.
    pub(crate) async fn mouse_at(&self, kind: &str, point: (f64, f64), more: Value) -> Result<(), Error> {
        let parameters = event_at(point, kind, more);
        let attached = std::rc::Rc::clone(self.hold.attached());
        // A page may ask something the moment the pointer is there.
        match select(
            std::pin::pin!(self.send(parameters)),
            std::pin::pin!(attached.dialog_opened()),
        )
        .await
        {
            Either::Left((sent, _)) => sent,
            Either::Right((dialog, _)) => Err(crate::dialogs::error(&dialog).effect(Effect::Unknown)),
        }
    }

    async fn send(&self, parameters: Value) -> Result<(), Error> {
        let limit = self.left().min(DELIVERED);
        self.hold
            .send("Input.dispatchMouseEvent", &parameters, limit)
            .await
            .map_err(|failure| self.undelivered(&failure))
    }

    /// An event that the browser did not deliver.
    pub(crate) fn undelivered(&self, failure: &chrome::Failure) -> Error {
        if let Err(ended) = self.hold.still() {
            return ended;
        }
        Error::new(
            Code::EffectUnknown,
            format!("the browser did not say that the input was delivered: {failure}"),
        )
        .hint("observe the page before doing it again")
        .effect(Effect::Unknown)
    }
}

/// A button that is down comes up, also when nobody waits for it any more.
struct Release {
    tab: i64,
    parameters: Option<Value>,
}

impl Release {
    async fn now(mut self, act: &Act<'_>) {
        if let Some(parameters) = self.parameters.clone() {
            let sent = act.send(parameters).await;
            self.parameters = None;
            if let Err(error) = sent {
                crate::log(&format!("releasing a button: {error}"));
            }
        }
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        if let Some(parameters) = self.parameters.take() {
            let tab = self.tab;
            spawn_local(async move {
                let sent = chrome::debugger_command(tab, "Input.dispatchMouseEvent", &parameters, DELIVERED);
                if let Err(failure) = sent.await {
                    crate::log(&format!("releasing a button: {failure}"));
                }
            });
        }
    }
}

/// A mouse event at a point of the top-level viewport.
fn event_at(point: (f64, f64), kind: &str, mut more: Value) -> Value {
    more["type"] = json!(kind);
    more["x"] = json!(point.0);
    more["y"] = json!(point.1);
    more
}

/// What a press and a release of a button become.
fn up_event(button: Button) -> &'static str {
    match button {
        Button::Left => "click",
        Button::Middle => "auxclick",
        Button::Right => "contextmenu",
    }
}

/// The button as the DevTools protocol calls it.
pub(super) fn name(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}

/// The bit of the button among those that are down.
pub(super) fn number_of(button: Button) -> u8 {
    match button {
        Button::Left => 1,
        Button::Right => 2,
        Button::Middle => 4,
    }
}

/// Modifiers as the DevTools protocol counts them.
pub(super) fn bits(modifiers: &[Modifier]) -> u8 {
    modifiers.iter().fold(0, |bits, held| {
        bits | match held {
            Modifier::Alt => 1,
            Modifier::Control => 2,
            Modifier::Meta => 4,
            Modifier::Shift => 8,
        }
    })
}

/// The box around the point that is shown, in the top-level viewport.
#[expect(clippy::cast_possible_truncation, reason = "px of a viewport")]
fn seen_part(aimed: &Aimed) -> Bounds {
    let (dx, dy) = (
        aimed.point.0 - f64::from(aimed.spot.0) / 100.0,
        aimed.point.1 - f64::from(aimed.spot.1) / 100.0,
    );
    let px = |hundredths: i32| f64::from(hundredths) / 100.0;
    let left = (px(aimed.area[0]) + dx).max(0.0);
    let top = (px(aimed.area[1]) + dy).max(0.0);
    let right = (px(aimed.area[0] + aimed.area[2]) + dx).min(f64::from(aimed.viewport.0));
    let bottom = (px(aimed.area[1] + aimed.area[3]) + dy).min(f64::from(aimed.viewport.1));
    let size = |from: f64, to: f64| u32::try_from((to - from).round().max(0.0) as i64).unwrap_or(0);
    Bounds {
        x: left.round() as i32,
        y: top.round() as i32,
        width: size(left, right),
        height: size(top, bottom),
    }
}
