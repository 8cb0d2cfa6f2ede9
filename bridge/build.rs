//! Lays out the o200k vocabulary for `src/tokens.rs`: all tokens' bytes end to end, where each ends, and a hash table from
//! bytes to token. As static data it costs no start, no heap and only the pages that are touched; the library's own
//! tables take 68 MB of memory and 33 MB of the binary.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

#[path = "src/tokens/hash.rs"]
mod hash;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tokens/hash.rs");
    let vocabulary = &bpe_openai::o200k_base().bpe;
    let tokens: Vec<&[u8]> = (0..vocabulary.num_tokens())
        .map(|id| vocabulary.token_bytes(id as u32))
        .collect();
    let mut bytes = Vec::new();
    let mut ends = Vec::new();
    let mut slots = vec![u32::MAX; hash::SLOTS];
    for (id, token) in tokens.iter().enumerate() {
        bytes.extend_from_slice(token);
        ends.extend_from_slice(&u32::try_from(bytes.len())?.to_le_bytes());
        let mut slot = hash::slot(token);
        while slots[slot] != u32::MAX {
            slot = (slot + 1) % hash::SLOTS;
        }
        slots[slot] = u32::try_from(id)?;
    }
    let longest = tokens.iter().map(|token| token.len()).max().unwrap_or_default();
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("tokens.bytes"), bytes)?;
    fs::write(out.join("tokens.ends"), ends)?;
    let slots: Vec<u8> = slots.iter().flat_map(|slot| slot.to_le_bytes()).collect();
    fs::write(out.join("tokens.slots"), slots)?;
    fs::write(
        out.join("tokens.rs"),
        format!("/// Bytes of the longest token.\npub(super) const LONGEST: usize = {longest};\n"),
    )?;
    Ok(())
}
