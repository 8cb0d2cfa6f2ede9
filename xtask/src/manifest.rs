//! The manifest that sandboxes load.

use anyhow::{Context, Result};
use serde_json::{Map, Value};

/// Moves the optional permissions to the required ones: nobody can press the button that asks for them.
pub(crate) fn for_sandbox(manifest: &str) -> Result<String> {
    let mut manifest: Map<String, Value> = serde_json::from_str(manifest).context("manifest.json")?;
    for (optional, required) in [
        ("optional_permissions", "permissions"),
        ("optional_host_permissions", "host_permissions"),
    ] {
        let Some(Value::Array(moved)) = manifest.remove(optional) else {
            continue;
        };
        match manifest
            .entry(required)
            .or_insert_with(|| Value::Array(Vec::new()))
        {
            Value::Array(permissions) => permissions.extend(moved),
            other => anyhow::bail!("manifest.json: {required} is {other}, not an array"),
        }
    }
    Ok(format!("{:#}\n", Value::Object(manifest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_permissions_become_required() {
        let text =
            for_sandbox(r#"{"name": "x", "permissions": ["tabs"], "optional_permissions": ["history"]}"#)
                .unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            manifest,
            serde_json::json!({"name": "x", "permissions": ["tabs", "history"]})
        );
    }

    #[test]
    fn a_manifest_that_is_none_is_an_error() {
        assert!(for_sandbox("[]").is_err());
        assert!(for_sandbox(r#"{"permissions": 1, "optional_permissions": []}"#).is_err());
    }
}
