//! What arguments mean: one action with one element.

use crate::act::{Action, Modifier, Point};
use crate::error::Error;
use crate::ids::{DocumentId, SessionId, TabId};
use crate::page::{By, Locator};
use crate::tools::Call;

/// Where something is to be done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Where<'a> {
    /// Which session.
    pub session: Option<&'a SessionId>,
    /// Which tab.
    pub tab: Option<&'a TabId>,
    /// The document it has to be.
    pub document: Option<&'a DocumentId>,
}

/// One action, ready to be asked of the browser.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// With which element.
    pub target: Option<Locator>,
    /// What.
    pub action: Action,
    /// Milliseconds it goes on looking for what comes of it.
    pub settle_ms: u32,
}

impl Plan {
    /// A plan that looks no longer than it has to.
    pub fn with(target: Option<Locator>, action: Action) -> Self {
        Self {
            target,
            action,
            settle_ms: 0,
        }
    }

    /// A plan that goes on looking.
    ///
    /// # Errors
    /// `invalid_argument` for more than [`super::MAX_SETTLE_MS`].
    pub fn settled(self, ms: Option<u32>) -> Result<Self, Error> {
        Ok(Self {
            settle_ms: within("settleMs", ms, 0, 0, super::MAX_SETTLE_MS)?,
            ..self
        })
    }

    /// Whether it ends with the document it is meant for: a ref does.
    pub fn is_bound(&self) -> bool {
        self.target
            .as_ref()
            .is_some_and(|target| matches!(target.by, By::Ref(_)))
    }
}

/// Arguments of an action that does one thing.
pub trait Acting {
    /// Where.
    fn place(&self) -> Where<'_>;

    /// What.
    ///
    /// # Errors
    /// `invalid_argument` with the path, or both paths where two arguments contradict each other.
    fn plan(&self) -> Result<Plan, Error>;
}

/// What a call of `browser_interact` plans that does one thing with one element; `None` for all others.
pub fn plan(call: &Call) -> Option<Result<Plan, Error>> {
    let acting: &dyn Acting = match call {
        Call::InteractClick(args) => args,
        Call::InteractDoubleClick(args) => args,
        Call::InteractHover(args) => args,
        Call::InteractFocus(args) => args,
        Call::InteractBlur(args) => args,
        Call::InteractScrollTo(args) => args,
        Call::InteractWheel(args) => args,
        Call::InteractFill(args) => args,
        Call::InteractType(args) => args,
        Call::InteractPress(args) => args,
        Call::InteractSelect(args) => args,
        Call::InteractCheck(args) => args,
        Call::InteractUncheck(args) => args,
        Call::InteractDrag(args) => args,
        _ => return None,
    };
    Some(acting.plan())
}

/// An element that has to be named.
pub(super) fn needed(target: Option<Locator>) -> Result<Option<Locator>, Error> {
    match target {
        Some(target) => Ok(Some(target)),
        None => Err(Error::argument("target", "is missing").hint("observe gives refs such as e12")),
    }
}

/// A number of a closed range, or the default.
pub(super) fn within<N: Copy + PartialOrd + std::fmt::Display>(
    path: &str,
    given: Option<N>,
    default: N,
    least: N,
    most: N,
) -> Result<N, Error> {
    let value = given.unwrap_or(default);
    if value < least || value > most {
        return Err(Error::argument(
            path,
            format!("is {value}, must be {least} to {most}"),
        ));
    }
    Ok(value)
}

/// How far the wheel turns; one of the two at least.
pub(super) fn turn(x: Option<i32>, y: Option<i32>) -> Result<(i32, i32), Error> {
    let most = super::MAX_PIXELS;
    let (x, y) = (
        within("deltaX", x, 0, -most, most)?,
        within("deltaY", y, 0, -most, most)?,
    );
    if x == 0 && y == 0 {
        return Err(Error::argument(
            "deltaX",
            "and deltaY are both 0, which turns nothing",
        ));
    }
    Ok((x, y))
}

/// A text to be put into a page. Its length is told, never the text.
pub(super) fn text(path: &str, text: &str) -> Result<String, Error> {
    if text.chars().count() > super::MAX_TEXT {
        return Err(Error::argument(
            path,
            format!("is longer than {} characters", super::MAX_TEXT),
        ));
    }
    Ok(text.to_owned())
}

/// A key with its modifiers.
pub(super) fn key(key: &str) -> Result<String, Error> {
    // A space bar is a key, so nothing is trimmed.
    if key.is_empty() || key.chars().count() > super::MAX_KEY {
        return Err(Error::argument(
            "key",
            format!(
                "must be 1 to {} characters, such as Enter or Control+A",
                super::MAX_KEY
            ),
        ));
    }
    Ok(key.to_owned())
}

/// Modifiers, each once.
pub(super) fn held(modifiers: Option<&[Modifier]>) -> Vec<Modifier> {
    let mut held = modifiers.unwrap_or_default().to_vec();
    held.sort_unstable();
    held.dedup();
    held
}

/// Points that lie somewhere a page can be.
pub(super) fn points(path: &[Point], least: usize) -> Result<&[Point], Error> {
    if path.len() < least || path.len() > super::MAX_POINTS {
        return Err(Error::argument(
            "path",
            format!(
                "has {} points, must have {least} to {}",
                path.len(),
                super::MAX_POINTS
            ),
        ));
    }
    for (index, at) in path.iter().enumerate() {
        point(&format!("path[{index}]"), *at)?;
    }
    Ok(path)
}

/// A point that lies somewhere a page can be.
pub(super) fn point(path: &str, at: Point) -> Result<Point, Error> {
    let most = f64::from(super::MAX_PIXELS);
    for (name, value) in [("x", at.x), ("y", at.y)] {
        if !value.is_finite() || value.abs() > most {
            let path = if path.is_empty() {
                name.to_owned()
            } else {
                format!("{path}.{name}")
            };
            return Err(Error::argument(
                &path,
                format!("must be {} to {most} CSS px", -most),
            ));
        }
    }
    Ok(at)
}

/// Two arguments that contradict each other.
pub(super) fn excluded(one: &str, other: &str) -> Error {
    Error::argument(one, format!("and {other} exclude each other"))
}

/// A target where its fields are described already.
#[cfg(feature = "schema")]
pub(super) fn short_target(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": ["string", "object"]})
}
