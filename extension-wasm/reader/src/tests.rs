use std::path::Path;

use drawbridge_protocol::page::PageRead;
use drawbridge_protocol::reader::filling::kinds;
use drawbridge_protocol::reader::{self, PageHeader, ReadReply, ReadRequest, flags};
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
        ReadRequest::Markup { max_bytes: 20 },
        ReadRequest::Page {
            ask: Box::new(PageRead::Outline {
                within: None,
                depth: None,
                viewport_only: false,
                hidden: true,
            }),
            parts: Vec::new(),
            missing: Vec::new(),
            next_ref: 1,
        },
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

fn markup_columns() -> Sample {
    let mut sample = Sample::new();
    sample.ints.extend([1, 0]);
    sample.text(Some("<b>é🎉</b>"));
    sample
}

#[test]
fn each_request_gets_its_reply() {
    let requests = requests();
    assert!(matches!(
        read(&requests[0], &recipe_columns().build()),
        ReadReply::RecipePage { .. }
    ));
    let ReadReply::Markup { header, found } = read(&requests[1], &markup_columns().build()) else {
        panic!("no markup");
    };
    let expected = PageHeader {
        epoch: 77,
        ready_state: 2,
        frames: 0,
        url: "https://shop.example/list".into(),
        origin: "https://shop.example".into(),
        title: "Shop".into(),
    };
    assert_eq!((header, found.is_some()), (expected, true));
}

#[test]
fn columns_of_another_operation_are_malformed() {
    let malformed = |reply| matches!(reply, ReadReply::Malformed { .. });
    assert!(malformed(read(&requests()[0], &markup_columns().build())));
    assert!(malformed(read(&requests()[1], &recipe_columns().build())));
    assert!(malformed(read(&requests()[2], &recipe_columns().build())));
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
        reply(&request, markup_columns().build().as_bytes()),
        ReadReply::Markup { .. }
    ));
}

/// The port is plain JavaScript, so what both sides must agree on is compared here.
#[test]
fn the_port_knows_the_same_limits_flags_and_keys() {
    let file = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../extension")
            .join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let (port, capture) = (file("dom-port.js"), file("dom-capture.js"));
    for name in [
        "dom-port.js",
        "dom-look.js",
        "dom-ink.js",
        "dom-match.js",
        "dom-style.js",
        "dom-capture.js",
        "dom-watch.js",
        "dom-act.js",
        "dom-note.js",
        "dom-fill.js",
        "dom-list.js",
    ] {
        let lines = file(name).lines().count();
        assert!(lines <= 250, "{name}: {lines} lines");
    }
    let fill = file("dom-fill.js");
    for (name, kind) in [
        ("NONE", kinds::NONE),
        ("TEXT", kinds::TEXT),
        ("EDITABLE", kinds::EDITABLE),
        ("EXACT", kinds::EXACT),
        ("PIPE", kinds::PIPE),
        ("SELECT", kinds::SELECT),
        ("BOX", kinds::BOX),
        ("FILE", kinds::FILE),
        ("LIST", kinds::LIST),
        ("PART", kinds::PART),
        ("SEVERAL", kinds::SEVERAL),
        ("FRAME", kinds::FRAME),
    ] {
        assert!(fill.contains(&format!(" {name}: {kind},")), "{name}: {kind}");
    }
    let plain = format!("{port}{capture}").replace('_', "");
    let says = |name: &str, value: &str| {
        let name = name.replace('_', "");
        let found = [" = ", ": "].iter().any(|is| {
            [',', ';', ' ']
                .iter()
                .any(|end| plain.contains(&format!(" {name}{is}{value}{end}")))
        });
        assert!(found, "{name} = {value}");
    };
    says("VERSION", "1");
    says("MAX_TEXT", &reader::MAX_TEXT.to_string());
    says("MAX_OWN", &reader::MAX_OWN.to_string());
    says("MAX_NODES", &reader::MAX_NODES.to_string());
    for (place, name) in [
        "RENDERED",
        "VISIBLE",
        "TRANSPARENT",
        "CONTENTS",
        "CLIPS",
        "SHADOW",
        "OFF_PAGE",
        "BLOCK",
        "DISABLED",
        "IN_SHADOW",
        "FOREIGN",
        "POINTER",
        "FOCUSED",
        "IN_VIEW",
        "SECRET",
        "FILLED",
        "EDITABLE",
        "TOP_LAYER",
        "PINNED",
        "BLENDS",
        "POSITIONED",
    ]
    .iter()
    .enumerate()
    {
        let value = if place < 10 {
            (1 << place).to_string()
        } else {
            format!("1 << {place}")
        };
        says(name, &value);
    }
    assert_eq!(
        (flags::IN_SHADOW, flags::FOREIGN, flags::POSITIONED),
        (1 << 9, 1 << 10, 1 << 20)
    );
    let (_, list) = capture.split_once("KEYS = (`").unwrap();
    let (list, _) = list.split_once('`').unwrap();
    assert_eq!(list.split_whitespace().collect::<Vec<_>>(), reader::KEYS);
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
        for valid in [recipe_columns(), markup_columns()] {
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
        for valid in [recipe_columns(), markup_columns()] {
            let mut bytes = valid.build().into_bytes();
            let place = place.index(bytes.len());
            if cut { bytes.truncate(place) } else { bytes[place] = byte }
            for request in requests() {
                drop(read_bytes(&serde_json::to_vec(&request).unwrap(), &bytes));
            }
        }
    }
}
