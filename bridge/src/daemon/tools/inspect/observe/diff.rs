//! What changed between two outlines, line by line. A line that only moved in or out is the same line: what is around it
//! tells that already.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use drawbridge_protocol::outline::Ref;
use drawbridge_protocol::tools::inspect::DiffTold;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::super::units::Units;

/// How long the shortest difference is looked for; after it a longer one will do.
const LIMIT: Duration = Duration::from_millis(200);

/// The lines that differ, marked `+` (new), `~` (the same element, saying something else) or `-` (gone), and how many
/// there are of each.
pub(super) fn lines(before: &Units, after: &Units) -> (Units, DiffTold) {
    let old: Vec<&str> = before.each(0, before.len()).collect();
    let new: Vec<&str> = after.each(0, after.len()).collect();
    let mut numbers = HashMap::new();
    let olds = numbered(&old, &mut numbers);
    let news = numbered(&new, &mut numbers);
    let until = Some(Instant::now() + LIMIT);
    let mut ops = capture_diff_slices_deadline(Algorithm::Patience, &olds, &news, until);
    let same: u32 = ops
        .iter()
        .filter(|op| matches!(op, DiffOp::Equal { .. }))
        .map(|op| op.new_range().len() as u32)
        .sum();
    ops.retain(|op| !matches!(op, DiffOp::Equal { .. }));
    let gone: HashSet<Ref> = ops
        .iter()
        .flat_map(DiffOp::old_range)
        .filter_map(|index| reference(old[index]))
        .collect();
    let come: HashSet<Ref> = ops
        .iter()
        .flat_map(DiffOp::new_range)
        .filter_map(|index| reference(new[index]))
        .collect();
    let mut told = DiffTold {
        base: true,
        unchanged: same,
        ..DiffTold::default()
    };
    let mut changed = Units::default();
    for op in &ops {
        for index in op.old_range() {
            // An element that has a new line is not gone: that line says what it is now.
            if !reference(old[index]).is_some_and(|one| come.contains(&one)) {
                told.removed += 1;
                changed.push(&format!("- {}", old[index]), before.kind(index));
            }
        }
        for index in op.new_range() {
            let mark = if reference(new[index]).is_some_and(|one| gone.contains(&one)) {
                told.changed += 1;
                '~'
            } else {
                told.added += 1;
                '+'
            };
            changed.push(&format!("{mark} {}", new[index]), after.kind(index));
        }
    }
    changed.shrink();
    (changed, told)
}

/// A number per line, the same for the same words.
fn numbered<'a>(lines: &[&'a str], numbers: &mut HashMap<&'a str, u32>) -> Vec<u32> {
    lines
        .iter()
        .map(|line| {
            let next = numbers.len() as u32;
            *numbers.entry(line.trim_start()).or_insert(next)
        })
        .collect()
}

/// The ref that a line begins with.
fn reference(line: &str) -> Option<Ref> {
    line.trim_start().split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests;
