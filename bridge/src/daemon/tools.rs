//! What each row of the tool table does: arguments are checked, grants asked, then the browser. One file per domain.

pub mod debug;
pub mod doctor;
pub mod extract;
pub mod inspect;
pub mod interact;
pub mod page;
pub mod session;
pub mod tabs;

use drawbridge_protocol::error::Error;

/// Takes a number from a closed range, or the default.
///
/// # Errors
/// `invalid_argument` with the range.
fn number(
    path: &str,
    given: Option<u32>,
    default: u32,
    range: std::ops::RangeInclusive<u32>,
) -> Result<u32, Error> {
    let value = given.unwrap_or(default);
    if range.contains(&value) {
        return Ok(value);
    }
    Err(Error::argument(
        path,
        format!("is {value}, must be {} to {}", range.start(), range.end()),
    ))
}
