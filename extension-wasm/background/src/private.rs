//! A private tab: opened for one read with the profile's login, without focus, and closed on every exit of that read.

use std::rc::Rc;

use drawbridge_protocol::Error;
use serde_json::json;

use crate::calls::Context;
use crate::chrome;
use crate::journal::Owner;
use crate::navigate::Navigation;
use crate::state::App;
use crate::time::now;
use crate::{close, tabs, unreadable};

/// A private tab while its read runs.
pub(crate) struct PrivateTab {
    pub(crate) id: i64,
    pub(crate) navigation: Rc<Navigation>,
}

/// Opens a private tab, does the work in it and closes it, whatever the work ends in. The work is dropped where it is
/// when the call has to stop; the tab is seen closed before this returns, or journaled to be closed.
///
/// # Errors
/// Those of opening, of the work, `cancelled` or `timeout`.
pub(crate) async fn with<T>(
    app: &Rc<App>,
    context: &Context,
    work: impl AsyncFnOnce(&PrivateTab) -> Result<T, Error>,
) -> Result<T, Error> {
    let began = now();
    // Not to be dropped half way: a tab that opens has to be known.
    let opened = open(app).await?;
    context.hop("tab_open", began);
    let tab = PrivateTab {
        id: opened.id,
        navigation: app.navigations.watch(opened.id),
    };
    let result = context.run(work(&tab)).await;
    let ended = now();
    let closing = close::close(app, opened.id).await;
    // From here on the sweep may have it.
    app.held.borrow_mut().remove(&opened.nonce);
    if closing == close::Closing::Pending {
        crate::log("a private tab did not close yet");
    }
    context.hop("tab_close", ended);
    result
}

impl PrivateTab {
    /// Sets off a load, and answers with what a wait for it has to go beyond.
    ///
    /// # Errors
    /// The browser did not take it.
    pub(crate) async fn load(&self, url: &str) -> Result<u64, Error> {
        let before = self.navigation.commits();
        chrome::update_tab(self.id, &json!({"url": url, "autoDiscardable": false}))
            .await
            .map_err(|failure| unreadable::failed("loading the address", &failure))?;
        Ok(before)
    }

    /// Moves the tab into an unfocused window of its own, where pages get frames and intersections.
    ///
    /// # Errors
    /// The browser did not open the window.
    pub(crate) async fn move_to_window(&self) -> Result<(), Error> {
        chrome::create_window(&json!({"tabId": self.id, "focused": false}))
            .await
            .map(drop)
            .map_err(|failure| unreadable::failed("moving the tab into a window", &failure))
    }
}

async fn open(app: &Rc<App>) -> Result<tabs::OpenTab, Error> {
    let window = chrome::normal_window()
        .await
        .map_err(|failure| unreadable::failed("looking for a window", &failure))?;
    let place = window.map_or(tabs::Spot::NewWindow, tabs::Spot::Window);
    tabs::open_at(app, Owner::Private, place).await
}
