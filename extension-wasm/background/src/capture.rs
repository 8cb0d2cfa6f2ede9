//! One look at a page: its main document and the frames below it, captured at the same time.

use std::cell::Cell;
use std::collections::HashMap;
use std::pin::pin;
use std::time::Duration;

use drawbridge_protocol::reader::{Minted, Missing, MissingFrame, Part, PortOp};
use futures_util::future::{Either, join, join_all, select};
use js_sys::JsString;

use crate::frames::Chosen;
use crate::port::{self, HEADER, Trouble};
use crate::pulse::Pulse;
use crate::state::App;
use crate::time::sleep;

/// How much longer than the main document a frame may take.
const FRAME: Duration = Duration::from_secs(2);

/// The captures of a page, the main document's first.
pub(crate) struct Capture {
    /// Documents that were captured.
    pub(crate) documents: Vec<String>,
    /// Their columns, in the same order.
    pub(crate) columns: Vec<JsString>,
    /// How they hang together; the bytes are filled in where they are known.
    pub(crate) parts: Vec<Part>,
    /// Frames that were not captured.
    pub(crate) missing: Vec<MissingFrame>,
}

/// Captures a page.
///
/// # Errors
/// What the main document's port said. A frame that fails is told as missing.
pub(crate) async fn page(
    app: &App,
    tab: i64,
    main: &str,
    frames: &[Chosen],
    op: &PortOp,
    limit: Duration,
) -> Result<Capture, Trouble> {
    let (done, pulse) = (Cell::new(false), Pulse::default());
    let whole = async {
        let columns = port::run(app, tab, main, op, limit).await;
        done.set(true);
        pulse.beat();
        columns
    };
    // Frames may share a process with the main document, and then wait for it: their own time begins after it.
    let parts = frames.iter().map(|frame| async {
        if let Some(missing) = frame.missing {
            return Err(missing);
        }
        let late = async {
            pulse.until(|| done.get().then_some(())).await;
            sleep(FRAME).await;
        };
        match select(pin!(port::run(app, tab, &frame.document, op, limit)), pin!(late)).await {
            Either::Left((Ok(columns), _)) => Ok(columns),
            Either::Left((Err(Trouble::Unreadable(_)), _)) => Err(Missing::Unreadable),
            Either::Left((Err(Trouble::Gone | Trouble::Late | Trouble::Broken(_)), _)) | Either::Right(_) => {
                Err(Missing::Silent)
            }
        }
    });
    let (whole, parts) = join(whole, join_all(parts)).await;
    Ok(together(main, whole?, frames, parts))
}

/// Gives elements their refs, in every document of a capture. Answers whether the main document took its own; a frame
/// that went away meanwhile took its refs along.
///
/// # Errors
/// What the main document's port said.
pub(crate) async fn number(
    app: &App,
    tab: i64,
    capture: &Capture,
    minted: &[Minted],
    limit: Duration,
) -> Result<(), Trouble> {
    let told = minted.iter().filter_map(|one| {
        let document = capture.documents.get(one.part as usize)?;
        Some(async move {
            let op = PortOp::Number {
                capture: one.capture,
                numbers: one.numbers.clone(),
            };
            let answer = port::run(app, tab, document, &op, limit).await;
            (one.part == 0).then_some(answer)
        })
    });
    match join_all(told).await.into_iter().flatten().next() {
        None => Ok(()),
        Some(answer) => match port::ints(&answer?).get(HEADER) {
            Some(1) => Ok(()),
            // The document came back from the back/forward cache in between: nothing of the capture is left.
            Some(_) | None => Err(Trouble::Gone),
        },
    }
}

/// Which of these refs no document of the tab holds any more. Only documents that have the port are asked; one that does
/// not answer in time may hold them.
pub(crate) async fn lost(
    tab: i64,
    documents: impl Iterator<Item = &str>,
    refs: &[u32],
    limit: Duration,
) -> Option<u32> {
    let op = PortOp::Holds { refs: refs.to_vec() };
    let asked = documents.map(|document| port::run_if_there(tab, document, &op, limit));
    let mut held = vec![false; refs.len()];
    for answer in join_all(asked).await {
        match answer {
            Ok(Some(columns)) => {
                for (held, is) in held.iter_mut().zip(port::ints(&columns).into_iter().skip(HEADER)) {
                    *held |= is == 1;
                }
            }
            Err(Trouble::Late) => return None,
            Ok(None) | Err(Trouble::Gone | Trouble::Unreadable(_) | Trouble::Broken(_)) => {}
        }
    }
    let gone = held.iter().position(|held| !held)?;
    refs.get(gone).copied()
}

/// Which of these documents holds a ref. Only documents that have the port are asked.
pub(crate) async fn holder<'d>(
    tab: i64,
    documents: impl Iterator<Item = &'d str>,
    number: u32,
    limit: Duration,
) -> Result<Option<&'d str>, Trouble> {
    let op = PortOp::Holds { refs: vec![number] };
    let op = &op;
    let asked = documents.map(|document| async move {
        let answer = port::run_if_there(tab, document, op, limit).await;
        (document, answer)
    });
    let mut late = false;
    for (document, answer) in join_all(asked).await {
        match answer {
            Ok(Some(columns)) if port::ints(&columns).get(HEADER) == Some(&1) => return Ok(Some(document)),
            Err(Trouble::Late) => late = true,
            Ok(_) | Err(Trouble::Gone | Trouble::Unreadable(_) | Trouble::Broken(_)) => {}
        }
    }
    if late { Err(Trouble::Late) } else { Ok(None) }
}

fn together(
    main: &str,
    whole: JsString,
    frames: &[Chosen],
    results: Vec<Result<JsString, Missing>>,
) -> Capture {
    let mut capture = Capture {
        documents: vec![main.to_owned()],
        columns: vec![whole],
        parts: vec![Part::default()],
        missing: Vec::new(),
    };
    // Places of the chosen frames among the parts.
    let mut places: HashMap<usize, u32> = HashMap::new();
    for (index, (frame, result)) in frames.iter().zip(results).enumerate() {
        let parent = match frame.parent {
            None => 0,
            Some(parent) => match places.get(&parent) {
                Some(place) => *place,
                // It lies inside a frame that could not be captured, and is part of what is missing there.
                None => continue,
            },
        };
        match result {
            Ok(columns) => {
                places.insert(index, u32::try_from(capture.parts.len()).unwrap_or(u32::MAX));
                capture.documents.push(frame.document.clone());
                capture.columns.push(columns);
                capture.parts.push(Part {
                    bytes: 0,
                    parent: Some(parent),
                });
            }
            Err(why) => capture.missing.push(MissingFrame {
                parent,
                url: frame.url.clone(),
                why,
            }),
        }
    }
    capture
}
