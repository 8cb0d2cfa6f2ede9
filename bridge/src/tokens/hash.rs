//! Where a token stands in the hash table; the build script lays it out with this very function.

/// Places in the table: a power of two, with room to spare for 200,000 tokens.
pub(crate) const SLOTS: usize = 1 << 19;

/// The first place to look at for a token; the next ones follow it.
pub(crate) fn slot(bytes: &[u8]) -> usize {
    // FNV-1a; tokens are short, and the last step mixes the high bits down.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 32;
    (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % SLOTS
}
