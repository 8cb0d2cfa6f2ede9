//! `browser_inspect`: reading pages. In a session's tab the grant is asked for the document that is there, and the
//! read is fenced with that document.

use drawbridge_protocol::address;
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::{SessionId, TabId};
use drawbridge_protocol::link::{BrowserCall, BrowserReply, Place};
use drawbridge_protocol::recipe;
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::inspect::{
    DEFAULT_CHARS, DEFAULT_ENTRIES, MAX_CHARS, MAX_ENTRIES, SelectorsArgs, SelectorsRead, TextArgs, TextRead,
};

use super::super::grants::Site;
use super::super::targets::Chosen;
use super::super::work::{Work, mismatch};
use super::number;

/// How often a read starts over because the page replaced itself under it.
const ATTEMPTS: usize = 2;

/// Reads visible text of a page or of one element.
pub async fn text(work: &mut Work, args: TextArgs) -> Result<TextRead, Error> {
    let max_chars = number("maxChars", args.max_chars, DEFAULT_CHARS, 1..=MAX_CHARS)?;
    if let Some(target) = &args.target {
        recipe::selector("target", target)?;
    }
    let (session, chosen) = work.session(args.session.as_ref(), args.tab.as_ref()).await?;
    let tab = work.hub.sessions.tab(&session.id, args.tab.as_ref())?;
    let reply = read(work, &chosen, &session.id, &tab, |place| BrowserCall::ReadText {
        place,
        target: args.target.clone(),
        max_chars,
    })
    .await?;
    let BrowserReply::Text {
        document,
        url,
        title,
        text,
        omitted,
    } = reply
    else {
        return Err(mismatch());
    };
    Ok(TextRead {
        session: session.id,
        tab,
        document,
        url,
        title,
        text,
        omitted,
    })
}

/// Reads selectors for an author, of a session's tab or of an address in a private tab.
pub async fn selectors(work: &mut Work, args: SelectorsArgs) -> Result<SelectorsRead, Error> {
    let limit = number("limit", args.limit, DEFAULT_ENTRIES, 1..=MAX_ENTRIES)?;
    let scope = args.scope.unwrap_or_else(|| "body".to_owned());
    recipe::selector("scope", &scope)?;
    let call = |place| BrowserCall::ReadSelectors {
        place,
        scope: scope.clone(),
        limit,
    };
    let reply = match &args.url {
        Some(url) => {
            if args.session.is_some() || args.tab.is_some() {
                return Err(Error::argument("url", "and session or tab exclude each other"));
            }
            let address = address::check(url, "url")?;
            let chosen = work.choose(args.target.as_deref())?;
            work.allow(Access::Read, Site::from(&address))?;
            work.browser(&chosen, call(Place::Private { url: address.url }))
                .await?
        }
        None => {
            if args.target.is_some() {
                return Err(Error::argument(
                    "target",
                    "goes only with url: a session has its profile",
                ));
            }
            let (session, chosen) = work.session(args.session.as_ref(), args.tab.as_ref()).await?;
            let tab = work.hub.sessions.tab(&session.id, args.tab.as_ref())?;
            read(work, &chosen, &session.id, &tab, call).await?
        }
    };
    let BrowserReply::Selectors {
        url,
        title,
        entries,
        omitted,
    } = reply
    else {
        return Err(mismatch());
    };
    Ok(SelectorsRead {
        url,
        title,
        entries,
        omitted,
    })
}

/// Reads the document that a tab shows. When the page moved on in between, the grant is asked anew for the next one.
async fn read(
    work: &mut Work,
    chosen: &Chosen,
    session: &SessionId,
    tab: &TabId,
    call: impl Fn(Place) -> BrowserCall,
) -> Result<BrowserReply, Error> {
    for _ in 0..ATTEMPTS {
        let document = work.document(chosen, session, tab, Access::Read).await?;
        let place = Place::Tab {
            session: session.clone(),
            tab: tab.clone(),
            document,
        };
        match work.browser(chosen, call(place)).await {
            Err(error) if error.code == Code::StaleRef => {}
            answered => return answered,
        }
    }
    Err(Error::new(
        Code::PageChanging,
        format!("the page replaced itself {ATTEMPTS} times while it was read"),
    )
    .hint("try again once it has come to rest"))
}
