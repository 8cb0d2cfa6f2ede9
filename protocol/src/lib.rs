//! The only types that cross a wire in Drawbridge. No I/O lives here.
//!
//! | wire | module |
//! |---|---|
//! | client ↔ daemon, native host ↔ daemon (local socket) | [`local`] |
//! | daemon ↔ extension background (native messaging) | [`link`], cut to size by [`frame`] |
//! | background ↔ DOM port and reader | [`reader`] |
//! | whoever calls a tool | [`tools`], [`error`], [`recipe`] |

#![deny(missing_docs)]

pub mod ids;
pub mod error;
pub mod version;
pub mod recipe;
pub mod tools;
pub mod frame;
pub mod link;
pub mod local;
pub mod reader;
#[cfg(feature = "address")]
pub mod address;

pub use error::{Code, Effect, Error, Outcome};
