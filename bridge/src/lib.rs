//! The bridge: everything of Drawbridge that runs outside the browser.
//!
//! | file | what it is |
//! |---|---|
//! | [`home`] | the folder that holds all state, and the checks before it is used |
//! | [`hex`] | hexadecimal words |
//! | [`redact`] | what must not be written down, taken out of texts |
//! | [`wire`] | frames on a byte stream, with limits |
//! | [`client`] | the local socket from a client's side; starts the daemon when there is none |
//! | [`native_host`] | the process that the browser starts: a relay without logic |
//! | [`daemon`] | one per home: links, sessions, grants, the one door |
//! | [`mcp`] | the MCP server over stdio |
//! | [`reply`], [`tokens`], [`budget`] | a reply as text, its tokens, and how much fits into so many |
//! | [`browsers`], [`registration`] | the browsers of this machine, and what set-up told them |
//! | [`doctor`] | which hop between a client and a page is broken, and its repair |
//! | [`cli`], [`output`] | the command line, and the only place that prints |

pub mod browsers;
pub mod budget;
pub mod cli;
pub mod client;
pub mod daemon;
pub mod doctor;
pub mod hex;
pub mod home;
pub mod logs;
pub mod mcp;
pub mod native_host;
pub mod output;
pub mod redact;
pub mod registration;
pub mod reply;
pub mod tokens;
pub mod versions;
pub mod wire;
