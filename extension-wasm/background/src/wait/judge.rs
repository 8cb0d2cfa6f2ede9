//! Whether what was seen is what is waited for. Pure.

use drawbridge_protocol::act::{Until, Wait, WaitState, Waited};

/// What one look at a page found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Seen {
    /// A failure text that can be seen.
    pub(super) failure: Option<String>,
    /// A text that can be seen.
    pub(super) text: Option<String>,
    /// Elements: all, those that can be seen, those of them that are enabled.
    pub(super) total: u32,
    pub(super) visible: u32,
    pub(super) enabled: u32,
    /// Whether the page's markup is read: what is not there yet is not gone.
    pub(super) is_parsed: bool,
}

/// How the wait ends by what was seen, if it does.
pub(super) fn judge(wait: &Wait, seen: &Seen) -> Option<Waited> {
    if let Some(text) = &seen.failure {
        return Some(Waited::Failure { text: text.clone() });
    }
    let is_there = match &wait.until {
        Until::Text { .. } => seen.text.is_some(),
        Until::TextGone { .. } => seen.is_parsed && seen.text.is_none(),
        Until::Element { state, .. } => match state {
            WaitState::Visible => seen.visible == 1,
            WaitState::Enabled => seen.visible == 1 && seen.enabled == 1,
            WaitState::Attached => seen.total > 0,
            WaitState::Hidden => seen.is_parsed && seen.visible == 0,
            WaitState::Detached => seen.is_parsed && seen.total == 0,
        },
        Until::Load | Until::Url { .. } | Until::Response { .. } | Until::Idle { .. } | Until::Download => {
            false
        }
    };
    let matched = match &wait.until {
        Until::Text { .. } => seen.text.clone(),
        _ => None,
    };
    is_there.then_some(Waited::Success { matched })
}

/// Whether an address, or a part of it, is what is waited for.
pub(super) fn is_at(url: &str, text: &str, exact: bool) -> bool {
    if exact { url == text } else { url.contains(text) }
}

/// Whether an address has the parts of a pattern, in order; `*` stands for anything between them.
pub(super) fn fits(url: &str, pattern: &str) -> bool {
    let mut rest = url;
    pattern.split('*').all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawbridge_protocol::page::{By, Locator};

    fn wait(until: Until) -> Wait {
        Wait {
            until,
            failures: Vec::new(),
            waited_ms: 0,
        }
    }

    fn element(state: WaitState) -> Wait {
        wait(Until::Element {
            locator: Locator::new(By::Text("x".into())),
            state,
        })
    }

    fn counts(total: u32, visible: u32, enabled: u32) -> Seen {
        Seen {
            total,
            visible,
            enabled,
            is_parsed: true,
            ..Seen::default()
        }
    }

    #[test]
    fn states_are_about_what_can_be_seen() {
        let fits = |state, seen: [u32; 3]| {
            let [total, visible, enabled] = seen;
            judge(&element(state), &counts(total, visible, enabled)).is_some()
        };
        assert!(fits(WaitState::Visible, [3, 1, 0]) && !fits(WaitState::Visible, [3, 2, 2]));
        assert!(fits(WaitState::Enabled, [1, 1, 1]) && !fits(WaitState::Enabled, [1, 1, 0]));
        assert!(fits(WaitState::Hidden, [2, 0, 0]) && !fits(WaitState::Hidden, [2, 1, 1]));
        assert!(fits(WaitState::Attached, [2, 0, 0]) && !fits(WaitState::Attached, [0, 0, 0]));
        assert!(fits(WaitState::Detached, [0, 0, 0]) && !fits(WaitState::Detached, [1, 0, 0]));
    }

    #[test]
    fn what_is_not_there_yet_is_not_gone() {
        let loading = Seen::default();
        for until in [
            wait(Until::TextGone { text: "x".into() }),
            element(WaitState::Hidden),
            element(WaitState::Detached),
        ] {
            assert_eq!(judge(&until, &loading), None);
            assert!(judge(&until, &counts(0, 0, 0)).is_some());
        }
    }

    #[test]
    fn a_failure_comes_before_a_success() {
        let both = Seen {
            failure: Some("Declined".into()),
            text: Some("Thanks".into()),
            ..Seen::default()
        };
        let any = wait(Until::Text {
            any: vec!["Thanks".into()],
        });
        let failed = Waited::Failure {
            text: "Declined".into(),
        };
        assert_eq!(judge(&any, &both), Some(failed.clone()));
        assert_eq!(judge(&wait(Until::Load), &both), Some(failed));
    }

    #[test]
    fn patterns_have_their_parts_in_order() {
        let url = "https://a.example/api/orders/7?page=2";
        for pattern in ["", "*", "/api/", "api*7", "*page=2", "https*orders*2"] {
            assert!(fits(url, pattern), "{pattern}");
        }
        for pattern in ["orders*api", "/API/", "7*7"] {
            assert!(!fits(url, pattern), "{pattern}");
        }
        assert!(is_at(url, "/orders", false) && !is_at(url, "/orders", true) && is_at(url, url, true));
    }
}
