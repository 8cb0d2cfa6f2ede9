//! Moments and bounded waiting. Worker timers are not throttled, whatever the page's tab does.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Time since this worker started.
pub(crate) type Moment = Duration;

/// The time ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Late;

/// The present moment.
pub(crate) fn now() -> Moment {
    Duration::from_secs_f64(performance_now() / 1000.0)
}

/// Milliseconds since the Unix epoch.
pub(crate) fn wall_ms() -> f64 {
    js_sys::Date::now()
}

/// The present moment in UTC as RFC 3339 has it.
pub(crate) fn stamp() -> String {
    String::from(js_sys::Date::new_0().to_iso_string())
}

/// Milliseconds since `start`.
pub(crate) fn ms_since(start: Moment) -> f64 {
    now().saturating_sub(start).as_secs_f64() * 1000.0
}

/// Waits.
pub(crate) async fn sleep(time: Duration) {
    let timer = Timer::start(time);
    // A timer's promise never rejects.
    drop(JsFuture::from(timer.promise.clone()).await);
}

/// Waits for `work`, but no longer than `time`.
pub(crate) async fn bounded<T>(time: Duration, work: impl Future<Output = T>) -> Result<T, Late> {
    match select(pin!(work), pin!(sleep(time))).await {
        Either::Left((done, _)) => Ok(done),
        Either::Right(_) => Err(Late),
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, milliseconds: f64) -> f64;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: f64);
}

/// Cleared when dropped, so that a wait which ended otherwise leaves nothing behind.
struct Timer {
    id: f64,
    promise: Promise,
}

impl Timer {
    fn start(time: Duration) -> Self {
        let mut id = 0.0;
        let promise = Promise::new(&mut |resolve, _| {
            id = set_timeout(&resolve, (time.as_secs_f64() * 1000.0).ceil());
        });
        Self { id, promise }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(self.id);
    }
}
