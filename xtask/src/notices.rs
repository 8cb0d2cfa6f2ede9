//! The licences of what is built into the bridge and the extension, as their authors want them to go along.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::run::cargo;
use crate::{build, package};

/// Crates of ours whose dependencies are built in.
const SHIPPED: &[&str] = &["drawbridge", "drawbridge-background", "drawbridge-reader"];

/// Crates that are only used while building, and whose data goes into what is built.
const EMBEDDED: &[&str] = &["bpe-openai"];

/// Names that files with a licence start with, in lower case.
const NAMES: &[&str] = &["licen", "copying", "copyright", "notice", "unlicense"];

/// One text for all, sorted by name.
pub(crate) fn text() -> Result<String> {
    let mut command = cargo(["metadata", "--format-version", "1", "--locked"]);
    for platform in [package::host()?.as_str(), build::WASM_TARGET] {
        command.args(["--filter-platform", platform]);
    }
    let output = command
        .stdout(Stdio::piped())
        .output()
        .context("could not run cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata failed");
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages: BTreeMap<&str, &Value> = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let mut text = String::from(
        "Drawbridge is licensed under MIT or Apache-2.0, see LICENSE-MIT and LICENSE-APACHE.\n\
         It contains the following works of others.\n",
    );
    let mut sorted: Vec<&Value> = reachable(&metadata, &packages)
        .into_iter()
        .filter_map(|id| packages.get(id).copied())
        .filter(|package| !package["source"].is_null())
        .collect();
    let key = |package: &Value| (word(&package["name"]), word(&package["version"]));
    sorted.sort_by_key(|package| key(package));
    let mut told: BTreeMap<String, String> = BTreeMap::new();
    for package in sorted {
        let (name, version) = key(package);
        write!(
            text,
            "\n{}\n{name} {version}\n{}\n{}\n",
            "=".repeat(100),
            word(&package["license"]),
            word(&package["repository"])
        )?;
        let manifest = PathBuf::from(word(&package["manifest_path"]));
        for licence in licences(manifest.parent().context("a crate without a folder")?)? {
            let licence = licence.trim_end().to_owned();
            match told.get(&licence) {
                Some(first) => write!(text, "\nThe text is that of {first} above.\n")?,
                None => {
                    write!(text, "\n{licence}\n")?;
                    told.insert(licence, format!("{name} {version}"));
                }
            }
        }
    }
    Ok(text)
}

/// Ids of all that is linked into what is shipped.
fn reachable<'a>(metadata: &'a Value, packages: &BTreeMap<&'a str, &'a Value>) -> BTreeSet<&'a str> {
    let nodes: BTreeMap<&str, &Value> = metadata["resolve"]["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let mut open: Vec<&str> = packages
        .iter()
        .filter(|(_, package)| SHIPPED.contains(&word(&package["name"]).as_str()))
        .map(|(id, _)| *id)
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let dependencies = nodes.get(id).and_then(|node| node["deps"].as_array());
        for dependency in dependencies.into_iter().flatten() {
            let is_linked = dependency["dep_kinds"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|kind| kind["kind"].is_null());
            let Some(id) = dependency["pkg"].as_str() else {
                continue;
            };
            let name = packages.get(id).map(|package| word(&package["name"]));
            if is_linked {
                open.push(id);
            } else if name.is_some_and(|name| EMBEDDED.contains(&name.as_str())) {
                // What it depends on itself only made the build.
                seen.insert(id);
            }
        }
    }
    seen
}

fn licences(folder: &Path) -> Result<Vec<String>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().to_lowercase())
                .unwrap_or_default();
            path.is_file() && NAMES.iter().any(|start| name.starts_with(start))
        })
        .collect();
    files.sort();
    Ok(files
        .into_iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect())
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
