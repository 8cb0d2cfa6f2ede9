use serde_json::{Value, json};

use super::*;

fn read(value: Value) -> Result<Option<Locator>, Error> {
    let target: Target = serde_json::from_value(value).map_err(|error| Error::argument("target", error))?;
    target.locator("target")
}

fn by(value: Value) -> By {
    read(value).unwrap().unwrap().by
}

fn says(value: Value) -> String {
    read(value).unwrap_err().message
}

#[test]
fn a_string_is_a_ref_or_else_a_selector() {
    for text in ["e12", "@e12", "[ref=e12]", " e12 "] {
        assert_eq!(by(json!(text)), By::Ref(Ref::element(12)), "{text}");
    }
    for text in ["em", "#e12", "e0", ".e12", "li:nth-child(2)", "[ref]"] {
        assert_eq!(by(json!(text)), By::Selector(text.to_owned()), "{text}");
    }
    assert_eq!(read(json!("")).unwrap(), None);
    assert_eq!(read(json!("  \n")).unwrap(), None);
    assert!(says(json!("li[")).starts_with("target: "));
    assert!(says(json!("a12")).contains("snapshot"));
}

#[test]
fn an_object_names_exactly_one_kind() {
    assert_eq!(
        read(json!({"role": "Button", "name": "Save", "exact": true, "index": 2, "hasText": "x"})).unwrap(),
        Some(Locator {
            by: By::Role {
                role: "button".into(),
                name: Some("Save".into())
            },
            exact: true,
            index: Some(2),
            scope: None,
            has_text: Some("x".into()),
        })
    );
    assert_eq!(by(json!({"label": "E-mail"})), By::Label("E-mail".into()));
    assert_eq!(by(json!({"placeholder": "you"})), By::Placeholder("you".into()));
    assert_eq!(by(json!({"text": "Hello"})), By::Text("Hello".into()));
    assert_eq!(by(json!({"testId": "x"})), By::TestId("x".into()));
    assert_eq!(by(json!({"selector": "li"})), By::Selector("li".into()));
    assert_eq!(by(json!({"ref": "[ref=e3]"})), By::Ref(Ref::element(3)));
}

#[test]
fn what_is_blank_is_absent() {
    assert_eq!(read(json!({})).unwrap(), None);
    let filled = json!({"ref": "", "role": " ", "name": "", "label": null, "text": "Hi", "testId": "", "selector": "",
        "exact": false, "index": -1, "hasText": "", "frame": "", "scope": ""});
    assert_eq!(read(filled).unwrap(), Some(Locator::new(By::Text("Hi".into()))));
    let nothing = json!({"ref": "", "index": -1, "exact": false, "scope": {"text": ""}});
    assert_eq!(read(nothing).unwrap(), None);
}

#[test]
fn contradictions_name_both_fields() {
    let message = says(json!({"role": "button", "text": "Save"}));
    assert_eq!(message, "target.role: and target.text exclude each other");
    let message = says(json!({"ref": "e1", "index": 0}));
    assert_eq!(message, "target.ref: and target.index exclude each other");
    let message = says(json!({"text": "a", "name": "b"}));
    assert!(
        message.contains("target.name") && message.contains("target.role") && message.contains("target.text")
    );
    let message = says(json!({"index": 1}));
    assert!(message.contains("index narrows"), "{message}");
    assert!(says(json!({"text": "a", "index": -2})).starts_with("target.index: is -2"));
    assert!(says(json!({"rolle": "button"})).contains("rolle"));
    assert!(says(json!(7)).contains("a ref, a CSS selector"));

    let both = locator(Some(&"li".into()), Some("e1"), None).unwrap_err();
    assert_eq!(both.message, "target: and ref exclude each other");
    let both = locator(None, Some("e1"), Some("li")).unwrap_err();
    assert_eq!(both.message, "ref: and selector exclude each other");
    assert_eq!(
        locator(Some(&"".into()), Some(" "), Some("li")).unwrap(),
        plain("x", "li").unwrap()
    );
}

#[test]
fn a_frame_is_the_outermost_scope() {
    let found = read(json!({"selector": "li", "frame": "e7", "scope": {"text": "List"}}))
        .unwrap()
        .unwrap();
    let scope = found.scope.unwrap();
    assert_eq!(scope.by, By::Text("List".into()));
    assert_eq!(scope.scope.unwrap().by, By::Ref(Ref::element(7)));
    let found = read(json!({"selector": "li", "frame": "#ad"})).unwrap().unwrap();
    assert_eq!(found.scope.unwrap().by, By::Selector("#ad".into()));
    assert!(says(json!({"selector": "li", "frame": "e7", "scope": "e8"})).contains("target.frame"));
}

#[test]
fn scopes_and_texts_are_bounded() {
    let mut target = json!("li");
    for _ in 0..=MAX_SCOPES + 1 {
        target = json!({"text": "x", "scope": target});
    }
    assert!(says(target).contains("nested"));
    assert!(says(json!({"text": "x".repeat(MAX_TEXT + 1)})).starts_with("target.text: is longer"));
}

#[test]
fn a_target_is_written_as_it_was_read() {
    for value in [
        json!("e1"),
        json!({"role": "button", "index": 1, "scope": "main"}),
    ] {
        let target: Target = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(target).unwrap(), value);
    }
}

#[test]
fn a_selector_of_another_program_is_told_how_text_is_meant() {
    for text in ["text=Save", "button:contains('Save')", "a:has-text(Save)"] {
        let error = Target::from(text).locator("target").unwrap_err();
        assert!(
            error.hint.is_some_and(|hint| hint.contains("{\"text\"")),
            "{text}"
        );
    }
}
