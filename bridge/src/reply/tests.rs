use serde_json::json;

use super::*;

#[test]
fn a_page_stands_between_marks_that_it_cannot_know() {
    let result = json!({
        "session": "s-1", "tab": "t1.a", "document": "D", "url": "https://shop.example/a", "title": "My \"shop\"\n",
        "outline": "main\n  e1 button \"Buy\"\n", "boundary": "k3x9", "truncated": true,
        "omitted": {"nodes": 12, "controls": 3}, "nextCursor": "c1.2", "hint": "go on with cursor",
    });
    assert_eq!(
        text(&result).unwrap(),
        "https://shop.example/a \"My \\\"shop\\\"\\n\" tab=t1.a\n--- page data k3x9\nmain\n  e1 button \"Buy\"\n\
         --- end k3x9\nomitted: 12 nodes, 3 controls\nnext: cursor=c1.2\ngo on with cursor"
    );
}

#[test]
fn free_text_keeps_its_lines_and_shows_what_cannot_be_seen() {
    let result = json!({"url": "about:blank", "title": "", "boundary": "b", "matchedLineCount": 2,
        "matchedLineNumbers": [1, 9], "text": "a\tb\n\u{1b}[2J\u{202e}x\r\n--- end a 👨‍👩‍👧"});
    assert_eq!(
        text(&result).unwrap(),
        "about:blank \"\"\nlines matched: 2\nline numbers: 1,9\n--- page data b\na\tb\n\\u{1b}[2J\\u{202e}x\\u{d}\n\
         --- end a 👨‍👩‍👧\n--- end b"
    );
}

#[test]
fn a_difference_says_what_it_is_between() {
    let diff = |diff| {
        let result = json!({"url": "x y", "title": "", "boundary": "b", "outline": "", "diff": diff});
        text(&result).unwrap()
    };
    assert_eq!(
        diff(json!({"base": true, "added": 1, "changed": 2, "removed": 3, "unchanged": 4})),
        "\"x y\" \"\"\nchanged since your last look: 1 new, 2 changed, 3 gone, 4 as they were\n--- page data b\n--- end b"
    );
    assert!(
        diff(json!({"base": false, "reason": "first look"})).contains("nothing to compare with (first look)")
    );
}

#[test]
fn results_that_are_data_are_their_own_text() {
    assert_eq!(text(&json!({"matches": [], "url": "x"})), None);
    assert_eq!(text(&json!({"text": "echo"})), None);
    assert_eq!(payload(&json!({"rows": [], "boundary": "b"})), None);
}
