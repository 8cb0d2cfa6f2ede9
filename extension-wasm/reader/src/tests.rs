use std::path::Path;

use drawbridge_protocol::reader::{self, COPIED_ATTRIBUTES, PageHeader, ReadReply, ReadRequest, flags};
use drawbridge_protocol::recipe::{Recipe, parse};
use proptest::prelude::*;
use serde_json::json;

use crate::sample::{BLOCK, GONE, INLINE, Sample};
use crate::{read, read_bytes};

fn requests() -> Vec<ReadRequest> {
    vec![
        ReadRequest::RecipePage {
            recipe: Box::new(recipe()),
            page: 1,
            room: 5,
            redirected: true,
        },
        ReadRequest::Text { max_chars: 20 },
        ReadRequest::Selectors { limit: 5 },
    ]
}

fn recipe() -> Recipe {
    let recipe = json!({
        "version": 1, "name": "r", "description": "d", "origin": "https://a.example", "urlTemplate": "https://a.example/",
        "ready": "main", "rows": "li", "limit": 9, "maxPages": 2, "empty": ".e", "login": ".l", "next": ".n",
        "fields": [{"name": "t", "read": "text", "required": true}, {"name": "h", "selector": "a", "read": "attribute", "attribute": "href", "required": false}],
    });
    parse(&recipe, "recipe").unwrap()
}

fn recipe_columns() -> Sample {
    let links: [&[Option<&str>]; 2] = [&[Some("?2"), Some("https://a.example/?2")], &[None, None]];
    Sample::new()
        .set(2, &[(-1, BLOCK, &[]), (-1, GONE, &[])])
        .set(1, &[(-1, BLOCK, &[])])
        .set(0, &[])
        .set(0, &[])
        .set(2, &[(-1, INLINE, links[0]), (-1, GONE, links[1])])
        .set(1, &[(-1, INLINE, &[])])
        .set(2, &[(0, BLOCK, &[Some("é one")]), (1, GONE, &[Some("🎉")])])
        .set(1, &[(0, INLINE, &[Some("/1")])])
}

fn collection_columns() -> Sample {
    Sample::new().collection(
        1,
        &[
            (-1, BLOCK, "body", "a|b|c", &[("class", "home page")]),
            (0, BLOCK, "p", "é|x", &[("id", "p1"), ("title", "🎉")]),
            (1, INLINE, "a", "link", &[("href", "/x")]),
            (0, INLINE, "iframe", "", &[]),
        ],
    )
}

#[test]
fn each_request_gets_its_reply() {
    let requests = requests();
    assert!(matches!(
        read(&requests[0], &recipe_columns().build()),
        ReadReply::RecipePage { .. }
    ));
    let header = PageHeader {
        epoch: 77,
        ready_state: 2,
        frames: 0,
        url: "https://shop.example/list".into(),
        origin: "https://shop.example".into(),
        title: "Shop".into(),
    };
    let ReadReply::Text {
        header: got,
        text,
        omitted,
    } = read(&requests[1], &collection_columns().build())
    else {
        panic!("no text");
    };
    assert_eq!((got, text.as_str()), (header, "a\nélinkx\nbc"));
    assert_eq!(omitted.unwrap().frames, 1);
    let ReadReply::Selectors { entries, omitted, .. } = read(&requests[2], &collection_columns().build())
    else {
        panic!("no selectors");
    };
    assert_eq!((entries.len(), omitted), (2, 1));
}

#[test]
fn a_scope_that_is_not_one_element_says_how_many() {
    for matched in [-1, 0, 2, 9] {
        let mut sample = Sample::new();
        sample.ints.extend([matched, 0, 0]);
        for request in &requests()[1..] {
            assert_eq!(read(request, &sample.build()), ReadReply::Scope { matched });
        }
    }
}

#[test]
fn columns_of_another_operation_are_malformed() {
    let malformed = |reply| matches!(reply, ReadReply::Malformed { .. });
    assert!(malformed(read(&requests()[0], &collection_columns().build())));
    assert!(malformed(read(&requests()[1], &recipe_columns().build())));
}

#[test]
fn a_parent_that_is_no_ancestor_is_malformed() {
    for (place, parent) in [
        (9 + 3, 0),
        (9 + 3, 2),
        (9 + 3 + 8 + 2, -1),
        (9 + 3 + 8 + 2, 1),
        (9 + 3 + 8 + 2, 7),
    ] {
        let mut sample = collection_columns();
        sample.ints[place] = parent;
        assert!(
            matches!(read(&requests()[1], &sample.build()), ReadReply::Malformed { .. }),
            "{place} {parent}"
        );
    }
}

#[test]
fn bytes_that_are_no_request_or_no_text_are_answered() {
    let reply = |request: &[u8], columns: &[u8]| -> ReadReply {
        serde_json::from_slice(&read_bytes(request, columns)).unwrap()
    };
    assert!(matches!(reply(b"{}", b""), ReadReply::Malformed { .. }));
    let request = serde_json::to_vec(&requests()[1]).unwrap();
    assert!(matches!(
        reply(&request, b"\xff\xfe"),
        ReadReply::Malformed { .. }
    ));
    assert!(matches!(
        reply(&request, collection_columns().build().as_bytes()),
        ReadReply::Text { .. }
    ));
}

/// The port is plain JavaScript, so what both sides must agree on is compared here.
#[test]
fn the_port_knows_the_same_limits_flags_and_attributes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../extension/dom-port.js");
    let port = std::fs::read_to_string(path).unwrap();
    assert!(port.lines().count() <= 250, "{} lines", port.lines().count());
    let plain = port.replace('_', "");
    for (name, value) in [
        ("VERSION", 1),
        ("MAX_TEXT", i64::from(reader::MAX_TEXT)),
        ("MAX_NODES", i64::from(reader::MAX_NODES)),
        ("RENDERED", flags::RENDERED.into()),
        ("VISIBLE", flags::VISIBLE.into()),
        ("TRANSPARENT", flags::TRANSPARENT.into()),
        ("CONTENTS", flags::CONTENTS.into()),
        ("CLIPS", flags::CLIPS.into()),
        ("SHADOW", flags::SHADOW.into()),
        ("OFF_PAGE", flags::OFF_PAGE.into()),
        ("BLOCK", flags::BLOCK.into()),
        ("DISABLED", flags::DISABLED.into()),
        ("IN_SHADOW", flags::IN_SHADOW.into()),
    ] {
        let name = name.replace('_', "");
        assert!(
            [',', ';']
                .iter()
                .any(|end| plain.contains(&format!(" {name} = {value}{end}"))),
            "{name} = {value}"
        );
    }
    let (_, list) = port.split_once("COPIED_ATTRIBUTES = new Set(").unwrap();
    let (list, _) = list.split_once(')').unwrap();
    let list: Vec<&str> = list
        .split(['\'', ' ', ',', '[', ']', '\n'])
        .filter(|name| !name.is_empty())
        .collect();
    assert_eq!(list, COPIED_ATTRIBUTES);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(columns in ".{0,200}") {
        requests().iter().for_each(|request| drop(read(request, &columns)));
    }

    #[test]
    fn no_integers_make_it_panic(ints in prop::collection::vec(-2..6_i32, 0..60), texts in ".{0,40}") {
        let mut sample = Sample::new();
        sample.ints.extend(ints);
        sample.texts.push_str(&texts);
        requests().iter().for_each(|request| drop(read(request, &sample.build())));
    }

    #[test]
    fn no_changed_integer_makes_it_panic(place in 0..80_usize, value in any::<i32>(), small in -2..9_i32) {
        for valid in [recipe_columns(), collection_columns()] {
            for value in [value, small] {
                let mut sample = valid.clone();
                let place = place % sample.ints.len();
                sample.ints[place] = value;
                requests().iter().for_each(|request| drop(read(request, &sample.build())));
            }
        }
    }

    #[test]
    fn no_changed_byte_makes_it_panic(place in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        for valid in [recipe_columns(), collection_columns()] {
            let mut bytes = valid.build().into_bytes();
            let place = place.index(bytes.len());
            if cut { bytes.truncate(place) } else { bytes[place] = byte }
            for request in requests() {
                drop(read_bytes(&serde_json::to_vec(&request).unwrap(), &bytes));
            }
        }
    }

    #[test]
    fn any_flags_and_texts_are_read(
        flags in prop::collection::vec(0..1024_i32, 8),
        texts in prop::collection::vec("[ -~\u{1}\n\u{a0}é🎉\u{200d}]{0,12}", 8),
        max_chars in 0..40_u32,
    ) {
        let rows: Vec<crate::sample::Row<'_>> = flags
            .iter()
            .zip(&texts)
            .enumerate()
            .map(|(index, (flags, text))| (index as i32 / 2 * 2 - if index % 2 == 0 { 2 } else { 0 }, *flags, "div", text.as_str(), &[][..]))
            .map(|row| (row.0.max(-1), row.1, row.2, row.3, row.4))
            .collect();
        let columns = Sample::new().collection(0, &rows).build();
        let request = ReadRequest::Text { max_chars };
        match read(&request, &columns) {
            ReadReply::Text { text, .. } => prop_assert!(text.chars().count() <= max_chars as usize),
            other => prop_assert!(false, "{:?}", other),
        }
    }
}
