//! `html` and `dom`.

use std::rc::Rc;

use drawbridge_protocol::error::Error;
use drawbridge_protocol::outline::{Omitted, OutlineNode, Ref, RefKind};
use drawbridge_protocol::page::{By, Locator, PageFound, PageRead};
use drawbridge_protocol::tools::ToolId;
use drawbridge_protocol::tools::inspect::{
    DEFAULT_BYTES, DomArgs, DomDo, HtmlArgs, HtmlRead, Listed, MAX_BYTES, MAX_TOKENS,
};

use super::super::number;
use super::free;
use super::kept::Kept;
use super::paging::{self, Limits, Missing, Most, Pages, Part, Read};
use super::reading::look;
use super::units::Units;
use crate::daemon::captures::Capture;
use crate::daemon::work::{Work, mismatch};

/// Elements of one list.
const MAX_LISTED: u32 = 50_000;

/// Markup as it was read.
#[derive(Debug)]
pub struct Markup {
    html: String,
    bytes: u64,
    secrets: u32,
}

/// A list of visible elements.
#[derive(Debug)]
pub struct Listing {
    /// One JSON text per element, with its number.
    items: Units,
    /// The element of each number, from 1.
    elements: Vec<Option<Ref>>,
    omitted: Omitted,
}

/// Reads the markup of one part.
pub async fn html(work: &mut Work, args: HtmlArgs) -> Result<HtmlRead, Error> {
    let common = args.common();
    number("maxBytes", args.max_bytes, DEFAULT_BYTES, 1..=MAX_BYTES)?;
    let limits = Limits {
        most: args.max_bytes,
        ..Limits::of(&common)?
    };
    let nothing = PageRead::Html {
        target: Locator::new(By::Text(String::new())),
        max_bytes: MAX_BYTES,
    };
    let goes_on = common.cursor.is_some_and(|cursor| !cursor.trim().is_empty());
    let ask = match common.locator()? {
        Some(target) => PageRead::Html {
            target,
            max_bytes: MAX_BYTES,
        },
        None if goes_on => nothing.clone(),
        None => {
            return Err(Error::argument(
                "target",
                "is needed: the part whose markup is read",
            ));
        }
    };
    let tool = ToolId::InspectHtml;
    match paging::begin(work, &common, tool, &ask, &nothing).await? {
        Read::Kept(capture, from) => given(work, &capture, from, limits),
        Read::New(spot) => {
            let mut look = look(work, &spot, &common, &ask).await?;
            let PageFound::Html { html, bytes, secrets } = &mut look.found else {
                return Err(mismatch());
            };
            let markup = Markup {
                html: std::mem::take(html),
                bytes: *bytes,
                secrets: *secrets,
            };
            let capture = paging::capture(spot, &look, tool, (ask, limits), Kept::Html(markup));
            given(work, &capture, 0, limits)
        }
    }
}

fn given(work: &Work, capture: &Rc<Capture>, from: usize, limits: Limits) -> Result<HtmlRead, Error> {
    let Kept::Html(markup) = &capture.kept else {
        return Err(mismatch());
    };
    let limits = limits.or(capture.limits);
    let bytes = limits.most.unwrap_or(DEFAULT_BYTES);
    let most = Most {
        argument: "maxBytes",
        given: bytes,
        units: bytes as usize,
    };
    // Bytes are its usual bound, not tokens.
    let limit = (Some(most), limits.budget(MAX_TOKENS));
    paging::give(work, capture, markup, from, limit, false)
}

impl Markup {
    pub(super) fn size(&self) -> usize {
        self.html.capacity()
    }
}

impl Pages for Markup {
    type Result = HtmlRead;

    fn units(&self) -> usize {
        self.html.len()
    }

    fn bytes(&self, _from: usize, count: usize) -> usize {
        count
    }

    fn whole(&self, from: usize, count: usize) -> usize {
        free::whole(&self.html, from, count, false)
    }

    fn result(&self, part: &Part<'_>) -> HtmlRead {
        let html = free::part(&self.html, part.from, part.count, false);
        let rest = free::part(&self.html, part.end(), usize::MAX - part.end(), false);
        let omitted = Omitted {
            characters: rest.chars().count() as u32,
            ..Omitted::default()
        };
        let Missing {
            truncated,
            omitted,
            mut hint,
        } = paging::missing(
            omitted,
            part.cursor.as_ref(),
            "name a smaller part with target, or raise maxBytes",
        );
        let beyond = self.bytes > self.html.len() as u64;
        if beyond && part.cursor.is_none() {
            hint = Some(format!(
                "one read holds {MAX_BYTES} bytes of markup: name a smaller part with target"
            ));
        }
        HtmlRead {
            session: part.head.session.clone(),
            tab: part.head.tab.clone(),
            document: part.head.document.clone(),
            url: part.head.url.clone(),
            title: part.head.title.clone(),
            html: html.to_owned(),
            bytes: self.bytes,
            secrets: self.secrets,
            boundary: Some(part.boundary.to_owned()),
            truncated: truncated || beyond,
            omitted,
            hint,
            next_cursor: part.cursor.clone(),
        }
    }
}

/// Lists visible elements.
pub async fn dom(work: &mut Work, args: DomArgs) -> Result<Listed, Error> {
    let common = args.common();
    let limits = Limits::of(&common)?;
    match args.r#do.unwrap_or_default() {
        DomDo::List => {}
    }
    let ask = PageRead::Listed {
        within: common.locator()?,
        limit: MAX_LISTED,
    };
    let nothing = PageRead::Listed {
        within: None,
        limit: MAX_LISTED,
    };
    let tool = ToolId::InspectDom;
    match paging::begin(work, &common, tool, &ask, &nothing).await? {
        Read::Kept(capture, from) => listed(work, &capture, from, limits),
        Read::New(spot) => {
            let mut look = look(work, &spot, &common, &ask).await?;
            let PageFound::Listed { nodes, omitted } = &mut look.found else {
                return Err(mismatch());
            };
            let listing = Listing::new(nodes, std::mem::take(omitted));
            let capture = paging::capture(spot, &look, tool, (ask, limits), Kept::Dom(listing));
            listed(work, &capture, 0, limits)
        }
    }
}

fn listed(work: &Work, capture: &Rc<Capture>, from: usize, limits: Limits) -> Result<Listed, Error> {
    let Kept::Dom(listing) = &capture.kept else {
        return Err(mismatch());
    };
    // Its numbers mean something as long as it is kept.
    let budget = limits.or(capture.limits).usual();
    paging::give(work, capture, listing, from, (None, budget), true)
}

impl Listing {
    fn new(nodes: &mut [OutlineNode], omitted: Omitted) -> Self {
        let elements = nodes.iter().map(|node| node.r#ref).collect();
        for (index, node) in nodes.iter_mut().enumerate() {
            node.r#ref = Some(Ref {
                kind: RefKind::Listed,
                number: index as u32 + 1,
            });
        }
        Self {
            items: Units::of_json(nodes, |node| node.kind),
            elements,
            omitted,
        }
    }

    pub(super) fn size(&self) -> usize {
        self.items.size() + self.elements.capacity() * size_of::<Option<Ref>>()
    }
}

impl Pages for Listing {
    type Result = Listed;

    fn units(&self) -> usize {
        self.items.len()
    }

    fn bytes(&self, from: usize, count: usize) -> usize {
        self.items.text(from, count).len()
    }

    fn result(&self, part: &Part<'_>) -> Listed {
        let left = self.items.left(part.end());
        let omitted = Omitted {
            nodes: self.omitted.nodes + left.all,
            controls: self.omitted.controls + left.controls,
            ..self.omitted.clone()
        };
        let Missing {
            truncated,
            omitted,
            hint,
        } = paging::missing(omitted, part.cursor.as_ref(), "narrow it with target");
        Listed {
            session: part.head.session.clone(),
            tab: part.head.tab.clone(),
            document: part.head.document.clone(),
            url: part.head.url.clone(),
            title: part.head.title.clone(),
            snapshot_id: part.id.to_owned(),
            nodes: self.items.read(part.from, part.count),
            truncated,
            omitted,
            hint,
            next_cursor: part.cursor.clone(),
        }
    }
}
