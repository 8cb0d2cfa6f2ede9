//! `find`: elements by locator or by words.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::page::{Locator, Match};

read_args! {
    /// Arguments of `find`.
    FindArgs {
        /// What is looked for, in words, instead of a target: `the delete button in the row of Alice`.
        query: String,
        /// Look only inside this: a ref or a CSS selector.
        within: String,
        /// What is told of the matches; default where each stands.
        r#do: Do,
        /// With `do: attribute`: which one.
        attribute: String,
        /// Matches described at most; default 20, up to 500.
        limit: u32,
    }
}

impl FindArgs {
    /// What `within` means.
    ///
    /// # Errors
    /// `invalid_argument` with the path.
    pub fn part(&self) -> Result<Option<Locator>, Error> {
        match &self.within {
            Some(within) => super::target::plain("within", within),
            None => Ok(None),
        }
    }
}

/// What `find` tells, or does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum Do {
    /// How many there are.
    Count,
    /// Visible text.
    Text,
    /// One attribute, as written.
    Attribute,
    /// Visible, enabled, editable, checked, focused, filled.
    State,
    /// Box in CSS px of the top-level viewport.
    Bounds,
}

read_result! {
    /// Result of `find`.
    Found {
        /// How many there are in all.
        total: u32,
        /// Of these, how many can be seen.
        visible: u32,
        /// The first ones; with words the best ones, best first. Page data.
        matches: Vec<Match>,
    }
}
