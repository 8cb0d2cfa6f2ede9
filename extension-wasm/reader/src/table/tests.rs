use drawbridge_protocol::Code;
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::{Locator, PageFound, PageRead, Table};

use crate::sample::ask::{ask, refused, test_id};

fn read(target: Option<Locator>, columns: Option<&[&str]>, max_rows: u32) -> PageRead {
    PageRead::Table {
        target,
        columns: columns.map(|columns| columns.iter().map(|one| (*one).to_owned()).collect()),
        max_rows,
    }
}

fn found(html: &str, read: &PageRead) -> (Table, Omitted) {
    match ask(html, read) {
        Ok(PageFound::Table { table, omitted }) => (table, omitted),
        other => panic!("{other:?}"),
    }
}

fn table(html: &str) -> Table {
    found(html, &read(None, None, 1_000)).0
}

/// Columns, then rows, each joined.
fn grid(html: &str) -> Vec<String> {
    let table = table(html);
    let rows = table.rows.iter().map(|row| row.join("|"));
    std::iter::once(table.columns.join("|")).chain(rows).collect()
}

#[test]
fn headers_name_columns() {
    let html = "<table><thead><tr><th>Name<th>Age</tr></thead><tbody><tr><td>Ann<td>3</tr><tr><td>Ben<td>4</tr></table>";
    assert_eq!(grid(html), ["Name|Age", "Ann|3", "Ben|4"]);
    assert_eq!(
        grid("<table><tr><th>Name<th>Age</tr><tr><td>Ann<td>3</tr></table>"),
        ["Name|Age", "Ann|3"]
    );
    assert_eq!(
        grid("<table><tr><td>a<td>b</tr><tr><td>c<td>d</tr></table>"),
        ["column1|column2", "a|b", "c|d"]
    );
    assert_eq!(
        grid("<table><tr><td></td><th>Q1<th>Q2</tr><tr><th scope=row>North<td>1<td>2</tr></table>"),
        ["column1|Q1|Q2", "North|1|2"],
        "the corner has no name"
    );
    assert_eq!(
        grid("<table><tr><th>Name<td>Ann</tr><tr><th>Age<td>3</tr></table>"),
        ["column1|column2", "Name|Ann", "Age|3"],
        "names of rows are cells"
    );
    assert_eq!(
        grid("<table><tr><th>A<th>B</tr><tr><th colspan=2>Fruit</tr><tr><td>1<td>2</tr></table>"),
        ["A|B", "Fruit|Fruit", "1|2"],
        "what names rows below is none of the columns' names"
    );
}

#[test]
fn spans_stand_in_every_place_they_cover() {
    let html = "<table><tr><th rowspan=2>Name<th colspan=2>Score</tr><tr><th>One<th>Two</tr>\
        <tr><td rowspan=2>Ann<td>1<td>2</tr><tr><td colspan=2>none</tr><tr><td>Ben<td>3<td>4</tr></table>";
    assert_eq!(
        grid(html),
        [
            "Name|Score / One|Score / Two",
            "Ann|1|2",
            "Ann|none|none",
            "Ben|3|4"
        ]
    );
    let sections =
        "<table><tbody><tr><td rowspan=9>a<td>1</tr></tbody><tbody><tr><td>b<td>2</tr></tbody></table>";
    assert_eq!(
        grid(sections),
        ["column1|column2", "a|1", "b|2"],
        "no span leaves its section"
    );
    let zero = "<table><tbody><tr><td rowspan=0>a<td>1</tr><tr><td>2</tr></tbody><tfoot><tr><td>b<td>3</tr></tfoot></table>";
    assert_eq!(grid(zero), ["column1|column2", "a|1", "a|2", "b|3"]);
    let foot_first = "<table><tfoot><tr><td>sum<td>3</tr></tfoot><tbody><tr><td>a<td>1</tr><tr><td>b<td>2</tr></tbody></table>";
    assert_eq!(grid(foot_first), ["column1|column2", "a|1", "b|2", "sum|3"]);
}

#[test]
fn same_and_missing_headers_are_made_unique() {
    let html = "<table><tr><th>A<th>A<th><th>A (2)<th>column3</tr><tr><td>1<td>2<td>3<td>4<td>5</tr></table>";
    assert_eq!(
        table(html).columns,
        ["A", "A (3)", "column3 (2)", "A (2)", "column3"]
    );
}

#[test]
fn nested_rows_are_none_and_hidden_rows_are_left_out() {
    let html = "<table data-testid=t><tr><th>A<th>B</tr><tr><td>1<td>two<table><tr><td>inner</tr></table></tr>\
        <tr style='display:none'><td>x<td>x</tr><tr style='visibility:hidden'><td>y<td>y</tr>\
        <tr><td>3<td><span hidden>no</span>4</tr></table>";
    let (table, omitted) = found(html, &read(Some(test_id("t")), None, 100));
    assert_eq!(table.rows, [["1", "two inner"], ["3", "4"]]);
    assert_eq!((omitted.hidden, omitted.rows), (2, 0));
}

#[test]
fn cells_without_text_say_what_they_show() {
    let html = "<table><tr><th>A<th>B</tr><tr><td><input value=typed><td><img alt=Yes src=y></tr>\
        <tr><td><input type=checkbox checked><td><input type=password value=hunter2></tr>\
        <tr><td><select><option>one<option selected>two</select><td><button aria-label=Delete></button></tr></table>";
    let rows = table(html).rows;
    assert_eq!(rows[0], ["typed", "Yes"]);
    assert_eq!(rows[1], ["true", ""]);
    assert_eq!(rows[2][1], "Delete");
    assert!(!format!("{rows:?}").contains("hunter2"));
}

#[test]
fn columns_and_rows_can_be_chosen() {
    let html =
        "<table><tr><th>Name<th>Age<th>2</tr><tr><td>Ann<td>3<td>x</tr><tr><td>Ben<td>4<td>y</tr></table>";
    let (table, omitted) = found(html, &read(None, Some(&["age", "1", "2"]), 1));
    assert_eq!(table.columns, ["Age", "Name", "2"]);
    assert_eq!(
        (table.rows, omitted.rows),
        (vec![vec!["3".to_owned(), "Ann".into(), "x".into()]], 1)
    );
    for wrong in ["Size", "4", "0", ""] {
        let error = ask(html, &read(None, Some(&["Name", wrong]), 9)).unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument);
        assert!(error.message.starts_with("columns[1]"), "{}", error.message);
        assert_eq!(error.data.unwrap()["columns"][0], "Name");
    }
}

#[test]
fn grids_by_role() {
    let row = |index: u32, cells: &str| format!("<div role=row aria-rowindex={index}>{cells}</div>");
    let html = format!(
        "<div role=grid aria-label=Files aria-rowcount=501><div role=rowgroup>{}</div><div role=rowgroup>{}{}</div></div>",
        row(
            1,
            "<div role=columnheader>Name</div><div role=columnheader>Size</div>"
        ),
        row(41, "<div role=gridcell>a.txt</div><div role=gridcell>1</div>"),
        row(42, "<div role=gridcell aria-colspan=2>b</div>"),
    );
    let table = table(&html);
    assert_eq!(
        (table.kind.as_str(), table.name.as_str(), table.declared_rows),
        ("grid", "Files", Some(500))
    );
    assert_eq!(table.columns, ["Name", "Size"]);
    assert_eq!(table.rows, [["a.txt", "1"], ["b", "b"]]);
    assert_eq!(table.scroll.unwrap().positions, [41, 42]);
}

#[test]
fn pinned_columns_are_put_beside_the_others() {
    let cell = |column: u32, text: &str| format!("<div role=gridcell aria-colindex={column}>{text}</div>");
    let row = |index: u32, cells: String| format!("<div role=row aria-rowindex={index}>{cells}</div>");
    let html = format!(
        "<div role=grid><div>{}{}</div><div>{}{}</div></div>",
        row(2, cell(1, "a")),
        row(3, cell(1, "b")),
        row(2, cell(3, "x") + &cell(7, "y")),
        row(3, cell(3, "z")),
    );
    assert_eq!(table(&html).rows, [["a", "x", "y"], ["b", "z", ""]]);
}

#[test]
fn a_virtualised_table_tells_where_its_rows_stand() {
    let html = "<div id=s style='top:100px' data-scroll='400,9000,300'><table>\
        <tr style='top:90px'><td>a<td>1</tr><tr style='top:130px'><td>a<td>1</tr></table></div>";
    let scroll = table(html).scroll.unwrap();
    let html = crate::sample::html::Html::new(html);
    let page = html.page();
    let at = page.elements[crate::sample::html::by_id(&page, "s")].at;
    assert_eq!(
        (scroll.scroller, scroll.positions),
        (Some((0, at)), vec![390, 430])
    );
    let plain =
        table("<table><tr style='top:7px'><td>a<td>1</tr><tr style='top:27px'><td>a<td>1</tr></table>")
            .scroll
            .unwrap();
    assert_eq!((plain.scroller, plain.positions), (None, vec![7, 27]));
}

#[test]
fn a_repeated_list_has_columns() {
    let card = |title: &str, price: &str, extra: &str| {
        format!(
            "<li class=card><h3 class=title><a href=/p>{title}</a></h3><span class=price>{price}</span>{extra}</li>"
        )
    };
    let html = format!(
        "<nav><ul><li><a href=/>Home</a><li><a href=/a>About</a><li><a href=/b>Blog</a></ul></nav><ul data-testid=l>{}{}{}</ul>",
        card("Alpha", "1 €", "<em class=note>New</em>"),
        card("Beta", "2 €", "<em class=note>Sale</em>"),
        card("Gamma", "3 €", ""),
    );
    for target in [None, Some(test_id("l"))] {
        let (table, _) = found(&html, &read(target, None, 100));
        assert_eq!(
            (table.kind.as_str(), table.columns.join(" ")),
            ("list", "title price note".to_owned())
        );
        assert_eq!(table.rows[1], ["Beta", "2 €", "Sale"]);
        assert_eq!(table.rows[2], ["Gamma", "3 €", ""]);
    }
}

#[test]
fn the_largest_is_read_and_a_target_narrows() {
    let html = "<table id=a><tr><td>a<td>b</tr><tr><td>c<td>d</tr></table>\
        <div data-testid=in><table><tr><th>X<th>Y<th>Z</tr><tr><td>1<td data-testid=cell>2<td>3</tr></table></div>";
    assert_eq!(table(html).columns, ["X", "Y", "Z"]);
    for id in ["in", "cell"] {
        assert_eq!(
            found(html, &read(Some(test_id(id)), None, 9)).0.columns,
            ["X", "Y", "Z"],
            "{id}"
        );
    }
    assert_eq!(refused("<p>a<p>b", &read(None, None, 9)), Code::NotFound);
    assert_eq!(refused(html, &read(Some(test_id("no")), None, 9)), Code::NotFound);
}

#[test]
fn a_page_cannot_make_a_table_larger_than_it_is() {
    let cells = "<td rowspan=65534 colspan=1000>x".repeat(50);
    let html = format!(
        "<table><tr>{cells}</tr>{}</table>",
        "<tr><td>y</tr>".repeat(3_000)
    );
    let (table, omitted) = found(&html, &read(None, None, 10_000));
    assert!(table.columns.len() <= 500);
    assert!(table.rows.len() as u32 + omitted.rows >= 3_000);
}

#[test]
fn a_wide_footer_makes_no_columns() {
    assert_eq!(
        grid(
            "<table><tr><th>A<th>B</tr><tr><td>1<td>2</tr><tfoot><tr><td colspan=100>Sum 3</tr></tfoot></table>"
        ),
        ["A|B", "1|2", "Sum 3|Sum 3"]
    );
}

#[test]
fn a_cell_tells_all_that_is_in_it() {
    let html = "<table data-testid=t><tr><th>A<th>B</tr><tr><td>Size <input value=7> cm\
        <td>x<table><tr><td>y<td>z</tr></table></tr></table>";
    let (table, _) = found(html, &read(Some(test_id("t")), None, 10));
    assert_eq!(table.rows, [["Size 7 cm", "x y z"]]);
}
