//! How long to wait before the next try to connect. Pure.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

/// Tries since the bridge last welcomed us.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Backoff(u32);

impl Backoff {
    /// The wait now, and what follows: at once after a link that worked, then 100 ms, doubled up to 5 s.
    pub(super) fn next(self) -> (Duration, Self) {
        let wait = match self.0 {
            0 => Duration::ZERO,
            tries => LONGEST.min(FIRST * 2u32.saturating_pow((tries - 1).min(16))),
        };
        (wait, Self(self.0.saturating_add(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_starts_at_once_and_ends_at_five_seconds() {
        let mut backoff = Backoff::default();
        let waits: Vec<u128> = (0..9)
            .map(|_| {
                let (wait, next) = backoff.next();
                backoff = next;
                wait.as_millis()
            })
            .collect();
        assert_eq!(waits, [0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
        assert_eq!(Backoff(u32::MAX).next().0, LONGEST);
    }
}
