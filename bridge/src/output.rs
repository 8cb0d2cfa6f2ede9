//! What people and scripts see on stdout and stderr: the only file that prints.

use std::io::Write;
use std::process::ExitCode;

use drawbridge_protocol::error::{Code, Error};

/// Prints one line. A reader that left is no error of ours.
pub fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush()) {
        tracing::debug!(%error, "nobody reads stdout");
    }
}

/// Says something on stderr. A reader that left, or a full disk behind it, is no error of ours.
pub fn tell(text: &str) {
    if let Err(error) = writeln!(std::io::stderr().lock(), "{text}") {
        tracing::debug!(%error, "nobody reads stderr");
    }
}

/// Prints rows below a header, as a table for people.
pub fn table(header: &[&str], rows: Vec<Vec<String>>) {
    if rows.is_empty() {
        line("none");
        return;
    }
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(header.iter().map(|cell| cell.to_uppercase()));
    for row in rows {
        table.add_row(row);
    }
    for text in table.to_string().lines() {
        line(text.trim_end());
    }
}

/// Tells a person what went wrong and what to do next.
pub fn problem(error: &Error) {
    tell(&format!("drawbridge: {}", harmless(&error.message)));
    if let Some(hint) = &error.hint {
        tell(&format!("  {}", harmless(hint)));
    }
    if let Some(data) = &error.data {
        tell(&format!("  {}", harmless(&data.to_string())));
    }
}

/// Prints JSON as one line. What is not harmless stands escaped in its strings, which read as before.
pub fn json(text: &str) {
    line(&escaped(text));
}

/// A text without what could move the cursor, change colours, or make it read in another order than it stands.
pub fn harmless(text: &str) -> String {
    text.chars()
        .filter(|&character| character == '\n' || !is_harmful(character))
        .collect()
}

fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        // All of them have four digits.
        if is_harmful(character) {
            text.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            text.push(character);
        }
    }
    text
}

fn is_harmful(character: char) -> bool {
    let turns = matches!(character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns
}

/// The exit code that belongs to an error: 1 refused or wrong use, 2 transport, 3 browser, 4 timeout, 5 version.
pub fn exit_code(code: Code) -> ExitCode {
    ExitCode::from(match code {
        Code::InvalidArgument
        | Code::NotGranted
        | Code::NeedsApproval
        | Code::BorrowDenied
        | Code::Unpaired
        | Code::TargetRequired
        | Code::SessionUnknown
        | Code::SessionBusy
        | Code::TabNotOwned
        | Code::Unsupported
        | Code::TooLarge
        | Code::Cancelled
        | Code::Conflict
        | Code::ScriptFailed => 1,
        Code::NotConnected | Code::TargetUnavailable | Code::TargetChanged | Code::Internal => 2,
        Code::UserActive
        | Code::UserAborted
        | Code::TabGone
        | Code::PageUnreadable
        | Code::PageChanging
        | Code::StaleRef
        | Code::StaleSnapshot
        | Code::NotFound
        | Code::Ambiguous
        | Code::NotVisible
        | Code::NotEnabled
        | Code::NotEditable
        | Code::Covered
        | Code::NoEffect
        | Code::Unconfirmed
        | Code::Reverted
        | Code::OptionNotFound
        | Code::DialogOpen
        | Code::NavigationBlocked
        | Code::EffectUnknown
        | Code::SourceChanged
        | Code::LoginRequired => 3,
        Code::Timeout => 4,
        Code::VersionMismatch => 5,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_sees_neither_escapes_nor_turned_text() {
        assert_eq!(
            harmless("a\u{1b}[31mb\0\u{9b}c\r\n\u{202e}d\u{2066}é🎉"),
            "a[31mbc\ndé🎉"
        );
    }
}
