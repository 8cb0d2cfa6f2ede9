//! `browser_inspect`: reading pages.
//!
//! Every read of a tab takes the same common arguments and gives the same common fields back; the two macros in
//! `common` hold them, so that no row can have its own.

mod authors;
#[macro_use]
mod common;
mod find;
mod markup;
mod observe;
mod screenshot;
mod table;
mod target;
mod text;

pub use authors::{SelectorEntry, SelectorsArgs, SelectorsRead, SuggestArgs, Suggested};
pub use common::Common;
pub use find::{Do, FindArgs, Found};
pub use markup::{DomArgs, DomDo, HtmlArgs, HtmlRead, Listed};
pub use observe::{DiffTold, Mode, ObserveArgs, Observed, SnapshotArgs, Snapshotted};
pub use screenshot::{Screenshot, ScreenshotArgs};
pub use table::{TableArgs, TableFormat, TableRead};
pub(super) use target::locator;
pub use target::{MAX_TEXT as MAX_TARGET_TEXT, Target, TargetFields};
pub use text::{TextArgs, TextRead};

/// Tokens (o200k) of a whole reply's text when the caller names no number.
pub const DEFAULT_TOKENS: u32 = 2_000;
/// Tokens a caller may ask for.
pub const MAX_TOKENS: u32 = 200_000;
/// Bytes of a reply's text whatever was asked for.
pub const MAX_REPLY_BYTES: usize = 2 * 1024 * 1024;
/// Characters of text a caller may ask for.
pub const MAX_CHARS: u32 = 200_000;
/// Entries of `selectors` when the caller names no number.
pub const DEFAULT_ENTRIES: u32 = 100;
/// Entries of `selectors` a caller may ask for.
pub const MAX_ENTRIES: u32 = 200;
/// Matches of `find` when the caller names no number.
pub const DEFAULT_MATCHES: u32 = 20;
/// Matches of `find` a caller may ask for.
pub const MAX_MATCHES: u32 = 500;
/// Rows of `table` when the caller names no number.
pub const DEFAULT_ROWS: u32 = 10_000;
/// Rows of `table` a caller may ask for.
pub const MAX_ROWS: u32 = 100_000;
/// Bytes of `html` when the caller names no number.
pub const DEFAULT_BYTES: u32 = 65_536;
/// Bytes of `html` a caller may ask for.
pub const MAX_BYTES: u32 = 1_048_576;
/// Lines of `text` with `logMatch` when the caller names no number.
pub const DEFAULT_LOG_MATCHES: u32 = 50;
/// Lines of `text` with `logMatch` a caller may ask for.
pub const MAX_LOG_MATCHES: u32 = 1_000;
/// Pixels of a picture's longer side when the caller names no number.
pub const DEFAULT_SIDE: u32 = 1_280;
/// Pixels of a picture's longer side that a caller may ask for, at most.
pub const MAX_SIDE: u32 = 4_096;
/// Suggestions of `suggest` when the caller names no number.
pub const DEFAULT_SUGGESTIONS: u32 = 3;
