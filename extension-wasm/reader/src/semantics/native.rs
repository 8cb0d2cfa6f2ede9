//! What tags mean by themselves (HTML-AAM 1.0, section 4), as Chromium has it.

use drawbridge_protocol::reader::flags;

use super::assign::Assign;
use super::key;
use super::role::Role;
use crate::page::Element;

/// The role of an element that has none in writing, or none that counts.
pub(super) fn role(assign: &Assign<'_, '_, '_>, index: usize) -> Role {
    let element = assign.element(index);
    if element.is(flags::FOREIGN) {
        return foreign(assign, index);
    }
    match element.tag.as_ref() {
        // Without an address it is one if a script follows it: Chromium knows, here its looks have to tell.
        "a" | "area" => {
            let followed = [key::HREF, key::ONCLICK, key::TABINDEX]
                .iter()
                .any(|key| element.key(*key).is_some());
            if followed || element.is(flags::POINTER) {
                Role::Link
            } else {
                Role::Generic
            }
        }
        "address" | "details" | "fieldset" | "hgroup" | "optgroup" => Role::Group,
        "article" => Role::Article,
        // Inside of sections other than `main` an aside needs a name to be a landmark.
        "aside" if assign.subsection(index) && !assign.is_named(index) => Role::Generic,
        "aside" => Role::Complementary,
        "blockquote" => Role::Blockquote,
        "button" => Role::Button,
        "caption" => Role::Caption,
        "code" => Role::Code,
        "dd" => Role::Definition,
        "del" | "s" => Role::Deletion,
        "dialog" => Role::Dialog,
        "dt" | "dfn" => Role::Term,
        "em" => Role::Emphasis,
        "figure" => Role::Figure,
        "footer" if assign.sectioning(index) => Role::SectionFooter,
        "footer" => Role::ContentInfo,
        "form" => Role::Form,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Role::Heading,
        "header" if assign.sectioning(index) => Role::SectionHeader,
        "header" => Role::Banner,
        "hr" => Role::Separator,
        "html" => Role::Document,
        "img" => image(element),
        "input" => input(element),
        "ins" => Role::Insertion,
        "li" => assign.item_of_list(index),
        "main" => Role::Main,
        "mark" => Role::Mark,
        "menu" | "ol" | "ul" => Role::List,
        "meter" => Role::Meter,
        "nav" => Role::Navigation,
        "option" => Role::Option,
        "output" => Role::Status,
        "p" => Role::Paragraph,
        "progress" => Role::Progressbar,
        "search" => Role::Search,
        "section" if assign.is_named(index) => Role::Region,
        "select" => select(element),
        "strong" => Role::Strong,
        "sub" => Role::Subscript,
        "summary" => assign.summary(index),
        "sup" => Role::Superscript,
        "table" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr" => assign.part_of_table(index),
        "textarea" => Role::Textbox,
        "time" => Role::Time,
        _ => Role::Generic,
    }
}

/// The kind of an input, in lower case where the page writes it so; `text` for what no browser knows.
pub(crate) fn input_kind<'e>(element: &'e Element<'_>) -> &'e str {
    const KINDS: &[&str] = &[
        "button",
        "checkbox",
        "color",
        "date",
        "datetime-local",
        "email",
        "file",
        "hidden",
        "image",
        "month",
        "number",
        "password",
        "radio",
        "range",
        "reset",
        "search",
        "submit",
        "tel",
        "text",
        "time",
        "url",
        "week",
    ];
    let Some(kind) = element.key(key::TYPE) else {
        return "text";
    };
    KINDS
        .iter()
        .find(|known| known.eq_ignore_ascii_case(kind))
        .copied()
        .unwrap_or("text")
}

/// Whether the size of a select makes it a list of options; else it opens one.
pub(crate) fn is_listbox(select: &Element<'_>) -> bool {
    let rows = select
        .key(key::SIZE)
        .and_then(|size| size.trim().parse::<u32>().ok());
    select.key(key::MULTIPLE).is_some() && rows != Some(1) || rows.is_some_and(|rows| rows > 1)
}

fn select(element: &Element<'_>) -> Role {
    if is_listbox(element) {
        Role::Listbox
    } else {
        Role::Combobox
    }
}

fn image(element: &Element<'_>) -> Role {
    let has = |key| element.key(key).is_some_and(|text| !text.trim().is_empty());
    // What an empty `alt` says counts for nothing where more is said.
    match element.key(key::ALT) {
        Some("")
            if !has(key::ARIA_LABEL)
                && !has(key::ARIA_LABELLEDBY)
                && !has(key::TITLE)
                && element.key(key::TABINDEX).is_none() =>
        {
            Role::None
        }
        Some(_) | None => Role::Img,
    }
}

fn input(element: &Element<'_>) -> Role {
    let list = element.key(key::LIST).is_some();
    match input_kind(element) {
        // Chromium shows a file field as the button it draws.
        "button" | "image" | "reset" | "submit" | "file" => Role::Button,
        "checkbox" => Role::Checkbox,
        "email" | "search" | "tel" | "text" | "url" if list => Role::Combobox,
        "hidden" => Role::None,
        "number" => Role::SpinButton,
        "radio" => Role::Radio,
        "range" => Role::Slider,
        "search" => Role::Searchbox,
        // Dates, times and colours have no role of their own: they are fields that take a text of a certain form.
        _ => Role::Textbox,
    }
}

/// SVG and MathML.
fn foreign(assign: &Assign<'_, '_, '_>, index: usize) -> Role {
    let element = assign.element(index);
    match element.tag.as_ref() {
        "a" => Role::Link,
        "svg" if assign.is_named(index) || assign.has_title_inside(index) => Role::Img,
        "math" => Role::Math,
        "image" => Role::Img,
        _ if assign.has_title_inside(index) => Role::GraphicsSymbol,
        _ => Role::Generic,
    }
}
