use serde_json::json;

use super::*;

fn plan(args: serde_json::Value) -> WaitPlan {
    serde_json::from_value::<WaitArgs>(args).unwrap().plan().unwrap()
}

#[test]
fn an_address_is_a_condition_alone_and_a_guard_beside_another() {
    let includes = Until::Url {
        text: "/done".into(),
        exact: false,
    };
    let alone = plan(json!({"urlIncludes": "/done"}));
    assert_eq!((alone.until, alone.guard), (includes.clone(), None));
    let guarded = plan(json!({"urlIncludes": "/done", "idle": 500}));
    assert_eq!(
        (guarded.until, guarded.guard),
        (Until::Idle { ms: 500 }, Some(includes))
    );
}

#[test]
fn what_is_not_said_has_a_default() {
    let wait = plan(json!({"target": "#pay"}));
    assert!(matches!(
        wait.until,
        Until::Element {
            state: WaitState::Visible,
            ..
        }
    ));
    assert_eq!((wait.failures.len(), wait.reload_ms), (0, None));
    assert_eq!(plan(json!({"load": true, "reload": true})).reload_ms, Some(5_000));
    // A list of nothing is as if left out.
    assert_eq!(plan(json!({"load": true, "textAny": []})).until, Until::Load);
}
