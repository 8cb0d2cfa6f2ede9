//! The reader: understands a page from the columns that the DOM port copied. Pure; it sees no browser.
//!
//! [`read`] is everything it does. In the extension it is a WASM module of its own with plain exports (`exports.rs`),
//! and each read gets a fresh instance.

mod columns;
mod cover;
mod describe;
#[cfg(target_arch = "wasm32")]
pub mod exports;
mod find;
mod fold;
mod html;
mod listed;
mod locate;
mod matches;
mod outline;
mod page;
mod pages;
mod recipe;
mod repeat;
#[cfg(test)]
mod sample;
mod selectors;
mod semantics;
mod suggest;
mod table;
mod text;
mod unread;
mod visible;
mod walk;
mod watch;
mod words;

use drawbridge_protocol::reader::{ReadReply, ReadRequest};

use crate::columns::{Columns, Malformed};

/// Makes of `columns` what `request` asks for.
///
/// Columns without the stated shape give [`ReadReply::Malformed`]; no input makes it panic.
pub fn read(request: &ReadRequest, columns: &str) -> ReadReply {
    understand(request, columns).unwrap_or_else(|Malformed(problem)| ReadReply::Malformed { problem })
}

/// [`read`] over the bytes that cross the module's border: the request and the reply are JSON, and what is not UTF-8 in
/// the columns reads as U+FFFD.
pub fn read_bytes(request: &[u8], columns: &[u8]) -> Vec<u8> {
    let reply = match serde_json::from_slice(request) {
        Ok(request) => read(&request, &String::from_utf8_lossy(columns)),
        Err(error) => ReadReply::Malformed {
            problem: format!("the request: {error}"),
        },
    };
    serde_json::to_vec(&reply)
        .unwrap_or_else(|_| br#"{"got":"malformed","problem":"the reply has no JSON form"}"#.to_vec())
}

fn understand(request: &ReadRequest, columns: &str) -> Result<ReadReply, Malformed> {
    if let ReadRequest::Page {
        ask,
        parts,
        missing,
        next_ref,
    } = request
    {
        let page = page::page(columns, parts, missing, ask.selectors().len())?;
        return Ok(pages::read(&page, ask, *next_ref));
    }
    let mut columns = Columns::parse(columns)?;
    let top = columns.top()?;
    match request {
        ReadRequest::Page { .. } => Err(columns::malformed("a page without parts")),
        ReadRequest::Markup { max_bytes } => html::read(top, columns, *max_bytes),
        ReadRequest::RecipePage {
            recipe,
            page,
            room,
            redirected,
        } => {
            let ask = recipe::Ask {
                recipe,
                page: *page,
                room: *room,
                redirected: *redirected,
            };
            recipe::read(&ask, top, columns)
        }
    }
}

#[cfg(test)]
mod tests;
