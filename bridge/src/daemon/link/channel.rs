//! How the socket of a link is, for whoever looks at the link from outside.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::socket::OFFER_MS;
use drawbridge_protocol::tools::doctor::SocketHealth;
use tokio::time::Instant;

/// Offers in a row that were not taken up, after which nobody gets through. A working browser takes the first.
const TRIES: u32 = 3;

/// Written by the link's task; clones are of the same link.
#[derive(Clone, Debug, Default)]
pub(super) struct Channel(Rc<Cell<State>>);

#[derive(Clone, Copy, Debug, Default)]
enum State {
    /// None is wanted.
    #[default]
    None,
    Off,
    NoPort,
    Offered {
        tries: u32,
        since: Instant,
    },
    Open,
}

impl Channel {
    pub(super) fn off(&self) {
        self.0.set(State::Off);
    }

    pub(super) fn no_port(&self) {
        self.0.set(State::NoPort);
    }

    pub(super) fn offered(&self) {
        let state = match self.0.get() {
            State::Offered { tries, since } => State::Offered {
                tries: tries.saturating_add(1),
                since,
            },
            State::None | State::Off | State::NoPort | State::Open => State::Offered {
                tries: 1,
                since: Instant::now(),
            },
        };
        self.0.set(state);
    }

    pub(super) fn open(&self) {
        self.0.set(State::Open);
    }

    /// What is to be said of it; nothing while an offer may still be taken up.
    pub(super) fn health(&self) -> Option<SocketHealth> {
        match self.0.get() {
            State::None => None,
            State::Off => Some(SocketHealth::Off),
            State::NoPort => Some(SocketHealth::NoPort),
            State::Open => Some(SocketHealth::Open),
            State::Offered { tries, since } => {
                let late = since.elapsed() > Duration::from_millis(OFFER_MS);
                (late || tries > TRIES).then_some(SocketHealth::Unanswered)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_that_nobody_takes_up_is_a_port_that_nobody_gets_through_to() {
        let channel = Channel::default();
        assert_eq!(channel.health(), None);
        for _ in 0..TRIES {
            channel.offered();
            assert_eq!(channel.health(), None, "it may be on its way");
        }
        channel.offered();
        assert_eq!(channel.health(), Some(SocketHealth::Unanswered));
        channel.open();
        assert_eq!(channel.health(), Some(SocketHealth::Open));
        channel.offered();
        assert_eq!(channel.health(), None, "one that was lost is made anew");
        channel.no_port();
        assert_eq!(channel.health(), Some(SocketHealth::NoPort));
        channel.off();
        assert_eq!(channel.health(), Some(SocketHealth::Off));
    }
}
