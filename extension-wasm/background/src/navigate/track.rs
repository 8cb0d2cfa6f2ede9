//! What is known about a tab's main frame, event by event. Pure.
//!
//! <https://developer.chrome.com/docs/extensions/reference/api/webNavigation>

use drawbridge_protocol::tools::page::Phase;
use serde::Deserialize;

use crate::address;
use crate::journal::birthplace_prefix;

/// Which event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `onBeforeNavigate`
    Before,
    /// `onCommitted`
    Committed,
    /// `onDOMContentLoaded`
    Parsed,
    /// `onCompleted`
    Completed,
    /// `onErrorOccurred`
    Failed,
    /// `onReferenceFragmentUpdated`, `onHistoryStateUpdated`
    Moved,
}

/// What the event says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Event {
    pub(crate) tab_id: i64,
    pub(crate) url: String,
    pub(crate) document_id: Option<String>,
    pub(crate) document_lifecycle: Option<String>,
    pub(crate) error: Option<String>,
    /// Of a commit: what led there, such as `link`, `form_submit` or `reload`.
    pub(crate) transition_type: String,
}

/// A document that was committed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    /// The browser's id of it.
    pub(crate) document: String,
    /// Its address now.
    pub(crate) url: String,
    /// How far it got.
    pub(crate) phase: Phase,
}

/// What came instead of the document that was waited for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// The tab was closed.
    Gone,
    /// The browser shows an error page: its word for the error.
    Failed(String),
    /// It was dropped without a document: a download, no content, or the page stopped it.
    Dropped(String),
    /// A document at an address that no tab of ours may show.
    Blocked(String),
}

/// The browser's word for a navigation that was given up without an error page.
const ABORTED: &str = "net::ERR_ABORTED";

#[derive(Debug, Default)]
pub(super) struct Track {
    pub(super) commits: u64,
    pub(super) moves: u64,
    pub(super) gone: bool,
    current: Option<Seen>,
    /// Whether a form led to the newest document, however often it was loaded again since.
    pub(super) submitted: bool,
    /// Navigations that began and neither committed nor failed yet.
    open: u32,
    /// How many of them were given up for another one, and the address that was asked for then.
    given_up: (u32, String),
    /// How the last of them failed: the browser's word, and the address.
    failed: Option<(String, String)>,
}

impl Track {
    /// Takes an event; says whether anything changed.
    pub(super) fn take(&mut self, kind: Kind, event: &Event) -> bool {
        let prerendered = event.document_lifecycle.as_deref() == Some("prerender");
        if prerendered || event.url.starts_with(birthplace_prefix()) {
            return false;
        }
        let is_current = |seen: &Seen| event.document_id.as_deref() == Some(seen.document.as_str());
        match kind {
            Kind::Before => {
                self.open += 1;
                self.failed = None;
            }
            Kind::Committed => {
                self.open = self.open.saturating_sub(1);
                self.failed = None;
                let (left, asked) = &mut self.given_up;
                if *left > 0 && !address::same_page(&event.url, asked) {
                    *left -= 1;
                } else {
                    *left = 0;
                    self.commits += 1;
                }
                if event.transition_type != "reload" {
                    self.submitted = event.transition_type == "form_submit";
                }
                let document = event.document_id.clone().unwrap_or_default();
                self.current = Some(Seen {
                    document,
                    url: event.url.clone(),
                    phase: Phase::Commit,
                });
            }
            Kind::Parsed | Kind::Completed => {
                let phase = if kind == Kind::Parsed {
                    Phase::DomContentLoaded
                } else {
                    Phase::Load
                };
                match self.current.as_mut().filter(|seen| is_current(seen)) {
                    Some(seen) => seen.phase = seen.phase.max(phase),
                    None => return false,
                }
            }
            Kind::Failed => {
                let error = event.error.clone().unwrap_or_default();
                if let Some(seen) = self.current.as_mut().filter(|seen| is_current(seen)) {
                    // The document is there and its loading was stopped: no more will come.
                    seen.phase = Phase::Load;
                    return true;
                }
                self.open = self.open.saturating_sub(1);
                self.given_up.0 = self.given_up.0.saturating_sub(1);
                self.failed = Some((error, event.url.clone()));
            }
            Kind::Moved => {
                self.moves += 1;
                match self.current.as_mut().filter(|seen| is_current(seen)) {
                    Some(seen) => seen.url.clone_from(&event.url),
                    None => return true,
                }
            }
        }
        true
    }

    /// What is under way is given up for another address. Too far to be stopped, it may still come, and then is not what
    /// is waited for from here on.
    pub(super) fn give_up(&mut self, asked: &str) {
        self.given_up = (self.open, asked.to_owned());
    }

    /// The newest document, if it came after `before`.
    pub(super) fn seen(&self, before: u64) -> Option<Seen> {
        self.current.clone().filter(|_| self.commits > before)
    }

    /// Whether a navigation began that neither committed nor failed yet.
    pub(super) fn is_under_way(&self) -> bool {
        self.open > 0
    }

    /// The newest document.
    pub(super) fn newest(&self) -> Option<Seen> {
        self.current.clone()
    }

    /// Whether a wait beyond `before` is over.
    pub(super) fn look(&self, before: u64, phase: Phase) -> Option<Result<Seen, Trouble>> {
        if self.gone {
            return Some(Err(Trouble::Gone));
        }
        let seen = self.seen(before);
        if let Some((error, url)) = self.failed.as_ref().filter(|_| self.open == 0) {
            match (error.as_str(), &seen) {
                // A document is there and only what it set off afterwards was dropped.
                (ABORTED, Some(_)) => {}
                (ABORTED, None) => return Some(Err(Trouble::Dropped(error.clone()))),
                // The browser's error page stands at that address now.
                (_, _) if !address::is_shown(url) => return Some(Err(Trouble::Blocked(url.clone()))),
                (_, _) => return Some(Err(Trouble::Failed(error.clone()))),
            }
        }
        let seen = seen?;
        if !address::is_shown(&seen.url) {
            return Some(Err(Trouble::Blocked(seen.url)));
        }
        (seen.phase >= phase).then_some(Ok(seen))
    }

    /// Whether something followed a navigation that was dropped.
    pub(super) fn moved_on(&self, before: u64) -> bool {
        self.gone
            || self.open > 0
            || self.commits > before
            || self.failed.as_ref().is_none_or(|(error, _)| error != ABORTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(url: &str, document: &str) -> Event {
        Event {
            tab_id: 1,
            url: url.to_owned(),
            document_id: (!document.is_empty()).then(|| document.to_owned()),
            ..Event::default()
        }
    }

    fn failure(url: &str, error: &str) -> Event {
        Event {
            error: Some(error.to_owned()),
            ..event(url, "")
        }
    }

    fn fed(events: &[(Kind, Event)]) -> Track {
        let mut track = Track::default();
        for (kind, event) in events {
            track.take(*kind, event);
        }
        track
    }

    const A: &str = "https://a.example/";
    const B: &str = "https://b.example/";

    #[test]
    fn a_wait_is_never_satisfied_by_the_document_that_was_there() {
        let mut track = fed(&[
            (Kind::Before, event(A, "")),
            (Kind::Committed, event(A, "1")),
            (Kind::Completed, event(A, "1")),
        ]);
        let before = track.commits;
        assert_eq!(track.look(before, Phase::Commit), None);
        track.take(Kind::Before, &event(B, ""));
        track.take(Kind::Completed, &event(A, "1"));
        assert_eq!(track.look(before, Phase::Load), None);
        track.take(Kind::Committed, &event(B, "2"));
        assert_eq!(track.look(before, Phase::Load), None);
        track.take(Kind::Completed, &event(B, "2"));
        let seen = Seen {
            document: "2".into(),
            url: B.into(),
            phase: Phase::Load,
        };
        assert_eq!(track.look(before, Phase::Load), Some(Ok(seen)));
    }

    #[test]
    fn phases_of_an_earlier_document_do_not_count() {
        let mut track = fed(&[(Kind::Committed, event(A, "1")), (Kind::Committed, event(B, "2"))]);
        assert!(!track.take(Kind::Completed, &event(A, "1")));
        assert_eq!(track.seen(0).map(|seen| seen.phase), Some(Phase::Commit));
    }

    #[test]
    fn a_navigation_that_was_given_up_and_still_comes_is_not_the_one_that_is_waited_for() {
        for old_comes in [true, false] {
            let mut track = fed(&[(Kind::Committed, event(A, "1")), (Kind::Before, event(A, ""))]);
            let before = track.commits;
            track.give_up(B);
            match old_comes {
                true => track.take(Kind::Committed, &event(A, "2")),
                false => track.take(Kind::Failed, &failure(A, ABORTED)),
            };
            assert_eq!(track.seen(before), None, "{old_comes}");
            track.take(Kind::Before, &event(B, ""));
            track.take(Kind::Committed, &event(B, "3"));
            let seen = track.look(before, Phase::Commit);
            assert!(
                matches!(&seen, Some(Ok(seen)) if seen.document == "3"),
                "{old_comes}: {seen:?}"
            );
        }
    }

    #[test]
    fn a_document_that_is_loaded_again_still_came_from_its_form() {
        let mut track = Track::default();
        for (transition, submitted) in [
            ("link", false),
            ("reload", false),
            ("form_submit", true),
            ("reload", true),
            ("reload", true),
            ("typed", false),
        ] {
            let commit = Event {
                transition_type: transition.to_owned(),
                ..event(A, "1")
            };
            track.take(Kind::Committed, &commit);
            assert_eq!(track.submitted, submitted, "{transition}");
        }
    }

    #[test]
    fn our_birthplace_is_no_document() {
        let blank = format!("{}xyz", birthplace_prefix());
        let track = fed(&[
            (Kind::Before, event(&blank, "")),
            (Kind::Committed, event(&blank, "0")),
        ]);
        assert_eq!((track.commits, track.open), (0, 0));
    }

    #[test]
    fn a_prerendered_document_is_left_alone() {
        let prerendered = Event {
            document_lifecycle: Some("prerender".into()),
            ..event(B, "9")
        };
        assert_eq!(fed(&[(Kind::Committed, prerendered)]).commits, 0);
    }

    #[test]
    fn an_error_page_is_a_failure_before_and_after_a_document() {
        let refused = "net::ERR_CONNECTION_REFUSED";
        let mut track = fed(&[(Kind::Before, event(A, "")), (Kind::Failed, failure(A, refused))]);
        assert_eq!(
            track.look(0, Phase::Commit),
            Some(Err(Trouble::Failed(refused.into())))
        );
        track.take(Kind::Before, &event(A, ""));
        assert_eq!(track.look(0, Phase::Commit), None, "another try is on its way");
    }

    #[test]
    fn a_dropped_navigation_waits_for_the_one_that_replaced_it() {
        let mut track = fed(&[
            (Kind::Before, event(A, "")),
            (Kind::Before, event(B, "")),
            (Kind::Failed, failure(A, ABORTED)),
        ]);
        assert_eq!(track.look(0, Phase::Commit), None);
        track.take(Kind::Committed, &event(B, "2"));
        assert!(matches!(track.look(0, Phase::Commit), Some(Ok(_))));
        let download = fed(&[(Kind::Before, event(A, "")), (Kind::Failed, failure(A, ABORTED))]);
        assert!(matches!(
            download.look(0, Phase::Commit),
            Some(Err(Trouble::Dropped(_)))
        ));
    }

    #[test]
    fn a_download_that_a_page_starts_does_not_end_the_page() {
        let track = fed(&[
            (Kind::Before, event(A, "")),
            (Kind::Committed, event(A, "1")),
            (Kind::Completed, event(A, "1")),
            (Kind::Before, event(B, "")),
            (Kind::Failed, failure(B, ABORTED)),
        ]);
        assert!(matches!(track.look(0, Phase::Load), Some(Ok(_))));
    }

    #[test]
    fn other_schemes_are_blocked() {
        let own = "chrome-extension://abc/popup.html";
        for events in [
            vec![(Kind::Committed, event("chrome://settings/", "1"))],
            vec![
                (Kind::Before, event(A, "")),
                (Kind::Failed, failure(own, "net::ERR_BLOCKED_BY_CLIENT")),
            ],
        ] {
            assert!(matches!(
                fed(&events).look(0, Phase::Commit),
                Some(Err(Trouble::Blocked(_)))
            ));
        }
    }
}
