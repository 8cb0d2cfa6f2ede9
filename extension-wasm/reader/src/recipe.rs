//! One page of a recipe, version 1: the rules, over the matches of its selectors.

mod fields;

use drawbridge_protocol::reader::{PageState, ReadReply, sets};
use drawbridge_protocol::recipe::{Issue, IssueKind, Recipe};

use crate::columns::{Columns, Malformed, Top};
use crate::matches::{Match, Set};
use crate::visible;

/// Which page is read, and for what.
#[derive(Debug)]
pub(crate) struct Ask<'r> {
    pub(crate) recipe: &'r Recipe,
    /// From 1.
    pub(crate) page: u32,
    /// Rows the recipe may still return.
    pub(crate) room: u32,
    /// Whether the address that was asked for led to another one.
    pub(crate) redirected: bool,
}

/// Issues of one page that are told; the first ones say enough.
const MAX_ISSUES: usize = 50;

/// Reads one page to its end.
pub(crate) fn read(ask: &Ask<'_>, top: Top, mut columns: Columns<'_>) -> Result<ReadReply, Malformed> {
    let sets = parse(ask.recipe, &mut columns)?;
    columns.finish()?;
    if let Some(path) = no_selector(&sets) {
        return Ok(ReadReply::NoSelector { path });
    }
    let page = state(ask, &top, &sets)?;
    Ok(ReadReply::RecipePage {
        header: top.header,
        page,
    })
}

/// The sets in the order of `recipe_sets`.
fn parse<'a>(recipe: &Recipe, columns: &mut Columns<'a>) -> Result<Vec<Set<'a>>, Malformed> {
    let mut all: Vec<Set<'a>> = Vec::with_capacity(sets::FIELDS + recipe.fields.len());
    for index in 0..sets::FIELDS + recipe.fields.len() {
        let (reads, within) = match index {
            sets::NEXT => (2, None),
            index if index < sets::FIELDS => (0, None),
            _ => (1, Some(all[sets::ROWS].matches.len())),
        };
        all.push(Set::parse(columns, reads, within)?);
    }
    Ok(all)
}

/// JSON path of the first selector that is none to the browser.
fn no_selector(all: &[Set<'_>]) -> Option<String> {
    let index = all.iter().position(|set| set.total.is_none())?;
    Some(match index {
        sets::ROWS => "rows".to_owned(),
        sets::READY => "ready".to_owned(),
        sets::EMPTY => "empty".to_owned(),
        sets::LOGIN => "login".to_owned(),
        sets::NEXT => "next".to_owned(),
        // Never seen: it is no selector of the recipe, and a browser takes it.
        sets::PASSWORD => "password".to_owned(),
        field => format!("fields[{}].selector", field - sets::FIELDS),
    })
}

fn state(ask: &Ask<'_>, top: &Top, all: &[Set<'_>]) -> Result<PageState, Malformed> {
    let recipe = ask.recipe;
    let seen = |index: usize| all[index].visible().count();
    let issue = |kind, selector: &str, matched: usize| Issue {
        selector: Some(selector.to_owned()),
        matched: Some(number(matched)),
        page: Some(ask.page),
        ..Issue::new(kind)
    };
    let changed = |issue| Ok(PageState::Changed { issues: vec![issue] });

    if let (Some(login), matched @ 1..) = (&recipe.login, seen(sets::LOGIN)) {
        return Ok(PageState::Login {
            issue: issue(IssueKind::LoginElement, login, matched),
        });
    }
    let ready = seen(sets::READY) > 0;
    let empty = recipe.empty.as_ref().filter(|_| seen(sets::EMPTY) > 0);
    // The form may well have what `ready` names, such as `main`, but nothing to list. A shop that asks for a password
    // beside its rows is no login.
    let listed = ready && seen(sets::ROWS) > 0 || empty.is_some();
    if ask.redirected && !listed && top.header.ready_state >= 1 && seen(sets::PASSWORD) > 0 {
        let issue = issue(
            IssueKind::LoginRedirect,
            "input[type=password i]",
            seen(sets::PASSWORD),
        );
        return Ok(PageState::Login { issue });
    }
    if !ready && empty.is_none() {
        return Ok(PageState::NotReady);
    }
    // Indexes are kept: fields name their row by its place among all matches.
    let rows: Vec<usize> = (0..all[sets::ROWS].matches.len())
        .filter(|&index| visible::is_visible(all[sets::ROWS].matches[index].flags))
        .collect();
    match (rows.is_empty(), empty) {
        (true, Some(_)) => Ok(PageState::Empty),
        (true, None) => changed(issue(IssueKind::NoRows, &recipe.rows, 0)),
        (false, Some(empty)) => changed(issue(IssueKind::RowsAndEmpty, empty, seen(sets::EMPTY))),
        (false, None) => read_rows(ask, top, all, &rows),
    }
}

fn read_rows(ask: &Ask<'_>, top: &Top, all: &[Set<'_>], rows: &[usize]) -> Result<PageState, Malformed> {
    let room = usize::try_from(ask.room).unwrap_or(usize::MAX);
    let taken = &rows[..rows.len().min(room)];
    let (values, mut issues) = fields::read(ask, top.cut > 0, all, taken)?;
    let next = match next(ask, &all[sets::NEXT]) {
        Ok(next) => next,
        Err(issue) => {
            issues.push(*issue);
            None
        }
    };
    if !issues.is_empty() {
        issues.truncate(MAX_ISSUES);
        return Ok(PageState::Changed { issues });
    }
    // Matches that the port did not describe may be visible, so they count as left.
    let set = &all[sets::ROWS];
    let unknown = set.total.unwrap_or(0).saturating_sub(number(set.matches.len()));
    let beyond = number(rows.len() - taken.len()).saturating_add(unknown);
    Ok(PageState::Rows {
        rows: values,
        beyond,
        next,
    })
}

/// Where the next page is; several links, or one without an address, fit no recipe.
fn next(ask: &Ask<'_>, set: &Set<'_>) -> Result<Option<String>, Box<Issue>> {
    let Some(selector) = &ask.recipe.next else {
        return Ok(None);
    };
    let issue = |kind, matched| {
        let matched = Some(number(matched));
        Box::new(Issue {
            selector: Some(selector.clone()),
            matched,
            page: Some(ask.page),
            ..Issue::new(kind)
        })
    };
    let seen: Vec<&Match<'_>> = set.visible().collect();
    match seen.as_slice() {
        [] => Ok(None),
        [link] => match link.texts.as_slice() {
            [Some(_), Some(resolved)] => Ok(Some(resolved.clone().into_owned())),
            _ => Err(issue(IssueKind::NextWithoutHref, 1)),
        },
        several => Err(issue(IssueKind::NextAmbiguous, several.len())),
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
