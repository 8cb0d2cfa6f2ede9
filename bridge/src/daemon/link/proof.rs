//! The key that a browser profile holds, and the proof that it does.

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::TargetId;
use drawbridge_protocol::link::proof_text;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};

use crate::hex;

/// A profile's public key, checked to be one.
#[derive(Debug)]
pub(super) struct ProfileKey(VerifyingKey);

impl ProfileKey {
    /// Reads the key of a Hello.
    ///
    /// # Errors
    /// `invalid_argument` for anything but an uncompressed point of the curve in hexadecimal.
    pub(super) fn read(text: &str) -> Result<Self, Error> {
        let point = hex::decode(text).filter(|bytes| bytes.len() == 65);
        point
            .and_then(|bytes| VerifyingKey::from_sec1_bytes(&bytes).ok())
            .map(Self)
            .ok_or_else(|| Error::argument("key", "is no P-256 key"))
    }

    /// Checks the answer to a challenge.
    ///
    /// # Errors
    /// `unpaired`: whoever sent it does not hold the key.
    pub(super) fn verify(&self, nonce: &str, target: &TargetId, signature: &str) -> Result<(), Error> {
        let signed = hex::decode(signature).and_then(|bytes| Signature::from_slice(&bytes).ok());
        let text = proof_text(nonce, target);
        match signed {
            Some(signature) if self.0.verify(text.as_bytes(), &signature).is_ok() => Ok(()),
            Some(_) | None => Err(Error::new(
                Code::Unpaired,
                "the profile did not prove that it holds its key",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::SigningKey;
    use p256::ecdsa::signature::Signer;

    use super::*;

    #[test]
    fn only_the_key_that_was_named_proves_it_and_only_this_once() {
        let (ours, other) = (signer(1), signer(2));
        let point = hex::encode(ours.verifying_key().to_sec1_point(false).as_bytes());
        let key = ProfileKey::read(&point).unwrap();
        let target = TargetId::from("p-1");
        let sign = |signer: &SigningKey, nonce: &str, target: &TargetId| {
            let signature: Signature = signer.sign(proof_text(nonce, target).as_bytes());
            hex::encode(&signature.to_bytes())
        };
        let good = sign(&ours, "n", &target);
        assert!(key.verify("n", &target, &good).is_ok());
        for bad in [
            sign(&other, "n", &target),
            sign(&ours, "m", &target),
            sign(&ours, "n", &TargetId::from("p-2")),
            "00".repeat(64),
            "ff".repeat(64),
            good[..126].to_owned(),
            format!("{good}00"),
            String::new(),
            "zz".repeat(64),
        ] {
            assert_eq!(key.verify("n", &target, &bad).unwrap_err().code, Code::Unpaired);
        }
    }

    #[test]
    fn what_is_no_point_of_the_curve_is_no_key() {
        for text in [
            "",
            "04",
            &"00".repeat(65),
            &format!("04{}", "ff".repeat(64)),
            &"é".repeat(65),
        ] {
            assert_eq!(ProfileKey::read(text).unwrap_err().code, Code::InvalidArgument);
        }
    }

    fn signer(byte: u8) -> SigningKey {
        SigningKey::from_slice(&[byte; 32]).unwrap()
    }
}
