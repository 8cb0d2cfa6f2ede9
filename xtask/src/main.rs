//! Developer commands; `cargo xtask help` lists them.

mod build;
mod manifest;
mod run;
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
}

fn main() -> std::process::ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.command {
        Command::Build { released } => build::all(released),
    };
    match done {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
