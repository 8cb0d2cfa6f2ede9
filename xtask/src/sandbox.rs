//! `cargo xtask sandbox`: an isolated home to try things in, for people and for programs.

use std::future::Future;
use std::io::Read;

use anyhow::{Context, Result};
use drawbridge_tests::sandbox::{Options, Sandbox, chromium};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

use crate::run::say;
use crate::{build, output};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Shows the browsers' windows.
    #[arg(long)]
    headed: bool,
    /// How many browser profiles.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    profiles: u8,
    /// Admits no client and gives no grant by itself, as a released build.
    #[arg(long)]
    strict: bool,
    /// Prints the one line of JSON and nothing else.
    #[arg(long)]
    json: bool,
}

/// Builds, starts, says where everything is, and waits for the end.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    prepare()?;
    let options = Options {
        profiles: usize::from(arguments.profiles),
        headed: arguments.headed,
        strict: arguments.strict,
        ..Options::default()
    };
    block_on(async {
        // Listens first: a signal during the start must not leave a browser behind.
        let end = end_asked()?;
        tokio::pin!(end);
        say("starting the browser");
        let sandbox = tokio::select! {
            sandbox = Sandbox::start(options) => sandbox?,
            () = &mut end => return Ok(()),
        };
        output::line(sandbox.describe());
        if !arguments.json {
            let (home, bridge) = (sandbox.home().display(), sandbox.bridge().display());
            eprintln!("Try it:  DRAWBRIDGE_HOME={home} {bridge} chrome tabs");
            eprintln!("End it:  Ctrl-C, or Ctrl-D");
        }
        end.await;
        sandbox.stop().await
    })
}

/// What every command that starts a browser needs first.
pub(crate) fn prepare() -> Result<()> {
    if chromium::find().is_err() {
        say("installing Chromium");
    }
    chromium::install()?;
    build::all(false)
}

/// Runs a command's asynchronous part.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("could not start the runtime")?
        .block_on(work)
}

/// Ends when standard input closes or a signal asks for it.
fn end_asked() -> Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let (closed, input) = oneshot::channel::<()>();
    // A thread and not a task: a read that blocks for ever must not hold the runtime at the end.
    std::thread::spawn(move || {
        let mut buffer = [0; 1024];
        while matches!(std::io::stdin().read(&mut buffer), Ok(read) if read > 0) {}
        // The receiver is gone when a signal came first.
        let _ = closed.send(());
    });
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
            _ = input => {}
        }
    })
}
