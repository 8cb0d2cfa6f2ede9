//! The only types that cross a wire in Drawbridge. No I/O lives here.
//!
//! | wire | module |
//! |---|---|
//! | client ↔ daemon, native host ↔ daemon (local socket) | [`local`] |
//! | daemon ↔ extension background (native messaging) | [`link`] and [`approval`], cut to size by [`frame`] |
//! | daemon ↔ extension background (socket, large messages) | [`socket`] opens it, [`bulk`] numbers what goes over it |
//! | background ↔ DOM port and reader | [`reader`]; what is asked of a page and found in it, [`page`] and [`outline`] |
//! | daemon ↔ background: what is done on a page, and what came of it | [`act`] |
//! | whoever calls a tool | [`tools`], [`error`], [`recipe`] |

#![deny(missing_docs)]

pub mod act;
#[cfg(feature = "address")]
pub mod address;
pub mod approval;
pub mod bulk;
pub mod error;
pub mod frame;
pub mod ids;
pub mod link;
pub mod local;
pub mod outline;
pub mod page;
pub mod reader;
pub mod recipe;
pub mod secret;
pub mod socket;
pub mod tools;
pub mod version;

pub use error::{Code, Effect, Error, Outcome};
pub use secret::Secret;
