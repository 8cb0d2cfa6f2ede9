//! Dragging: with the pointer alone, and by the page's own drag and drop, which the browser would otherwise keep to itself.

use drawbridge_protocol::act::{Acted, DragPoint};
use drawbridge_protocol::reader::acting::facts;
use drawbridge_protocol::{Effect, Error};
use serde_json::{Value, json};

use super::look::unseen;
use super::{Act, Element, Expects};
use crate::time::{bounded, sleep};

/// How long the browser may take to say that a drag of its own began.
const BEGINS: std::time::Duration = std::time::Duration::from_millis(60);
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
        let dragged = self.along(&points).await;
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
            Some(seen) if any(&seen) => {
                let mut confirmed: Vec<String> = Vec::new();
                for got in seen.events {
                    if !confirmed.contains(&got.event) {
                        confirmed.push(got.event);
                    }
                }
                self.report(watch, confirmed, Expects::default()).await
            }
            Some(_) if !self.is_leaving(&watch) => Err(unseen()),
            Some(_) | None => {
                self.report(watch, vec!["navigation".to_owned()], Expects::default())
                    .await
            }
        }
    }

    /// Presses, moves, releases. Answers whether the page's own drag and drop took over.
    async fn along(&self, points: &[(f64, f64)]) -> Result<bool, Error> {
        let first = points[0];
        self.mouse_at("mouseMoved", first, json!({})).await?;
        let pressed = json!({"button": "left", "buttons": 1, "clickCount": 1});
        self.mouse_at("mousePressed", first, pressed).await?;
        let mut from = first;
        let mut data: Option<Value> = None;
        let mut moves = 0;
        for &to in &points[1..] {
            let steps = super::pointer::steps(from, to);
            for step in 1..=steps {
                let part = f64::from(step) / f64::from(steps);
                let at = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
                moves += 1;
                match &data {
                    None => {
                        self.mouse_at("mouseMoved", at, json!({"button": "left", "buttons": 1}))
                            .await?;
                        if moves <= 2 {
                            // A drag of the browser begins after a few px.
                            if let Ok(begun) = bounded(BEGINS, self.hold.attached().dragged()).await {
                                data = Some(begun);
                                self.drag_event("dragEnter", at, data.as_ref()).await?;
                                self.drag_event("dragOver", at, data.as_ref()).await?;
                            }
                        } else {
                            sleep(std::time::Duration::from_millis(8)).await;
                            if let Some(begun) = self.hold.attached().drag() {
                                data = Some(begun);
                                self.drag_event("dragEnter", at, data.as_ref()).await?;
                            }
                        }
                    }
                    Some(_) => self.drag_event("dragOver", at, data.as_ref()).await?,
                }
            }
            from = to;
        }
        let last = points[points.len() - 1];
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
