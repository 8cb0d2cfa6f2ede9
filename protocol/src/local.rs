//! What goes over the daemon's local socket: clients (MCP server, command line) and native hosts on one side, the
//! daemon on the other. Frames as in [`crate::frame`], never in parts: the socket has no limit of its own below
//! [`crate::frame::MESSAGE_LIMIT`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Outcome};
use crate::ids::{CallId, ClientId, TargetId};
use crate::link::Hop;
use crate::secret::Secret;

/// From whoever connected to the daemon. The first message is a hello; anything else closes the connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ToDaemon {
    /// A client introduces itself.
    Client(ClientHello),
    /// A native host introduces its browser. After it, only link frames follow, in both directions.
    Link(LinkHello),
    /// In place of a hello: a newer build asks an older daemon to let running calls finish and to make room.
    Drain {
        /// [`crate::version::PROTOCOL`] of whoever asks.
        protocol: u32,
        /// Its version; one that is not newer is refused.
        build: String,
    },
    /// A tool call.
    Call {
        /// Pairs it with its reply; unique on the connection.
        id: CallId,
        /// Domain or flat name.
        tool: String,
        /// Its arguments.
        #[serde(default)]
        args: Value,
    },
    /// Stop a call; it still gets its reply.
    Cancel {
        /// Which one.
        id: CallId,
    },
    /// A command of the command line that is no tool.
    Admin {
        /// Pairs it with its reply; unique on the connection.
        id: CallId,
        /// What to do.
        admin: Admin,
    },
}

/// From the daemon to a client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FromDaemon {
    /// The hello fits.
    Welcome {
        /// [`crate::version::PROTOCOL`] of the daemon.
        protocol: u32,
        /// Version of the daemon.
        build: String,
        /// Process id of the daemon.
        pid: u32,
    },
    /// The hello, or what came after it, does not fit; the daemon closes the connection after it.
    Refused {
        /// Why.
        error: Error,
    },
    /// The answer to [`ToDaemon::Drain`]: no new call is taken, and this daemon ends.
    Draining {
        /// Process id of the daemon.
        pid: u32,
        /// Milliseconds it takes at most.
        limit_ms: u64,
    },
    /// What came of a call or an admin command.
    Reply {
        /// Which one.
        id: CallId,
        /// What came of it.
        outcome: Outcome,
        /// Where its time went.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hops: Vec<Hop>,
    },
}

/// Who a client is. Says nothing that is believed without proof: see `needs_approval`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientHello {
    /// [`crate::version::PROTOCOL`] of the client.
    pub protocol: u32,
    /// Version of the client.
    pub build: String,
    /// The subject its grants hang on.
    pub client: ClientId,
    /// Name for people, decoration only.
    pub name: String,
    /// Proves that it is the client it was before. Another one, or none, is another client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
}

/// Which browser a native host was started by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkHello {
    /// [`crate::version::PROTOCOL`] of the native host.
    pub protocol: u32,
    /// Version of the native host.
    pub build: String,
    /// The origin the browser named, `chrome-extension://<id>/`.
    pub origin: String,
    /// Process id of the browser.
    pub browser_pid: u32,
    /// Name for a profile that connects for the first time, from the wrapper of a sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// Commands of the command line that are no tools. What widens access needs the approval page; only a build with
/// feature `sandbox` takes `yes`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "admin", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Admin {
    /// Connected browsers with the process ids that people look for. → array of `{id, name, pid, …}`
    Links,
    /// How the links are, without a name for clients that are not admitted. → [`crate::tools::doctor::Health`]
    Health {
        /// Whether to measure round trips too.
        bench: bool,
        /// Whether a daemon that has just started waits for browsers to find it again.
        settle: bool,
    },
    /// All grants. → array of [`Grant`]
    Grants,
    /// Writes one grant. → the [`Grant`]
    SetGrant {
        /// What it says.
        grant: Grant,
        /// Answers the approval page in a sandbox.
        yes: bool,
    },
    /// Makes an action `off` for a client, everywhere or on one site, also against defaults. → the [`Grant`]
    RevokeGrant {
        /// Whose.
        subject: ClientId,
        /// Which action; `*` for all.
        action: String,
        /// Where; everywhere without.
        site: Option<String>,
    },
    /// Admits a client. → null
    Admit {
        /// Which one.
        client: ClientId,
        /// Answers the approval page in a sandbox.
        yes: bool,
    },
    /// Clients that asked and those that are admitted. → array of `{client, name, admitted}`
    Clients,
    /// One setting's value. → the value
    GetSetting {
        /// Its key.
        key: String,
    },
    /// Changes a setting. → the value
    SetSetting {
        /// Its key.
        key: String,
        /// Its value.
        value: String,
    },
    /// The last calls, newest first. → array of audit rows
    Audit {
        /// Rows at most.
        limit: u32,
    },
    /// Pairs the only browser profile that is connected, or the next one that connects within five minutes; only as
    /// long as no profile is paired. → `{"state": "paired" | "open" | "closed", "target"?: …, "ms"?: …}`
    OpenPairing,
    /// Asks a person, in a paired browser, to confirm another profile. → null
    Pair {
        /// Its id or name.
        target: String,
        /// Answers the approval page in a sandbox.
        yes: bool,
    },
    /// Takes a profile's confirmation back; its link ends. → null
    Unpair {
        /// Which one.
        target: TargetId,
    },
    /// Whether the record of calls is as it was written. → `{"intact": bool, "rows": n, "head": …, "problem"?: …}`
    VerifyAudit,
    /// Deletes the record of calls and leaves a tombstone. → `{"deleted": n}`
    DeleteAudit {
        /// Answers the approval page in a sandbox.
        yes: bool,
    },
    /// Ends the daemon after it released everything. → null
    Shutdown,
}

/// A person's standing decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Grant {
    /// Client it is about; `*` for every admitted one.
    pub subject: ClientId,
    /// `browser.read`, `browser.interact`, … or `*`.
    pub action: String,
    /// Host and everything below it; `*` for everywhere but local addresses.
    pub site: String,
    /// What was decided.
    pub decision: Decision,
}

/// What a grant says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// No.
    Off,
    /// A person has to answer each time.
    Ask,
    /// Yes.
    Allow,
}
