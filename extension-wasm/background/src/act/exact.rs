//! Fields whose value has one form: dates, times, colours, ranges. They are set at once: by keys it would depend on the
//! browser's language what is typed.

pub(super) mod forms;

use std::time::Duration;

use drawbridge_protocol::act::Acted;
use drawbridge_protocol::reader::filling::FillOp;
use drawbridge_protocol::{Code, Effect, Error};
use serde_json::json;

use super::field::Field;
use super::{Act, gone};
use crate::time::sleep;

/// Pages that write into a field by themselves do so soon after.
const STAYS: Duration = Duration::from_millis(30);

impl Act<'_> {
    /// Sets a field of one form to a value in that form or in the browser's language.
    ///
    /// # Errors
    /// `invalid_argument` for what is no such value; `unconfirmed` with both values.
    pub(super) async fn fill_exact(&self, field: &Field, value: &str, append: bool) -> Result<Acted, Error> {
        if append {
            return Err(Error::argument(
                "append",
                format!("nothing can be added to a field of type {}", field.r#type),
            ));
        }
        let exact = forms::exact(&field.r#type, value, &field.language)
            .map_err(|problem| Error::argument("value", problem))?;
        self.usable(field).await?;
        let watch = self.watch(&field.element, &[]).await?;
        crate::stop::refuse(self.app, Some(self.tab))?;
        self.dispatching();
        let op = FillOp::Put {
            r#ref: field.element.r#ref,
            value: exact.clone(),
        };
        let put = match self.ask(&field.element.document, &op).await {
            Err(error) if error.code == Code::DialogOpen => {
                return self.confirm_field(field, watch, "dialog").await;
            }
            put => put?.int()?,
        };
        if put != 1 {
            return Err(gone(&field.target).effect(Effect::None));
        }
        for _ in 0..2 {
            let held = match self.holds(field, false, Some(&exact)).await {
                Err(_) if self.is_leaving(&watch) => break,
                held => held.map_err(|error| field.told(error))?,
            };
            let is_same = |text: &str| forms::same(&field.r#type, text, &exact);
            if !held.same && !held.text.as_deref().is_some_and(is_same) {
                return Err(unconfirmed(field, &exact, held.text.as_deref()));
            }
            sleep(STAYS).await;
        }
        self.confirm_field(field, watch, "value").await
    }
}

/// The field holds something else; `None`: that is a secret.
fn unconfirmed(field: &Field, wanted: &str, value: Option<&str>) -> Error {
    let (least, greatest) = &field.range;
    let error = Error::new(
        Code::Unconfirmed,
        format!("{} holds something else than what was put in", field.words),
    )
    .effect(Effect::Unknown)
    .data(match value {
        None => json!({"differs": true}),
        Some(value) => json!({"wanted": wanted, "value": value, "min": least, "max": greatest}),
    });
    if least.is_empty() && greatest.is_empty() {
        return error;
    }
    error.hint(format!("it takes values from {least:?} to {greatest:?}"))
}
