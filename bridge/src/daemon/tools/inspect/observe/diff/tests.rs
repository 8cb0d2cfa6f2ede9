use drawbridge_protocol::outline::Kind;

use super::*;

fn units(lines: &str) -> Units {
    let mut units = Units::default();
    for line in lines.lines() {
        units.push(&format!("{line}\n"), Kind::Other);
    }
    units
}

fn between(before: &str, after: &str) -> (String, (u32, u32, u32, u32)) {
    let (changed, told) = lines(&units(before), &units(after));
    assert!(told.base && told.reason.is_none());
    (
        changed.text(0, changed.len()).to_owned(),
        (told.added, told.changed, told.removed, told.unchanged),
    )
}

#[test]
fn only_what_changed_is_told() {
    let before =
        "main\n  e1 button \"A\"\n  e2 textbox \"B\" value=\"\"\n  e3 button \"C\"\n  text \"old\"\n";
    assert_eq!(between(before, before), (String::new(), (0, 0, 0, 5)));
    let after =
        "main\n  e9 button \"New\"\n  e1 button \"A\"\n  e2 textbox \"B\" value=\"x\"\n  text \"new\"\n";
    let (text, counts) = between(before, after);
    assert_eq!(counts, (2, 1, 2, 2));
    for line in [
        "+   e9 button \"New\"\n",
        "~   e2 textbox \"B\" value=\"x\"\n",
        "-   e3 button \"C\"\n",
        "-   text \"old\"\n",
        "+   text \"new\"\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert_eq!(text.lines().count(), 5);
}

#[test]
fn a_wrapper_around_everything_is_one_line() {
    let before = "main\n  e1 button \"A\"\n  e2 button \"B\"\n";
    let after = "main\n  region\n    e1 button \"A\"\n    e2 button \"B\"\n";
    assert_eq!(between(before, after), ("+   region\n".to_owned(), (1, 0, 0, 3)));
}

#[test]
fn an_element_that_moved_is_told_once() {
    let (text, counts) = between("e1 a\ne2 b\ne3 c\n", "e2 b\ne3 c\ne1 a\n");
    assert_eq!((text.as_str(), counts), ("~ e1 a\n", (0, 1, 0, 2)));
}

#[test]
fn pages_that_have_nothing_in_common_take_no_time() {
    let before: String = (0..60_000).map(|n| format!("e{} a {n}\n", n + 1)).collect();
    let after: String = (0..60_000).map(|n| format!("e{} b {n}\n", n + 100_000)).collect();
    let began = Instant::now();
    let (_, counts) = between(&before, &after);
    assert_eq!(counts, (60_000, 0, 60_000, 0));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}
