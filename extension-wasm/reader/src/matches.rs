//! The columns of selectors that were run.

use std::borrow::Cow;

use crate::columns::{Columns, Malformed, malformed};
use crate::visible;

/// What one selector matched.
#[derive(Debug)]
pub(crate) struct Set<'a> {
    /// Matches in all; `None`: the browser takes no such selector.
    pub(crate) total: Option<u32>,
    /// Those that are described, in document order per parent.
    pub(crate) matches: Vec<Match<'a>>,
}

/// One match.
#[derive(Debug)]
pub(crate) struct Match<'a> {
    /// Index of the match it was found in, in an earlier set.
    pub(crate) parent: Option<usize>,
    pub(crate) flags: i32,
    /// One per read.
    pub(crate) texts: Vec<Option<Cow<'a, str>>>,
}

impl<'a> Set<'a> {
    /// Takes the next set off the columns. Each match has `reads` texts and, with `within`, one of so many parents.
    pub(crate) fn parse(
        columns: &mut Columns<'a>,
        reads: usize,
        within: Option<usize>,
    ) -> Result<Self, Malformed> {
        let (total, described) = (columns.int()?, columns.count()?);
        let total = match total {
            -1 => None,
            total => Some(u32::try_from(total).map_err(|_| malformed(format!("{total} matches")))?),
        };
        if described > total.unwrap_or(0) {
            return Err(malformed("more matches described than there are"));
        }
        let matches = (0..described)
            .map(|_| Match::parse(columns, reads, within))
            .collect::<Result<_, _>>()?;
        Ok(Self { total, matches })
    }

    /// The matches a person can see.
    pub(crate) fn visible(&self) -> impl Iterator<Item = &Match<'a>> {
        self.matches.iter().filter(|one| visible::is_visible(one.flags))
    }
}

impl<'a> Match<'a> {
    fn parse(columns: &mut Columns<'a>, reads: usize, within: Option<usize>) -> Result<Self, Malformed> {
        let parent = match (columns.int()?, within) {
            (-1, None) => None,
            (index, Some(parents)) => match usize::try_from(index) {
                Ok(index) if index < parents => Some(index),
                _ => return Err(malformed(format!("parent match {index} of {parents}"))),
            },
            (index, None) => return Err(malformed(format!("parent match {index} of none"))),
        };
        let flags = columns.int()?;
        // Width and height: the flags already say what the box means.
        columns.count()?;
        columns.count()?;
        let texts = (0..reads).map(|_| columns.text()).collect::<Result<_, _>>()?;
        Ok(Self { parent, flags, texts })
    }
}
