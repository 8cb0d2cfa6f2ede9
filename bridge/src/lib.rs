//! The bridge: everything of Drawbridge that runs outside the browser.
//!
//! | file | what it is |
//! |---|---|
//! | [`home`] | the folder that holds all state, and the checks before it is used |
//! | [`wire`] | frames on a byte stream, with limits |
//! | [`client`] | the local socket from a client's side; starts the daemon when there is none |
//! | [`native_host`] | the process that the browser starts: a relay without logic |
//! | [`daemon`] | one per home: links, sessions, grants, the one door |
//! | [`mcp`] | the MCP server over stdio |
//! | [`cli`], [`output`] | the command line, and the only place that prints |

pub mod cli;
pub mod client;
pub mod daemon;
pub mod home;
pub mod logs;
pub mod mcp;
pub mod native_host;
pub mod output;
pub mod wire;
