//! Setting a field by its kind: text is filled, an option chosen, a box switched.

use drawbridge_protocol::act::{Acted, Choice, FieldValue};
use drawbridge_protocol::reader::filling::kinds;
use drawbridge_protocol::{Code, Error};

use super::{Act, Element};

impl Act<'_> {
    /// Sets a field to a value of its kind.
    ///
    /// # Errors
    /// `invalid_argument` for a value of another kind, and those of the kind.
    pub(super) async fn set(&self, target: &Element, value: &FieldValue) -> Result<Acted, Error> {
        let field = self.field(target).await?;
        let is_fixed = match field.kind {
            kinds::SELECT | kinds::LIST => true,
            // A combobox that cannot be typed into is a list.
            kinds::TEXT if field.suggests => {
                let usable = self.usable(&field).await;
                usable.is_err_and(|error| error.code == Code::NotEditable || error.code == Code::NotVisible)
            }
            _ => false,
        };
        match value {
            FieldValue::On(on) if field.kind == kinds::BOX => self.check_field(&field, *on).await,
            FieldValue::On(_) => Err(Error::argument(
                "value",
                format!("{} is no box: it takes a text", field.words),
            )),
            FieldValue::Text(_) | FieldValue::Many(_) if field.kind == kinds::BOX => Err(Error::argument(
                "value",
                format!("{} is a box: true or false", field.words),
            )),
            FieldValue::Text(text) if is_fixed => {
                self.select_field(&field, &[Choice::Either(text.clone())]).await
            }
            FieldValue::Text(text) => self.fill_field(&field, text, false).await,
            FieldValue::Many(texts) => {
                let choose: Vec<Choice> = texts.iter().cloned().map(Choice::Either).collect();
                self.select_field(&field, &choose).await
            }
        }
    }
}
