//! What an element can be named by, the more lasting first.

use crate::selectors::generated::looks_generated;
use crate::selectors::matching::{Compound, NAMED, Simple, Tree, classes};

/// Bytes of a name or value that still make a short selector.
pub(super) const SHORT: usize = 60;

/// Compounds that name the element by what its author gave it; none when that is nothing but a tag, or a
/// tag that no recipe has room for.
pub(crate) fn named<'c>(tree: &Tree<'c>, place: usize) -> Vec<Compound<'c>> {
    let element = &tree.elements[place];
    let tag = Simple::Tag(&element.tag);
    let mut compounds = Vec::new();
    if element.tag.len() > SHORT {
        return compounds;
    }
    if let Some(id) = element.get("id").filter(|id| is_name(id)) {
        compounds.push(Compound(vec![tag, Simple::Id(id)]));
    }
    for name in NAMED {
        if let Some(value) = element.get(name).filter(|value| is_short(value)) {
            let simple = Simple::Attribute(name, value);
            match *name {
                "data-testid" => compounds.push(Compound(vec![simple])),
                _ => compounds.push(Compound(vec![tag, simple])),
            }
        }
    }
    let classes: Vec<Simple<'c>> = classes(element)
        .filter(|class| is_name(class))
        .take(8)
        .map(Simple::Class)
        .collect();
    compounds.extend(classes.iter().map(|class| Compound(vec![tag, *class])));
    // Two classes say what one does not: `li.item.active`.
    compounds.extend(
        classes
            .iter()
            .zip(classes.iter().skip(1))
            .map(|(one, two)| Compound(vec![tag, *one, *two])),
    );
    compounds
}

/// The bare tag.
pub(crate) fn tag<'c>(tree: &Tree<'c>, place: usize) -> Compound<'c> {
    Compound(vec![Simple::Tag(&tree.elements[place].tag)])
}

/// The tag, and its place among siblings of the same tag.
pub(crate) fn nth<'c>(tree: &Tree<'c>, place: usize) -> Compound<'c> {
    let element = &tree.elements[place];
    Compound(vec![
        Simple::Tag(&element.tag),
        Simple::NthOfType(element.before.saturating_add(1)),
    ])
}

fn is_name(name: &str) -> bool {
    is_short(name) && !looks_generated(name)
}

fn is_short(value: &str) -> bool {
    !value.trim().is_empty() && value.len() <= SHORT && !value.chars().any(char::is_control)
}
