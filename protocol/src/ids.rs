//! Ids are strings that carry their own fence, so that a number recycled by a browser is another id.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id as it stands on the wire.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    )*};
}

ids! {
    /// An admitted caller: the subject of grants. Chosen by set-up, never by the caller's display name.
    ClientId;
    /// One piece of work of a client, `s-` and random letters. Minted by the daemon.
    SessionId;
    /// A connected browser profile; minted once by the extension and kept in the profile.
    TargetId;
    /// A browser tab, `t<browser tab id>.<fence>`; the fence changes with every start of the browser.
    TabId;
    /// A question to a person, unguessable. Minted by the daemon.
    ApprovalId;
    /// A document in a frame, as `webNavigation` names it; ends on navigation, not on pushState.
    DocumentId;
}

/// Pairs a request with its reply on one connection; never reused there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub u64);
