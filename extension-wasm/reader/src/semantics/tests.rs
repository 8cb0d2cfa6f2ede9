//! Rules of roles, names and states, one table each. What they expect is what Chromium 156 says of the same HTML.

use drawbridge_protocol::outline::State;

use super::Semantics;
use super::name::description;
use crate::sample::html::{Html, by_id};

/// Role and name of the element `x`.
fn said(html: &str) -> (String, String) {
    let html = Html::new(html);
    let page = html.page();
    let semantics = Semantics::new(&page);
    let x = by_id(&page, "x");
    (semantics.role(x).to_owned(), semantics.name(x).into_owned())
}

fn names(cases: &[(&str, &str)]) {
    for (html, name) in cases {
        assert_eq!(said(html).1, *name, "{html}");
    }
}

fn roles(cases: &[(&str, &str)]) {
    for (html, role) in cases {
        assert_eq!(said(html).0, *role, "{html}");
    }
}

fn states(html: &str) -> Vec<State> {
    let html = Html::new(html);
    let page = html.page();
    Semantics::new(&page).states(by_id(&page, "x"))
}

#[test]
fn tags_have_roles() {
    roles(&[
        ("<a id=x href=/>a</a>", "link"),
        ("<a id=x>a</a>", "generic"),
        ("<a id=x style='cursor:pointer'>a</a>", "link"),
        ("<header id=x>h</header>", "banner"),
        ("<main><header id=x>h</header></main>", "sectionheader"),
        ("<footer id=x>h</footer>", "contentinfo"),
        ("<article><footer id=x>h</footer></article>", "sectionfooter"),
        ("<aside id=x>a</aside>", "complementary"),
        ("<main><aside id=x>a</aside></main>", "complementary"),
        ("<section><aside id=x>a</aside></section>", "generic"),
        (
            "<section><aside id=x aria-label=n>a</aside></section>",
            "complementary",
        ),
        ("<section id=x>s</section>", "generic"),
        ("<section id=x aria-label=n>s</section>", "region"),
        ("<section id=x title=n>s</section>", "region"),
        ("<section id=x aria-labelledby=gone>s</section>", "generic"),
        ("<img id=x src=a>", "img"),
        ("<img id=x src=a alt=''>", "none"),
        ("<img id=x src=a alt='' title=t>", "img"),
        ("<input id=x>", "textbox"),
        ("<input id=x type=WAT>", "textbox"),
        ("<input id=x type=PASSWORD>", "textbox"),
        ("<input id=x type=search>", "searchbox"),
        ("<input id=x type=number>", "spinbutton"),
        ("<input id=x type=range>", "slider"),
        ("<input id=x type=file>", "button"),
        ("<input id=x type=image>", "button"),
        ("<input id=x list=l><datalist id=l></datalist>", "combobox"),
        ("<select id=x></select>", "combobox"),
        ("<select id=x size=3></select>", "listbox"),
        ("<select id=x multiple></select>", "listbox"),
        ("<details><summary id=x>s</summary></details>", "button"),
        ("<summary id=x>s</summary>", "generic"),
        ("<li id=x>i</li>", "listitem"),
        ("<ul role=none><li id=x>i</li></ul>", "none"),
        ("<ul role=menu><li id=x>i</li></ul>", "none"),
        ("<fieldset id=x></fieldset>", "group"),
        ("<output id=x></output>", "status"),
        ("<svg id=x><path/></svg>", "generic"),
        ("<svg id=x><title>t</title></svg>", "img"),
        ("<svg><a id=x href=/><text>t</text></a></svg>", "link"),
        ("<dialog id=x open></dialog>", "dialog"),
        ("<h3 id=x>h</h3>", "heading"),
        ("<progress id=x></progress>", "progressbar"),
        ("<meter id=x></meter>", "meter"),
    ]);
}

#[test]
fn written_roles_count_where_they_can() {
    roles(&[
        ("<div id=x role='WAT Button link'>b</div>", "button"),
        ("<h2 id=x role=wat>h</h2>", "heading"),
        ("<h2 id=x role=none>h</h2>", "none"),
        ("<h2 id=x role=presentation aria-label=l>h</h2>", "heading"),
        ("<button id=x role=none>b</button>", "button"),
        ("<a id=x role=none href=/>a</a>", "link"),
        ("<div id=x role=form>f</div>", "generic"),
        ("<div id=x role=form aria-label=l>f</div>", "form"),
        ("<div id=x role=region>f</div>", "generic"),
        ("<div id=x role=option>o</div>", "generic"),
        ("<div role=listbox><div id=x role=option>o</div></div>", "option"),
        (
            "<div role=listbox><p><b id=x role=option>o</b></p></div>",
            "generic",
        ),
        ("<div role=group><div id=x role=option>o</div></div>", "option"),
        (
            "<div role=listbox aria-owns=x></div><div id=x role=option>o</div>",
            "option",
        ),
        ("<div id=x role=listitem>o</div>", "generic"),
        ("<ul><div id=x role=listitem>o</div></ul>", "listitem"),
        (
            "<ul role=tree><li role=none><a id=x role=treeitem href=/>o</a></li></ul>",
            "treeitem",
        ),
        ("<div id=x role=treeitem>o</div>", "generic"),
        ("<input id=x type=checkbox role=switch>", "switch"),
        ("<div id=x role=image aria-label=l></div>", "img"),
        ("<div id=x role=directory>d</div>", "list"),
        ("<a id=x role=doc-noteref href=/>1</a>", "link"),
    ]);
}

#[test]
fn tables_hold_data_or_put_things_beside_each_other() {
    let data = |cell: &str| format!("<table id=t><tr><th>A<th>B<tr>{cell}<td>2</table>");
    let layout = |cell: &str| format!("<table><tr>{cell}</table>");
    roles(&[
        (&data("<td id=x>1"), "cell"),
        (&data("<th id=x>1"), "rowheader"),
        ("<table><tr><th id=x>A<th>B<tr><td>1<td>2</table>", "columnheader"),
        (
            "<table><thead><tr><th id=x>A<td>B<tbody><tr><td>1<td>2</table>",
            "columnheader",
        ),
        ("<table><tr><th id=x scope=row>A<th>B</table>", "rowheader"),
        (&layout("<td id=x>1"), "generic"),
        ("<table role=none><tr><td id=x>1<tr><td>2</table>", "generic"),
        ("<table role=grid><tr><td id=x>1</table>", "gridcell"),
        ("<table><tr id=x role=row><td>1</table>", "row"),
        ("<table id=x><tr><td>1<td>2<tr><td>1<td>2</table>", "table"),
        (
            "<table id=x><tr><td><table><tr><th>1</table><td>2<tr><td>1<td>2</table>",
            "generic",
        ),
    ]);
}

#[test]
fn authors_name_things_in_this_order() {
    names(&[
        (
            "<button id=x aria-labelledby='a b' aria-label=l title=t>c</button><i id=a>A</i><i id=b>B</i>",
            "A B",
        ),
        ("<button id=x aria-labelledby=gone aria-label=l>c</button>", "l"),
        ("<button id=x aria-labelledby='' aria-label=' '>c</button>", "c"),
        (
            "<button id=x aria-labelledby='x a' aria-label=self>c</button><i id=a>A</i>",
            "self A",
        ),
        ("<button id=x aria-labelledby=x>own</button>", "own"),
        (
            "<input id=x aria-labelledby=a><i id=a hidden>H <b hidden>I</b></i>",
            "H I",
        ),
        ("<input id=x aria-labelledby=a><i id=a>V <b hidden>I</b></i>", "V"),
        ("<input id=x aria-labelledby=a placeholder=p><i id=a></i>", "p"),
        (
            "<button id=x aria-labelledby=s>c</button><select id=s><option>a<option selected>b</select>",
            "b",
        ),
        ("<button id=x title=t></button>", "t"),
        ("<button id=x title=t>c</button>", "c"),
        ("<img id=x alt=a title=t>", "a"),
        ("<img id=x title=t>", "t"),
        ("<img id=x alt='' title=t>", ""),
        ("<div id=x role=textbox title=v>v</div>", ""),
        ("<div id=x role=textbox title=t>v</div>", "t"),
        ("<div id=x aria-label='a\u{a0} b'></div>", "a b"),
    ]);
}

#[test]
fn every_labelable_element_has_its_label() {
    for field in [
        "input",
        "textarea",
        "select",
        "meter",
        "progress",
        "output",
        "button",
        "input type=checkbox",
    ] {
        let tag = field.split(' ').next().unwrap_or_default();
        let field = format!("<{field} id=x></{tag}>");
        names(&[
            (&format!("<label for=x>L</label>{field}"), "L"),
            (&format!("<label>L {field}</label>"), "L"),
            (&format!("<label>L <i><u>{field}</u></i> M</label>"), "L M"),
        ]);
    }
    names(&[
        (
            "<label for=x>A</label><input id=x title=t><label for=x>B</label>",
            "A B",
        ),
        ("<label for=x hidden>A</label><input id=x placeholder=p>", ""),
        ("<label for=x aria-hidden=true>A</label><input id=x>", ""),
        ("<label for=y>A<input id=x></label>", ""),
        ("<label>A<input><input id=x></label>", ""),
        ("<label>A<div id=x role=checkbox></div></label>", ""),
        ("<label for=x>L</label><input type=submit id=x value=v>", "L"),
        (
            "<label>Flash <input type=checkbox id=x> <input value=3> times</label>",
            "Flash 3 times",
        ),
        ("<label for=x>A<label for=x>B</label></label><input id=x>", "AB"),
        // A label of one tree is none for the other.
        (
            "<label for=x>L</label><div><template shadowrootmode=open><input id=x></template></div>",
            "",
        ),
        (
            "<div><template shadowrootmode=open><label for=x>L</label><input id=x></template></div>",
            "L",
        ),
    ]);
}

#[test]
fn native_markup_names_things() {
    names(&[
        ("<input id=x type=submit>", "Submit"),
        ("<input id=x type=submit value=Go>", "Go"),
        ("<input id=x type=submit value=''>", ""),
        ("<input id=x type=reset>", "Reset"),
        ("<input id=x type=button>", ""),
        ("<input id=x type=image alt=a>", "a"),
        ("<input id=x type=image title=t>", "t"),
        ("<input id=x type=image>", "Submit"),
        ("<input id=x type=file>", "Choose File"),
        ("<input id=x placeholder=p>", "p"),
        ("<input id=x placeholder=p title=t>", "t"),
        ("<div id=x role=textbox aria-placeholder=p></div>", "p"),
        ("<fieldset id=x><legend>L <b>g</b></legend></fieldset>", "L g"),
        ("<fieldset id=x><div><legend>L</legend></div></fieldset>", ""),
        ("<table id=x><caption>C</caption><tr><td>1</table>", "C"),
        ("<svg id=x><title>t</title></svg>", "t"),
        ("<iframe id=x title=t></iframe>", "t"),
        ("<figure id=x><figcaption>c</figcaption></figure>", ""),
    ]);
}

#[test]
fn content_names_what_it_may() {
    names(&[
        ("<button id=x><span>a</span><span>b</span></button>", "ab"),
        ("<button id=x><div>a</div><div>b</div></button>", "a b"),
        (
            "<button id=x><b style='display:inline-block'>a</b><b>b</b></button>",
            "a b",
        ),
        ("<button id=x>a<br>b</button>", "a b"),
        ("<button id=x>a <b> b </b> c</button>", "a b c"),
        ("<button id=x>a<img alt=b>c</button>", "a b c"),
        ("<button id=x>a<img alt='' title=t>c</button>", "ac"),
        ("<button id=x>a<svg><title>b</title></svg>c</button>", "a b c"),
        (
            "<button id=x><svg aria-hidden=true><title>b</title></svg><span>c</span></button>",
            "c",
        ),
        ("<button id=x>a<i aria-label=b>no</i>c</button>", "a b c"),
        ("<button id=x>a<i title=b>c</i></button>", "ac"),
        (
            "<button id=x data-before='> ' data-after=' <'>a</button>",
            "> a <",
        ),
        (
            "<button id=x>a<b style='visibility:hidden'>b</b><b hidden>c</b><b style='opacity:0'>d</b></button>",
            "ad",
        ),
        (
            "<b style='visibility:hidden'><button id=x style='visibility:visible'>b</button></b>",
            "b",
        ),
        ("<button id=x hidden>b</button>", ""),
        ("<a id=x href=/>q<input value=v></a>", "q v"),
        ("<a id=x href=/>q<input type=password value=v></a>", "q"),
        (
            "<a id=x href=/><select multiple><option selected>r<option>s<option selected>t</select></a>",
            "r t",
        ),
        ("<a id=x href=/>a<nav>no</nav>b</a>", "a b"),
        ("<a id=x href=/>a<i role=group>no</i>b</a>", "ab"),
        ("<a id=x href=/>a<i role=button>b</i>c</a>", "a b c"),
        (
            "<a id=x href=/>a<i role=slider aria-valuenow=50.0>no</i>c</a>",
            "a 50 c",
        ),
        ("<a id=x href=/>a<ruby>b<rt>no</rt></ruby></a>", "ab"),
        (
            "<a id=x href=/>a<iframe title=f srcdoc='no'></iframe>b</a>",
            "a f b",
        ),
        ("<h2 id=x>a <a href=/ aria-label=b>no</a> c</h2>", "a b c"),
        ("<div id=x>no</div>", ""),
        ("<div id=x role=group>no</div>", ""),
        ("<div id=x role=button aria-owns=o>a</div><p id=o>b</p>", "a b"),
        (
            "<div role=grid><div id=x role=row><i role=gridcell>a</i> <i role=gridcell>b</i></div></div>",
            "a b",
        ),
        (
            "<div role=table><div id=x role=row><i role=cell>a</i></div></div>",
            "",
        ),
        ("<p id=x style='cursor:pointer'>click <b>me</b></p>", "click me"),
        (
            "<div id=x role=button style='text-transform:uppercase'>straße <b>b</b></div>",
            "STRASSE B",
        ),
        (
            "<div id=x role=button style='text-transform:capitalize'>o'neil-smith foo_bar</div>",
            "O'neil-Smith Foo_bar",
        ),
    ]);
}

#[test]
fn names_go_through_shadow_trees_and_slots() {
    names(&[
        (
            "<div><template shadowrootmode=open><button id=x><slot></slot>!</button></template><b>light</b></div>",
            "light !",
        ),
        (
            "<div><template shadowrootmode=open><button id=x><slot name=s>none</slot></button></template>no</div>",
            "none",
        ),
        (
            "<button id=x><span><template shadowrootmode=closed>shadow</template>light</span></button>",
            "shadow",
        ),
    ]);
}

#[test]
fn references_inside_of_each_other_end() {
    names(&[
        (
            "<h3 id=x>h <a href=/ aria-labelledby=i>no <img id=i alt=i></a></h3>",
            "h i",
        ),
        (
            "<h3 id=x><a href=/ aria-labelledby=i>no</a> <a href=/>b<img id=i alt=i>c</a></h3>",
            "i bc",
        ),
        (
            "<button id=x aria-labelledby=y>a</button><button id=y aria-labelledby=x>b</button>",
            "b",
        ),
        (
            "<label for=x>l <input id=y aria-labelledby=x></label><input id=x>",
            "l",
        ),
    ]);
    let deep = format!(
        "<button id=x>{}deep{}</button>",
        "<b>".repeat(90),
        "</b>".repeat(90)
    );
    assert_eq!(said(&deep).1, "deep");
    let long = format!("<a id=x href=/>{}</a>", "<b>w</b> ".repeat(1_000));
    assert_eq!(
        said(&long).1.len(),
        99,
        "fifty words of two parts each: Chromium cuts here, too"
    );
}

#[test]
fn descriptions_say_what_names_do_not() {
    for (html, expected) in [
        ("<button id=x title=t>c</button>", "t"),
        ("<button id=x title=c>c</button>", ""),
        ("<button id=x title=t></button>", ""),
        ("<button id=x title=t aria-description=d>c</button>", "d"),
        (
            "<button id=x aria-describedby='a gone b' title=t>c</button><i id=a hidden>A</i><i id=b>B</i>",
            "A B",
        ),
    ] {
        let html = Html::new(html);
        let page = html.page();
        assert_eq!(description(&Semantics::new(&page), by_id(&page, "x")), expected);
    }
}

#[test]
fn states_hold() {
    use State::*;
    for (html, expected) in [
        ("<input id=x type=checkbox checked>", vec![Checked]),
        ("<input id=x type=radio>", vec![Unchecked]),
        ("<div id=x role=checkbox aria-checked=mixed></div>", vec![Mixed]),
        ("<div id=x role=switch aria-checked=mixed></div>", vec![Unchecked]),
        ("<button id=x aria-pressed=true>b</button>", vec![Pressed]),
        ("<button id=x aria-pressed=mixed>b</button>", vec![Mixed]),
        ("<button id=x aria-pressed=false>b</button>", vec![]),
        ("<button id=x aria-expanded=true>b</button>", vec![Expanded]),
        ("<button id=x aria-expanded=undefined>b</button>", vec![]),
        ("<div id=x aria-expanded=true>b</div>", vec![]),
        ("<select id=x><option>a</select>", vec![Collapsed]),
        (
            "<details open><summary id=x>s</summary></details>",
            vec![Expanded],
        ),
        ("<details><summary id=x>s</summary></details>", vec![Collapsed]),
        (
            "<button id=x popovertarget=p>b</button><i id=p data-facts=top-layer>p</i>",
            vec![Expanded],
        ),
        (
            "<fieldset disabled><button id=x>b</button></fieldset>",
            vec![Disabled],
        ),
        (
            "<div aria-disabled=true><a id=x href=/>b</a></div>",
            vec![Disabled],
        ),
        ("<input id=x required readonly>", vec![Readonly, Required]),
        ("<input id=x type=checkbox readonly>", vec![Unchecked]),
        ("<input id=x aria-invalid=spelling>", vec![Invalid]),
        ("<input id=x aria-invalid=false>", vec![]),
        ("<input id=x data-message=bad>", vec![Invalid]),
        ("<input id=x type=password data-facts=filled>", vec![Filled]),
        ("<a id=x href=/ aria-current=page>b</a>", vec![Current]),
        ("<a id=x href=/ aria-selected=true>b</a>", vec![]),
        (
            "<div role=tablist><i id=x role=tab aria-selected=true>b</i></div>",
            vec![Selected],
        ),
        ("<div id=x role=dialog aria-modal=true>b</div>", vec![Modal]),
        ("<div id=x role=alert>b</div>", vec![Live]),
        (
            "<div id=x role=status aria-live=off aria-busy=true>b</div>",
            vec![Busy],
        ),
        ("<input id=x data-facts=focused>", vec![Focused]),
    ] {
        assert_eq!(states(html), expected, "{html}");
    }
}

#[test]
fn values_are_told_but_for_secrets() {
    for (html, expected) in [
        ("<input id=x value=v>", Some("v")),
        ("<input id=x type=password value=v>", None),
        ("<input id=x value=v data-facts=secret>", None),
        ("<input id=x>", None),
        ("<textarea id=x>t</textarea>", Some("t")),
        (
            "<select id=x multiple><option selected>a<option selected>b</select>",
            Some("a, b"),
        ),
        ("<input id=x type=checkbox value=v>", None),
        (
            "<div id=x role=slider aria-valuenow=3 aria-valuetext=three></div>",
            Some("three"),
        ),
        ("<meter id=x value=.4></meter>", Some(".4")),
        ("<div id=x contenteditable>a <b>b</b></div>", Some("a b")),
    ] {
        let html_ = Html::new(html);
        let page = html_.page();
        let value = Semantics::new(&page).value(by_id(&page, "x"));
        assert_eq!(value.as_deref(), expected, "{html}");
    }
}

#[test]
fn one_target_of_what_is_made_of_plain_elements() {
    for (html, expected) in [
        ("<li style='cursor:pointer'>a<span>b</span></li>", vec!["li"]),
        (
            "<div style='cursor:pointer'>t <button>b</button></div>",
            vec!["div", "button"],
        ),
        (
            "<div style='cursor:pointer'><button>b</button></div>",
            vec!["button"],
        ),
        (
            "<div style='cursor:pointer'><span onclick=1>b</span></div>",
            vec!["span"],
        ),
        ("<div onclick=1>a</div>", vec!["div"]),
        ("<div tabindex=0>a</div>", vec!["div"]),
        ("<div tabindex=-1>a</div>", vec![]),
        ("<div tabindex=0 role=tabpanel>a</div>", vec![]),
        ("<div tabindex=0 data-scroll=0,9,3>a</div>", vec![]),
        ("<div contenteditable>a <b>b</b></div>", vec!["div"]),
        (
            "<label style='cursor:pointer'>a <input type=checkbox></label>",
            vec!["input"],
        ),
        ("<label style='cursor:pointer'>a</label>", vec!["label"]),
        ("<body style='cursor:pointer'>a <p>b</p></body>", vec![]),
        (
            "<button style='cursor:pointer'>a <i>b</i></button>",
            vec!["button"],
        ),
        ("<select><option>a</select>", vec!["select"]),
        ("<svg style='cursor:pointer'><path/></svg>", vec!["svg"]),
    ] {
        let html_ = Html::new(html);
        let page = html_.page();
        let semantics = Semantics::new(&page);
        let controls: Vec<&str> = (0..page.elements.len())
            .filter(|&index| semantics.is_control(index))
            .map(|index| page.elements[index].tag.as_ref())
            .collect();
        assert_eq!(controls, expected, "{html}");
    }
}
