use drawbridge_protocol::Code;
use drawbridge_protocol::recipe::{Field, Read};

use super::*;

const ONE: &str = "https://shop.example/orders";
const TWO: &str = "https://shop.example/orders?page=2";

fn recipe(limit: u32, max_pages: u32) -> Recipe {
    let field = |name: &str| Field {
        name: name.to_owned(),
        selector: None,
        read: Read::Text,
        attribute: None,
        required: false,
    };
    Recipe {
        version: 1,
        name: "orders".into(),
        description: "orders".into(),
        origin: "https://shop.example".into(),
        url_template: ONE.into(),
        inputs: vec![],
        ready: "main".into(),
        rows: "li".into(),
        fields: vec![field("title"), field("price")],
        limit,
        max_pages,
        empty: None,
        login: None,
        next: Some("a.next".into()),
    }
}

fn page(titles: &[&str], beyond: u32, next: Option<&str>) -> PageState {
    PageState::Rows {
        rows: titles
            .iter()
            .map(|title| vec![Some((*title).to_owned()), None])
            .collect(),
        beyond,
        next: next.map(str::to_owned),
    }
}

#[track_caller]
fn found(step: Result<Step, Error>) -> Found {
    match step.unwrap() {
        Step::Done(found) => found,
        Step::Next(next) => panic!("goes on to {next}"),
    }
}

fn kinds(found: &Found) -> Vec<IssueKind> {
    found.issues.iter().map(|issue| issue.kind).collect()
}

#[test]
fn one_page_without_a_next_link_is_all() {
    let recipe = recipe(10, 3);
    let found = found(Pages::new(&recipe).take(ONE, ONE, page(&["a", "b"], 0, None)));
    assert_eq!((found.state, found.complete, found.pages), (State::Ok, true, 1));
    assert_eq!(
        serde_json::to_string(&found.rows).unwrap(),
        r#"[{"price":null,"title":"a"},{"price":null,"title":"b"}]"#
    );
}

#[test]
fn pages_follow_each_other_until_the_last() {
    let recipe = recipe(10, 3);
    let mut pages = Pages::new(&recipe);
    assert_eq!(
        pages.take(ONE, ONE, page(&["a"], 0, Some(TWO))),
        Ok(Step::Next(TWO.into()))
    );
    assert_eq!((pages.page(), pages.room()), (2, 9));
    let found = found(pages.take(TWO, TWO, page(&["b"], 0, None)));
    assert_eq!((found.state, found.rows.len(), found.pages), (State::Ok, 2, 2));
}

#[test]
fn a_limit_cuts_only_what_is_really_left() {
    let recipe = recipe(2, 1);
    let exact = found(Pages::new(&recipe).take(ONE, ONE, page(&["a", "b"], 0, None)));
    assert_eq!((exact.state, exact.complete), (State::Ok, true));
    let beyond = found(Pages::new(&recipe).take(ONE, ONE, page(&["a", "b"], 1, None)));
    assert_eq!(
        (beyond.state, beyond.complete, beyond.rows.len()),
        (State::Incomplete, false, 2)
    );
    assert_eq!(kinds(&beyond), [IssueKind::LimitReached]);
    let more = found(Pages::new(&recipe).take(ONE, ONE, page(&["a", "b"], 0, Some(TWO))));
    assert_eq!(kinds(&more), [IssueKind::LimitReached]);
    let pages = found(Pages::new(&recipe).take(ONE, ONE, page(&["a"], 0, Some(TWO))));
    assert_eq!(
        (pages.state, kinds(&pages)),
        (State::Incomplete, vec![IssueKind::MaxPagesReached])
    );
}

#[test]
fn a_next_link_to_a_page_that_was_read_returns_no_rows() {
    for next in [ONE, "https://shop.example/orders#list"] {
        let recipe = recipe(10, 3);
        let found = found(Pages::new(&recipe).take(ONE, ONE, page(&["a"], 0, Some(next))));
        assert_eq!(
            (found.state, found.rows.len(), found.complete),
            (State::SourceChanged, 0, false)
        );
        assert_eq!(kinds(&found), [IssueKind::NextRepeated]);
    }
}

#[test]
fn asked_and_final_addresses_both_count_as_read() {
    let recipe = recipe(10, 5);
    let final_one = "https://shop.example/orders/all";
    for next in [ONE, final_one] {
        let found = found(Pages::new(&recipe).take(ONE, final_one, page(&["a"], 0, Some(next))));
        assert_eq!(kinds(&found), [IssueKind::NextRepeated]);
    }
    let mut pages = Pages::new(&recipe);
    pages.take(ONE, ONE, page(&["a"], 0, Some(TWO))).unwrap();
    let led_back = found(pages.take(TWO, ONE, page(&["a"], 0, None)));
    assert_eq!(
        (led_back.state, kinds(&led_back)),
        (State::SourceChanged, vec![IssueKind::NextRepeated])
    );
}

#[test]
fn a_next_link_to_another_origin_is_blocked() {
    let recipe = recipe(10, 3);
    for next in [
        "https://other.example/",
        "javascript:void 0",
        "http://shop.example/2",
        "https://shop.example.evil/",
    ] {
        let error = Pages::new(&recipe)
            .take(ONE, ONE, page(&["a"], 0, Some(next)))
            .unwrap_err();
        assert_eq!(error.code, Code::NavigationBlocked, "{next}");
    }
}

#[test]
fn a_repeated_row_is_an_issue_and_stays() {
    let recipe = recipe(10, 3);
    let mut pages = Pages::new(&recipe);
    pages.take(ONE, ONE, page(&["a", "b"], 0, Some(TWO))).unwrap();
    let found = found(pages.take(TWO, TWO, page(&["b", "c"], 0, None)));
    assert_eq!(
        (found.state, found.rows.len(), found.complete),
        (State::Ok, 4, true)
    );
    assert_eq!(found.issues.len(), 1);
    assert_eq!(
        (found.issues[0].kind, found.issues[0].row, found.issues[0].page),
        (IssueKind::RepeatedRow, Some(1), Some(2))
    );
}

#[test]
fn empty_is_a_state_on_the_first_page_and_an_end_on_later_ones() {
    let recipe = recipe(10, 3);
    let first = found(Pages::new(&recipe).take(ONE, ONE, PageState::Empty));
    assert_eq!(
        (first.state, first.complete, first.rows.len()),
        (State::Empty, true, 0)
    );
    let mut pages = Pages::new(&recipe);
    pages.take(ONE, ONE, page(&["a"], 0, Some(TWO))).unwrap();
    let later = found(pages.take(TWO, TWO, PageState::Empty));
    assert_eq!(
        (later.state, later.complete, later.rows.len(), later.pages),
        (State::Ok, true, 1, 2)
    );
}

#[test]
fn a_later_page_that_changed_or_wants_a_login_takes_the_rows_along() {
    let recipe = recipe(10, 3);
    let bad = [
        (
            PageState::Changed {
                issues: vec![Issue::new(IssueKind::NoRows)],
            },
            State::SourceChanged,
        ),
        (
            PageState::Login {
                issue: Issue::new(IssueKind::LoginElement),
            },
            State::LoginRequired,
        ),
    ];
    for (page_state, state) in bad {
        let mut pages = Pages::new(&recipe);
        pages.take(ONE, ONE, page(&["a"], 0, Some(TWO))).unwrap();
        let found = found(pages.take(TWO, TWO, page_state));
        assert_eq!(
            (found.state, found.rows.len(), found.complete, found.issues.len()),
            (state, 0, false, 1)
        );
    }
}

#[test]
fn a_login_redirect_says_so() {
    let recipe = recipe(10, 3);
    let found = Pages::new(&recipe).login_redirect();
    assert_eq!(
        (found.state, kinds(&found)),
        (State::LoginRequired, vec![IssueKind::LoginRedirect])
    );
}
