//! An outline as text: one line per node, whatever a page put into it.
//!
//! Page text stands between quotes, and nothing in it can end them, start a line or change the direction of what comes
//! after: quotes and backslashes are escaped, and so is every character that is invisible by nature.

use std::fmt::Write as _;

use super::{About, Note, OutlineNode, State};

/// Writes a node's line, without the line's end.
pub fn write(out: &mut String, node: &OutlineNode) {
    for _ in 0..node.depth {
        out.push_str("  ");
    }
    if let Some(one) = node.r#ref {
        // Writing into a string cannot fail.
        let _ = write!(out, "{one} ");
    }
    out.push_str(role(&node.role));
    if !node.name.is_empty() {
        out.push(' ');
        quote(out, &node.name);
    }
    states(out, node);
    if let Some(value) = &node.value {
        out.push_str(" value=");
        quote(out, value);
    }
    for note in &node.notes {
        out.push(' ');
        about(out, note);
    }
}

/// A node's line.
pub fn line(node: &OutlineNode) -> String {
    let mut out = String::new();
    write(&mut out, node);
    out
}

/// Page text between quotes, as it stands in a line.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote(&mut out, text);
    out
}

/// Whether a character shows nothing, or changes how others are shown: controls, direction marks, invisible tags. White
/// space, joiners of emoji and scripts, and soft hyphens are no such characters.
pub fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            character if is_unseen(character) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            character => out.push(character),
        }
    }
    out.push('"');
}

/// A role is a word of ours or of a page's own; anything but a plain word is not shown.
fn role(role: &str) -> &str {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !role.is_empty() && role.len() <= 40 && role.bytes().all(plain) {
        role
    } else {
        "generic"
    }
}

fn states(out: &mut String, node: &OutlineNode) {
    if node.states.is_empty() && node.level.is_none() {
        return;
    }
    out.push_str(" [");
    if let Some(level) = node.level {
        let _ = write!(out, "level={level}");
    }
    for (index, state) in node.states.iter().enumerate() {
        if index > 0 || node.level.is_some() {
            out.push(' ');
        }
        out.push_str(state.word());
    }
    out.push(']');
}

fn about(out: &mut String, note: &Note) {
    match note.about {
        About::Visual if is_word(&note.text) => {
            let _ = write!(out, "[visual:{}]", note.text);
        }
        About::Hover => {
            out.push_str("[hover first: ");
            quote(out, &note.text);
            out.push(']');
        }
        about => {
            out.push_str(about.word());
            out.push('=');
            if is_word(&note.text) {
                out.push_str(&note.text);
            } else {
                quote(out, &note.text);
            }
        }
    }
}

/// Whether a text needs no quotes.
fn is_word(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".:/_-+%,*".contains(&byte);
    !text.is_empty() && text.len() <= 100 && text.bytes().all(plain)
}

impl State {
    /// As it stands in a line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Focused => "focused",
            Self::Checked => "checked",
            Self::Mixed => "mixed",
            Self::Unchecked => "unchecked",
            Self::Pressed => "pressed",
            Self::Selected => "selected",
            Self::Current => "current",
            Self::Expanded => "expanded",
            Self::Collapsed => "collapsed",
            Self::Disabled => "disabled",
            Self::Readonly => "readonly",
            Self::Required => "required",
            Self::Invalid => "invalid",
            Self::Filled => "filled",
            Self::Multiple => "multiple",
            Self::Modal => "modal",
            Self::Busy => "busy",
            Self::Live => "live",
            Self::AriaHidden => "aria-hidden",
            Self::Hidden => "hidden",
            Self::Covered => "covered",
        }
    }
}

impl About {
    /// As it stands in a line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Description => "description",
            Self::Placeholder => "placeholder",
            Self::Message => "message",
            Self::Format => "format",
            Self::Range => "range",
            Self::Accept => "accept",
            Self::Options => "options",
            Self::To => "to",
            Self::From => "from",
            Self::Count => "count",
            Self::Position => "position",
            Self::Sort => "sort",
            Self::Hint => "hint",
            Self::Hover => "hover",
            Self::Covers => "covers",
            Self::Visual => "visual",
            Self::Reason => "reason",
        }
    }
}

#[cfg(test)]
mod tests;
