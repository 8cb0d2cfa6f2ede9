//! What came of an action: which events the page's own document got, and what changed.

use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::act::{Acted, Changed, Moved, Scrolled};
use drawbridge_protocol::outline::Ref;
use drawbridge_protocol::reader::acting::ActOp;
use drawbridge_protocol::{Code, Effect, Error};
use futures_util::future::{Either, select};

use super::{Act, Element, gone};
use crate::columns::Columns;
use crate::navigate::Navigation;
use crate::port::Trouble;
use crate::text::cut;
use crate::time::{Late, bounded, now, sleep};
use crate::{address, popups};

/// How long an event that was caused may take to be seen.
const SEEN: Duration = Duration::from_millis(250);
/// How long between two looks for it.
const LOOKS: Duration = Duration::from_millis(10);
/// How long a navigation or tab that is to be expected may take to begin.
const BEGINS: Duration = Duration::from_millis(500);
/// How long a navigation that began may take to bring its document, before it is told as on its way.
const COMES: Duration = Duration::from_secs(5);
/// Characters of a value that are told.
const VALUE: usize = 200;

/// A document is watched, from before the action on.
pub(crate) struct Watch {
    pub(crate) element: Element,
    events: Vec<String>,
    before: State,
    url: String,
    epoch: i32,
    commits: u64,
    errors: u32,
    navigation: Rc<Navigation>,
}

/// What an element and its document are like.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// Whether the element is there.
    pub(crate) is_there: bool,
    /// −1: no box; 0, 1; 2 mixed.
    pub(crate) checked: i32,
    /// −1: says nothing; 0, 1.
    pub(crate) expanded: i32,
    /// Where the nearest box that scrolls is scrolled to, CSS px.
    pub(crate) scroll: (i32, i32),
    /// What it holds; `filled` for a secret; `None`: it is no field.
    pub(crate) value: Option<String>,
    /// Labels of the chosen options.
    pub(crate) selected: Option<Vec<String>>,
    /// Why it is invalid.
    pub(crate) validation: String,
    /// Words for where the keyboard is.
    pub(crate) focused: String,
}

impl Watch {
    /// What the element was like when it began.
    pub(crate) fn before(&self) -> &State {
        &self.before
    }
}

/// An event that the document got.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Got {
    /// Its type.
    pub(crate) event: String,
    /// Whether the element got it.
    pub(crate) is_on: bool,
    /// Whether the page prevented what it does by itself.
    pub(crate) prevented: bool,
}

/// What was seen so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Collected {
    /// The element now.
    pub(crate) state: State,
    /// Events of a person meanwhile.
    pub(crate) person: i32,
    /// Nodes that changed.
    pub(crate) nodes: u32,
    /// Whether the page may still open a tab because it was used: once it did, it may not.
    pub(crate) may_open: bool,
    /// Events, in order.
    pub(crate) events: Vec<Got>,
    /// The document's address now.
    pub(crate) url: String,
}

/// What is likely to follow, and worth a moment's wait.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expects {
    /// Another document.
    pub(crate) navigation: bool,
    /// A tab.
    pub(crate) tab: bool,
}

impl Collected {
    /// Whether the element got this event.
    pub(crate) fn got(&self, event: &str) -> bool {
        self.events.iter().any(|got| got.is_on && got.event == event)
    }

    /// Whether anything else got it instead.
    pub(crate) fn strayed(&self, event: &str) -> bool {
        self.events.iter().any(|got| !got.is_on && got.event == event)
    }

    /// Events that came, each once, in order.
    pub(crate) fn each_once(&self) -> Vec<String> {
        let mut once: Vec<String> = Vec::new();
        for got in &self.events {
            if !once.contains(&got.event) {
                once.push(got.event.clone());
            }
        }
        once
    }

    /// Whether the page prevented what this event does by itself.
    pub(crate) fn prevented(&self, event: &str) -> bool {
        self.events.iter().any(|got| got.event == event && got.prevented)
    }
}

impl Act<'_> {
    /// Begins to watch an element's document for these events, and for whatever changes.
    ///
    /// # Errors
    /// `stale_ref`, and those of the document.
    pub(crate) async fn watch(&self, element: &Element, events: &[&str]) -> Result<Watch, Error> {
        let events: Vec<String> = events.iter().map(|&event| event.to_owned()).collect();
        let navigation = self.app.navigations.watch(self.tab);
        let op = ActOp::Expect {
            r#ref: element.r#ref,
            events: events.clone(),
        };
        let mut columns = self.ask(&element.document, &op).await?;
        let before = state(&mut columns)?;
        if element.r#ref > 0 && !before.is_there {
            return Err(gone(element));
        }
        Ok(Watch {
            element: element.clone(),
            events,
            before,
            epoch: columns.epoch,
            url: columns.url,
            commits: navigation.commits(),
            errors: self.hold.attached().errors(),
            navigation,
        })
    }

    /// What was seen so far; `None` once the document is gone.
    ///
    /// # Errors
    /// Those of the document.
    pub(crate) async fn collect(&self, watch: &Watch, end: bool) -> Result<Option<Collected>, Error> {
        let mut columns = match self
            .try_ask(&watch.element.document, &ActOp::Collect { end })
            .await
        {
            Ok(columns) => columns?,
            // An error page takes no questions.
            Err(Trouble::Gone | Trouble::Unreadable(_)) => return Ok(None),
            Err(trouble) => return Err(self.trouble(&trouble)),
        };
        // Another document may stand in the frame before the browser says so.
        if columns.epoch != watch.epoch {
            return Ok(None);
        }
        let mut collected = Collected {
            state: state(&mut columns)?,
            person: columns.int()?,
            nodes: u32::try_from(columns.int()?).unwrap_or(0),
            may_open: columns.int()? == 1,
            events: Vec::new(),
            url: columns.url.clone(),
        };
        for _ in 0..columns.int()? {
            let index = usize::try_from(columns.int()?).unwrap_or(usize::MAX);
            let is_on = columns.int()? == 1;
            let prevented = columns.int()? == 1;
            if let Some(event) = watch.events.get(index) {
                collected.events.push(Got {
                    event: event.clone(),
                    is_on,
                    prevented,
                });
            }
        }
        Ok(Some(collected))
    }

    /// Looks until `enough` was seen, for as long as an event may take to arrive. `None` once the document is gone.
    ///
    /// # Errors
    /// Those of the document.
    pub(crate) async fn until_seen(
        &self,
        watch: &Watch,
        enough: impl Fn(&Collected) -> bool,
    ) -> Result<Option<Collected>, Error> {
        let began = now();
        loop {
            let Some(collected) = self.collect(watch, false).await? else {
                return Ok(None);
            };
            if enough(&collected) || now().saturating_sub(began) >= SEEN || self.left().is_zero() {
                return Ok(Some(collected));
            }
            sleep(LOOKS).await;
        }
    }

    /// Whether a document other than the one that was acted in is there, or on its way.
    pub(crate) fn is_leaving(&self, watch: &Watch) -> bool {
        watch.navigation.commits() > watch.commits || watch.navigation.is_under_way()
    }

    /// Tells what came of an action that was seen, after what is likely to follow had its moment.
    ///
    /// # Errors
    /// `user_aborted` when the person ended it.
    pub(crate) async fn report(
        &self,
        watch: Watch,
        confirmed: Vec<String>,
        expects: Expects,
    ) -> Result<Acted, Error> {
        self.hold.still()?;
        let follows = self.follows(&watch, expects);
        let dialog = match select(
            std::pin::pin!(follows),
            std::pin::pin!(self.hold.attached().dialog_opened()),
        )
        .await
        {
            Either::Left(((), _)) => self.hold.attached().dialog(),
            Either::Right((dialog, _)) => Some(dialog),
        };
        let collected = match dialog {
            // The document does not answer while it is open.
            Some(_) => None,
            None => match self.collect(&watch, true).await {
                Ok(collected) => collected,
                Err(error) if error.code == Code::DialogOpen => None,
                Err(error) => return Err(error),
            },
        };
        let mut changed = Changed {
            new_tabs: popups::take(self.app, self.tab).await,
            errors: self.hold.attached().errors().saturating_sub(watch.errors),
            dialog: dialog.or_else(|| self.hold.attached().dialog()),
            ..Changed::default()
        };
        if let Some(seen) = watch.navigation.seen(watch.commits) {
            changed.navigation = Some(Moved {
                document: Some(seen.document.as_str().into()),
                url: told_address(&seen.url),
            });
        } else if watch.navigation.is_under_way() {
            changed.navigation = Some(Moved {
                url: String::new(),
                document: None,
            });
        }
        if let Some(collected) = collected {
            difference(&watch, collected, &mut changed);
        }
        Ok(Acted {
            r#ref: (watch.element.r#ref > 0).then(|| Ref::element(watch.element.r#ref)),
            confirmed,
            bounds: None,
            changed,
        })
    }

    /// Tells what came of an action that this alone confirms.
    ///
    /// # Errors
    /// Those of [`Act::report`].
    pub(crate) async fn confirm(&self, watch: Watch, confirmed: &str) -> Result<Acted, Error> {
        self.report(watch, vec![confirmed.to_owned()], Expects::default())
            .await
    }

    /// Where nothing was seen: a document that goes, or one that is on its way, says that much.
    ///
    /// # Errors
    /// `effect_unknown`.
    pub(crate) async fn left_or_unseen(&self, watch: Watch, is_there: bool) -> Result<Acted, Error> {
        if is_there && !self.is_leaving(&watch) {
            return Err(unseen());
        }
        self.confirm(watch, "navigation").await
    }

    /// After a form was told to submit itself.
    ///
    /// # Errors
    /// `no_effect` with why the form is not valid.
    pub(crate) async fn submitted(&self, watch: Watch) -> Result<Acted, Error> {
        let seen = self
            .until_seen(&watch, |seen| seen.strayed("submit") || seen.got("submit"))
            .await?;
        match seen {
            Some(seen) if seen.events.iter().any(|got| got.event == "submit") => {
                let expects = Expects {
                    navigation: !seen.prevented("submit"),
                    tab: false,
                };
                self.report(watch, vec!["submit".to_owned()], expects).await
            }
            Some(seen) if seen.events.iter().any(|got| got.event == "invalid") => Err(Error::new(
                Code::NoEffect,
                "the form is not valid, so the browser did not submit it",
            )
            .hint("observe it: fields that are not valid say why")
            .effect(Effect::None)),
            seen => self.left_or_unseen(watch, seen.is_some()).await,
        }
    }

    /// Gives what is likely to follow its moment, and a navigation that began the time to bring its document.
    async fn follows(&self, watch: &Watch, expects: Expects) {
        let navigation = &watch.navigation;
        let bound = |time: Duration| time.min(self.left());
        if expects.navigation {
            // What does not come is not told.
            let _: Result<(), Late> = bounded(bound(BEGINS), navigation.begun(watch.commits)).await;
        }
        if expects.tab {
            let began = now();
            while !popups::is_any(self.app, self.tab) && now().saturating_sub(began) < bound(BEGINS) {
                sleep(LOOKS).await;
            }
        }
        if !self.settle.is_zero() {
            sleep(bound(self.settle)).await;
        }
        if navigation.is_under_way() {
            let _: Result<(), Late> = bounded(bound(COMES), navigation.rests()).await;
        }
    }
}

/// It was dispatched, and the page was not seen to get it.
pub(crate) fn unseen() -> Error {
    Error::new(
        Code::EffectUnknown,
        "it was dispatched, and the page was not seen to get it",
    )
    .hint("observe the page before doing it again")
    .effect(Effect::Unknown)
}

fn state(columns: &mut Columns) -> Result<State, Error> {
    let is_there = columns.int()? == 1;
    let checked = columns.int()?;
    let expanded = columns.int()?;
    let scroll = (columns.int()?, columns.int()?);
    columns.int()?;
    Ok(State {
        is_there,
        checked,
        expanded,
        scroll,
        value: columns.text()?,
        selected: columns.text()?.map(|labels| {
            labels
                .split('\u{1}')
                .map(|label| cut(label.trim(), VALUE))
                .collect()
        }),
        validation: columns.text()?.unwrap_or_default(),
        focused: columns.text()?.unwrap_or_default(),
    })
}

fn difference(watch: &Watch, now: Collected, changed: &mut Changed) {
    let (before, after) = (&watch.before, now.state);
    if now.url != watch.url {
        changed.address = Some(told_address(&now.url));
    }
    changed.nodes = now.nodes;
    if after.focused != before.focused {
        changed.focused = Some(after.focused);
    }
    if before.scroll != after.scroll {
        changed.scrolled = Some(Scrolled {
            from_x: before.scroll.0,
            from_y: before.scroll.1,
            x: after.scroll.0,
            y: after.scroll.1,
        });
    }
    if !after.is_there {
        return;
    }
    if after.value != before.value {
        changed.value = after.value.as_deref().map(|value| cut(value, VALUE));
    }
    if after.selected != before.selected {
        changed.selected = after.selected;
    }
    if after.checked != before.checked && after.checked >= 0 {
        changed.checked =
            Some(["false", "true", "mixed"][usize::try_from(after.checked.min(2)).unwrap_or(0)].to_owned());
    }
    if after.expanded != before.expanded && after.expanded >= 0 {
        changed.expanded = Some(after.expanded == 1);
    }
    if !after.validation.is_empty() && after.validation != before.validation {
        changed.validation = Some(cut(&after.validation, VALUE));
    }
}

/// An address as it is told: not one of those that nobody is told of.
fn told_address(url: &str) -> String {
    if address::is_kept_back(url) {
        return String::new();
    }
    cut(url, VALUE)
}
