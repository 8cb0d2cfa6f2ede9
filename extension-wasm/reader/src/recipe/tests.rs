use drawbridge_protocol::reader::{MAX_FIELD_MATCHES, MAX_TEXT, PageState, ReadReply, ReadRequest, flags};
use drawbridge_protocol::recipe::{Attribute, Field, Issue, IssueKind, Read, Recipe};

use crate::sample::{BLOCK, GONE, INLINE, Sample};

/// Parent, flags, text of one described match of a field.
type Value<'s> = (i32, i32, Option<&'s str>);

/// One page, as the sets of a recipe with one or two fields.
#[derive(Clone)]
struct Page<'s> {
    recipe: Recipe,
    redirected: bool,
    ready_state: i32,
    cut: i32,
    room: u32,
    rows: Vec<i32>,
    more_rows: i32,
    ready: Vec<i32>,
    empty: Vec<i32>,
    login: Vec<i32>,
    password: Vec<i32>,
    next: Vec<(i32, Option<&'s str>)>,
    fields: Vec<Vec<Value<'s>>>,
}

fn field(name: &str, read: Read, required: bool) -> Field {
    let attribute = (read == Read::Attribute).then_some(Attribute::Href);
    Field {
        name: name.into(),
        selector: Some(format!(".{name}")),
        read,
        attribute,
        required,
    }
}

/// Two rows with a title each, everything in place.
fn page<'s>() -> Page<'s> {
    Page {
        recipe: Recipe {
            version: 1,
            name: "list".into(),
            description: "a list".into(),
            origin: "https://shop.example".into(),
            url_template: "https://shop.example/list".into(),
            inputs: Vec::new(),
            ready: "main".into(),
            rows: ".row".into(),
            fields: vec![field("title", Read::Text, true)],
            limit: 100,
            max_pages: 10,
            empty: Some(".none".into()),
            login: Some("form.login".into()),
            next: Some("a.next".into()),
        },
        redirected: false,
        ready_state: 2,
        cut: 0,
        room: 100,
        rows: vec![BLOCK, BLOCK],
        more_rows: 0,
        ready: vec![BLOCK],
        empty: vec![],
        login: vec![],
        password: vec![],
        next: vec![],
        fields: vec![vec![(0, INLINE, Some(" One ")), (1, INLINE, Some("Two"))]],
    }
}

impl Page<'_> {
    fn sample(&self) -> Sample {
        let mut sample = Sample::new();
        sample.ints[2] = self.ready_state;
        sample.ints[7] = self.cut;
        let plain = |sample: Sample, flags: &[i32], more: i32| {
            let matches: Vec<(i32, i32, &[Option<&str>])> =
                flags.iter().map(|flags| (-1, *flags, &[][..])).collect();
            sample.set(matches.len() as i32 + more, &matches)
        };
        sample = plain(sample, &self.rows, self.more_rows);
        for flags in [&self.ready, &self.empty, &self.login] {
            sample = plain(sample, flags, 0);
        }
        let links: Vec<_> = self
            .next
            .iter()
            .map(|(flags, href)| (*flags, [*href, href.map(|_| "https://shop.example/list?page=2")]))
            .collect();
        let links: Vec<(i32, i32, &[Option<&str>])> = links
            .iter()
            .map(|(flags, texts)| (-1, *flags, &texts[..]))
            .collect();
        sample = sample.set(links.len() as i32, &links);
        sample = plain(sample, &self.password, 0);
        for values in &self.fields {
            let values: Vec<_> = values
                .iter()
                .map(|(parent, flags, text)| (*parent, *flags, [*text]))
                .collect();
            let values: Vec<(i32, i32, &[Option<&str>])> = values
                .iter()
                .map(|(parent, flags, texts)| (*parent, *flags, &texts[..]))
                .collect();
            sample = sample.set(values.len() as i32, &values);
        }
        sample
    }

    fn reply(&self) -> ReadReply {
        let recipe = Box::new(self.recipe.clone());
        let request = ReadRequest::RecipePage {
            recipe,
            page: 3,
            room: self.room,
            redirected: self.redirected,
        };
        crate::read(&request, &self.sample().build())
    }

    fn state(&self) -> PageState {
        match self.reply() {
            ReadReply::RecipePage { page, header } => {
                assert_eq!(header.url, "https://shop.example/list");
                page
            }
            other => panic!("{other:?}"),
        }
    }

    fn issues(&self) -> Vec<Issue> {
        match self.state() {
            PageState::Changed { issues } => issues,
            other => panic!("{other:?}"),
        }
    }
}

fn issue(kind: IssueKind, selector: &str, matched: u32) -> Issue {
    Issue {
        selector: Some(selector.into()),
        matched: Some(matched),
        page: Some(3),
        ..Issue::new(kind)
    }
}

fn field_issue(kind: IssueKind, matched: u32, row: u32) -> Issue {
    Issue {
        field: Some("title".into()),
        row: Some(row),
        ..issue(kind, ".title", matched)
    }
}

fn rows(values: &[&[Option<&str>]], beyond: u32, next: Option<&str>) -> PageState {
    let own = |text: &Option<&str>| text.map(str::to_owned);
    let rows = values.iter().map(|row| row.iter().map(own).collect()).collect();
    PageState::Rows {
        rows,
        beyond,
        next: next.map(str::to_owned),
    }
}

const BOTH: &[&[Option<&str>]] = &[&[Some("One")], &[Some("Two")]];

#[test]
fn rows_are_read_and_trimmed() {
    assert_eq!(page().state(), rows(BOTH, 0, None));
}

#[test]
fn a_selector_that_is_none_is_named_first() {
    let paths = [
        "rows",
        "ready",
        "empty",
        "login",
        "next",
        "password",
        "fields[0].selector",
    ];
    for (bad, path) in paths.into_iter().enumerate() {
        let sets = 0..paths.len();
        let sample = sets.fold(Sample::new(), |sample, set| {
            sample.set(if set == bad { -1 } else { 0 }, &[])
        });
        let request = ReadRequest::RecipePage {
            recipe: Box::new(page().recipe),
            page: 1,
            room: 1,
            redirected: false,
        };
        assert_eq!(
            crate::read(&request, &sample.build()),
            ReadReply::NoSelector { path: path.into() }
        );
    }
}

#[test]
fn a_visible_login_element_comes_before_everything_else() {
    let state = Page {
        login: vec![GONE, BLOCK, BLOCK],
        ..page()
    }
    .state();
    assert_eq!(
        state,
        PageState::Login {
            issue: issue(IssueKind::LoginElement, "form.login", 2)
        }
    );
    assert_eq!(
        Page {
            login: vec![GONE],
            ..page()
        }
        .state(),
        rows(BOTH, 0, None),
        "hidden: no login"
    );
}

#[test]
fn a_redirect_to_a_password_field_is_a_login() {
    let there = Page {
        redirected: true,
        ready: vec![],
        password: vec![INLINE],
        rows: vec![],
        fields: vec![vec![]],
        ..page()
    };
    let state = PageState::Login {
        issue: issue(IssueKind::LoginRedirect, "input[type=password i]", 1),
    };
    assert_eq!(there.state(), state);
    assert_eq!(
        Page {
            ready_state: 1,
            ..there.clone()
        }
        .state(),
        state
    );
    assert_eq!(
        Page {
            ready: vec![BLOCK],
            ..there.clone()
        }
        .state(),
        state,
        "what `ready` names is there too"
    );
    for (page, case) in [
        (
            Page {
                ready_state: 0,
                ..there.clone()
            },
            "still loading",
        ),
        (
            Page {
                redirected: false,
                ..there.clone()
            },
            "no redirect",
        ),
        (
            Page {
                password: vec![GONE],
                ..there.clone()
            },
            "a hidden password field",
        ),
    ] {
        assert_eq!(page.state(), PageState::NotReady, "{case}");
    }
    assert_eq!(
        Page {
            redirected: true,
            password: vec![INLINE],
            ..page()
        }
        .state(),
        rows(BOTH, 0, None),
        "ready"
    );
}

#[test]
fn without_ready_or_empty_it_is_not_ready() {
    assert_eq!(
        Page {
            ready: vec![],
            ..page()
        }
        .state(),
        PageState::NotReady
    );
    assert_eq!(
        Page {
            ready: vec![GONE],
            ..page()
        }
        .state(),
        PageState::NotReady
    );
}

#[test]
fn no_rows_are_empty_only_where_the_page_says_so() {
    let bare = Page {
        rows: vec![],
        fields: vec![vec![]],
        ..page()
    };
    assert_eq!(bare.issues(), [issue(IssueKind::NoRows, ".row", 0)]);
    assert_eq!(
        Page {
            empty: vec![BLOCK],
            ..bare.clone()
        }
        .state(),
        PageState::Empty
    );
    assert_eq!(
        Page {
            empty: vec![BLOCK],
            ready: vec![],
            ..bare.clone()
        }
        .state(),
        PageState::Empty
    );
    assert_eq!(
        Page {
            empty: vec![GONE],
            ..bare
        }
        .issues(),
        [issue(IssueKind::NoRows, ".row", 0)]
    );
    assert_eq!(
        Page {
            rows: vec![GONE, GONE],
            ..page()
        }
        .issues(),
        [issue(IssueKind::NoRows, ".row", 0)]
    );
    assert_eq!(
        Page {
            empty: vec![BLOCK],
            ..page()
        }
        .issues(),
        [issue(IssueKind::RowsAndEmpty, ".none", 1)]
    );
    assert_eq!(
        Page {
            empty: vec![BLOCK],
            rows: vec![GONE, GONE],
            ..page()
        }
        .state(),
        PageState::Empty
    );
}

#[test]
fn hidden_rows_are_skipped() {
    let page = Page {
        rows: vec![GONE, BLOCK],
        ..page()
    };
    assert_eq!(page.state(), rows(&[&[Some("Two")]], 0, None));
    let contents = flags::RENDERED | flags::VISIBLE | flags::CONTENTS;
    assert_eq!(
        Page {
            rows: vec![contents, BLOCK],
            ..page
        }
        .state(),
        rows(BOTH, 0, None),
        "display: contents"
    );
}

#[test]
fn rows_beyond_the_room_are_counted_and_not_judged() {
    let page = Page { room: 1, ..page() };
    assert_eq!(page.state(), rows(&BOTH[..1], 1, None));
    let bad_second = Page {
        fields: vec![vec![(0, INLINE, Some("One"))]],
        ..page.clone()
    };
    assert_eq!(bad_second.state(), rows(&BOTH[..1], 1, None));
    assert_eq!(
        Page { more_rows: 5, ..page }.state(),
        rows(&BOTH[..1], 6, None),
        "not described, perhaps visible"
    );
}

#[test]
fn fields_by_the_rule_of_their_kind() {
    let optional = |read| Recipe {
        fields: vec![field("title", read, false)],
        ..page().recipe
    };
    let required = |read| Recipe {
        fields: vec![field("title", read, true)],
        ..page().recipe
    };
    let one = |recipe: Recipe, values: &[Value<'static>]| {
        let page = Page {
            recipe,
            rows: vec![BLOCK],
            fields: vec![values.to_vec()],
            ..page()
        };
        match page.state() {
            PageState::Rows { rows, .. } => Ok(rows[0][0].clone()),
            PageState::Changed { issues } => Err((issues[0].kind, issues[0].matched)),
            other => panic!("{other:?}"),
        }
    };
    let text = |text: &str| Ok(Some(text.to_owned()));
    let missing = |matched| Err((IssueKind::FieldMissing, Some(matched)));
    let ambiguous = |matched| Err((IssueKind::FieldAmbiguous, Some(matched)));
    let (shown, hidden) = ((0, INLINE, Some("x")), (0, GONE, Some("x")));

    for read in [Read::Text, Read::TextContent, Read::Attribute] {
        assert_eq!(one(required(read), &[shown]), text("x"));
        assert_eq!(one(required(read), &[]), missing(0));
        assert_eq!(one(optional(read), &[]), Ok(None));
        assert_eq!(
            one(required(read), &[(0, INLINE, Some(" \n\u{a0}"))]),
            missing(1),
            "blank"
        );
        assert_eq!(one(optional(read), &[(0, INLINE, Some(" "))]), Ok(None), "blank");
        assert_eq!(one(required(read), &[shown, shown]), ambiguous(2));
        assert_eq!(
            one(optional(read), &[shown, shown, shown]),
            ambiguous(3),
            "optional, too"
        );
    }
    // An invisible copy is rendered; only what is not rendered is no text.
    assert_eq!(
        one(required(Read::Text), &[(0, INLINE | flags::CLIPS, Some("x"))]),
        text("x")
    );
    assert_eq!(one(required(Read::Text), &[hidden]), missing(0));
    assert_eq!(one(optional(Read::Text), &[hidden]), Ok(None));
    assert_eq!(one(required(Read::Text), &[hidden, shown]), text("x"));
    assert_eq!(one(required(Read::TextContent), &[hidden]), text("x"));
    assert_eq!(one(required(Read::TextContent), &[hidden, shown]), ambiguous(2));
    assert_eq!(one(required(Read::Attribute), &[hidden]), text("x"));
    assert_eq!(one(required(Read::Attribute), &[(0, INLINE, None)]), missing(0));
    assert_eq!(
        one(required(Read::Attribute), &[(0, INLINE, None), shown]),
        text("x")
    );
    let many = vec![(0, GONE, Some("x")); MAX_FIELD_MATCHES as usize];
    assert_eq!(
        one(required(Read::Text), &many),
        ambiguous(0),
        "more could be there than are described"
    );
}

#[test]
fn every_row_that_does_not_fit_is_told_up_to_fifty() {
    let page = Page {
        rows: vec![BLOCK, GONE, BLOCK, BLOCK],
        fields: vec![vec![
            (0, INLINE, Some("a")),
            (0, INLINE, Some("b")),
            (3, INLINE, Some(" ")),
        ]],
        next: vec![(INLINE, None)],
        ..page()
    };
    let expected = [
        field_issue(IssueKind::FieldAmbiguous, 2, 1),
        field_issue(IssueKind::FieldMissing, 0, 2),
        field_issue(IssueKind::FieldMissing, 1, 3),
        issue(IssueKind::NextWithoutHref, "a.next", 1),
    ];
    assert_eq!(page.issues(), expected);
    let all_missing = Page {
        rows: vec![BLOCK; 99],
        fields: vec![vec![]],
        ..page
    };
    assert_eq!(all_missing.issues().len(), 50);
}

#[test]
fn a_field_without_selector_names_none() {
    let mut page = page();
    page.recipe.fields[0].selector = None;
    page.fields = vec![vec![(0, BLOCK, Some(""))]];
    assert_eq!(page.issues()[0].selector, None);
}

#[test]
fn next_is_one_visible_link() {
    let link = |next: &[(i32, Option<&'static str>)]| Page {
        next: next.to_vec(),
        ..page()
    };
    let there = Some("https://shop.example/list?page=2");
    assert_eq!(link(&[(INLINE, Some("?page=2"))]).state(), rows(BOTH, 0, there));
    assert_eq!(
        link(&[(GONE, Some("?page=2"))]).state(),
        rows(BOTH, 0, None),
        "hidden: the last page"
    );
    assert_eq!(
        link(&[(GONE, Some("?page=9")), (INLINE, Some("?page=2"))]).state(),
        rows(BOTH, 0, there)
    );
    let two = link(&[(INLINE, Some("?page=2")), (INLINE, Some("?page=2"))]);
    assert_eq!(two.issues(), [issue(IssueKind::NextAmbiguous, "a.next", 2)]);
    assert_eq!(
        link(&[(INLINE, None)]).issues(),
        [issue(IssueKind::NextWithoutHref, "a.next", 1)]
    );
    let mut without = link(&[(INLINE, Some("?page=2"))]);
    without.recipe.next = None;
    assert_eq!(
        without.state(),
        rows(BOTH, 0, None),
        "a recipe without next has one page"
    );
}

#[test]
fn a_value_that_the_port_had_to_cut_is_never_returned() {
    let long = "x".repeat(MAX_TEXT as usize);
    let values = vec![vec![(0, INLINE, Some(long.as_str())), (1, INLINE, Some("Two"))]];
    let page = Page {
        fields: values,
        ..page()
    };
    assert!(
        matches!(page.state(), PageState::Rows { .. }),
        "just as long as may be"
    );
    assert!(matches!(
        Page { cut: 1, ..page }.reply(),
        ReadReply::Malformed { .. }
    ));
}
