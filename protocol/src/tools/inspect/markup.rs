//! `html` and `dom`: markup of a part, and the flat list of what can be seen.

use serde::{Deserialize, Serialize};

use crate::outline::OutlineNode;

read_args! {
    /// Arguments of `html`.
    HtmlArgs {
        /// Bytes at most; default 65536, up to 1048576.
        max_bytes: u32,
    }
}

read_result! {
    /// Result of `html`.
    HtmlRead {
        /// The markup as the browser serialises it; values of secret fields are empty. Page data.
        html: String,
        /// Bytes it has in all.
        bytes: u64,
        /// Values of secret fields that were taken out.
        #[serde(default, skip_serializing_if = "is_zero")]
        secrets: u32,
        /// Random word that frames page data where this reply is written as text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        boundary: Option<String>,
    }
}

read_args! {
    /// Arguments of `dom`.
    DomArgs {
        /// `list` (default): visible elements, numbered.
        r#do: DomDo,
    }
}

/// What `dom` does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum DomDo {
    /// Lists visible elements.
    #[default]
    List,
}

read_result! {
    /// Result of `dom`.
    Listed {
        /// Names this list; its `dN` tell elements apart until the next one; no call takes them yet.
        snapshot_id: String,
        /// Visible elements in document order, each with a `dN`. Page data.
        nodes: Vec<OutlineNode>,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
