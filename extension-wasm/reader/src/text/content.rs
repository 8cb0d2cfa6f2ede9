//! Which part of a page is what it is about: by what its author says it is, and by where its paragraphs are.

use crate::fold::{self, Seen};
use crate::page::{Element, GAP, Page};
use crate::repeat::is_aside;
use crate::selectors::matching::classes;
use crate::text::{Part, is_shown};
use crate::words;
use drawbridge_protocol::reader::flags;

/// Characters of a block that make it a paragraph.
const PARAGRAPH: usize = 30;
/// The part of all paragraphs, in percent, that one element must hold to stand for them …
const HOLDS: usize = 80;
/// … and where the rest is full of links, such as a list of news below an article.
const HOLDS_BESIDE_LINKS: usize = 60;
/// The part of the rest, in percent, that has to be links for that.
const LINKED: usize = 25;
/// The part of the text, in percent, that an element may hold and still be beside the content.
const BESIDE: usize = 40;
/// The text, in percent of the content's, that it may have together with what goes from the page's heading to it.
const WITH_HEADING: usize = 150;

/// What authors call parts that are beside the content.
const BESIDE_NAMES: &[&str] = &[
    "ad",
    "advert",
    "advertisement",
    "breadcrumb",
    "byline",
    "comment",
    "consent",
    "cookie",
    "disqus",
    "footer",
    "menu",
    "navbar",
    "navbox",
    "navigation",
    "nav",
    "newsletter",
    "pager",
    "pagination",
    "popup",
    "promo",
    "recommended",
    "related",
    "share",
    "sharing",
    "sidebar",
    "skip",
    "social",
    "sponsor",
    "sponsored",
    "subscribe",
    "teaser",
    "toolbar",
    "toc",
    "widget",
];

/// Of these, what leads elsewhere or frames the page wherever it stands: all that is left out of a declared `main`.
const LEADING_NAMES: &[&str] = &[
    "ad",
    "advert",
    "advertisement",
    "breadcrumb",
    "consent",
    "cookie",
    "footer",
    "menu",
    "navbar",
    "navbox",
    "navigation",
    "nav",
    "pager",
    "pagination",
    "share",
    "sharing",
    "sidebar",
    "skip",
    "sponsor",
    "sponsored",
    "toc",
];

/// What is prose or a list itself: content, but no part of a page that holds content.
const LEAVES: &[&str] = &[
    "p",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "dl",
    "dd",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "figure",
    "a",
    "span",
];

/// The part of `root` that holds the content; where nothing tells, `root` without what is beside the content.
pub(super) fn part(page: &Page<'_>, root: usize) -> Part {
    let weight = Weight::new(page, root);
    if let Some(main) = only_main(page, root) {
        // Its author says what the content is: whole, but for what leads elsewhere.
        let leads = |index: usize| {
            let element = &page.elements[index];
            is_aside(element) || is_dialog(element) || is_named(element, LEADING_NAMES)
        };
        return Part {
            roots: vec![main],
            without: weight.left_out(&|index| index != main && page.is_within(index, main) && leads(index)),
        };
    }
    let start = declared(page, root, &weight);
    let mut current = start;
    while let Some(child) = page
        .children(current)
        .find(|&child| weight.stands_for(page, child, current))
    {
        current = child;
    }
    let roots = with_heading(page, start, current, &weight);
    let inside = |index: usize| {
        roots
            .iter()
            .any(|&root| page.is_within(index, root) && index != root)
    };
    Part {
        without: weight.left_out(&inside),
        roots,
    }
}

/// The one `main` part that says something.
fn only_main(page: &Page<'_>, root: usize) -> Option<usize> {
    let says = |index: usize| {
        (index..page.elements[index].end).any(|inside| {
            let element = &page.elements[inside];
            is_shown(element) && element.has_own_text()
        })
    };
    let (mut found, mut index) = (None, root);
    while index < page.elements[root].end {
        let element = &page.elements[index];
        if !is_main(element) || !element.is_visible() || !says(index) {
            index += 1;
            continue;
        }
        if found.replace(index).is_some() {
            return None;
        }
        index = element.end.max(index + 1);
    }
    found
}

/// The `main` part, and in it the one article, where the author says so and the text agrees.
fn declared(page: &Page<'_>, root: usize, weight: &Weight) -> usize {
    let mut at = root;
    for is_it in [is_main, is_article] {
        let all = weight.characters(page, at);
        let mut found = Vec::new();
        let mut index = at + 1;
        while index < page.elements[at].end {
            let element = &page.elements[index];
            if is_it(element) && element.is_visible() && weight.characters(page, index) > 0 {
                found.push(index);
                index = element.end.max(index + 1);
            } else {
                index += 1;
            }
        }
        let largest = found
            .iter()
            .copied()
            .max_by_key(|&index| (weight.characters(page, index), std::cmp::Reverse(index)));
        // A list of articles is about all of them.
        if let Some(largest) = largest.filter(|&index| weight.characters(page, index) * 100 >= all * BESIDE) {
            at = largest;
        }
    }
    at
}

/// The content, and the heading of the page if it stands outside of it.
fn with_heading(page: &Page<'_>, start: usize, content: usize, weight: &Weight) -> Vec<usize> {
    let heading = (start..page.elements[start].end).find(|&index| {
        let element = &page.elements[index];
        element.is_html("h1")
            && element.is_visible()
            && !weight.is_beside(page, index)
            && weight.characters(page, index) > 0
    });
    let Some(heading) = heading.filter(|&heading| !page.is_within(heading, content)) else {
        return vec![content];
    };
    if heading > content {
        return vec![content];
    }
    // What stands between the two, such as a lead, is part of it, as long as that is little beside the content.
    let mut roots = vec![content];
    let mut path = content;
    for around in page.around(content).take_while(|around| *around >= start) {
        let before = page.children(around).take_while(|child| *child < path);
        roots.extend(before.filter(|&child| page.elements[child].end > heading));
        if page.is_within(heading, around) {
            break;
        }
        path = around;
    }
    roots.sort_unstable();
    let said: usize = roots.iter().map(|&root| weight.characters(page, root)).sum();
    if said * 100 > weight.characters(page, content) * WITH_HEADING {
        return vec![heading, content];
    }
    roots
}

fn is_main(element: &Element<'_>) -> bool {
    element.is_html("main")
        || element
            .get("role")
            .is_some_and(|role| role.eq_ignore_ascii_case("main"))
}

fn is_article(element: &Element<'_>) -> bool {
    element.is_html("article")
        || element
            .get("role")
            .is_some_and(|role| role.eq_ignore_ascii_case("article"))
}

/// How much of what is where.
#[derive(Debug)]
struct Weight {
    /// Visible characters before each element of the part, those beside the content not counted.
    characters: Vec<usize>,
    /// Of these, those of paragraphs.
    paragraphs: Vec<usize>,
    /// Of these, those in links.
    linked: Vec<usize>,
    /// Outermost elements that are beside the content, ascending, and whether they are by what they are: a list of links
    /// is only by what it looks like, and is read where it stands among the content.
    beside: Vec<(usize, bool)>,
    from: usize,
}

impl Weight {
    fn new(page: &Page<'_>, root: usize) -> Self {
        let end = page.elements[root].end;
        let (plain, linked, blocks) = count(page, root, end);
        let beside = beside(page, root, &plain, &linked);
        let (mut characters, mut paragraphs, mut in_links) = (vec![0], vec![0], vec![0]);
        let (mut sum, mut prose, mut links, mut skipped) = (0, 0, 0, root);
        let mut parts = beside.iter().map(|(index, _)| *index).peekable();
        for index in root..end {
            if parts.next_if_eq(&index).is_some() {
                skipped = page.elements[index].end;
            }
            if index >= skipped {
                sum += plain[index - root];
                links += linked[index - root];
                let (own, links) = blocks[index - root];
                prose += if own >= PARAGRAPH && links * 2 < own {
                    own
                } else {
                    0
                };
            }
            in_links.push(links);
            characters.push(sum);
            paragraphs.push(prose);
        }
        Self {
            characters,
            paragraphs,
            linked: in_links,
            beside,
            from: root,
        }
    }

    fn characters(&self, page: &Page<'_>, index: usize) -> usize {
        self.difference(&self.characters, page, index)
    }

    fn paragraphs(&self, page: &Page<'_>, index: usize) -> usize {
        self.difference(&self.paragraphs, page, index)
    }

    /// Whether a child holds what its parent is about.
    fn stands_for(&self, page: &Page<'_>, child: usize, parent: usize) -> bool {
        let (all, own) = (self.paragraphs(page, parent), self.paragraphs(page, child));
        let rest = |sums: &[usize]| self.difference(sums, page, parent) - self.difference(sums, page, child);
        let is_beside_links = rest(&self.linked) * 100 >= rest(&self.characters) * LINKED;
        let holds = if is_beside_links {
            HOLDS_BESIDE_LINKS
        } else {
            HOLDS
        };
        let holds_others = !LEAVES.iter().any(|leaf| page.elements[child].is_html(leaf));
        holds_others && own > 0 && own * 100 >= all * holds
    }

    fn is_beside(&self, page: &Page<'_>, index: usize) -> bool {
        let place = self.beside.partition_point(|(beside, _)| *beside <= index);
        place
            .checked_sub(1)
            .is_some_and(|place| page.is_within(index, self.beside[place].0))
    }

    /// What is left out of a part.
    fn left_out(&self, inside: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let known = self
            .beside
            .iter()
            .filter(|(_, known)| *known)
            .map(|(index, _)| *index);
        known.filter(|&index| inside(index)).collect()
    }

    fn difference(&self, sums: &[usize], page: &Page<'_>, index: usize) -> usize {
        let end = page.elements.get(index).map_or(index, |element| element.end);
        let at = |index: usize| {
            index
                .checked_sub(self.from)
                .and_then(|index| sums.get(index))
                .copied()
        };
        match (at(index), at(end)) {
            (Some(before), Some(after)) => after - before,
            _ => 0,
        }
    }
}

/// Per element: own characters, of these in links, and for blocks the same of all text that is laid out in them.
fn count(page: &Page<'_>, root: usize, end: usize) -> (Vec<usize>, Vec<usize>, Vec<(usize, usize)>) {
    let length = end - root;
    let (mut plain, mut linked, mut blocks) = (vec![0; length], vec![0; length], vec![(0, 0); length]);
    let mut block_of = vec![0; length];
    let mut link_end = root;
    for index in root..end {
        let element = &page.elements[index];
        if element.is_html("a") {
            link_end = link_end.max(element.end);
        }
        let around = element
            .parent
            .and_then(|parent| parent.checked_sub(root))
            .map(|parent| block_of[parent]);
        let is_block = element.is(flags::BLOCK) || around.is_none();
        let block = if is_block {
            index - root
        } else {
            around.unwrap_or(index - root)
        };
        block_of[index - root] = block;
        if !is_shown(element) {
            continue;
        }
        let own = element
            .own
            .chars()
            .filter(|character| *character != GAP && fold::seen(*character) == Seen::Character)
            .count();
        plain[index - root] = own;
        blocks[block].0 += own;
        if index < link_end {
            linked[index - root] = own;
            blocks[block].1 += own;
        }
    }
    (plain, linked, blocks)
}

/// The outermost elements that are beside the content, and whether they are by what they are.
fn beside(page: &Page<'_>, root: usize, plain: &[usize], linked: &[usize]) -> Vec<(usize, bool)> {
    let sums = |own: &[usize]| {
        let mut sum = 0;
        std::iter::once(0)
            .chain(own.iter().map(|own| {
                sum += own;
                sum
            }))
            .collect::<Vec<usize>>()
    };
    let (plain, linked) = (sums(plain), sums(linked));
    let all = plain.last().copied().unwrap_or(0);
    let mut found = Vec::new();
    let mut index = root + 1;
    while index < page.elements[root].end {
        let element = &page.elements[index];
        let end = element.end.max(index + 1);
        let inside = |sums: &[usize]| sums[end - root] - sums[index - root];
        let (said, links) = (inside(&plain), inside(&linked));
        let is_small = said * 100 <= all * BESIDE;
        let is_list =
            element.is(flags::BLOCK) && links * 10 >= said * 7 && said > 0 && is_list_of_links(page, index);
        let is_known = is_aside(element) || is_dialog(element) || is_named(element, BESIDE_NAMES);
        if is_small && (is_known || is_list) {
            found.push((index, is_known));
            index = end;
        } else {
            index += 1;
        }
    }
    found
}

fn is_dialog(element: &Element<'_>) -> bool {
    let role = element.get("role").unwrap_or_default();
    element.is_html("dialog")
        || role.eq_ignore_ascii_case("dialog")
        || role.eq_ignore_ascii_case("alertdialog")
}

/// A block of several links and little else, such as tags or further reading; one link in a line is none.
fn is_list_of_links(page: &Page<'_>, index: usize) -> bool {
    let element = &page.elements[index];
    if !matches!(element.tag.as_ref(), "ul" | "ol" | "div" | "section") || element.end - index > 400 {
        return false;
    }
    let links = (index..element.end)
        .filter(|&inside| page.elements[inside].is_html("a"))
        .count();
    links >= 4
}

fn is_named(element: &Element<'_>, names: &[&str]) -> bool {
    // An article about cookies is no cookie notice.
    if matches!(
        element.tag.as_ref(),
        "html" | "body" | "main" | "article" | "a" | "span" | "p"
    ) {
        return false;
    }
    classes(element)
        .chain(element.get("id"))
        .flat_map(words::of_name)
        .any(|word| names.contains(&word.as_str()))
}
