//! What the journal says. Pure.

use drawbridge_protocol::ids::SessionId;
use serde::{Deserialize, Serialize};

/// Address at which our tabs open; the nonce follows.
const BIRTHPLACE: &str = "about:blank#drawbridge-";

/// How long an intent without a tab is kept: longer than the browser takes to open one.
const INTENT_MS: f64 = 15_000.0;

/// All entries, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Book {
    pub(crate) entries: Vec<Entry>,
}

/// A tab that is ours, or is about to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    /// Random; part of the address at which the tab opens.
    pub(crate) nonce: String,
    /// Whose it is.
    pub(crate) owner: Owner,
    /// The browser's number of it, once it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tab: Option<i64>,
    /// The window that was opened for its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) window: Option<i64>,
    /// It has to go and did not yet.
    #[serde(default)]
    pub(crate) closing: bool,
    /// When the intent was written, in milliseconds since the Unix epoch.
    pub(crate) at_ms: f64,
}

/// Whose tab it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Owner {
    /// A read's, for as long as that read runs in this worker.
    Private,
    /// A session's.
    Session(SessionId),
}

impl Entry {
    /// Where its tab opens.
    pub(crate) fn birthplace(&self) -> String {
        birthplace(&self.nonce)
    }

    /// Whether it belongs to a session.
    pub(crate) fn is_of(&self, session: &SessionId) -> bool {
        matches!(&self.owner, Owner::Session(owner) if owner == session)
    }
}

/// What every address at which a tab of ours opens starts with.
pub(crate) fn birthplace_prefix() -> &'static str {
    BIRTHPLACE
}

/// Where the tab of an intent opens.
pub(crate) fn birthplace(nonce: &str) -> String {
    format!("{BIRTHPLACE}{nonce}")
}

impl Book {
    pub(super) fn intend(&mut self, nonce: String, owner: Owner, at_ms: f64) {
        self.entries.push(Entry {
            nonce,
            owner,
            tab: None,
            window: None,
            closing: false,
            at_ms,
        });
    }

    pub(super) fn opened(&mut self, nonce: &str, tab: i64, window: Option<i64>) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.nonce == nonce) {
            entry.tab = Some(tab);
            entry.window = window;
        }
    }

    pub(super) fn drop_intent(&mut self, nonce: &str) {
        self.entries
            .retain(|entry| entry.nonce != nonce || entry.tab.is_some());
    }

    pub(super) fn closing(&mut self, tab: i64) -> bool {
        let session = |entry: &&mut Entry| matches!(entry.owner, Owner::Session(_)) && entry.tab == Some(tab);
        match self.entries.iter_mut().find(session) {
            Some(entry) => !std::mem::replace(&mut entry.closing, true),
            None => false,
        }
    }

    pub(super) fn gone(&mut self, tab: i64) -> Option<Entry> {
        let at = self.entries.iter().position(|entry| entry.tab == Some(tab))?;
        Some(self.entries.remove(at))
    }

    pub(super) fn forget(&mut self, before_ms: f64) {
        self.entries.retain(|entry| entry.at_ms >= before_ms);
    }

    pub(super) fn tidy(&mut self, gone: &[i64], now_ms: f64) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| match entry.tab {
            Some(tab) => !gone.contains(&tab),
            None => now_ms - entry.at_ms < INTENT_MS,
        });
        self.entries.len() != before
    }

    /// The tabs of all entries.
    pub(crate) fn tabs(&self) -> Vec<i64> {
        self.entries.iter().filter_map(|entry| entry.tab).collect()
    }

    /// The entry of a tab.
    pub(crate) fn of_tab(&self, tab: i64) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.tab == Some(tab))
    }

    /// The tabs of a session, oldest first.
    pub(crate) fn tabs_of(&self, session: &SessionId) -> Vec<i64> {
        self.entries
            .iter()
            .filter(|entry| entry.is_of(session))
            .filter_map(|entry| entry.tab)
            .collect()
    }

    /// The window that was opened for a session.
    pub(crate) fn window_of(&self, session: &SessionId) -> Option<i64> {
        self.entries
            .iter()
            .filter(|entry| entry.is_of(session))
            .find_map(|entry| entry.window)
    }

    pub(super) fn sessions(&self) -> Vec<SessionId> {
        let mut sessions: Vec<SessionId> = Vec::new();
        for entry in &self.entries {
            if let Owner::Session(session) = &entry.owner
                && !sessions.contains(session)
            {
                sessions.push(session.clone());
            }
        }
        sessions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Book {
        let mut book = Book::default();
        book.intend("a".into(), Owner::Private, 1_000.0);
        book.intend("b".into(), Owner::Session("s-1".into()), 2_000.0);
        book.opened("b", 7, Some(3));
        book
    }

    #[test]
    fn a_tab_is_found_by_its_number_and_by_its_session() {
        let book = book();
        assert_eq!(book.of_tab(7).map(|entry| entry.nonce.as_str()), Some("b"));
        assert_eq!(book.tabs_of(&"s-1".into()), [7]);
        assert_eq!(book.window_of(&"s-1".into()), Some(3));
        assert_eq!(book.sessions(), ["s-1".into()]);
        assert!(book.tabs_of(&"s-2".into()).is_empty());
    }

    #[test]
    fn an_intent_outlives_a_sweep_and_not_its_time() {
        let mut book = book();
        assert!(!book.tidy(&[], 2_000.0));
        assert!(book.tidy(&[7], 2_000.0), "the tab is gone");
        assert_eq!(book.entries.len(), 1);
        assert!(book.tidy(&[], 1_000.0 + INTENT_MS));
        assert!(book.entries.is_empty());
    }

    #[test]
    fn a_new_run_of_the_browser_forgets_what_was_before_it() {
        let mut book = book();
        book.forget(1_500.0);
        assert_eq!(book.entries.len(), 1);
        assert_eq!(book.gone(7).map(|entry| entry.nonce), Some("b".to_owned()));
        assert_eq!(book.gone(7), None);
    }

    #[test]
    fn it_reads_what_it_wrote() {
        let book = book();
        let json = serde_json::to_string(&book).unwrap();
        assert_eq!(serde_json::from_str::<Book>(&json).unwrap(), book);
        assert!(
            json.contains(r#""owner":"private""#) && json.contains(r#""owner":{"session":"s-1"}"#),
            "{json}"
        );
    }

    #[test]
    fn a_tab_that_opened_is_no_intent_any_more() {
        let mut book = book();
        book.drop_intent("b");
        book.drop_intent("a");
        assert_eq!(book.entries.len(), 1);
        assert!(book.closing(7));
        assert!(!book.closing(7), "said once");
        assert!(!book.closing(8));
    }
}
