//! The little that has to be known about WASM modules here.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// The module without its custom sections: names and notes of the tool chain, half of the file and never run.
/// `None` when it is no module. <https://webassembly.github.io/spec/core/binary/modules.html>
pub(crate) fn without_names(module: &[u8]) -> Option<Vec<u8>> {
    const CUSTOM: u8 = 0;
    let (header, mut rest) = module.split_at_checked(8)?;
    if header != b"\0asm\x01\0\0\0" {
        return None;
    }
    let mut kept = header.to_vec();
    while let [id, after @ ..] = rest {
        let (size, digits) = leb128(after)?;
        let length = 1 + digits + size;
        let section = rest.get(..length)?;
        if *id != CUSTOM {
            kept.extend_from_slice(section);
        }
        rest = &rest[length..];
    }
    Some(kept)
}

/// An unsigned 32-bit number and how many bytes it takes.
fn leb128(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0;
    for (index, byte) in bytes.iter().take(5).enumerate() {
        value |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((value, index + 1));
        }
    }
    None
}

/// Tells one module from another; says nothing about trust.
pub(crate) fn digest(module: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    module.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &[u8] = b"\0asm\x01\0\0\0";

    fn module(sections: &[(u8, &[u8])]) -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        for (id, body) in sections {
            bytes.push(*id);
            // A size in two bytes is allowed, whatever it is.
            bytes.extend([body.len() as u8 & 0x7f | 0x80, (body.len() >> 7) as u8]);
            bytes.extend_from_slice(body);
        }
        bytes
    }

    #[test]
    fn only_custom_sections_go() {
        let long = [7; 300];
        let before = module(&[(1, &[1, 2]), (0, &long), (3, &long), (0, &[])]);
        assert_eq!(without_names(&before), Some(module(&[(1, &[1, 2]), (3, &long)])));
    }

    #[test]
    fn a_cut_or_foreign_file_is_no_module() {
        let whole = module(&[(1, &[1, 2, 3])]);
        assert_eq!(without_names(&whole[..whole.len() - 1]), None);
        assert_eq!(without_names(b"\x7fELF\x02\x01\x01\0 "), None);
        assert_eq!(without_names(b""), None);
        assert_eq!(
            without_names(&[HEADER, &[1, 0xff, 0xff, 0xff, 0xff, 0xff]].concat()),
            None
        );
    }
}
