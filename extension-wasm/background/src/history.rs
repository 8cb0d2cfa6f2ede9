//! Going through a tab's history, and loading its document again.

use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::act::{History, needs};
use drawbridge_protocol::ids::{SessionId, TabId};
use drawbridge_protocol::link::BrowserReply;
use drawbridge_protocol::reader::PortOp;
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::{Code, Effect, Error};
use futures_util::future::{Either, pending, select};
use serde::Deserialize;
use serde_json::json;

use crate::calls::Context;
use crate::chrome::{self, Failure};
use crate::debugger::{self, Hold};
use crate::journal::birthplace_prefix;
use crate::navigate::{self, Loaded, Navigation, Seen};
use crate::state::App;
use crate::time::{Late, bounded, now, sleep};
use crate::{address, dialogs, port, stop, tabs, unreadable};

/// What the browser may take to say which entries there are, and to begin.
const COMMAND: Duration = Duration::from_secs(2);
/// How often a document that was kept is asked how far it is: the browser tells its phases only when they are reached.
const ASKED: Duration = Duration::from_millis(100);
/// What a document may take to say so.
const SAYS: Duration = Duration::from_millis(500);

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Entries {
    current_index: usize,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Entry {
    id: i64,
    url: String,
    #[serde(rename = "transitionType")]
    transition: String,
}

/// Goes there and waits for a phase, or until a dialog opens.
///
/// # Errors
/// `not_found` without such an entry, `needs_approval` for a reload that would submit a form again, `dialog_open`,
/// `user_aborted`, and those of a load.
pub(crate) async fn go(
    app: &Rc<App>,
    context: &Context,
    session: &SessionId,
    tab: &TabId,
    go: History,
    wait_until: Phase,
    may_submit: bool,
) -> Result<BrowserReply, Error> {
    let none = |error: Error| error.effect(Effect::None);
    let number = tabs::owned(app, session, tab).await.map_err(none)?;
    stop::refuse(app, Some(number))?;
    let hold = context.run(debugger::hold(app, number)).await.map_err(none)?;
    // A dialog that is open is in the way of everything.
    let standing = async { Ok(dialogs::standing(app, number).await) };
    if let Some(dialog) = context.run(standing).await.map_err(none)? {
        return Err(none(dialogs::error(&dialog)));
    }
    let navigation = app.navigations.watch(number);
    let began = now();
    let way = context
        .run(way(app, &hold, number, go, may_submit))
        .await
        .map_err(none)?;
    let going = Going {
        app,
        context,
        tab: number,
        hold: &hold,
        navigation: &navigation,
    };
    let load = going.load(&way, wait_until);
    let loaded = navigate::in_sight(Some(&hold), number, &navigation, load).await?;
    context.hop("page_load", began);
    Ok(navigate::navigated(loaded, &way.url))
}

/// What is asked of the browser.
struct Way {
    method: &'static str,
    parameters: serde_json::Value,
    url: String,
}

/// Which command gets there.
async fn way(app: &App, hold: &Hold, tab: i64, go: History, may_submit: bool) -> Result<Way, Error> {
    let failed = |failure| unreadable::failed("asking for the tab's history", &failure);
    let listed: Entries = hold
        .ask("Page.getNavigationHistory", &json!({}), COMMAND)
        .await
        .map_err(failed)?;
    let here = listed.entries.get(listed.current_index);
    if let History::Reload | History::HardReload = go {
        // The history forgets the form once its page was loaded again.
        let submitted = app.navigations.watch(tab).is_submitted() || here.is_some_and(is_submitted);
        if !may_submit && submitted {
            let document = chrome::main_frame(tab).await.map_err(failed)?.unwrap_or_default();
            return Err(again(&document.document_id));
        }
        let url = match here {
            Some(here) => here.url.clone(),
            None => chrome::tab(tab).await.map_err(failed)?.url,
        };
        return Ok(Way {
            method: "Page.reload",
            parameters: json!({"ignoreCache": go == History::HardReload}),
            url,
        });
    }
    let entry = entry(&listed, go)?;
    Ok(Way {
        method: "Page.navigateToHistoryEntry",
        parameters: json!({"entryId": entry.id}),
        url: entry.url,
    })
}

/// Whether the entry came from a form. The history does not tell by which method, so every one counts.
fn is_submitted(entry: &Entry) -> bool {
    entry.transition == "form_submit"
}

/// Why a document is not loaded again.
fn again(document: &str) -> Error {
    Error::new(
        Code::NeedsApproval,
        "to load this page again may submit its form again, which needs a person's decision first",
    )
    .data(json!({"needs": needs::SUBMIT, "document": document}))
}

/// The entry before or after the present one.
fn entry(listed: &Entries, go: History) -> Result<Entry, Error> {
    let (at, word) = match go {
        History::Back => (listed.current_index.checked_sub(1), "back"),
        History::Forward => (listed.current_index.checked_add(1), "forward"),
        History::Reload | History::HardReload => (Some(listed.current_index), "here"),
    };
    let found = at
        .and_then(|at| listed.entries.get(at))
        // The tab was born there, before it was anybody's.
        .filter(|entry| !entry.url.starts_with(birthplace_prefix()));
    match found {
        Some(entry) if address::is_shown(&entry.url) => Ok(entry.clone()),
        Some(_) => Err(Error::new(
            Code::NavigationBlocked,
            format!("the history leads {word} to a page that is never opened"),
        )
        .hint("only http:, https: and about:blank")),
        None => Err(Error::new(
            Code::NotFound,
            format!("the tab's history has no entry to go {word} to"),
        )
        .hint("navigate to the address instead")),
    }
}

struct Going<'g> {
    app: &'g App,
    context: &'g Context,
    tab: i64,
    hold: &'g Hold,
    navigation: &'g Navigation,
}

impl Going<'_> {
    async fn load(&self, way: &Way, phase: Phase) -> Result<Loaded, Error> {
        // Kept back, so that the result of a load that takes too long still arrives.
        let until = self.context.deadline().saturating_sub(Duration::from_millis(100));
        let (commits, moves) = (self.navigation.commits(), self.navigation.moves());
        let unknown = |error: Error| error.effect(Effect::Unknown);
        self.navigation.give_up(&way.url);
        let sent = async {
            match self.hold.send(way.method, &way.parameters, COMMAND).await {
                // What comes of it is seen by itself.
                Ok(()) | Err(Failure::Late) => Ok(()),
                Err(failure) => Err(unreadable::failed("going through the history", &failure)),
            }
        };
        self.context.run(sent).await.map_err(unknown)?;
        let reached = self.navigation.reached(commits, phase);
        let (kept, inside) = (
            pin!(self.kept(commits)),
            pin!(self.inside(commits, moves, &way.url)),
        );
        let arrival = async {
            match select(pin!(reached), select(kept, inside)).await {
                Either::Left((Ok(seen), _))
                | Either::Right((Either::Left((seen, _)) | Either::Right((seen, _)), _)) => Ok(seen),
                Either::Left((Err(trouble), _)) => {
                    let effect = unreadable::effect(&trouble);
                    Err(unreadable::trouble(&trouble, &way.url).effect(effect))
                }
            }
        };
        let left = until.saturating_sub(now());
        let waited = self
            .context
            .run(async { Ok(bounded(left, arrival).await) })
            .await
            .map_err(unknown)?;
        match waited {
            Ok(arrived) => Ok(loaded(arrived?, false)),
            Err(Late) => match self.navigation.seen(commits) {
                Some(seen) => Ok(loaded(seen, true)),
                None => Err(unknown(
                    Error::new(
                        Code::Timeout,
                        format!("{} did not answer before the deadline", address::quoted(&way.url)),
                    )
                    .hint("look at the tab before going on, or give the call more time"),
                )),
            },
        }
    }

    /// Waits until the document that was there is at the address: it stays, and is as far as it is.
    async fn inside(&self, commits: u64, moves: u64, url: &str) -> Seen {
        let mut moves = moves;
        loop {
            self.navigation.beyond(commits, moves).await;
            if self.navigation.commits() > commits {
                return pending().await;
            }
            moves = self.navigation.moves();
            if let Ok(Some(shown)) = chrome::main_frame(self.tab).await
                && shown.url == url
            {
                return Seen {
                    document: shown.document_id,
                    url: shown.url,
                    phase: Phase::Load,
                };
            }
        }
    }

    /// Waits until a document that came says itself that it is loaded: one that was kept in the back/forward cache is at
    /// once, and the browser does not tell.
    async fn kept(&self, commits: u64) -> Seen {
        loop {
            sleep(ASKED).await;
            let Some(seen) = self.navigation.seen(commits) else {
                continue;
            };
            let nothing = PortOp::Holds { refs: Vec::new() };
            let columns = port::run(self.app, self.tab, &seen.document, &nothing, SAYS).await;
            if columns.is_ok_and(|columns| port::is_complete(&columns)) {
                return Seen {
                    phase: Phase::Load,
                    ..seen
                };
            }
        }
    }
}

fn loaded(seen: Seen, timed_out: bool) -> Loaded {
    Loaded {
        seen,
        timed_out,
        dialog: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(current: usize, urls: &[&str]) -> Entries {
        Entries {
            current_index: current,
            entries: (1..)
                .zip(urls)
                .map(|(id, url)| Entry {
                    id,
                    url: (*url).to_owned(),
                    transition: "link".to_owned(),
                })
                .collect(),
        }
    }

    #[test]
    fn history_ends_where_the_tab_was_born() {
        let born = format!("{}x", birthplace_prefix());
        let listed = listed(1, &[&born, "https://a.example/"]);
        for go in [History::Back, History::Forward] {
            assert_eq!(entry(&listed, go).unwrap_err().code, Code::NotFound);
        }
    }

    #[test]
    fn only_an_entry_that_a_form_led_to_is_submitted_again() {
        let said = json!({"currentIndex": 1, "entries": [
            {"id": 1, "url": "https://a.example/", "transitionType": "typed"},
            {"id": 2, "url": "https://a.example/paid", "transitionType": "form_submit"},
        ]});
        let listed: Entries = serde_json::from_value(said).unwrap();
        assert!(!is_submitted(&listed.entries[0]));
        assert!(is_submitted(&listed.entries[listed.current_index]));
        let error = again("D");
        assert_eq!(error.code, Code::NeedsApproval);
        assert_eq!(
            error.data,
            Some(json!({"needs": "browser.submit", "document": "D"}))
        );
    }

    #[test]
    fn one_entry_back_or_forward_unless_it_is_never_opened() {
        let all = ["https://a.example/", "https://b.example/", "chrome://settings/"];
        let listed = listed(1, &all);
        assert_eq!(entry(&listed, History::Back).unwrap().id, 1);
        assert_eq!(
            entry(&listed, History::Forward).unwrap_err().code,
            Code::NavigationBlocked
        );
    }
}
