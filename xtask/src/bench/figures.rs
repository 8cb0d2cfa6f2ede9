//! Figures and their goals.

use std::time::Duration;

use crate::output;

/// What was measured, in order.
#[derive(Default)]
pub(super) struct Figures {
    rows: Vec<[String; 4]>,
}

impl Figures {
    /// A figure that must not be over its goal.
    pub(super) fn add(&mut self, name: &str, value: f64, goal: f64, unit: &str) {
        let verdict = if value <= goal { "met" } else { "missed" };
        self.rows.push([
            name.to_owned(),
            format!("≤ {goal} {unit}"),
            shown(value, unit),
            verdict.to_owned(),
        ]);
    }

    /// A figure that explains another.
    pub(super) fn note(&mut self, name: &str, value: f64, unit: &str) {
        self.rows
            .push([name.to_owned(), String::new(), shown(value, unit), String::new()]);
    }

    pub(super) fn print(self) {
        output::table(
            "Medians on this machine",
            &["figure", "goal", "value", ""],
            self.rows,
        );
    }
}

fn shown(value: f64, unit: &str) -> String {
    format!("{value:.2} {unit}")
}

/// The middle value; 0 of none.
pub(super) fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    match samples.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => samples[odd / 2],
        even => f64::midpoint(samples[even / 2 - 1], samples[even / 2]),
    }
}

/// A duration as people read it here.
pub(super) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
