use drawbridge_protocol::reader::flags;
use drawbridge_protocol::tools::inspect::TextOmitted;

use crate::collection;
use crate::columns::Columns;
use crate::sample::{BLOCK, GONE, INLINE, Row, Sample};

fn read(elements: &[Row<'_>], cut: u32, max_chars: u32) -> (String, Option<TextOmitted>) {
    let built = Sample::new().collection(0, elements).build();
    let mut columns = Columns::parse(&built).unwrap();
    columns.top().unwrap();
    super::read(&collection::parse(columns).unwrap(), cut, max_chars)
}

fn text(elements: &[Row<'_>]) -> String {
    read(elements, 0, 10_000).0
}

fn omitted(characters: u32, hidden: u32, frames: u32) -> Option<TextOmitted> {
    Some(TextOmitted {
        characters,
        hidden,
        frames,
    })
}

#[test]
fn blocks_become_lines_and_white_space_folds() {
    let page: &[Row<'_>] = &[
        (-1, BLOCK, "body", "\n  |\n | tail |!\n", &[]),
        (0, BLOCK, "h1", "  Big\n news ", &[]),
        (0, BLOCK, "div", "one | two|three", &[]),
        (2, INLINE, "b", "bold", &[]),
        (2, INLINE, "i", " it\u{a0}al ", &[]),
        (0, INLINE, "u", "u", &[]),
    ];
    assert_eq!(text(page), "Big news\none bold two it al three\ntail u!");
}

#[test]
fn breaks_cells_and_verbatim_text_keep_their_shape() {
    let page: &[Row<'_>] = &[
        (-1, BLOCK, "div", "a|b|||", &[]),
        (0, INLINE, "br", "", &[]),
        (0, BLOCK, "tr", "|\n||", &[]),
        (2, BLOCK, "td", "x", &[]),
        (2, BLOCK, "td", "y z", &[]),
        (2, BLOCK, "th", "w", &[]),
        (0, BLOCK, "pre", "fn a {\n    |;\n}\n", &[]),
        (6, INLINE, "b", "b  c", &[]),
        (0, BLOCK, "p", "end", &[]),
    ];
    assert_eq!(text(page), "a\nb\nx\ty z\tw\nfn a {\n    b  c;\n}\nend");
}

#[test]
fn what_cannot_be_seen_is_counted_and_absent() {
    let hidden = flags::RENDERED | flags::BLOCK;
    let page: &[Row<'_>] = &[
        (-1, BLOCK, "body", "a|||||b", &[]),
        (0, GONE, "div", "gone|", &[]),
        (1, GONE, "i", "gone too", &[]),
        (0, hidden, "div", "hidden |", &[]),
        (3, INLINE, "i", "but this", &[]),
        (0, BLOCK | flags::TRANSPARENT, "div", "thin air", &[]),
        (0, BLOCK | flags::OFF_PAGE, "div", " ", &[]),
        (0, INLINE | flags::CONTENTS, "slot", "slotted", &[]),
    ];
    assert_eq!(
        read(page, 0, 1000),
        ("a\nbut this\nslottedb".to_owned(), omitted(0, 4, 0))
    );
}

#[test]
fn frames_that_show_something_are_counted() {
    let page: &[Row<'_>] = &[
        (-1, BLOCK, "body", "||", &[]),
        (0, INLINE, "iframe", "", &[]),
        (0, GONE, "iframe", "", &[]),
    ];
    assert_eq!(read(page, 0, 10), (String::new(), omitted(0, 0, 1)));
}

#[test]
fn a_cut_is_exact_and_never_inside_a_grapheme() {
    let family = "👨‍👩‍👧";
    let own = format!("ab{family}e\u{301}c");
    let page: &[Row<'_>] = &[(-1, BLOCK, "p", &own, &[])];
    let all = own.chars().count() as u32;
    assert_eq!(all, 10);
    for max in 0..=12 {
        let (text, gone) = read(page, 0, max);
        let kept = text.chars().count() as u32;
        assert!(kept <= max);
        assert_eq!(gone.unwrap_or_default().characters, all - kept, "at {max}");
        assert!(
            ["", "a", "ab", "abFe\u{301}", "abF", "abFe\u{301}c"]
                .contains(&text.replace(family, "F").as_str()),
            "{text}"
        );
    }
    assert_eq!(read(page, 0, 10), (own.clone(), None));
    assert_eq!(
        read(page, 7, 9).1,
        omitted(8, 0, 0),
        "with what the port left out"
    );
}

#[test]
fn a_very_deep_page_is_read_without_recursion() {
    let mut rows: Vec<Row<'_>> = vec![(-1, BLOCK, "div", "a|z", &[])];
    rows.extend((0..100_000).map(|parent| -> Row<'_> { (parent, INLINE, "b", "x|", &[]) }));
    // The deepest has no child, so its own text has one part less; a part without a child does no harm.
    let built = {
        let mut sample = Sample::new();
        sample.ints.extend([1, rows.len() as i32, 0]);
        for (parent, flags, tag, own, _) in &rows {
            sample.ints.extend([*parent, *flags, 1, 1, 0, 0]);
            sample.text(Some(tag));
            sample.text(Some(&own.replace('|', "\u{1}")));
        }
        sample.build()
    };
    let mut columns = Columns::parse(&built).unwrap();
    columns.top().unwrap();
    let (text, omitted) = super::read(&collection::parse(columns).unwrap(), 0, 200_000);
    assert_eq!((text.len(), omitted), (100_002, None));
}

#[test]
fn a_line_shows_one_element_only() {
    let built = Sample::new()
        .collection(
            0,
            &[
                (-1, BLOCK, "body", "no||no", &[]),
                (0, BLOCK, "ul", "| \n |", &[]),
                (1, BLOCK, "li", "one  1", &[]),
                (1, BLOCK, "li", "two", &[]),
                (0, BLOCK, "p", "no", &[]),
            ],
        )
        .build();
    let mut columns = Columns::parse(&built).unwrap();
    columns.top().unwrap();
    let collection = collection::parse(columns).unwrap();
    assert_eq!(super::line(&collection.elements, 1, 120), "one 1 two");
    assert_eq!(super::line(&collection.elements, 1, 6), "one 1");
}
