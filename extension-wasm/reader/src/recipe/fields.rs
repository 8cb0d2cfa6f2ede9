//! The values of a page's rows.

use drawbridge_protocol::reader::{MAX_FIELD_MATCHES, MAX_TEXT, sets};
use drawbridge_protocol::recipe::{Field, Issue, IssueKind, Read};

use super::{Ask, number};
use crate::columns::{Malformed, malformed};
use crate::matches::{Match, Set};
use crate::visible;

/// One value per field, in the recipe's order.
pub(crate) type Row = Vec<Option<String>>;

/// Reads the fields of `rows`, which are indexes of visible matches. Rows are worth something only without issues.
pub(crate) fn read(
    ask: &Ask<'_>,
    some_text_was_cut: bool,
    all: &[Set<'_>],
    rows: &[usize],
) -> Result<(Vec<Row>, Vec<Issue>), Malformed> {
    let fields: Vec<_> = ask.recipe.fields.iter().zip(&all[sets::FIELDS..]).collect();
    let by_row: Vec<Vec<Vec<&Match<'_>>>> = fields
        .iter()
        .map(|(_, set)| by_row(set, all[sets::ROWS].matches.len()))
        .collect();
    let (mut values, mut issues) = (Vec::with_capacity(rows.len()), Vec::new());
    for (row, &index) in rows.iter().enumerate() {
        let mut value = Vec::with_capacity(fields.len());
        for (&(field, _), by_row) in fields.iter().zip(&by_row) {
            match read_one(field, &by_row[index]) {
                Ok(Some(text)) if some_text_was_cut && text.len() >= MAX_TEXT as usize => {
                    return Err(malformed(format!(
                        "row {}, {}: more than {MAX_TEXT} UTF-16 units",
                        row + 1,
                        field.name
                    )));
                }
                Ok(text) => value.push(text.map(|text| text.trim().to_owned())),
                Err((kind, matched)) => issues.push(Issue {
                    kind,
                    field: Some(field.name.clone()),
                    selector: field.selector.clone(),
                    matched: Some(number(matched)),
                    row: Some(number(row + 1)),
                    page: Some(ask.page),
                }),
            }
        }
        values.push(value);
    }
    Ok((values, issues))
}

fn by_row<'s, 'a>(set: &'s Set<'a>, rows: usize) -> Vec<Vec<&'s Match<'a>>> {
    let mut by_row = vec![Vec::new(); rows];
    for one in &set.matches {
        if let Some(parent) = one.parent {
            by_row[parent].push(one);
        }
    }
    by_row
}

/// The text of the one match, not yet trimmed; or what does not fit, and how many elements matched.
fn read_one<'s>(field: &Field, matches: &'s [&Match<'_>]) -> Result<Option<&'s str>, (IssueKind, usize)> {
    let found: Vec<&str> = matches.iter().filter_map(|one| text(field.read, one)).collect();
    let missing = |matched| {
        if field.required {
            Err((IssueKind::FieldMissing, matched))
        } else {
            Ok(None)
        }
    };
    // Past this many the port describes none, and what it does not describe could match.
    if matches.len() >= MAX_FIELD_MATCHES as usize {
        return Err((IssueKind::FieldAmbiguous, found.len()));
    }
    match found.as_slice() {
        [] => missing(0),
        [text] if text.trim().is_empty() => missing(1),
        [text] => Ok(Some(text)),
        several => Err((IssueKind::FieldAmbiguous, several.len())),
    }
}

/// The match's text, when it is a match by the rule of its kind: rendered text needs rendering (without it, a browser
/// gives `textContent` instead), and an attribute needs to be there.
fn text<'s>(read: Read, one: &'s Match<'_>) -> Option<&'s str> {
    match read {
        Read::Text if !visible::is_rendered(one.flags) => None,
        Read::Text | Read::TextContent | Read::Attribute => one.texts.first()?.as_deref(),
    }
}
