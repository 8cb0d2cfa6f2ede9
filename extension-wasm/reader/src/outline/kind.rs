//! What each element is to an outline.

use drawbridge_protocol::reader::flags;

use crate::semantics::{Role, Semantics, key};

/// What becomes of an element that a person can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Treat {
    /// Nothing of it is looked at.
    Skip,
    /// It has no line; what is inside of it stands where it stands.
    Pass,
    /// A line, and what is inside of it below.
    Line,
    /// A line, and nothing inside of it is looked at.
    Leaf,
    /// A line if at least so many lines are inside of it.
    Group(u32),
    /// A line that takes a single text inside of it as its own, and goes away without anything inside of it.
    Holder,
    /// A row of cells.
    Row,
    /// A cell of a row.
    Cell,
    /// A term, or what is said of it.
    Pair,
    /// A frame.
    Frame,
}

/// Lines from which on an item is told as one: what is less is told apart by its order.
const LINES: u32 = 4;
/// How small a picture may be and still say something, CSS px.
const PICTURE: u32 = 16;
/// The same of a drawing that nobody named.
const DRAWING: u32 = 48;

/// What becomes of an element that a person can see.
pub(super) fn of(semantics: &Semantics<'_, '_>, index: usize, in_control: bool) -> Treat {
    let element = &semantics.page().elements[index];
    if element.is(flags::FOREIGN) && element.tag == "svg" && !semantics.is_control(index) {
        return drawing(semantics, index, in_control);
    }
    match element.tag.as_ref() {
        "script" | "style" | "noscript" | "template" | "head" | "option" | "optgroup" | "datalist"
        | "param" | "source" | "track" => return Treat::Skip,
        "iframe" | "frame" | "object" | "embed" if !in_control => return Treat::Frame,
        "canvas" if !in_control || semantics.is_control(index) => return Treat::Leaf,
        "video" | "audio" if !in_control => return Treat::Leaf,
        "input" | "select" | "textarea" | "meter" | "progress" => return Treat::Leaf,
        "dt" | "dd" if !semantics.is_control(index) && !in_control => return Treat::Pair,
        _ => {}
    }
    if semantics.is_control(index) {
        return Treat::Line;
    }
    let is_named = || !semantics.name_of(index).text.is_empty();
    let if_named = || if is_named() { Treat::Line } else { Treat::Pass };
    match semantics.role_of(index) {
        Role::Img | Role::GraphicsSymbol | Role::GraphicsDocument => {
            picture(semantics, index, in_control, is_named)
        }
        _ if in_control => Treat::Pass,
        Role::Banner
        | Role::Complementary
        | Role::ContentInfo
        | Role::Main
        | Role::Navigation
        | Role::Region
        | Role::Search
        | Role::Dialog
        | Role::AlertDialog
        | Role::Heading
        | Role::Table
        | Role::Grid
        | Role::TreeGrid
        | Role::Menu
        | Role::Tree
        | Role::Meter
        | Role::Progressbar
        | Role::Scrollbar => Treat::Line,
        Role::Form
        | Role::Application
        | Role::Document
        | Role::Feed
        | Role::Figure
        | Role::GraphicsObject
        | Role::Group
        | Role::List
        | Role::Math
        | Role::Menubar
        | Role::RadioGroup
        | Role::TabList
        | Role::TabPanel
        | Role::Toolbar => if_named(),
        Role::Article | Role::Comment | Role::ListItem => Treat::Group(LINES),
        Role::Alert
        | Role::Log
        | Role::Marquee
        | Role::Status
        | Role::Timer
        | Role::Blockquote
        | Role::Note
        | Role::Tooltip => Treat::Holder,
        Role::Row => Treat::Row,
        Role::Cell | Role::GridCell | Role::ColumnHeader | Role::RowHeader => Treat::Cell,
        Role::Button
        | Role::Caption
        | Role::Checkbox
        | Role::Code
        | Role::Combobox
        | Role::Definition
        | Role::Deletion
        | Role::Emphasis
        | Role::Generic
        | Role::Insertion
        | Role::Link
        | Role::Listbox
        | Role::Mark
        | Role::MenuItem
        | Role::MenuItemCheckbox
        | Role::MenuItemRadio
        | Role::None
        | Role::Option
        | Role::Paragraph
        | Role::Radio
        | Role::RowGroup
        | Role::Searchbox
        | Role::SectionFooter
        | Role::SectionHeader
        | Role::Separator
        | Role::Slider
        | Role::SpinButton
        | Role::Strong
        | Role::Subscript
        | Role::Suggestion
        | Role::Superscript
        | Role::Switch
        | Role::Tab
        | Role::Term
        | Role::Textbox
        | Role::Time
        | Role::TreeItem => live_or_passed(semantics, index),
    }
}

/// Whether a line breaks the text around an element.
pub(super) fn breaks_text(semantics: &Semantics<'_, '_>, index: usize) -> bool {
    let element = &semantics.page().elements[index];
    match element.tag.as_ref() {
        "ruby" | "rb" | "rt" | "rp" => false,
        "br" => true,
        _ => element.is(flags::BLOCK),
    }
}

fn live_or_passed(semantics: &Semantics<'_, '_>, index: usize) -> Treat {
    let live = semantics
        .said(index, key::ARIA_LIVE)
        .is_some_and(|live| !live.eq_ignore_ascii_case("off"));
    if live {
        return Treat::Holder;
    }
    let scrolls = semantics.has(index, key::SCROLL)
        && !matches!(semantics.page().elements[index].tag.as_ref(), "html" | "body");
    if scrolls { Treat::Group(3) } else { Treat::Pass }
}

fn picture(
    semantics: &Semantics<'_, '_>,
    index: usize,
    in_control: bool,
    is_named: impl Fn() -> bool,
) -> Treat {
    let element = &semantics.page().elements[index];
    // What names a control needs no line of its own.
    if in_control {
        return Treat::Pass;
    }
    if is_named() {
        return Treat::Leaf;
    }
    // An image that is made of other elements shows them.
    if !element.is_html("img") {
        return Treat::Pass;
    }
    if element.width >= PICTURE && element.height >= PICTURE {
        Treat::Leaf
    } else {
        Treat::Skip
    }
}

fn drawing(semantics: &Semantics<'_, '_>, index: usize, in_control: bool) -> Treat {
    let page = semantics.page();
    let element = &page.elements[index];
    if in_control {
        return Treat::Pass;
    }
    if !semantics.name_of(index).text.is_empty() {
        return Treat::Line;
    }
    let says = (index..element.end.min(index + 200))
        .any(|inner| page.elements[inner].has_own_text() || semantics.is_control(inner));
    if !says && element.width >= DRAWING && element.height >= DRAWING {
        Treat::Leaf
    } else {
        Treat::Pass
    }
}
