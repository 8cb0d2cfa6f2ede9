//! Visible elements as a flat list: what can be acted on, what says something, what shows something.

use drawbridge_protocol::Error;
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::page::{Locator, PageFound};

use drawbridge_protocol::reader::flags;

use crate::describe;
use crate::locate::Locate;
use crate::pages::Refs;
use crate::semantics::Role;
use crate::{text, unread};

/// Answers a read of the list: the first `limit` elements in document order.
///
/// # Errors
/// Those of the locator.
pub(crate) fn answer(
    locate: &Locate<'_, '_, '_>,
    refs: &mut Refs,
    within: Option<&Locator>,
    limit: u32,
) -> Result<PageFound, Error> {
    let page = locate.page();
    let root = match within {
        Some(locator) => locate.one(locator)?,
        None => page.documents[0].root,
    };
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let (mut nodes, mut omitted) = (Vec::new(), Omitted::default());
    for index in root..page.elements[root].end {
        let element = &page.elements[index];
        if !element.shows_text() && element.has_own_text() {
            omitted.hidden += 1;
        }
        if !element.is_visible() || !is_listed(locate, index) {
            continue;
        }
        if nodes.len() < most {
            nodes.push(describe::node(locate.semantics(), refs, index));
        } else {
            omitted.nodes += 1;
            omitted.controls += u32::from(locate.semantics().is_control(index));
        }
    }
    omitted.frames = unread::count(page, root);
    omitted.elements = page.left_out;
    Ok(PageFound::Listed { nodes, omitted })
}

fn is_listed(locate: &Locate<'_, '_, '_>, index: usize) -> bool {
    let (element, semantics) = (&locate.page().elements[index], locate.semantics());
    // What is inside a control is part of it, and so is a word set apart in a sentence.
    let in_sentence = !element.is(flags::BLOCK)
        && semantics.role_of(index).is_transparent()
        && element
            .parent
            .is_some_and(|parent| locate.page().elements[parent].has_own_text());
    let says =
        element.has_own_text() && text::is_shown(element) && !semantics.is_in_control(index) && !in_sentence;
    let shows = matches!(
        element.tag.as_ref(),
        "iframe" | "frame" | "canvas" | "video" | "audio"
    ) || (semantics.role_of(index) == Role::Img && !semantics.is_in_control(index));
    let choice = element.is_html("option") || element.is_html("optgroup");
    !choice && (semantics.is_control(index) || says || shows)
}

#[cfg(test)]
mod tests {
    use drawbridge_protocol::page::{PageFound, PageRead};

    use crate::sample::ask::{ask, test_id};

    #[test]
    fn controls_text_and_images_are_listed_once_each() {
        let html = "<h1>Title</h1><div><button><span>Go</span></button><p>Some <b>bold</b></p><img alt=Cat src=c>\
            <p hidden>no</p><select><option>a<option>b</select><iframe srcdoc='<a href=/x>in</a>'></iframe></div>";
        let Ok(PageFound::Listed { nodes, omitted }) = ask(
            html,
            &PageRead::Listed {
                within: None,
                limit: 100,
            },
        ) else {
            panic!("no list");
        };
        let said: Vec<String> = nodes
            .iter()
            .map(|node| format!("{} {}", node.role, node.name))
            .collect();
        let expected = [
            "heading Title",
            "button Go",
            "paragraph Some bold",
            "img Cat",
            "combobox ",
            "frame ",
            "link in",
        ];
        assert_eq!(said, expected);
        assert!(nodes.iter().all(|node| node.r#ref.is_some()));
        assert_eq!((omitted.hidden, omitted.nodes), (1, 0));
    }

    #[test]
    fn a_limit_is_told() {
        let read = PageRead::Listed {
            within: Some(test_id("here")),
            limit: 1,
        };
        let html = "<a href=/>out</a><div data-testid=here><p>a<p>b<button>c</button></div>";
        let Ok(PageFound::Listed { nodes, omitted }) = ask(html, &read) else {
            panic!("no list");
        };
        assert_eq!((nodes.len(), omitted.nodes, omitted.controls), (1, 2, 1));
    }
}
