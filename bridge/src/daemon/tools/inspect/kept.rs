//! What each tool keeps of a read.

use super::find::Matches;
use super::markup::{Listing, Markup};
use super::observe::Outline;
use super::table::Rows;
use super::text::Words;

/// What a read found, whole.
#[derive(Debug)]
pub enum Kept {
    /// Of `observe` and `snapshot`.
    Outline(Outline),
    /// Of `text`.
    Text(Words),
    /// Of `find`.
    Find(Matches),
    /// Of `table`.
    Table(Rows),
    /// Of `html`.
    Html(Markup),
    /// Of `dom`.
    Dom(Listing),
}

impl Kept {
    /// Bytes in memory, about.
    pub(in crate::daemon) fn size(&self) -> usize {
        match self {
            Self::Outline(outline) => outline.size(),
            Self::Text(words) => words.size(),
            Self::Find(matches) => matches.size(),
            Self::Table(rows) => rows.size(),
            Self::Html(markup) => markup.size(),
            Self::Dom(listing) => listing.size(),
        }
    }
}
