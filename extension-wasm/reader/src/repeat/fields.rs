//! What the rows of a group have in common, each with a selector that finds it once in a row.

use std::collections::{HashMap, HashSet};

use drawbridge_protocol::reader::flags;
use drawbridge_protocol::recipe::{Attribute, MAX_SELECTOR};

use super::names;
use crate::page::{Element, Page};
use crate::selectors::candidates;
use crate::selectors::looks_generated;
use crate::selectors::matching::{Compound, Inside, Path, Tree, classes};
use crate::{text, visible};

/// Rows whose elements are tried.
const TRIED: usize = 8;
/// Elements of one row that are tried.
const PARTS: usize = 150;
/// Selectors that are tried in all.
const SELECTORS: usize = 1_500;
/// Characters of a value.
const VALUE: usize = 2_000;

/// A field of the rows.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// Inside the row; `None`: the row itself.
    pub(crate) selector: Option<String>,
    /// What is read; `None`: the text.
    pub(crate) attribute: Option<Attribute>,
    /// By row; `None`: it has none.
    pub(crate) values: Vec<Option<String>>,
}

impl Field {
    /// Whether it is what a person reads.
    pub(crate) fn is_text(&self) -> bool {
        self.attribute.is_none()
    }

    /// Rows that have it.
    pub(crate) fn present(&self) -> usize {
        self.values.iter().flatten().count()
    }
}

/// The fields of rows, in the order in which they stand in them.
pub(crate) fn fields(page: &Page<'_>, tree: &Tree<'_>, rows: &[usize]) -> Vec<Field> {
    let paths = paths(page, tree, rows);
    // One field per element that is read in every row, with the first selector that finds it: those are the lasting ones.
    let mut seen: HashSet<(Vec<Option<usize>>, Option<&'static str>)> = HashSet::new();
    let mut found: Vec<Found> = Vec::new();
    for path in paths {
        let matches = path.as_ref().map(|path| by_row(page, tree, rows, path));
        let attributes = [
            None,
            Some(Attribute::Href),
            Some(Attribute::Src),
            Some(Attribute::Datetime),
            Some(Attribute::Title),
            Some(Attribute::AriaLabel),
        ];
        for attribute in attributes {
            let read = |row: usize| -> Result<Option<usize>, ()> {
                let own = [rows[row]];
                let all: &[usize] = matches.as_ref().map_or(&own, |matches| &matches[row]);
                let mut counted = all
                    .iter()
                    .copied()
                    .filter(|&index| counts(&page.elements[index], attribute));
                match (counted.next(), counted.next()) {
                    (one, None) => Ok(one),
                    (_, Some(_)) => Err(()),
                }
            };
            let Ok(elements) = (0..rows.len()).map(read).collect::<Result<Vec<_>, _>>() else {
                continue;
            };
            let first = elements.iter().flatten().next().copied();
            let (Some(first), true) = (first, is_usual(elements.iter().flatten().count(), rows.len())) else {
                continue;
            };
            if attribute.is_none()
                && !elements
                    .iter()
                    .flatten()
                    .any(|&index| is_unit(page, index, index))
            {
                continue;
            }
            if seen.insert((elements.clone(), attribute.map(Attribute::name))) {
                found.push(Found {
                    path: path.clone().map(|path| path.to_string()),
                    attribute,
                    place: first - rows[elements.iter().position(Option::is_some).unwrap_or(0)],
                    elements,
                });
            }
        }
    }
    finish(page, rows, found)
}

#[derive(Debug)]
struct Found {
    path: Option<String>,
    attribute: Option<Attribute>,
    /// How far into a row it stands.
    place: usize,
    elements: Vec<Option<usize>>,
}

fn finish(page: &Page<'_>, rows: &[usize], mut found: Vec<Found>) -> Vec<Field> {
    // The text comes before the address it links to.
    found.sort_by_key(|one| (one.place, one.attribute.map(Attribute::name)));
    let mut said: HashSet<(bool, Vec<Option<String>>)> = HashSet::new();
    let mut taken = HashSet::new();
    let headers = headers(page, rows);
    let mut fields = Vec::new();
    for one in found {
        let values: Vec<Option<String>> = one
            .elements
            .iter()
            .map(|index| value(page, (*index)?, one.attribute))
            .collect();
        // A name that is said twice is one field: `h3` and the link in it.
        if !is_usual(values.iter().flatten().count(), rows.len())
            || !said.insert((one.attribute.is_none(), values.clone()))
        {
            continue;
        }
        let Some(element) = one.elements.iter().flatten().next().copied() else {
            continue;
        };
        let name = name(page, &headers, rows, element, one.attribute);
        fields.push(Field {
            name: names::unique(&name, &mut taken),
            selector: one.path,
            attribute: one.attribute,
            values,
        });
    }
    fields
}

/// Selectors for everything that says something in some of the rows; `None` is the row itself.
fn paths<'t>(page: &Page<'_>, tree: &Tree<'t>, rows: &[usize]) -> Vec<Option<Path<'t>>> {
    let mut named: Vec<Path<'t>> = Vec::new();
    let mut placed: Vec<Path<'t>> = Vec::new();
    let step = rows.len().div_ceil(TRIED).max(1);
    for &row in rows.iter().step_by(step) {
        let end = page.elements[row].end;
        let parts = (row + 1..end)
            .filter(|&index| is_reached(page, row, index) && is_told(page, row, index))
            .take(PARTS);
        for index in parts {
            let own = candidates::named(tree, index);
            let tag = candidates::tag(tree, index);
            let nth = candidates::nth(tree, index);
            let alone = |last: &Compound<'t>| Path {
                around: None,
                last: last.clone(),
            };
            named.extend(own.iter().map(alone));
            named.push(alone(&tag));
            placed.push(alone(&nth));
            let Some(parent) = tree.parent(index).filter(|parent| *parent > row) else {
                continue;
            };
            let inside = |around: Compound<'t>, last: &Compound<'t>| Path {
                around: Some((around, Inside::Child)),
                last: last.clone(),
            };
            for around in candidates::named(tree, parent) {
                named.extend(own.iter().chain([&tag]).map(|last| inside(around.clone(), last)));
                placed.push(inside(around, &nth));
            }
            placed.extend([&tag, &nth].map(|last| inside(candidates::nth(tree, parent), last)));
        }
    }
    let mut seen = HashSet::new();
    let all = named.into_iter().chain(placed);
    let fresh = all.filter(|path| path.to_string().len() <= MAX_SELECTOR && seen.insert(path.clone()));
    std::iter::once(None)
        .chain(fresh.take(SELECTORS).map(Some))
        .collect()
}

/// What a selector matches inside each row.
fn by_row<'t>(page: &Page<'_>, tree: &Tree<'t>, rows: &[usize], path: &Path<'t>) -> Vec<Vec<usize>> {
    let mut matches = vec![Vec::new(); rows.len()];
    let (Some(&first), Some(&last)) = (rows.first(), rows.last()) else {
        return matches;
    };
    for index in tree.matches_in(path, first..page.elements[last].end) {
        let row = rows.partition_point(|row| *row < index);
        if let Some(row) = row.checked_sub(1)
            && index < page.elements[rows[row]].end
        {
            matches[row].push(index);
        }
    }
    matches
}

/// Whether so many of the rows make a field: what a few have, such as a mark for a sale, is one; what one has is chance.
fn is_usual(present: usize, rows: usize) -> bool {
    present >= 2 && present * 4 >= rows
}

/// Whether a recipe counts it as a match.
fn counts(element: &Element<'_>, attribute: Option<Attribute>) -> bool {
    match attribute {
        None => visible::is_rendered(element.flags),
        Some(attribute) => element.has(attribute.name()),
    }
}

fn value(page: &Page<'_>, index: usize, attribute: Option<Attribute>) -> Option<String> {
    let value = match attribute {
        None => text::line(page, index, VALUE),
        Some(attribute) => page.elements[index].get(attribute.name())?.trim().to_owned(),
    };
    (!value.is_empty()).then_some(value)
}

/// Whether a selector of the document that starts from the row reaches it.
fn is_reached(page: &Page<'_>, row: usize, index: usize) -> bool {
    let element = &page.elements[index];
    element.document == page.elements[row].document && !element.is(flags::IN_SHADOW)
}

/// Whether it says something by itself.
fn is_told(page: &Page<'_>, row: usize, index: usize) -> bool {
    let element = &page.elements[index];
    let told = element.has("href") || element.has("src") || element.has("datetime");
    let labelled = !element.has_own_text() && (element.has("aria-label") || element.has("title"));
    is_unit(page, row, index) || (element.is_visible() && (told || labelled))
}

/// Whether it has text of its own and is not just emphasis inside what has.
fn is_unit(page: &Page<'_>, row: usize, index: usize) -> bool {
    let element = &page.elements[index];
    if !element.has_own_text() || !text::is_shown(element) {
        return false;
    }
    let is_emphasis = matches!(
        element.tag.as_ref(),
        "b" | "i" | "em" | "strong" | "mark" | "u" | "br" | "sub" | "sup"
    ) && !element.has("class")
        && !element.has("itemprop");
    let inside_unit = element
        .parent
        .filter(|parent| index > row && *parent >= row)
        .is_some_and(|parent| page.elements[parent].has_own_text());
    !(is_emphasis && inside_unit)
}

/// Names of the columns, where the rows are those of a table: by place among the cells.
fn headers(page: &Page<'_>, rows: &[usize]) -> HashMap<u32, String> {
    let Some(&first) = rows.first().filter(|row| page.elements[**row].is_html("tr")) else {
        return HashMap::new();
    };
    let Some(table) = page
        .around(first)
        .find(|&around| page.elements[around].is_html("table"))
    else {
        return HashMap::new();
    };
    let header = (table..first).find(|&index| {
        page.elements[index].is_html("tr")
            && page
                .children(index)
                .all(|cell| page.elements[cell].is_html("th") && !page.elements[cell].has("colspan"))
            && page.children(index).next().is_some()
    });
    let cells = header.into_iter().flat_map(|row| page.children(row));
    (0..)
        .zip(cells)
        .map(|(place, cell)| (place, text::line(page, cell, 60)))
        .collect()
}

fn name(
    page: &Page<'_>,
    headers: &HashMap<u32, String>,
    rows: &[usize],
    index: usize,
    attribute: Option<Attribute>,
) -> String {
    let said = own_name(page, headers, rows, index);
    match (attribute, said) {
        (None, Some(name)) => name,
        (None, None) => "text".to_owned(),
        (Some(Attribute::Href), _) => "url".to_owned(),
        (Some(Attribute::Src), _) => "image".to_owned(),
        (Some(Attribute::Datetime), _) => "date".to_owned(),
        (Some(Attribute::Title | Attribute::AriaLabel), Some(name)) => name,
        (Some(Attribute::Title | Attribute::AriaLabel), None) => "label".to_owned(),
    }
}

/// What the page itself calls it: a header, a property, a class, else what its tag means.
fn own_name(page: &Page<'_>, headers: &HashMap<u32, String>, rows: &[usize], index: usize) -> Option<String> {
    let row = rows[rows.partition_point(|row| *row <= index).checked_sub(1)?];
    let path = std::iter::once(index)
        .chain(page.around(index))
        .take_while(|around| *around > row);
    let mut by_tag = None;
    for index in path {
        let element = &page.elements[index];
        if element.is_html("td") || element.is_html("th") {
            let place = page.children(element.parent?).position(|cell| cell == index)?;
            let header = headers.get(&u32::try_from(place).ok()?);
            if let Some(name) = header.and_then(|header| names::identifier(header)) {
                return Some(name);
            }
        }
        let class = classes(element).filter(|class| !looks_generated(class)).last();
        // `product-card__title` is a title.
        let class = class.map(|class| class.rsplit("__").next().unwrap_or(class));
        let said = element
            .get("itemprop")
            .or(class)
            .or_else(|| element.get("data-testid"));
        if let Some(name) = said.and_then(names::identifier) {
            return Some(name);
        }
        by_tag = by_tag.or(match element.tag.as_ref() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Some("title"),
            "time" => Some("date"),
            "a" => Some("link"),
            "address" => Some("address"),
            _ => None,
        });
    }
    by_tag.map(str::to_owned)
}
