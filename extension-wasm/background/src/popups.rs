//! Tabs that pages of our tabs opened: kept by the tab whose page did it until somebody is told.

use std::cell::RefCell;
use std::collections::HashMap;

use drawbridge_protocol::act::NewTab;
use serde::Deserialize;

use crate::state::App;
use crate::{address, chrome};

/// Tabs remembered per opener at most; a page that opens more than that tells nothing by each of them.
const MOST: usize = 20;

/// Tabs that opened, by their opener.
#[derive(Debug, Default)]
pub(crate) struct Popups {
    opened: RefCell<HashMap<i64, Vec<Opened>>>,
}

/// A tab that opened; told once by the tab's own event and once by that of its navigation.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Opened {
    tab_id: i64,
    source_tab_id: i64,
    url: String,
}

impl Popups {
    fn note(&self, opened: Opened) {
        let mut all = self.opened.borrow_mut();
        let of_opener = all.entry(opened.source_tab_id).or_default();
        match of_opener.iter().position(|one| one.tab_id == opened.tab_id) {
            Some(_) if opened.url.is_empty() => {}
            Some(known) => of_opener[known].url = opened.url,
            None if of_opener.len() < MOST => of_opener.push(opened),
            None => {}
        }
    }

    /// A tab was closed: it opens nothing any more, and there is nothing to tell of it.
    pub(crate) fn gone(&self, tab: i64) {
        let mut all = self.opened.borrow_mut();
        all.remove(&tab);
        all.values_mut()
            .for_each(|opened| opened.retain(|one| one.tab_id != tab));
    }

    fn take(&self, opener: i64) -> Vec<Opened> {
        self.opened.borrow_mut().remove(&opener).unwrap_or_default()
    }
}

/// Notes a tab that a page opened, if the page is in a tab of a session.
pub(crate) fn opened(app: &App, opened: Opened) {
    if app.journal.book().of_tab(opened.source_tab_id).is_some() {
        app.popups.note(opened);
    }
}

/// Whether a page of this tab opened one that nobody was told of.
pub(crate) fn is_any(app: &App, opener: i64) -> bool {
    let all = app.popups.opened.borrow();
    all.get(&opener).is_some_and(|opened| !opened.is_empty())
}

/// The tabs that pages of a tab opened since this was last asked, each told once.
pub(crate) async fn take(app: &App, opener: i64) -> Vec<NewTab> {
    let mut told = Vec::new();
    for one in app.popups.take(opener) {
        // Where it is by now; it may have been blank at first.
        let now = chrome::tab(one.tab_id)
            .await
            .ok()
            .map(|tab| match tab.url.is_empty() {
                true => tab.pending_url.unwrap_or_default(),
                false => tab.url,
            });
        let url = now
            .filter(|url| !url.is_empty() && url != "about:blank")
            .unwrap_or(one.url);
        told.push(NewTab {
            tab: app.fence.id(one.tab_id),
            opener: app.fence.id(opener),
            url: if address::is_kept_back(&url) {
                String::new()
            } else {
                url
            },
        });
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tab(tab_id: i64, url: &str) -> Opened {
        Opened {
            tab_id,
            source_tab_id: 1,
            url: url.to_owned(),
        }
    }

    #[test]
    fn a_tab_is_told_once_with_the_address_that_came_last() {
        let popups = Popups::default();
        popups.note(tab(2, ""));
        popups.note(tab(2, "https://a.example/"));
        popups.note(tab(2, ""));
        popups.note(tab(3, "about:blank"));
        popups.gone(3);
        assert_eq!(popups.take(1), [tab(2, "https://a.example/")]);
        assert_eq!(popups.take(1), []);
    }

    #[test]
    fn a_flood_of_tabs_is_bounded() {
        let popups = Popups::default();
        (2..100).for_each(|number| popups.note(tab(number, "")));
        assert_eq!(popups.take(1).len(), MOST);
    }
}
