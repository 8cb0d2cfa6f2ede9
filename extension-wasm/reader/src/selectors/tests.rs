use drawbridge_protocol::reader::{Part, flags};
use drawbridge_protocol::recipe;
use drawbridge_protocol::tools::inspect::SelectorEntry;

use crate::page::page;
use crate::sample::{BLOCK, Capture, GONE, INLINE, Row};
use crate::semantics::Semantics;

fn read_some(elements: &[Row<'_>], limit: u32, left_out: u32) -> (Vec<SelectorEntry>, u32) {
    let columns = Capture::of_rows(elements).build();
    let part = Part {
        bytes: columns.len() as u32,
        parent: None,
    };
    let mut page = page(&columns, &[part], &[], 0).unwrap();
    page.left_out = left_out;
    super::read(&Semantics::new(&page), 0, limit)
}

fn read(elements: &[Row<'_>]) -> Vec<SelectorEntry> {
    let (entries, omitted) = read_some(elements, 200, 0);
    assert_eq!(omitted, 0);
    for entry in &entries {
        assert!(entry.matches >= 1, "{entry:?}");
        recipe::selector("selector", &entry.selector).unwrap();
    }
    entries
}

fn selectors(elements: &[Row<'_>]) -> Vec<(String, u32)> {
    read(elements)
        .into_iter()
        .map(|entry| (entry.selector, entry.matches))
        .collect()
}

fn expect(elements: &[Row<'_>], expected: &[(&str, u32)]) {
    let got = selectors(elements);
    let got: Vec<(&str, u32)> = got
        .iter()
        .map(|(selector, matches)| (selector.as_str(), *matches))
        .collect();
    assert_eq!(got, expected);
}

#[test]
fn lasting_names_come_first() {
    expect(
        &[
            (-1, BLOCK, "body", "||||||", &[]),
            (0, BLOCK, "h1", "T", &[("id", "title"), ("class", "big")]),
            (
                0,
                BLOCK,
                "p",
                "a",
                &[("id", "ember1234"), ("data-testid", "say \"hi\"")],
            ),
            (
                0,
                BLOCK,
                "p",
                "b",
                &[("itemprop", "author"), ("class", "css-1q2w3e by")],
            ),
            (0, BLOCK, "p", "c", &[("class", "css-1q2w3e note")]),
            (0, INLINE, "a", "d", &[("rel", "next"), ("href", "?p=2")]),
            (0, BLOCK, "h2", "e", &[]),
        ],
        &[
            ("h1#title", 1),
            ("[data-testid=\"say \\\"hi\\\"\"]", 1),
            ("p[itemprop=\"author\"]", 1),
            ("p.note", 1),
            ("a[rel=\"next\"]", 1),
            ("h2", 1),
        ],
    );
}

#[test]
fn what_repeats_keeps_its_class_and_its_exact_count() {
    expect(
        &[
            (-1, BLOCK, "body", "||", &[]),
            (0, BLOCK, "ul", "||", &[("class", "list")]),
            (1, BLOCK, "li", "a|", &[("class", "row")]),
            (2, INLINE, "b", "1", &[("class", "price")]),
            (1, BLOCK, "li", "b|", &[("class", "row sale")]),
            (4, INLINE, "b", "2", &[("class", "price")]),
            (0, GONE, "b", "3", &[("class", "price")]),
        ],
        &[
            ("li.row", 2),
            ("b.price", 3),
            ("li.sale", 1),
            ("li.sale > b.price", 1),
        ],
    );
}

#[test]
fn without_names_the_place_helps_and_else_the_nearest_named_ancestor() {
    expect(
        &[
            (-1, BLOCK, "body", "||", &[]),
            (0, BLOCK, "div", "||", &[("class", "box")]),
            (1, BLOCK, "p", "a", &[]),
            (1, BLOCK, "p", "b", &[]),
            (0, BLOCK, "div", "||", &[("class", "box")]),
            (4, BLOCK, "p", "c", &[]),
            (4, BLOCK, "span", "d", &[]),
        ],
        &[
            ("div.box > p", 3),
            ("div.box > p:nth-of-type(2)", 1),
            ("div.box > p", 3),
            ("span", 1),
        ],
    );
}

#[test]
fn identifiers_are_escaped() {
    expect(
        &[
            (-1, BLOCK, "body", "||||", &[]),
            (0, BLOCK, "p", "a", &[("id", "1a")]),
            (0, BLOCK, "p", "b", &[("class", "md:w-1/2")]),
            (0, BLOCK, "p", "c", &[("class", "-5x")]),
            (0, BLOCK, "p", "d", &[("class", "größe@2")]),
        ],
        &[
            ("p#\\31 a", 1),
            ("p.md\\:w-1\\/2", 1),
            ("p.-\\35 x", 1),
            ("p.größe\\@2", 1),
        ],
    );
}

#[test]
fn only_visible_elements_with_text_or_a_telling_attribute_are_told() {
    let page: &[Row<'_>] = &[
        (-1, BLOCK, "body", "own||||||", &[("class", "home")]),
        (0, BLOCK, "div", " |", &[("class", "wrap")]),
        (1, INLINE, "img", "", &[("src", "/a.png"), ("alt", "A")]),
        (0, GONE, "p", "hidden", &[]),
        (0, BLOCK | flags::SHADOW, "x-card", "|", &[]),
        (4, BLOCK | flags::IN_SHADOW, "p", "in the shadow", &[]),
        (0, INLINE, "button", "", &[("aria-label", "Close")]),
        (0, INLINE, "time", "now", &[("datetime", "2026-01-02")]),
        (
            0,
            INLINE,
            "a",
            "link",
            &[
                ("href", "/x"),
                ("role", " tab  link"),
                ("title", &"t".repeat(300)),
            ],
        ),
    ];
    let entries = read(page);
    let short: Vec<_> = entries
        .iter()
        .map(|entry| (entry.tag.as_str(), entry.role.as_deref(), entry.text.as_str()))
        .collect();
    assert_eq!(
        short,
        [
            ("img", Some("img"), ""),
            ("button", Some("button"), ""),
            ("time", Some("time"), "now"),
            ("a", Some("tab"), "link")
        ]
    );
    assert_eq!(entries[0].attributes["src"], "/a.png");
    assert_eq!(entries[0].attributes.get("alt"), None);
    assert_eq!(entries[3].attributes["title"].len(), 200);
    let (first, omitted) = read_some(page, 1, 5);
    assert_eq!(
        (first.len(), omitted),
        (1, 3 + 5),
        "left out by the limit and by the port"
    );
}

#[test]
fn slotted_elements_are_counted_where_selectors_see_them() {
    // The slotted list item's parent in the document is the host, not the slot.
    expect(
        &[
            (-1, BLOCK, "body", "|", &[]),
            (0, BLOCK | flags::SHADOW, "x-list", "|", &[("class", "list")]),
            (1, BLOCK | flags::IN_SHADOW, "div", "|", &[("class", "row")]),
            (2, INLINE | flags::CONTENTS | flags::IN_SHADOW, "slot", "||", &[]),
            (3, BLOCK, "p", "a", &[]),
            (3, BLOCK, "p", "b", &[]),
        ],
        &[
            ("x-list.list > p:nth-of-type(1)", 1),
            ("x-list.list > p:nth-of-type(2)", 1),
        ],
    );
}

#[test]
fn what_no_recipe_has_room_for_is_no_entry_and_no_context() {
    let long = format!("x-{}", "m".repeat(5_000));
    let class = "m".repeat(5_000);
    expect(
        &[
            (-1, BLOCK, "body", "|", &[]),
            (0, BLOCK, &long, "own||", &[("id", "long"), ("title", "told")]),
            (1, BLOCK, "p", "a", &[("class", &class), ("id", &class)]),
            (1, BLOCK, "b", "b", &[]),
        ],
        &[("p", 1), ("b", 1)],
    );
}
