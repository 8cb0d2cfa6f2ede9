//! `selectors` and `suggest`: for whoever writes a recipe, of a session's tab or of an address in a private tab.

use drawbridge_protocol::address;
use drawbridge_protocol::error::Error;
use drawbridge_protocol::ids::{SessionId, TabId};
use drawbridge_protocol::link::{BrowserCall, BrowserReply, Place};
use drawbridge_protocol::page::{PageFound, PageRead};
use drawbridge_protocol::recipe;
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::inspect::{
    Common, DEFAULT_ENTRIES, DEFAULT_SUGGESTIONS, DEFAULT_TOKENS, MAX_ENTRIES, SelectorsArgs, SelectorsRead,
    SuggestArgs, Suggested,
};

use super::super::number;
use super::paging;
use super::reading::{look, spot};
use crate::budget;
use crate::daemon::grants::Site;
use crate::daemon::work::{Work, mismatch};

/// Characters of a goal.
const MAX_GOAL: usize = 500;
/// Bytes of one suggestion, about.
const TYPICAL_BYTES: usize = 2_000;

/// Where an author looks.
struct Where<'a> {
    session: Option<&'a SessionId>,
    tab: Option<&'a TabId>,
    url: Option<&'a str>,
    profile: Option<&'a str>,
}

/// Reads selectors for an author.
pub async fn selectors(work: &mut Work, args: SelectorsArgs) -> Result<SelectorsRead, Error> {
    let limit = number("limit", args.limit, DEFAULT_ENTRIES, 1..=MAX_ENTRIES)?;
    let scope = args.scope.clone().unwrap_or_else(|| "body".to_owned());
    recipe::selector("scope", &scope)?;
    let place = Where {
        session: args.session.as_ref(),
        tab: args.tab.as_ref(),
        url: args.url.as_deref(),
        profile: args.target.as_deref(),
    };
    let (url, title, found) = top(work, place, &PageRead::Selectors { scope, limit }).await?;
    let PageFound::Selectors { entries, omitted } = found else {
        return Err(mismatch());
    };
    Ok(SelectorsRead {
        url,
        title,
        entries,
        omitted,
    })
}

/// Finds what repeats, as ready recipes.
pub async fn suggest(work: &mut Work, args: SuggestArgs) -> Result<Suggested, Error> {
    if args
        .goal
        .as_ref()
        .is_some_and(|goal| goal.chars().count() > MAX_GOAL)
    {
        return Err(Error::argument(
            "goal",
            format!("is longer than {MAX_GOAL} characters"),
        ));
    }
    let budget = paging::budget_of(args.max_tokens, DEFAULT_TOKENS)?;
    let ask = PageRead::Suggest {
        goal: args.goal.clone(),
        limit: DEFAULT_SUGGESTIONS,
    };
    let place = Where {
        session: args.session.as_ref(),
        tab: args.tab.as_ref(),
        url: args.url.as_deref(),
        profile: args.target.as_deref(),
    };
    let (url, title, found) = top(work, place, &ask).await?;
    let PageFound::Suggestions { suggestions } = found else {
        return Err(mismatch());
    };
    let part = |count: usize| Suggested {
        url: url.clone(),
        title: title.clone(),
        suggestions: suggestions[..count].to_vec(),
        omitted: (suggestions.len() - count) as u32,
    };
    // They are few, so how long each one is matters little to the search.
    let count = budget::most(
        budget,
        suggestions.len(),
        |count| count * TYPICAL_BYTES,
        |count| paging::written(&part(count)),
    )
    .map_err(|needed| paging::too_little(budget, needed))?;
    Ok(part(count))
}

/// Reads the top document alone.
async fn top(
    work: &mut Work,
    place: Where<'_>,
    ask: &PageRead,
) -> Result<(String, String, PageFound), Error> {
    let Some(url) = place.url else {
        if place.profile.is_some() {
            return Err(Error::argument(
                "target",
                "goes only with url: a session has its profile",
            ));
        }
        let spot = spot(work, place.session, place.tab).await?;
        let common = Common {
            frames: Some(false),
            ..Common::default()
        };
        let look = look(work, &spot, &common, ask).await?;
        return Ok(named(&look.url, &look.title, look.found));
    };
    if place.session.is_some() || place.tab.is_some() {
        return Err(Error::argument("url", "and session or tab exclude each other"));
    }
    let address = address::check(url, "url")?;
    let chosen = work.choose(place.profile)?;
    work.allow(Access::Read, Site::from(&address))?;
    let call = BrowserCall::Read {
        place: Place::Private { url: address.url },
        frames: None,
        ask: Box::new(ask.clone()),
        next_ref: 1,
    };
    let BrowserReply::Read {
        url, title, found, ..
    } = work.browser(&chosen, call).await?
    else {
        return Err(mismatch());
    };
    Ok(named(&url, &title, *found))
}

fn named(url: &str, title: &str, found: PageFound) -> (String, String, PageFound) {
    (
        paging::bounded(url, paging::MAX_URL),
        paging::bounded(title, paging::MAX_TITLE),
        found,
    )
}
