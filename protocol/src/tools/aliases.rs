//! Names of arguments and values that skills for other bridges use with the same flat names, read as ours. The domain
//! tools take none of them.

use serde_json::{Map, Value, json};

use super::ToolId;
use crate::error::{Code, Error};

/// Arguments that are called otherwise elsewhere, and what they are called here.
const ARGUMENTS: &[(&str, &str)] = &[("includeFrames", "frames")];

/// Fields of a target that are called otherwise elsewhere.
const FIELDS: &[(&str, &str)] = &[("scopeSelector", "scope")];

/// Values of `do` of `browser_locator` that are called otherwise elsewhere.
const VALUES: &[(&str, &str)] = &[("getAttribute", "attribute"), ("boundingBox", "bounds")];

/// The arguments of a flat tool in the words of this table.
///
/// # Errors
/// `unsupported` for `responseMode: "raw"`, `invalid_argument` for an argument that is there under both names.
pub(super) fn read(id: ToolId, mut args: Map<String, Value>) -> Result<Map<String, Value>, Error> {
    match kind(id) {
        Kind::Own => return Ok(args),
        Kind::Acts => acting(id, &mut args)?,
        Kind::Reads => reading(id, &mut args)?,
    }
    if let Some(Value::Object(target)) = args.get_mut("target") {
        for (theirs, ours) in FIELDS {
            rename(target, "target.", theirs, ours)?;
        }
    }
    Ok(args)
}

/// The words of a read of a page that others use.
fn reading(id: ToolId, args: &mut Map<String, Value>) -> Result<(), Error> {
    match args.remove("responseMode") {
        None | Some(Value::Null) => {}
        Some(mode) => match mode.as_str() {
            Some("" | "compact") => {}
            Some("raw") => {
                return Err(Error::new(
                    Code::Unsupported,
                    "responseMode: raw is not offered; every reply is bounded",
                )
                .hint("name a part with target, or go on with nextCursor"));
            }
            _ => return Err(Error::argument("responseMode", "must be compact")),
        },
    }
    for (theirs, ours) in ARGUMENTS {
        rename(args, "", theirs, ours)?;
    }
    if id == ToolId::InspectFind || id == ToolId::InspectDom {
        rename(args, "", "action", "do")?;
    }
    if id == ToolId::InspectFind {
        let value = args.get("do").and_then(Value::as_str);
        if let Some((_, ours)) = VALUES.iter().find(|(theirs, _)| Some(*theirs) == value) {
            args.insert("do".to_owned(), json!(ours));
        }
    }
    Ok(())
}

/// How far the words of a flat tool are looked at: only those whose names others use for the same thing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A read of a page.
    Reads,
    /// An action on a page, or a wait.
    Acts,
    /// It has no words of others.
    Own,
}

fn kind(id: ToolId) -> Kind {
    match id {
        ToolId::InspectObserve
        | ToolId::InspectSnapshot
        | ToolId::InspectText
        | ToolId::InspectFind
        | ToolId::InspectTable
        | ToolId::InspectHtml
        | ToolId::InspectDom => Kind::Reads,
        ToolId::PageNavigate
        | ToolId::PageWait
        | ToolId::PageDialog
        | ToolId::InteractClick
        | ToolId::InteractDoubleClick
        | ToolId::InteractHover
        | ToolId::InteractFocus
        | ToolId::InteractBlur
        | ToolId::InteractScrollTo
        | ToolId::InteractWheel
        | ToolId::InteractFill
        | ToolId::InteractType
        | ToolId::InteractPress
        | ToolId::InteractSelect
        | ToolId::InteractCheck
        | ToolId::InteractUncheck
        | ToolId::InteractDrag
        | ToolId::InteractPointer
        | ToolId::InteractProbe => Kind::Acts,
        ToolId::SessionStart
        | ToolId::SessionStop
        | ToolId::SessionList
        | ToolId::SessionStatus
        | ToolId::SessionTargets
        | ToolId::SessionDoctor
        | ToolId::TabsList
        | ToolId::TabsNew
        | ToolId::TabsClose
        | ToolId::PageBack
        | ToolId::PageForward
        | ToolId::PageReload
        | ToolId::InspectScreenshot
        | ToolId::InspectSelectors
        | ToolId::InspectSuggest
        | ToolId::InteractForm
        | ToolId::InteractBatch
        | ToolId::Extract
        | ToolId::DebugEcho => Kind::Own,
    }
}

/// The words of an action's own that others use.
fn acting(id: ToolId, args: &mut Map<String, Value>) -> Result<(), Error> {
    match id {
        ToolId::PageNavigate => loads(args),
        ToolId::PageWait => waits(args),
        ToolId::PageDialog | ToolId::InteractPointer | ToolId::InteractProbe => {
            rename(args, "", "action", "do")
        }
        _ => Ok(()),
    }
}

/// `wait: true | false` of a load.
fn loads(args: &mut Map<String, Value>) -> Result<(), Error> {
    let until = match args.get("wait") {
        Some(Value::Bool(true)) => "load",
        Some(Value::Bool(false)) => "commit",
        _ => return Ok(()),
    };
    args.insert("wait".to_owned(), json!(until));
    rename(args, "", "wait", "waitUntil")
}

/// The word `state`, where it says which kind of condition the other arguments are.
fn waits(args: &mut Map<String, Value>) -> Result<(), Error> {
    let state = args.get("state").and_then(Value::as_str).unwrap_or_default();
    match state {
        "load" => {
            args.remove("state");
            args.insert("load".to_owned(), json!(true));
        }
        "text" | "url" => {
            args.remove("state");
        }
        "text_gone" => {
            args.remove("state");
            rename(args, "", "text", "textGone")?;
        }
        _ => {}
    }
    Ok(())
}

fn rename(args: &mut Map<String, Value>, prefix: &str, theirs: &str, ours: &str) -> Result<(), Error> {
    let Some(value) = args.remove(theirs) else {
        return Ok(());
    };
    if value.is_null() || value.as_str() == Some("") {
        return Ok(());
    }
    match args.get(ours) {
        None | Some(Value::Null) => {
            args.insert(ours.to_owned(), value);
            Ok(())
        }
        Some(_) => Err(Error::argument(
            &format!("{prefix}{theirs}"),
            format!("and {prefix}{ours} exclude each other"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Call, resolve};
    use super::*;

    fn read(name: &str, args: Value) -> Result<Value, Error> {
        let (id, args) = resolve(name, &args)?;
        Call::read(id, &args)?;
        Ok(args)
    }

    #[test]
    fn words_of_other_skills_are_read_on_flat_names() {
        for (name, theirs, ours) in [
            (
                "browser_extract",
                json!({"scope": "log", "tail": true, "includeFrames": false}),
                json!({"scope": "log", "tail": true, "frames": false}),
            ),
            (
                "browser_extract",
                json!({"selector": "main", "maxChars": 400, "responseMode": "compact"}),
                json!({"selector": "main", "maxChars": 400}),
            ),
            (
                "browser_snapshot",
                json!({"target": {"role": "button", "scopeSelector": "main"}}),
                json!({"target": {"role": "button", "scope": "main"}}),
            ),
            (
                "browser_locator",
                json!({"target": "li", "action": "count"}),
                json!({"target": "li", "do": "count"}),
            ),
            (
                "browser_locator",
                json!({"target": "a", "action": "getAttribute", "attribute": "href"}),
                json!({"target": "a", "do": "attribute", "attribute": "href"}),
            ),
            (
                "browser_locator",
                json!({"target": "li", "action": "", "do": "text"}),
                json!({"target": "li", "do": "text"}),
            ),
            (
                "browser_dom_cua",
                json!({"action": "list"}),
                json!({"do": "list"}),
            ),
        ] {
            assert_eq!(read(name, theirs), Ok(ours), "{name}");
        }
    }

    #[test]
    fn words_for_acting_and_waiting_are_read_on_flat_names() {
        for (name, theirs, ours) in [
            (
                "browser_wait",
                json!({"state": "load", "urlIncludes": "/done"}),
                json!({"load": true, "urlIncludes": "/done"}),
            ),
            (
                "browser_wait",
                json!({"state": "text", "textAny": ["Finished"], "reload": true, "reloadIntervalMs": 5000}),
                json!({"textAny": ["Finished"], "reload": true, "reloadIntervalMs": 5000}),
            ),
            (
                "browser_wait",
                json!({"state": "text_gone", "text": "Loading"}),
                json!({"textGone": "Loading"}),
            ),
            (
                "browser_wait",
                json!({"state": "hidden", "target": {"text": "Busy", "scopeSelector": "main"}}),
                json!({"state": "hidden", "target": {"text": "Busy", "scope": "main"}}),
            ),
            (
                "browser_navigate",
                json!({"url": "https://a.example/", "wait": false}),
                json!({"url": "https://a.example/", "waitUntil": "commit"}),
            ),
            (
                "browser_dialog",
                json!({"action": "accept", "text": "7"}),
                json!({"do": "accept", "text": "7"}),
            ),
            (
                "browser_cua",
                json!({"action": "click", "x": 3, "y": 4}),
                json!({"do": "click", "x": 3, "y": 4}),
            ),
            (
                "browser_click",
                json!({"target": {"role": "button", "name": "Save", "scopeSelector": "form"}}),
                json!({"target": {"role": "button", "name": "Save", "scope": "form"}}),
            ),
        ] {
            assert_eq!(read(name, theirs), Ok(ours), "{name}");
        }
        let error = read("browser_dialog", json!({"action": "accept", "do": "dismiss"})).unwrap_err();
        assert_eq!(error.message, "action: and do exclude each other");
        let error = read(
            "browser_page",
            json!({"action": "wait", "state": "load", "text": "x"}),
        )
        .unwrap_err();
        assert_eq!(
            error.code,
            Code::InvalidArgument,
            "domain tools take none of them"
        );
    }

    #[test]
    fn raw_is_refused_with_the_way_to_narrow() {
        let error = read("browser_snapshot", json!({"responseMode": "raw"})).unwrap_err();
        assert_eq!(error.code, Code::Unsupported);
        assert!(error.hint.unwrap().contains("target"));
        let error = read("browser_snapshot", json!({"responseMode": "huge"})).unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument);
    }

    #[test]
    fn both_names_at_once_contradict_each_other() {
        let error = read("browser_extract", json!({"includeFrames": true, "frames": true})).unwrap_err();
        assert_eq!(error.message, "includeFrames: and frames exclude each other");
        let error = read(
            "browser_locator",
            json!({"target": "li", "action": "text", "do": "count"}),
        )
        .unwrap_err();
        assert_eq!(error.message, "action: and do exclude each other");
    }

    #[test]
    fn domain_tools_have_one_word_for_each_thing() {
        let error = read(
            "browser_inspect",
            json!({"action": "text", "includeFrames": false}),
        )
        .unwrap_err();
        assert!(error.message.contains("includeFrames"), "{error}");
        assert!(read("browser_snapshot", json!({"action": "observe"})).is_err());
    }
}
