//! Who this browser profile is, and which run of the browser this is.

use drawbridge_protocol::ids::TargetId;
use serde_json::{Value, json};

use crate::chrome;
use crate::fence::Fence;

/// Key of the profile's id in its storage.
pub(crate) const TARGET: &str = "target";
/// Key of the run's fence.
pub(crate) const FENCE: &str = "fence";

/// The profile's id; minted once and kept in the profile.
pub(crate) async fn target(kept: &Value) -> TargetId {
    if let Some(id) = kept.get(TARGET).and_then(Value::as_str) {
        return TargetId(id.to_owned());
    }
    let id = mint();
    keep(&id).await;
    id
}

/// A new id for a profile.
pub(crate) fn mint() -> TargetId {
    TargetId(format!("p-{}", &crate::random_word()[..16]))
}

/// Keeps the profile's id in the profile.
pub(crate) async fn keep(id: &TargetId) {
    if let Err(failure) = chrome::keep_lasting(&json!({TARGET: id})).await {
        // The next worker would mint another one, and the person would see a second profile.
        crate::log(&format!("keeping the profile's id: {failure}"));
    }
}

/// The run's fence; minted when the browser, or the extension, started.
pub(crate) async fn fence(kept: &Value) -> Fence {
    if let Some(fence) = kept.get(FENCE).and_then(Value::as_str) {
        return Fence(fence.to_owned());
    }
    let fence = crate::random_word()[..8].to_owned();
    if let Err(failure) = chrome::keep_for_run(&json!({FENCE: fence})).await {
        // The next worker would mint another one, and ids of tabs would end with this one.
        crate::log(&format!("keeping the run's fence: {failure}"));
    }
    Fence(fence)
}
