use serde_json::{Value, json};

use super::*;
use crate::act::{Action, Choice, DragPoint, FieldValue};
use crate::page::By;
use crate::tools::{Call, TABLE, resolve};

fn planned(args: Value) -> Plan {
    let (id, args) = resolve("browser_interact", &args).unwrap();
    let call = Call::read(id, &args).unwrap();
    plan(&call).expect("an action with one element").unwrap()
}

#[test]
fn every_action_with_one_element_has_a_plan() {
    let several = ["form", "batch", "pointer", "probe"];
    for row in TABLE.iter().filter(|row| row.domain == "browser_interact") {
        let action = row.action.unwrap();
        let mut args = json!({"action": action, "target": "e1"});
        for (name, value) in [
            ("fill", json!({"value": ""})),
            ("type", json!({"text": "x"})),
            ("press", json!({"key": "Enter"})),
            ("wheel", json!({"deltaY": 1})),
            ("select", json!({"labels": ["x"]})),
            ("drag", json!({"to": "e2"})),
            ("form", json!({"fields": []})),
            ("batch", json!({"steps": []})),
            ("pointer", json!({"do": "move"})),
            ("probe", json!({"do": "hover"})),
        ] {
            if name == action {
                args.as_object_mut()
                    .unwrap()
                    .extend(value.as_object().unwrap().clone());
            }
        }
        if several.contains(&action) && action != "probe" {
            args.as_object_mut().unwrap().remove("target");
        }
        let (id, args) = resolve("browser_interact", &args).unwrap();
        let call = Call::read(id, &args).unwrap_or_else(|error| panic!("{action}: {error}"));
        assert_eq!(plan(&call).is_some(), !several.contains(&action), "{action}");
    }
}

#[test]
fn arguments_mean_the_same_wherever_they_stand() {
    let alone = planned(json!({"action": "select", "target": "e4", "labels": ["Two", "Three"]}));
    assert_eq!(
        alone.action,
        Action::Select {
            choose: vec![Choice::Label("Two".into()), Choice::Label("Three".into())]
        }
    );
    let batch = BatchArgs {
        steps: vec![json!({"action": "select", "ref": "[ref=e4]", "labels": ["Two", "Three"]})],
        ..BatchArgs::default()
    };
    assert_eq!(batch.plans().unwrap(), std::slice::from_ref(&alone));
    let probe = ProbeArgs {
        r#do: "select".into(),
        r#ref: Some("@e4".into()),
        labels: Some(vec!["Two".into(), "Three".into()]),
        ..ProbeArgs::default()
    };
    let probed = probe.plan().unwrap();
    assert_eq!((probed.target, probed.action), (alone.target, alone.action));
    assert_eq!(probed.settle_ms, PROBE_SETTLE_MS);
}

#[test]
fn blank_arguments_are_absent() {
    let click = planned(json!({
        "action": "click", "target": "e1", "ref": "", "selector": null, "document": "", "requestId": ""
    }));
    assert!(click.is_bound());
    let drag = planned(json!({"action": "drag", "target": "e1", "to": "e2", "path": []}));
    assert!(
        matches!(&drag.action, Action::Drag { path } if matches!(&path[..], [DragPoint::Element(to)]
        if matches!(to.by, By::Ref(_))))
    );
    let path = planned(json!({"action": "drag", "target": "e1", "path": [{"x": 10.4, "y": -3}]}));
    assert_eq!(
        path.action,
        Action::Drag {
            path: vec![DragPoint::By(10, -3)]
        }
    );
}

#[test]
fn the_values_of_fields_keep_their_kind() {
    let form: FormArgs = serde_json::from_value(json!({"fields": [
        {"target": "e1", "value": "true"}, {"target": "e2", "value": true}, {"target": "e3", "value": []}
    ]}))
    .unwrap();
    let (plans, submit) = form.plans().unwrap();
    assert_eq!(submit, None);
    let values: Vec<_> = plans.into_iter().map(|plan| plan.action).collect();
    let set = |value| Action::Set { value };
    assert_eq!(
        values,
        [
            set(FieldValue::Text("true".into())),
            set(FieldValue::On(true)),
            set(FieldValue::Many(Vec::new()))
        ]
    );
    let wrong = json!({"fields": [{"target": "e1", "value": 5}]});
    assert!(serde_json::from_value::<FormArgs>(wrong).is_err());
}
