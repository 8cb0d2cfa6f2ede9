//! Large messages of a link that travel over its socket, and what makes sure that each arrives exactly once: they are
//! numbered, the other side acknowledges each over the native port, and what was not acknowledged when the socket
//! closes goes out again over the native port. No I/O and no clock; both sides of a link use the same code.
//!
//! Order: numbers go up by one over whichever way, so what is re-sent has to be acknowledged before a new socket carries
//! anything. A message that means another one, such as the cancellation of a call, goes the way of that one.

use std::collections::VecDeque;

use crate::error::Error;
use crate::frame::MESSAGE_LIMIT;
use crate::ids::CallId;

/// Messages above this many bytes of JSON go over the socket.
pub const BULK_FROM: usize = 64 * 1024;

/// The largest frame on the socket, in bytes: a message and its number.
pub const SOCKET_LIMIT: usize = MESSAGE_LIMIT + 32;

/// Bytes that a message may get on top when it goes out again.
const AGAIN: usize = 128;

/// Looks at the same oldest message, see [`Outbox::is_stuck`], after which a socket counts as dead.
const PATIENCE: u32 = 3;

/// Which way a message goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Over the native port, in parts where needed.
    Native(String),
    /// Over the socket, as one text frame.
    Socket(String),
}

/// What one side sends.
#[derive(Debug, Default)]
pub struct Outbox {
    /// Number of the last message that went over the socket.
    last: u64,
    /// Not acknowledged yet, oldest first.
    waiting: VecDeque<Waiting>,
    /// Whether the socket takes messages.
    open: bool,
    /// The oldest message at the last look, and how often it was that one.
    looked: (u64, u32),
}

#[derive(Debug)]
struct Waiting {
    number: u64,
    json: String,
    /// The call it starts.
    starts: Option<CallId>,
    /// It went out again over the native port.
    again: bool,
}

impl Outbox {
    /// The socket is there and proved.
    pub fn opened(&mut self) {
        self.open = true;
    }

    /// The socket is gone. What has to go out over the native port now, in this order; `wrap` makes the native message
    /// that carries a number and the JSON of a message.
    pub fn closed(&mut self, wrap: impl Fn(u64, &str) -> String) -> Vec<String> {
        self.open = false;
        self.looked = (0, 0);
        self.waiting
            .iter_mut()
            .filter_map(|waiting| {
                let before = std::mem::replace(&mut waiting.again, true);
                (!before).then(|| wrap(waiting.number, &waiting.json))
            })
            .collect()
    }

    /// Whether the socket takes messages.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Decides the way of a message: the socket for a large one. `starts` is the call that the message starts, `about`
    /// the one that it is about and must not arrive before.
    pub fn route(&mut self, json: String, starts: Option<CallId>, about: Option<CallId>) -> Way {
        let follows = about.is_some() && self.waiting.iter().any(|waiting| waiting.starts == about);
        let large = json.len() > BULK_FROM && json.len() <= MESSAGE_LIMIT - AGAIN;
        // What is on its way again over the native port has to be there first.
        if !self.open || !(large || follows) || self.waiting.iter().any(|waiting| waiting.again) {
            return Way::Native(json);
        }
        self.last += 1;
        let frame = framed(self.last, &json);
        self.waiting.push_back(Waiting {
            number: self.last,
            json,
            starts,
            again: false,
        });
        Way::Socket(frame)
    }

    /// The other side has a message.
    ///
    /// # Errors
    /// `invalid_argument` for one that was never sent; it ends the link.
    pub fn taken(&mut self, number: u64) -> Result<(), Error> {
        if number == 0 || number > self.last {
            return Err(Error::argument("number", "names no message that was sent"));
        }
        self.waiting.retain(|waiting| waiting.number != number);
        Ok(())
    }

    /// Whether a message has waited so long that its socket must be dead. To be asked at regular times, a few seconds
    /// apart.
    pub fn is_stuck(&mut self) -> bool {
        let oldest = self.waiting.front().map_or(0, |waiting| waiting.number);
        self.looked = match self.looked {
            (number, looks) if number == oldest && oldest != 0 => (number, looks + 1),
            _ => (oldest, u32::from(oldest != 0)),
        };
        self.open && self.looked.1 >= PATIENCE
    }
}

/// What one side has taken.
#[derive(Debug, Default)]
pub struct Inbox {
    last: u64,
}

impl Inbox {
    /// Whether a message is new; one that is not came before, and is acknowledged again and dropped.
    ///
    /// # Errors
    /// `invalid_argument` for one that is out of turn; it ends the link.
    pub fn is_new(&mut self, number: u64) -> Result<bool, Error> {
        if number <= self.last {
            return Ok(false);
        }
        if number != self.last + 1 {
            return Err(Error::argument("number", "is out of turn"));
        }
        self.last = number;
        Ok(true)
    }
}

/// A text frame of the socket: the number, a line feed, the message.
fn framed(number: u64, json: &str) -> String {
    let mut frame = String::with_capacity(json.len() + 24);
    frame.push_str(&number.to_string());
    frame.push('\n');
    frame.push_str(json);
    frame
}

/// Number and message of a text frame of the socket.
///
/// # Errors
/// `invalid_argument` for anything else.
pub fn unframed(frame: &str) -> Result<(u64, &str), Error> {
    let fault = || Error::argument("frame", "is no numbered message");
    let (number, json) = frame.split_once('\n').ok_or_else(fault)?;
    if number.is_empty() || number.len() > 19 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(fault());
    }
    Ok((number.parse().map_err(|_| fault())?, json))
}

#[cfg(test)]
mod tests;
