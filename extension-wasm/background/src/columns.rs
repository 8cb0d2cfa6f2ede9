//! Short replies of the DOM port, read in the background: integers in order, then texts in order.

use drawbridge_protocol::Error;
use js_sys::JsString;

use crate::port::HEADER;

/// A reply, read from the front.
#[derive(Debug)]
pub(crate) struct Columns {
    ints: Vec<i32>,
    next_int: usize,
    texts: Vec<u16>,
    next_text: usize,
    /// The address that the document had.
    pub(crate) url: String,
    /// Which life of which document it was.
    pub(crate) epoch: i32,
}

impl Columns {
    /// Reads the header of a reply.
    ///
    /// # Errors
    /// `internal` when it has another shape.
    pub(crate) fn read(columns: &JsString) -> Result<Self, Error> {
        Self::of(columns.iter().collect())
    }

    /// The next integer.
    ///
    /// # Errors
    /// `internal` when there is none.
    pub(crate) fn int(&mut self) -> Result<i32, Error> {
        let int = self.ints.get(self.next_int).copied();
        self.next_int += 1;
        int.ok_or_else(malformed)
    }

    /// The next text, of the length that the next integer says; `None` for no text.
    ///
    /// # Errors
    /// `internal` when there is less.
    pub(crate) fn text(&mut self) -> Result<Option<String>, Error> {
        let length = self.int()?;
        let Ok(length) = usize::try_from(length) else {
            return Ok(None);
        };
        let text = self
            .texts
            .get(self.next_text..self.next_text + length)
            .ok_or_else(malformed)?;
        self.next_text += length;
        Ok(Some(String::from_utf16_lossy(text)))
    }

    fn of(units: Vec<u16>) -> Result<Self, Error> {
        let line = units
            .iter()
            .position(|unit| *unit == u16::from(b'\n'))
            .ok_or_else(malformed)?;
        let head = String::from_utf16_lossy(&units[..line]);
        let (_, ints) = head.split_once(';').ok_or_else(malformed)?;
        let ints: Vec<i32> = ints
            .split(',')
            .map(|int| int.parse().map_err(|_| malformed()))
            .collect::<Result<_, _>>()?;
        if ints.len() < HEADER {
            return Err(malformed());
        }
        let mut columns = Self {
            epoch: ints[1],
            ints,
            next_int: 4,
            texts: units[line + 1..].to_vec(),
            next_text: 0,
            url: String::new(),
        };
        columns.url = columns.text()?.unwrap_or_default();
        columns.text()?;
        columns.text()?;
        columns.next_int = HEADER;
        Ok(columns)
    }
}

fn malformed() -> Error {
    Error::internal("the DOM port's columns have another shape")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str) -> Result<Columns, Error> {
        Columns::of(text.encode_utf16().collect())
    }

    #[test]
    fn integers_and_texts_come_in_order() {
        let mut read =
            columns("12;1,7,2,0,3,1,2,0,0,42,1,-1\nurlotié").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((read.url.as_str(), read.epoch), ("url", 7));
        assert_eq!(read.int(), Ok(42));
        assert_eq!(read.text(), Ok(Some("é".to_owned())));
        assert_eq!(read.text(), Ok(None));
    }

    #[test]
    fn what_is_missing_is_an_error() {
        assert!(columns("no line").is_err());
        assert!(columns("3;1,2,3\n").is_err());
        let mut read = columns("10;1,7,2,0,1,0,0,0,0,9\nu").unwrap_or_else(|error| panic!("{error}"));
        assert!(read.text().is_err(), "a text longer than what is there");
        assert!(read.int().is_err(), "no further integer");
    }
}
