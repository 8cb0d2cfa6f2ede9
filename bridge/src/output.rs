//! What people and scripts see on stdout: the only file that prints.

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
    eprintln!("drawbridge: {}", error.message);
    if let Some(hint) = &error.hint {
        eprintln!("  {hint}");
    }
    if let Some(data) = &error.data {
        eprintln!("  {data}");
    }
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
