//! The harness that drives a real bridge and a real Chromium: what `xtask` runs and the end-to-end tests use.
//!
//! | module | what it owns |
//! |---|---|
//! | [`project`] | where builds and test data lie |
//! | [`sandbox`] | an isolated home, its Chromium profiles, and their end |
//! | [`client`], [`mcp`] | the two ways a client reaches the daemon |
//! | [`cdp`] | the harness' own eyes and hands in the browser |
//! | [`approval`] | the approval page, as a person sees it |
//! | [`oracle`] | what a page holds by the browser's own account, and how the product's outline compares |
//! | [`site`] | the local web site with its event log |
//! | [`residue`] | what a browser looks like before and after |
//! | [`wait`] | bounded waiting for a condition |
//! | [`world`] | all of these, as a test needs them |

pub mod approval;
pub mod cdp;
pub mod client;
pub mod clock;
pub mod mcp;
pub mod oracle;
mod pending;
pub mod project;
pub mod residue;
pub mod sandbox;
pub mod site;
pub mod wait;
pub mod world;
