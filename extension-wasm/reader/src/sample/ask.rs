//! Reads of pages from HTML, for tests.

use drawbridge_protocol::page::{By, Locator, PageFound, PageRead};
use drawbridge_protocol::reader::{ReadReply, ReadRequest};
use drawbridge_protocol::{Code, Error};

use super::html::Html;

/// What a read of this page finds.
pub(crate) fn ask(html: &str, ask: &PageRead) -> Result<PageFound, Error> {
    let html = Html::new(html);
    let (columns, parts) = html.parts();
    let request = ReadRequest::Page {
        ask: Box::new(ask.clone()),
        parts: parts.to_vec(),
        missing: Vec::new(),
        next_ref: 1,
    };
    match crate::read(&request, columns) {
        ReadReply::Page { found, .. } => Ok(*found),
        ReadReply::Failed { error } => Err(error),
        other => panic!("{other:?}"),
    }
}

/// The code of the error that a read of this page ends in.
pub(crate) fn refused(html: &str, read: &PageRead) -> Code {
    match ask(html, read) {
        Err(error) => error.code,
        Ok(found) => panic!("{found:?}"),
    }
}

/// A locator by role and name.
pub(crate) fn role(role: &str, name: Option<&str>) -> Locator {
    Locator::new(By::Role {
        role: role.to_owned(),
        name: name.map(str::to_owned),
    })
}

/// A locator by test id.
pub(crate) fn test_id(id: &str) -> Locator {
    Locator::new(By::TestId(id.to_owned()))
}
