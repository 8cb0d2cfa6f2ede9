use super::*;

fn texts(columns: &str) -> Result<Vec<Option<String>>, Malformed> {
    let mut columns = Columns::parse(columns)?;
    let mut texts = Vec::new();
    while columns.ints.len() > 0 {
        texts.push(columns.text()?.map(Cow::into_owned));
    }
    columns.finish()?;
    Ok(texts)
}

#[test]
fn texts_are_cut_by_utf16_units() {
    let some = |text: &str| Some(text.to_owned());
    let cases: &[(&str, &[Option<String>])] = &[
        ("0;\n", &[]),
        ("1;-1\n", &[None]),
        ("3;0,-1,0\n", &[some(""), None, some("")]),
        ("2;3,2\nabcde", &[some("abc"), some("de")]),
        ("2;2,2\né!ab", &[some("é!"), some("ab")]),
        ("3;2,1,1\n🎉é\u{fffd}", &[some("🎉"), some("é"), some("\u{fffd}")]),
        ("1;5\na\nb;9", &[some("a\nb;9")]),
        // A page's lone surrogates can meet in the joined texts and read as one character.
        ("2;2,2\na🎉b", &[some("a\u{fffd}"), some("\u{fffd}b")]),
        ("3;1,0,1\n🎉", &[some("\u{fffd}"), some(""), some("\u{fffd}")]),
        (
            "3;1,2,1\n🎉🎉",
            &[some("\u{fffd}"), some("\u{fffd}\u{fffd}"), some("\u{fffd}")],
        ),
    ];
    for (columns, expected) in cases {
        assert_eq!(texts(columns).as_deref(), Ok(*expected), "{columns}");
    }
}

#[test]
fn other_shapes_are_malformed() {
    for columns in [
        "",
        "\n",
        ";\n",
        "1;\n",
        "0;1\n",
        "2;1\n",
        "1;x\n",
        "1; 1\n",
        "-1;\n",
        "1;1",
        "1;99999999999\n",
        "2;1,\na",
        "1;2\na",
        "1;-2\n",
        "1;1\nab",
        "1;2147483647\na",
        "1;1\n🎉",
        "2;1,2\n🎉",
        "1;3\n🎉",
    ] {
        assert!(texts(columns).is_err(), "{columns:?}");
    }
}

#[test]
fn the_top_says_where_the_page_was_read() {
    let good = "9;1,5,2,3,1,1,2,4,0\nuoti";
    let mut columns = Columns::parse(good).unwrap();
    let top = columns.top().unwrap();
    let header = PageHeader {
        epoch: 5,
        ready_state: 2,
        frames: 3,
        url: "u".into(),
        origin: "o".into(),
        title: "ti".into(),
    };
    assert_eq!((top.header, top.cut), (header, 4));
    assert_eq!(columns.finish(), Ok(()));

    for bad in [
        "9;2,5,2,3,1,1,2,4,0\nuoti",
        "9;1,5,3,3,1,1,2,4,0\nuoti",
        "9;1,5,-1,3,1,1,2,4,0\nuoti",
        "9;1,5,2,-3,1,1,2,4,0\nuoti",
        "9;1,5,2,3,-1,1,2,4,0\nuoti",
        "9;1,5,2,3,1,1,2,-4,0\nuoti",
        "9;1,5,2,3,1,1,9,4,0\nuoti",
        "8;1,5,2,3,1,1,2,4\nuoti",
    ] {
        assert!(Columns::parse(bad).unwrap().top().is_err(), "{bad}");
    }
}
