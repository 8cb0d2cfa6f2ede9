//! The command line for people and scripts.

mod args;
mod commands;
mod doctor;
mod setup;

use std::process::ExitCode;

use clap::Parser;
use drawbridge_protocol::error::{Code, Error, Outcome};
use drawbridge_protocol::ids::ClientId;

use crate::home::Home;
use crate::{daemon, logs, mcp, output};
use args::{Arguments, Chrome, Command};

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            if !error.use_stderr() {
                // Help and version; a closed pipe does not matter.
                drop(error.print());
                return ExitCode::SUCCESS;
            }
            if wants_json() {
                let words = error.render().to_string();
                let problem = words.trim_start_matches("error: ").trim().to_owned();
                output::json(&envelope(Error::new(Code::InvalidArgument, problem)));
            } else {
                // To stderr; a closed pipe does not matter.
                drop(error.print());
            }
            return ExitCode::from(1);
        }
    };
    // A call prints its envelope whatever comes of it.
    let json = arguments.json || matches!(arguments.command, Command::Call { .. });
    match run(arguments.command, json) {
        Ok(code) => code,
        Err(error) => {
            let code = output::exit_code(error.code);
            if json {
                output::json(&envelope(error));
            } else {
                output::problem(&error);
            }
            code
        }
    }
}

/// Whether arguments that cannot be read ask for JSON all the same.
fn wants_json() -> bool {
    std::env::args_os()
        .skip(1)
        .take_while(|word| word != "--")
        .any(|word| word == "--json")
}

fn envelope(error: Error) -> String {
    serde_json::to_string(&Outcome(Err(error))).unwrap_or_default()
}

fn run(command: Command, json: bool) -> Result<ExitCode, Error> {
    match command {
        Command::Tools { name } => commands::tools(name.as_deref(), json),
        // Both work where a home is missing or broken.
        Command::Setup(asked) => asynchronous(setup::run(&client_id("cli"), asked, json)),
        Command::Doctor(asked)
        | Command::Chrome {
            look: Chrome::Doctor(asked),
        } => asynchronous(doctor::run(&client_id("cli"), asked, json)),
        Command::Daemon { stop: false } => serve(&home()?),
        Command::Mcp { surface } => {
            let home = home()?;
            start_logs(&home, "mcp");
            let client = client_id("mcp");
            asynchronous(async {
                mcp::serve(home, surface, client)
                    .await
                    .map_err(|error| Error::internal(format!("{error:#}")))?;
                Ok(ExitCode::SUCCESS)
            })
        }
        Command::Daemon { stop: true } => {
            let home = home()?;
            asynchronous(commands::stop(&home, &client_id("cli"), json))
        }
        Command::Call { .. }
        | Command::Chrome { .. }
        | Command::Grants { .. }
        | Command::Clients { .. }
        | Command::Targets { .. }
        | Command::Settings { .. }
        | Command::Audit { .. } => {
            let home = home()?;
            asynchronous(commands::run(&home, &client_id("cli"), command, json))
        }
    }
}

/// The daemon in the foreground of whoever started it; a started one detaches itself.
fn serve(home: &Home) -> Result<ExitCode, Error> {
    start_logs(home, "daemon");
    match daemon::run(home) {
        Ok(daemon::Exit::Done) => Ok(ExitCode::SUCCESS),
        Ok(daemon::Exit::AlreadyRunning) => {
            output::tell(&format!(
                "drawbridge: a daemon is running for {}",
                home.root().display()
            ));
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Err(Error::internal(format!("{error:#}"))),
    }
}

fn home() -> Result<Home, Error> {
    Home::open().map_err(|error| Error::new(Code::NotConnected, format!("{error:#}")))
}

/// A role works without its log: a full disk must not keep anybody out.
fn start_logs(home: &Home, role: &str) {
    if let Err(error) = logs::start(home, role) {
        output::tell(&format!("drawbridge: no log: {error:#}"));
    }
}

fn client_id(default: &str) -> ClientId {
    let chosen = std::env::var("DRAWBRIDGE_CLIENT")
        .ok()
        .filter(|id| !id.is_empty());
    ClientId(chosen.unwrap_or_else(|| default.to_owned()))
}

fn asynchronous(work: impl Future<Output = Result<ExitCode, Error>>) -> Result<ExitCode, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::internal(error.to_string()))?;
    let done = runtime.block_on(work);
    // A read of stdin may still wait on a thread of its own.
    runtime.shutdown_background();
    done
}
