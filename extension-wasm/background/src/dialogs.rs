//! Dialogs that block a page: which one is open, and answering it.
//!
//! While the debugger is attached the browser tells of every dialog. One that opened before is found by its silence: the
//! page answers nothing, and input, which a script that keeps a page busy would hold up, is swallowed at once.

use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::act::{Dialog, DialogAnswer, DialogKind};
use drawbridge_protocol::ids::{SessionId, TabId};
use drawbridge_protocol::link::BrowserReply;
use drawbridge_protocol::{Code, Effect, Error};
use futures_util::future::{Either, pending, select};
use serde_json::json;

use crate::calls::Context;
use crate::chrome::{self, Failure};
use crate::debugger::{self, Hold};
use crate::state::App;
use crate::time::{Late, bounded, sleep};
use crate::{stop, tabs};

/// A page that answers nothing for so long is asked why.
const SILENT: Duration = Duration::from_millis(350);
/// Between two such questions to a page that a script keeps busy.
const BUSY: Duration = Duration::from_secs(2);
/// How often a page is asked that nothing else is asked of.
const ASKED: Duration = Duration::from_millis(500);
/// What input takes that nobody gets.
const SWALLOWED: Duration = Duration::from_millis(100);
/// What an answer to a dialog may take to be seen.
const ANSWERED: Duration = Duration::from_secs(1);
/// What the page may take afterwards to go on, or to open the next one.
const NEXT: Duration = Duration::from_millis(300);

/// Tells of a tab's dialog, and answers it where that is asked.
///
/// # Errors
/// `not_found` when none is open, or another than the one that is meant; `dialog_open` for one that only a person can
/// answer; `effect_unknown` when it was not seen to close.
pub(crate) async fn serve(
    app: &Rc<App>,
    context: &Context,
    session: &SessionId,
    tab: &TabId,
    answer: Option<&DialogAnswer>,
) -> Result<BrowserReply, Error> {
    let number = tabs::owned(app, session, tab)
        .await
        .map_err(|error| error.effect(Effect::None))?;
    let open = context.run(async { Ok(standing(app, number).await) }).await?;
    match answer {
        None => Ok(BrowserReply::Dialog { open, answered: None }),
        Some(answer) => {
            stop::refuse(app, Some(number))?;
            let dialog = chosen(open, answer).map_err(|error| error.effect(Effect::None))?;
            let work = self::answer(app, number, &dialog, answer);
            let open = context.run(work).await.map_err(|error| {
                let effect = error.effect.unwrap_or(Effect::Unknown);
                error.effect(effect)
            })?;
            Ok(BrowserReply::Dialog {
                open,
                answered: Some(dialog),
            })
        }
    }
}

/// Does work that needs the page to answer; a dialog that blocks it ends that.
///
/// # Errors
/// Those of the work, and `dialog_open`.
pub(crate) async fn in_sight<T>(
    app: &Rc<App>,
    tab: i64,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    match select(pin!(work), pin!(blocked(app, tab))).await {
        Either::Left((done, _)) => done,
        Either::Right((dialog, _)) => Err(error(&dialog)),
    }
}

/// Waits until a dialog blocks the page.
pub(crate) async fn blocked(app: &Rc<App>, tab: i64) -> Dialog {
    // Asked before whatever else is asked of the page: what that takes says nothing about a dialog.
    let has_answered = Cell::new(false);
    let ping = async {
        // The browser's refusal is an answer, too.
        while chrome::answers(tab, BUSY).await == Err(Failure::Late) {}
        has_answered.set(true);
        pending::<Dialog>().await
    };
    let watch = async {
        let mut patience = SILENT;
        loop {
            if let Ok(dialog) = bounded(patience, opened(app, tab)).await {
                return dialog;
            }
            if !has_answered.get()
                && let Some(dialog) = probe(app, tab).await
                && !has_answered.get()
            {
                return dialog;
            }
            patience = BUSY;
        }
    };
    match select(pin!(ping), pin!(watch)).await {
        Either::Left((dialog, _)) | Either::Right((dialog, _)) => dialog,
    }
}

/// The dialog that is open in a tab now.
pub(crate) async fn standing(app: &Rc<App>, tab: i64) -> Option<Dialog> {
    if let Some(dialog) = app.debuggers.dialog(tab) {
        return Some(dialog);
    }
    match chrome::answers(tab, SILENT).await {
        Err(Failure::Late) => probe(app, tab).await,
        Ok(()) | Err(Failure::Said(_)) => app.debuggers.dialog(tab),
    }
}

/// Attaches the debugger, or does without where it cannot be: what is to be done works all the same.
///
/// # Errors
/// `dialog_open`, effect `none`: one is open already.
pub(crate) async fn hold(app: &Rc<App>, tab: i64) -> Result<Option<Hold>, Error> {
    let open = |dialog: &Dialog| error(dialog).effect(Effect::None);
    match debugger::hold(app, tab).await {
        Ok(hold) => {
            let known = hold.attached().dialog();
            let found = match known {
                None if hold.attached().is_silent() => standing(app, tab).await,
                known => known,
            };
            found.as_ref().map_or(Ok(Some(hold)), |dialog| Err(open(dialog)))
        }
        Err(refusal) => {
            crate::log(&format!("without the debugger: {}", refusal.message));
            Ok(None)
        }
    }
}

/// Why nothing can be done.
pub(crate) fn error(dialog: &Dialog) -> Error {
    let hint = if dialog.answerable {
        "browser_page dialog answers it"
    } else {
        "it opened before anything could be told of it: a person has to answer it, or close the tab"
    };
    Error::new(
        Code::DialogOpen,
        "a dialog of the page is open, and nothing goes on before it is answered",
    )
    .hint(hint)
    .data(json!({"dialog": dialog}))
}

/// Waits until a dialog is open, asking the page about once a second.
pub(crate) async fn opens(app: &Rc<App>, tab: i64) -> Dialog {
    loop {
        if let Some(dialog) = standing(app, tab).await {
            return dialog;
        }
        if let Ok(dialog) = bounded(ASKED, opened(app, tab)).await {
            return dialog;
        }
    }
}

/// Waits until the debugger knows of one; for ever where it is not attached.
async fn opened(app: &App, tab: i64) -> Dialog {
    match app.debuggers.of(tab) {
        Some(attached) => attached.dialog_opened().await,
        None => pending().await,
    }
}

/// Asks a page that does not answer whether a dialog is why.
async fn probe(app: &Rc<App>, tab: i64) -> Option<Dialog> {
    let hold = debugger::hold(app, tab).await.ok()?;
    let found = found(&hold, tab).await;
    // A read leaves no bar behind.
    hold.end().await;
    found
}

async fn found(hold: &Hold, tab: i64) -> Option<Dialog> {
    if let Some(dialog) = hold.attached().dialog() {
        return Some(dialog);
    }
    // Where the page answered when it was attached, the browser would have told.
    if !hold.attached().is_silent() {
        return None;
    }
    // Nowhere on the page: should a script keep it busy, it gets to know of a pointer that is not there.
    let nowhere = json!({"type": "mouseMoved", "x": -1, "y": -1});
    let swallowed = hold.send("Input.dispatchMouseEvent", &nowhere, SWALLOWED).await;
    // A page that just went on takes it, too, and now answers.
    let is_open = swallowed.is_ok() && chrome::answers(tab, SWALLOWED).await == Err(Failure::Late);
    is_open.then(|| {
        hold.attached().dialog().unwrap_or_else(|| Dialog {
            id: "unknown".to_owned(),
            kind: DialogKind::Unknown,
            message: String::new(),
            default_text: None,
            answerable: false,
        })
    })
}

/// The dialog to answer.
fn chosen(open: Option<Dialog>, answer: &DialogAnswer) -> Result<Dialog, Error> {
    let Some(dialog) = open else {
        return Err(none_open());
    };
    match &answer.id {
        Some(wanted) if *wanted != dialog.id => Err(Error::new(
            Code::NotFound,
            format!("dialog {wanted} is not open any more; another one is"),
        )
        .hint("read it before it is answered")
        .data(json!({"dialog": dialog}))),
        _ if !dialog.answerable => Err(error(&dialog)),
        _ if answer.text.is_some() && dialog.kind != DialogKind::Prompt => {
            Err(Error::argument("text", "is for a prompt; this dialog takes none"))
        }
        _ => Ok(dialog),
    }
}

fn none_open() -> Error {
    Error::new(Code::NotFound, "no dialog is open")
        .hint("somebody answered it, or the page went on; look at the page")
}

/// Answers it and sees it closed. The dialog that opened after it, if one did.
async fn answer(
    app: &Rc<App>,
    tab: i64,
    dialog: &Dialog,
    answer: &DialogAnswer,
) -> Result<Option<Dialog>, Error> {
    let hold = debugger::hold(app, tab)
        .await
        .map_err(|error| error.effect(Effect::None))?;
    let navigation = app.navigations.watch(tab);
    let commits = navigation.commits();
    let mut parameters = json!({"accept": answer.accept});
    if let Some(text) = answer.text.as_ref().or(dialog.default_text.as_ref()) {
        parameters["promptText"] = json!(text);
    }
    match hold
        .send("Page.handleJavaScriptDialog", &parameters, ANSWERED)
        .await
    {
        Ok(()) => {}
        Err(Failure::Said(words)) if words.contains("No dialog") => {
            return Err(none_open().effect(Effect::None));
        }
        Err(failure) => return Err(unseen(&failure.to_string())),
    }
    if bounded(ANSWERED, hold.attached().dialog_closed(&dialog.id))
        .await
        .is_err()
    {
        return Err(unseen("the browser did not say that it closed"));
    }
    let next = hold.attached().dialog_opened();
    let goes_on = async {
        if dialog.kind == DialogKind::BeforeUnload && answer.accept {
            // What the answer sets free comes before anything else is asked of the tab: the browser drops what is asked in
            // the middle. A slow one is on its way, and a tab that closes has none.
            let freed = async {
                navigation.begun(commits).await;
                navigation.rests().await;
            };
            let _: Result<(), Late> = bounded(ANSWERED, freed).await;
            return;
        }
        if chrome::answers(tab, NEXT).await.is_err() {
            // It goes somewhere else, and is not there to be asked.
            sleep(SWALLOWED).await;
        }
    };
    match select(pin!(next), pin!(goes_on)).await {
        Either::Left((next, _)) => Ok(Some(next)),
        Either::Right(_) => Ok(hold.attached().dialog()),
    }
}

fn unseen(why: &str) -> Error {
    Error::new(
        Code::EffectUnknown,
        format!("the dialog was not seen to close: {why}"),
    )
    .hint("ask for the dialog's status")
    .effect(Effect::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialog(kind: DialogKind, answerable: bool) -> Option<Dialog> {
        Some(Dialog {
            id: "g2".into(),
            kind,
            message: "Sure?".into(),
            default_text: None,
            answerable,
        })
    }

    fn code(open: Option<Dialog>, id: Option<&str>, text: Option<&str>) -> Option<Code> {
        let answer = DialogAnswer {
            accept: true,
            text: text.map(str::to_owned),
            id: id.map(str::to_owned),
        };
        chosen(open, &answer).err().map(|error| error.code)
    }

    #[test]
    fn an_answer_meets_the_dialog_it_is_for_and_no_other() {
        let confirm = || dialog(DialogKind::Confirm, true);
        assert_eq!(code(confirm(), None, None), None);
        assert_eq!(code(confirm(), Some("g2"), None), None);
        assert_eq!(code(confirm(), Some("g1"), None), Some(Code::NotFound));
        assert_eq!(code(None, None, None), Some(Code::NotFound));
        assert_eq!(code(None, Some("g2"), None), Some(Code::NotFound));
    }

    #[test]
    fn only_a_prompt_takes_a_text_and_only_a_person_answers_what_was_open_before() {
        assert_eq!(code(dialog(DialogKind::Prompt, true), None, Some("x")), None);
        assert_eq!(
            code(dialog(DialogKind::Alert, true), None, Some("x")),
            Some(Code::InvalidArgument)
        );
        assert_eq!(
            code(dialog(DialogKind::Unknown, false), None, None),
            Some(Code::DialogOpen)
        );
    }
}
