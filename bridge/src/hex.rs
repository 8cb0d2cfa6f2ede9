//! Hexadecimal words, random ones among them.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// Two lower-case digits for each byte.
pub fn encode(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

/// The bytes of a word of either case; `None` for anything else.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
            _ => None,
        })
        .collect()
}

/// A word of so many random bytes.
///
/// # Errors
/// When the system has no randomness to give.
pub fn random(bytes: usize) -> Result<String> {
    let mut word = vec![0; bytes];
    getrandom::fill(&mut word)
        .map_err(|error| anyhow::anyhow!("{error}"))
        .context("the system gives no random bytes")?;
    Ok(encode(&word))
}

/// SHA-256 of a text, as a word.
pub fn digest(text: &str) -> String {
    encode(&Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_as_their_bytes() {
        assert_eq!(encode(&[0, 10, 255]), "000aff");
        assert_eq!(decode("000AfF"), Some(vec![0, 10, 255]));
        for wrong in ["0", "0g", "+1", "é0", " 0"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
        assert!(random(16).is_ok_and(|word| word.len() == 32 && word != random(16).unwrap()));
    }
}
