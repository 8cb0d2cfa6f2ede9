//! How far a recipe got, told by the work and asked after it was dropped.

use std::cell::Cell;

use drawbridge_protocol::link::WindowPolicy;
use drawbridge_protocol::recipe::Visibility;
use drawbridge_protocol::{Code, Error};

use crate::time::{Moment, ms_since};

/// How far a recipe got.
pub(super) struct Progress {
    policy: WindowPolicy,
    moved: Cell<bool>,
    page: Cell<u32>,
    interactive: Cell<bool>,
    load_ms: Cell<f64>,
    read_ms: Cell<f64>,
}

impl Progress {
    /// Nothing yet.
    pub(super) fn new(policy: WindowPolicy) -> Self {
        Self {
            policy,
            moved: Cell::new(false),
            page: Cell::new(1),
            interactive: Cell::new(false),
            load_ms: Cell::new(0.0),
            read_ms: Cell::new(0.0),
        }
    }

    /// A page loads.
    pub(super) fn loading(&self, page: u32) {
        self.page.set(page);
        self.interactive.set(false);
    }

    /// Its markup is read.
    pub(super) fn interactive(&self) {
        self.interactive.set(true);
    }

    /// A page that was asked for at `began` was ready at `looked`, and is read now.
    pub(super) fn add(&self, began: Moment, looked: Moment) {
        let read = ms_since(looked);
        self.load_ms.set(self.load_ms.get() + ms_since(began) - read);
        self.read_ms.set(self.read_ms.get() + read);
    }

    /// Whether the tab may move into a window now.
    pub(super) fn may_move(&self) -> bool {
        self.policy == WindowPolicy::WhenNeeded && !self.moved.get()
    }

    /// It did.
    pub(super) fn moved(&self) {
        self.moved.set(true);
    }

    /// Where the tab is.
    pub(super) fn visibility(&self) -> Visibility {
        if self.moved.get() {
            Visibility::Window
        } else {
            Visibility::Background
        }
    }

    /// From the demand to the sight of `ready`, all pages.
    pub(super) fn load_ms(&self) -> f64 {
        self.load_ms.get()
    }

    /// The reads themselves, all pages.
    pub(super) fn read_ms(&self) -> f64 {
        self.read_ms.get()
    }

    /// What the deadline cut off.
    pub(super) fn timeout(&self) -> Error {
        let page = self.page.get();
        if !self.interactive.get() {
            return Error::new(
                Code::Timeout,
                format!("page {page} did not load before the deadline"),
            )
            .hint("the site is slow or does not answer; try again later");
        }
        let message = format!("page {page} loaded, and neither `ready` nor `empty` was ever visible");
        if self.policy == WindowPolicy::Never && !self.moved.get() {
            return Error::new(
                Code::Timeout,
                format!("{message}; the tab was hidden, and pages that draw only when seen stay blank there"),
            )
            .hint("allow a window: settings set recipe.window when_needed");
        }
        Error::new(Code::Timeout, message)
            .hint("look at the page with browser_inspect selectors; the site may have changed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_says_what_was_missing() {
        let progress = Progress::new(WindowPolicy::Never);
        progress.loading(2);
        assert!(progress.timeout().message.contains("page 2 did not load"));
        progress.interactive();
        assert!(
            progress.timeout().message.contains("`ready`") && progress.timeout().message.contains("hidden")
        );
        let shown = Progress::new(WindowPolicy::WhenNeeded);
        shown.interactive();
        assert!(!shown.timeout().message.contains("hidden"));
        assert!(shown.may_move());
        shown.moved();
        assert!(!shown.may_move());
        assert_eq!(shown.visibility(), Visibility::Window);
    }
}
