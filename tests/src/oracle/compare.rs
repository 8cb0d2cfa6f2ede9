//! The browser's elements and the product's nodes beside each other.

use super::element::Element;
use super::shown::Shown;

/// How well an outline agrees with the browser's own tree.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    /// Interactive elements that can be seen.
    pub elements: usize,
    /// Those that the outline has.
    pub found: usize,
    /// Those of them with the same role and name.
    pub same: usize,
    /// Those of them with the same states.
    pub same_states: usize,
    /// Those that the outline has in another order, a front layer that comes first left aside.
    pub disordered: usize,
    /// Controls of the outline that the browser does not have, such as recovered ones.
    pub extra: usize,
    /// What differs, one line each.
    pub differences: Vec<String>,
}

impl Agreement {
    /// Found of all, from 0 to 1.
    pub fn recall(&self) -> f64 {
        ratio(self.found, self.elements)
    }

    /// Same role and name of all found, from 0 to 1.
    pub fn agreement(&self) -> f64 {
        ratio(self.same, self.found)
    }

    /// Same states of all found, from 0 to 1.
    pub fn state_agreement(&self) -> f64 {
        ratio(self.same_states, self.found)
    }
}

/// Compares. Both sides are in document order, but for a layer in front that the product shows first. Nodes are paired
/// so that as many as possible agree: by order where it is the same, what is left by role and name wherever it stands.
pub fn compare(elements: &[Element], shown: &[Shown]) -> Agreement {
    // What has no ref cannot be acted on: it is none of the controls.
    let nodes: Vec<&Shown> = shown
        .iter()
        .filter(|node| node.r#ref.is_some() || node.kind == "control")
        .collect();
    let mut pairs = in_order(elements, &nodes);
    let (moved, disordered) = out_of_order(elements, &nodes, &mut pairs);
    let mut result = Agreement {
        elements: elements.len(),
        disordered,
        ..Agreement::default()
    };
    let mut used = vec![false; nodes.len()];
    for (element, pair) in elements.iter().zip(&pairs) {
        let Some(index) = *pair else {
            result.differences.push(format!(
                "missing: {} {:?} <{}>",
                element.role, element.name, element.tag
            ));
            continue;
        };
        let node = nodes[index];
        used[index] = true;
        result.found += 1;
        let states = node.comparable();
        if element.states == states {
            result.same_states += 1;
        } else {
            result.differences.push(format!(
                "states: {} {:?} {:?}, shown {states:?}",
                element.role, element.name, element.states
            ));
        }
        if element.accepts(&node.role) && element.is_called(&node.name) {
            result.same += 1;
        } else {
            result.differences.push(format!(
                "other: {} {:?} <{}>, shown {} {:?}",
                element.role, element.name, element.tag, node.role, node.name
            ));
        }
    }
    for index in moved {
        let node = nodes[index];
        result
            .differences
            .push(format!("order: {} {:?}", node.role, node.name));
    }
    for (node, used) in nodes.iter().zip(used) {
        if !used && node.kind == "control" {
            result.extra += 1;
        }
    }
    result
}

/// How well a pair fits; 0: not at all.
fn fit(element: &Element, node: &Shown) -> u32 {
    let name = element.is_called(&node.name);
    match (element.accepts(&node.role), name) {
        (true, true) => 4,
        // An empty name is no sign of being the same.
        (false, true) if !element.name.is_empty() => 2,
        (true, false) if node.kind == "control" => 1,
        (true | false, _) => 0,
    }
}

/// The pairing in equal order with the best sum of fits: for every element the index of its node.
fn in_order(elements: &[Element], nodes: &[&Shown]) -> Vec<Option<usize>> {
    // Equal ends need no search, and most pages are equal from end to end.
    let same = |(element, node): (&Element, &&Shown)| fit(element, node) == 4;
    let start = elements
        .iter()
        .zip(nodes)
        .take_while(|pair| same((pair.0, pair.1)))
        .count();
    let (rest, others) = (&elements[start..], &nodes[start..]);
    let end = rest
        .iter()
        .rev()
        .zip(others.iter().rev())
        .take_while(|pair| same((pair.0, pair.1)))
        .count();
    let (rest, others) = (&rest[..rest.len() - end], &others[..others.len() - end]);
    let (height, width) = (rest.len(), others.len());
    let mut best = vec![0_u32; (height + 1) * (width + 1)];
    let at = |row: usize, column: usize| row * (width + 1) + column;
    for row in (0..height).rev() {
        for column in (0..width).rev() {
            let fits = fit(&rest[row], others[column]);
            let pair = if fits == 0 {
                0
            } else {
                fits + best[at(row + 1, column + 1)]
            };
            best[at(row, column)] = pair.max(best[at(row + 1, column)]).max(best[at(row, column + 1)]);
        }
    }
    let mut pairs: Vec<Option<usize>> = (0..start).map(Some).collect();
    let (mut row, mut column) = (0, 0);
    while row < height {
        let fits = if column < width {
            fit(&rest[row], others[column])
        } else {
            0
        };
        if fits > 0 && best[at(row, column)] == fits + best[at(row + 1, column + 1)] {
            pairs.push(Some(start + column));
            row += 1;
            column += 1;
        } else if column < width && best[at(row, column)] == best[at(row, column + 1)] {
            column += 1;
        } else {
            pairs.push(None);
            row += 1;
        }
    }
    pairs.extend((0..end).map(|index| Some(nodes.len() - end + index)));
    pairs
}

/// Pairs what is left by role and name alone. Returns the nodes that stand elsewhere, and how many of them do not belong
/// to a layer that is shown before everything else.
fn out_of_order(elements: &[Element], nodes: &[&Shown], pairs: &mut [Option<usize>]) -> (Vec<usize>, usize) {
    let mut free = vec![true; nodes.len()];
    for index in pairs.iter().flatten() {
        free[*index] = false;
    }
    let mut moved = Vec::new();
    for (element, pair) in elements.iter().zip(pairs.iter_mut()) {
        if pair.is_some() {
            continue;
        }
        let found = (0..nodes.len()).find(|index| free[*index] && fit(element, nodes[*index]) == 4);
        if let Some(index) = found {
            free[index] = false;
            *pair = Some(index);
            moved.push(index);
        }
    }
    // What is shown first of all and in its own order is the front layer: either it moved, or all behind it did.
    let mut paired: Vec<usize> = pairs.iter().flatten().copied().collect();
    paired.sort_unstable();
    let ordered = moved.windows(2).all(|two| two[0] < two[1]);
    let (first, last) = (paired.starts_with(&moved), paired.ends_with(&moved));
    if ordered && (first || last) {
        return (Vec::new(), 0);
    }
    let count = moved.len();
    (moved, count)
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(role: &str, name: &str) -> Element {
        Element {
            role: role.to_owned(),
            name: name.to_owned(),
            title: String::new(),
            states: Default::default(),
            value: None,
            tag: "x".to_owned(),
            backend: 1,
        }
    }

    fn shown(role: &str, name: &str) -> Shown {
        Shown {
            r#ref: Some("e1".to_owned()),
            role: role.to_owned(),
            name: name.to_owned(),
            kind: "control".to_owned(),
            ..Shown::default()
        }
    }

    fn elements(names: &str) -> Vec<Element> {
        names.split(' ').map(|name| element("button", name)).collect()
    }

    fn nodes(names: &str) -> Vec<Shown> {
        names.split(' ').map(|name| shown("button", name)).collect()
    }

    #[test]
    fn what_is_equal_agrees() {
        let result = compare(&elements("a b c b"), &nodes("a b c b"));
        assert_eq!(
            (result.found, result.same, result.disordered, result.extra),
            (4, 4, 0, 0)
        );
        assert!(result.differences.is_empty(), "{:?}", result.differences);
    }

    #[test]
    fn what_is_missing_is_not_found() {
        let result = compare(&elements("a b c d"), &nodes("a c d"));
        assert_eq!((result.found, result.same, result.extra), (3, 3, 0));
        assert_eq!(result.differences, ["missing: button \"b\" <x>"]);
    }

    #[test]
    fn another_name_or_role_does_not_agree() {
        let mut other = nodes("a x c");
        other[2].role = "link".to_owned();
        let result = compare(&elements("a b c"), &other);
        assert_eq!((result.found, result.same), (3, 1));
    }

    #[test]
    fn a_control_too_many_is_counted() {
        let result = compare(&elements("a c"), &nodes("a b c d"));
        assert_eq!((result.found, result.same, result.extra), (2, 2, 2));
    }

    #[test]
    fn a_front_layer_may_come_first_and_nothing_else_may_move() {
        let layered = compare(&elements("a b c x y"), &nodes("x y a b c"));
        assert_eq!((layered.found, layered.same, layered.disordered), (5, 5, 0));
        let layered = compare(&elements("a b x y z"), &nodes("x y z a b"));
        assert_eq!((layered.found, layered.same, layered.disordered), (5, 5, 0));
        // The layer itself has a ref and is no interactive element.
        let mut dialog = nodes("d x y a b c");
        dialog[0].role = "dialog".to_owned();
        let layered = compare(&elements("a b c x y"), &dialog);
        assert_eq!((layered.found, layered.same, layered.disordered), (5, 5, 0));
        let swapped = compare(&elements("a b c d e"), &nodes("a d b c e"));
        assert_eq!((swapped.found, swapped.same, swapped.disordered), (5, 5, 1));
    }

    #[test]
    fn a_long_name_may_be_cut() {
        let long = "word ".repeat(60);
        let element = element("link", long.trim());
        assert!(element.is_called(&format!("{}…", &long[..100])));
        assert!(!element.is_called("word word…"));
        assert!(!element.is_called("other"));
    }
}
