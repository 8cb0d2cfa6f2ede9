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
    if !reads_pages(id) {
        return Ok(args);
    }
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
        rename(&mut args, "", theirs, ours)?;
    }
    if let Some(Value::Object(target)) = args.get_mut("target") {
        for (theirs, ours) in FIELDS {
            rename(target, "target.", theirs, ours)?;
        }
    }
    if id == ToolId::InspectFind || id == ToolId::InspectDom {
        rename(&mut args, "", "action", "do")?;
    }
    if id == ToolId::InspectFind {
        let value = args.get("do").and_then(Value::as_str);
        if let Some((_, ours)) = VALUES.iter().find(|(theirs, _)| Some(*theirs) == value) {
            args.insert("do".to_owned(), json!(ours));
        }
    }
    Ok(args)
}

/// Whether the words of a flat tool are looked at: only of those whose names others use for the same thing.
fn reads_pages(id: ToolId) -> bool {
    match id {
        ToolId::InspectObserve
        | ToolId::InspectSnapshot
        | ToolId::InspectText
        | ToolId::InspectFind
        | ToolId::InspectTable
        | ToolId::InspectHtml
        | ToolId::InspectDom => true,
        ToolId::SessionStart
        | ToolId::SessionStop
        | ToolId::SessionList
        | ToolId::SessionStatus
        | ToolId::SessionTargets
        | ToolId::SessionDoctor
        | ToolId::TabsList
        | ToolId::TabsNew
        | ToolId::TabsClose
        | ToolId::PageNavigate
        | ToolId::InspectSelectors
        | ToolId::InspectSuggest
        | ToolId::Extract
        | ToolId::DebugEcho => false,
    }
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
