//! Documents and skills say only what is there: every tool name in them exists, every example is read as it stands.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::tools::{self, Call, Surface, TABLE, ToolId};
use drawbridge_protocol::{address, recipe};
use drawbridge_tests::project;
use drawbridge_tests::sandbox::{Options, Sandbox};
use serde_json::{Value, json};

/// A fenced block: where it stands, its language, its text.
struct Example {
    at: String,
    language: String,
    text: String,
}

#[test]
fn every_tool_name_in_a_document_exists() -> Result<()> {
    let mut seen = 0;
    for path in documents()? {
        let text = fs::read_to_string(&path)?;
        for name in names(&text) {
            let known = TABLE.iter().any(|row| row.flat == name || row.domain == name);
            ensure!(known, "{}: there is no tool {name}", path.display());
            seen += 1;
        }
    }
    ensure!(seen > 20, "only {seen} names were found: the look sees nothing");
    Ok(())
}

#[test]
fn every_action_a_document_names_for_a_tool_exists() -> Result<()> {
    let mut seen = 0;
    for path in documents()? {
        let text = fs::read_to_string(&path)?;
        let shown = path.display();
        for (at, line) in (1..).zip(text.lines()) {
            // `tool` `action: word` and `tool` with `action: word` in prose.
            let Some((before, after)) = line.split_once("action: ") else {
                continue;
            };
            let Some(tool) = names(before).last().cloned() else {
                continue;
            };
            let action: String = after
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            ensure!(
                tools::actions(&tool).contains(&action.as_str()),
                "{shown}:{at}: {tool} has no action {action}"
            );
            seen += 1;
        }
    }
    ensure!(seen > 0, "the look sees nothing");
    Ok(())
}

#[test]
fn every_json_example_is_what_it_looks_like() -> Result<()> {
    let mut recipes = 0;
    for example in examples()? {
        if example.language != "json" {
            continue;
        }
        let value: Value = serde_json::from_str(&example.text).with_context(|| example.at.clone())?;
        if value.get("urlTemplate").is_some() {
            check_recipe(&value).with_context(|| example.at.clone())?;
            recipes += 1;
        }
    }
    for path in below(&project::root().join("examples"), ".recipe.json")? {
        let value: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
        check_recipe(&value).with_context(|| path.display().to_string())?;
        recipes += 1;
    }
    ensure!(recipes > 0, "there is no recipe to be seen");
    Ok(())
}

/// `drawbridge …` lines of shell examples, as the command line itself reads them: none of them is wrong use.
#[tokio::test(flavor = "multi_thread")]
async fn every_command_in_a_document_is_one() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let mut seen = 0;
    for (at, line) in commands()? {
        let words = words(&line).with_context(|| at.clone())?;
        let Some(words) = words.strip_prefix(&["drawbridge".to_owned()]) else {
            continue;
        };
        seen += 1;
        if let [call, tool, rest @ ..] = words
            && call == "call"
        {
            let args = rest.first().map_or("{}", String::as_str);
            let args: Value = serde_json::from_str(args).with_context(|| at.clone())?;
            let (id, args) = tools::resolve(tool, &args).with_context(|| at.clone())?;
            Call::read(id, &args).with_context(|| at.clone())?;
            continue;
        }
        if words.first().is_some_and(|word| word == "native-host") {
            // It has a word for people on stderr, and nothing on stdout.
            let (code, text) = sandbox.cli(["native-host", "--help"]).await?;
            ensure!(code == 0 && text.is_empty(), "{at}: {code} {text}");
            continue;
        }
        // Commands that would run on, or do what they say, are only read.
        let help: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .filter(|word| !word.starts_with(['<', '[']))
            .chain(["--help"])
            .collect();
        let (code, text) = sandbox.cli(help.iter().copied()).await?;
        ensure!(code == 0 && text.contains("Usage"), "{at}: {line}: {code} {text}");
    }
    ensure!(seen > 0, "there is no command to be seen");
    sandbox.stop().await
}

/// The reference is made from the table; this is about what a reader looks for in it.
#[test]
fn the_reference_holds_every_tool_argument_and_deadline() -> Result<()> {
    let path = project::root().join("docs/tools.md");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    for row in TABLE.iter().filter(|row| row.surface == Surface::Public) {
        ensure!(text.contains(&format!("## {}", row.domain)), "{}", row.domain);
        ensure!(text.contains(&format!("`{}`", row.flat)), "{}", row.flat);
        ensure!(text.contains(&row.default_ms.to_string()), "{}", row.flat);
    }
    for row in TABLE.iter().filter(|row| row.surface == Surface::Sandbox) {
        ensure!(
            !text.contains(row.domain),
            "{} is for sandboxes alone",
            row.domain
        );
    }
    Ok(())
}

/// A recipe of a document is one the bridge takes, its inputs filled in.
fn check_recipe(value: &Value) -> Result<()> {
    let recipe = recipe::parse(value, "recipe")?;
    let inputs = recipe
        .inputs
        .iter()
        .map(|name| (name.clone(), json!("2026")))
        .collect();
    address::expand(&recipe, &inputs)?;
    let args = json!({"recipe": value, "inputs": inputs});
    let (id, args) = tools::resolve("browser_extract", &args)?;
    ensure!(id == ToolId::Extract);
    Call::read(id, &args)?;
    Ok(())
}

/// Everything written for people and assistants that names tools.
fn documents() -> Result<Vec<PathBuf>> {
    let root = project::root();
    let mut found = vec![root.join("README.md")];
    found.extend(below(&root.join("docs"), ".md")?);
    found.extend(below(&root.join("skills"), ".md")?);
    for name in ["ARCHITECTURE.md", "SECURITY.md", "CONTRIBUTING.md"] {
        found.push(root.join(name));
    }
    found.retain(|path| path.is_file());
    ensure!(found.len() >= 4, "{found:?}");
    Ok(found)
}

fn below(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(below(&path, ending)?);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Words that look like tool names.
fn names(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with("browser_") && word.len() > "browser_".len())
        .map(str::to_owned)
        .collect()
}

fn examples() -> Result<Vec<Example>> {
    let mut found: Vec<Example> = Vec::new();
    for path in documents()? {
        let text = fs::read_to_string(&path)?;
        let mut open: Option<Example> = None;
        for (number, line) in (1..).zip(text.lines()) {
            match (line.trim_start().strip_prefix("```"), open.take()) {
                (Some(language), None) => {
                    open = Some(Example {
                        at: format!("{}:{number}", path.display()),
                        language: language.trim().to_owned(),
                        text: String::new(),
                    });
                }
                (Some(_), Some(example)) => found.push(example),
                (None, Some(mut example)) => {
                    example.text.push_str(line);
                    example.text.push('\n');
                    open = Some(example);
                }
                (None, None) => {}
            }
        }
        ensure!(open.is_none(), "{}: a block without an end", path.display());
    }
    Ok(found)
}

/// Lines of shell examples that begin with our command, continued ones as one, and the same in inline code.
fn commands() -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for example in examples()? {
        if ["sh", "bash", "console", "shell"].contains(&example.language.as_str()) {
            let whole = example.text.replace("\\\n", " ");
            for line in whole.lines() {
                let line = line.trim().trim_start_matches("$ ");
                if line.starts_with("drawbridge ") {
                    found.push((example.at.clone(), line.to_owned()));
                }
            }
        }
    }
    for path in documents()? {
        let text = fs::read_to_string(&path)?;
        for (number, line) in (1..).zip(text.lines()) {
            for code in line.split('`').skip(1).step_by(2) {
                // Placeholders in capitals and alternatives are descriptions, not commands.
                let plain = !code.contains(['|', '…'])
                    && !code
                        .split(' ')
                        .any(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase()));
                if code.starts_with("drawbridge ") && plain {
                    found.push((format!("{}:{number}", path.display()), code.to_owned()));
                }
            }
        }
    }
    Ok(found)
}

/// A command line as a shell splits it: spaces, and both kinds of quotes.
fn words(line: &str) -> Result<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in line.chars() {
        match (quote, character) {
            (Some(end), _) if character == end => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, ' ' | '\t') => words.extend(word.take()),
            (_, _) => word.get_or_insert_default().push(character),
        }
    }
    ensure!(quote.is_none(), "an open quote");
    words.extend(word);
    Ok(words)
}
