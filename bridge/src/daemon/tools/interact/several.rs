//! `form` and `batch`: one after the other, until one fails.

use drawbridge_protocol::error::{Effect, Error};
use drawbridge_protocol::ids::DocumentId;
use drawbridge_protocol::tools::interact::{BatchArgs, BatchDone, FormArgs, FormDone, Plan, Receipt};
use serde_json::{Value, json};

use super::acting::perform;
use super::outcome::undone;
use crate::daemon::tools::inspect::{Spot, spot};
use crate::daemon::work::Work;

/// Sets the fields of a form, and submits it if that was asked.
pub async fn form(work: &mut Work, args: FormArgs) -> Result<FormDone, Error> {
    let (plans, submit) = args.plans()?;
    let place = args.place();
    let spot = spot(work, place.session, place.tab).await.map_err(undone)?;
    let mut run = Run::new(&spot, "fields", place.document);
    for (index, plan) in plans.iter().enumerate() {
        run.step(work, &format!("fields[{index}]"), plan).await?;
    }
    let fields = run.receipts.len();
    if let Some(plan) = &submit {
        run.step(work, "submit", plan).await?;
    }
    let (document, mut receipts) = run.end()?;
    let submitted = receipts.drain(fields..).next();
    Ok(FormDone {
        session: spot.session,
        tab: spot.tab,
        document,
        effect: Effect::Committed,
        fields: receipts,
        submitted,
    })
}

/// Does several actions in one document.
pub async fn batch(work: &mut Work, args: BatchArgs) -> Result<BatchDone, Error> {
    let plans = args.plans()?;
    let place = args.place();
    let spot = spot(work, place.session, place.tab).await.map_err(undone)?;
    let mut run = Run::new(&spot, "steps", place.document);
    for (index, plan) in plans.iter().enumerate() {
        run.step(work, &format!("steps[{index}]"), plan).await?;
    }
    let (document, steps) = run.end()?;
    Ok(BatchDone {
        session: spot.session,
        tab: spot.tab,
        document,
        effect: Effect::Committed,
        steps,
    })
}

/// Several actions on their way.
struct Run<'a> {
    spot: &'a Spot,
    /// What the parts are called.
    parts: &'static str,
    /// The document of the first is the one of all: what follows was meant for that page.
    document: Option<DocumentId>,
    receipts: Vec<Receipt>,
}

impl<'a> Run<'a> {
    fn new(spot: &'a Spot, parts: &'static str, document: Option<&DocumentId>) -> Self {
        Self {
            spot,
            parts,
            document: document.cloned(),
            receipts: Vec::new(),
        }
    }

    async fn step(&mut self, work: &mut Work, path: &str, plan: &Plan) -> Result<(), Error> {
        match perform(work, self.spot, self.document.as_ref(), plan).await {
            Ok((document, acted)) => {
                self.document.get_or_insert(document);
                self.receipts.push(acted.into());
                Ok(())
            }
            Err(error) => Err(self.stopped(path, error)),
        }
    }

    /// The failure of one part, with what was done before it.
    fn stopped(&mut self, path: &str, error: Error) -> Error {
        let effect = match error.effect {
            Some(Effect::None) if self.receipts.is_empty() => Effect::None,
            Some(Effect::None | Effect::Committed) => Effect::Committed,
            Some(Effect::Unknown) | None => Effect::Unknown,
        };
        let mut data = match error.data {
            Some(Value::Object(data)) => data,
            Some(other) => serde_json::Map::from_iter([("detail".to_owned(), other)]),
            None => serde_json::Map::new(),
        };
        data.insert("at".to_owned(), json!(path));
        data.insert(self.parts.to_owned(), json!(std::mem::take(&mut self.receipts)));
        Error {
            message: format!("{path}: {}", error.message),
            effect: Some(effect),
            data: Some(Value::Object(data)),
            ..error
        }
    }

    fn end(self) -> Result<(DocumentId, Vec<Receipt>), Error> {
        let document = self
            .document
            .ok_or_else(|| undone(Error::internal("nothing to do")))?;
        Ok((document, self.receipts))
    }
}
