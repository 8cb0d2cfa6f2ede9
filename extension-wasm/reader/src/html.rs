//! Markup of one element: which one the port is asked for, and what it answered.

use drawbridge_protocol::Error;
use drawbridge_protocol::page::{Locator, PageFound};
use drawbridge_protocol::reader::ReadReply;

use crate::columns::{Columns, Malformed, Top, malformed};
use crate::locate::Locate;

/// What the port has to be asked for.
///
/// # Errors
/// Those of the locator.
pub(crate) fn want(locate: &Locate<'_, '_, '_>, target: &Locator) -> Result<ReadReply, Error> {
    let page = locate.page();
    let element = &page.elements[locate.one(target)?];
    Ok(ReadReply::WantMarkup {
        part: u32::try_from(element.document).unwrap_or(u32::MAX),
        capture: page.documents[element.document].capture,
        at: element.at,
    })
}

/// The markup that the port answered with, at most `max_bytes` of it.
pub(crate) fn read(top: Top, mut columns: Columns<'_>, max_bytes: u32) -> Result<ReadReply, Malformed> {
    let (is_there, secrets) = (columns.count()?, columns.count()?);
    let markup = columns.text()?;
    columns.finish()?;
    let found = match (is_there, markup) {
        (0, _) => None,
        (1, Some(markup)) => {
            // What the port left out is known in UTF-16 units alone: at least as many bytes.
            let bytes = (markup.len() as u64).saturating_add(u64::from(top.cut));
            let most = usize::try_from(max_bytes).unwrap_or(usize::MAX);
            let mut html = markup.into_owned();
            html.truncate(html.floor_char_boundary(most));
            Some(Box::new(PageFound::Html { html, bytes, secrets }))
        }
        (is_there, _) => return Err(malformed(format!("markup of {is_there} elements"))),
    };
    Ok(ReadReply::Markup {
        header: top.header,
        found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    fn reply(ints: [i32; 2], markup: Option<&str>, max_bytes: u32) -> Result<ReadReply, Malformed> {
        let mut sample = Sample::new();
        sample.ints.extend(ints);
        sample.text(markup);
        let built = sample.build();
        let mut columns = Columns::parse(&built)?;
        let top = columns.top()?;
        read(top, columns, max_bytes)
    }

    #[test]
    fn markup_is_cut_between_characters_and_told_in_bytes() {
        for (most, expected) in [(9, "<b>é</b>"), (5, "<b>é"), (4, "<b>"), (0, "")] {
            let Ok(ReadReply::Markup {
                found: Some(found), ..
            }) = reply([1, 2], Some("<b>é</b>"), most)
            else {
                panic!("no markup");
            };
            let html = expected.to_owned();
            assert_eq!(
                *found,
                PageFound::Html {
                    html,
                    bytes: 9,
                    secrets: 2
                }
            );
        }
    }

    #[test]
    fn an_element_that_went_is_told() {
        let gone = reply([0, 0], Some(""), 10);
        assert!(matches!(gone, Ok(ReadReply::Markup { found: None, .. })));
        assert!(reply([1, 0], None, 10).is_err());
        assert!(reply([2, 0], Some("x"), 10).is_err());
    }
}
