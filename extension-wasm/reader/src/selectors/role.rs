//! The role an element has by itself: what it says, else what its tag means (HTML-AAM 1.0, section 4).

use crate::collection::Element;

/// The ARIA role, where there is one. What depends on names and surroundings (`banner`, `form`, `region`) is left out.
pub(crate) fn of<'e>(element: &'e Element<'_>) -> Option<&'e str> {
    let explicit = element
        .attribute("role")
        .and_then(|roles| roles.split_ascii_whitespace().next());
    explicit.or_else(|| implicit(element))
}

fn implicit(element: &Element<'_>) -> Option<&'static str> {
    Some(match element.tag.as_ref() {
        "a" | "area" => element.attribute("href").map(|_| "link")?,
        "article" => "article",
        "aside" => "complementary",
        "blockquote" => "blockquote",
        "button" | "summary" => "button",
        "caption" => "caption",
        "code" => "code",
        "dd" => "definition",
        "details" | "fieldset" | "optgroup" => "group",
        "dialog" => "dialog",
        "dt" => "term",
        "em" => "emphasis",
        "figure" => "figure",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "heading",
        "hr" => "separator",
        "img" => match element.attribute("alt") {
            Some("") => return None,
            Some(_) | None => "img",
        },
        "input" => input(element.attribute("type").unwrap_or_default())?,
        "li" => "listitem",
        "main" => "main",
        "menu" | "ol" | "ul" => "list",
        "meter" => "meter",
        "nav" => "navigation",
        "option" => "option",
        "output" => "status",
        "p" => "paragraph",
        "progress" => "progressbar",
        "search" => "search",
        "select" => "combobox",
        "strong" => "strong",
        "sub" => "subscript",
        "sup" => "superscript",
        "table" => "table",
        "tbody" | "tfoot" | "thead" => "rowgroup",
        "td" => "cell",
        "textarea" => "textbox",
        "th" => "columnheader",
        "time" => "time",
        "tr" => "row",
        _ => return None,
    })
}

fn input(kind: &str) -> Option<&'static str> {
    Some(match kind.to_ascii_lowercase().as_str() {
        "button" | "image" | "reset" | "submit" => "button",
        "checkbox" => "checkbox",
        "number" => "spinbutton",
        "radio" => "radio",
        "range" => "slider",
        "search" => "searchbox",
        // These have none of their own.
        "color" | "date" | "datetime-local" | "file" | "hidden" | "month" | "password" | "time" | "week" => {
            return None;
        }
        // Also what a browser does not know: it is a text field then.
        _ => "textbox",
    })
}
