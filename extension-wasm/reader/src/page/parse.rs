//! The columns of one capture.

use std::borrow::Cow;

use drawbridge_protocol::reader::{KEYS, flags};

use super::View;
use super::content::{self, Side};
use crate::columns::{Columns, Malformed, Top, malformed};

const BEFORE: Key = Key::of(":before");
const AFTER: Key = Key::of(":after");

/// An attribute or fact, by its place in the protocol's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u8);

impl Key {
    /// Its name in the table.
    pub(crate) fn name(self) -> &'static str {
        KEYS.get(usize::from(self.0)).copied().unwrap_or_default()
    }

    fn read(index: i32) -> Result<Self, Malformed> {
        u8::try_from(index)
            .ok()
            .filter(|index| usize::from(*index) < KEYS.len())
            .map(Self)
            .ok_or_else(|| malformed(format!("key {index}")))
    }

    /// The key of a name; a constant of a name that the table does not have does not compile.
    pub(crate) const fn of(name: &str) -> Self {
        let mut index = 0;
        while index < KEYS.len() {
            if is_same(KEYS[index].as_bytes(), name.as_bytes()) {
                #[expect(clippy::cast_possible_truncation, reason = "a small table")]
                return Self(index as u8);
            }
            index += 1;
        }
        panic!("no key of the table");
    }

    /// Its place in the table.
    pub(crate) const fn place(self) -> u8 {
        self.0
    }
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// One capture, alone.
#[derive(Debug)]
pub(super) struct Capture<'a> {
    pub(super) top: Top,
    pub(super) number: i32,
    pub(super) highest: u32,
    /// Index among the parent's windows.
    pub(super) window: i32,
    pub(super) view: View,
    pub(super) left_out: u32,
    pub(super) elements: Vec<Captured<'a>>,
    /// Per selector: matches in all and indexes; `None`: no selector.
    pub(super) selected: Vec<Option<(u32, Vec<u32>)>>,
    pub(super) hits: Vec<Option<u32>>,
}

/// One element of a capture.
#[derive(Debug)]
pub(super) struct Captured<'a> {
    pub(super) parent: Option<usize>,
    pub(super) host: Option<usize>,
    pub(super) flags: i32,
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) before: u32,
    pub(super) reference: u32,
    pub(super) tag: Cow<'a, str>,
    pub(super) own: Cow<'a, str>,
    pub(super) keys: Vec<(Key, Cow<'a, str>)>,
}

/// Reads one capture to its end; `selectors` is how many were asked for.
pub(super) fn capture<'a>(columns: &'a str, selectors: usize) -> Result<Capture<'a>, Malformed> {
    let mut columns = Columns::parse(columns)?;
    let top = columns.top()?;
    let (number, highest, window) = (columns.int()?, columns.count()?, columns.int()?);
    let view = View {
        width: columns.int()?,
        height: columns.int()?,
        x: columns.int()?,
        y: columns.int()?,
    };
    let (described, left_out) = (columns.count()?, columns.count()?);
    let mut elements: Vec<Captured<'a>> = Vec::new();
    // The elements whose end was not seen yet, from the root down: only these can be a parent in preorder.
    let mut open: Vec<usize> = Vec::new();
    for index in 0..described as usize {
        let element = element(&mut columns, index)?;
        while open.last().copied() != element.parent {
            if open.pop().is_none() {
                return Err(malformed(format!("element {index} is not inside its parent")));
            }
        }
        if element.parent.is_none() && index > 0 {
            return Err(malformed("a second root"));
        }
        open.push(index);
        elements.push(element);
    }
    let selected = (0..selectors)
        .map(|_| selection(&mut columns, described))
        .collect::<Result<_, _>>()?;
    let points = columns.count()?;
    let hits = (0..points)
        .map(|_| match columns.int()? {
            -1 => Ok(None),
            index => index_below(index, described).map(Some),
        })
        .collect::<Result<_, _>>()?;
    columns.finish()?;
    Ok(Capture {
        top,
        number,
        highest,
        window,
        view,
        left_out,
        elements,
        selected,
        hits,
    })
}

fn element<'a>(columns: &mut Columns<'a>, index: usize) -> Result<Captured<'a>, Malformed> {
    let parent = earlier(columns.int()?, index)?;
    let (flags, x, y) = (columns.int()?, columns.int()?, columns.int()?);
    let (width, height, before) = (columns.count()?, columns.count()?, columns.count()?);
    let host = earlier(columns.int()?, index)?;
    let (reference, count) = (columns.count()?, columns.count()?);
    let (tag, own) = (columns.needed_text()?, columns.needed_text()?);
    let own = shown(own, flags);
    let keys = (0..count)
        .map(|_| {
            let key = Key::read(columns.int()?)?;
            let text = columns.needed_text()?;
            Ok((
                key,
                match key {
                    BEFORE => Cow::Owned(content::text(&text, Side::Before)),
                    AFTER => Cow::Owned(content::text(&text, Side::After)),
                    _ => text,
                },
            ))
        })
        .collect::<Result<_, Malformed>>()?;
    Ok(Captured {
        parent,
        host,
        flags,
        x,
        y,
        width,
        height,
        before,
        reference,
        tag,
        own,
        keys,
    })
}

/// Own text as it is shown.
fn shown(own: Cow<'_, str>, bits: i32) -> Cow<'_, str> {
    if bits & flags::UPPERCASE != 0 {
        return Cow::Owned(own.to_uppercase());
    }
    if bits & flags::LOWERCASE != 0 {
        return Cow::Owned(own.to_lowercase());
    }
    if bits & flags::CAPITALIZE == 0 {
        return own;
    }
    let mut shown = String::with_capacity(own.len());
    let mut inside = false;
    for character in own.chars() {
        if inside {
            shown.push(character);
        } else {
            shown.extend(character.to_uppercase());
        }
        // CSS lets a word go on behind apostrophes and underscores.
        inside = character.is_alphanumeric() || matches!(character, '\'' | '’' | '_') && inside;
    }
    Cow::Owned(shown)
}

fn selection(columns: &mut Columns<'_>, described: u32) -> Result<Option<(u32, Vec<u32>)>, Malformed> {
    match columns.int()? {
        -1 => {
            columns.count()?;
            Ok(None)
        }
        total => {
            let total = u32::try_from(total).map_err(|_| malformed(format!("{total} matches")))?;
            let told = columns.count()?;
            let indexes = (0..told)
                .map(|_| index_below(columns.int()?, described))
                .collect::<Result<_, _>>()?;
            Ok(Some((total, indexes)))
        }
    }
}

fn earlier(index: i32, than: usize) -> Result<Option<usize>, Malformed> {
    match index {
        -1 => Ok(None),
        _ => usize::try_from(index)
            .ok()
            .filter(|index| *index < than)
            .map(Some)
            .ok_or_else(|| malformed(format!("element {than} refers to {index}"))),
    }
}

fn index_below(index: i32, described: u32) -> Result<u32, Malformed> {
    u32::try_from(index)
        .ok()
        .filter(|index| *index < described)
        .ok_or_else(|| malformed(format!("index {index} of {described}")))
}
