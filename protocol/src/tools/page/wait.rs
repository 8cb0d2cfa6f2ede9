//! `wait`: until a page is as it is wanted.

use serde::{Deserialize, Serialize};

use crate::act::{Until, WaitState};
use crate::error::Error;
use crate::ids::{DocumentId, SessionId, TabId};
use crate::tools::inspect::{MAX_TARGET_TEXT, Target, locator};

/// Texts of `textAny` and of `failureTextAny`.
pub const MAX_ANY: usize = 20;
/// Milliseconds of quiet that `idle` may ask for.
const IDLE: std::ops::RangeInclusive<u32> = 50..=60_000;
/// Milliseconds between two reloads.
const RELOAD: std::ops::RangeInclusive<u64> = 500..=600_000;
/// Milliseconds between two reloads when the caller names no number.
const RELOAD_DEFAULT: u64 = 5_000;

/// Arguments of `wait`: exactly one of load, url, urlIncludes, text, textAny, textGone, target (or ref, selector),
/// response, idle, download; beside one of the others, url or urlIncludes is a guard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WaitArgs {
    /// Which session; may be left out when you have exactly one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Which tab; default the session's current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<TabId>,
    /// Only if the tab still shows this document, else `stale_ref`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<DocumentId>,
    /// true: until the document is loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<bool>,
    /// The whole address, http or https.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Part of the address; beside another condition, it counts only while the address has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url_includes: Option<String>,
    /// Until this text can be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Until one of these texts can be seen; up to 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_any: Option<Vec<String>>,
    /// Until this text can no longer be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_gone: Option<String>,
    /// Which element: a ref such as e12, a CSS selector, or an object such as {role, name}.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Same as target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<String>,
    /// Same as target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// With target: default visible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<WaitState>,
    /// Until such a response came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<ResponseArgs>,
    /// Until nothing changed and no request ran for so many milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<u32>,
    /// true: until a download that begins now is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub download: Option<bool>,
    /// Texts that end it as a failure; up to 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_text_any: Option<Vec<String>>,
    /// Loads the page again and again meanwhile; default false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reload: Option<bool>,
    /// Milliseconds between reloads; default 5000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reload_interval_ms: Option<u64>,
    /// Deadline in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// A response that is waited for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResponseArgs {
    /// Part of its address; * stands for anything.
    pub pattern: String,
    /// Its status; any without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum Terminal {
    /// What was waited for is there.
    Success,
    /// A failure text can be seen.
    Failure,
    /// The time is over.
    Timeout,
}

/// Result of `wait`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WaitDone {
    /// The session.
    pub session: SessionId,
    /// The tab.
    pub tab: TabId,
    /// The document that was looked at last.
    pub document: DocumentId,
    /// The tab's address then.
    pub url: String,
    /// Whether what was waited for is there.
    pub matched: bool,
    /// Which text, address or response it was. Page data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched_text: Option<String>,
    /// How it ended.
    pub terminal_state: Terminal,
    /// Milliseconds it took.
    pub elapsed_ms: u64,
    /// After a timeout: how near it came. Page data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
    /// With `reload`: how often the page was seen to come again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reloads: Option<u32>,
}

/// What a wait waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitPlan {
    /// The condition.
    pub until: Until,
    /// The address that the tab has to have for the condition to count.
    pub guard: Option<Until>,
    /// Texts that end it as a failure.
    pub failures: Vec<String>,
    /// Milliseconds between two reloads; none without.
    pub reload_ms: Option<u64>,
}

impl WaitArgs {
    /// What is waited for.
    ///
    /// # Errors
    /// `invalid_argument` with the path, or both paths where two arguments contradict each other.
    pub fn plan(&self) -> Result<WaitPlan, Error> {
        let (until, guard) = self.condition()?;
        let failures = texts("failureTextAny", self.failure_text_any.as_deref())?;
        let reload_ms = match (self.reload, self.reload_interval_ms) {
            (Some(true), given) => Some(bounded(
                "reloadIntervalMs",
                given.unwrap_or(RELOAD_DEFAULT),
                &RELOAD,
            )?),
            (_, Some(_)) => return Err(Error::argument("reloadIntervalMs", "goes only with reload: true")),
            (_, None) => None,
        };
        Ok(WaitPlan {
            until,
            guard,
            failures,
            reload_ms,
        })
    }

    fn condition(&self) -> Result<(Until, Option<Until>), Error> {
        let target = locator(
            self.target.as_ref(),
            self.r#ref.as_deref(),
            self.selector.as_deref(),
        )?;
        let mut address: Vec<(&str, Until)> = Vec::new();
        for (path, given, exact) in [
            ("url", &self.url, true),
            ("urlIncludes", &self.url_includes, false),
        ] {
            if let Some(text) = given {
                let text = text_of(path, text)?;
                address.push((path, Until::Url { text, exact }));
            }
        }
        let mut kinds: Vec<(&str, Until)> = Vec::new();
        if self.load == Some(true) {
            kinds.push(("load", Until::Load));
        }
        if let Some(text) = &self.text {
            let any = vec![text_of("text", text)?];
            kinds.push(("text", Until::Text { any }));
        }
        let any = texts("textAny", self.text_any.as_deref())?;
        if !any.is_empty() {
            kinds.push(("textAny", Until::Text { any }));
        }
        if let Some(text) = &self.text_gone {
            let text = text_of("textGone", text)?;
            kinds.push(("textGone", Until::TextGone { text }));
        }
        match target {
            Some(locator) => {
                let state = self.state.unwrap_or(WaitState::Visible);
                kinds.push(("target", Until::Element { locator, state }));
            }
            None if self.state.is_some() => {
                return Err(Error::argument(
                    "target",
                    "is missing, and state is of an element",
                ));
            }
            None => {}
        }
        if let Some(response) = &self.response {
            kinds.push(("response", response.until()?));
        }
        if let Some(ms) = self.idle {
            let ms = bounded("idle", ms, &IDLE)?;
            kinds.push(("idle", Until::Idle { ms }));
        }
        if self.download == Some(true) {
            kinds.push(("download", Until::Download));
        }
        let kind = only(kinds)?;
        let address = only(address)?;
        match (kind, address) {
            (Some(until), guard) => Ok((until, guard)),
            (None, Some(until)) => Ok((until, None)),
            (None, None) => Err(Error::argument("", "name nothing to wait for").hint(
                "one of load, url, urlIncludes, text, textAny, textGone, target, response, idle, download",
            )),
        }
    }
}

impl ResponseArgs {
    fn until(&self) -> Result<Until, Error> {
        if let Some(status) = self.status {
            bounded("response.status", status, &(100..=599))?;
        }
        Ok(Until::Response {
            pattern: text_of("response.pattern", &self.pattern)?,
            status: self.status,
        })
    }
}

/// The one that was given, if any.
fn only(given: Vec<(&str, Until)>) -> Result<Option<Until>, Error> {
    let mut given = given.into_iter();
    match (given.next(), given.next()) {
        (Some((one, _)), Some((other, _))) => {
            Err(Error::argument(one, format!("and {other} exclude each other")))
        }
        (first, _) => Ok(first.map(|(_, until)| until)),
    }
}

fn texts(path: &str, given: Option<&[String]>) -> Result<Vec<String>, Error> {
    let given = given.unwrap_or_default();
    if given.len() > MAX_ANY {
        return Err(Error::argument(
            path,
            format!("has {} texts, at most {MAX_ANY} go", given.len()),
        ));
    }
    let texts = given.iter().enumerate();
    texts
        .map(|(index, text)| text_of(&format!("{path}[{index}]"), text))
        .collect()
}

fn text_of(path: &str, text: &str) -> Result<String, Error> {
    // Nothing can always be seen, and never is gone.
    if text.trim().is_empty() || text.chars().count() > MAX_TARGET_TEXT {
        return Err(Error::argument(
            path,
            format!("must have 1 to {MAX_TARGET_TEXT} characters"),
        ));
    }
    Ok(text.to_owned())
}

fn bounded<N: Copy + PartialOrd + std::fmt::Display>(
    path: &str,
    value: N,
    range: &std::ops::RangeInclusive<N>,
) -> Result<N, Error> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(Error::argument(
        path,
        format!("is {value}, must be {} to {}", range.start(), range.end()),
    ))
}

#[cfg(test)]
mod tests;
