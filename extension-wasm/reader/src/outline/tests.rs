//! Outlines of small pages, as lines.

use drawbridge_protocol::outline::{About, Omitted, OutlineNode};
use drawbridge_protocol::page::{By, Locator, PageFound, PageRead};
use drawbridge_protocol::reader::{Missing, MissingFrame, ReadReply, ReadRequest, flags};
use proptest::prelude::*;

use crate::sample::html::Html;
use crate::sample::{Capture, Node};

fn ask() -> PageRead {
    PageRead::Outline {
        within: None,
        depth: None,
        viewport_only: false,
        hidden: false,
    }
}

fn read(html: &Html, ask: &PageRead, missing: &[MissingFrame]) -> (Vec<OutlineNode>, Omitted) {
    let (columns, parts) = html.parts();
    let request = ReadRequest::Page {
        ask: Box::new(ask.clone()),
        parts: parts.to_vec(),
        missing: missing.to_vec(),
        next_ref: 1,
    };
    match crate::read(&request, columns) {
        ReadReply::Page { found, .. } => match *found {
            PageFound::Outline { nodes, omitted } => (nodes, omitted),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn lines(nodes: &[OutlineNode]) -> Vec<String> {
    nodes
        .iter()
        .map(|node| {
            let mut line = ". ".repeat(node.depth as usize);
            if let Some(one) = node.r#ref {
                line += &format!("{one} ");
            }
            line += &node.role;
            if !node.name.is_empty() {
                line += &format!(" {:?}", node.name);
            }
            if let Some(level) = node.level {
                line += &format!(" {level}");
            }
            for state in &node.states {
                line += &format!(" {state:?}");
            }
            if let Some(value) = &node.value {
                line += &format!(" ={value:?}");
            }
            for note in &node.notes {
                line += &format!(" {:?}:{}", note.about, note.text);
            }
            line
        })
        .collect()
}

fn outline(html: &str) -> Vec<String> {
    lines(&read(&Html::new(html), &ask(), &[]).0)
}

fn outlines(cases: &[(&str, &[&str])]) {
    for (html, expected) in cases {
        assert_eq!(outline(html), *expected, "{html}");
    }
}

#[test]
fn text_is_one_line_a_block() {
    outlines(&[
        (
            "<p>a <b>b</b> c</p><p>d<br>e</p>",
            &["text \"a b c\"", "text \"d\"", "text \"e\""],
        ),
        ("<div><div><div>a</div></div></div>", &["text \"a\""]),
        (
            "<p>a<a href=/x>l</a>b</p>",
            &["text \"a\"", "e1 link \"l\"", "text \"b\""],
        ),
        (
            "<p>·</p><p> | </p><p>5</p><p>€</p>",
            &["text \"5\"", "text \"€\""],
        ),
        ("<div>Price:</div><div>5 €</div>", &["text \"Price: 5 €\""]),
        (
            "<dl><dt>Size<dd>5 m<dt>Colour<dd>red</dl>",
            &["text \"Size: 5 m\"", "text \"Colour: red\""],
        ),
        (
            "<dl><dt>Site<dd><a href=/>here</a></dl>",
            &["text \"Site\"", "e1 link \"here\""],
        ),
        (
            "<script>no</script><style>no</style><template>no</template><p hidden>no</p>yes",
            &["text \"yes\""],
        ),
    ]);
}

#[test]
fn long_text_goes_on_in_the_next_line() {
    let words = "word ".repeat(1_000);
    let found = outline(&format!("<p>{words}</p>"));
    assert_eq!(found.len(), 5);
    assert_eq!(
        found
            .iter()
            .map(|line| line.matches("word").count())
            .sum::<usize>(),
        1_000
    );
}

#[test]
fn landmarks_headings_and_groups_are_around_what_is_in_them() {
    outlines(&[
        (
            "<header><a href=/>Home</a></header><main><h1>T</h1><section aria-label=S><p>a</p></section></main>",
            &[
                "e1 banner",
                ". e2 link \"Home\"",
                "e3 main",
                ". heading \"T\" 1",
                ". e4 region \"S\"",
                ". . text \"a\"",
            ],
        ),
        (
            "<nav aria-label=N></nav><main>m</main>",
            &["e1 main", ". text \"m\""],
        ),
        ("<h2><a href=/>T</a></h2>", &["e1 link \"T\" 2"]),
        (
            "<h2>T <a href=/>edit</a></h2>",
            &["heading \"T edit\" 2", ". e1 link \"edit\""],
        ),
        (
            "<fieldset><legend>L</legend><input type=radio aria-label=A></fieldset>",
            &["group \"L\"", ". e1 radio \"A\" Unchecked"],
        ),
        (
            "<ul><li><a href=/>a</a></li><li>b</li></ul>",
            &["e1 link \"a\"", "text \"b\""],
        ),
        (
            "<ul><li><a href=/>a</a><p>b</p><p>c</p><p>d</p></li></ul>",
            &[
                "listitem",
                ". e1 link \"a\"",
                ". text \"b\"",
                ". text \"c\"",
                ". text \"d\"",
            ],
        ),
        (
            "<div role=alert>Saved</div><div role=status></div>",
            &["alert \"Saved\" Live"],
        ),
        (
            "<div role=alert>Saved <a href=/>undo</a></div>",
            &["alert Live", ". text \"Saved\"", ". e1 link \"undo\""],
        ),
        ("<blockquote>q</blockquote>", &["blockquote \"q\""]),
    ]);
}

#[test]
fn controls_say_what_is_known_of_them() {
    outlines(&[
        (
            "<label>Name <input value=Ada required></label>",
            &["e1 textbox \"Name\" Required =\"Ada\""],
        ),
        (
            "<label>Pin <input type=password></label>",
            &["e1 textbox \"Pin\""],
        ),
        (
            "<input type=date aria-label=D min=2026-01-01>",
            &["e1 textbox \"D\" Format:yyyy-mm-dd Range:2026-01-01.."],
        ),
        (
            "<input type=number aria-label=N min=1 max=9 step=2 value=3>",
            &["e1 spinbutton \"N\" =\"3\" Range:1..9 step 2"],
        ),
        (
            "<input type=file aria-label=F accept=.pdf multiple>",
            &["e1 button \"F\" Multiple Accept:.pdf"],
        ),
        (
            "<input aria-label=N placeholder=p>",
            &["e1 textbox \"N\" Placeholder:p"],
        ),
        (
            "<input aria-label=N data-message='Too short'>",
            &["e1 textbox \"N\" Invalid Message:Too short"],
        ),
        (
            "<input aria-label=N aria-invalid=true aria-errormessage=m><p id=m>Bad</p>",
            &["e1 textbox \"N\" Invalid Message:Bad", "text \"Bad\""],
        ),
        (
            "<select aria-label=S><option>a<option selected>b</select>",
            &["e1 combobox \"S\" Collapsed =\"b\" Options:a | *b"],
        ),
        (
            "<a href=https://other.example/x>l</a>",
            &["e1 link \"l\" To:other.example"],
        ),
        (
            "<a href=https://shop.example/x>l</a><a href=//shop.example/>m</a>",
            &["e1 link \"l\"", "e2 link \"m\""],
        ),
        (
            "<button title='What it does'>b</button>",
            &["e1 button \"b\" Description:What it does"],
        ),
        ("<a href=/ title='The b link'>b</a>", &["e1 link \"b\""]),
        (
            "<canvas aria-label=C></canvas>",
            &["e1 canvas \"C\" Visual:screenshot"],
        ),
    ]);
}

#[test]
fn a_select_tells_its_first_options_and_the_chosen_ones() {
    let options: String = (0..40)
        .map(|at| format!("<option{}>o{at}", if at == 30 { " selected" } else { "" }))
        .collect();
    let found = outline(&format!("<select aria-label=S>{options}</select>"));
    assert_eq!(
        found,
        [
            "e1 combobox \"S\" Collapsed =\"o30\" Options:o0 | o1 | o2 | o3 | o4 | o5 | o6 | o7 | o8 | o9 | *o30 | +29"
        ]
    );
}

#[test]
fn what_a_name_says_is_not_said_again() {
    outlines(&[
        ("<button><b>a</b> <i>b</i></button>", &["e1 button \"a b\""]),
        (
            "<a href=/ aria-label='Buy it now'><b>Buy it</b><p>Cheap</p></a>",
            &["e1 link \"Buy it now\"", ". text \"Cheap\""],
        ),
        (
            "<span id=l>Colour</span><div role=combobox aria-labelledby=l>red</div>",
            &["e1 combobox \"Colour\" =\"red\""],
        ),
        (
            "<h2 id=l>Colour</h2><div role=group aria-labelledby=l>red</div>",
            &["heading \"Colour\" 2", "group \"Colour\"", ". text \"red\""],
        ),
        (
            "<label for=f>L</label><input id=f aria-label=other>",
            &["text \"L\"", "e1 textbox \"other\""],
        ),
        (
            "<table><caption>C</caption><tr><th>a<th>b<tr><td>1<td>2</table>",
            &[
                "e1 table \"C\" Count:2 rows, 2 columns",
                ". row \"a | b\"",
                ". row \"1 | 2\"",
            ],
        ),
    ]);
}

#[test]
fn plain_rows_are_lines_and_rows_with_controls_keep_them() {
    outlines(&[
        (
            "<table><tr><th>N<th>P<th><tr><td>a<td>5<td><button>Buy</button><tr><td><p>b</p><p>c</p><td>6<td></table>",
            &[
                "e1 table Count:3 rows, 3 columns",
                ". row \"N | P\"",
                ". e2 row \"a | 5\"",
                ". . e3 button \"Buy\"",
                ". row \"b c | 6\"",
            ],
        ),
        (
            "<table><tr><td><a href=/>a</a><td><p>text</table>",
            &["e1 link \"a\"", "text \"text\""],
        ),
        (
            "<div role=grid><div role=row aria-selected=true><i role=gridcell>a</i><i role=gridcell>b</i></div></div>",
            &["e1 grid", ". row \"a | b\" Selected"],
        ),
        (
            "<div role=table aria-rowcount=99><p role=row><i role=cell>a</i></p><p role=row><i role=cell>b</i></p></div>",
            &[
                "e1 table Count:2 of 99 rows, 1 columns",
                ". row \"a\"",
                ". row \"b\"",
            ],
        ),
    ]);
}

#[test]
fn styled_fields_have_their_line_at_their_label() {
    outlines(&[
        (
            "<input type=checkbox id=a hidden checked><label for=a>A</label>",
            &["e1 checkbox \"A\" Checked"],
        ),
        (
            "<label><input type=radio style='opacity:0'><span>A</span></label>",
            &["e1 radio \"A\" Unchecked"],
        ),
        (
            "<label>Upload <input type=file style='display:none'></label>",
            &["e1 button \"Upload\""],
        ),
        ("<label><input hidden>A</label>", &["text \"A\""]),
        (
            "<div>A<input type=checkbox style='opacity:0'></div>",
            &["text \"A\"", "e1 checkbox Unchecked Hint:beside A"],
        ),
    ]);
}

#[test]
fn what_has_no_name_has_a_hint() {
    outlines(&[
        ("<img src=/i/cat.png?x>", &["e1 img Hint:cat.png"]),
        ("<img src=/i/dot.png style='width:1px;height:1px'>", &[]),
        ("<img src=a.png alt=''>", &[]),
        ("<img src=a.png alt=Cat>", &["img \"Cat\""]),
        (
            "<button><i class='icon icon-trash'></i></button>",
            &["e1 button Hint:icon icon-trash"],
        ),
        (
            "<p>Sound <button></button></p>",
            &["text \"Sound\"", "e1 button Hint:beside Sound"],
        ),
        (
            "<button data-before='\u{e001}'></button>",
            &["e1 button \"\\u{e001}\""],
        ),
        ("<a href=/><img src=/logo.svg></a>", &["e1 link Hint:logo.svg"]),
        (
            "<div style='cursor:pointer'>Open</div>",
            &["e1 clickable \"Open\""],
        ),
    ]);
}

#[test]
fn hidden_things_are_counted_and_shown_when_asked_for() {
    let html = Html::new(
        "<p>a</p><p hidden>b <i>c</i></p><p style='opacity:0'>d</p><p data-facts=blends>e</p>\
         <div style='visibility:hidden'>f<button style='visibility:visible'>g</button></div>",
    );
    let (nodes, omitted) = read(&html, &ask(), &[]);
    assert_eq!(lines(&nodes), ["text \"a\"", "e1 button \"g\""]);
    assert_eq!(
        omitted,
        Omitted {
            hidden: 5,
            ..Omitted::default()
        }
    );
    let all = PageRead::Outline {
        within: None,
        depth: None,
        viewport_only: false,
        hidden: true,
    };
    let (nodes, omitted) = read(&html, &all, &[]);
    assert!(omitted.is_empty(), "{omitted:?}");
    let expected = [
        "text \"a\"",
        "text \"b c\" Hidden",
        "text \"d\" Hidden",
        "text \"e\" Hidden",
        "text \"f\" Hidden",
        "e1 button \"g\"",
    ];
    assert_eq!(lines(&nodes), expected);
}

#[test]
fn aria_hidden_is_shown_and_marked_where_it_begins() {
    outlines(&[
        (
            "<h1>a</h1><div aria-hidden=true><p>b</p><nav><a href=/>c</a></nav></div><h1>d</h1>",
            &[
                "heading \"a\" 1",
                "text \"b\" AriaHidden",
                "e1 navigation AriaHidden",
                ". e2 link \"c\"",
                "heading \"d\" 1",
            ],
        ),
        (
            "<button>a<i aria-hidden=true>x</i></button>",
            &["e1 button \"a\""],
        ),
    ]);
}

#[test]
fn what_lies_in_front_comes_first() {
    outlines(&[
        (
            "<p>behind</p><dialog open data-facts=top-layer><h2>D</h2><button>OK</button></dialog><p>after</p>",
            &[
                "e1 dialog Modal Covers:page",
                ". heading \"D\" 2",
                ". e2 button \"OK\"",
                "document Covered",
                ". text \"behind\"",
                ". text \"after\"",
            ],
        ),
        (
            "<p>behind</p><div role=dialog aria-modal=true aria-label=D>x</div>",
            &[
                "e1 dialog \"D\" Modal Covers:page",
                ". text \"x\"",
                "document Covered",
                ". text \"behind\"",
            ],
        ),
        (
            "<p>behind</p><div data-facts=top-layer>tip</div>",
            &["e1 layer", ". text \"tip\"", "text \"behind\""],
        ),
        (
            "<dialog open>D</dialog><p>a</p>",
            &["e1 dialog", ". text \"D\"", "text \"a\""],
        ),
    ]);
}

#[test]
fn frames_are_inline_and_what_cannot_be_read_is_named() {
    let html =
        Html::new("<iframe title=In srcdoc='<button>b</button>'></iframe><iframe></iframe><iframe></iframe>");
    let missing = |url: &str, why| MissingFrame {
        parent: 0,
        url: url.to_owned(),
        why,
    };
    let missing = [missing("https://ads.example/x", Missing::NotGranted)];
    let (nodes, omitted) = read(&html, &ask(), &missing);
    assert_eq!(nodes[0].role, "frame");
    assert_eq!(lines(&nodes)[1], ". e2 button \"b\"");
    let reasons: Vec<&str> = nodes
        .iter()
        .flat_map(|node| &node.notes)
        .filter(|note| note.about == About::Reason)
        .map(|note| note.text.as_str())
        .collect();
    assert!(reasons.contains(&"no grant for this site"), "{reasons:?}");
    assert!(
        nodes
            .iter()
            .any(|node| node.role == "boundary" && node.name == "ads.example")
    );
    assert_eq!(
        omitted.frames, 2,
        "two that show nothing, one of them the one that is named"
    );
}

#[test]
fn places_of_a_picture_are_links() {
    let map = "<map name=m><area href=/a alt=A style='display:none'></map>";
    assert_eq!(
        outline(&format!("<img usemap=#m alt=P>{map}")),
        ["img \"P\"", "e1 link \"A\""]
    );
    assert_eq!(outline(&format!("<img usemap=#m alt=P hidden>{map}")), [""; 0]);
}

#[test]
fn owned_elements_stand_with_their_owner() {
    outlines(&[(
        "<div role=listbox aria-label=L aria-owns='b a'></div><p>x</p><div role=option id=a>A</div><div role=option id=b>B</div>",
        &[
            "e1 listbox \"L\"",
            ". e2 option \"B\"",
            ". e3 option \"A\"",
            "text \"x\"",
        ],
    )]);
}

#[test]
fn a_part_a_depth_and_a_view() {
    let html = Html::new(
        "<main><h1>T</h1><nav aria-label=N><ul aria-label=U><li>a</li></ul></nav></main><p>out</p>",
    );
    let part = |by, depth| PageRead::Outline {
        within: Some(Locator {
            by,
            exact: false,
            index: None,
            scope: None,
            has_text: None,
        }),
        depth,
        viewport_only: false,
        hidden: false,
    };
    let role = |role: &str| By::Role {
        role: role.to_owned(),
        name: None,
    };
    let (nodes, _) = read(&html, &part(role("navigation"), None), &[]);
    assert_eq!(
        lines(&nodes),
        ["e1 navigation \"N\"", ". e2 list \"U\"", ". . text \"a\""]
    );
    let (nodes, omitted) = read(&html, &part(role("navigation"), Some(1)), &[]);
    assert_eq!(lines(&nodes), ["e1 navigation \"N\"", ". e2 list \"U\""]);
    assert_eq!(
        omitted,
        Omitted {
            nodes: 1,
            ..Omitted::default()
        }
    );

    let out = |node: Node| node.flags(flags::RENDERED | flags::VISIBLE | flags::BLOCK);
    let columns = Capture::new(&[
        Node::new(None, "html").own("|"),
        Node::new(Some(0), "body").own("||").also(flags::IN_VIEW),
        Node::new(Some(1), "p").own("in").also(flags::IN_VIEW),
        Node::new(Some(1), "nav").own("||"),
        out(Node::new(Some(3), "p")).own("out"),
        out(Node::new(Some(3), "button")).own("out"),
    ])
    .build();
    let request = ReadRequest::Page {
        ask: Box::new(PageRead::Outline {
            within: None,
            depth: None,
            viewport_only: true,
            hidden: false,
        }),
        parts: vec![drawbridge_protocol::reader::Part {
            bytes: columns.len() as u32,
            parent: None,
        }],
        missing: Vec::new(),
        next_ref: 1,
    };
    let ReadReply::Page { found, .. } = crate::read(&request, &columns) else {
        panic!("no page");
    };
    let PageFound::Outline { nodes, omitted } = *found else {
        panic!("no outline");
    };
    assert_eq!(lines(&nodes), ["text \"in\""]);
    let expected = Omitted {
        nodes: 1,
        controls: 1,
        ..Omitted::default()
    };
    assert_eq!(omitted, expected);
}

#[test]
fn many_links_elsewhere_are_told_once() {
    let links: String = (0..6)
        .map(|at| format!("<a href=https://cdn.example/{at}>l{at}</a>"))
        .collect();
    let found = outline(&format!(
        "{links}<a href=/own>own</a><a href='#p'>#</a><a href='javascript:0'>j</a><a href=https://x.example/>x</a>"
    ));
    assert_eq!(found[0], "document To:cdn.example");
    assert_eq!(found[1], "e1 link \"l0\"");
    assert_eq!(found[7], "e7 link \"own\" To:shop.example");
    assert_eq!(
        found[8..],
        ["e8 link \"#\"", "e9 link \"j\"", "e10 link \"x\" To:x.example"]
    );
}

#[test]
fn every_one_of_many_same_buttons_has_a_ref() {
    let rows: String = (0..600)
        .map(|at| format!("<div><span>Row {at}</span><button>Delete</button></div>"))
        .collect();
    let html = Html::new(&rows);
    let (nodes, _) = read(&html, &ask(), &[]);
    let refs: std::collections::HashSet<_> = nodes.iter().filter_map(|node| node.r#ref).collect();
    assert_eq!(refs.len(), 600);
    for _ in 0..4 {
        assert_eq!(read(&html, &ask(), &[]).0, nodes);
    }
}

#[test]
fn hostile_pages_cost_no_more_than_others() {
    let huge = "a\u{301} ".repeat(400_000);
    let html = Html::new(&format!("<button aria-label='{huge}'>b</button>"));
    let (nodes, _) = read(&html, &ask(), &[]);
    assert!(nodes[0].name.chars().count() <= 1_000 && nodes[0].name.ends_with('…'));

    // Depth comes from the capture: no parser nests like that, but scripts do.
    for (tag, role) in [
        ("div", ""),
        ("li", ""),
        ("div", "button"),
        ("div", "cell"),
        ("div", "row"),
        ("label", "textbox"),
    ] {
        let mut nodes = vec![Node::new(None, "html").own("|")];
        for depth in 0..4_000 {
            nodes.push(
                Node::new(Some(depth), tag)
                    .own("t|u")
                    .key("role", role)
                    .key("aria-owns", "x"),
            );
        }
        let (columns, part) = one(&nodes);
        let request = ReadRequest::Page {
            ask: Box::new(ask()),
            parts: vec![part],
            missing: Vec::new(),
            next_ref: 1,
        };
        let began = std::time::Instant::now();
        assert!(matches!(crate::read(&request, &columns), ReadReply::Page { .. }));
        assert!(began.elapsed().as_secs() < 20, "{tag} {role}");
    }
}

fn one(nodes: &[Node]) -> (String, drawbridge_protocol::reader::Part) {
    let columns = Capture::new(nodes).build();
    let bytes = columns.len() as u32;
    (columns, drawbridge_protocol::reader::Part { bytes, parent: None })
}

const TAGS: &[&str] = &[
    "div", "span", "a", "button", "input", "label", "select", "option", "table", "tr", "td", "th", "ul",
    "li", "dl", "dt", "dd", "h2", "img", "svg", "title", "iframe", "fieldset", "legend", "caption",
    "details", "summary", "slot", "nav", "textarea", "dialog", "canvas", "head", "br", "p", "section",
    "form", "object", "video", "math",
];
const ROLES: &[&str] = &[
    "", "button", "row", "cell", "grid", "table", "listbox", "option", "none", "tree", "treeitem", "group",
    "textbox", "combobox", "dialog", "list", "listitem", "slider", "alert", "wat", "region", "menu",
    "menuitem", "heading", "img",
];
const KEYS: &[&str] = &[
    "role",
    "aria-label",
    "aria-labelledby",
    "aria-owns",
    "aria-hidden",
    "aria-modal",
    "title",
    "href",
    "type",
    "for",
    "id",
    "tabindex",
    "onclick",
    ":before",
    ":value",
    ":layer",
    ":window",
    ":selected",
    "aria-describedby",
    "list",
    "alt",
    "size",
    "aria-live",
    "aria-rowcount",
    "placeholder",
    ":scroll",
];
const VALUES: &[&str] = &[
    "",
    " ",
    "x",
    "y",
    "x y",
    "true",
    "checkbox",
    "5",
    "\u{202e}\u{0}\n- e1 button",
    "a\u{1}b",
    "👨\u{200d}👩",
    "https://o.example/",
];

fn any_nodes() -> impl Strategy<Value = Vec<Node>> {
    let keys = proptest::collection::vec((0..KEYS.len(), 0..VALUES.len()), 0..4);
    let node = (
        0..TAGS.len(),
        any::<u16>(),
        any::<i32>(),
        0..ROLES.len(),
        keys,
        any::<u16>(),
        any::<bool>(),
    );
    proptest::collection::vec(node, 1..60).prop_map(|specs| {
        let mut nodes: Vec<Node> = Vec::new();
        // The path of open elements: a parent is one of them.
        let mut open: Vec<usize> = Vec::new();
        for (tag, up, bits, role, keys, host, seen) in specs {
            if open.len() > 1 {
                open.truncate(1 + usize::from(up) % open.len());
            }
            let mut node = Node::new(open.last().copied(), TAGS[tag])
                .own("a|b|")
                .key("role", ROLES[role]);
            let bits = bits & 0x1ff_ffff;
            node = node.flags(if seen { bits | crate::sample::BLOCK } else { bits });
            for (key, value) in keys {
                node = node.key(KEYS[key], VALUES[value]);
            }
            if !open.is_empty() && host % 7 == 0 {
                node = node.host(open[usize::from(host) % open.len()]);
            }
            open.push(nodes.len());
            nodes.push(node);
        }
        nodes
    })
}

proptest! {
    #[test]
    fn no_page_makes_it_panic_and_the_same_page_reads_the_same(nodes in any_nodes(), hidden: bool, viewport_only: bool, depth in proptest::option::of(0_u32..4)) {
        let (columns, part) = one(&nodes);
        let request = ReadRequest::Page {
            ask: Box::new(PageRead::Outline { within: None, depth, viewport_only, hidden }),
            parts: vec![part],
            missing: Vec::new(),
            next_ref: 1,
        };
        let first = crate::read(&request, &columns);
        prop_assert!(matches!(first, ReadReply::Page { .. }), "{first:?}");
        prop_assert_eq!(crate::read(&request, &columns), first);
    }
}
