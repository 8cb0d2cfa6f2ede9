//! One binary: what it is depends on its arguments.

use std::process::ExitCode;

use drawbridge::{cli, native_host};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

fn main() -> ExitCode {
    // Everything this program creates is for its user alone.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    // Nor is what it has in memory left on a disk when it crashes. Below its upper bound a limit can always be set.
    let Rlimit { maximum, .. } = getrlimit(Resource::Core);
    let none = Rlimit {
        current: Some(0),
        maximum,
    };
    setrlimit(Resource::Core, none).ok();
    let arguments: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    // A browser starts a native host with its own arguments, and takes every byte on stdout for a frame. So this is
    // decided before a command line parser could print anything.
    match arguments.get(1).map(String::as_str) {
        Some(origin) if origin.starts_with("chrome-extension://") => native_host::main(origin),
        Some("native-host") => native_host::command(&arguments[2..]),
        _ => cli::main(),
    }
}
