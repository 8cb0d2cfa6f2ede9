//! Every read of a page: finds its part of the reader, and gives refs to what it shows.

mod refs;
#[cfg(test)]
mod tests;

use drawbridge_protocol::Error;
use drawbridge_protocol::page::{PageFound, PageRead};
use drawbridge_protocol::reader::ReadReply;

use crate::find;
use crate::locate::Locate;
use crate::page::Page;
use crate::semantics::Semantics;
use crate::{cover, html, listed, outline, selectors, suggest, table, text, watch};

pub(crate) use refs::Refs;

/// Answers one read.
pub(crate) fn read(page: &Page<'_>, ask: &PageRead, next_ref: u32) -> ReadReply {
    let semantics = Semantics::new(page);
    let locate = Locate::new(page, &semantics, ask);
    if let PageRead::Html { target, .. } = ask {
        return html::want(&locate, target).unwrap_or_else(|error| ReadReply::Failed { error });
    }
    let mut refs = Refs::new(page, next_ref);
    match found(&locate, ask, &mut refs) {
        Ok(found) => refs.reply(page, found),
        Err(error) => ReadReply::Failed { error },
    }
}

fn found(locate: &Locate<'_, '_, '_>, ask: &PageRead, refs: &mut Refs) -> Result<PageFound, Error> {
    match ask {
        PageRead::Text {
            within,
            scope,
            format,
            hidden,
            tail,
            log_match,
            log_max_matches,
            max_chars,
        } => {
            let ask = text::Ask {
                within: within.as_ref(),
                scope: *scope,
                format: *format,
                hidden: *hidden,
                tail: *tail,
                log_match: log_match.as_deref(),
                log_max_matches: *log_max_matches,
                max_chars: *max_chars,
            };
            text::answer(locate, &ask)
        }
        PageRead::Find {
            within,
            what,
            limit,
            told,
        } => {
            let ask = find::Ask {
                within: within.as_ref(),
                what,
                limit: *limit,
                told,
            };
            find::answer(locate, refs, &ask)
        }
        PageRead::Table {
            target,
            columns,
            max_rows,
        } => {
            let ask = table::Ask {
                target: target.as_ref(),
                columns: columns.as_deref(),
                max_rows: *max_rows,
            };
            table::answer(locate, refs, &ask)
        }
        PageRead::Suggest { goal, limit } => Ok(suggest::answer(locate.page(), goal.as_deref(), *limit)),
        PageRead::Selectors { scope, limit } => selectors::answer(locate.semantics(), scope, *limit),
        PageRead::Html { .. } => Err(Error::internal("markup is asked of the port")),
        PageRead::Outline {
            within,
            depth,
            viewport_only,
            hidden,
        } => {
            let ask = outline::Ask {
                within: within.as_ref(),
                depth: *depth,
                viewport_only: *viewport_only,
                hidden: *hidden,
            };
            outline::answer(locate, refs, &ask)
        }
        PageRead::Watch {
            failures,
            texts,
            element,
            nearest,
        } => {
            let ask = watch::Ask {
                failures,
                texts,
                element: element.as_ref(),
                nearest: *nearest,
            };
            watch::answer(locate, &ask)
        }
        PageRead::Cover => Ok(cover::answer(locate.page())),
        PageRead::Listed { within, limit } => listed::answer(locate, refs, within.as_ref(), *limit),
    }
}
