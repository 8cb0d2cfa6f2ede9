//! Developer commands; `cargo xtask help` lists them.

mod bench;
mod build;
mod demo;
mod docs;
mod manifest;
mod notices;
mod output;
mod package;
mod packages;
mod run;
mod sandbox;
mod test;
mod wasm;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Developer commands of Drawbridge.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds the extension and the bridge that sandboxes use. Does only what is stale.
    Build {
        /// Also builds the bridge without the feature `sandbox`, for the tests about it.
        #[arg(long)]
        released: bool,
    },
    /// Runs an isolated home with its own Chromium until stdin closes or a signal comes, then removes it.
    Sandbox(sandbox::Arguments),
    /// Shows the main job: signs in on a local site, then reads it through an MCP client.
    Demo {
        /// Shows the browser's windows.
        #[arg(long)]
        headed: bool,
    },
    /// Installs what is missing, builds, and runs every test.
    Test {
        /// Passed to the end-to-end tests, such as a name to filter by.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Measures what the project promises about speed and size.
    Bench {
        /// `all` but `read`, or `read`: reading pages beside others on the same Chromium.
        #[arg(value_enum, default_value_t = bench::What::All)]
        what: bench::What,
    },
    /// Installs the pinned packages that pages of the tests use.
    Packages,
    /// Makes the archives that are handed out: the extension as zip, the bridge as tar.gz. The same sources make the same
    /// bytes.
    Package {
        /// Builds our own crates anew, packs again, and compares with the archives that are there.
        #[arg(long)]
        check: bool,
    },
    /// Writes docs/tools.md from the tool table.
    Docs {
        /// Only says whether it is up to date.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> std::process::ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.command {
        Command::Build { released } => build::all(released),
        Command::Sandbox(arguments) => sandbox::run(&arguments),
        Command::Demo { headed } => demo::run(headed),
        Command::Test { arguments } => test::all(&arguments),
        Command::Bench { what } => bench::run(what),
        Command::Packages => packages::web().and_then(|_| packages::wob()).map(drop),
        Command::Package { check } => package::run(check),
        Command::Docs { check } => docs::run(check),
    };
    match done {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
