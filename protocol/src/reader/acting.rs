//! What the second file of the DOM port is asked for, which is put into a document only where something is done in it.
//!
//! Elements go by their refs. Lengths and places are hundredths of a CSS px, places relative to the viewport of the
//! document's own window.

use serde::{Deserialize, Serialize};

/// An operation of the acting part. Replies begin as those of [`super::PortOp`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ActOp {
    /// Where an element can be pressed.
    ///
    /// After the header: 1 (0: it is gone, and nothing follows), its [`super::flags`], its [`facts`], then x, y, width
    /// and height of its box, x and y of the point to press, what is in front there (0: it, a part of it or its label;
    /// 1: something else; 2: no part of it can be seen), width and height of the viewport, index of the window among its
    /// parent's (−1: top, or not among them), milliseconds since the person last used this document (−1: never), 1 if
    /// other words stand on it since it was scrolled (else 0); text lengths of: its tag, its type, words for it, words for what is in front.
    Aim {
        /// Which.
        r#ref: u32,
        /// Whether to scroll it into view where no part of it can be seen.
        scroll: bool,
        /// Whether to scroll it into the middle in any case.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        center: bool,
        /// A point to press rather than another, where it is in front.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        held: Option<(i32, i32)>,
    },
    /// Where a point in a frame lies in this document.
    ///
    /// After the header: 1 (0: no such frame, or several), x, y, what is in front there (0: the frame; 1: something
    /// else; 2: outside of the viewport), width and height of the viewport, index of the window among its parent's;
    /// text length of words for what is in front.
    Through {
        /// The frame's index among this window's frames; −1: it is in a shadow tree.
        window: i32,
        /// Its address, for frames without an index.
        url: String,
        /// In the frame.
        x: i32,
        /// In the frame.
        y: i32,
    },
    /// Begins to note trusted events, and what changes. Answers with a state, as below.
    ///
    /// A state is: 1 (0: it is gone), checked (−1: no box; 0, 1; 2 mixed), expanded (−1: says nothing; 0; 1), scroll x
    /// and y of the nearest box around it that scrolls or of the page (CSS px), 1 if the keyboard is there (else 0); text
    /// lengths of: value (−1: no field), chosen labels joined by U+0001 (−1: no select), why it is invalid, words for
    /// where the keyboard is.
    Expect {
        /// Which element; 0: the one that has the keyboard, or the page.
        r#ref: u32,
        /// Events that are about to be caused, each as often as it may come.
        events: Vec<String>,
    },
    /// Ends what [`ActOp::Expect`] began. After the header a state, then: the person's own events meanwhile, nodes
    /// changed, 1 while the page may still open a tab because it was used (0: never used, or it has used that up), number of
    /// events, per event its index among the expected ones, 1 if the element got it (else 0), 1 if
    /// its default was prevented.
    Collect {
        /// Whether to stop noting; else it can be asked again.
        end: bool,
    },
    /// Whether the keyboard is in this document, and what is there. After the header: 1 if it is (0: elsewhere, or in a
    /// frame of it), [`facts`] of the element, its ref (0: none), milliseconds since the person last used this document
    /// (−1: never), 1 if it is what is noted (else 0); text lengths of its tag and words for it.
    Keyboard,
    /// What is at a point of this document's viewport. After the header: 1 (0: nothing), its [`facts`], milliseconds since
    /// the person last used this document (−1: never), text length of words for it, width and height of the viewport.
    Under {
        /// From the left.
        x: i32,
        /// From the top.
        y: i32,
    },
    /// Gives an element the keyboard, or takes it. After the header: 1 (0: it is gone), 1 if it is there now.
    Focus {
        /// Which.
        r#ref: u32,
        /// Whether to take it.
        blur: bool,
    },
    /// Submits the form that an element is, or is part of, as its button would: a page may refuse. After the header: 1 (0:
    /// there is no form, −1: the element is gone).
    Submit {
        /// The form, a part of it, or the button that submits it.
        r#ref: u32,
    },
    /// Notes from now on when a person uses this document. After the header: milliseconds since they last did (−1: never),
    /// number of documents that are still on their way: its own, and those of its frames that show none yet.
    Mind,
}

/// What is said of an element that something is done with, as bits.
pub mod facts {
    /// Pressing it submits a form.
    pub const SUBMITS: i32 = 1;
    /// Pressing it loads another document in its own window, unless the page prevents that.
    pub const LEAVES: i32 = 2;
    /// `input type=file`.
    pub const FILE: i32 = 4;
    /// A native select.
    pub const SELECT: i32 = 8;
    /// A native field that takes text.
    pub const FIELD: i32 = 16;
    /// Content that can be edited.
    pub const EDITABLE: i32 = 32;
    /// A box, radio or switch, native or by role.
    pub const CHECKABLE: i32 = 64;
    /// It is on …
    pub const CHECKED: i32 = 128;
    /// … or neither on nor off.
    pub const MIXED: i32 = 256;
    /// `aria-disabled`, its own or from around.
    pub const ARIA_DISABLED: i32 = 512;
    /// `pointer-events: none`.
    pub const NO_POINTER: i32 = 1 << 10;
    /// It can be read and not changed.
    pub const READ_ONLY: i32 = 1 << 11;
    /// A frame.
    pub const FRAME: i32 = 1 << 12;
    /// A canvas.
    pub const CANVAS: i32 = 1 << 13;
    /// Enter in it submits a form.
    pub const ENTER_SUBMITS: i32 = 1 << 14;
    /// It or something around it moves by an animation or transition.
    pub const ANIMATES: i32 = 1 << 15;
    /// Several options can be chosen.
    pub const MULTIPLE: i32 = 1 << 16;
    /// A radio button.
    pub const RADIO: i32 = 1 << 17;
    /// It is a native box or radio.
    pub const NATIVE_BOX: i32 = 1 << 18;
    /// What is typed into it is a secret.
    pub const SECRET: i32 = 1 << 19;
    /// It can have the keyboard.
    pub const FOCUSABLE: i32 = 1 << 20;
    /// It is part of a form.
    pub const IN_FORM: i32 = 1 << 21;
    /// Pressing it opens a document in another tab, unless the page prevents that.
    pub const OPENS: i32 = 1 << 22;
}
