//! `observe` and `snapshot`: outlines, in part or as what changed.

mod diff;
mod hover;

use std::rc::Rc;

use drawbridge_protocol::error::Error;
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::outline::{Omitted, OutlineNode, line};
use drawbridge_protocol::page::{PageFound, PageRead};
use drawbridge_protocol::tools::ToolId;
use drawbridge_protocol::tools::inspect::{
    Common, DiffTold, Mode, ObserveArgs, Observed, SnapshotArgs, Snapshotted,
};

use super::kept::Kept;
use super::paging::{self, Limits, Missing, Pages, Part, Read};
use super::reading::{Look, Spot, look, readable, shown};
use super::units::{Counted, Units};
use crate::daemon::captures::Capture;
use crate::daemon::work::{Work, mismatch};

/// An outline as it was read.
#[derive(Debug)]
pub struct Outline {
    /// One line per node; what a later difference is taken against.
    lines: Units,
    /// With `mode: structured`: one JSON text per node.
    data: Option<Units>,
    /// With `diff` and something to compare with: the lines that differ.
    changed: Option<Units>,
    told: Option<DiffTold>,
    /// What the page left out.
    omitted: Omitted,
    /// Whether that is what lies below the depth that was asked for.
    deeper: bool,
    /// Of the browser's own tree: what the browser calls this look.
    snapshot: Option<String>,
}

/// An outline as `snapshot` gives it.
struct Snapped<'a>(&'a Outline);

/// Shows a page as an outline.
pub async fn observe(work: &mut Work, args: ObserveArgs) -> Result<Observed, Error> {
    let common = args.common();
    let limits = Limits::of(&common)?;
    let mode = args.mode.unwrap_or_default();
    let differs = args.diff == Some(true);
    fits(mode, differs)?;
    let ask = PageRead::Outline {
        within: common.locator()?,
        depth: args.depth,
        viewport_only: args.viewport_only == Some(true),
        hidden: args.include_hidden == Some(true),
    };
    let tool = ToolId::InspectObserve;
    match paging::begin(work, &common, tool, &ask, &ALL).await? {
        Read::Kept(capture, from) => given(work, &capture, from, limits),
        Read::New(spot) => {
            let mut look = look(work, &spot, &common, &ask).await?;
            if args.probe_hover == Some(true) {
                hover::probe(work, &spot, &common, &ask, &mut look).await?;
            }
            let PageFound::Outline { nodes, omitted } = &look.found else {
                return Err(mismatch());
            };
            let mut outline = Outline::new(nodes, omitted.clone(), mode, args.depth);
            if differs {
                let before = work.hub.captures.latest(&spot.session, &spot.tab, tool);
                outline.compare(before.as_deref(), &look.document, &ask);
            }
            let capture = paging::capture(spot, &look, tool, (ask, limits), Kept::Outline(outline));
            given(work, &capture, 0, limits)
        }
    }
}

/// Shows the browser's own accessibility tree.
pub async fn snapshot(work: &mut Work, args: SnapshotArgs) -> Result<Snapshotted, Error> {
    let common = args.common();
    let limits = Limits::of(&common)?;
    let mode = args.mode.unwrap_or_default();
    if common.locator()?.is_some() {
        return Err(Error::argument(
            "target",
            "names a part of the page, and the browser gives its own tree whole",
        )
        .hint("observe takes a target; depth bounds a snapshot"));
    }
    // Told what changed unless that was asked against, and where both were asked for they contradict each other.
    fits(mode, args.diff == Some(true))?;
    let differs = args.diff.unwrap_or(mode == Mode::Text);
    let ask = PageRead::Outline {
        within: None,
        depth: args.depth,
        viewport_only: false,
        hidden: false,
    };
    let tool = ToolId::InspectSnapshot;
    match paging::begin(work, &common, tool, &ask, &ALL).await? {
        Read::Kept(capture, from) => snapped(work, &capture, from, limits),
        Read::New(spot) => {
            let (look, id) = tree(work, &spot, &common, args.depth).await?;
            let PageFound::Outline { nodes, omitted } = &look.found else {
                return Err(mismatch());
            };
            let mut outline = Outline::new(nodes, omitted.clone(), mode, args.depth);
            outline.snapshot = Some(id);
            if differs {
                let before = work.hub.captures.latest(&spot.session, &spot.tab, tool);
                outline.compare(before.as_deref(), &look.document, &ask);
            }
            let capture = paging::capture(spot, &look, tool, (ask, limits), Kept::Outline(outline));
            snapped(work, &capture, 0, limits)
        }
    }
}

/// Asks the browser for its tree, and names the snapshot.
async fn tree(
    work: &mut Work,
    spot: &Spot,
    common: &Common<'_>,
    depth: Option<u32>,
) -> Result<(Look, String), Error> {
    let shown = shown(work, spot, common.document).await?;
    let mut sites = vec![shown.site.clone()];
    let frames = (common.frames != Some(false)).then(|| readable(work, &shown, &mut sites));
    let call = BrowserCall::Snapshot {
        place: spot.place(&shown.document),
        frames,
        depth,
    };
    let BrowserReply::Snapshot {
        document,
        url,
        title,
        snapshot,
        nodes,
        omitted,
    } = work.browser(&spot.chosen, call).await?
    else {
        return Err(mismatch());
    };
    let look = Look {
        document,
        url,
        title,
        found: PageFound::Outline { nodes, omitted },
        sites,
    };
    Ok((look, snapshot))
}

fn snapped(work: &Work, capture: &Rc<Capture>, from: usize, limits: Limits) -> Result<Snapshotted, Error> {
    let Kept::Outline(outline) = &capture.kept else {
        return Err(mismatch());
    };
    let budget = limits.or(capture.limits).usual();
    paging::give(work, capture, &Snapped(outline), from, (None, budget), true)
}

/// What arguments ask for that say nothing.
const ALL: PageRead = PageRead::Outline {
    within: None,
    depth: None,
    viewport_only: false,
    hidden: false,
};

fn fits(mode: Mode, differs: bool) -> Result<(), Error> {
    if differs && mode == Mode::Structured {
        return Err(Error::argument("diff", "and mode: structured exclude each other"));
    }
    Ok(())
}

fn given(work: &Work, capture: &Rc<Capture>, from: usize, limits: Limits) -> Result<Observed, Error> {
    let Kept::Outline(outline) = &capture.kept else {
        return Err(mismatch());
    };
    let budget = limits.or(capture.limits).usual();
    // A later difference needs it, however little of it was given.
    paging::give(work, capture, outline, from, (None, budget), true)
}

impl Outline {
    fn new(nodes: &[OutlineNode], omitted: Omitted, mode: Mode, depth: Option<u32>) -> Self {
        let mut lines = Units::default();
        for node in nodes {
            lines.write(node.kind, |out| {
                line::write(out, node);
                out.push('\n');
            });
        }
        lines.shrink();
        let data = (mode == Mode::Structured).then(|| Units::of_json(nodes, |node| node.kind));
        Self {
            lines,
            data,
            changed: None,
            told: None,
            deeper: depth.is_some() && omitted.nodes + omitted.regions + omitted.controls > 0,
            omitted,
            snapshot: None,
        }
    }

    /// Keeps only what differs from an earlier look at the same part of the same document.
    fn compare(
        &mut self,
        before: Option<&Capture>,
        document: &drawbridge_protocol::ids::DocumentId,
        ask: &PageRead,
    ) {
        let before = match before {
            None => Err("no earlier look"),
            Some(before) if before.document != *document => Err("another document"),
            Some(before) if before.ask != *ask => Err("the earlier look was at another part"),
            Some(before) => match &before.kept {
                Kept::Outline(outline) => Ok(outline),
                _ => Err("no earlier look"),
            },
        };
        match before {
            Ok(before) => {
                let (changed, told) = diff::lines(&before.lines, &self.lines);
                self.changed = Some(changed);
                self.told = Some(told);
            }
            Err(reason) => {
                self.told = Some(DiffTold {
                    reason: Some(reason.to_owned()),
                    ..DiffTold::default()
                });
            }
        }
    }

    /// The units that are given.
    fn shown(&self) -> &Units {
        self.changed
            .as_ref()
            .or(self.data.as_ref())
            .unwrap_or(&self.lines)
    }

    fn left(&self, from: usize) -> Omitted {
        let Counted {
            all,
            regions,
            controls,
        } = self.shown().left(from);
        Omitted {
            nodes: self.omitted.nodes + all,
            regions: self.omitted.regions + regions,
            controls: self.omitted.controls + controls,
            ..self.omitted.clone()
        }
    }

    pub(super) fn size(&self) -> usize {
        let others = [&self.data, &self.changed];
        self.lines.size() + others.into_iter().flatten().map(Units::size).sum::<usize>()
    }
}

impl Pages for Outline {
    type Result = Observed;

    fn units(&self) -> usize {
        self.shown().len()
    }

    fn bytes(&self, from: usize, count: usize) -> usize {
        self.shown().text(from, count).len()
    }

    fn result(&self, part: &Part<'_>) -> Observed {
        // What lies below the depth is not there to go on with.
        let narrow = if self.deeper {
            "look into a part with target (a ref above), or raise depth"
        } else {
            "narrow it with target (a ref above), depth or viewportOnly"
        };
        self.told(part, narrow)
    }
}

impl Outline {
    fn told(&self, part: &Part<'_>, narrow: &str) -> Observed {
        let structured = self.data.is_some();
        let Missing {
            truncated,
            omitted,
            hint,
        } = paging::missing(self.left(part.end()), part.cursor.as_ref(), narrow);
        let shown = self.shown();
        Observed {
            session: part.head.session.clone(),
            tab: part.head.tab.clone(),
            document: part.head.document.clone(),
            url: part.head.url.clone(),
            title: part.head.title.clone(),
            outline: (!structured).then(|| shown.text(part.from, part.count).to_owned()),
            nodes: structured.then(|| shown.read(part.from, part.count)),
            diff: self.told.clone(),
            boundary: (!structured).then(|| part.boundary.to_owned()),
            truncated,
            omitted,
            hint,
            next_cursor: part.cursor.clone(),
        }
    }
}

impl Pages for Snapped<'_> {
    type Result = Snapshotted;

    fn units(&self) -> usize {
        self.0.units()
    }

    fn bytes(&self, from: usize, count: usize) -> usize {
        self.0.bytes(from, count)
    }

    fn result(&self, part: &Part<'_>) -> Snapshotted {
        let narrow = if self.0.deeper {
            "raise depth"
        } else {
            "narrow it with depth"
        };
        let Observed {
            session,
            tab,
            document,
            url,
            title,
            outline,
            nodes,
            diff,
            boundary,
            truncated,
            omitted,
            hint,
            next_cursor,
        } = self.0.told(part, narrow);
        Snapshotted {
            session,
            tab,
            document,
            url,
            title,
            snapshot_id: self.0.snapshot.clone().unwrap_or_default(),
            outline,
            nodes,
            diff,
            boundary,
            truncated,
            omitted,
            hint,
            next_cursor,
        }
    }
}
