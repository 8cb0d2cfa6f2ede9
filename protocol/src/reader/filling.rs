//! What the third file of the DOM port's acting part is asked for: fields, what they hold, and their options.
//!
//! Elements go by their refs, or by a handle: a number that is told without its first bit, stands for an element until the
//! next [`FillOp::Field`] and is known to nobody else. See [`handle`].

use serde::{Deserialize, Serialize};

/// The ref by which an operation is told of the element with this handle.
#[must_use]
pub const fn handle(number: u32) -> u32 {
    0x8000_0000 | number
}

/// An operation of the filling part. Replies begin as those of [`super::PortOp`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FillOp {
    /// Which field an element is, labels or contains.
    ///
    /// After the header: 1 (0: it is gone, and nothing follows), one of [`kinds`], its handle, characters it takes at most
    /// (−1: any; of a frame its place among the window's frames), 1 if it may hold several lines, 1 if it suggests, 1 on a Mac, 1 if it is a secret; text lengths of its
    /// type, least and greatest value, the browser's language, words for it.
    Field {
        /// Which element.
        r#ref: u32,
    },
    /// Whether the document is edited as a whole. After the header: the place of its window among those of the one around
    /// (−1: none), 1 if it is, the handle of its body.
    Body,
    /// Gives a field the keyboard. After the header: 1 (0: it is gone), 1 if the keyboard is there, whether the place to
    /// type is set too (0: not, 1: as asked, 2: all is selected).
    Take {
        /// Which field.
        r#ref: u32,
        /// Whether to select all of it; else what is typed comes at its end.
        all: bool,
    },
    /// What a field holds. After the header: 1 (0: it is gone, and nothing follows), 1 if it is a secret, 1 if it is what
    /// was expected (0: something else, −1: nothing was expected), its length in UTF-16 units; text length of its value
    /// (−1: it is a secret). Lines are divided by a line feed each.
    Held {
        /// Which field.
        r#ref: u32,
        /// Whether to ask the page for what it would copy: editors show only a part of what they hold. All has to be
        /// selected.
        copy: bool,
        /// What it should be.
        expect: Option<String>,
    },
    /// Gives a field its value at once, and tells the page. After the header: 1 (0: it is gone).
    Put {
        /// Which field.
        r#ref: u32,
        /// In the form that its type has in HTML.
        value: String,
    },
    /// Pastes where the keyboard is, without the clipboard. After the header: 1 if the page took it.
    Paste {
        /// The text.
        text: String,
    },
    /// Options of a native select. After the header: 1 (0: it is gone, and nothing follows), 1 if several can be chosen,
    /// the number of options; per option 1 if it is chosen, 1 if it is disabled, text lengths of its value and label.
    Options {
        /// Which select.
        r#ref: u32,
    },
    /// Chooses options of a native select, and tells the page. After the header: 1 (0: it is gone).
    Choose {
        /// Which select.
        r#ref: u32,
        /// Options, from 0.
        indexes: Vec<u32>,
    },
    /// What can be pressed instead of a field that nobody sees, likeliest first. After the header: how many (−1: it is
    /// gone), a handle each; the first is the field.
    Handles {
        /// Which field.
        r#ref: u32,
    },
    /// Options that a page shows for a list of its own making.
    ///
    /// After the header: 1 (0: it is gone, and nothing follows), whether it is open (−1: not told), 1 if several can be
    /// chosen, px that it can be scrolled down, the number of options; per option its handle, whether it is chosen (−1: not
    /// told), 1 if it is disabled, text lengths of its value and label; then the number of texts that show what is chosen,
    /// the field's own first, and a text length each.
    List {
        /// The combobox or listbox.
        r#ref: u32,
    },
}

/// What takes a value, and how.
pub mod kinds {
    /// Nothing does.
    pub const NONE: i32 = 0;
    /// A native field for text.
    pub const TEXT: i32 = 1;
    /// Content that can be edited.
    pub const EDITABLE: i32 = 2;
    /// A native field of which the value has one form: dates, times, colours, ranges.
    pub const EXACT: i32 = 3;
    /// A field that nobody sees, through which an editor gets what is typed.
    pub const PIPE: i32 = 4;
    /// A native select.
    pub const SELECT: i32 = 5;
    /// A box, radio or switch.
    pub const BOX: i32 = 6;
    /// A field for files.
    pub const FILE: i32 = 7;
    /// A combobox or listbox of the page's own making.
    pub const LIST: i32 = 8;
    /// A part of content that can be edited.
    pub const PART: i32 = 9;
    /// Several fields are inside.
    pub const SEVERAL: i32 = 10;
    /// A frame: its document has the field.
    pub const FRAME: i32 = 11;
}
