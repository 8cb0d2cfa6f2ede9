//! Messages on a byte stream: a 32-bit little-endian length, then that many bytes of JSON, as native messaging
//! has it. A message over the browser's limit travels in parts.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::error::{Code, Error};

/// What a browser takes from a native host at most, in bytes of JSON; one more kills the port.
/// <https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging#native-messaging-host-protocol>
pub const BROWSER_LIMIT: usize = 1024 * 1024;

/// Size of a part in bytes of JSON, well below [`BROWSER_LIMIT`].
pub const PART_LIMIT: usize = 768 * 1024;

/// The largest message either side takes in all, in bytes of JSON.
pub const MESSAGE_LIMIT: usize = 64 * 1024 * 1024;

/// How many messages may be half arrived on one connection.
pub const OPEN_MESSAGES: usize = 16;

/// A piece of a message: `{"part": {"of": 7, "index": 0, "count": 3, "data": "…"}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The message it belongs to; unique on the connection while that message is on its way.
    pub of: u64,
    /// From 0.
    pub index: u32,
    /// How many parts the message has.
    pub count: u32,
    /// A slice of the message's JSON text.
    pub data: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Carrier {
    part: Part,
}

/// Cuts a message's JSON into frames of at most [`PART_LIMIT`] bytes; one that fits is its own frame.
///
/// # Errors
/// `too_large` above [`MESSAGE_LIMIT`].
pub fn cut(json: String, of: u64) -> Result<Vec<String>, Error> {
    if json.len() > MESSAGE_LIMIT {
        return Err(too_large(json.len()));
    }
    if json.len() <= PART_LIMIT {
        return Ok(vec![json]);
    }
    // Room for the carrier around the data.
    let room = PART_LIMIT - 128;
    let mut slices = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (at, character) in json.char_indices() {
        let cost = escaped(character);
        if size + cost > room {
            slices.push(&json[start..at]);
            (start, size) = (at, 0);
        }
        size += cost;
    }
    slices.push(&json[start..]);
    let count = slices.len() as u32;
    slices
        .into_iter()
        .enumerate()
        .map(|(index, data)| {
            let part = Part {
                of,
                index: index as u32,
                count,
                data: data.to_owned(),
            };
            serde_json::to_string(&Carrier { part }).map_err(|error| Error::internal(error.to_string()))
        })
        .collect()
}

/// Bytes of a character inside a JSON string.
fn escaped(character: char) -> usize {
    match character {
        '"' | '\\' => 2,
        '\u{0}'..='\u{1f}' => 6,
        other => other.len_utf8(),
    }
}

/// What is said in place of a message that has too many bytes of JSON.
pub fn too_large(bytes: usize) -> Error {
    Error::new(
        Code::TooLarge,
        format!("a message of {bytes} bytes is over the limit of {MESSAGE_LIMIT} bytes"),
    )
    .hint("ask for less at a time")
}

/// Puts parts together again. Memory is bounded by [`MESSAGE_LIMIT`] over all open messages.
#[derive(Debug, Default)]
pub struct Assembler {
    open: HashMap<u64, Open>,
    bytes: usize,
}

#[derive(Debug)]
struct Open {
    count: u32,
    next: u32,
    text: String,
}

impl Assembler {
    /// Takes one frame's JSON; returns a whole message's JSON when one is complete.
    ///
    /// # Errors
    /// `too_large` when the parts add up to more than the limit, `invalid_argument` when they do not fit together.
    /// Either ends the connection: what is missing cannot be asked for again.
    pub fn take(&mut self, frame: String) -> Result<Option<String>, Error> {
        if !frame.starts_with("{\"part\":") {
            return Ok(Some(frame));
        }
        let Carrier { part } =
            serde_json::from_str(&frame).map_err(|error| Error::argument("part", error))?;
        if part.count < 2 || part.index >= part.count {
            return Err(Error::argument("part.index", "outside the message"));
        }
        if self.bytes + part.data.len() > MESSAGE_LIMIT {
            return Err(too_large(self.bytes + part.data.len()));
        }
        if part.index == 0 {
            if self.open.len() >= OPEN_MESSAGES {
                return Err(Error::argument("part.of", "too many messages are half arrived"));
            }
            let open = Open {
                count: part.count,
                next: 0,
                text: String::new(),
            };
            if self.open.insert(part.of, open).is_some() {
                return Err(Error::argument("part.of", "starts twice"));
            }
        }
        let Some(open) = self.open.get_mut(&part.of) else {
            return Err(Error::argument("part.of", "names no message on its way"));
        };
        if open.next != part.index || open.count != part.count {
            return Err(Error::argument("part.index", "out of order"));
        }
        open.next += 1;
        open.text.push_str(&part.data);
        self.bytes += part.data.len();
        if open.next < open.count {
            return Ok(None);
        }
        let whole = self.open.remove(&part.of).map(|open| open.text);
        self.bytes -= whole.as_ref().map_or(0, String::len);
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) -> usize {
        let json = serde_json::to_string(text).unwrap();
        let frames = cut(json.clone(), 7).unwrap();
        let mut assembler = Assembler::default();
        let mut whole = None;
        for frame in &frames {
            assert!(frame.len() <= PART_LIMIT && frame.len() <= BROWSER_LIMIT);
            assert!(whole.is_none());
            whole = assembler.take(frame.clone()).unwrap();
        }
        assert_eq!(whole.as_deref(), Some(json.as_str()));
        assert_eq!(assembler.bytes, 0);
        frames.len()
    }

    #[test]
    fn messages_around_the_limits_arrive_whole() {
        for size in [
            0,
            1,
            PART_LIMIT - 3,
            PART_LIMIT - 2,
            PART_LIMIT - 1,
            BROWSER_LIMIT,
            BROWSER_LIMIT + 1,
        ] {
            round_trip(&"a".repeat(size));
        }
        assert_eq!(round_trip(&"a".repeat(PART_LIMIT - 2)), 1);
        assert_eq!(round_trip(&"a".repeat(PART_LIMIT - 1)), 2);
    }

    #[test]
    fn escapes_and_wide_characters_do_not_overflow_a_part() {
        round_trip(&"\"\\\u{1}".repeat(400_000));
        round_trip(&"é🎉\u{fffd}".repeat(200_000));
    }

    #[test]
    fn a_message_over_the_limit_is_refused_before_it_is_sent() {
        assert_eq!(
            cut("x".repeat(MESSAGE_LIMIT + 1), 1).unwrap_err().code,
            Code::TooLarge
        );
    }

    #[test]
    fn parts_that_do_not_fit_end_the_connection() {
        let part = |of, index, count| {
            serde_json::to_string(&Carrier {
                part: Part {
                    of,
                    index,
                    count,
                    data: "x".into(),
                },
            })
            .unwrap()
        };
        let mut assembler = Assembler::default();
        assert!(assembler.take(part(1, 1, 3)).is_err(), "starts in the middle");
        assert!(
            assembler.take(part(1, 0, 1)).is_err(),
            "a message of one part is no message in parts"
        );
        assert_eq!(assembler.take(part(1, 0, 3)).unwrap(), None);
        assert!(assembler.take(part(1, 2, 3)).is_err(), "skips one");
        assert!(Assembler::default().take("{\"part\":{\"of\":1}}".into()).is_err());
        let mut flooded = Assembler::default();
        for of in 0..OPEN_MESSAGES as u64 {
            flooded.take(part(of, 0, 2)).unwrap();
        }
        assert!(flooded.take(part(99, 0, 2)).is_err());
    }
}
