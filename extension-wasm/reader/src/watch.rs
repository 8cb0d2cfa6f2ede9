//! What a wait waits for, as far as a page has it. Texts are found as text locators find them: folded, in any case, by what
//! a person can see.

use drawbridge_protocol::page::{Locator, PageFound};
use drawbridge_protocol::{Code, Error};

use crate::fold::{self, Needle};
use crate::locate::Locate;

/// Characters of a text that is quoted.
const QUOTED: usize = 80;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'r> {
    pub(crate) failures: &'r [String],
    pub(crate) texts: &'r [String],
    pub(crate) element: Option<&'r Locator>,
    pub(crate) nearest: bool,
}

/// Answers it.
///
/// # Errors
/// `invalid_argument` for what is no selector. What is not there, or not alone where it has to be, is only counted.
pub(crate) fn answer(locate: &Locate<'_, '_, '_>, ask: &Ask<'_>) -> Result<PageFound, Error> {
    let (found, why) = match ask.element.map(|element| locate.all(element)) {
        None => (Vec::new(), None),
        Some(Ok(found)) => (found, None),
        Some(Err(error)) => match error.code {
            // Its scope or index is not there yet, or its ref not any more.
            Code::NotFound | Code::StaleRef | Code::Ambiguous => (Vec::new(), Some(error.message)),
            _ => return Err(error),
        },
    };
    let visible: Vec<usize> = found
        .iter()
        .copied()
        .filter(|&index| locate.is_visible(index))
        .collect();
    let enabled = visible
        .iter()
        .filter(|&&index| !locate.semantics().is_disabled(index))
        .count();
    let text = first(locate, ask.texts);
    let nearest = match (ask.nearest, ask.element) {
        (false, _) => None,
        (true, Some(_)) => Some(why.unwrap_or_else(|| counted(found.len(), visible.len(), enabled))),
        (true, None) if text.is_none() => nearest(locate, ask.texts),
        (true, None) => None,
    };
    Ok(PageFound::Watched {
        failure: first(locate, ask.failures),
        text,
        total: number(found.len()),
        visible: number(visible.len()),
        enabled: number(enabled),
        nearest,
    })
}

/// The first of these texts that can be seen.
fn first(locate: &Locate<'_, '_, '_>, texts: &[String]) -> Option<String> {
    texts
        .iter()
        .find(|text| locate.caseless().is_said(Needle::new(text, false).text()))
        .cloned()
}

/// How near an element came.
fn counted(total: usize, visible: usize, enabled: usize) -> String {
    match (total, visible, enabled) {
        (0, ..) => "nothing matches".to_owned(),
        (1, 0, _) => "one element matches, and it cannot be seen".to_owned(),
        (total, 0, _) => format!("{total} elements match, and none of them can be seen"),
        (_, 1, 0) => "one match can be seen, and it is disabled".to_owned(),
        (_, 1, _) => "one match can be seen".to_owned(),
        (_, visible, _) => format!("{visible} matches can be seen"),
    }
}

/// What comes nearest to texts of which none can be seen: where one is and cannot be seen, else the visible text that
/// shares most of its words.
fn nearest(locate: &Locate<'_, '_, '_>, texts: &[String]) -> Option<String> {
    let page = locate.page();
    for text in texts {
        let needle = Needle::new(text, false);
        let holds = |own: &str| !needle.text().is_empty() && needle.fits(own);
        let hidden = page
            .elements
            .iter()
            .filter(|element| !element.shows_text() && holds(&element.own))
            .count();
        if hidden > 0 {
            let it = if hidden == 1 {
                "one element has"
            } else {
                "elements have"
            };
            return Some(format!("{it} {}, and it cannot be seen", quoted(text)));
        }
    }
    let wanted: Vec<Vec<String>> = texts
        .iter()
        .map(|text| fold::caseless(text).split(' ').map(str::to_owned).collect())
        .collect();
    let mut best: Option<(usize, usize)> = None;
    for (index, element) in page.elements.iter().enumerate() {
        if !element.has_own_text() || !element.shows_text() {
            continue;
        }
        let said = locate.caseless().of(index);
        let shared = wanted
            .iter()
            .map(|words| words.iter().filter(|word| has_word(said, word)).count())
            .max()
            .unwrap_or(0);
        if shared > best.map_or(0, |(most, _)| most) {
            best = Some((shared, index));
        }
    }
    let (_, index) = best?;
    let line = crate::text::line(page, index, QUOTED);
    Some(format!("the closest text is {}", quoted(&line)))
}

fn has_word(said: &str, word: &str) -> bool {
    said.split(|character: char| !character.is_alphanumeric())
        .any(|own| {
            own == word.trim_matches(|character: char| !character.is_alphanumeric()) && !own.is_empty()
        })
}

fn quoted(text: &str) -> String {
    let text: String = fold::fold(text).chars().take(QUOTED).collect();
    format!("{text:?}")
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::ask::{ask, role};
    use drawbridge_protocol::page::{By, PageRead};

    struct Watched {
        failure: Option<String>,
        text: Option<String>,
        counts: [u32; 3],
        nearest: String,
    }

    fn watched(html: &str, texts: &[&str], failures: &[&str], element: Option<Locator>) -> Watched {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let read = PageRead::Watch {
            failures: owned(failures),
            texts: owned(texts),
            element,
            nearest: true,
        };
        match ask(html, &read) {
            Ok(PageFound::Watched {
                failure,
                text,
                total,
                visible,
                enabled,
                nearest,
            }) => Watched {
                failure,
                text,
                counts: [total, visible, enabled],
                nearest: nearest.unwrap_or_default(),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_text_counts_only_where_it_can_be_seen() {
        let html = "<template>Saved</template><p hidden>Saved</p><p>Not yet</p>";
        let found = watched(html, &["saved"], &[], None);
        assert_eq!(found.text, None);
        assert!(found.nearest.contains("cannot be seen"), "{}", found.nearest);
        let html = "<p>All <b>changes</b> were  saved.</p>";
        let found = watched(
            html,
            &["nothing", "changes were SAVED"],
            &["failed", "all changes"],
            None,
        );
        assert_eq!(found.text.as_deref(), Some("changes were SAVED"));
        assert_eq!(found.failure.as_deref(), Some("all changes"));
        assert_eq!(found.nearest, "");
    }

    #[test]
    fn the_closest_text_shares_most_words() {
        let html = "<p>Order sent</p><p>Your order was not confirmed</p><p>Menu</p>";
        let found = watched(html, &["Order confirmed"], &[], None);
        assert_eq!(
            found.nearest,
            "the closest text is \"Your order was not confirmed\""
        );
        assert_eq!(watched("<p>Menu</p>", &["Order"], &[], None).nearest, "");
    }

    #[test]
    fn elements_are_counted_by_what_can_be_done_with_them() {
        let html = "<button hidden>Go</button><button disabled>Go</button><button>Stop</button>";
        let found = watched(html, &[], &[], Some(role("button", Some("go"))));
        assert_eq!(
            (found.counts, found.nearest.as_str()),
            ([2, 1, 0], "one match can be seen, and it is disabled")
        );
        let found = watched(html, &[], &[], Some(role("link", None)));
        assert_eq!(
            (found.counts, found.nearest.as_str()),
            ([0, 0, 0], "nothing matches")
        );
    }

    #[test]
    fn a_scope_or_a_ref_that_is_not_there_is_waited_for() {
        let mut inside = role("button", None);
        inside.scope = Some(Box::new(role("dialog", None)));
        assert_eq!(
            watched("<button>Go</button>", &[], &[], Some(inside)).counts,
            [0, 0, 0]
        );
        let gone = Locator::new(By::Ref(drawbridge_protocol::outline::Ref::element(9)));
        assert_eq!(
            watched("<button>Go</button>", &[], &[], Some(gone)).counts,
            [0, 0, 0]
        );
    }
}
