//! Dragging: with the pointer alone, and by the page's own drag and drop, which the browser would otherwise keep to itself.

use drawbridge_protocol::act::{Acted, DragPoint};
use drawbridge_protocol::reader::acting::facts;
use drawbridge_protocol::{Effect, Error};
use serde_json::{Value, json};

use super::{Act, Element, Expects};
use crate::time::{bounded, sleep};

/// How long the browser may take to say that a drag of its own began.
const BEGINS: std::time::Duration = std::time::Duration::from_millis(60);
/// Between two steps, so that the page sees them as such.
const STEP: std::time::Duration = std::time::Duration::from_millis(8);
/// What a command may take.
const COMMAND: std::time::Duration = std::time::Duration::from_secs(2);

impl Act<'_> {
    pub(super) async fn drag(&self, element: &Element, path: &[DragPoint]) -> Result<Acted, Error> {
        let from = self.aim(element).await?;
        // Released where it was pressed, it is a click.
        self.allowed(&element.document, from.has(facts::SUBMITS))?;
        let mut points = vec![from.point];
        for point in path {
            points.push(match point {
                DragPoint::By(x, y) => (from.point.0 + f64::from(*x), from.point.1 + f64::from(*y)),
                DragPoint::Element(locator) => {
                    let other = self.resolve(locator).await?;
                    self.allowed(&other.document, false)?;
                    // It may be covered until the drag begins: only where it is counts.
                    let aimed = self.look_at(&other, false).await?;
                    aimed.visible()?;
                    aimed.point
                }
            });
        }
        let from = self.look_at(element, false).await?;
        if from.point != points[0] {
            return Err(Error::argument(
                "to",
                "and the element that is dragged cannot be on show at once",
            ));
        }
        let events = [
            "mousedown",
            "mousemove",
            "mouseup",
            "dragstart",
            "drop",
            "dragend",
            "input",
            "change",
        ];
        let watch = self.watch(element, &events).await?;
        crate::stop::refuse(self.app, Some(self.tab))?;
        self.hold.still()?;
        self.hold.attached().forget_drag();
        self.dispatching();
        let intercept = |on: bool| json!({"enabled": on});
        if let Err(failure) = self
            .hold
            .send("Input.setInterceptDrags", &intercept(true), COMMAND)
            .await
        {
            return Err(self.undelivered(&failure).effect(Effect::None));
        }
        let dragged = self.drag_along(&points, true).await;
        if let Err(failure) = self
            .hold
            .send("Input.setInterceptDrags", &intercept(false), COMMAND)
            .await
        {
            crate::log(&format!("giving drags back: {failure}"));
        }
        let by_itself = dragged?;
        let any = |seen: &super::look::Collected| {
            seen.got("mousedown") && (!by_itself || seen.events.iter().any(|got| got.event == "dragstart"))
        };
        match self.until_seen(&watch, any).await? {
            Some(seen) if any(&seen) => self.report(watch, seen.each_once(), Expects::default()).await,
            seen => self.left_or_unseen(watch, seen.is_some()).await,
        }
    }

    /// Presses at the first point, moves along the others, releases at the last; the way between two points has steps.
    /// Where the page's own drag and drop is caught, answers whether it took over.
    ///
    /// # Errors
    /// `effect_unknown`.
    pub(super) async fn drag_along(&self, points: &[(f64, f64)], catches: bool) -> Result<bool, Error> {
        let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
            return Ok(false);
        };
        self.mouse_at("mouseMoved", first, json!({})).await?;
        let pressed = json!({"button": "left", "buttons": 1, "clickCount": 1});
        self.mouse_at("mousePressed", first, pressed).await?;
        let mut data: Option<Value> = None;
        for (number, at) in way(points).into_iter().enumerate() {
            if data.is_some() {
                self.drag_event("dragOver", at, data.as_ref()).await?;
                continue;
            }
            self.mouse_at("mouseMoved", at, json!({"button": "left", "buttons": 1}))
                .await?;
            // A drag of the browser begins after a few px.
            if catches && number < 2 {
                data = bounded(BEGINS, self.hold.attached().dragged()).await.ok();
            } else {
                sleep(STEP).await;
                data = self.hold.attached().drag().filter(|_| catches);
            }
            if data.is_some() {
                self.drag_event("dragEnter", at, data.as_ref()).await?;
                self.drag_event("dragOver", at, data.as_ref()).await?;
            }
        }
        if data.is_some() {
            self.drag_event("dragOver", last, data.as_ref()).await?;
            self.drag_event("drop", last, data.as_ref()).await?;
        }
        let released = json!({"button": "left", "buttons": 0, "clickCount": 1});
        self.mouse_at("mouseReleased", last, released).await?;
        Ok(data.is_some())
    }

    async fn drag_event(&self, kind: &str, at: (f64, f64), data: Option<&Value>) -> Result<(), Error> {
        let parameters = json!({"type": kind, "x": at.0, "y": at.1, "data": data});
        self.hold
            .send("Input.dispatchDragEvent", &parameters, COMMAND)
            .await
            .map_err(|failure| self.undelivered(&failure))
    }
}

/// The points between points, one for every few px, so that the page sees a movement and not a jump.
fn way(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    points
        .windows(2)
        .flat_map(|pair| {
            let ((x, y), (dx, dy)) = (pair[0], (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
            let steps = steps(dx.hypot(dy));
            (1..=steps).map(move |step| {
                let part = f64::from(step) / f64::from(steps);
                (x + dx * part, y + dy * part)
            })
        })
        .collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped before"
)]
fn steps(far: f64) -> u32 {
    (far / 12.0).ceil().clamp(1.0, 12.0) as u32
}
