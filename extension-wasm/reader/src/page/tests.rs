use drawbridge_protocol::reader::{Missing, MissingFrame, Part};

use super::page;
use crate::sample::{BLOCK, Capture, Node};

fn part(columns: &str, parent: Option<u32>) -> Part {
    Part {
        bytes: columns.len() as u32,
        parent,
    }
}

fn tags<'p>(page: &'p super::Page<'_>) -> Vec<(&'p str, Option<usize>, usize)> {
    page.elements
        .iter()
        .map(|element| (element.tag.as_ref(), element.parent, element.end))
        .collect()
}

#[test]
fn frames_are_spliced_where_their_element_is() {
    let outer = Capture::new(&[
        Node::new(None, "html"),
        Node::new(Some(0), "iframe").key(":window", "0"),
        Node::new(Some(0), "p").own("after"),
        Node::new(Some(0), "iframe").key(":window", "1"),
    ])
    .select(4, &[1, 3])
    .build();
    let second = Capture::new(&[Node::new(None, "html"), Node::new(Some(0), "b")])
        .window(1)
        .select(0, &[])
        .build();
    let first = Capture::new(&[Node::new(None, "html")])
        .window(0)
        .select(1, &[0])
        .build();
    let parts = [part(&outer, None), part(&second, Some(0)), part(&first, Some(0))];
    let columns = [outer, second, first].concat();
    let page = page(&columns, &parts, &[], 1).unwrap();
    assert_eq!(
        tags(&page),
        [
            ("html", None, 7),
            ("iframe", Some(0), 3),
            ("html", Some(1), 3),
            ("p", Some(0), 4),
            ("iframe", Some(0), 7),
            ("html", Some(4), 7),
            ("b", Some(5), 7),
        ]
    );
    let selected = page.selected[0].as_ref().unwrap();
    assert_eq!(
        (selected.total, selected.elements.as_slice()),
        (5, &[1, 2, 4][..])
    );
    assert_eq!(page.documents[1].frame, Some(4));
    assert_eq!(page.children(0).collect::<Vec<_>>(), [1, 3, 4]);
    assert_eq!(page.around(6).collect::<Vec<_>>(), [5, 4, 0]);
}

#[test]
fn one_frame_and_one_element_that_are_left_belong_together() {
    let outer = Capture::new(&[
        Node::new(None, "html"),
        Node::new(Some(0), "iframe").key(":window", "-1"),
        Node::new(Some(0), "iframe").key(":window", "0").key("src", "/ad"),
    ])
    .build();
    let hidden = Capture::new(&[Node::new(None, "html")]).window(-1).build();
    let parts = [part(&outer, None), part(&hidden, Some(0))];
    let missing = [MissingFrame {
        parent: 0,
        url: "https://ads.example/ad".to_owned(),
        why: Missing::Unreadable,
    }];
    let columns = [outer, hidden].concat();
    let page = page(&columns, &parts, &missing, 0).unwrap();
    assert_eq!(page.documents[1].frame, Some(1));
    assert_eq!(page.boundaries[0].element, Some(3));
}

#[test]
fn frames_that_nothing_tells_apart_are_not_guessed() {
    let outer = Capture::new(&[
        Node::new(None, "html"),
        Node::new(Some(0), "iframe").key(":window", "-1"),
        Node::new(Some(0), "iframe").key(":window", "-1"),
    ])
    .build();
    let one = Capture::new(&[Node::new(None, "html")]).build();
    let parts = [part(&outer, None), part(&one, Some(0)), part(&one, Some(0))];
    let columns = [outer.as_str(), &one, &one].concat();
    let page = page(&columns, &parts, &[], 0).unwrap();
    assert_eq!(page.documents[1].frame, Some(0), "told at the end of the page");
    assert_eq!(page.elements.len(), 5);
}

#[test]
fn missing_frames_of_which_the_same_is_told_take_the_elements_with_their_address() {
    let frame = |src: &str| Node::new(Some(0), "iframe").key(":window", "-1").key("src", src);
    let outer = Capture::new(&[
        Node::new(None, "html"),
        frame("/ad"),
        frame("/other"),
        frame("/ad"),
    ])
    .build();
    let missing = |url: &str| MissingFrame {
        parent: 0,
        url: format!("https://ads.example{url}"),
        why: Missing::NotGranted,
    };
    let places = |missing: &[MissingFrame]| {
        let page = page(&outer, &[part(&outer, None)], missing, 0).unwrap();
        let places: Vec<_> = page.boundaries.iter().map(|one| one.element).collect();
        (places, crate::unread::count(&page, 0))
    };
    let all = [missing("/ad"), missing("/ad"), missing("/other")];
    assert_eq!(places(&all), (vec![Some(1), Some(3), Some(2)], 3));
    // They were led elsewhere.
    let led = [missing("/x"), missing("/x"), missing("/x")];
    assert_eq!(places(&led), (vec![Some(1), Some(2), Some(3)], 3));
    // Nobody knows which is which: each counts once all the same.
    let apart = [missing("/x"), missing("/y"), missing("/z")];
    assert_eq!(places(&apart), (vec![None; 3], 3));
    let many = vec![missing("/x"); 5];
    assert_eq!(places(&many), (vec![None; 5], 5));
}

#[test]
fn what_does_not_fit_is_malformed_and_never_a_panic() {
    let good = Capture::new(&[Node::new(None, "html"), Node::new(Some(0), "p")]).build();
    assert!(page(&good, &[part(&good, None)], &[], 0).is_ok());
    assert!(
        page(&good, &[part(&good, None)], &[], 1).is_err(),
        "a selector too many"
    );
    assert!(page(&good, &[], &[], 0).is_err());
    let early = [Part {
        bytes: 4,
        parent: None,
    }];
    assert!(page(&good, &early, &[], 0).is_err());
    let later = [part(&good, Some(1)), part(&good, None)];
    assert!(page(&good.repeat(2), &later, &[], 0).is_err());
    let loose = Capture::new(&[Node::new(None, "html"), Node::new(Some(1), "p").flags(BLOCK)]).build();
    assert!(page(&loose, &[part(&loose, None)], &[], 0).is_err());
}

#[test]
fn what_a_hidden_frame_shows_is_hidden() {
    let outer = Capture::new(&[
        Node::new(None, "html"),
        Node::new(Some(0), "iframe")
            .key(":window", "0")
            .flags(BLOCK | drawbridge_protocol::reader::flags::TRANSPARENT),
    ])
    .build();
    let inner = Capture::new(&[Node::new(None, "html"), Node::new(Some(0), "p").own("x")])
        .window(0)
        .build();
    let parts = [part(&outer, None), part(&inner, Some(0))];
    let columns = [outer, inner].concat();
    let page = page(&columns, &parts, &[], 0).unwrap();
    let seen: Vec<bool> = page.elements.iter().map(super::Element::is_visible).collect();
    assert_eq!(seen, [true, false, false, false]);
}

fn two_parts() -> (Vec<String>, Vec<Option<u32>>) {
    let outer = Capture::new(&[
        Node::new(None, "html").own("a|b|"),
        Node::new(Some(0), "iframe").key(":window", "0").key("src", "/in"),
        Node::new(Some(0), "x-host").own("é🎉"),
        Node::new(Some(2), "b").host(2).key(":before", "\"x\" / \"y\""),
    ])
    .select(1, &[1])
    .build();
    let inner = Capture::new(&[Node::new(None, "html"), Node::new(Some(0), "p").own("in")])
        .window(0)
        .select(1, &[1])
        .build();
    (vec![outer, inner], vec![None, Some(0)])
}

proptest::proptest! {
    #[test]
    fn no_changed_integer_makes_it_panic(
        which in 0..2_usize,
        place in proptest::prelude::any::<proptest::sample::Index>(),
        value in proptest::prelude::any::<i32>(),
        small in -3..9_i32,
        parent in 0..3_u32,
        bytes in 0..400_u32,
    ) {
        for value in [value, small] {
            let (mut columns, parents) = two_parts();
            let (ints, texts) = columns[which].split_once('\n').unwrap();
            let (count, ints) = ints.split_once(';').unwrap();
            let mut ints: Vec<i32> = ints.split(',').map(|int| int.parse().unwrap()).collect();
            let place = place.index(ints.len());
            ints[place] = value;
            let ints: Vec<String> = ints.iter().map(i32::to_string).collect();
            columns[which] = format!("{count};{}\n{texts}", ints.join(","));
            let mut parts: Vec<Part> = columns.iter().zip(&parents).map(|(own, parent)| part(own, *parent)).collect();
            let missing = [MissingFrame { parent, url: "https://a.example/in".to_owned(), why: Missing::Silent }];
            drop(page(&columns.concat(), &parts, &missing, 1));
            parts[1].parent = Some(parent);
            drop(page(&columns.concat(), &parts, &[], 1));
            parts[which].bytes = bytes;
            drop(page(&columns.concat(), &parts, &[], 1));
        }
    }
}
