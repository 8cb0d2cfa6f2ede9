//! Pages for tests from HTML, as a browser without style sheets would show them.
//!
//! What a style sheet or a script would do is said by attributes: of `style`, `display` (`none`, `contents`, `block`,
//! `inline-block` …), `visibility: hidden|visible`, `opacity: 0`, `cursor: pointer`, `position`, `z-index`,
//! `text-transform`, and `left`, `top`, `width`, `height` in px are understood; `data-before` and `data-after` are
//! generated text, `data-facts="blends focused clips …"` sets flags, `data-message` is why a field is invalid.
//! `<template shadowrootmode>` is a shadow tree, and `srcdoc` a frame of its own.

use std::collections::HashMap;

use drawbridge_protocol::reader::{KEYS, Part, flags};
use html5ever::ns;
use html5ever::tendril::TendrilSink as _;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::{Capture, Node};
use crate::page::{self, Page};

/// Columns and parts of a document and its frames.
#[derive(Debug)]
pub(crate) struct Html {
    columns: String,
    parts: Vec<Part>,
}

impl Html {
    /// Reads HTML.
    pub(crate) fn new(html: &str) -> Self {
        let (mut columns, mut parts) = (String::new(), Vec::new());
        let mut documents = vec![(html.to_owned(), None, -1)];
        let mut next = 0;
        while next < documents.len() {
            let (html, parent, window) = documents[next].clone();
            let mut build = Build::default();
            build.document(&html);
            for (index, srcdoc) in build.frames.iter().enumerate() {
                if let Some(srcdoc) = srcdoc {
                    documents.push((srcdoc.clone(), Some(next as u32), index as i32));
                }
            }
            let own = Capture::new(&build.nodes).window(window).build();
            parts.push(Part {
                bytes: own.len() as u32,
                parent,
            });
            columns.push_str(&own);
            next += 1;
        }
        Self { columns, parts }
    }

    /// The page.
    pub(crate) fn page(&self) -> Page<'_> {
        page::page(&self.columns, &self.parts, &[], 0).expect("columns as they should be")
    }

    /// What a request has to carry along.
    pub(crate) fn parts(&self) -> (&str, &[Part]) {
        (&self.columns, &self.parts)
    }
}

/// Index of the element with an id.
pub(crate) fn by_id(page: &Page<'_>, id: &str) -> usize {
    page.elements
        .iter()
        .position(|element| element.get("id") == Some(id))
        .unwrap_or_else(|| panic!("no element with the id {id}"))
}

#[derive(Default)]
struct Build {
    nodes: Vec<Node>,
    /// `srcdoc` of each frame.
    frames: Vec<Option<String>>,
}

/// What an element passes on.
#[derive(Clone, Copy)]
struct Inherited {
    parent: Option<usize>,
    host: Option<usize>,
    /// The parent's flags.
    flags: i32,
    gone: bool,
    hidden: bool,
    pointer: bool,
    disabled: bool,
    editable: bool,
    transform: i32,
}

impl Build {
    fn document(&mut self, html: &str) {
        let dom = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default()).one(html);
        let top = Inherited {
            parent: None,
            host: None,
            flags: super::BLOCK,
            gone: false,
            hidden: false,
            pointer: false,
            disabled: false,
            editable: false,
            transform: 0,
        };
        for child in elements(&dom.document) {
            self.element(&child, top, &HashMap::new());
        }
    }

    /// Adds an element and everything inside of it. `light` is what slots of this tree show, by name.
    fn element(&mut self, handle: &Handle, up: Inherited, light: &HashMap<String, Vec<Handle>>) {
        let NodeData::Element { name, attrs, .. } = &handle.data else {
            return;
        };
        let attributes: Vec<(String, String)> = attrs
            .borrow()
            .iter()
            .map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()))
            .collect();
        let get = |wanted: &str| {
            attributes
                .iter()
                .find(|(name, _)| name == wanted)
                .map(|(_, value)| value.as_str())
        };
        let tag = name.local.to_string();
        let style = Style::of(get("style").unwrap_or_default());
        let mut own = up;
        let display = style.get("display").unwrap_or_else(|| display_of(&tag));
        own.gone = up.gone || display == "none" || get("hidden").is_some() || never_shown(&tag);
        own.hidden = match style.get("visibility") {
            Some(visibility) => visibility != "visible",
            None => up.hidden,
        };
        own.pointer = style
            .get("cursor")
            .map_or(up.pointer, |cursor| cursor == "pointer");
        own.disabled = up.disabled || get("inert").is_some();
        own.editable = up.editable || get("contenteditable").is_some_and(|value| value != "false");
        own.transform = match style.get("text-transform") {
            Some("uppercase") => flags::UPPERCASE,
            Some("lowercase") => flags::LOWERCASE,
            Some("capitalize") => flags::CAPITALIZE,
            Some(_) => 0,
            None => up.transform,
        };
        let control = matches!(
            tag.as_str(),
            "button" | "input" | "select" | "textarea" | "option" | "optgroup" | "fieldset"
        );
        let mut bits = own.transform | up.flags & (flags::TRANSPARENT | flags::CLIPS);
        let mut set = |is: bool, flag: i32| bits |= if is { flag } else { 0 };
        set(!own.gone, flags::RENDERED);
        set(!own.hidden, flags::VISIBLE);
        set(style.get("opacity") == Some("0"), flags::TRANSPARENT);
        set(display == "contents", flags::CONTENTS);
        set(
            !display.starts_with("inline") && display != "contents" && !own.gone,
            flags::BLOCK,
        );
        set(display.starts_with("inline-"), flags::INLINE_BOX);
        set(
            own.disabled || (control && get("disabled").is_some()),
            flags::DISABLED,
        );
        set(own.pointer, flags::POINTER);
        set(own.editable, flags::EDITABLE);
        set(name.ns != ns!(html), flags::FOREIGN);
        set(
            matches!(style.get("position"), Some("fixed" | "sticky")),
            flags::PINNED,
        );
        set(style.get("position").is_some(), flags::POSITIONED);
        set(up.host.is_some(), flags::IN_SHADOW);
        set(get("type") == Some("password"), flags::SECRET);
        set(!own.gone, flags::IN_VIEW);
        for fact in get("data-facts").unwrap_or_default().split_whitespace() {
            bits |= fact_flag(fact);
        }
        if tag == "fieldset" && get("disabled").is_some() {
            own.disabled = true;
        }
        let index = self.nodes.len();
        let px = |name: &str, default: i32| {
            let value = style
                .get(name)
                .and_then(|value| value.trim_end_matches("px").parse().ok());
            value.unwrap_or(default)
        };
        let place = [
            px("left", 0),
            px("top", index as i32 * 20),
            px("width", 100),
            px("height", 20),
        ];
        let mut node = Node::new(up.parent, &tag).flags(bits).at(place);
        if let Some(host) = up.host {
            node = node.host(host);
        }
        for (name, value) in &attributes {
            if KEYS.contains(&name.as_str()) {
                node = node.key(name, value);
            }
        }
        for (fact, value) in self.facts(handle, &tag, &get, &style) {
            node = node.key(fact, &value);
        }
        self.nodes.push(node);
        let shadow = shadow_tree(handle);
        let below = Inherited {
            parent: Some(index),
            host: if shadow.is_some() { Some(index) } else { up.host },
            flags: bits,
            ..own
        };
        let nodes = children(handle, &tag, shadow.as_ref(), light);
        let slots = shadow.as_ref().map(|_| light_of(handle));
        let light = slots.as_ref().unwrap_or(light);
        let below = if tag == "slot" {
            Inherited { host: None, ..below }
        } else {
            below
        };
        let mut text = String::new();
        let closed = tag == "details" && get("open").is_none();
        for child in nodes {
            match &child.data {
                NodeData::Text { contents } if !is_mute(&tag) => text.push_str(&contents.borrow()),
                NodeData::Element { name, .. } => {
                    text.push('\u{1}');
                    let shown = !closed || &*name.local == "summary";
                    let below = Inherited {
                        gone: below.gone || !shown,
                        ..below
                    };
                    self.element(&child, below, light);
                }
                _ => {}
            }
        }
        let node = self.nodes[index].clone();
        self.nodes[index] = node.text(&text);
    }

    fn facts<'n>(
        &mut self,
        handle: &Handle,
        tag: &str,
        get: &dyn Fn(&str) -> Option<&'n str>,
        style: &Style,
    ) -> Vec<(&'static str, String)> {
        let mut facts = Vec::new();
        let kind = get("type").unwrap_or_default();
        match tag {
            "input" if matches!(kind, "checkbox" | "radio") => {
                let checked = if get("checked").is_some() { "true" } else { "false" };
                facts.push((":checked", checked.to_owned()));
            }
            "input" if kind != "password" && kind != "hidden" => {
                facts.push((":value", get("value").unwrap_or_default().to_owned()));
            }
            "textarea" => facts.push((":value", text_of(handle))),
            "select" => {
                let options = all(handle, "option");
                let chosen: Vec<String> = options
                    .iter()
                    .filter(|option| has(option, "selected"))
                    .map(text_of)
                    .collect();
                let chosen = match (chosen.is_empty(), get("multiple")) {
                    (true, None) => options.first().map(text_of).into_iter().collect(),
                    _ => chosen,
                };
                facts.push((":value", chosen.join("\u{1}")));
            }
            "option" if get("selected").is_some() => facts.push((":selected", "true".to_owned())),
            "iframe" => {
                facts.push((":window", self.frames.len().to_string()));
                facts.push((":inset", "0,0".to_owned()));
                self.frames.push(get("srcdoc").map(str::to_owned));
            }
            _ => {}
        }
        for (fact, attribute) in [(":before", "data-before"), (":after", "data-after")] {
            facts.extend(get(attribute).map(|value| (fact, format!("\"{value}\""))));
        }
        facts.extend(get("data-message").map(|value| (":message", value.to_owned())));
        facts.extend(get("data-scroll").map(|value| (":scroll", value.to_owned())));
        facts.extend(style.get("z-index").map(|value| (":layer", value.to_owned())));
        facts
    }
}

struct Style(Vec<(String, String)>);

impl Style {
    fn of(text: &str) -> Self {
        let pair = |part: &str| {
            let (name, value) = part.split_once(':')?;
            Some((name.trim().to_owned(), value.trim().to_owned()))
        };
        Self(text.split(';').filter_map(pair).collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .rev()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.as_str())
    }
}

fn elements(handle: &Handle) -> Vec<Handle> {
    let is = |child: &&Handle| matches!(child.data, NodeData::Element { .. });
    handle.children.borrow().iter().filter(is).cloned().collect()
}

fn attribute(handle: &Handle, name: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &handle.data else {
        return None;
    };
    let attrs = attrs.borrow();
    let found = attrs.iter().find(|attribute| &*attribute.name.local == name);
    found.map(|attribute| attribute.value.to_string())
}

fn has(handle: &Handle, name: &str) -> bool {
    attribute(handle, name).is_some()
}

fn is(handle: &Handle, tag: &str) -> bool {
    matches!(&handle.data, NodeData::Element { name, .. } if &*name.local == tag)
}

fn all(handle: &Handle, tag: &str) -> Vec<Handle> {
    let mut found = Vec::new();
    for child in elements(handle) {
        if is(&child, tag) {
            found.push(child.clone());
        }
        found.extend(all(&child, tag));
    }
    found
}

fn text_of(handle: &Handle) -> String {
    let mut text = String::new();
    for child in handle.children.borrow().iter() {
        match &child.data {
            NodeData::Text { contents } => text.push_str(&contents.borrow()),
            _ => text.push_str(&text_of(child)),
        }
    }
    text.trim().to_owned()
}

fn shadow_tree(handle: &Handle) -> Option<Handle> {
    let template = elements(handle)
        .into_iter()
        .find(|child| is(child, "template") && has(child, "shadowrootmode"))?;
    let NodeData::Element {
        template_contents, ..
    } = &template.data
    else {
        return None;
    };
    template_contents.borrow().clone()
}

fn light_of(handle: &Handle) -> HashMap<String, Vec<Handle>> {
    let mut slots: HashMap<String, Vec<Handle>> = HashMap::new();
    for child in handle
        .children
        .borrow()
        .iter()
        .filter(|child| !is(child, "template"))
    {
        let slot = attribute(child, "slot").unwrap_or_default();
        slots.entry(slot).or_default().push(child.clone());
    }
    slots
}

fn children(
    handle: &Handle,
    tag: &str,
    shadow: Option<&Handle>,
    light: &HashMap<String, Vec<Handle>>,
) -> Vec<Handle> {
    if let Some(shadow) = shadow {
        return shadow.children.borrow().clone();
    }
    if tag == "slot"
        && let Some(nodes) = light.get(&attribute(handle, "name").unwrap_or_default())
    {
        return nodes.clone();
    }
    handle.children.borrow().clone()
}

fn display_of(tag: &str) -> &'static str {
    match tag {
        "a" | "abbr" | "b" | "bdi" | "bdo" | "br" | "cite" | "code" | "del" | "dfn" | "em" | "i" | "img"
        | "ins" | "kbd" | "label" | "mark" | "q" | "s" | "samp" | "small" | "span" | "strong" | "sub"
        | "sup" | "svg" | "time" | "u" | "var" | "wbr" | "canvas" | "iframe" | "output" | "picture"
        | "map" | "area" | "ruby" | "video" | "audio" => "inline",
        "button" | "input" | "select" | "textarea" | "meter" | "progress" => "inline-block",
        "slot" => "contents",
        _ => "block",
    }
}

fn never_shown(tag: &str) -> bool {
    is_mute(tag) && tag != "textarea"
        || matches!(
            tag,
            "head" | "title" | "meta" | "link" | "datalist" | "param" | "rp"
        )
}

fn is_mute(tag: &str) -> bool {
    matches!(tag, "script" | "style" | "noscript" | "template" | "textarea")
}

fn fact_flag(fact: &str) -> i32 {
    match fact {
        "blends" => flags::BLENDS,
        "clips" => flags::CLIPS,
        "off-page" => flags::OFF_PAGE,
        "top-layer" => flags::TOP_LAYER,
        "focused" => flags::FOCUSED,
        "secret" => flags::SECRET,
        "filled" => flags::FILLED,
        other => panic!("no fact {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_becomes_a_page() {
        let html = Html::new(
            "<title>T</title><p id=p>a<b style='cursor:pointer'>b</b>c</p><div hidden><i id=i>x</i></div>\
             <div id=h><template shadowrootmode=open><em id=e><slot></slot></em></template>light</div>\
             <iframe id=f srcdoc='<button id=b>in</button>'></iframe>",
        );
        let page = html.page();
        let element = |id: &str| &page.elements[by_id(&page, id)];
        assert_eq!(element("p").own, "a\u{1}c");
        assert!(!element("i").is_visible() && element("p").is_visible());
        assert!(
            page.elements
                .iter()
                .any(|element| element.tag == "slot" && element.own == "light")
        );
        assert_eq!(element("e").host, Some(by_id(&page, "h")));
        assert!(page.is_within(by_id(&page, "b"), by_id(&page, "f")));
        assert_eq!(page.documents.len(), 2);
    }
}
