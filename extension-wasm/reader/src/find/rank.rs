//! Which elements words describe, by what they say, what they are, what is around and beside them. No model, no chance.
//!
//! A word counts once, for the place where it counts most, times how rare it is on the page:
//!
//! | where a word of the description is found | weight |
//! |---|---|
//! | name, or own text | 10 |
//! | placeholder, value, tooltip, description | 6 |
//! | class, id, test id, file name | 3 |
//! | heading before it | 2 |
//! | what it is inside of, or beside, where the description says so | 5, else 2 |
//!
//! The whole name said and nothing else: half as much again. What it is, where the description names it: 8; something
//! else: six tenths of the rest. A control comes before text that says the same.

use super::around::Surroundings;
use super::query::{self, Query, Which};
use crate::fold::fold;
use crate::locate::Locate;
use crate::selectors::looks_generated;
use crate::selectors::matching::classes;
use crate::{text, words};

const NAME: f64 = 10.0;
const HINT: f64 = 6.0;
const CLASS: f64 = 3.0;
pub(super) const HEADING: f64 = 2.0;
pub(super) const ASKED_AROUND: f64 = 5.0;
pub(super) const AROUND: f64 = 2.0;
const ROLE: f64 = 8.0;
pub(super) const OTHER_ROLE: f64 = 0.6;
const WHOLE: f64 = 1.5;
const TEXT_ONLY: f64 = 0.7;
/// Scores below this part of the best are no matches.
const NEAR: f64 = 0.5;
/// Scores from this part of the best on are as good: one of several is counted among these.
const ALIKE: f64 = 0.95;
/// Characters of an element around that are read.
pub(super) const LINE: usize = 300;

/// A candidate, and what was found of it.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) index: usize,
    /// Per word of the description: its weight here.
    pub(super) own: Vec<f64>,
    pub(super) why: Vec<(f64, String)>,
    is_of_role: bool,
    is_whole: bool,
    is_control: bool,
    /// Words about its place that hold of it.
    pub(super) met: usize,
    /// A number that its place is asked to say is not there.
    is_elsewhere: bool,
    pub(super) score: f64,
}

/// The elements inside `within` that words describe, best first, each with the reasons.
pub(super) fn rank(
    locate: &Locate<'_, '_, '_>,
    within: Option<usize>,
    text: &str,
) -> Vec<(usize, Vec<String>)> {
    let query = query::parse(text);
    let mut candidates = candidates(locate, within, &query);
    let rarity = rarity(&candidates, query.own.len());
    for candidate in &mut candidates {
        candidate.score = score(candidate, &rarity, &query);
    }
    let mut near = Surroundings::new(locate);
    for candidate in &mut candidates {
        near.look(candidate, &query, &rarity);
    }
    keep_placed(&mut candidates, &query);
    sort(&mut candidates);
    let best = candidates.first().map_or(0.0, |best| best.score);
    candidates.retain(|candidate| candidate.score > 0.0 && candidate.score >= best * NEAR);
    choose(&mut candidates, query.which, best);
    candidates
        .into_iter()
        .map(|candidate| (candidate.index, reasons(candidate)))
        .collect()
}

fn candidates(locate: &Locate<'_, '_, '_>, within: Option<usize>, query: &Query) -> Vec<Candidate> {
    let (page, semantics) = (locate.page(), locate.semantics());
    let range = match within {
        Some(within) => within + 1..page.elements[within].end,
        None => 0..page.elements.len(),
    };
    range
        .filter_map(|index| {
            let element = &page.elements[index];
            let is_control = semantics.is_control(index);
            let role = semantics.role(index);
            let says = is_control || element.has_own_text() || matches!(role, "heading" | "image" | "img");
            let is_of_role = query.roles.contains(&role);
            if !element.is_visible()
                || !(says || is_of_role)
                || element.is_html("option")
                || element.is_html("label")
            {
                return None;
            }
            let mut candidate = Candidate {
                index,
                own: vec![0.0; query.own.len()],
                why: Vec::new(),
                is_of_role,
                is_whole: false,
                is_control,
                met: 0,
                is_elsewhere: false,
                score: 0.0,
            };
            // Text of what only wraps others is theirs to say.
            let name = if is_control || element.has_own_text() || is_of_role {
                own_name(locate, index)
            } else {
                semantics.name(index).into_owned()
            };
            let said = words::of(&name);
            candidate.is_whole = !said.is_empty() && said == query.own;
            candidate.finds(query, &said, NAME, "name says");
            let hints = [
                "placeholder",
                "aria-placeholder",
                "title",
                "alt",
                ":value",
                "value",
                "aria-description",
                "name",
                "type",
            ];
            let hints = hints.iter().filter_map(|key| element.get(key));
            let is_secret = element.is(drawbridge_protocol::reader::flags::SECRET);
            let hints: Vec<String> = hints.filter(|_| !is_secret).flat_map(words::of).collect();
            candidate.finds(query, &hints, HINT, "hint says");
            let classes = classes(element)
                .chain(element.get("id"))
                .chain(element.get("data-testid"));
            let mut named: Vec<String> = classes
                .filter(|name| !looks_generated(name))
                .flat_map(words::of_name)
                .collect();
            let file = element
                .get("src")
                .or_else(|| element.get("href"))
                .and_then(|path| path.rsplit('/').next());
            named.extend(
                file.filter(|file| file.len() < 100)
                    .into_iter()
                    .flat_map(words::of_name),
            );
            candidate.finds(query, &named, CLASS, "class says");
            let fits =
                candidate.own.iter().any(|weight| *weight > 0.0) || (query.own.is_empty() && is_of_role);
            (fits || (is_of_role && !query.roles.is_empty())).then_some(candidate)
        })
        .collect()
}

/// Its name, else its text.
fn own_name(locate: &Locate<'_, '_, '_>, index: usize) -> String {
    let name = locate.semantics().name(index);
    match fold(&name) {
        name if name.is_empty() => text::line(locate.page(), index, LINE),
        name => name.into_owned(),
    }
}

/// Where a place is described: only those that are there, as far as anything is, and that say something asked for
/// themselves. No place makes up for the wrong thing, and no thing for the wrong place.
fn keep_placed(candidates: &mut Vec<Candidate>, query: &Query) {
    if query.around.is_empty() && query.beside.is_empty() {
        return;
    }
    let says =
        |candidate: &Candidate| query.own.is_empty() || candidate.own.iter().any(|weight| *weight > 0.0);
    candidates.retain(|candidate| candidate.met > 0 && !candidate.is_elsewhere && says(candidate));
    let most = candidates
        .iter()
        .map(|candidate| candidate.met)
        .max()
        .unwrap_or(0);
    candidates.retain(|candidate| candidate.met == most);
}

impl Candidate {
    /// Notes that its place does not say a word.
    pub(super) fn lacks(&mut self, word: &str) {
        self.is_elsewhere |= word.chars().any(|character| character.is_numeric());
        self.why.push((0.0, format!("not found: {word}")));
    }

    fn finds(&mut self, query: &Query, said: &[String], weight: f64, why: &str) {
        let found: Vec<&str> = self
            .own
            .iter_mut()
            .zip(&query.own)
            .filter(|(best, word)| **best < weight && said.contains(word))
            .map(|(best, word)| {
                *best = weight;
                word.as_str()
            })
            .collect();
        if !found.is_empty() {
            self.why.push((weight, format!("{why} {}", found.join(" "))));
        }
    }
}

/// How rare each word is among the candidates.
fn rarity(candidates: &[Candidate], words: usize) -> Vec<f64> {
    let all = candidates.len() as f64;
    (0..words)
        .map(|word| {
            let with = candidates
                .iter()
                .filter(|candidate| candidate.own[word] > 0.0)
                .count() as f64;
            1.0 + (1.0 + all / with.max(1.0)).ln() / 4.0
        })
        .collect()
}

fn score(candidate: &Candidate, rarity: &[f64], query: &Query) -> f64 {
    let mut score: f64 = candidate
        .own
        .iter()
        .zip(rarity)
        .map(|(weight, rarity)| weight * rarity)
        .sum();
    if candidate.is_whole {
        score *= WHOLE;
    }
    match (query.roles.is_empty(), candidate.is_of_role) {
        (true, _) => {}
        (false, true) => score += ROLE,
        (false, false) => score *= OTHER_ROLE,
    }
    if candidate.is_control || candidate.is_of_role {
        score
    } else {
        score * TEXT_ONLY
    }
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then(one.index.cmp(&other.index))
    });
}

/// Puts the one that is asked for before those that fit as well.
fn choose(candidates: &mut Vec<Candidate>, which: Option<Which>, best: f64) {
    let Some(which) = which else {
        return;
    };
    let alike = candidates
        .iter()
        .take_while(|candidate| candidate.score >= best * ALIKE)
        .count();
    candidates[..alike].sort_by_key(|candidate| candidate.index);
    let place = match which {
        Which::Nth(nth) => nth,
        Which::Last => alike.saturating_sub(1),
    };
    if place < alike {
        let mut chosen = candidates.remove(place);
        chosen
            .why
            .insert(0, (f64::MAX, format!("number {} of {alike} alike", place + 1)));
        candidates.insert(0, chosen);
    } else {
        // There is no such one; the others are not it.
        candidates.clear();
    }
}

fn reasons(mut candidate: Candidate) -> Vec<String> {
    candidate.why.sort_by(|one, other| other.0.total_cmp(&one.0));
    candidate.why.into_iter().map(|(_, why)| why).collect()
}
