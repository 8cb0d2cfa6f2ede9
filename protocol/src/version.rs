//! Which peers understand each other.

/// Number of the wire between bridge and extension, and between bridge and client. A new tool or an optional
/// field does not raise it.
pub const PROTOCOL: u32 = 1;

/// The oldest extension protocol this bridge still serves.
pub const OLDEST_EXTENSION: u32 = 1;

/// The oldest bridge protocol this extension still serves.
pub const OLDEST_BRIDGE: u32 = 1;

/// Raised when the extension can do something new that a bridge may ask for by name.
pub const CAPABILITY_REVISION: u32 = 2;

/// What came with each capability revision.
pub const CAPABILITIES: [(u32, &str); CAPABILITY_REVISION as usize] = [
    (1, "sessions, tabs, reading and recipes"),
    (2, "a socket for large messages"),
];

/// The id that the `key` in the extension's manifest gives it; the only caller a native host answers.
pub const EXTENSION_ID: &str = "pmcmnfhanggajfnmnbckgnelmnpfgonm";

/// The name of the native messaging host.
/// <https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging>
pub const NATIVE_HOST: &str = "dev.drawbridge.bridge";

/// The build of this crate's workspace, such as `0.1.0`.
pub const BUILD: &str = env!("CARGO_PKG_VERSION");
