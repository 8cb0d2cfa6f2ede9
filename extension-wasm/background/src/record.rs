//! Where the bridge's record of calls ended when this profile last heard, home by home. A bridge whose record no longer
//! goes through there was tampered with; it is the bridge that compares.

use std::rc::Rc;

use drawbridge_protocol::link::{RecordEnd, ToBridge};
use futures_util::lock::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::chrome;
use crate::link;
use crate::state::App;

/// Key of the ends in the profile's storage.
const KEY: &str = "records";

/// Homes that are remembered; beyond it the one that was heard of the longest ago is forgotten.
const HOMES: usize = 8;

/// What is remembered; read when it is needed for the first time.
#[derive(Default)]
pub(crate) struct Records(Mutex<Option<Ends>>);

/// Tells the bridge of a home where its record ended. Said once per link, by a profile that is paired.
pub(crate) async fn say(app: Rc<App>, generation: u64, home: String) {
    let end = {
        let mut records = app.records.0.lock().await;
        loaded(&mut records).await.end(&home)
    };
    link::send(&app, generation, &ToBridge::Record { home, end });
}

/// Remembers where the record of a home ends.
pub(crate) async fn keep(app: Rc<App>, home: String, end: RecordEnd) {
    let mut records = app.records.0.lock().await;
    let ends = loaded(&mut records).await;
    if ends.keep(home, end)
        && let Err(failure) = chrome::keep_lasting(&json!({ KEY: ends })).await
    {
        crate::log(&format!("keeping the end of the record: {failure}"));
    }
}

async fn loaded(records: &mut Option<Ends>) -> &mut Ends {
    if records.is_none() {
        let kept = chrome::load_lasting(&[KEY]).await.unwrap_or_else(|failure| {
            crate::log(&format!("loading the ends of records: {failure}"));
            Value::Null
        });
        *records = serde_json::from_value(kept[KEY].clone()).ok();
    }
    records.get_or_insert_default()
}

/// By home, the one that was heard of last at the end.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Ends(Vec<(String, RecordEnd)>);

impl Ends {
    fn end(&self, home: &str) -> Option<RecordEnd> {
        let kept = self.0.iter().find(|(other, _)| other == home)?;
        Some(kept.1.clone())
    }

    /// Whether that is anything new. A record does not get shorter: what says so is not believed.
    fn keep(&mut self, home: String, end: RecordEnd) -> bool {
        if self
            .end(&home)
            .is_some_and(|kept| kept.seq > end.seq || kept == end)
        {
            return false;
        }
        self.0.retain(|(other, _)| *other != home);
        self.0.push((home, end));
        let surplus = self.0.len().saturating_sub(HOMES);
        self.0.drain(..surplus);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(seq: u64, hash: &str) -> RecordEnd {
        RecordEnd {
            seq,
            hash: hash.to_owned(),
        }
    }

    #[test]
    fn an_end_moves_forward_only() {
        let mut ends = Ends::default();
        assert!(ends.keep("a".into(), end(4, "x")));
        assert!(!ends.keep("a".into(), end(4, "x")), "nothing new");
        assert!(!ends.keep("a".into(), end(3, "y")), "it got shorter");
        assert_eq!(ends.end("a"), Some(end(4, "x")));
        assert!(ends.keep("a".into(), end(9, "z")));
        assert_eq!((ends.end("a"), ends.end("b")), (Some(end(9, "z")), None));
    }

    #[test]
    fn the_home_that_was_heard_of_the_longest_ago_is_forgotten() {
        let mut ends = Ends::default();
        for seq in 1..=HOMES as u64 {
            ends.keep(format!("home {seq}"), end(seq, "x"));
        }
        ends.keep("home 1".into(), end(50, "x"));
        ends.keep("another".into(), end(1, "x"));
        assert_eq!(ends.0.len(), HOMES);
        assert_eq!(ends.end("home 2"), None);
        assert_eq!(ends.end("home 1"), Some(end(50, "x")));
        let text = serde_json::to_string(&ends).unwrap();
        let read: Ends = serde_json::from_str(&text).unwrap();
        assert_eq!(read.0, ends.0);
    }
}
