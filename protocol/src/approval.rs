//! What a person is asked on the extension's approval page, and what the person answers. Only there access is widened.

use serde::{Deserialize, Serialize};

use crate::ids::{ApprovalId, ClientId};
use crate::local::Decision;

/// One question to a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// Names the question; unguessable.
    pub id: ApprovalId,
    /// Milliseconds from now until it is over.
    pub expires_ms: u64,
    /// What is asked.
    pub ask: Ask,
}

/// What would be allowed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Ask {
    /// To let a client in.
    Admit {
        /// Its id, the subject of its grants.
        client: ClientId,
        /// The name it gives itself, decoration only.
        name: String,
        /// How many sites "everywhere" would leave to be asked for.
        sensitive: u32,
    },
    /// To write a grant that widens.
    Grant {
        /// Client it is about; `*` for every admitted one.
        client: ClientId,
        /// Such as `browser.read`, or `*`.
        action: String,
        /// Host and everything below it; `*` for everywhere but local addresses.
        site: String,
        /// What it would say.
        decision: Decision,
    },
    /// To let a client do one thing at one site, from now on.
    Use {
        /// The acting client.
        client: ClientId,
        /// Such as `browser.read`.
        action: String,
        /// Where; the registrable domain and everything below it. Without: what belongs to no site.
        site: Option<String>,
        /// What the page that the call is about says it is: one line of its own words, to be shown as a quotation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// To let another browser profile take calls.
    Pair {
        /// The name it would have.
        name: String,
        /// Which browser, such as `Chromium 156`.
        browser: String,
        /// The beginning of its key's hash, for comparison.
        fingerprint: String,
    },
    /// To take sites off the person's list of those that are asked for one by one.
    Unlist {
        /// Which ones.
        sites: Vec<String>,
    },
    /// To delete the record of what was done.
    DeleteAudit {
        /// How many rows.
        rows: u64,
    },
}

/// What a person answered. Silence is none of these: the question expires.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Verdict {
    /// No, or the page was closed.
    Deny,
    /// Exactly what was asked. For an admission: every use is asked for.
    Allow,
    /// An admission, with reading and acting everywhere but at local addresses and sensitive sites.
    AllowEverywhere,
    /// An admission, with reading and acting at these sites.
    AllowSites {
        /// Hosts as the person wrote them.
        sites: Vec<String>,
    },
}
