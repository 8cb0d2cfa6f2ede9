//! Lines of a text that contain another.

use drawbridge_protocol::page::LogMatches;

use crate::fold::fold;

/// The lines that contain `needle` as it is written, the first `most` of them, or with `last` the last.
///
/// White space of another kind, and characters that do not show, make no difference.
pub(crate) fn lines(text: &str, needle: &str, most: u32, last: bool) -> (String, LogMatches) {
    let folded = fold(needle);
    let fits =
        |line: &str| line.contains(needle) || (!folded.is_empty() && fold(line).contains(folded.as_ref()));
    let found: Vec<(usize, &str)> = text.lines().enumerate().filter(|(_, line)| fits(line)).collect();
    let most = found.len().min(usize::try_from(most).unwrap_or(usize::MAX));
    let given = if last {
        &found[found.len() - most..]
    } else {
        &found[..most]
    };
    let matches = LogMatches {
        count: number(found.len()),
        numbers: given.iter().map(|(line, _)| number(line + 1)).collect(),
    };
    let lines: Vec<&str> = given.iter().map(|(_, line)| *line).collect();
    (lines.join("\n"), matches)
}

/// Forgets the numbers of lines of which a cut left nothing.
pub(crate) fn keep(matches: &mut LogMatches, text: &str, last: bool) {
    // A line that matched is not empty; where a cut falls between two, nothing is.
    let left = text.split('\n').filter(|line| !line.is_empty()).count();
    let gone = matches.numbers.len().saturating_sub(left);
    if last {
        matches.numbers.drain(..gone);
    } else {
        matches.numbers.truncate(left);
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
