//! What is around and beside candidates, each part read once.

use std::collections::{HashMap, HashSet};

use super::query::{self, Query};
use super::rank::{AROUND, ASKED_AROUND, Candidate, HEADING, LINE, OTHER_ROLE};
use crate::locate::Locate;
use crate::selectors::looks_generated;
use crate::selectors::matching::classes;
use crate::{text, words};

/// Elements around a candidate that are looked at.
const UP: usize = 40;
/// Levels around a candidate whose elements stand beside it, and elements of them.
const BESIDE_LEVELS: usize = 4;
const BESIDE: usize = 40;

/// What is around and beside candidates.
pub(super) struct Surroundings<'l, 'r, 'p, 'a> {
    locate: &'l Locate<'r, 'p, 'a>,
    /// Per element, the heading before it.
    headings: Vec<Option<usize>>,
    said: HashMap<usize, HashSet<String>>,
    named: HashMap<usize, HashSet<String>>,
    titles: HashMap<usize, HashSet<String>>,
}

impl<'l, 'r, 'p, 'a> Surroundings<'l, 'r, 'p, 'a> {
    pub(super) fn new(locate: &'l Locate<'r, 'p, 'a>) -> Self {
        let (page, mut last) = (locate.page(), None);
        let headings = (0..page.elements.len())
            .map(|index| {
                let before = last;
                if locate.semantics().role(index) == "heading" && page.elements[index].is_visible() {
                    last = Some(index);
                }
                before
            })
            .collect();
        Self {
            locate,
            headings,
            said: HashMap::new(),
            named: HashMap::new(),
            titles: HashMap::new(),
        }
    }

    /// Adds to a candidate's score what is said around it.
    pub(super) fn look(&mut self, candidate: &mut Candidate, query: &Query, rarity: &[f64]) {
        let missing: Vec<usize> = (0..query.own.len())
            .filter(|&word| candidate.own[word] == 0.0)
            .collect();
        let around = self.around(candidate.index);
        for &word in &missing {
            let text = &query.own[word];
            if let Some(place) = around.iter().find(|place| place.says(self, text)) {
                candidate.score += AROUND * rarity[word];
                candidate
                    .why
                    .push((AROUND, format!("{} says {text}", place.kind)));
            } else if let Some(heading) = self.headings[candidate.index]
                && self.words(heading).contains(text)
            {
                candidate.score += HEADING * rarity[word];
                candidate
                    .why
                    .push((HEADING, format!("heading before says {text}")));
            } else {
                candidate.why.push((0.0, format!("not found: {text}")));
            }
        }
        for text in &query.around {
            let role = query::place(text);
            let found = around
                .iter()
                .find(|place| role == Some(place.role) || place.says(self, text));
            match found {
                Some(place) => {
                    candidate.met += 1;
                    candidate.score += ASKED_AROUND * 2.0;
                    candidate
                        .why
                        .push((ASKED_AROUND, format!("in {} {text}", place.kind)));
                }
                None => {
                    let heading = self.headings[candidate.index];
                    if heading.is_some_and(|heading| self.words(heading).contains(text)) {
                        candidate.met += 1;
                        candidate.score += ASKED_AROUND;
                        candidate.why.push((HEADING, format!("under heading {text}")));
                    } else if self.names(candidate.index).contains(text) {
                        // "Terms of service" is a name, not a place.
                        candidate.met += 1;
                    } else {
                        candidate.score *= OTHER_ROLE;
                        candidate.lacks(text);
                    }
                }
            }
        }
        for text in &query.beside {
            let beside = self.beside(candidate.index);
            if beside.into_iter().any(|index| self.names(index).contains(text)) {
                candidate.met += 1;
                candidate.score += ASKED_AROUND;
                candidate.why.push((ASKED_AROUND, format!("beside {text}")));
            } else if self.names(candidate.index).contains(text) {
                // As in "sort by price".
                candidate.met += 1;
            } else {
                candidate.lacks(text);
            }
        }
    }

    /// Named landmarks, dialogs, groups, rows and items around it, and the forms and sections it is in.
    fn around(&self, index: usize) -> Vec<Place> {
        let (page, semantics) = (self.locate.page(), self.locate.semantics());
        page.around(index)
            .take(UP)
            .filter_map(|around| {
                let role = semantics.role(around);
                let kind = match role {
                    "row" | "listitem" | "article" => Kind::Content,
                    "group" | "radiogroup" | "region" | "form" | "dialog" | "alertdialog" | "navigation"
                    | "banner" | "contentinfo" | "complementary" | "main" | "search" | "toolbar"
                    | "tabpanel" | "menu" | "list" | "table" | "grid" | "treegrid" => Kind::Name,
                    _ => return None,
                };
                let role = if role == "alertdialog" { "dialog" } else { role };
                Some(Place {
                    index: around,
                    role,
                    kind: role,
                    by: kind,
                })
            })
            .collect()
    }

    /// What stands beside it: its neighbours and theirs, as long as that is little.
    fn beside(&self, index: usize) -> Vec<usize> {
        let page = self.locate.page();
        let mut widest = index;
        for around in page.around(index).take(BESIDE_LEVELS) {
            if page.elements[around].end - around > BESIDE {
                break;
            }
            widest = around;
        }
        (widest..page.elements[widest].end)
            .filter(|&other| !page.is_within(other, index))
            .collect()
    }

    /// Words of the text inside an element.
    fn words(&mut self, index: usize) -> &HashSet<String> {
        let page = self.locate.page();
        self.said
            .entry(index)
            .or_insert_with(|| words::of(&text::line(page, index, LINE)).into_iter().collect())
    }

    /// Words of the name or own text of an element, and of its classes.
    fn names(&mut self, index: usize) -> &HashSet<String> {
        let locate = self.locate;
        self.named.entry(index).or_insert_with(|| {
            let element = &locate.page().elements[index];
            let mut said: HashSet<String> = words::of(&locate.semantics().name(index)).into_iter().collect();
            said.extend(words::of(&element.own));
            said.extend(
                classes(element)
                    .filter(|name| !looks_generated(name))
                    .flat_map(words::of_name),
            );
            said
        })
    }

    /// Words of the name of a place.
    fn title(&mut self, index: usize) -> &HashSet<String> {
        let locate = self.locate;
        self.titles
            .entry(index)
            .or_insert_with(|| words::of(&locate.semantics().name(index)).into_iter().collect())
    }
}

/// Something around a candidate.
#[derive(Clone, Copy, Debug)]
struct Place {
    index: usize,
    role: &'static str,
    kind: &'static str,
    by: Kind,
}

/// What of it says where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// All it says.
    Content,
    /// Its name.
    Name,
}

impl Place {
    fn says(&self, near: &mut Surroundings<'_, '_, '_, '_>, word: &str) -> bool {
        match self.by {
            Kind::Content => near.words(self.index).contains(word),
            Kind::Name => near.title(self.index).contains(word),
        }
    }
}
