//! `dialog`.

use drawbridge_protocol::act::DialogAnswer;
use drawbridge_protocol::error::{Code, Effect, Error};
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::page::{DialogArgs, DialogDo, DialogDone};

use crate::daemon::tools::inspect::spot;
use crate::daemon::work::{Work, mismatch};

/// Characters of an answer.
const MAX_ANSWER: usize = 10_000;

/// Tells which dialog is open, and answers it.
pub async fn dialog(work: &mut Work, args: DialogArgs) -> Result<DialogDone, Error> {
    let answer = answer(&args)?;
    let answers = answer.is_some();
    let place = args.place();
    let undone = |error: Error| error.effect(Effect::None);
    let spot = spot(work, place.session, place.tab).await.map_err(undone)?;
    let shown = work
        .shown(&spot.chosen, &spot.session, &spot.tab, Access::Interact)
        .await
        .map_err(undone)?;
    if place.document.is_some_and(|meant| *meant != shown.document) {
        return Err(undone(Error::new(
            Code::StaleRef,
            "the tab shows another document by now",
        )));
    }
    let call = BrowserCall::Dialog {
        session: spot.session.clone(),
        tab: spot.tab.clone(),
        answer,
    };
    let BrowserReply::Dialog { open, answered } = work.browser(&spot.chosen, call).await? else {
        return Err(mismatch());
    };
    // An answer that was given without a dialog seen closed is nothing to report as done.
    if answers && answered.is_none() {
        return Err(mismatch());
    }
    Ok(DialogDone {
        session: spot.session,
        tab: spot.tab,
        effect: if answers { Effect::Committed } else { Effect::None },
        answered,
        open,
    })
}

fn answer(args: &DialogArgs) -> Result<Option<DialogAnswer>, Error> {
    let text = args.text.clone();
    if text
        .as_ref()
        .is_some_and(|text| text.chars().count() > MAX_ANSWER)
    {
        return Err(Error::argument(
            "text",
            format!("is longer than {MAX_ANSWER} characters"),
        ));
    }
    let accept = match args.r#do.unwrap_or_default() {
        DialogDo::Accept => true,
        DialogDo::Dismiss | DialogDo::Status if text.is_some() => {
            return Err(Error::argument("text", "goes only with do: accept"));
        }
        DialogDo::Dismiss => false,
        DialogDo::Status => return Ok(None),
    };
    Ok(Some(DialogAnswer {
        accept,
        text,
        id: args.dialog_id.clone(),
    }))
}
