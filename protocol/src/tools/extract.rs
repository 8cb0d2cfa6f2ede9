//! `browser_extract`: recipes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::recipe::Inputs;

/// Arguments of `browser_extract` with a recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExtractArgs {
    /// The recipe, version 1: closed data, no code.
    #[cfg_attr(feature = "schema", schemars(with = "crate::recipe::Recipe"))]
    pub recipe: Value,
    /// A value for every input the recipe declares: strings, numbers or booleans.
    #[serde(default)]
    pub inputs: Inputs,
    /// Which browser profile: its id or unique name; may be left out when one is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Deadline in milliseconds, up to 20,000, for everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}
