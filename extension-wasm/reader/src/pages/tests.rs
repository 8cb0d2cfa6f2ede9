use drawbridge_protocol::outline::Ref;
use drawbridge_protocol::page::{By, Locator, PageRead, TextFormat, TextScope, Told, Wanted};
use drawbridge_protocol::reader::{KEYS, Part, ReadReply, ReadRequest};
use proptest::prelude::*;

use crate::sample::{Capture, Node};

const TAGS: &[&str] = &[
    "div",
    "p",
    "span",
    "a",
    "b",
    "ul",
    "ol",
    "li",
    "table",
    "thead",
    "tbody",
    "tr",
    "td",
    "th",
    "h1",
    "h3",
    "pre",
    "code",
    "blockquote",
    "br",
    "hr",
    "img",
    "button",
    "input",
    "select",
    "option",
    "textarea",
    "label",
    "iframe",
    "main",
    "nav",
    "article",
    "section",
    "details",
    "summary",
    "dialog",
    "slot",
    "svg",
    "x-y",
    "caption",
    "form",
];

const VALUES: &[&str] = &[
    "",
    "row",
    "gridcell",
    "grid",
    "0",
    "1",
    "-1",
    "65534",
    "a",
    "a b",
    "1,2,3",
    "heading",
    "true",
    "|`*_[]<>&\\",
    "javascript:x",
    "next",
    "e1",
    "🎉\u{301}",
    "\u{ad}",
    "list",
];

const TEXTS: &[&str] = &[
    "",
    "|",
    "a|b",
    "Next",
    "next",
    " \n ",
    "x|\u{a0}|y",
    "# x",
    "👨\u{200d}👩|e\u{301}",
    "buy|now",
    "\u{202e}x",
    "1. |",
    "```|",
];

/// How far out its parent is, tag, flags, text, attributes.
type Row = (usize, usize, i32, usize, Vec<(usize, usize)>);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let keys = prop::collection::vec((0..KEYS.len(), 0..VALUES.len()), 0..5);
    let visible = crate::sample::BLOCK;
    let flags = prop_oneof![3 => Just(visible), 1 => 0..(1 << 23)];
    prop::collection::vec((0..4_usize, 0..TAGS.len(), flags, 0..TEXTS.len(), keys), 1..60)
}

fn capture(rows: &[Row], selectors: usize) -> String {
    let mut nodes = vec![Node::new(None, "html").own("|")];
    // The elements around the next one, outermost first.
    let mut open = vec![0];
    for (out, tag, flags, text, keys) in rows {
        let keep = open.len().saturating_sub(*out).max(1);
        open.truncate(keep);
        let mut node = Node::new(open.last().copied(), TAGS[*tag])
            .flags(*flags)
            .own(TEXTS[*text]);
        node = node.at([keep as i32 * 7, nodes.len() as i32 * 20, 100, 20]);
        for (key, value) in keys {
            node = node.key(KEYS[*key], VALUES[*value]);
        }
        if nodes.len() % 5 == 0 {
            node = node.reference(nodes.len() as i32);
        }
        open.push(nodes.len());
        nodes.push(node);
    }
    let last = nodes.len() as i32 - 1;
    let capture = Capture::new(&nodes);
    (0..selectors)
        .fold(capture, |capture, _| capture.select(2, &[0, last]))
        .build()
}

fn locators() -> Vec<Locator> {
    let text = |by: fn(String) -> By, text: &str| Locator::new(by(text.to_owned()));
    let role = |role: &str, name: Option<&str>| {
        Locator::new(By::Role {
            role: role.to_owned(),
            name: name.map(str::to_owned),
        })
    };
    let mut all = vec![
        Locator::new(By::Ref(Ref::element(5))),
        role("button", None),
        role("link", Some("next")),
        text(By::Label, "a"),
        text(By::Placeholder, "a"),
        text(By::Text, "next"),
        text(By::Text, ""),
        text(By::TestId, "a"),
        text(By::Selector, "p"),
    ];
    let narrowed = Locator {
        exact: true,
        index: Some(0),
        scope: Some(Box::new(text(By::Selector, "div"))),
        has_text: Some("b".to_owned()),
        ..text(By::Text, "Next")
    };
    all.push(narrowed);
    all
}

fn reads() -> Vec<PageRead> {
    let mut reads = Vec::new();
    for (nth, locator) in locators().into_iter().map(Some).chain([None]).enumerate() {
        let within = locator.clone();
        for (scope, format) in [
            (TextScope::Primary, TextFormat::Text),
            (TextScope::Primary, TextFormat::Markdown),
            (TextScope::Body, TextFormat::Text),
            (TextScope::Body, TextFormat::Markdown),
            (TextScope::Log, TextFormat::Text),
        ] {
            reads.push(PageRead::Text {
                within: within.clone(),
                scope,
                format,
                hidden: nth % 2 == 0,
                tail: nth % 3 == 0,
                log_match: (nth % 2 == 1).then(|| "x".to_owned()),
                log_max_matches: 3,
                max_chars: nth as u32 * 7,
            });
        }
        reads.push(PageRead::Outline {
            within: within.clone(),
            depth: (nth % 2 == 0).then_some(3),
            viewport_only: nth % 3 == 0,
            hidden: nth % 2 == 0,
        });
        reads.push(PageRead::Table {
            target: within.clone(),
            columns: None,
            max_rows: 10,
        });
        reads.push(PageRead::Listed {
            within: within.clone(),
            limit: 20,
        });
        let told = [
            Told::Count,
            Told::Node,
            Told::Text(5),
            Told::Attribute("href".to_owned()),
            Told::State,
            Told::Bounds,
        ];
        for told in told {
            let words = Wanted::Words("second buy button in the row of next beside x".to_owned());
            let what = locator.clone().map_or(words, Wanted::Locator);
            reads.push(PageRead::Find {
                within: within.clone().filter(|_| nth % 2 == 0),
                what,
                limit: 9,
                told,
            });
        }
        if let Some(target) = within {
            reads.push(PageRead::Html { target, max_bytes: 9 });
        }
    }
    reads.push(PageRead::Selectors {
        scope: "p".to_owned(),
        limit: 9,
    });
    reads.push(PageRead::Watch {
        failures: vec!["no".to_owned()],
        texts: vec!["next".to_owned(), String::new()],
        element: None,
        nearest: true,
    });
    reads.push(PageRead::Cover);
    reads.push(PageRead::Suggest {
        goal: Some("next".to_owned()),
        limit: 9,
    });
    reads
}

fn reply(ask: &PageRead, rows: &[Row]) -> ReadReply {
    let columns = capture(rows, ask.selectors().len());
    let request = ReadRequest::Page {
        ask: Box::new(ask.clone()),
        parts: vec![Part {
            bytes: columns.len() as u32,
            parent: None,
        }],
        missing: Vec::new(),
        next_ref: 1,
    };
    crate::read(&request, &columns)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn no_page_makes_any_read_panic(rows in rows()) {
        for ask in reads() {
            let first = reply(&ask, &rows);
            prop_assert!(!matches!(first, ReadReply::Malformed { .. }), "{:?}", ask);
            // The same page gives the same answer, to the byte.
            prop_assert_eq!(serde_json::to_string(&first).unwrap(), serde_json::to_string(&reply(&ask, &rows)).unwrap());
        }
    }
}
