use drawbridge_protocol::Code;
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::{Bounds, By, Locator, Match, PageFound, PageRead, Told, Wanted};

use crate::sample::ask::{ask, refused, role, test_id};

fn find(what: Wanted, told: Told) -> PageRead {
    PageRead::Find {
        within: None,
        what,
        limit: 50,
        told,
    }
}

fn by(locator: Locator, told: Told) -> PageRead {
    find(Wanted::Locator(locator), told)
}

fn matches(html: &str, read: &PageRead) -> (u32, u32, Vec<Match>) {
    match ask(html, read) {
        Ok(PageFound::Matches {
            total,
            visible,
            matches,
            ..
        }) => (total, visible, matches),
        other => panic!("{other:?}"),
    }
}

fn first(html: &str, read: &PageRead) -> Match {
    matches(html, read).2.into_iter().next().expect("a match")
}

/// Names of what words describe, best first.
fn words(html: &str, words: &str) -> Vec<String> {
    let read = find(Wanted::Words(words.to_owned()), Told::Node);
    matches(html, &read)
        .2
        .into_iter()
        .map(|one| one.node.name)
        .collect()
}

/// The best match of words, and why.
fn best(html: &str, said: &str) -> (String, Vec<String>) {
    let read = find(Wanted::Words(said.to_owned()), Told::Attribute("id".to_owned()));
    match matches(html, &read).2.into_iter().next() {
        Some(one) => (one.value.unwrap_or_default(), one.why),
        None => ("nothing".to_owned(), Vec::new()),
    }
}

#[test]
fn hidden_matches_are_counted_and_come_last() {
    let html = "<button hidden>Go 1</button><button>Go 2</button><button>Go 3</button>";
    let (total, visible, found) = matches(html, &by(role("button", None), Told::Node));
    let seen: Vec<bool> = found.iter().map(|one| one.visible).collect();
    assert_eq!((total, visible, seen), (3, 2, vec![true, true, false]));
    let (total, visible, found) = matches(html, &by(role("button", None), Told::Count));
    assert_eq!((total, visible, found.len()), (3, 2, 0));
}

#[test]
fn text_attributes_and_state_are_told() {
    let html = "<p data-testid=p title=T>Some <b>bold</b>\n text</p><input data-testid=i value=x readonly>\
        <input data-testid=s type=password value=hunter2 data-facts=filled><input data-testid=c type=checkbox checked disabled>\
        <button data-testid=b aria-pressed=false data-facts=focused>B</button>";
    assert_eq!(
        first(html, &by(test_id("p"), Told::Text(100))).value.as_deref(),
        Some("Some bold text")
    );
    assert_eq!(
        first(html, &by(test_id("p"), Told::Text(6))).value.as_deref(),
        Some("Some b")
    );
    let attribute =
        |id: &str, name: &str| first(html, &by(test_id(id), Told::Attribute(name.to_owned()))).value;
    assert_eq!(attribute("p", "TITLE").as_deref(), Some("T"));
    assert_eq!(attribute("p", "href"), None);
    assert_eq!(attribute("i", "value").as_deref(), Some("x"));
    assert_eq!(attribute("s", "value"), None, "a secret is told to nobody");
    assert_eq!(
        refused(html, &by(test_id("p"), Told::Attribute(":value".to_owned()))),
        Code::InvalidArgument
    );
    assert_eq!(
        refused(html, &by(test_id("p"), Told::Attribute("data-x".to_owned()))),
        Code::InvalidArgument
    );
    let state = |id: &str| first(html, &by(test_id(id), Told::State)).state.expect("a state");
    assert!(state("i").visible && state("i").enabled && !state("i").editable && state("i").filled);
    assert!(state("s").editable && state("s").filled && !state("s").focused);
    assert_eq!(
        (state("c").checked, state("c").enabled, state("c").editable),
        (Some(true), false, false)
    );
    assert_eq!(
        (state("b").checked, state("b").focused, state("p").checked),
        (Some(false), true, None)
    );
}

#[test]
fn no_find_tells_a_secret() {
    let html = "<label>Code <input id=x data-facts='secret filled' value=123456></label>";
    for told in [
        Told::Node,
        Told::Text(99),
        Told::State,
        Told::Bounds,
        Told::Attribute("value".to_owned()),
    ] {
        let found = ask(html, &by(role("textbox", None), told)).expect("an answer");
        assert!(!serde_json::to_string(&found).unwrap().contains("123456"));
    }
    let found = ask(html, &find(Wanted::Words("123456".to_owned()), Told::Node)).expect("an answer");
    assert_eq!(
        found,
        PageFound::Matches {
            total: 0,
            visible: 0,
            matches: Vec::new(),
            omitted: Omitted::default(),
        }
    );
}

#[test]
fn bounds_are_those_of_the_top_level_viewport() {
    let html = "<iframe style='left:100px;top:50px;width:300px;height:200px' srcdoc='<button data-testid=b style=\"left:10px;top:20px;width:80px;height:30px\">B</button>'></iframe>";
    let bounds = first(html, &by(test_id("b"), Told::Bounds)).bounds;
    assert_eq!(
        bounds,
        Some(Bounds {
            x: 110,
            y: 70,
            width: 80,
            height: 30
        })
    );
}

#[test]
fn context_names_what_is_around() {
    let html = "<main><table aria-label=People><tr><th>Name<th>Do</tr><tr><td>Alice<td><button>Delete</button></tr></table></main>";
    let found = first(html, &by(role("button", None), Told::Node));
    assert_eq!(
        found.context,
        ["main", "table \"People\"", "row \"Alice Delete\""]
    );
}

#[test]
fn what_is_ambiguous_is_no_error_of_a_find() {
    let within = PageRead::Find {
        within: Some(test_id("no")),
        what: Wanted::Locator(role("button", None)),
        limit: 5,
        told: Told::Node,
    };
    assert_eq!(refused("<button>a</button>", &within), Code::NotFound);
    assert_eq!(
        matches("<p>x", &by(Locator::new(By::Text("y".to_owned())), Told::Node)).0,
        0
    );
}

const SHOP: &str = "<header><nav><a id=home href=/>Home</a><a id=in href=/login>Sign in</a></nav>\
    <input id=q type=search placeholder='Search products'></header>\
    <main><h2>Laptops</h2><ul>\
    <li id=r1><h3>Alpha</h3><button id=small1 class='btn small'>Details</button><button id=b1 class='btn blue'>Buy</button></li>\
    <li id=r2><h3>Beta</h3><button id=b2 class='btn red'>Purchase</button></li>\
    <li id=r3><h3>Gamma</h3><button id=b3 class='btn red'>Buy</button><button id=d3 aria-label='Remove from wishlist'>x</button></li></ul>\
    <p id=p>Buy now and save: the buy button is below</p></main>\
    <footer><a id=fhome href=/>Home</a><a id=help href=/help>Help centre</a></footer>";

#[test]
fn words_find_what_they_describe() {
    for (said, id) in [
        ("log in", "in"),
        ("sign-in link", "in"),
        ("search field", "q"),
        ("blue buy button", "b1"),
        ("the blue buy button next to the small one", "b1"),
        ("buy beta", "b2"),
        ("buy button in the row of Gamma", "b3"),
        ("second buy button", "b2"),
        ("last buy button", "b3"),
        ("home link in the footer", "fhome"),
        ("home in navigation", "home"),
        ("delete from wishlist", "d3"),
        ("support", "help"),
        ("first link", "home"),
        ("fourth buy button", "nothing"),
        ("zebra", "nothing"),
    ] {
        let (found, why) = best(SHOP, said);
        assert_eq!(found, id, "{said}: {why:?}");
    }
}

#[test]
fn reasons_are_given_strongest_first() {
    let (id, why) = best(SHOP, "buy button in the row of Gamma");
    assert_eq!(id, "b3");
    assert!(
        why[0].starts_with("name says buy") && why.iter().any(|why| why == "in listitem gamma"),
        "{why:?}"
    );
    assert_eq!(best(SHOP, "last buy button").1[0], "number 3 of 3 alike");
}

#[test]
fn a_row_is_told_by_what_it_says() {
    let rows: String = ["Alice", "Bob", "Carol"]
        .iter()
        .map(|name| format!("<tr><td>{name}<td><button id={name}>Delete</button></tr>"))
        .collect();
    let html = format!("<table>{rows}</table>");
    assert_eq!(best(&html, "delete in the row of Bob").0, "Bob");
    assert_eq!(best(&html, "delete Carol").0, "Carol");
    assert_eq!(words(&html, "delete").len(), 3);
}

#[test]
fn many_alike_cost_little() {
    let many: String = (0..2_000)
        .map(|nth| format!("<li><span>row {nth}</span><button>Delete</button></li>"))
        .collect();
    let html = format!("<ul>{many}</ul>");
    let read = find(Wanted::Words("delete in row".to_owned()), Told::Node);
    assert!(matches(&html, &read).0 >= 500);
}

#[test]
fn a_row_is_found_among_thousands() {
    let rows: String = (0..3_000)
        .map(|nth| format!("<tr><td>{nth}<td><button id=b{nth}>Delete</button></tr>"))
        .collect();
    let html = format!("<table>{rows}</table>");
    assert_eq!(best(&html, "the delete button in the row of 2700").0, "b2700");
    let all = find(Wanted::Words("delete button".to_owned()), Told::Count);
    assert_eq!(matches(&html, &all).0, 3_000);
}

#[test]
fn what_is_not_fulfilled_is_no_match() {
    let rows: String = ["1001", "1002", "1003"]
        .iter()
        .map(|nth| format!("<tr><td>Order {nth}<td><button id=b{nth}>Return</button></tr>"))
        .collect();
    let html =
        format!("<table>{rows}</table><button id=d>Delete</button><a id=t href=/t>Terms of service</a>");
    for (said, id) in [
        ("return button in the row of 1002", "b1002"),
        ("return button in the row of order 1002", "b1002"),
        ("return button in the row of 9999", "nothing"),
        ("return button in the row of order 9999", "nothing"),
        ("the delete button in the row of 1002", "nothing"),
        ("return button next to zebra", "nothing"),
        ("terms of service link", "t"),
    ] {
        let (found, why) = best(&html, said);
        assert_eq!(found, id, "{said}: {why:?}");
    }
    let (found, why) = best(&html, "delete zebra");
    assert_eq!(found, "d");
    assert!(why.iter().any(|why| why == "not found: zebra"), "{why:?}");
}
