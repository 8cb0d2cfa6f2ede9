//! What the figures have to be, beside those of the others in the same run.

use super::super::figures::{Figures, median};
use super::Reached;

const OURS: &str = "drawbridge, whole page";
const BEHIND: &str = "drawbridge, whole page, behind";
const CUT: &str = "drawbridge";

/// Those of the others that tell a whole page.
const COMPLETE: &[&str] = &[
    "playwright-mcp",
    "playwright-mcp --timeout-settle 0",
    "chrome-devtools-mcp",
    "agent-browser, whole page",
];

/// Pages where a read has to be five times as fast as the fastest of the others.
const LARGE: &[&str] = &["10,000 elements", "table of 1,000 rows", "wikipedia, 1 MB"];

/// Judges a run; `pages` in their order.
pub(super) fn judge(reached: &[Reached], pages: &[&'static str], figures: &mut Figures) {
    let of = |page: &str, peer: &str| reached.iter().find(|one| one.page == page && one.peer == peer);
    let fastest = |page: &str| {
        COMPLETE
            .iter()
            .filter_map(|peer| of(page, peer)?.ratio)
            .min_by(f64::total_cmp)
    };
    for (ours, place) in [
        (OURS, ""),
        (BEHIND, ", another tab in front"),
        (CUT, ", cut at 2,000 tokens"),
    ] {
        for page in LARGE {
            if let (Some(own), Some(other)) = (of(page, ours).and_then(|one| one.ratio), fastest(page)) {
                figures.add(
                    &format!("{page}{place}: to the fastest other"),
                    own / other,
                    0.2,
                    "×",
                );
            }
        }
        let tiny = "tiny form";
        if let (Some(own), Some(other)) = (of(tiny, ours), fastest(tiny)) {
            // One of the two is enough.
            let (name, times) = (
                format!("{tiny}{place}"),
                own.ratio.unwrap_or(f64::INFINITY) / other,
            );
            if own.took <= 10.0 {
                figures.add(&name, own.took, 10.0, "ms");
            } else {
                figures.note(&name, own.took, "ms");
                figures.add(&format!("{name}: to the fastest other"), times, 1.0, "×");
            }
        }
        if let Some(vast) = of(super::VAST.0, ours) {
            figures.add(&format!("{}{place}", super::VAST.0), vast.took, 1_500.0, "ms");
        }
    }
    sizes(reached, pages, figures);
}

/// Tokens of a whole page, where all the others that are as complete need more.
fn sizes(reached: &[Reached], pages: &[&'static str], figures: &mut Figures) {
    let (mut shares, mut behind) = (Vec::new(), 0);
    for page in pages {
        let of = |peer: &str| reached.iter().find(|one| one.page == *page && one.peer == peer);
        let others: Vec<&Reached> = COMPLETE.iter().filter_map(|peer| of(peer)).collect();
        let (Some(own), Some(least)) = (of(OURS), others.iter().map(|one| one.tokens).min()) else {
            continue;
        };
        let best = others.iter().filter_map(|one| one.recall).fold(0.0, f64::max);
        if own.recall.unwrap_or(0.0) < best {
            behind += 1;
        }
        shares.push(own.tokens as f64 / least.max(1) as f64);
    }
    figures.add(
        "tokens to the smallest other, median over pages",
        median(&mut shares),
        0.5,
        "×",
    );
    figures.add(
        "pages on which another tells more of the controls",
        f64::from(behind),
        0.0,
        "",
    );
}
