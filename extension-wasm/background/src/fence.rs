//! Ids of tabs as they stand on the wire: `t<browser's number>.<fence>`. Pure.

use drawbridge_protocol::ids::TabId;
use drawbridge_protocol::{Code, Error};

/// A random word that changes with every run of the browser, whose tab numbers start anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fence(pub(crate) String);

impl Fence {
    /// The id of a tab of this run.
    pub(crate) fn id(&self, tab: i64) -> TabId {
        TabId(format!("t{tab}.{}", self.0))
    }

    /// The browser's number of a tab of this run.
    ///
    /// # Errors
    /// `tab_gone` for an id of an earlier run, and for what never was an id.
    pub(crate) fn tab(&self, id: &TabId) -> Result<i64, Error> {
        let inner = id
            .as_str()
            .strip_prefix('t')
            .and_then(|rest| rest.split_once('.'));
        match inner {
            Some((number, fence)) if fence == self.0 => number.parse().map_err(|_| gone(id)),
            _ => Err(gone(id)),
        }
    }
}

/// The tab of an id is not there.
pub(crate) fn gone(id: &TabId) -> Error {
    Error::new(
        Code::TabGone,
        format!("tab {id} is closed, or belongs to an earlier run of the browser"),
    )
    .hint("list the tabs, or open a new one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_comes_back_as_its_number() {
        let fence = Fence("abc".into());
        assert_eq!(fence.id(17).as_str(), "t17.abc");
        assert_eq!(fence.tab(&fence.id(17)), Ok(17));
    }

    #[test]
    fn ids_of_another_run_and_other_words_are_gone() {
        let fence = Fence("abc".into());
        for id in ["t17.abd", "17.abc", "t17", "t.abc", "tx.abc", "", "t17.abc.abc"] {
            assert_eq!(
                fence.tab(&id.into()).map_err(|error| error.code),
                Err(Code::TabGone),
                "{id}"
            );
        }
    }
}
