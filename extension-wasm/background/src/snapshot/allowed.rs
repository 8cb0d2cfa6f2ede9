//! Which of the debugger's frames may be read. Pure.
//!
//! The debugger has other names for documents than the rest of the browser, and an address alone says nothing: frames of
//! several sites are at `about:blank`. So a frame is looked for among those that the document around it holds.

use std::collections::{HashMap, HashSet};

use drawbridge_protocol::ids::DocumentId;

use crate::chrome::Frame;
use crate::frames;

/// What is known of the frames of a page, by the document around each.
pub(super) struct Allowed {
    main: String,
    inside: HashMap<String, Vec<Known>>,
    asked: bool,
}

struct Known {
    document: String,
    address: String,
    may: bool,
}

impl Allowed {
    /// `allowed`: documents whose sites are granted; `None`: no frame was asked for.
    pub(super) fn of(main: &str, listed: &[Frame], allowed: Option<&[DocumentId]>) -> Self {
        let chosen = frames::choose(main, listed.to_vec(), allowed.unwrap_or_default());
        let read: HashSet<String> = chosen
            .into_iter()
            .filter(|frame| frame.missing.is_none())
            .map(|frame| frame.document)
            .collect();
        let mut inside: HashMap<String, Vec<Known>> = HashMap::new();
        for frame in listed {
            let parent = frame.parent_document_id.clone().unwrap_or_default();
            inside.entry(parent).or_default().push(Known {
                may: read.contains(&frame.document_id),
                document: frame.document_id.clone(),
                address: plain(&frame.url),
            });
        }
        Self {
            main: main.to_owned(),
            inside,
            asked: allowed.is_some(),
        }
    }

    /// The documents that the page itself may be.
    pub(super) fn main(&self) -> Vec<String> {
        vec![self.main.clone()]
    }

    /// The documents that a frame at `url` may be, in a frame that is one of `around`. It may be read only if it may be,
    /// whichever of them it is.
    ///
    /// # Errors
    /// Why it may not be read.
    pub(super) fn inside(&self, around: &[String], url: &str) -> Result<Vec<String>, &'static str> {
        if !self.asked {
            return Err("frames were not asked for");
        }
        let address = plain(url);
        let found: Vec<&Known> = around
            .iter()
            .filter_map(|document| self.inside.get(document))
            .flatten()
            .filter(|known| known.address == address)
            .collect();
        if found.is_empty() {
            return Err("it came while the page was read");
        }
        if found.iter().any(|known| !known.may) {
            return Err("its site is not allowed");
        }
        Ok(found.into_iter().map(|known| known.document.clone()).collect())
    }
}

/// An address as both sides have it.
fn plain(url: &str) -> String {
    match url.split('#').next().unwrap_or_default() {
        "" => "about:blank".to_owned(),
        url => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::tests::frame;

    fn page() -> Vec<Frame> {
        vec![
            frame("own", "main", "about:srcdoc"),
            frame("a", "main", "https://a.example/"),
            frame("b", "main", "https://b.example/x?y#z"),
            frame("in-a", "a", "about:srcdoc"),
            frame("in-b", "b", "about:srcdoc"),
        ]
    }

    #[test]
    fn a_frame_is_judged_by_the_document_around_it() {
        let granted = ["own", "a", "in-a"].map(DocumentId::from);
        let may = Allowed::of("main", &page(), Some(&granted));
        let main = may.main();
        assert_eq!(may.inside(&main, "about:srcdoc"), Ok(vec!["own".to_owned()]));
        let a = may.inside(&main, "https://a.example/#top").unwrap();
        assert_eq!(may.inside(&a, "about:srcdoc"), Ok(vec!["in-a".to_owned()]));
        let not_allowed = Err("its site is not allowed");
        assert_eq!(may.inside(&main, "https://b.example/x?y"), not_allowed);
        assert_eq!(may.inside(&["b".to_owned()], "about:srcdoc"), not_allowed);
        let new = Err("it came while the page was read");
        assert_eq!(may.inside(&a, "https://a.example/"), new, "elsewhere it was");
        assert_eq!(may.inside(&[], "about:srcdoc"), new);
    }

    #[test]
    fn frames_that_cannot_be_told_apart_are_read_if_all_may_be() {
        let mut page = page();
        page.push(frame("own-2", "main", "about:srcdoc"));
        let granted = ["own", "own-2"].map(DocumentId::from);
        let both = Allowed::of("main", &page, Some(&granted));
        assert_eq!(
            both.inside(&both.main(), "about:srcdoc").map(|all| all.len()),
            Ok(2)
        );
        let one = Allowed::of("main", &page, Some(&granted[..1]));
        assert!(one.inside(&one.main(), "about:srcdoc").is_err());
        let none = Allowed::of("main", &page, None);
        assert_eq!(
            none.inside(&none.main(), "about:srcdoc"),
            Err("frames were not asked for")
        );
    }
}
