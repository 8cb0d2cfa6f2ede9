//! Whole units one after another, such as lines of an outline or rows of a table: kept as one text, given in part.

use drawbridge_protocol::outline::Kind;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes of all units; what comes after is counted and not kept.
pub(super) const MOST_BYTES: usize = 24 * 1024 * 1024;

/// Units, and what each counts as.
#[derive(Debug, Default)]
pub(super) struct Units {
    text: String,
    ends: Vec<u32>,
    kinds: Vec<Kind>,
    /// What was beyond the bound.
    beyond: Counted,
}

/// Units by what they count as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) all: u32,
    pub(super) regions: u32,
    pub(super) controls: u32,
}

impl Units {
    /// Adds a unit.
    pub(super) fn push(&mut self, unit: &str, kind: Kind) {
        if self.beyond.all > 0 || self.text.len() + unit.len() > MOST_BYTES {
            self.beyond.add(kind);
            return;
        }
        self.text.push_str(unit);
        // The bound on all bytes is far below what an end can say.
        self.ends.push(self.text.len() as u32);
        self.kinds.push(kind);
    }

    /// Adds a unit that is written in place.
    pub(super) fn write(&mut self, kind: Kind, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        write(&mut self.text);
        if self.beyond.all > 0 || self.text.len() > MOST_BYTES {
            self.text.truncate(start);
            self.beyond.add(kind);
            return;
        }
        self.ends.push(self.text.len() as u32);
        self.kinds.push(kind);
    }

    /// One JSON text per item.
    pub(super) fn of_json<T: Serialize>(items: &[T], kind: impl Fn(&T) -> Kind) -> Self {
        let mut units = Self::default();
        for item in items {
            // Plain data can be written.
            if let Ok(json) = serde_json::to_string(item) {
                units.push(&json, kind(item));
            }
        }
        units.shrink();
        units
    }

    /// Some items, read back.
    pub(super) fn read<T: DeserializeOwned>(&self, from: usize, count: usize) -> Vec<T> {
        self.each(from, count)
            .filter_map(|json| serde_json::from_str(json).ok())
            .collect()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Some of them as one text.
    pub(super) fn text(&self, from: usize, count: usize) -> &str {
        &self.text[self.start(from)..self.start(from + count)]
    }

    /// Some of them, one by one.
    pub(super) fn each(&self, from: usize, count: usize) -> impl Iterator<Item = &str> {
        let to = (from + count).min(self.len());
        (from..to).map(|index| &self.text[self.start(index)..self.start(index + 1)])
    }

    /// What each counts as.
    pub(super) fn kind(&self, index: usize) -> Kind {
        self.kinds.get(index).copied().unwrap_or_default()
    }

    /// What comes at or after a unit, with all that was not kept.
    pub(super) fn left(&self, from: usize) -> Counted {
        let mut counted = self.beyond;
        for kind in self.kinds.iter().skip(from) {
            counted.add(*kind);
        }
        counted
    }

    /// Bytes in memory, about.
    pub(super) fn size(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * 4 + self.kinds.capacity()
    }

    /// Gives back what growing took too much.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.kinds.shrink_to_fit();
    }

    fn start(&self, index: usize) -> usize {
        match index.checked_sub(1) {
            None => 0,
            Some(before) => self.ends.get(before).map_or(self.text.len(), |end| *end as usize),
        }
    }
}

impl Counted {
    fn add(&mut self, kind: Kind) {
        self.all += 1;
        match kind {
            Kind::Region => self.regions += 1,
            Kind::Control => self.controls += 1,
            Kind::Other => {}
        }
    }
}
