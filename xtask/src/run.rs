//! Running other programs and saying so.

use std::ffi::OsStr;
use std::process::Command;

use anyhow::{Context, Result, bail};
use drawbridge_tests::project;

/// Says what is done now, on stderr: stdout belongs to results.
pub(crate) fn say(text: impl std::fmt::Display) {
    eprintln!("xtask: {text}");
}

/// `cargo` of the project's toolchain, at the root. What `cargo xtask` itself runs under is not passed on.
pub(crate) fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(project::root());
    for (name, _) in std::env::vars_os() {
        let inner = name.to_string_lossy();
        if inner.starts_with("CARGO_PKG_") || inner.starts_with("CARGO_MANIFEST_") {
            command.env_remove(name);
        }
    }
    // Its result goes where the user looks for progress: stdout may be a contract of the calling command.
    command.stdout(std::io::stderr());
    command
}

/// Runs to the end; a failure names the command.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("could not start {}", shown(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", shown(command));
    }
    Ok(())
}

fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|part| part.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}
