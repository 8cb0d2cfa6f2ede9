//! How the two ends of a link's socket prove to each other that both hold the token which went over the native port. The
//! token itself never crosses the socket, so whoever else listens on the port learns nothing.
//!
//! The extension speaks first: [`Opening`]. The daemon answers with [`Accepting`]. Then [`crate::bulk`] frames follow.

use serde::{Deserialize, Serialize};

/// The only path that is served.
pub const PATH: &str = "/link";

/// How long an offer is good for, in milliseconds.
pub const OFFER_MS: u64 = 10_000;

/// The first frame, from the extension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Which offer.
    pub id: String,
    /// Random, 32 hexadecimal digits.
    pub nonce: String,
    /// [`opening_mac`].
    pub mac: String,
}

/// The second frame, from the daemon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepting {
    /// Random, 32 hexadecimal digits.
    pub nonce: String,
    /// [`accepting_mac`].
    pub mac: String,
}

#[cfg(feature = "proof")]
pub use proof::{accepting_mac, is, opening_mac};

#[cfg(feature = "proof")]
mod proof {
    use hmac::{Hmac, KeyInit, Mac};
    use sha2::Sha256;

    /// What the extension proves: HMAC-SHA256 in hexadecimal digits.
    pub fn opening_mac(token: &str, id: &str, nonce: &str) -> String {
        mac(token, &["drawbridge extension", id, nonce])
    }

    /// What the daemon proves, over both nonces.
    pub fn accepting_mac(token: &str, id: &str, theirs: &str, ours: &str) -> String {
        mac(token, &["drawbridge daemon", id, theirs, ours])
    }

    /// Whether two proofs are the same, in a time that does not tell where they differ.
    pub fn is(given: &str, wanted: &str) -> bool {
        let (given, wanted) = (given.as_bytes(), wanted.as_bytes());
        given.len() == wanted.len()
            && given
                .iter()
                .zip(wanted)
                .fold(0, |differ, (a, b)| differ | (a ^ b))
                == 0
    }

    fn mac(token: &str, words: &[&str]) -> String {
        // A key of any length is one.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(token.as_bytes()) else {
            return String::new();
        };
        for word in words {
            // With its length, so that no two lists of words are one text.
            mac.update(&(word.len() as u64).to_le_bytes());
            mac.update(word.as_bytes());
        }
        let bytes = mac.finalize().into_bytes();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn each_side_proves_something_else_and_only_with_the_token() {
            let ours = opening_mac("token", "id", "n");
            assert_eq!(ours.len(), 64);
            assert!(is(&ours, &opening_mac("token", "id", "n")));
            for other in [
                opening_mac("other", "id", "n"),
                opening_mac("token", "i", "dn"),
                opening_mac("token", "id", ""),
                accepting_mac("token", "id", "n", ""),
                String::new(),
            ] {
                assert!(!is(&ours, &other));
            }
            assert!(!is("", &ours) && !is(&ours[1..], &ours));
            // Kept as it is: both sides may be of different builds.
            assert_eq!(&accepting_mac("t", "i", "a", "b")[..16], GOLDEN);
        }

        const GOLDEN: &str = "fa1a4f27b2a8367e";
    }
}
