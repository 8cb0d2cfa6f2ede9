//! The one link that leads to the next page.

use drawbridge_protocol::recipe::MAX_SELECTOR;

use crate::fold::caseless;
use crate::page::{Element, Page};
use crate::selectors::candidates;
use crate::selectors::matching::{Inside, Path, Tree};
use crate::text;

/// A link that leads on.
#[derive(Debug)]
pub(super) struct Next {
    pub(super) selector: String,
    /// What it says.
    pub(super) said: String,
}

/// What such links say, in the languages most of the web is written in.
const SAID: &[&str] = &[
    "next",
    "next page",
    "older",
    "older posts",
    "›",
    "»",
    "→",
    ">",
    ">>",
    "weiter",
    "nächste",
    "nächste seite",
    "vor",
    "suivant",
    "page suivante",
    "siguiente",
    "página siguiente",
    "próxima",
    "próximo",
    "seguinte",
    "avanti",
    "successivo",
    "pagina successiva",
    "volgende",
    "dalej",
    "następna",
    "další",
    "nästa",
    "næste",
    "neste",
    "seuraava",
    "следующая",
    "вперед",
    "далее",
    "下一页",
    "下一頁",
    "次へ",
    "다음",
    "التالي",
    "sonraki",
];

/// The link to the next page, with a selector that no other visible element fits; none when it is not plain which.
pub(super) fn find(page: &Page<'_>, tree: &Tree<'_>, rows: &[usize]) -> Option<Next> {
    let mut by_relation = Vec::new();
    let mut by_words = Vec::new();
    for (index, element) in page.elements.iter().enumerate() {
        if !leads_somewhere(element) || element.document != 0 || is_in(page, rows, index) {
            continue;
        }
        let relation = element.get("rel").unwrap_or_default();
        if relation
            .split_ascii_whitespace()
            .any(|one| one.eq_ignore_ascii_case("next"))
        {
            by_relation.push(index);
        } else if says_next(page, index) {
            by_words.push(index);
        }
    }
    [by_relation, by_words].into_iter().find_map(|found| {
        let selector = selector(page, tree, &found)?;
        let first = *found.first()?;
        let mut said = text::line(page, first, 40);
        if said.is_empty() {
            said = page.elements[first]
                .get("aria-label")
                .unwrap_or("rel=next")
                .to_owned();
        }
        Some(Next { selector, said })
    })
}

/// A visible link to another address.
fn leads_somewhere(element: &Element<'_>) -> bool {
    let href = element
        .get("href")
        .filter(|_| element.is_html("a") && element.is_visible());
    href.is_some_and(|href| {
        let href = href.trim().to_ascii_lowercase();
        !href.is_empty() && !href.starts_with('#') && !href.starts_with("javascript:")
    })
}

fn says_next(page: &Page<'_>, index: usize) -> bool {
    let element = &page.elements[index];
    let label = element
        .get("aria-label")
        .or_else(|| element.get("title"))
        .map(caseless);
    let said = caseless(&text::line(page, index, 40));
    // Arrows are set beside the word as often as not.
    let bare = said.trim_matches(|character: char| !character.is_alphanumeric());
    [Some(said.as_str()), Some(bare), label.as_deref()]
        .into_iter()
        .flatten()
        .any(|said| SAID.contains(&said))
}

fn is_in(page: &Page<'_>, rows: &[usize], index: usize) -> bool {
    let row = rows.partition_point(|row| *row <= index).checked_sub(1);
    row.is_some_and(|row| page.is_within(index, rows[row]))
}

/// A selector whose one visible match is the one link; several links say the same page only if they are one.
fn selector(page: &Page<'_>, tree: &Tree<'_>, found: &[usize]) -> Option<String> {
    let &[index] = found else {
        return None;
    };
    let tag = candidates::tag(tree, index);
    let own = candidates::named(tree, index);
    let alone = own.iter().cloned().map(|last| Path { around: None, last });
    let mut paths: Vec<Path<'_>> = alone.collect();
    let around = std::iter::successors(tree.parent(index), |&up| tree.parent(up)).take(8);
    for (up, around) in around.enumerate() {
        let inside = if up == 0 { Inside::Child } else { Inside::Below };
        for around in candidates::named(tree, around) {
            for last in own.iter().chain([&tag]) {
                paths.push(Path {
                    around: Some((around.clone(), inside)),
                    last: last.clone(),
                });
            }
        }
    }
    let is_the_one = |path: &Path<'_>| {
        let mut seen = tree
            .matches(path)
            .filter(|&index| page.elements[index].is_visible());
        seen.next() == Some(index) && seen.next().is_none()
    };
    let path = paths.into_iter().find(|path| is_the_one(path))?;
    Some(path.to_string()).filter(|selector| selector.len() <= MAX_SELECTOR)
}
