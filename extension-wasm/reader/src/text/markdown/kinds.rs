//! What an element is in Markdown.

use super::inline::Style;
use crate::page::{Element, Page};
use drawbridge_protocol::reader::flags;

/// What an element is in Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Heading(usize),
    List {
        ordered: bool,
    },
    Item,
    Quote,
    /// A block of code.
    Code,
    Rule,
    Break,
    Image,
    Link,
    Style(Style),
    /// What a list defines.
    Term,
    /// A block or a part of a line, by how it is shown.
    Other,
}

/// Bytes of an address; a longer one is data, not an address.
const ADDRESS: usize = 2_000;

/// What an element is, by role where it has one of these, else by tag.
pub(super) fn of(element: &Element<'_>) -> Kind {
    let role = element
        .get("role")
        .and_then(|roles| roles.split_ascii_whitespace().next());
    match role.map(str::to_ascii_lowercase).as_deref() {
        Some("heading") => {
            let level = element
                .get("aria-level")
                .and_then(|level| level.trim().parse().ok());
            return Kind::Heading(level.unwrap_or(2).clamp(1, 6));
        }
        Some("list") => return Kind::List { ordered: false },
        Some("listitem") => return Kind::Item,
        Some("blockquote") => return Kind::Quote,
        Some("separator") => return Kind::Rule,
        Some("none" | "presentation") => return Kind::Other,
        _ => {}
    }
    if element.is(flags::FOREIGN) {
        return Kind::Other;
    }
    match element.tag.as_ref() {
        "h1" => Kind::Heading(1),
        "h2" => Kind::Heading(2),
        "h3" => Kind::Heading(3),
        "h4" => Kind::Heading(4),
        "h5" => Kind::Heading(5),
        "h6" => Kind::Heading(6),
        "ul" | "menu" => Kind::List { ordered: false },
        "ol" => Kind::List { ordered: true },
        "li" => Kind::Item,
        "blockquote" => Kind::Quote,
        "pre" => Kind::Code,
        "hr" => Kind::Rule,
        "br" => Kind::Break,
        "img" => Kind::Image,
        "a" if element.has("href") => Kind::Link,
        "em" | "i" | "cite" | "dfn" | "var" => Kind::Style(Style::Emphasis),
        "strong" | "b" => Kind::Style(Style::Strong),
        "del" | "s" | "strike" => Kind::Style(Style::Struck),
        "code" | "kbd" | "samp" | "tt" => Kind::Style(Style::Code),
        "dt" | "summary" => Kind::Term,
        _ => Kind::Other,
    }
}

/// An address as a target: nothing for what is a program or data.
pub(super) fn address(href: &str) -> String {
    let href = href.trim();
    let scheme = href.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if matches!(scheme.trim(), "javascript" | "data" | "vbscript") || href.len() > ADDRESS {
        return String::new();
    }
    let mut address = String::with_capacity(href.len());
    for character in href.chars() {
        match character {
            // These would end the target, or begin another; encoded they lead to the same place.
            ' ' => address.push_str("%20"),
            '(' => address.push_str("%28"),
            ')' => address.push_str("%29"),
            '<' => address.push_str("%3C"),
            '>' => address.push_str("%3E"),
            '\\' => address.push_str("%5C"),
            '|' => address.push_str("%7C"),
            _ if character.is_control() || character.is_whitespace() => {}
            _ => address.push(character),
        }
    }
    address
}

/// The language of a block of code, where a class names it.
pub(super) fn language<'p>(page: &'p Page<'_>, pre: usize) -> &'p str {
    let code = page
        .children(pre)
        .find(|&child| page.elements[child].is_html("code"));
    [Some(pre), code]
        .into_iter()
        .flatten()
        .flat_map(|index| {
            page.elements[index]
                .get("class")
                .unwrap_or_default()
                .split_ascii_whitespace()
        })
        .find_map(|class| {
            class
                .strip_prefix("language-")
                .or_else(|| class.strip_prefix("lang-"))
        })
        .filter(|name| {
            name.len() <= 20
                && name
                    .chars()
                    .all(|one| one.is_ascii_alphanumeric() || matches!(one, '+' | '#' | '-'))
        })
        .unwrap_or_default()
}
