//! What the pages of a recipe add up to. Pure.

use std::collections::HashSet;

use drawbridge_protocol::Error;
use drawbridge_protocol::reader::PageState;
use drawbridge_protocol::recipe::{Issue, IssueKind, Recipe, State};
use serde_json::{Map, Value};

use crate::address;
use crate::unreadable;

/// Rows and addresses so far.
pub(crate) struct Pages<'r> {
    recipe: &'r Recipe,
    rows: Vec<Map<String, Value>>,
    seen: HashSet<Vec<Option<String>>>,
    /// Addresses that count as read: asked for, and landed on.
    read: Vec<String>,
    issues: Vec<Issue>,
    pages: u32,
}

/// What follows a page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// This address is to be read next.
    Next(String),
    /// That was all.
    Done(Found),
}

/// A recipe's result but for when and where.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) state: State,
    pub(crate) rows: Vec<Map<String, Value>>,
    pub(crate) complete: bool,
    pub(crate) pages: u32,
    pub(crate) issues: Vec<Issue>,
}

impl<'r> Pages<'r> {
    /// Before the first page.
    pub(crate) fn new(recipe: &'r Recipe) -> Self {
        Self {
            recipe,
            rows: Vec::new(),
            seen: HashSet::new(),
            read: Vec::new(),
            issues: Vec::new(),
            pages: 0,
        }
    }

    /// Number of the page that is read next, from 1.
    pub(crate) fn page(&self) -> u32 {
        self.pages + 1
    }

    /// Rows that may still come.
    pub(crate) fn room(&self) -> u32 {
        let rows = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        self.recipe.limit.saturating_sub(rows)
    }

    /// Takes what a page says: `asked` is the address that was loaded, `shown` the one it was read at.
    ///
    /// # Errors
    /// `navigation_blocked` for a next page on another origin.
    pub(crate) fn take(&mut self, asked: &str, shown: &str, state: PageState) -> Result<Step, Error> {
        let led_back = self.pages > 0 && self.was_read(shown);
        self.pages += 1;
        self.read.extend([asked.to_owned(), shown.to_owned()]);
        match state {
            // Not for here: whoever waits for the page keeps waiting.
            PageState::NotReady => Err(Error::internal("a page that is not ready was taken")),
            PageState::Login { issue } => Ok(self.failed(State::LoginRequired, vec![issue])),
            _ if led_back => Ok(self.failed(State::SourceChanged, vec![self.issue(IssueKind::NextRepeated)])),
            PageState::Changed { issues } => Ok(self.failed(State::SourceChanged, issues)),
            PageState::Empty if self.pages == 1 => Ok(self.done(State::Empty, true)),
            // A next page without rows that says so is the end of the list.
            PageState::Empty => Ok(self.done(State::Ok, true)),
            PageState::Rows { rows, beyond, next } => self.rows(rows, beyond, next),
        }
    }

    /// A redirect that landed on a page with a password field.
    pub(crate) fn login_redirect(&mut self) -> Found {
        self.pages += 1;
        let issue = self.issue(IssueKind::LoginRedirect);
        self.failure(State::LoginRequired, vec![issue])
    }

    fn rows(
        &mut self,
        rows: Vec<Vec<Option<String>>>,
        beyond: u32,
        next: Option<String>,
    ) -> Result<Step, Error> {
        for (row, values) in (1..).zip(rows) {
            self.rows.push(self.named(&values));
            if !self.seen.insert(values) {
                self.issues.push(Issue {
                    row: Some(row),
                    ..self.issue(IssueKind::RepeatedRow)
                });
            }
        }
        if let Some(next) = &next {
            if !address::is_on(next, &self.recipe.origin) {
                return Err(unreadable::off_origin(&self.recipe.origin, next).hint(
                    "the next link leaves the origin; take it out of the recipe or use another origin",
                ));
            }
            if self.was_read(next) {
                return Ok(self.failed(State::SourceChanged, vec![self.issue(IssueKind::NextRepeated)]));
            }
        }
        match next {
            _ if beyond > 0 => Ok(self.cut(IssueKind::LimitReached)),
            None => Ok(self.done(State::Ok, true)),
            Some(_) if self.room() == 0 => Ok(self.cut(IssueKind::LimitReached)),
            Some(_) if self.pages >= self.recipe.max_pages => Ok(self.cut(IssueKind::MaxPagesReached)),
            Some(next) => Ok(Step::Next(next)),
        }
    }

    fn named(&self, values: &[Option<String>]) -> Map<String, Value> {
        let value = |text: &Option<String>| text.clone().map_or(Value::Null, Value::String);
        self.recipe
            .fields
            .iter()
            .zip(values)
            .map(|(field, text)| (field.name.clone(), value(text)))
            .collect()
    }

    fn was_read(&self, url: &str) -> bool {
        self.read.iter().any(|read| address::same_page(read, url))
    }

    fn issue(&self, kind: IssueKind) -> Issue {
        Issue {
            page: Some(self.pages),
            ..Issue::new(kind)
        }
    }

    fn cut(&mut self, kind: IssueKind) -> Step {
        self.issues.push(self.issue(kind));
        self.done(State::Incomplete, false)
    }

    fn done(&mut self, state: State, complete: bool) -> Step {
        Step::Done(Found {
            state,
            rows: std::mem::take(&mut self.rows),
            complete,
            pages: self.pages,
            issues: std::mem::take(&mut self.issues),
        })
    }

    fn failed(&self, state: State, issues: Vec<Issue>) -> Step {
        Step::Done(self.failure(state, issues))
    }

    /// No rows at all: a part of them could pass for all.
    fn failure(&self, state: State, issues: Vec<Issue>) -> Found {
        Found {
            state,
            rows: Vec::new(),
            complete: false,
            pages: self.pages,
            issues,
        }
    }
}

#[cfg(test)]
#[path = "pages/tests.rs"]
mod tests;
