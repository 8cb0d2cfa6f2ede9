//! Which elements a locator means.

mod said;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cell::OnceCell;

use drawbridge_protocol::outline::Ref;
use drawbridge_protocol::page::{By, Locator, PageRead};
use drawbridge_protocol::{Code, Error};
use serde_json::json;

use crate::fold::{Needle, fold};
use crate::page::Page;
use crate::semantics::{Role, Semantics, name};
use crate::{text, unread};

use said::Said;

/// Candidates that an `ambiguous` error names.
const NAMED: usize = 5;
/// Characters of a label that are compared.
const LABEL: usize = 1_000;
/// Characters of a candidate's name.
const NAME: usize = 80;

/// Resolves the locators of one read.
#[derive(Debug)]
pub(crate) struct Locate<'r, 'p, 'a> {
    page: &'p Page<'a>,
    semantics: &'r Semantics<'p, 'a>,
    /// The selectors the port ran, in the order of their matches.
    selectors: Vec<&'r str>,
    caseless: OnceCell<Said>,
    exact: OnceCell<Said>,
}

impl<'r, 'p, 'a> Locate<'r, 'p, 'a> {
    /// For the locators of `ask`, which `page` was captured for.
    pub(crate) fn new(page: &'p Page<'a>, semantics: &'r Semantics<'p, 'a>, ask: &'r PageRead) -> Self {
        Self {
            page,
            semantics,
            selectors: ask.selectors(),
            caseless: OnceCell::new(),
            exact: OnceCell::new(),
        }
    }

    pub(crate) fn page(&self) -> &'p Page<'a> {
        self.page
    }

    pub(crate) fn semantics(&self) -> &'r Semantics<'p, 'a> {
        self.semantics
    }

    /// Every element it means, hidden ones too, in document order; with `index` the one that it picks of the visible
    /// ones.
    ///
    /// # Errors
    /// `invalid_argument` for what is no selector, and those of [`Self::one`] for its scope.
    pub(crate) fn all(&self, locator: &Locator) -> Result<Vec<usize>, Error> {
        self.all_within(locator, None)
    }

    /// [`Self::all`] inside one element.
    ///
    /// # Errors
    /// Those of [`Self::all`].
    pub(crate) fn all_within(&self, locator: &Locator, within: Option<usize>) -> Result<Vec<usize>, Error> {
        let within = self.scope(locator, within)?;
        self.inside(locator, within)
    }

    /// The element inside of which a locator looks; `within` is around its scopes.
    ///
    /// # Errors
    /// Those of [`Self::one`], and of a frame that was not read.
    pub(crate) fn scope(&self, locator: &Locator, within: Option<usize>) -> Result<Option<usize>, Error> {
        let mut scopes = Vec::new();
        let mut next = locator.scope.as_deref();
        while let Some(scope) = next {
            scopes.push(scope);
            next = scope.scope.as_deref();
        }
        let mut within = within;
        for scope in scopes.into_iter().rev() {
            let found = self.inside(scope, within)?;
            let scope = self.single(scope, &found)?;
            unread::check(self.page, scope)?;
            within = Some(scope);
        }
        Ok(within)
    }

    /// The one element it means: the visible one, or when none is visible the hidden one.
    ///
    /// # Errors
    /// `not_found`, `ambiguous`, and those of [`Self::all`].
    pub(crate) fn one(&self, locator: &Locator) -> Result<usize, Error> {
        self.single(locator, &self.all(locator)?)
    }

    /// Whether a person can see an element.
    pub(crate) fn is_visible(&self, index: usize) -> bool {
        self.page.elements[index].is_visible()
    }

    /// The visible text inside an element, in one case.
    pub(crate) fn caseless(&self) -> &Said {
        self.caseless.get_or_init(|| Said::new(self.page, true))
    }

    fn inside(&self, locator: &Locator, within: Option<usize>) -> Result<Vec<usize>, Error> {
        let mut found = self.by(locator, within)?;
        if let Some(within) = within {
            // A ref names its element wherever it is asked for; everything else is looked for inside.
            let own = matches!(locator.by, By::Ref(_));
            found.retain(|&index| self.page.is_within(index, within) && (own || index != within));
        }
        if let Some(text) = &locator.has_text {
            let said = self.caseless();
            let places = said.find(Needle::new(text, false).text());
            found.retain(|&index| said.holds(index, &places));
        }
        let Some(nth) = locator.index else {
            return Ok(found);
        };
        let visible: Vec<usize> = found
            .into_iter()
            .filter(|&index| self.is_visible(index))
            .collect();
        match usize::try_from(nth).ok().and_then(|nth| visible.get(nth)) {
            Some(&index) => Ok(vec![index]),
            None => Err(Error::new(
                Code::NotFound,
                format!(
                    "{} has {} visible matches, none at index {nth}",
                    said_of(locator),
                    visible.len()
                ),
            )
            .hint("index counts from 0")),
        }
    }

    fn by(&self, locator: &Locator, within: Option<usize>) -> Result<Vec<usize>, Error> {
        let everything = 0..self.page.elements.len();
        let needle = |text: &str| Needle::new(text, locator.exact);
        Ok(match &locator.by {
            By::Ref(reference) => self.by_ref(*reference)?,
            By::Role { role, name } => {
                let role = same_role(&role.trim().to_ascii_lowercase()).to_owned();
                let name = name.as_deref().map(needle);
                everything
                    .filter(|&index| same_role(self.semantics.role(index)) == role)
                    .filter(|&index| name.as_ref().is_none_or(|name| name.fits(&self.name(index))))
                    .collect()
            }
            By::Label(label) => {
                let label = needle(label);
                everything.filter(|&index| self.labels(index, &label)).collect()
            }
            By::Placeholder(text) => {
                let text = needle(text);
                let holds = |index: usize, key: &str| {
                    self.page.elements[index]
                        .get(key)
                        .is_some_and(|own| text.fits(own))
                };
                everything
                    .filter(|&index| holds(index, "placeholder") || holds(index, "aria-placeholder"))
                    .collect()
            }
            By::Text(text) => {
                let said = match locator.exact {
                    true => self.exact.get_or_init(|| Said::new(self.page, false)),
                    false => self.caseless(),
                };
                said.innermost(self.page, &needle(text))
            }
            // A test id is a name and no prose: all of it, as written.
            By::TestId(id) => everything
                .filter(|&index| self.page.elements[index].get("data-testid") == Some(id))
                .collect(),
            By::Selector(selector) => self.by_selector(selector, within)?,
        })
    }

    fn by_ref(&self, reference: Ref) -> Result<Vec<usize>, Error> {
        let found = self
            .page
            .elements
            .iter()
            .position(|element| element.reference > 0 && Ref::element(element.reference) == reference);
        // The documents were asked before anything was copied; what is missing now went meanwhile.
        found.map(|index| vec![index]).ok_or_else(|| {
            Error::new(Code::StaleRef, format!("{reference} is not in the page any more"))
                .hint("observe again; refs of gone elements are never given to others")
        })
    }

    /// What a selector matches in the one document it is for: that of the frame or part it is looked for in, else the
    /// main one.
    fn by_selector(&self, selector: &str, within: Option<usize>) -> Result<Vec<usize>, Error> {
        let matches = self
            .selectors
            .iter()
            .position(|own| *own == selector)
            .and_then(|place| self.page.selected.get(place))
            .ok_or_else(|| Error::internal("a selector that was not run"))?;
        let Some(matches) = matches else {
            return Err(not_a_selector(selector));
        };
        let document = within.map_or(0, |within| {
            let shown = self
                .page
                .children(within)
                .next()
                .map(|child| self.page.elements[child].document);
            shown.unwrap_or(self.page.elements[within].document)
        });
        let of_document = |index: &usize| self.page.elements[*index].document == document;
        Ok(matches.elements.iter().copied().filter(of_document).collect())
    }

    /// Its name; of what is not rendered, the one it would have.
    fn name(&self, index: usize) -> Cow<'_, str> {
        match self.semantics.is_styled_in(index) {
            true => self.semantics.name(index),
            false => Cow::Owned(name::of_any(self.semantics, index).text),
        }
    }

    /// Whether a label names it so: a `label` element, or what stands for one.
    fn labels(&self, index: usize, label: &Needle) -> bool {
        let labels = self.semantics.labels(index);
        if labels
            .iter()
            .any(|&own| label.fits(&text::line(self.page, own, LABEL)))
        {
            return true;
        }
        let element = &self.page.elements[index];
        let labelled = element.has("aria-label") || element.has("aria-labelledby") || !labels.is_empty();
        labelled && is_field(self.semantics.role_of(index)) && label.fits(&self.semantics.name(index))
    }

    fn single(&self, locator: &Locator, found: &[usize]) -> Result<usize, Error> {
        let visible: Vec<usize> = found
            .iter()
            .copied()
            .filter(|&index| self.is_visible(index))
            .collect();
        match (visible.as_slice(), found) {
            ([one], _) | ([], [one]) => Ok(*one),
            // What to try instead is said by whoever asked.
            ([], []) => Err(Error::new(
                Code::NotFound,
                format!("nothing matches {}", said_of(locator)),
            )),
            ([], several) | (several, _) => Err(self.ambiguous(locator, several)),
        }
    }

    fn ambiguous(&self, locator: &Locator, several: &[usize]) -> Error {
        let candidates: Vec<_> = several
            .iter()
            .take(NAMED)
            .enumerate()
            .map(|(nth, &index)| {
                let element = &self.page.elements[index];
                let mut name = fold(&self.semantics.name(index)).into_owned();
                if name.is_empty() {
                    name = text::line(self.page, index, NAME);
                }
                text::shorten(&mut name, NAME);
                let reference = (element.reference > 0).then(|| Ref::element(element.reference));
                json!({"index": nth, "role": self.semantics.role(index), "name": name, "ref": reference})
            })
            .collect();
        Error::new(
            Code::Ambiguous,
            format!("{} matches {} elements", said_of(locator), several.len()),
        )
        .hint("narrow it with index, scope, hasText or exact")
        .data(json!({"matches": several.len(), "candidates": candidates}))
    }
}

/// A selector the browser does not take.
pub(crate) fn not_a_selector(selector: &str) -> Error {
    Error::argument("target", format!("{selector:?} is no selector the browser takes"))
}

/// A locator in words.
fn said_of(locator: &Locator) -> String {
    match &locator.by {
        By::Ref(reference) => reference.to_string(),
        By::Role { role, name: None } => format!("role {role}"),
        By::Role {
            role,
            name: Some(name),
        } => format!("role {role} named {name:?}"),
        By::Label(text) => format!("label {text:?}"),
        By::Placeholder(text) => format!("placeholder {text:?}"),
        By::Text(text) => format!("text {text:?}"),
        By::TestId(text) => format!("testId {text:?}"),
        By::Selector(text) => format!("selector {text:?}"),
    }
}

/// One name of the roles that have two.
fn same_role(role: &str) -> &str {
    match role {
        "img" => "image",
        "presentation" => "none",
        other => other,
    }
}

/// Whether a person puts something in it, or reads a value off it.
fn is_field(role: Role) -> bool {
    matches!(
        role,
        Role::Textbox
            | Role::Searchbox
            | Role::Combobox
            | Role::Listbox
            | Role::Checkbox
            | Role::Radio
            | Role::RadioGroup
            | Role::Switch
            | Role::Slider
            | Role::SpinButton
            | Role::Meter
            | Role::Progressbar
            | Role::Status
    )
}
