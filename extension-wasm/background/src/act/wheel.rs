//! Turning the wheel.

use std::time::Duration;

use drawbridge_protocol::act::{Acted, Changed, Scrolled};
use drawbridge_protocol::{Code, Effect, Error};
use serde_json::json;

use super::look::unseen;
use super::{Act, Element, gone};
use crate::time::{now, sleep};

/// How long a page may go on moving after the wheel turned.
const MOVES: Duration = Duration::from_millis(1_500);
/// It has come to rest when two looks so far apart agree.
const LOOKS: Duration = Duration::from_millis(40);

impl Act<'_> {
    pub(super) async fn wheel(&self, element: Option<&Element>, by: (i32, i32)) -> Result<Acted, Error> {
        let (element, point) = match element {
            Some(element) => {
                let aimed = self.aim(element).await?;
                (element.clone(), aimed.point)
            }
            None => {
                let page = Element {
                    document: self.shown.document.clone(),
                    r#ref: 0,
                };
                (page, self.middle().await?)
            }
        };
        self.allowed(&element.document, false)?;
        let watch = self.watch(&element, &["wheel", "scroll"]).await?;
        crate::stop::refuse(self.app, Some(self.tab))?;
        self.dispatching();
        let turned = json!({"deltaX": by.0, "deltaY": by.1});
        self.mouse_at("mouseMoved", point, json!({})).await?;
        self.mouse_at("mouseWheel", point, turned).await?;
        let Some(seen) = self.until_seen(&watch, |seen| !seen.events.is_empty()).await? else {
            return Err(gone(&element).effect(Effect::Unknown));
        };
        if seen.events.is_empty() {
            return Err(unseen());
        }
        let began = now();
        let mut last = seen.state.scroll;
        let mut prevented = seen.prevented("wheel");
        let mut moved = seen.events.iter().any(|got| got.event == "scroll");
        while now().saturating_sub(began) < MOVES && !self.left().is_zero() {
            sleep(LOOKS).await;
            let Some(seen) = self.collect(&watch, false).await? else {
                break;
            };
            prevented |= seen.prevented("wheel");
            moved |= seen.events.iter().any(|got| got.event == "scroll");
            let rests = seen.state.scroll == last;
            last = seen.state.scroll;
            if rests {
                break;
            }
        }
        let acted = self.confirm(watch, "wheel").await?;
        let did = moved || prevented || acted.changed != Changed::default();
        if !did {
            let (x, y) = last;
            return Err(
                Error::new(Code::NoEffect, "the wheel turned, and nothing scrolled")
                    .hint("it may be at its end, or another box scrolls: name one inside of it with target")
                    .effect(Effect::Committed)
                    .data(json!({"scrolled": Scrolled { from_x: x, from_y: y, x, y }})),
            );
        }
        Ok(acted)
    }

    /// The middle of the top-level viewport, CSS px.
    pub(super) async fn middle(&self) -> Result<(f64, f64), Error> {
        let (width, height) = self.viewport().await?;
        Ok((f64::from(width) / 2.0, f64::from(height) / 2.0))
    }
}
