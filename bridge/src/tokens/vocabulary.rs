//! The o200k vocabulary as static data. `build.rs` made it.

use super::hash::{SLOTS, slot};

include!(concat!(env!("OUT_DIR"), "/tokens.rs"));

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens.bytes"));
/// Where each token ends in [`BYTES`]; little-endian.
static ENDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens.ends"));
/// Tokens by hash; little-endian, all ones where there is none.
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens.slots"));

/// The number of the token that has exactly these bytes; lower numbers are merged first.
pub(super) fn token(bytes: &[u8]) -> Option<u32> {
    if bytes.len() > LONGEST {
        return None;
    }
    let mut at = slot(bytes);
    loop {
        let id = number(TABLE, at)?;
        if id == u32::MAX {
            return None;
        }
        if spelled(id) == Some(bytes) {
            return Some(id);
        }
        at = (at + 1) % SLOTS;
    }
}

fn spelled(id: u32) -> Option<&'static [u8]> {
    let index = id as usize;
    let start = match index.checked_sub(1) {
        None => 0,
        Some(before) => number(ENDS, before)? as usize,
    };
    BYTES.get(start..number(ENDS, index)? as usize)
}

fn number(of: &[u8], index: usize) -> Option<u32> {
    let bytes = of.get(index * 4..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*bytes))
}
