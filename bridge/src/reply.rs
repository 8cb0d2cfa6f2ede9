//! A reply as text for a model: what a page says as lines between two marks, and around it what is ours. Pure.
//!
//! The marks hold a random word per reply, so that nothing a page says can end them. The daemon counts tokens over this
//! very text, the MCP server sends it.

use std::fmt::Write as _;

use drawbridge_protocol::outline::line::{is_unseen, quoted};
use serde_json::Value;

/// Results that hold one long text of a page, by the field it is in.
pub const PAYLOADS: &[&str] = &["outline", "text", "html", "csv"];

/// What is written of a result besides the page's text, in this order: label, then the JSON pointer of a number or word.
const FACTS: &[(&str, &str)] = &[
    ("snapshot", "/snapshotId"),
    ("table", "/ref"),
    ("rows in all", "/totalRows"),
    ("rows declared", "/declaredRows"),
    ("lines matched", "/matchedLineCount"),
    ("bytes in all", "/bytes"),
    ("secret values taken out", "/secrets"),
];

/// The name of the field with the page's text, where a result has one that is framed.
pub fn payload(result: &Value) -> Option<&'static str> {
    result.get("boundary")?.as_str()?;
    PAYLOADS
        .iter()
        .copied()
        .find(|name| result.get(name).is_some_and(Value::is_string))
}

/// The text of a reply; `None` where the envelope itself is the text.
pub fn text(result: &Value) -> Option<String> {
    let page = result.get(payload(result)?)?.as_str()?;
    let word = |name: &str| result.get(name).and_then(Value::as_str);
    let boundary = word("boundary")?;
    let mut out = String::with_capacity(page.len() + 512);
    out.push_str(&shown(word("url").unwrap_or_default()));
    out.push(' ');
    out.push_str(&quoted(word("title").unwrap_or_default()));
    if let Some(tab) = word("tab") {
        // Writing into a string cannot fail.
        let _ = write!(out, " tab={tab}");
    }
    out.push('\n');
    for (label, pointer) in FACTS {
        match result.pointer(pointer) {
            Some(Value::String(word)) => _ = writeln!(out, "{label}: {word}"),
            Some(Value::Number(number)) => _ = writeln!(out, "{label}: {number}"),
            _ => {}
        }
    }
    if let Some(numbers) = result.get("matchedLineNumbers").and_then(Value::as_array) {
        let numbers: Vec<String> = numbers.iter().map(Value::to_string).collect();
        let _ = writeln!(out, "line numbers: {}", numbers.join(","));
    }
    if let Some(diff) = result.get("diff") {
        difference(&mut out, diff);
    }
    let _ = writeln!(out, "--- page data {boundary}");
    free(&mut out, page);
    if !page.is_empty() && !page.ends_with('\n') {
        out.push('\n');
    }
    let _ = writeln!(out, "--- end {boundary}");
    if let Some(omitted) = result.get("omitted").and_then(Value::as_object) {
        let parts: Vec<String> = omitted
            .iter()
            .map(|(kind, number)| format!("{number} {kind}"))
            .collect();
        let _ = writeln!(out, "omitted: {}", parts.join(", "));
    }
    if let Some(cursor) = word("nextCursor") {
        let _ = writeln!(out, "next: cursor={cursor}");
    }
    if let Some(hint) = word("hint") {
        let _ = writeln!(out, "{hint}");
    }
    out.truncate(out.trim_end().len());
    Some(out)
}

fn difference(out: &mut String, diff: &Value) {
    let number = |name: &str| diff[name].as_u64().unwrap_or_default();
    if diff["base"] == true {
        let _ = writeln!(
            out,
            "changed since your last look: {} new, {} changed, {} gone, {} as they were",
            number("added"),
            number("changed"),
            number("removed"),
            number("unchanged")
        );
    } else {
        let reason = diff["reason"].as_str().unwrap_or_default();
        let _ = writeln!(out, "nothing to compare with ({reason}); all of it:");
    }
}

/// Page text with its lines; what cannot be seen is written out.
fn free(out: &mut String, text: &str) {
    for character in text.chars() {
        if is_unseen(character) && character != '\n' && character != '\t' {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
        } else {
            out.push(character);
        }
    }
}

/// An address: a browser writes it without spaces or controls; one that has any is quoted.
fn shown(url: &str) -> String {
    let plain = |character: char| character.is_ascii_graphic() && character != '"';
    if !url.is_empty() && url.chars().all(plain) {
        url.to_owned()
    } else {
        quoted(url)
    }
}

#[cfg(test)]
mod tests;
