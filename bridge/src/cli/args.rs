//! What can be said on the command line.

use clap::{Parser, Subcommand, ValueEnum};
use drawbridge_protocol::local::Decision;

use super::doctor::Doctor;
use super::setup::Setup;
use crate::mcp::Surface;

/// Works in your own browser, for an assistant or a script that you let in.
#[derive(Debug, Parser)]
#[command(
    name = "drawbridge",
    version,
    after_help = "`drawbridge native-host` is what the browser starts.\n\n\
    Exit codes: 0 done, 1 refused or wrong use, 2 transport, 3 browser, 4 timeout, 5 version."
)]
pub(super) struct Arguments {
    /// Prints one JSON line, {"ok": true, "result": …} or {"ok": false, "error": …}.
    #[arg(long, global = true)]
    pub(super) json: bool,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Tells the browsers of this machine about the bridge, and shows what is left to do; --remove takes it back.
    Setup(Setup),
    /// Looks at every hop between a client and a page, and names what is broken and its repair.
    Doctor(Doctor),
    /// Makes one tool call and prints its reply as one JSON line.
    Call {
        /// Domain or flat name of the tool.
        tool: String,
        /// Its arguments as a JSON object, or - to read them from stdin.
        #[arg(default_value = "{}")]
        args: String,
        /// Adds where the time went.
        #[arg(long)]
        hops: bool,
    },
    /// Looks at the browser.
    Chrome {
        #[command(subcommand)]
        look: Chrome,
    },
    /// What clients may do.
    Grants {
        #[command(subcommand)]
        act: Grants,
    },
    /// Who asked to be let in.
    Clients {
        #[command(subcommand)]
        act: Clients,
    },
    /// Browser profiles.
    Targets {
        #[command(subcommand)]
        act: Targets,
    },
    /// What can be set.
    Settings {
        #[command(subcommand)]
        act: Settings,
    },
    /// What was done.
    Audit {
        #[command(subcommand)]
        act: Audit,
    },
    /// Lists the tools, or shows one with its arguments.
    Tools {
        /// Domain or flat name.
        name: Option<String>,
    },
    /// Serves MCP on stdin and stdout.
    Mcp {
        /// Which tools the client sees.
        #[arg(long, value_enum, default_value_t)]
        surface: Surface,
    },
    /// Runs the daemon, which others start by themselves.
    Daemon {
        /// Ends the running one after it released everything.
        #[arg(long)]
        stop: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Chrome {
    /// Says whether a page can be reached.
    Status {
        /// Which browser profile: its id or name.
        #[arg(long)]
        target: Option<String>,
    },
    /// Looks at every hop between a client and a page, and names what is broken and its repair.
    Doctor(Doctor),
    /// Lists tabs.
    Tabs {
        /// Which browser profile: its id or name.
        #[arg(long)]
        target: Option<String>,
        /// Part of a title or address.
        #[arg(long)]
        query: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Grants {
    /// Lists all grants.
    List,
    /// Writes a grant.
    Set {
        /// Client, or * for every admitted one.
        subject: String,
        /// Such as browser.read, or *.
        action: String,
        /// What is decided.
        decision: Word,
        /// Host and everything below it; everywhere but local addresses without.
        #[arg(long, default_value = "*")]
        site: String,
        /// Answers for the person.
        #[cfg(feature = "sandbox")]
        #[arg(long)]
        yes: bool,
    },
    /// Switches an action off, whatever was granted before; running calls are stopped.
    Revoke {
        /// Client, or * for every one.
        subject: String,
        /// Such as browser.read, or *.
        action: String,
        /// Host and everything below it; everywhere without.
        #[arg(long)]
        site: Option<String>,
    },
}

/// `off`, `ask` or `allow`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Word {
    Off,
    Ask,
    Allow,
}

impl From<Word> for Decision {
    fn from(word: Word) -> Self {
        match word {
            Word::Off => Self::Off,
            Word::Ask => Self::Ask,
            Word::Allow => Self::Allow,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Clients {
    /// Lists clients that asked and those that are admitted.
    List,
    /// Admits a client.
    Admit {
        /// Its id.
        id: String,
        /// Answers for the person.
        #[cfg(feature = "sandbox")]
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Targets {
    /// Lists connected profiles.
    List,
    /// Asks a person, in a paired browser, to confirm another profile.
    Pair {
        /// Its id or name.
        target: String,
        /// Answers for the person.
        #[cfg(feature = "sandbox")]
        #[arg(long)]
        yes: bool,
    },
    /// Takes a profile's confirmation back.
    Unpair {
        /// Its id.
        target: String,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Settings {
    /// Shows a setting.
    Get {
        /// Such as recipe.window.
        key: String,
    },
    /// Changes a setting.
    Set {
        /// Such as recipe.window.
        key: String,
        /// Its value.
        value: String,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Audit {
    /// Looks whether the record is as it was written.
    Verify,
    /// Deletes the record; a mark of that stays in it.
    Delete {
        /// Answers for the person.
        #[cfg(feature = "sandbox")]
        #[arg(long)]
        yes: bool,
    },
    /// Shows the last calls, newest first.
    Show {
        /// How many.
        #[arg(long, default_value_t = 50)]
        limit: u32,
    },
}
