//! What else is worth saying of an element.

use std::collections::HashMap;

use drawbridge_protocol::outline::{About, Note, OutlineNode};
use drawbridge_protocol::reader::flags;

use crate::semantics::name::{self, From, cut, tidy};
use crate::semantics::{Role, Semantics, key, native};

/// Options of a select that are told, besides the chosen ones.
const OPTIONS: usize = 10;
/// Characters of one option.
const OPTION: usize = 40;
/// Characters of a description.
const DESCRIPTION: usize = 200;

/// Adds the notes of an element, in the order of the protocol.
pub(super) fn add(semantics: &Semantics<'_, '_>, index: usize, node: &mut OutlineNode) {
    let element = &semantics.page().elements[index];
    let mut note = |about, text: Option<String>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            node.notes.push(Note { about, text });
        }
    };
    let field =
        matches!(element.tag.as_ref(), "input" | "select" | "textarea") && !element.is(flags::FOREIGN);
    let mut description = name::description(semantics, index);
    cut(&mut description, DESCRIPTION);
    let name = semantics.name_of(index);
    let written = semantics.has(index, key::ARIA_DESCRIBEDBY) || semantics.has(index, key::ARIA_DESCRIPTION);
    if says_more(&description, &name.text, written) {
        note(About::Description, Some(description));
    }
    if name.from != From::Placeholder {
        let placeholder = semantics.said(index, key::PLACEHOLDER).filter(|_| field);
        let placeholder = placeholder
            .or_else(|| semantics.said(index, key::ARIA_PLACEHOLDER))
            .map(tidy);
        note(About::Placeholder, placeholder.filter(|text| *text != name.text));
    }
    note(About::Message, message(semantics, index));
    if field {
        note(About::Format, format(semantics, index));
    }
    note(About::Range, range(semantics, index));
    if field {
        note(About::Accept, semantics.said(index, key::ACCEPT).map(tidy));
        note(About::Options, options(semantics, index));
    }
    note(About::To, host_elsewhere(semantics, index));
    note(About::Position, position(semantics, index));
    node.notes.extend(sort(semantics, index));
    if element.is_html("canvas") {
        node.notes.push(Note {
            about: About::Visual,
            text: "screenshot".to_owned(),
        });
    }
}

/// How a column is sorted.
pub(super) fn sort(semantics: &Semantics<'_, '_>, index: usize) -> Option<Note> {
    let sort = semantics
        .said(index, key::ARIA_SORT)
        .filter(|sort| *sort != "none")?;
    Some(Note {
        about: About::Sort,
        text: tidy(sort),
    })
}

/// Whether a description tells more than the name. What a `title` says over again in more words does not.
fn says_more(description: &str, name: &str, written: bool) -> bool {
    if written || name.is_empty() {
        return !name.contains(description);
    }
    let plain = |text: &str| {
        let letters = text.chars().filter(|character| character.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let (description, name) = (plain(description), plain(name));
    !name.contains(&description) && !description.contains(&name)
}

fn message(semantics: &Semantics<'_, '_>, index: usize) -> Option<String> {
    if let Some(message) = semantics.said(index, key::MESSAGE) {
        return Some(tidy(message));
    }
    let invalid = semantics
        .said(index, key::ARIA_INVALID)
        .is_some_and(|is| !is.eq_ignore_ascii_case("false"));
    let ids = semantics
        .said(index, key::ARIA_ERRORMESSAGE)
        .filter(|_| invalid)?;
    Some(name::referenced(semantics, index, ids))
}

fn format(semantics: &Semantics<'_, '_>, index: usize) -> Option<String> {
    let element = &semantics.page().elements[index];
    let format = match native::input_kind(element) {
        _ if !element.is_html("input") => return None,
        "date" => "yyyy-mm-dd",
        "time" => "hh:mm",
        "datetime-local" => "yyyy-mm-ddThh:mm",
        "month" => "yyyy-mm",
        "week" => "yyyy-Www",
        "color" => "#rrggbb",
        _ => return None,
    };
    Some(format.to_owned())
}

fn range(semantics: &Semantics<'_, '_>, index: usize) -> Option<String> {
    let element = &semantics.page().elements[index];
    let numbers = matches!(
        semantics.role_of(index),
        Role::Slider | Role::SpinButton | Role::Scrollbar | Role::Separator | Role::Meter
    );
    let dates = element.is_html("input")
        && matches!(
            native::input_kind(element),
            "date" | "time" | "datetime-local" | "month" | "week"
        );
    if !numbers && !dates {
        return None;
    }
    let bound = |native, aria| {
        semantics
            .said(index, native)
            .or_else(|| semantics.said(index, aria))
            .map(tidy)
    };
    let least = bound(key::MIN, key::ARIA_VALUEMIN);
    let most = bound(key::MAX, key::ARIA_VALUEMAX);
    let step = semantics
        .said(index, key::STEP)
        .filter(|step| *step != "1")
        .map(tidy);
    if least.is_none() && most.is_none() && step.is_none() {
        return None;
    }
    let mut range = match (least, most) {
        (None, None) => String::new(),
        (least, most) => format!("{}..{}", least.unwrap_or_default(), most.unwrap_or_default()),
    };
    if let Some(step) = step {
        let gap = if range.is_empty() { "" } else { " " };
        range = format!("{range}{gap}step {step}");
    }
    Some(range)
}

/// The first options, the chosen ones marked, and how many more there are.
fn options(semantics: &Semantics<'_, '_>, index: usize) -> Option<String> {
    let page = semantics.page();
    let element = &page.elements[index];
    let list = match element.tag.as_ref() {
        "select" => index,
        "input" => semantics.by_id(index, semantics.said(index, key::LIST)?)?,
        _ => return None,
    };
    let (mut told, mut count, mut kept) = (Vec::new(), 0_usize, 0_usize);
    for option in list + 1..page.elements[list].end {
        let is_hidden = |index: usize| page.elements[index].has("hidden");
        let around = page
            .parent(option)
            .filter(|around| page.elements[*around].is_html("optgroup"));
        if !page.elements[option].is_html("option") || is_hidden(option) || around.is_some_and(is_hidden) {
            continue;
        }
        count += 1;
        let chosen = semantics.has(option, key::SELECTED);
        if kept >= OPTIONS && !(chosen && kept < 2 * OPTIONS) {
            continue;
        }
        kept += 1;
        let mut text = match semantics.said(option, key::LABEL) {
            Some(label) => tidy(label),
            None => tidy(&page.elements[option].own),
        };
        if text.is_empty() {
            text = semantics.said(option, key::VALUE).map(tidy).unwrap_or_default();
        }
        cut(&mut text, OPTION);
        told.push(if chosen { format!("*{text}") } else { text });
    }
    if count > kept {
        told.push(format!("+{}", count - kept));
    }
    Some(told.join(" | "))
}

/// The host that a link leads to, where that is another one.
fn host_elsewhere(semantics: &Semantics<'_, '_>, index: usize) -> Option<String> {
    if semantics.role_of(index) != Role::Link {
        return None;
    }
    let page = semantics.page();
    let host = host(semantics.get(index, key::HREF)?)?;
    let own = page.documents.get(page.elements[index].document)?;
    let here = self::host(&own.header.url)?;
    (!host.eq_ignore_ascii_case(here)).then(|| tidy(host))
}

/// Per document the host that most of its links lead to, where that is not its own: it is told once.
pub(super) fn usual_hosts(semantics: &Semantics<'_, '_>) -> Vec<Option<String>> {
    const FEWEST: usize = 5;
    let page = semantics.page();
    let mut counts: Vec<(usize, HashMap<&str, usize>)> = vec![Default::default(); page.documents.len()];
    for (index, element) in page.elements.iter().enumerate() {
        if !semantics.has(index, key::HREF) || !element.is_visible() || semantics.role_of(index) != Role::Link
        {
            continue;
        }
        if let Some((all, hosts)) = counts.get_mut(element.document) {
            *all += 1;
            if let Some(host) = semantics.get(index, key::HREF).and_then(host) {
                *hosts.entry(host).or_default() += 1;
            }
        }
    }
    let usual = |(document, (all, hosts)): (usize, (usize, HashMap<&str, usize>))| {
        let own = host(&page.documents[document].header.url).unwrap_or_default();
        let (host, count) = hosts
            .into_iter()
            .max_by_key(|(host, count)| (*count, std::cmp::Reverse(*host)))?;
        let most = count >= FEWEST && count * 2 > all;
        (most && !host.eq_ignore_ascii_case(own)).then(|| tidy(host))
    };
    counts.into_iter().enumerate().map(usual).collect()
}

/// What is said once of where the links of a document lead.
pub(super) fn usually_to(usual: Option<&Option<String>>) -> Option<Note> {
    let text = usual?.clone()?;
    Some(Note {
        about: About::To,
        text,
    })
}

/// Changes what is said of where a link leads to what is not usual in its document.
pub(super) fn leads_unusually(
    semantics: &Semantics<'_, '_>,
    usual: &str,
    index: usize,
    notes: &mut Vec<Note>,
) {
    let page = semantics.page();
    let own = &page.documents[page.elements[index].document].header.url;
    let href = semantics.get(index, key::HREF).unwrap_or_default().trim_start();
    // What begins with a scheme of its own, or stays in the page, leads to no host.
    let stays = href.starts_with('#')
        || href
            .split(['/', '?', '#'])
            .next()
            .is_some_and(|start| start.contains(':'));
    let leads = host(href).or_else(|| host(own).filter(|_| !stays));
    notes.retain(|note| note.about != About::To);
    let Some(leads) = leads.filter(|leads| !leads.eq_ignore_ascii_case(usual)) else {
        return;
    };
    let at = notes
        .iter()
        .position(|note| note.about > About::To)
        .unwrap_or(notes.len());
    let text = tidy(leads);
    notes.insert(
        at,
        Note {
            about: About::To,
            text,
        },
    );
}

/// The host and port of an address that has one.
pub(crate) fn host(address: &str) -> Option<&str> {
    let address = address.trim_start();
    let rest = match address.strip_prefix("//") {
        Some(rest) => rest,
        None => {
            let (scheme, rest) = address.split_once("://")?;
            let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
            web.then_some(rest)?
        }
    };
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    (!host.is_empty()).then_some(host)
}

fn position(semantics: &Semantics<'_, '_>, index: usize) -> Option<String> {
    let place = semantics
        .said(index, key::ARIA_POSINSET)?
        .trim()
        .parse::<u32>()
        .ok()?;
    let size = semantics
        .said(index, key::ARIA_SETSIZE)?
        .trim()
        .parse::<i64>()
        .ok()?;
    // What an author counts out in full tells nothing; what only part of is there does.
    (size > 0).then(|| format!("{place}/{size}"))
}
