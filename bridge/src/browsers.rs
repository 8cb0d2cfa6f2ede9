//! The Chromium browsers of this machine: where they are, whether they would start our native host, and whether they
//! have our extension. Nothing here starts a browser or changes a profile.

mod find;
pub mod host;
pub mod profile;
mod table;

pub use find::{Browser, Findings, Roots, Skipped, find};
pub use table::{KINDS, Kind};
