use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::{Locator, LogMatches, PageFound, PageRead, TextFormat, TextScope};
use drawbridge_protocol::reader::{Part, flags};

use crate::page::{Page, page};
use crate::sample::ask::{ask, test_id};
use crate::sample::{BLOCK, Capture, GONE, INLINE, Node, Row};

fn read(elements: &[Row<'_>], cut: u32, max_chars: u32) -> (String, Option<TextOmitted>) {
    let columns = Capture::of_rows(elements).build();
    let mut page = page(&columns, &[part(&columns)], &[], 0).unwrap();
    page.cut = cut;
    whole(&page, 0, max_chars)
}

/// The visible text inside an element, at most `max_chars` characters of it, and what is missing.
fn whole(page: &Page<'_>, root: usize, max_chars: u32) -> (String, Option<TextOmitted>) {
    let mut written = super::plain::write(page, &super::Part::all(root), false);
    let gone = super::cut(&mut written.text, max_chars, false);
    let omitted = TextOmitted {
        characters: gone.saturating_add(page.cut),
        hidden: written.hidden,
        frames: written.frames,
    };
    let complete = omitted == TextOmitted::default();
    (written.text, (!complete).then_some(omitted))
}

#[derive(Debug, Default, PartialEq)]
struct TextOmitted {
    characters: u32,
    hidden: u32,
    frames: u32,
}

fn part(columns: &str) -> Part {
    Part {
        bytes: columns.len() as u32,
        parent: None,
    }
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
    // The deepest has no child, so its own text has one part less; a part without a child does no harm.
    let below = (0..100_000).map(|parent| Node::new(Some(parent), "b").flags(INLINE).own("x|"));
    let nodes: Vec<Node> = std::iter::once(Node::new(None, "div").own("a|z"))
        .chain(below)
        .collect();
    let columns = Capture::new(&nodes).build();
    let page = page(&columns, &[part(&columns)], &[], 0).unwrap();
    let (text, omitted) = whole(&page, 0, 200_000);
    assert_eq!((text.len(), omitted), (100_002, None));
}

#[test]
fn a_line_shows_one_element_only() {
    let columns = Capture::of_rows(&[
        (-1, BLOCK, "body", "no||no", &[]),
        (0, BLOCK, "ul", "| \n |", &[]),
        (1, BLOCK, "li", "one  1", &[]),
        (1, BLOCK, "li", "two", &[]),
        (0, BLOCK, "p", "no", &[]),
    ])
    .build();
    let page = page(&columns, &[part(&columns)], &[], 0).unwrap();
    assert_eq!(super::line(&page, 1, 120), "one 1 two");
    assert_eq!(super::line(&page, 1, 6), "one 1");
}

/// A read of plain text.
fn plain() -> PageRead {
    PageRead::Text {
        within: None,
        scope: TextScope::Body,
        format: TextFormat::Text,
        hidden: false,
        tail: false,
        log_match: None,
        log_max_matches: 100,
        max_chars: 100_000,
    }
}

/// Text, what is missing, and matches.
fn answer(html: &str, change: impl FnOnce(&mut TextRead<'_>)) -> (String, Omitted, Option<LogMatches>) {
    let mut read = plain();
    let PageRead::Text {
        within,
        scope,
        hidden,
        tail,
        log_match,
        log_max_matches,
        max_chars,
        ..
    } = &mut read
    else {
        panic!("no text");
    };
    change(&mut TextRead {
        within,
        scope,
        hidden,
        tail,
        log_match,
        log_max_matches,
        max_chars,
    });
    match ask(html, &read) {
        Ok(PageFound::Text {
            text,
            omitted,
            matched,
        }) => (text, omitted, matched),
        other => panic!("{other:?}"),
    }
}

struct TextRead<'r> {
    within: &'r mut Option<Locator>,
    scope: &'r mut TextScope,
    hidden: &'r mut bool,
    tail: &'r mut bool,
    log_match: &'r mut Option<String>,
    log_max_matches: &'r mut u32,
    max_chars: &'r mut u32,
}

#[test]
fn a_part_is_read_alone_and_frames_inline() {
    let html = "<title>T</title><p>out</p><div data-testid=in>in<iframe srcdoc='<title>x</title><p>framed'></iframe>side</div>";
    assert_eq!(answer(html, |_| {}).0, "out\nin\nframed\nside");
    let (text, omitted, _) = answer(html, |read| *read.within = Some(test_id("in")));
    assert_eq!((text.as_str(), omitted), ("in\nframed\nside", Omitted::default()));
    let missing = answer("<p>a<iframe src=/x></iframe>b", |_| {});
    assert_eq!((missing.0.as_str(), missing.1.frames), ("ab", 1));
}

#[test]
fn hidden_text_is_counted_and_marked_on_request() {
    let html = "<p>a<b data-facts=blends>white</b> on <i style='visibility:hidden'>no<u style='visibility:visible'>yes</u></i></p>\
        <details><summary>More</summary><p>one</p><p>two]</p></details>";
    let (text, omitted, _) = answer(html, |_| {});
    assert_eq!((text.as_str(), omitted.hidden), ("a on yes\nMore", 4));
    let (text, omitted, _) = answer(html, |read| *read.hidden = true);
    assert_eq!(
        text,
        "a[hidden: white] on [hidden: no]yes\nMore\n[hidden: one]\n[hidden: two\\]]"
    );
    assert_eq!(omitted, Omitted::default());
}

#[test]
fn secrets_are_never_text() {
    let html =
        "<p>a <span data-facts=secret contenteditable>4111</span> b<input type=password value=hunter2>";
    for hidden in [false, true] {
        assert_eq!(answer(html, |read| *read.hidden = hidden).0, "a b");
    }
}

#[test]
fn characters_that_do_not_show_stay() {
    assert_eq!(
        answer("<p>Do\u{ad}nau\u{a0}dampf \u{200f}x", |_| {}).0,
        "Do\u{ad}nau dampf \u{200f}x"
    );
}

#[test]
fn the_tail_is_exact() {
    let html = "<p>ab👨‍👩‍👧e\u{301}";
    let tail = |max| {
        let (text, omitted, _) = answer(html, |read| (*read.tail, *read.max_chars) = (true, max));
        (text, omitted.characters)
    };
    assert_eq!(tail(9), ("ab👨‍👩‍👧e\u{301}".to_owned(), 0));
    assert_eq!(tail(8), ("b👨‍👩‍👧e\u{301}".to_owned(), 1));
    assert_eq!(tail(6), ("e\u{301}".to_owned(), 7));
    assert_eq!(tail(1), (String::new(), 9));
    assert_eq!(tail(0), (String::new(), 9));
}

#[test]
fn a_log_keeps_its_white_space() {
    let log = |html: &str| answer(html, |read| *read.scope = TextScope::Log).0;
    assert_eq!(
        log("<pre>\n  a\tb\r\n\n    at c()  \nd\n\n</pre>"),
        "  a\tb\n\n    at c()  \nd"
    );
    assert_eq!(
        log(
            "<div>\n  <div>one  1</div>\n  <div>\n      two\n  </div>\n <span>three</span>\n <span>four</span></div>"
        ),
        "one  1\n      two\nthree\nfour"
    );
    assert_eq!(log("a<br><br>b<br>c"), "a\n\nb\nc");
    assert_eq!(
        log("<table><tr><td>1<td>x  y</tr><tr><td>2<td>z</tr></table>"),
        "1\tx  y\n2\tz"
    );
}

#[test]
fn only_lines_that_match_are_given() {
    let lines: String = (1..=1_000)
        .map(|nth| {
            format!(
                "line {nth}: {}\n",
                if nth % 100 == 0 { "ERROR [x]" } else { "ok" }
            )
        })
        .collect();
    let html = format!("<pre>{lines}</pre>");
    let log = |needle: &str, most, tail, max| {
        let (text, omitted, matched) = answer(&html, |read| {
            *read.scope = TextScope::Log;
            *read.log_match = Some(needle.to_owned());
            (*read.log_max_matches, *read.tail, *read.max_chars) = (most, tail, max);
        });
        (text, omitted, matched.unwrap())
    };
    let (text, omitted, matched) = log("ERROR [x]", 3, false, 10_000);
    assert_eq!(
        text,
        "line 100: ERROR [x]\nline 200: ERROR [x]\nline 300: ERROR [x]"
    );
    assert_eq!((matched.count, matched.numbers), (10, vec![100, 200, 300]));
    assert_eq!(
        omitted,
        Omitted {
            items: 7,
            ..Omitted::default()
        }
    );
    let (text, omitted, matched) = log("ERROR", 3, true, 45);
    assert_eq!((text.len(), omitted.characters, omitted.items), (45, 15, 7));
    assert_eq!(matched.numbers, [800, 900, 1000]);
    assert_eq!(
        log("ERROR", 3, true, 41).2.numbers,
        [900, 1000],
        "the whole lines that are left, and parts of lines"
    );
    let (text, omitted, matched) = log("no such", 3, false, 100);
    assert_eq!(
        (text.as_str(), omitted, matched.count),
        ("", Omitted::default(), 0)
    );
}

#[test]
fn matching_is_literal_and_tolerates_white_space_of_another_kind() {
    let found = |html: &str, needle: &str| {
        answer(html, |read| {
            *read.scope = TextScope::Log;
            *read.log_match = Some(needle.to_owned());
        })
        .2
        .unwrap()
        .count
    };
    assert_eq!(found("<pre>a.c\nabc</pre>", "a.c"), 1);
    assert_eq!(found("<pre>a\u{a0}b\nDo\u{ad}nau</pre>", "a b"), 1);
    assert_eq!(found("<pre>a\u{a0}b\nDo\u{ad}nau</pre>", "Donau"), 1);
    assert_eq!(found("<pre>abc</pre>", "ABC"), 0);
}

/// A saved page, where the shared folder is.
fn saved(name: &str) -> Option<String> {
    let shared = std::env::var_os("DRAWBRIDGE_SHARED").map(std::path::PathBuf::from);
    let beside = || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = shared.unwrap_or_else(beside).join("pages/articles").join(name);
    let page = std::fs::read_to_string(&path).ok();
    if page.is_none() {
        let problem = format!("skipped: there is no {} (set DRAWBRIDGE_SHARED)", path.display());
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{problem}");
        println!("{problem}");
    }
    page
}

#[test]
fn the_content_of_real_pages_is_found() {
    for (name, begins, has, lacks) in [
        (
            "aktualne.html",
            "West Ham hrozí gigantům",
            &[
                "Zázrak jedné sezony?",
                "Declan Rice po vítězství na Aston Ville.",
                "Tohle musí být náš standard.",
            ][..],
            &["Právě se děje", "Další zprávy"][..],
        ),
        (
            "heise.html",
            "1Password für Mac generiert",
            &[
                "1Password für Mac generiert Einmal-Passwörter",
                "Zur TOTP-Nutzung",
                "kostet aktuell knapp 50 Euro",
            ],
            &["Kommentare", "Anzeige", "Impressum"],
        ),
        (
            "keep-tabular-data.html",
            "Friday Facts #282",
            &["The release plan", "Quick bar Twinsen", "After release plan"],
            &["Privacy"],
        ),
        (
            "lazy-image-1.html",
            "Node.js and CPU profiling on production",
            &[
                "Why CPU monitoring is important?",
                "Sources & links",
                "https://nodejs.org/api/inspector.html",
            ],
            &["Sign in", "Become a member"],
        ),
        (
            "links-in-tables.html",
            "",
            &[
                "Techniques used in File-by-File patching",
                "save",
                "if you're interested in reducing your APK size",
            ],
            &["Blog Archive"],
        ),
        (
            "lwn-1.html",
            "LWN.net Weekly Edition",
            &["A trademark battle", "Next page: Security>>"],
            &["Log in"],
        ),
        ("rtl-1.html", "Lorem", &["Tempor incididunt"], &[]),
        ("visibility-hidden.html", "Lorem", &["Duis aute irure"], &[]),
        (
            "wikipedia.html",
            "Mozilla",
            &["is a free-software community", "See also", "External links"],
            &["Navigation menu", "Create account", "Privacy policy"],
        ),
    ] {
        let Some(html) = saved(name) else {
            return;
        };
        let (text, _, _) = answer(&html, |read| *read.scope = TextScope::Primary);
        assert!(
            text.starts_with(begins),
            "{name}: {}",
            text.lines().next().unwrap_or_default()
        );
        for part in has {
            assert!(text.contains(part), "{name} has no {part}");
        }
        for part in lacks {
            assert!(!text.contains(part), "{name} has {part}");
        }
    }
}

#[test]
fn a_declared_main_is_the_content_whole() {
    let long = "A long paragraph that says a good deal more than all of the others together do. ".repeat(4);
    let primary = |html: &str| answer(html, |read| *read.scope = TextScope::Primary).0;
    let html = format!(
        "<header><h1>Site</h1></header><main><h1>Orders</h1><p>Welcome</p><table><tr><td>1001<td>Open</tr></table>\
         <div class=widget>Total 3</div><nav><a href=/>Up</a></nav><section><p>{long}</p></section></main><footer>End</footer>"
    );
    let text = primary(&html);
    for part in ["Orders", "Welcome", "1001", "Total 3", "A long paragraph"] {
        assert!(text.contains(part), "{part} is lost: {text}");
    }
    for part in ["Site", "Up", "End"] {
        assert!(!text.contains(part), "{part} is there: {text}");
    }
    let named = html
        .replace("<main>", "<div role=main>")
        .replace("</main>", "</div>");
    assert_eq!(primary(&named), text);
    // Without one, no paragraph alone stands for what it is among.
    let bare = format!("<h1>Orders</h1><p>Welcome</p><table><tr><td>1001</tr></table><p>{long}</p>");
    let text = primary(&bare);
    assert!(text.contains("Welcome") && text.contains("1001"), "{text}");
}
