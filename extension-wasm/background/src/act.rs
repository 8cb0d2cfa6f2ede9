//! Doing things on a page: resolve the element, see that it can be done, dispatch it, see what came of it.
//!
//! Nothing is dispatched before the element, its document and everything around it were looked at; nothing is called done
//! that the page's own document was not seen to get.

mod aim;
mod check;
mod choose;
mod click;
mod drag;
mod exact;
mod field;
mod fill;
mod keys;
mod listed;
mod look;
mod pointer;
mod resolve;
mod set;
mod wheel;

use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::act::{AGAIN, Acted, Action, Button, May, needs};
use drawbridge_protocol::ids::DocumentId;
use drawbridge_protocol::link::{BrowserReply, Place};
use drawbridge_protocol::page::Locator;
use drawbridge_protocol::reader::acting::{ActOp, facts};
use drawbridge_protocol::{Code, Effect, Error};
use futures_util::future::{Either, join, join_all, select};
use serde::Serialize;
use serde_json::json;

use crate::calls::Context;
use crate::columns::Columns;
use crate::debugger::{self, Hold};
use crate::frames::Chosen;
use crate::port::Trouble;
use crate::read::Shown;
use crate::state::App;
use crate::time::now;
use crate::{chrome, dialogs, frames, port, read, tabs};

pub(crate) use aim::Aimed;
pub(crate) use look::Expects;

/// A person who used the tab so recently is not disturbed.
const PERSON: Duration = Duration::from_secs(3);
/// Between two looks at what is still on its way.
const ARRIVES: Duration = Duration::from_millis(100);
/// Of the call's time, what is kept back to tell what was seen.
const KEPT_BACK: Duration = Duration::from_millis(100);
/// What one command of the debugger, or one question to a document, may take.
const COMMAND: Duration = Duration::from_secs(5);

/// One action, as the daemon asks for it.
pub(crate) struct Wanted<'w> {
    pub(crate) place: &'w Place,
    pub(crate) frames: Option<&'w [DocumentId]>,
    pub(crate) may: &'w May,
    pub(crate) target: Option<&'w Locator>,
    pub(crate) action: &'w Action,
    pub(crate) settle: Duration,
    pub(crate) next_ref: u32,
}

/// An action at work.
pub(crate) struct Act<'a> {
    pub(crate) app: &'a Rc<App>,
    pub(crate) context: &'a Context,
    pub(crate) tab: i64,
    /// The debugger, attached.
    pub(crate) hold: &'a Hold,
    pub(crate) shown: &'a Shown,
    /// The frames below the main document.
    pub(crate) frames: &'a [Chosen],
    pub(crate) may: &'a May,
    pub(crate) settle: Duration,
    next_ref: Cell<u32>,
    /// Whether anything was sent to the page.
    dispatched: Cell<bool>,
}

/// An element that something is done with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element {
    /// The document it is part of.
    pub(crate) document: String,
    /// Its ref.
    pub(crate) r#ref: u32,
}

/// Does it.
///
/// # Errors
/// Why nothing was dispatched, with the effect `none`; what was dispatched and not seen, with `unknown`.
pub(crate) async fn perform(
    app: &Rc<App>,
    context: &Context,
    wanted: &Wanted<'_>,
) -> Result<BrowserReply, Error> {
    let none = |error: Error| {
        let effect = error.effect.unwrap_or(Effect::None);
        error.effect(effect)
    };
    let (session, id, document) = read::in_session(wanted.place)?;
    let tab = tabs::owned(app, session, id).await.map_err(none)?;
    crate::stop::refuse(app, Some(tab))?;
    let (shown, front) = join(context.run(read::in_tab(tab, id, document)), chrome::tab(tab)).await;
    let shown = shown.map_err(none)?;
    let chosen = frames::choose(
        &shown.document,
        shown.frames.clone(),
        wanted.frames.unwrap_or_default(),
    );
    if let Some(dialog) = app.debuggers.dialog(tab) {
        return Err(none(dialogs::error(&dialog)));
    }
    let began = now();
    let hold = context.run(debugger::hold(app, tab)).await.map_err(none)?;
    context.hop("debugger", began);
    if hold.attached().is_silent()
        && let Some(dialog) = context
            .run(async { Ok(dialogs::standing(app, tab).await) })
            .await
            .map_err(none)?
    {
        return Err(none(dialogs::error(&dialog)));
    }
    if !front.is_ok_and(|tab| tab.active) {
        hold.draw();
    }
    let act = Act {
        app,
        context,
        tab,
        hold: &hold,
        shown: &shown,
        frames: &chosen,
        may: wanted.may,
        settle: wanted.settle,
        next_ref: Cell::new(wanted.next_ref),
        dispatched: Cell::new(false),
    };
    let began = now();
    // Only for who looks closely: a page can tell that its console is listened to.
    let closely = !wanted.settle.is_zero();
    if closely && let Err(failure) = hold.send("Runtime.enable", &json!({}), COMMAND).await {
        crate::log(&format!("listening to the console: {failure}"));
    }
    let done = context
        .run(async {
            match select(pin!(act.perform(wanted)), pin!(hold.ended())).await {
                Either::Left((Err(error), _)) if error.code == Code::NotFound && !act.dispatched.get() => {
                    match act.arrives().await? {
                        true => Err(error.data(json!({AGAIN: true}))),
                        false => Err(error),
                    }
                }
                Either::Left((done, _)) => done,
                Either::Right((ended, _)) => Err(ended),
            }
        })
        .await;
    if closely && let Err(failure) = hold.send("Runtime.disable", &json!({}), COMMAND).await {
        crate::log(&format!("leaving the console alone: {failure}"));
    }
    context.hop("act", began);
    match done {
        Ok(acted) => Ok(BrowserReply::Acted {
            acted: Box::new(acted),
            next_ref: act.next_ref.get(),
        }),
        // The call's end may have come in the middle.
        Err(error) => {
            let seen = if act.dispatched.get() {
                Effect::Unknown
            } else {
                Effect::None
            };
            let effect = error.effect.unwrap_or(seen);
            let error = error.effect(effect);
            match act.next_ref.get() {
                next_ref if next_ref == wanted.next_ref => Err(error),
                next_ref => Ok(BrowserReply::Undone { error, next_ref }),
            }
        }
    }
}

impl Act<'_> {
    async fn perform(&self, wanted: &Wanted<'_>) -> Result<Acted, Error> {
        self.mind().await?;
        let element = async || {
            let locator = wanted
                .target
                .ok_or_else(|| Error::argument("target", "is needed"))?;
            self.resolve(locator).await
        };
        let ms = |ms: u32| Duration::from_millis(ms.into());
        match wanted.action {
            Action::Pointer { gesture } => self.gesture(gesture).await,
            Action::Wheel { delta_x, delta_y } => {
                let over = match wanted.target {
                    Some(locator) => Some(self.resolve(locator).await?),
                    None => None,
                };
                self.wheel(over.as_ref(), (*delta_x, *delta_y)).await
            }
            Action::Press { key, hold_ms } => {
                let at = self.keyboard(wanted.target).await?;
                self.press_key(&at, key, ms(*hold_ms)).await
            }
            Action::Type { text, delay_ms } => {
                let at = self.keyboard(wanted.target).await?;
                self.type_text(&at, text, ms(*delay_ms)).await
            }
            Action::Click {
                button,
                count,
                modifiers,
            } => self.click(&element().await?, *button, *count, modifiers).await,
            Action::Hover => self.hover(&element().await?).await,
            Action::Focus => self.focus(&element().await?, false).await,
            Action::Blur => self.focus(&element().await?, true).await,
            Action::ScrollTo => self.scroll_to(&element().await?).await,
            Action::Drag { path } => self.drag(&element().await?, path).await,
            Action::Submit => self.submit(&element().await?).await,
            Action::Fill { value, append } => self.fill(&element().await?, value, *append).await,
            Action::Select { choose } => self.select(&element().await?, choose).await,
            Action::Check { on } => self.check(&element().await?, *on).await,
            Action::Set { value } => self.set(&element().await?, value).await,
        }
    }

    /// From now on every document notes when a person uses it. One that does not answer is left out.
    ///
    /// # Errors
    /// `user_active` when a person does.
    async fn mind(&self) -> Result<(), Error> {
        let asked = self
            .documents()
            .map(|document| self.try_ask(document, &ActOp::Mind));
        for minded in join_all(asked).await {
            match minded {
                Ok(columns) => self.person(columns?.int()?)?,
                Err(Trouble::Broken(words)) => return Err(Error::internal(words)),
                Err(Trouble::Gone | Trouble::Late | Trouble::Unreadable(_)) => {}
            }
        }
        Ok(())
    }

    /// Whether anything of the page was still on its way, and came: waits for that as long as the call has time.
    async fn arrives(&self) -> Result<bool, Error> {
        let known: Vec<&str> = self
            .shown
            .frames
            .iter()
            .map(|frame| frame.document_id.as_str())
            .collect();
        loop {
            let frames = chrome::all_frames(self.tab).await.unwrap_or_default();
            let now: Vec<&str> = frames
                .iter()
                .skip(1)
                .map(|frame| frame.document_id.as_str())
                .collect();
            if frames
                .first()
                .is_none_or(|main| main.document_id != self.shown.document)
                || now != known
            {
                return Ok(true);
            }
            let mut minded = self.ask(&self.shown.document, &ActOp::Mind).await?;
            minded.int()?;
            if minded.int()? == 0 || self.left().is_zero() {
                return Ok(false);
            }
            // A frame that comes changes nothing in the document around it.
            let waited = port::changed(self.tab, &self.shown.document, ARRIVES.min(self.left())).await;
            waited.map_err(|trouble| self.trouble(&trouble))?;
        }
    }

    /// Asks a document's acting part something.
    ///
    /// # Errors
    /// `stale_ref` once the document is gone, `timeout`, `dialog_open`.
    pub(crate) async fn ask(&self, document: &str, op: &impl Serialize) -> Result<Columns, Error> {
        match self.try_ask(document, op).await {
            Ok(columns) => columns,
            Err(trouble) => Err(self.trouble(&trouble)),
        }
    }

    /// The same, with what is wrong with the document.
    pub(crate) async fn try_ask(
        &self,
        document: &str,
        op: &impl Serialize,
    ) -> Result<Result<Columns, Error>, Trouble> {
        let attached = Rc::clone(self.hold.attached());
        let asked = pin!(port::act(self.app, self.tab, document, op, self.left()));
        let dialog = pin!(attached.dialog_opened());
        Ok(match select(asked, dialog).await {
            Either::Left((columns, _)) => Columns::read(&columns?),
            Either::Right((dialog, _)) => Err(dialogs::error(&dialog)),
        })
    }

    /// What it means that a document did not answer.
    pub(crate) fn trouble(&self, trouble: &Trouble) -> Error {
        trouble.error(&self.shown.url)
    }

    /// Something is sent to the page from here on: how it ends without a report is not known.
    pub(crate) fn dispatching(&self) {
        self.dispatched.set(true);
    }

    /// An error in the middle of several steps: what was done before it stays done.
    pub(crate) fn so_far(&self, error: Error) -> Error {
        if self.dispatched.get() {
            return error.effect(Effect::Unknown);
        }
        error
    }

    /// Whether an element's document may be acted in, and used to submit, where that is what an action would do.
    ///
    /// # Errors
    /// `needs_approval`, with what the daemon has to ask for.
    pub(crate) fn allowed(&self, document: &str, submits: bool) -> Result<(), Error> {
        let listed = |list: &[DocumentId]| list.iter().any(|one| one.as_str() == document);
        let (needed, what) = if !listed(&self.may.act) {
            (needs::INTERACT, "acting in this frame")
        } else if submits && !listed(&self.may.submit) {
            (needs::SUBMIT, "submitting a form")
        } else {
            return Ok(());
        };
        Err(Error::new(
            Code::NeedsApproval,
            format!("{what} needs a person's decision first"),
        )
        .effect(Effect::None)
        .data(json!({"needs": needed, "document": document})))
    }

    /// What is left of the call's time for one more thing.
    pub(crate) fn left(&self) -> Duration {
        self.context.left().saturating_sub(KEPT_BACK).min(COMMAND)
    }

    /// A person who uses the tab right now goes first.
    ///
    /// # Errors
    /// `user_active`.
    pub(crate) fn person(&self, since_ms: i32) -> Result<(), Error> {
        match u64::try_from(since_ms) {
            Ok(ms) if Duration::from_millis(ms) < PERSON => Err(Error::new(
                Code::UserActive,
                "a person is using this tab right now",
            )
            .hint("reads go on; try again in a few seconds")
            .effect(Effect::None)),
            _ => Ok(()),
        }
    }

    /// Whether a press with this button on it would submit a form.
    fn would_submit(aimed: &Aimed, button: Button) -> bool {
        button == Button::Left && aimed.has(facts::SUBMITS)
    }

    async fn focus(&self, element: &Element, away: bool) -> Result<Acted, Error> {
        self.allowed(&element.document, false)?;
        let watch = self.watch(element, &[]).await?;
        let op = ActOp::Focus {
            r#ref: element.r#ref,
            blur: away,
        };
        self.dispatching();
        let mut columns = self.ask(&element.document, &op).await?;
        if columns.int()? == 0 {
            return Err(gone(element).effect(Effect::None));
        }
        let is_there = columns.int()? == 1;
        if is_there == away {
            let what = if away {
                "the keyboard stayed there"
            } else {
                "it does not take the keyboard"
            };
            return Err(Error::new(Code::NoEffect, what).effect(Effect::Unknown));
        }
        let word = if away { "blur" } else { "focus" };
        self.report(watch, vec![word.to_owned()], Expects::default())
            .await
    }

    async fn submit(&self, element: &Element) -> Result<Acted, Error> {
        self.allowed(&element.document, true)?;
        let events = ["submit", "invalid"];
        let watch = self.watch(element, &events).await?;
        self.dispatching();
        let op = ActOp::Submit { r#ref: element.r#ref };
        match self.ask(&element.document, &op).await?.int()? {
            1 => self.submitted(watch).await,
            0 => Err(Error::new(Code::NotFound, "it is no form and part of none").effect(Effect::None)),
            _ => Err(gone(element).effect(Effect::None)),
        }
    }
}

/// The element a ref named is not there any more.
pub(crate) fn gone(element: &Element) -> Error {
    Error::new(
        Code::StaleRef,
        format!("e{} is gone from the page, or its document is", element.r#ref),
    )
    .hint("observe the page again for refs of what is there now")
}
