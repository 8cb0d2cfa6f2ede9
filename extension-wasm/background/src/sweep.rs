//! Closes what an earlier worker, or a close that did not succeed, left behind.

use std::rc::Rc;

use futures_util::future::join_all;
use serde_json::json;

use crate::chrome::{self, Tab};
use crate::close;
use crate::journal::{Entry, Owner};
use crate::state::App;

/// Compares the journal with the tabs there are. Runs at each start of the worker and at each sweep alarm.
pub(crate) async fn run(app: &Rc<App>) {
    if app.sweeping.replace(true) {
        return;
    }
    let known = app.journal.book().tabs();
    match chrome::tabs(&json!({})).await {
        Ok(tabs) => {
            let orphans = orphans(app, &tabs);
            join_all(orphans.into_iter().map(|tab| close::close(app, tab))).await;
            // Only tabs that were known before the list was made: one that opened since is not in it.
            let gone: Vec<i64> = known
                .into_iter()
                .filter(|tab| !tabs.iter().any(|there| there.id == *tab))
                .collect();
            app.journal.tidy(&gone);
            app.journal.arm();
        }
        Err(failure) => crate::log(&format!("listing tabs for the sweep: {failure}")),
    }
    app.sweeping.set(false);
}

fn orphans(app: &App, tabs: &[Tab]) -> Vec<i64> {
    let book = app.journal.book();
    let found = |entry: &Entry| match entry.tab {
        Some(tab) => tabs.iter().any(|there| there.id == tab).then_some(tab),
        None => tabs.iter().find(|tab| is_born_of(tab, entry)).map(|tab| tab.id),
    };
    book.entries
        .iter()
        .filter(|entry| is_orphan(app, entry))
        .filter_map(found)
        .collect()
}

fn is_orphan(app: &App, entry: &Entry) -> bool {
    if app.held.borrow().contains(&entry.nonce) {
        return false;
    }
    match &entry.owner {
        Owner::Private => true,
        Owner::Session(_) => entry.closing || entry.tab.is_none(),
    }
}

fn is_born_of(tab: &Tab, entry: &Entry) -> bool {
    let birthplace = entry.birthplace();
    tab.url == birthplace || tab.pending_url.as_deref() == Some(birthplace.as_str())
}
