//! Recipes that the repetition on a page suggests, ready to be run.

mod next;
mod rows;
#[cfg(test)]
mod tests;

use drawbridge_protocol::page::{FieldEvidence, PageFound, Suggestion};
use drawbridge_protocol::reader::PageHeader;
use drawbridge_protocol::recipe::{self, MAX_FIELDS, MAX_NAME, MAX_PAGES, MAX_ROWS, MAX_TEXT, Read, Recipe};

use crate::fold::fold;
use crate::page::Page;
use crate::repeat::{self, Field, Group, Measure};
use crate::selectors::matching::Tree;
use crate::text;
use crate::words;

/// Values that a field's evidence shows, and characters of each.
const SAMPLES: usize = 3;
const SAMPLE: usize = 120;
/// What a group that says every word of the goal is worth more.
const GOAL: f64 = 2.0;
/// Words of a goal that say nothing of what is looked for.
const EMPTY: &[&str] = &[
    "the", "a", "an", "of", "all", "every", "each", "list", "get", "show", "me", "from", "in", "on", "for",
    "to", "and", "with", "page", "row", "table", "data", "my", "their", "its",
];

/// Suggests recipes for the top document, best first; a recipe reads no other.
pub(crate) fn answer(page: &Page<'_>, goal: Option<&str>, limit: u32) -> PageFound {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let root = page.documents[0].root;
    let tree = Tree::new(page, root);
    let measure = Measure::new(page);
    let mut goal = goal.map(words::of).unwrap_or_default();
    goal.retain(|word| !EMPTY.contains(&word.as_str()));
    let mut suggestions: Vec<(f64, Suggestion)> = Vec::new();
    let mut taken: Vec<Vec<usize>> = Vec::new();
    for group in repeat::groups(page, root, &measure) {
        if page.elements[group.parent].document != 0 || suggestions.len() >= limit.saturating_mul(2).max(8) {
            continue;
        }
        let Some(rows) = rows::name(page, &tree, &group.rows) else {
            continue;
        };
        if taken.contains(&rows.elements) {
            continue;
        }
        taken.push(rows.elements.clone());
        suggestions.extend(suggest(page, &tree, &group, &rows, &goal));
    }
    suggestions.sort_by(|one, other| other.0.total_cmp(&one.0));
    PageFound::Suggestions {
        suggestions: suggestions.into_iter().map(|(_, one)| one).take(limit).collect(),
    }
}

fn suggest(
    page: &Page<'_>,
    tree: &Tree<'_>,
    group: &Group,
    rows: &rows::Rows,
    goal: &[String],
) -> Option<(f64, Suggestion)> {
    let header = &page.documents[0].header;
    // A recipe looks no further into a page than the rows it may return.
    let read = &rows.elements[..rows.elements.len().min(MAX_ROWS as usize)];
    let fields = chosen(repeat::fields(page, tree, read));
    if fields.is_empty() {
        return None;
    }
    let next = next::find(page, tree, &rows.elements);
    let count = rows.elements.len();
    let recipe = Recipe {
        version: 1,
        name: name(page, group),
        description: description(header, &fields),
        origin: header.origin.clone(),
        url_template: address(&header.url),
        inputs: Vec::new(),
        ready: rows.selector.clone(),
        rows: rows.selector.clone(),
        fields: fields.iter().map(|field| in_recipe(field, read.len())).collect(),
        limit: MAX_ROWS,
        max_pages: if next.is_some() { MAX_PAGES } else { 1 },
        empty: None,
        login: None,
        next: next.as_ref().map(|next| next.selector.clone()),
    };
    // What a recipe has no room for, such as a page without an address, suggests nothing.
    recipe::check(&recipe, "recipe").ok()?;
    let (wanted, said) = fitting(page, group, &fields, goal);
    let mut why = vec![format!(
        "{count} rows of the same shape, {} fields each",
        fields.len()
    )];
    why.extend(said);
    why.extend(next.map(|next| format!("the link {:?} leads on", next.said)));
    let evidence = fields.iter().map(evidence).collect();
    let rows = u32::try_from(read.len()).unwrap_or(MAX_ROWS);
    let suggestion = Suggestion {
        recipe,
        rows,
        evidence,
        why,
    };
    Some((group.score * (1.0 + wanted), suggestion))
}

/// As many fields as a recipe takes; what a person reads comes first.
fn chosen(mut fields: Vec<Field>) -> Vec<Field> {
    if fields.len() > MAX_FIELDS {
        let mut spare = fields.len() - MAX_FIELDS;
        for is_spare in [|field: &Field| !field.is_text(), |_: &Field| true] {
            let mut at = fields.len();
            while spare > 0 && at > 0 {
                at -= 1;
                if is_spare(&fields[at]) {
                    fields.remove(at);
                    spare -= 1;
                }
            }
        }
    }
    fields
}

fn in_recipe(field: &Field, rows: usize) -> recipe::Field {
    recipe::Field {
        name: field.name.clone(),
        selector: field.selector.clone(),
        read: match field.attribute {
            Some(_) => Read::Attribute,
            None => Read::Text,
        },
        attribute: field.attribute,
        required: field.present() == rows,
    }
}

fn evidence(field: &Field) -> FieldEvidence {
    let distinct: std::collections::HashSet<&String> = field.values.iter().flatten().collect();
    let samples = field.values.iter().flatten().take(SAMPLES).map(|value| {
        let mut value = value.clone();
        text::shorten(&mut value, SAMPLE);
        value
    });
    FieldEvidence {
        field: field.name.clone(),
        present: u32::try_from(field.present()).unwrap_or(u32::MAX),
        distinct: u32::try_from(distinct.len()).unwrap_or(u32::MAX),
        samples: samples.collect(),
    }
}

/// How well it fits what the author is after, and why.
fn fitting(page: &Page<'_>, group: &Group, fields: &[Field], goal: &[String]) -> (f64, Option<String>) {
    let mut said: Vec<String> = heading(page, group)
        .iter()
        .flat_map(|text| words::of(text))
        .collect();
    for field in fields {
        said.extend(words::of(&spaced(&field.name)));
        said.extend(
            field
                .values
                .iter()
                .flatten()
                .take(SAMPLES)
                .flat_map(|value| words::of(value)),
        );
    }
    let found: Vec<&str> = goal
        .iter()
        .filter(|word| said.contains(word))
        .map(String::as_str)
        .collect();
    let worth = GOAL * found.len() as f64 / goal.len().max(1) as f64;
    (
        worth,
        (!found.is_empty()).then(|| format!("it says {}", found.join(", "))),
    )
}

/// `unitPrice` as words.
fn spaced(name: &str) -> String {
    let parts = name.chars().flat_map(|character| {
        let gap = character.is_ascii_uppercase().then_some(' ');
        gap.into_iter().chain([character])
    });
    parts.collect()
}

/// The heading before the rows, if there is one near.
fn heading(page: &Page<'_>, group: &Group) -> Option<String> {
    let first = *group.rows.first()?;
    let lowest = page.around(first).nth(4).unwrap_or(0);
    let heading = (lowest..first).rev().take(2_000).find(|&index| {
        let element = &page.elements[index];
        ["h1", "h2", "h3", "h4", "caption"]
            .iter()
            .any(|tag| element.is_html(tag))
            && element.is_visible()
    })?;
    Some(text::line(page, heading, 60)).filter(|text| !text.is_empty())
}

fn name(page: &Page<'_>, group: &Group) -> String {
    let title = &page.documents[0].header.title;
    let mut name = heading(page, group).unwrap_or_else(|| fold(title).into_owned());
    text::shorten(&mut name, MAX_NAME);
    while name.len() > MAX_NAME {
        let most = name.chars().count().saturating_sub(1);
        text::shorten(&mut name, most);
    }
    match name.trim() {
        "" => "rows".to_owned(),
        name => name.to_owned(),
    }
}

fn description(header: &PageHeader, fields: &[Field]) -> String {
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let mut title = fold(&header.title).into_owned();
    text::shorten(&mut title, 100);
    let of = if title.is_empty() {
        fold(&header.origin).into_owned()
    } else {
        title
    };
    let description = format!("Rows of {of}: {}", names.join(", "));
    description[..description.floor_char_boundary(MAX_TEXT)].to_owned()
}

/// The address without its fragment; braces would be places for inputs.
fn address(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    url.replace('{', "%7B").replace('}', "%7D")
}
