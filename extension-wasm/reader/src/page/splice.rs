//! Puts the captures of frames into that of the document they are part of.

use std::collections::HashMap;

use drawbridge_protocol::reader::{MissingFrame, Part, flags};

use super::parse::{self, Capture};
use super::{Boundary, Document, Element, Page, Selected};
use crate::columns::{Malformed, malformed};

/// Reads the captures and makes one page of them. `columns` holds them one after another, as `parts` tells.
pub(crate) fn page<'a>(
    columns: &'a str,
    parts: &[Part],
    missing: &[MissingFrame],
    selectors: usize,
) -> Result<Page<'a>, Malformed> {
    let mut captures = Vec::new();
    let mut rest = columns;
    for part in parts {
        let (own, after) = rest
            .split_at_checked(part.bytes as usize)
            .ok_or_else(|| malformed("a part ends too early"))?;
        captures.push(parse::capture(own, selectors)?);
        rest = after;
    }
    if !rest.is_empty() || captures.is_empty() {
        return Err(malformed("parts do not fit the columns"));
    }
    let frames = pair(&captures, parts, missing)?;
    Ok(assemble(captures, parts, missing, &frames, selectors))
}

/// Which element of its parent's capture each part is shown in, then each missing frame.
fn pair(
    captures: &[Capture<'_>],
    parts: &[Part],
    missing: &[MissingFrame],
) -> Result<Vec<Option<usize>>, Malformed> {
    let children = parts
        .iter()
        .map(|part| part.parent)
        .chain(missing.iter().map(|frame| Some(frame.parent)));
    let mut found = vec![None; parts.len() + missing.len()];
    // Per part: frame elements that nobody was matched with yet, with their window's index and address.
    let mut free: Vec<Vec<(usize, i32, String)>> = captures.iter().map(frame_elements).collect();
    let mut without: Vec<(usize, usize)> = Vec::new();
    for (child, parent) in children.enumerate() {
        let Some(parent) = parent.map(|parent| parent as usize) else {
            continue;
        };
        let own = free
            .get_mut(parent)
            .filter(|_| child >= parts.len() || parent < child)
            .ok_or_else(|| malformed(format!("part {child} is inside part {parent}")))?;
        let window = captures.get(child).map_or(-1, |capture| capture.window);
        match own
            .iter()
            .position(|(_, index, _)| window >= 0 && *index == window)
        {
            Some(place) => found[child] = Some(own.remove(place).0),
            None => without.push((child, parent)),
        }
    }
    // The rest by address, where only one frame and one element have it, and then the last two that are left.
    for by_address in [true, false] {
        let mut still = Vec::new();
        for &(child, parent) in &without {
            let address = |child: usize| match captures.get(child) {
                Some(capture) => capture.top.header.url.as_str(),
                None => missing[child - parts.len()].url.as_str(),
            };
            let rivals = without
                .iter()
                .filter(|(other, of)| *of == parent && (!by_address || address(*other) == address(child)))
                .count();
            let own = &mut free[parent];
            let places: Vec<usize> = own
                .iter()
                .enumerate()
                .filter(|(_, (_, _, src))| {
                    !by_address || (!src.is_empty() && address(child).ends_with(src.as_str()))
                })
                .map(|(place, _)| place)
                .collect();
            match (places.as_slice(), rivals) {
                (&[place], 1) => found[child] = Some(own.remove(place).0),
                _ => still.push((child, parent)),
            }
        }
        without = still;
    }
    alike(parts.len(), missing, &without, &mut free, &mut found);
    Ok(found)
}

/// Missing frames of which the same is told are as good as each other: where there are as many elements that they could
/// be, each is one of them.
fn alike(
    parts: usize,
    missing: &[MissingFrame],
    without: &[(usize, usize)],
    free: &mut [Vec<(usize, i32, String)>],
    found: &mut [Option<usize>],
) {
    for (child, parent) in without {
        let Some(frame) = child.checked_sub(parts).and_then(|child| missing.get(child)) else {
            continue;
        };
        let is_alike = |other: usize| {
            other
                .checked_sub(parts)
                .and_then(|other| missing.get(other))
                .is_some_and(|other| other.url == frame.url && other.why == frame.why)
        };
        let rivals: Vec<usize> = without
            .iter()
            .filter(|(_, of)| of == parent)
            .map(|(other, _)| *other)
            .collect();
        let group: Vec<usize> = rivals.iter().copied().filter(|other| is_alike(*other)).collect();
        if group.first() != Some(child) {
            continue;
        }
        let own = &mut free[*parent];
        let by_address: Vec<usize> = (0..own.len())
            .filter(|place| !own[*place].2.is_empty() && frame.url.ends_with(own[*place].2.as_str()))
            .collect();
        // A frame with a document that was read might be any element with its address.
        let only_missing = rivals.iter().all(|other| *other >= parts);
        let places = match (by_address.len() == group.len(), group.len() == rivals.len()) {
            (true, _) if only_missing => by_address,
            (_, true) if own.len() == group.len() => (0..own.len()).collect(),
            _ => continue,
        };
        for (place, other) in places.iter().zip(&group) {
            found[*other] = Some(own[*place].0);
        }
        let taken: Vec<usize> = places.iter().map(|place| own[*place].0).collect();
        own.retain(|(element, _, _)| !taken.contains(element));
    }
}

fn frame_elements(capture: &Capture<'_>) -> Vec<(usize, i32, String)> {
    let key = |element: &parse::Captured<'_>, name: &str| {
        element
            .keys
            .iter()
            .find(|(key, _)| key.name() == name)
            .map(|(_, value)| value.to_string())
    };
    capture
        .elements
        .iter()
        .enumerate()
        .filter_map(|(index, element)| {
            let window = key(element, ":window")?;
            let src = key(element, "src").unwrap_or_default();
            Some((index, window.parse().unwrap_or(-1), src))
        })
        .collect()
}

fn assemble<'a>(
    captures: Vec<Capture<'a>>,
    parts: &[Part],
    missing: &[MissingFrame],
    frames: &[Option<usize>],
    selectors: usize,
) -> Page<'a> {
    // Per part: which parts begin behind which of its elements.
    let mut inside: Vec<HashMap<usize, Vec<usize>>> = vec![HashMap::new(); captures.len()];
    let mut loose = Vec::new();
    for (child, part) in parts.iter().enumerate() {
        match (part.parent, frames[child]) {
            (Some(parent), Some(element)) => {
                inside[parent as usize].entry(element).or_default().push(child);
            }
            (Some(_), None) => loose.push(child),
            (None, _) => {}
        }
    }
    let mut page = Page {
        documents: Vec::new(),
        elements: Vec::new(),
        selected: (0..selectors).map(|_| Some(Selected::default())).collect(),
        boundaries: Vec::new(),
        left_out: 0,
        cut: 0,
    };
    let mut places: Vec<Vec<usize>> = captures
        .iter()
        .map(|capture| vec![0; capture.elements.len()])
        .collect();
    let mut captures: Vec<Option<Capture<'a>>> = captures.into_iter().map(Some).collect();
    let mut documents: Vec<Option<Document>> = (0..captures.len()).map(|_| None).collect();
    // Without recursion: frames nest as deep as a page likes. What is on the stack is a part, what of it is left, and
    // the element it is inside of.
    let mut stack = Vec::new();
    let mut roots: Vec<usize> = vec![0];
    roots.extend(loose);
    roots.reverse();
    while let Some(root) = roots.pop() {
        let enter = |part: usize, captures: &mut Vec<Option<Capture<'a>>>| {
            captures[part].take().map(|capture| (part, capture))
        };
        let Some((part, capture)) = enter(root, &mut captures) else {
            continue;
        };
        // A frame whose element was not found comes last, inside the root of the whole page.
        let around = (root != 0).then_some(0);
        stack.push(open(part, capture, around, &mut page, &mut documents, parts));
        while let Some(top) = stack.last_mut() {
            let Some(captured) = top.left.next() else {
                let done = stack.pop();
                if let Some(done) = done {
                    finish(&mut documents, &mut page, &places, done);
                }
                continue;
            };
            let (part, at) = (top.part, top.at);
            top.at += 1;
            let index = page.elements.len();
            places[part][at] = index;
            let parent = captured.parent.map(|parent| places[part][parent]).or(top.around);
            let host = captured.host.map(|host| places[part][host]);
            page.elements.push(Element {
                parent,
                end: index + 1,
                document: part,
                host,
                at: u32::try_from(at).unwrap_or(u32::MAX),
                reference: captured.reference,
                flags: captured.flags,
                x: captured.x,
                y: captured.y,
                width: captured.width,
                height: captured.height,
                before: captured.before,
                tag: captured.tag,
                own: captured.own,
                keys: captured.keys,
            });
            for child in inside[part].remove(&at).into_iter().flatten() {
                if let Some((part, capture)) = enter(child, &mut captures) {
                    stack.push(open(part, capture, Some(index), &mut page, &mut documents, parts));
                }
            }
        }
    }
    page.documents = documents.into_iter().flatten().collect();
    for (frame, element) in missing.iter().zip(&frames[parts.len()..]) {
        page.boundaries.push(Boundary {
            element: element.map(|at| places[frame.parent as usize][at]),
            document: frame.parent as usize,
            url: frame.url.clone(),
            why: frame.why,
        });
    }
    close(&mut page);
    hide(&mut page);
    page
}

/// A part that is being put in.
struct Open<'a> {
    part: usize,
    around: Option<usize>,
    at: usize,
    left: std::vec::IntoIter<parse::Captured<'a>>,
    selected: Vec<Option<(u32, Vec<u32>)>>,
    hits: Vec<Option<u32>>,
}

fn open<'a>(
    part: usize,
    capture: Capture<'a>,
    around: Option<usize>,
    page: &mut Page<'a>,
    documents: &mut [Option<Document>],
    parts: &[Part],
) -> Open<'a> {
    page.left_out = page.left_out.saturating_add(capture.left_out);
    page.cut = page.cut.saturating_add(capture.top.cut);
    documents[part] = Some(Document {
        header: capture.top.header,
        capture: capture.number,
        highest: capture.highest,
        root: page.elements.len(),
        frame: around.filter(|_| parts[part].parent.is_some()),
        view: capture.view,
        hits: Vec::new(),
    });
    Open {
        part,
        around,
        at: 0,
        left: capture.elements.into_iter(),
        selected: capture.selected,
        hits: capture.hits,
    }
}

fn finish(documents: &mut [Option<Document>], page: &mut Page<'_>, places: &[Vec<usize>], done: Open<'_>) {
    let place = |at: u32| places[done.part][at as usize];
    if let Some(document) = &mut documents[done.part] {
        document.hits = done.hits.iter().map(|hit| hit.map(place)).collect();
    }
    for (all, own) in page.selected.iter_mut().zip(done.selected) {
        match (all.as_mut(), own) {
            (Some(all), Some((total, elements))) => {
                all.total = all.total.saturating_add(total);
                all.elements.extend(elements.into_iter().map(place));
            }
            (_, None) => *all = None,
            (None, Some(_)) => {}
        }
    }
}

/// What a frame that nobody can see shows, nobody can see: its document does not know.
fn hide(page: &mut Page<'_>) {
    for document in &page.documents {
        let unseen = document
            .frame
            .is_some_and(|frame| !page.elements[frame].is_visible());
        let end = page.elements.get(document.root).map_or(0, |root| root.end);
        if unseen && let Some(shown) = page.elements.get_mut(document.root..end) {
            for element in shown {
                element.flags &= !flags::VISIBLE;
            }
        }
    }
}

/// Says of every element where it ends, and brings what selectors matched into document order.
fn close(page: &mut Page<'_>) {
    for index in (0..page.elements.len()).rev() {
        let (end, parent) = (page.elements[index].end, page.elements[index].parent);
        if let Some(parent) = parent {
            let around = &mut page.elements[parent].end;
            *around = (*around).max(end);
        }
    }
    for selected in page.selected.iter_mut().flatten() {
        selected.elements.sort_unstable();
    }
}
