//! The rows of a list that shows a part of them at a time, put together from several looks. Pure.

/// Rows put together so far, in order.
#[derive(Debug, Default)]
pub(crate) struct Merge {
    rows: Vec<Placed>,
    /// Distance at which two rows are the same one.
    slack: i64,
    /// What this list's own positions moved by since the first look: lists that guess heights correct themselves.
    moved: i64,
}

#[derive(Clone, Debug, PartialEq)]
struct Placed {
    position: i64,
    cells: Vec<String>,
}

impl Merge {
    /// Adds the rows of one look with their positions; a row at a known position is the newer state of the row there.
    /// Answers how many rows are new.
    pub(crate) fn add(&mut self, rows: Vec<Vec<String>>, positions: &[i64]) -> usize {
        let mut look: Vec<Placed> = rows
            .into_iter()
            .zip(positions)
            .map(|(cells, &position)| Placed { position, cells })
            .collect();
        // Recycled rows need not stand in the order of the list.
        look.sort_by_key(|row| row.position);
        // One row alone does not tell.
        self.slack = slack(&look).unwrap_or(self.slack);
        let slack = self.slack;
        self.moved += self.shift(&look, slack);
        for row in &mut look {
            row.position += self.moved;
        }
        let before = self.rows.len();
        let mut merged = Vec::with_capacity(before + look.len());
        let mut known = std::mem::take(&mut self.rows).into_iter().peekable();
        for row in look {
            while let Some(earlier) = known.next_if(|known| known.position < row.position - slack) {
                merged.push(earlier);
            }
            // The same row, seen again: its place stays, so that many small differences do not add up.
            match known.next_if(|known| known.position <= row.position + slack) {
                Some(again) => merged.push(Placed {
                    position: again.position,
                    cells: row.cells,
                }),
                None => merged.push(row),
            }
        }
        merged.extend(known);
        self.rows = merged;
        self.rows.len() - before
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows, in order.
    pub(crate) fn into_rows(self) -> Vec<Vec<String>> {
        self.rows.into_iter().map(|row| row.cells).collect()
    }

    /// How far the look's positions have to be moved so that the rows it shares with what is known are the same.
    fn shift(&self, look: &[Placed], slack: i64) -> i64 {
        let (Some(first), Some(end)) = (look.first(), self.rows.last()) else {
            return 0;
        };
        // Rows at a known place: those that are the same, and those that are not.
        let compare = |shift: i64| -> (usize, usize) {
            let (mut same, mut other, mut from) = (0, 0, 0);
            for row in look {
                let at = row.position + self.moved + shift;
                from += self.rows[from..].partition_point(|known| known.position < at - slack);
                match self.rows.get(from).filter(|known| known.position <= at + slack) {
                    Some(known) if known.cells == row.cells => same += 1,
                    Some(_) => other += 1,
                    None => {}
                }
            }
            (same, other)
        };
        let fits = match compare(0) {
            // Nothing in common: it follows on, unless it begins inside of the last row that is known.
            (0, 0) => {
                let place = first.position + self.moved;
                place <= self.rows[0].position || place >= end.position + nearest(look).unwrap_or(0) - slack
            }
            // Some rows may have changed since.
            (same, other) => same >= other,
        };
        if slack == 0 || fits {
            return 0;
        }
        // Where the look's first row could have been before, nearest first.
        let known = self.rows.iter().rev().take(TRIED);
        let mut shifts: Vec<i64> = known
            .filter(|known| known.cells == first.cells)
            .map(|known| known.position - first.position - self.moved)
            .collect();
        shifts.sort_by_key(|shift| shift.abs());
        let better = |&shift: &i64| {
            let (same, other) = compare(shift);
            same > other
        };
        shifts.into_iter().find(better).unwrap_or(0)
    }
}

/// Rows before the end that a moved look is compared with.
const TRIED: usize = 200;
/// Distance at which two rows are the same one, in px; positions that count rows have none.
const SLACK: i64 = 2;

/// Rows nearer to each other than any row is high have positions that count them.
fn slack(look: &[Placed]) -> Option<i64> {
    nearest(look).map(|nearest| if nearest > 2 * SLACK { SLACK } else { 0 })
}

/// The least distance of two neighbours.
fn nearest(look: &[Placed]) -> Option<i64> {
    look.windows(2)
        .map(|pair| pair[1].position - pair[0].position)
        .min()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn look(rows: &[(i64, &str)]) -> (Vec<Vec<String>>, Vec<i64>) {
        (
            rows.iter().map(|(_, text)| vec![(*text).to_owned()]).collect(),
            rows.iter().map(|(position, _)| *position).collect(),
        )
    }

    fn merged(looks: &[&[(i64, &str)]]) -> Vec<String> {
        let mut merge = Merge::default();
        for rows in looks {
            let (rows, positions) = look(rows);
            merge.add(rows, &positions);
        }
        merge.into_rows().into_iter().flatten().collect()
    }

    #[test]
    fn rows_come_once_and_in_order() {
        // Counted positions, recycled out of order.
        assert_eq!(
            merged(&[&[(1, "a"), (2, "b"), (3, "c")], &[(4, "d"), (3, "c"), (5, "e")]]),
            ["a", "b", "c", "d", "e"]
        );
        // Pixels, off by one.
        assert_eq!(
            merged(&[&[(0, "a"), (20, "b"), (40, "c")], &[(41, "c"), (61, "d")]]),
            ["a", "b", "c", "d"]
        );
        // Equal neighbours stay, and a row that was loading is replaced.
        assert_eq!(
            merged(&[
                &[(0, "same"), (20, "same"), (40, "…")],
                &[(20, "same"), (40, "same"), (60, "same")]
            ]),
            ["same"; 4]
        );
        // Upwards, too.
        assert_eq!(
            merged(&[&[(40, "c"), (60, "d")], &[(0, "a"), (20, "b"), (40, "c")]]),
            ["a", "b", "c", "d"]
        );
    }

    #[test]
    fn a_list_that_corrects_its_guesses_is_followed() {
        assert_eq!(
            merged(&[
                &[(0, "a"), (20, "b"), (40, "c")],
                &[(50, "b"), (70, "c"), (90, "d")],
                &[(90, "d"), (120, "e")],
            ]),
            ["a", "b", "c", "d", "e"]
        );
    }

    proptest! {
        #[test]
        fn windows_over_a_list_give_the_list(
            heights in prop::collection::vec(5..60_i64, 1..80),
            texts in prop::collection::vec(0..3_u8, 80),
            size in 2..10_usize,
            counted in any::<bool>(),
        ) {
            let all: Vec<(i64, String)> = heights
                .iter()
                .scan(0, |top, height| { let at = *top; *top += height; Some(at) })
                .enumerate()
                .map(|(index, top)| (if counted { index as i64 } else { top }, texts[index].to_string()))
                .collect();
            let mut merge = Merge::default();
            let mut from = 0;
            loop {
                let to = (from + size).min(all.len());
                let rows = all[from..to].iter().map(|(_, text)| vec![text.clone()]).collect();
                let positions: Vec<i64> = all[from..to].iter().map(|(at, _)| *at).collect();
                merge.add(rows, &positions);
                if to == all.len() { break }
                from = to - 1;
            }
            let expected: Vec<String> = all.into_iter().map(|(_, text)| text).collect();
            prop_assert_eq!(merge.into_rows().into_iter().flatten().collect::<Vec<_>>(), expected);
        }
    }
}
