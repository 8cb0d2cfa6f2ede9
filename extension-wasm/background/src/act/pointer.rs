//! Input at points, whatever is there: the last resort, for what has no element.

use drawbridge_protocol::act::{Acted, Button, Gesture, Point};
use drawbridge_protocol::reader::acting::{ActOp, facts};
use drawbridge_protocol::{Code, Effect, Error};
use serde_json::json;

use super::click::{bits, name, number_of};
use super::{Act, Element, Expects};

impl Act<'_> {
    pub(super) async fn gesture(&self, gesture: &Gesture) -> Result<Acted, Error> {
        let points: Vec<Point> = match gesture {
            Gesture::Click { at, .. } | Gesture::Move { at } | Gesture::Scroll { at, .. } => vec![*at],
            Gesture::Drag { path } => path.clone(),
        };
        let submits = self.under(&points, gesture).await?;
        let page = Element {
            document: self.shown.document.clone(),
            r#ref: 0,
        };
        self.allowed(&page.document, submits)?;
        let (events, proof): (&[&str], &str) = match gesture {
            Gesture::Click { .. } => (
                &[
                    "mousedown",
                    "mouseup",
                    "click",
                    "dblclick",
                    "auxclick",
                    "contextmenu",
                    "mousedown",
                ],
                "mousedown",
            ),
            Gesture::Move { .. } => (&["mousemove"], "mousemove"),
            Gesture::Drag { .. } => (
                &["mousedown", "mousemove", "mouseup", "click", "drop"],
                "mousedown",
            ),
            Gesture::Scroll { .. } => (&["wheel", "scroll"], "wheel"),
        };
        let watch = self.watch(&page, events).await?;
        crate::stop::refuse(self.app, Some(self.tab))?;
        self.hold.still()?;
        self.dispatching();
        match gesture {
            Gesture::Click {
                at,
                button,
                count,
                modifiers,
            } => {
                let held = bits(modifiers);
                let point = (at.x, at.y);
                self.mouse_at("mouseMoved", point, json!({"modifiers": held}))
                    .await?;
                for number in 1..=*count {
                    let (button, down) = (name(*button), number_of(*button));
                    let more =
                        json!({"button": button, "buttons": down, "clickCount": number, "modifiers": held});
                    self.mouse_at("mousePressed", point, more).await?;
                    let more = json!({"button": button, "clickCount": number, "modifiers": held});
                    self.mouse_at("mouseReleased", point, more).await?;
                }
            }
            Gesture::Move { at } => self.mouse_at("mouseMoved", (at.x, at.y), json!({})).await?,
            Gesture::Scroll { at, delta_x, delta_y } => {
                let turned = json!({"deltaX": delta_x, "deltaY": delta_y});
                self.mouse_at("mouseWheel", (at.x, at.y), turned).await?;
            }
            Gesture::Drag { path } => {
                let points: Vec<(f64, f64)> = path.iter().map(|at| (at.x, at.y)).collect();
                self.drag_along(&points, false).await?;
            }
        }
        let any = |seen: &super::look::Collected| seen.events.iter().any(|got| got.event == proof);
        match self.until_seen(&watch, any).await? {
            Some(seen) if any(&seen) => self.report(watch, seen.each_once(), Expects::default()).await,
            seen => self.left_or_unseen(watch, seen.is_some()).await,
        }
    }

    /// Looks at what is under points of the main document. Answers whether a press there would submit a form.
    async fn under(&self, points: &[Point], gesture: &Gesture) -> Result<bool, Error> {
        let presses = matches!(gesture, Gesture::Click { .. } | Gesture::Drag { .. });
        let pastes = matches!(
            gesture,
            Gesture::Click {
                button: Button::Middle,
                ..
            }
        );
        let mut submits = false;
        // What lies between the ends of a drag is passed over.
        let ends = match points {
            [first, .., last] => vec![first, last],
            [first] => vec![first],
            [] => Vec::new(),
        };
        for at in ends {
            #[expect(clippy::cast_possible_truncation, reason = "px of a viewport")]
            let op = ActOp::Under {
                x: (at.x * 100.0) as i32,
                y: (at.y * 100.0) as i32,
            };
            let mut columns = self.ask(&self.shown.document, &op).await?;
            let found = columns.int()?;
            let said = columns.int()?;
            self.person(columns.int()?)?;
            let words = columns.text()?.unwrap_or_default();
            if found != 1 {
                return Err(Error::argument("x", "and y lie outside of the viewport"));
            }
            if said & facts::FRAME != 0 {
                return Err(Error::new(
                    Code::Unsupported,
                    format!("there is a frame at that point ({words}), whose document would get the input"),
                )
                .hint("act on refs inside of it: observe lists them")
                .effect(Effect::None));
            }
            if pastes && said & (facts::FIELD | facts::EDITABLE) != 0 {
                return Err(Error::new(
                    Code::Unsupported,
                    "the middle button pastes what the person selected elsewhere, which no action here may",
                )
                .effect(Effect::None));
            }
            submits |= presses && said & facts::SUBMITS != 0;
        }
        Ok(submits)
    }

    /// Width and height of the top-level viewport, CSS px.
    pub(super) async fn viewport(&self) -> Result<(i32, i32), Error> {
        let mut columns = self
            .ask(&self.shown.document, &ActOp::Under { x: 0, y: 0 })
            .await?;
        for _ in 0..2 {
            columns.int()?;
        }
        self.person(columns.int()?)?;
        columns.text()?;
        Ok((columns.int()?, columns.int()?))
    }
}
