//! How often a page is looked at. Pure.
//!
//! The first change after some quiet is looked at once. A page that changes all the time is looked at in distances that
//! grow with what a look costs, so that waiting takes a bounded part of its time.

use std::time::Duration;

/// Looks at changes without a pause between them that still count as the first ones.
const FREE: u32 = 3;
/// A pause is at most so many times what the look cost …
const MOST: u32 = 3;
/// … and a page that nothing is heard of is looked at after so many times that.
const UNHEARD: u32 = 20;
/// A dearer look counts for one of so many parts.
const SLOWLY: u32 = 8;
/// No page is left alone for longer …
const LONGEST: Duration = Duration::from_secs(5);
/// … or looked at unasked more often: there are changes that no observer tells, such as those of a style sheet.
const SHORTEST: Duration = Duration::from_millis(400);

#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Looks at changes in a row.
    busy: u32,
    /// What a look mostly costs: less at once, more only slowly, since a machine that does other things makes one dear.
    cost: Option<Duration>,
}

impl Pace {
    /// Takes what a look cost.
    pub(super) fn looked(&mut self, cost: Duration) {
        self.cost = Some(match self.cost {
            Some(usual) if usual < cost => usual + (cost - usual) / SLOWLY,
            Some(_) | None => cost,
        });
    }

    /// Whether the page leaves time to look for more than what is waited for.
    pub(super) fn is_quiet(&self) -> bool {
        self.busy <= FREE
    }

    /// How long the page is left alone after a look at it.
    pub(super) fn pause(&self) -> Duration {
        let times = self.busy.saturating_sub(FREE).min(MOST);
        (self.usual() * times).min(LONGEST)
    }

    /// How long nothing may be heard of it before it is looked at again.
    pub(super) fn unheard(&self) -> Duration {
        (self.usual() * UNHEARD).clamp(SHORTEST, LONGEST)
    }

    /// A look is due: by a change that came so long after the last look, or by none.
    pub(super) fn due(&mut self, changed: bool, after: Duration) {
        let at_once = changed && after <= (self.usual() * MOST).max(Duration::from_millis(50));
        self.busy = if at_once { self.busy.saturating_add(1) } else { 0 };
    }

    fn usual(&self) -> Duration {
        self.cost.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: Duration = Duration::from_millis(10);

    #[test]
    fn a_busy_page_is_left_alone_for_a_multiple_of_what_a_look_costs() {
        let mut pace = Pace::default();
        pace.looked(COST);
        assert_eq!(pace.pause(), Duration::ZERO);
        for _ in 0..20 {
            pace.due(true, Duration::from_millis(1));
        }
        assert_eq!(pace.pause(), COST * MOST);
        assert!(!pace.is_quiet());
        pace.due(true, Duration::from_millis(500));
        assert_eq!(
            pace.pause(),
            Duration::ZERO,
            "after some quiet it is looked at once"
        );
        assert!(pace.is_quiet());
    }

    #[test]
    fn one_dear_look_is_no_dear_page() {
        let mut pace = Pace::default();
        pace.looked(Duration::from_secs(1));
        pace.looked(COST);
        pace.looked(Duration::from_millis(810));
        (0..20).for_each(|_| pace.due(true, Duration::ZERO));
        assert_eq!(pace.pause(), (COST + Duration::from_millis(100)) * MOST);
        for _ in 0..100 {
            pace.looked(Duration::from_secs(60));
        }
        assert_eq!(pace.pause(), LONGEST);
    }

    #[test]
    fn a_page_that_says_nothing_is_looked_at_all_the_same() {
        let mut pace = Pace::default();
        pace.looked(Duration::from_millis(2));
        assert_eq!(pace.unheard(), SHORTEST);
        let mut dear = Pace::default();
        dear.looked(Duration::from_secs(2));
        assert_eq!(dear.unheard(), LONGEST);
    }
}
