//! Figures of many pages.

use std::fmt::Write as _;

use anyhow::{Result, ensure};

use super::compare::Agreement;

/// Of all visible interactive elements, those that an outline must have.
pub const RECALL: f64 = 0.99;

/// Of those it has, those that must have the same role and name.
pub const AGREEMENT: f64 = 0.98;

/// Differences that are printed of one page at most.
const PRINTED: usize = 25;

/// Pages and how well each agrees.
#[derive(Default)]
pub struct Report {
    pages: Vec<(String, Agreement)>,
}

impl Report {
    /// Adds a page.
    pub fn add(&mut self, page: &str, agreement: Agreement) {
        self.pages.push((page.to_owned(), agreement));
    }

    /// All pages as one.
    pub fn sum(&self) -> Agreement {
        let mut sum = Agreement::default();
        for (_, page) in &self.pages {
            sum.elements += page.elements;
            sum.found += page.found;
            sum.same += page.same;
            sum.same_states += page.same_states;
            sum.disordered += page.disordered;
            sum.extra += page.extra;
        }
        sum
    }

    /// The table: one line a page, then the sum, then what differs.
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:<38} {:>8} {:>7} {:>6} {:>6} {:>5} {:>5}\n",
            "page", "elements", "recall", "same", "states", "order", "extra"
        );
        let sum = self.sum();
        let all = self.pages.iter().map(|(page, one)| (page.as_str(), one));
        for (page, one) in all.chain([("all pages", &sum)]) {
            // Writing into a string cannot fail.
            let _ = writeln!(
                text,
                "{page:<38} {:>8} {:>6.1}% {:>5.1}% {:>5.1}% {:>5} {:>5}",
                one.elements,
                100.0 * one.recall(),
                100.0 * one.agreement(),
                100.0 * one.state_agreement(),
                one.disordered,
                one.extra
            );
        }
        for (page, one) in &self.pages {
            for difference in one.differences.iter().take(PRINTED) {
                let _ = writeln!(text, "{page}: {difference}");
            }
            let more = one.differences.len().saturating_sub(PRINTED);
            if more > 0 {
                let _ = writeln!(text, "{page}: … and {more} more");
            }
        }
        text
    }

    /// Prints the table and holds all pages together to the limits.
    ///
    /// # Errors
    /// When fewer are found, fewer agree, or the order differs; says by how much.
    pub fn judge(&self) -> Result<()> {
        let sum = self.sum();
        eprintln!("{}", self.table());
        ensure!(sum.elements > 0, "no page has an interactive element");
        ensure!(
            sum.recall() >= RECALL,
            "recall is {:.4}, not {RECALL}",
            sum.recall()
        );
        ensure!(
            sum.agreement() >= AGREEMENT,
            "agreement of role and name is {:.4}, not {AGREEMENT}",
            sum.agreement()
        );
        ensure!(
            sum.disordered == 0,
            "{} elements stand in another order",
            sum.disordered
        );
        Ok(())
    }
}
