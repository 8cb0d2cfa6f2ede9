//! The form of every port reply: `<n>;<n integers>\n<texts>`, read front to back.

use std::borrow::Cow;

use drawbridge_protocol::reader::PageHeader;

/// What does not have the stated shape. Never anything a page says: only the port writes structure.
#[derive(Debug, PartialEq)]
pub(crate) struct Malformed(pub(crate) String);

/// Integers and texts that were not read yet.
#[derive(Debug)]
pub(crate) struct Columns<'a> {
    ints: std::vec::IntoIter<i32>,
    texts: &'a str,
    /// The first character left in `texts` takes two UTF-16 units, and the text before took the first of them. Two
    /// lone surrogates of a page meet like that.
    half: bool,
}

/// What every reply starts with.
#[derive(Debug)]
pub(crate) struct Top {
    pub(crate) header: PageHeader,
    /// UTF-16 units of text that the port left out.
    pub(crate) cut: u32,
}

impl<'a> Columns<'a> {
    pub(crate) fn parse(columns: &'a str) -> Result<Self, Malformed> {
        let (ints, texts) = columns
            .split_once('\n')
            .ok_or_else(|| malformed("no line of integers"))?;
        let (count, ints) = ints
            .split_once(';')
            .ok_or_else(|| malformed("no number of integers"))?;
        let count: usize = count
            .parse()
            .map_err(|_| malformed("the number of integers is none"))?;
        let ints = if ints.is_empty() {
            Ok(Vec::new())
        } else {
            ints.split(',').map(str::parse).collect()
        };
        let ints: Vec<i32> = ints.map_err(|_| malformed("an integer is none"))?;
        if ints.len() != count {
            return Err(malformed(format!("{} integers, not {count}", ints.len())));
        }
        Ok(Self {
            ints: ints.into_iter(),
            texts,
            half: false,
        })
    }

    /// Takes the nine integers and three texts at the beginning.
    pub(crate) fn top(&mut self) -> Result<Top, Malformed> {
        match self.int()? {
            1 => {}
            version => return Err(malformed(format!("version {version}"))),
        }
        let (epoch, ready_state, frames) = (self.int()?, self.int()?, self.count()?);
        if !(0..=2).contains(&ready_state) {
            return Err(malformed(format!("ready state {ready_state}")));
        }
        let [url, origin, title] =
            [self.needed_text()?, self.needed_text()?, self.needed_text()?].map(Cow::into_owned);
        let cut = self.count()?;
        self.int()?;
        Ok(Top {
            header: PageHeader {
                epoch,
                ready_state,
                frames,
                url,
                origin,
                title,
            },
            cut,
        })
    }

    pub(crate) fn int(&mut self) -> Result<i32, Malformed> {
        self.ints
            .next()
            .ok_or_else(|| malformed("integers end too early"))
    }

    /// An integer that counts something.
    pub(crate) fn count(&mut self) -> Result<u32, Malformed> {
        let int = self.int()?;
        u32::try_from(int).map_err(|_| malformed(format!("{int} of something")))
    }

    /// A length, and the text it belongs to; −1 is no text.
    pub(crate) fn text(&mut self) -> Result<Option<Cow<'a, str>>, Malformed> {
        match self.int()? {
            -1 => Ok(None),
            length => {
                let units =
                    usize::try_from(length).map_err(|_| malformed(format!("a text of length {length}")))?;
                self.slice(units).map(Some)
            }
        }
    }

    pub(crate) fn needed_text(&mut self) -> Result<Cow<'a, str>, Malformed> {
        self.text()?.ok_or_else(|| malformed("a text is missing"))
    }

    /// Everything must have been read.
    pub(crate) fn finish(self) -> Result<(), Malformed> {
        match (self.ints.len(), self.texts.len(), self.half) {
            (0, 0, false) => Ok(()),
            (ints, bytes, _) => Err(malformed(format!("{ints} integers and {bytes} bytes too many"))),
        }
    }

    fn slice(&mut self, units: usize) -> Result<Cow<'a, str>, Malformed> {
        if units == 0 {
            return Ok(Cow::Borrowed(""));
        }
        if !self.half
            && let Some(head) = self.texts.as_bytes().get(..units)
            && head.is_ascii()
            && let Some((text, rest)) = self.texts.split_at_checked(units)
        {
            self.texts = rest;
            return Ok(Cow::Borrowed(text));
        }
        self.slice_wide(units)
    }

    fn slice_wide(&mut self, units: usize) -> Result<Cow<'a, str>, Malformed> {
        let starts_half = std::mem::take(&mut self.half);
        let mut left = units;
        if starts_half {
            let mut rest = self.texts.chars();
            rest.next();
            self.texts = rest.as_str();
            left -= 1;
        }
        let mut bytes = 0;
        for character in self.texts.chars() {
            if left < character.len_utf16() {
                break;
            }
            left -= character.len_utf16();
            bytes += character.len_utf8();
        }
        let (text, rest) = self.texts.split_at(bytes);
        self.texts = rest;
        self.half = left > 0;
        if self.half && (left > 1 || rest.is_empty()) {
            return Err(malformed("texts end too early"));
        }
        if !starts_half && !self.half {
            return Ok(Cow::Borrowed(text));
        }
        let lone = |is: bool| if is { "\u{fffd}" } else { "" };
        Ok(Cow::Owned(format!(
            "{}{text}{}",
            lone(starts_half),
            lone(self.half)
        )))
    }
}

pub(crate) fn malformed(problem: impl Into<String>) -> Malformed {
    Malformed(problem.into())
}

#[cfg(test)]
mod tests;
