use drawbridge_protocol::page::{By, Locator, PageRead};
use drawbridge_protocol::reader::Part;
use drawbridge_protocol::{Code, outline::Ref};

use super::Locate;
use crate::page::page;
use crate::sample::ask::{role, test_id};
use crate::sample::html::Html;
use crate::sample::{Capture, GONE, Node};
use crate::semantics::Semantics;

fn html_read(locator: &Locator) -> PageRead {
    PageRead::Html {
        target: locator.clone(),
        max_bytes: 1,
    }
}

/// Ids of what a locator means.
fn all(html: &str, locator: &Locator) -> Result<Vec<String>, Code> {
    let html = Html::new(html);
    let page = html.page();
    let semantics = Semantics::new(&page);
    let ask = html_read(locator);
    let locate = Locate::new(&page, &semantics, &ask);
    let found = locate.all(locator).map_err(|error| error.code)?;
    Ok(found
        .into_iter()
        .map(|index| page.elements[index].get("id").unwrap_or("?").to_owned())
        .collect())
}

fn one(html: &str, locator: &Locator) -> Result<String, drawbridge_protocol::Error> {
    let html = Html::new(html);
    let page = html.page();
    let semantics = Semantics::new(&page);
    let ask = html_read(locator);
    let index = Locate::new(&page, &semantics, &ask).one(locator)?;
    Ok(page.elements[index].get("id").unwrap_or("?").to_owned())
}

fn exact(by: By) -> Locator {
    Locator {
        exact: true,
        ..Locator::new(by)
    }
}

fn text(text: &str) -> Locator {
    Locator::new(By::Text(text.to_owned()))
}

const FORM: &str = "<main id=main><h1 id=h>Pay</h1><form id=form aria-label=Card>\
    <label id=l for=name>Full name</label><input id=name placeholder='Jane Doe'>\
    <label id=l2>E-mail <input id=mail data-testid=mail></label>\
    <input id=only placeholder='Full name'>\
    <input id=aria aria-label='Full name again'>\
    <button id=save>Save</button><button id=all>Save all</button>\
    <button id=gone style='display:none'>Save</button>\
    <input type=submit id=go value='Save this'></form></main>";

#[test]
fn by_role_and_name() {
    assert_eq!(
        all(FORM, &role("button", Some("save"))).unwrap(),
        ["save", "all", "gone", "go"]
    );
    assert_eq!(one(FORM, &role("Heading ", None)).unwrap(), "h");
    let exactly = Locator {
        exact: true,
        ..role("button", Some(" Save "))
    };
    assert_eq!(
        one(FORM, &exactly).unwrap(),
        "save",
        "the hidden one is none of the visible"
    );
    assert_eq!(
        all("<img id=i alt=A>", &role("img", None)).unwrap(),
        all("<img id=i alt=A>", &role("image", None)).unwrap()
    );
}

#[test]
fn by_label_and_not_by_what_else_names_a_field() {
    assert_eq!(
        all(FORM, &Locator::new(By::Label("full name".to_owned()))).unwrap(),
        ["name", "aria"]
    );
    assert_eq!(
        all(FORM, &exact(By::Label("Full name".to_owned()))).unwrap(),
        ["name"]
    );
    assert_eq!(
        all(FORM, &Locator::new(By::Label("E-Mail".to_owned()))).unwrap(),
        ["mail"]
    );
    let kinds = "<label for=m>L</label><meter id=m value=1></meter><label for=p>L</label><progress id=p></progress>\
        <label for=o>L</label><output id=o></output><label for=s>L</label><select id=s></select>\
        <label for=t>L</label><textarea id=t></textarea>";
    assert_eq!(
        all(kinds, &exact(By::Label("L".to_owned()))).unwrap(),
        ["m", "p", "o", "s", "t"]
    );
}

#[test]
fn by_placeholder_and_test_id() {
    assert_eq!(
        all(FORM, &Locator::new(By::Placeholder("jane".to_owned()))).unwrap(),
        ["name"]
    );
    assert_eq!(
        all(FORM, &Locator::new(By::Placeholder("full name".to_owned()))).unwrap(),
        ["only"]
    );
    assert_eq!(all(FORM, &test_id("mail")).unwrap(), ["mail"]);
    assert_eq!(
        all(FORM, &test_id("mai")).unwrap(),
        [""; 0],
        "a test id is no prose"
    );
}

#[test]
fn by_text_the_innermost() {
    let html = "<div id=a><p id=p>Read <b id=b>the terms</b> now</p><p id=q>the terms</p>\
        <p id=hidden hidden>the terms</p></div><button id=x><span id=s>The\u{a0}Te\u{ad}rms</span></button>";
    assert_eq!(all(html, &text("the  terms")).unwrap(), ["b", "q", "s"]);
    assert_eq!(all(html, &text("read the terms now")).unwrap(), ["p"]);
    assert_eq!(
        all(html, &exact(By::Text("the terms".to_owned()))).unwrap(),
        ["b", "q"]
    );
    assert_eq!(
        all(html, &exact(By::Text("The Terms".to_owned()))).unwrap(),
        ["s"]
    );
    assert_eq!(all(html, &text("\u{ad} ")).unwrap(), [""; 0]);
    assert_eq!(
        all(FORM, &text("save this")).unwrap(),
        ["go"],
        "the text on a button"
    );
    assert_eq!(all("<p id=a>aaa<b id=b>aa</b></p>", &text("aa")).unwrap(), ["b"]);
    assert_eq!(
        all(
            "<p id=p>pass<i id=i style='display:block'>word</i></p>",
            &text("password")
        )
        .unwrap(),
        [""; 0]
    );
}

#[test]
fn index_counts_the_visible_ones() {
    let html = "<button id=a hidden>Go</button><button id=b>Go</button><button id=c>Go</button>";
    let nth = |index| Locator {
        index: Some(index),
        ..role("button", Some("go"))
    };
    assert_eq!(one(html, &nth(0)).unwrap(), "b");
    assert_eq!(one(html, &nth(1)).unwrap(), "c");
    assert_eq!(one(html, &nth(2)).unwrap_err().code, Code::NotFound);
    let hidden = one("<button id=a hidden>Go</button>", &role("button", None));
    assert_eq!(hidden.unwrap(), "a", "the only one, though nobody can see it");
}

#[test]
fn scope_and_text_narrow() {
    let html = "<table><tr id=r1><td>Alice<td><button id=a>Delete</button></tr>\
        <tr id=r2><td>Bob<td><button id=b>Delete</button></tr></table>";
    let row = |name: &str| Locator {
        has_text: Some(name.to_owned()),
        ..role("row", None)
    };
    let within = |scope: Locator| Locator {
        scope: Some(Box::new(scope)),
        ..role("button", None)
    };
    assert_eq!(one(html, &within(row("bob"))).unwrap(), "b");
    assert_eq!(one(html, &within(row("carol"))).unwrap_err().code, Code::NotFound);
    assert_eq!(
        one(html, &within(role("row", None))).unwrap_err().code,
        Code::Ambiguous
    );
    assert_eq!(
        all(
            "<p id=p>x</p>",
            &Locator {
                scope: Some(Box::new(text("x"))),
                ..text("x")
            }
        )
        .unwrap(),
        [""; 0]
    );
}

#[test]
fn what_is_ambiguous_names_candidates() {
    let many: String = (0..20)
        .map(|nth| format!("<button>Go {nth} {}</button>", "x".repeat(300)))
        .collect();
    let error = one(&many, &role("button", Some("go"))).unwrap_err();
    assert_eq!(error.code, Code::Ambiguous);
    let data = error.data.unwrap();
    assert_eq!(
        (&data["matches"], data["candidates"].as_array().unwrap().len()),
        (&20.into(), 5)
    );
    assert!(data.to_string().len() < 1_000, "{data}");
    assert!(
        data["candidates"][0]["name"]
            .as_str()
            .unwrap()
            .starts_with("Go 0 ")
    );
}

#[test]
fn shadow_trees_and_frames_are_looked_into() {
    let html = "<div><template shadowrootmode=open><button id=deep>In the shadow</button></template></div>\
        <iframe id=f srcdoc='<button id=framed>In the frame</button>'></iframe>";
    assert_eq!(all(html, &role("button", None)).unwrap(), ["deep", "framed"]);
    assert_eq!(all(html, &text("in the")).unwrap(), ["deep", "framed"]);
}

fn selected(locator: &Locator, captures: &[(String, Option<u32>)]) -> Result<Vec<usize>, Code> {
    let parts: Vec<Part> = captures
        .iter()
        .map(|(columns, parent)| Part {
            bytes: columns.len() as u32,
            parent: *parent,
        })
        .collect();
    let columns: String = captures.iter().map(|(columns, _)| columns.as_str()).collect();
    let ask = html_read(locator);
    let page = page(&columns, &parts, &[], ask.selectors().len()).unwrap();
    let semantics = Semantics::new(&page);
    Locate::new(&page, &semantics, &ask)
        .all(locator)
        .map_err(|error| error.code)
}

#[test]
fn a_selector_is_for_one_document() {
    let outer = Capture::new(&[
        Node::new(None, "html"),
        Node::new(Some(0), "p"),
        Node::new(Some(0), "iframe").key(":window", "0").reference(4),
    ]);
    let inner = Capture::new(&[Node::new(None, "html"), Node::new(Some(0), "p")]).window(0);
    let captures = [
        (outer.clone().select(1, &[1]).build(), None),
        (inner.clone().select(1, &[1]).build(), Some(0)),
    ];
    let p = Locator::new(By::Selector("p".to_owned()));
    assert_eq!(selected(&p, &captures).unwrap(), [1]);
    let framed = Locator {
        scope: Some(Box::new(Locator::new(By::Ref(Ref::element(4))))),
        ..p.clone()
    };
    assert_eq!(selected(&framed, &captures).unwrap(), [4]);
    let none = [
        (outer.select(-1, &[]).build(), None),
        (inner.select(-1, &[]).build(), Some(0)),
    ];
    assert_eq!(selected(&p, &none), Err(Code::InvalidArgument));
}

#[test]
fn by_ref() {
    let capture = Capture::new(&[
        Node::new(None, "html"),
        Node::new(Some(0), "p").reference(7).flags(GONE),
        Node::new(Some(0), "p").reference(9),
    ]);
    let captures = [(capture.build(), None)];
    assert_eq!(
        selected(&Locator::new(By::Ref(Ref::element(9))), &captures),
        Ok(vec![2])
    );
    assert_eq!(
        selected(&Locator::new(By::Ref(Ref::element(7))), &captures),
        Ok(vec![1])
    );
    assert_eq!(
        selected(&Locator::new(By::Ref(Ref::element(8))), &captures),
        Err(Code::StaleRef)
    );
}
