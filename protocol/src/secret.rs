//! Values that must not be seen.

use serde::{Deserialize, Serialize};

/// A value that goes over a private wire or into a private file and nowhere else: it has no words, so that no log line
/// and no message can hold it by accident.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Takes a value in.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// Gives the value out; whoever calls this answers for where it goes.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_no_words() {
        let secret = Secret::new("hunter2");
        assert_eq!(
            format!("{secret:?} {:#?}", Some(&secret)),
            "Secret(…) Some(\n    Secret(…),\n)"
        );
        assert_eq!(secret.expose(), "hunter2");
    }
}
