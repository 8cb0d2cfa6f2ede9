//! `browser_inspect`: reading pages. In a session's tab the grant is asked for the document that is there, and the
//! read is fenced with that document.

mod authors;
mod find;
mod free;
mod kept;
mod markup;
mod nothing;
mod observe;
mod paging;
mod reading;
mod screenshot;
mod table;
mod text;
mod units;

pub use authors::{selectors, suggest};
pub use find::find;
pub use kept::Kept;
pub use markup::{dom, html};
pub use observe::{observe, snapshot};
pub use paging::Head;
pub(in crate::daemon) use paging::Limits;
pub(in crate::daemon::tools) use reading::{Spot, allowed_in, readable, site_of, spot};
pub use screenshot::screenshot;
pub use table::table;
pub use text::text;

#[cfg(test)]
mod tests;
