//! Which frames of a tab are read, and what is told of those that are not. Pure.

use std::collections::HashMap;

use drawbridge_protocol::ids::DocumentId;
use drawbridge_protocol::link::FrameSeen;
use drawbridge_protocol::reader::Missing;

use crate::chrome::Frame;

/// Frames read at most; a page with more of them tells of the rest.
const MOST: usize = 200;

/// A frame below the main one, and what is done about it.
#[derive(Debug, PartialEq)]
pub(crate) struct Chosen {
    /// Its document.
    pub(crate) document: String,
    /// Its address.
    pub(crate) url: String,
    /// The one whose document it is in: place among the chosen ones; `None`: the main document.
    pub(crate) parent: Option<usize>,
    /// Why it is not read.
    pub(crate) missing: Option<Missing>,
}

/// A frame as the daemon is told of it.
pub(crate) fn seen(frame: Frame) -> FrameSeen {
    FrameSeen {
        document: frame.document_id.as_str().into(),
        parent: frame.parent_document_id.unwrap_or_default().as_str().into(),
        url: frame.url,
    }
}

/// Sorts the frames below `main`, which come each after the one they are in. What lies inside a frame that is not read is
/// part of what cannot be seen there, and is left out.
pub(crate) fn choose(main: &str, frames: Vec<Frame>, allowed: &[DocumentId]) -> Vec<Chosen> {
    let mut chosen: Vec<Chosen> = Vec::new();
    let mut read: HashMap<String, Option<usize>> = HashMap::from([(main.to_owned(), None)]);
    let mut taken = 0;
    for frame in frames {
        let Some(&parent) = frame
            .parent_document_id
            .as_ref()
            .and_then(|parent| read.get(parent))
        else {
            continue;
        };
        let is_allowed = allowed
            .iter()
            .any(|document| document.as_str() == frame.document_id);
        let missing = if frame.error_occurred || !takes_scripts(&frame.url) {
            Some(Missing::Unreadable)
        } else if !is_allowed {
            Some(Missing::NotGranted)
        } else if taken == MOST {
            Some(Missing::Silent)
        } else {
            None
        };
        if missing.is_none() {
            taken += 1;
            read.insert(frame.document_id.clone(), Some(chosen.len()));
        }
        chosen.push(Chosen {
            document: frame.document_id,
            url: frame.url,
            parent,
            missing,
        });
    }
    chosen
}

/// Whether the browser lets an extension into a frame at such an address.
fn takes_scripts(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default();
    !matches!(
        scheme,
        "chrome-extension"
            | "chrome"
            | "chrome-untrusted"
            | "chrome-error"
            | "devtools"
            | "edge"
            | "view-source"
    )
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A frame below the main one.
    pub(crate) fn frame(document: &str, parent: &str, url: &str) -> Frame {
        Frame {
            frame_id: 1,
            document_id: document.to_owned(),
            parent_document_id: Some(parent.to_owned()),
            url: url.to_owned(),
            ..Frame::default()
        }
    }

    #[test]
    fn a_frame_is_read_named_or_part_of_what_is_not_read() {
        let frames = vec![
            frame("a", "main", "https://a.example/"),
            frame("b", "main", "https://b.example/"),
            frame("c", "main", "chrome-extension://abc/fill.html"),
            Frame {
                error_occurred: true,
                ..frame("d", "main", "https://a.example/gone")
            },
            frame("e", "a", "about:srcdoc"),
            frame("f", "b", "https://a.example/inside-b"),
            frame("g", "e", "data:text/html,x"),
        ];
        let allowed: Vec<DocumentId> = ["a", "c", "d", "e", "f", "g"].map(DocumentId::from).into();
        let chosen: Vec<_> = choose("main", frames, &allowed)
            .into_iter()
            .map(|one| (one.document, one.parent, one.missing))
            .collect();
        let expected = [
            ("a", None, None),
            ("b", None, Some(Missing::NotGranted)),
            ("c", None, Some(Missing::Unreadable)),
            ("d", None, Some(Missing::Unreadable)),
            ("e", Some(0), None),
            ("g", Some(4), None),
        ];
        assert_eq!(
            chosen,
            expected.map(|(document, parent, why)| (document.to_owned(), parent, why))
        );
    }

    #[test]
    fn a_flood_of_frames_is_bounded() {
        let frames: Vec<Frame> = (0..300)
            .map(|number| frame(&format!("f{number}"), "main", "https://a.example/"))
            .collect();
        let allowed: Vec<DocumentId> = frames
            .iter()
            .map(|frame| frame.document_id.as_str().into())
            .collect();
        let chosen = choose("main", frames, &allowed);
        assert_eq!(chosen.len(), 300);
        assert_eq!(chosen.iter().filter(|one| one.missing.is_none()).count(), MOST);
    }
}
