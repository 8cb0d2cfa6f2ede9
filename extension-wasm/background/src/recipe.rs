//! A recipe, version 1, in a private tab: load, wait until it is ready, read, go on to the next page, all inside one
//! deadline.

mod pages;
mod progress;

use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::link::WindowPolicy;
use drawbridge_protocol::reader::{PageHeader, PageState, PortOp, ReadReply, ReadRequest, recipe_sets};
use drawbridge_protocol::recipe::{Field, Read, Recipe, RecipeResult};
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::{Code, Error};

use crate::calls::Context;
use crate::navigate::{Seen, Trouble};
use crate::private::{self, PrivateTab};
use crate::state::App;
use crate::time::{Moment, bounded, now, sleep, stamp};
use crate::{address, port, reader, unreadable};
use pages::{Found, Pages, Step};
use progress::Progress;

/// How long a hidden page may take to get ready before it is shown in a window.
const HIDDEN: Duration = Duration::from_secs(3);
/// How long one wait for a change of the page lasts before the page is looked at all the same.
const LOOK: Duration = Duration::from_millis(250);
/// How long the markup may take before the page itself is asked whether it is read: scripts can hold the event back.
const MARKUP: Duration = Duration::from_millis(500);
/// How long a page of another origin may take to show its password field.
const ELSEWHERE: Duration = Duration::from_secs(5);
/// A page that changes all the time is looked at no more often than this.
const PACE: Duration = Duration::from_millis(10);

/// Runs a recipe whose first page is at `url`.
///
/// # Errors
/// `timeout`, `cancelled`, `navigation_blocked`, `page_unreadable`, `tab_gone`, `invalid_argument` for a selector that
/// is none to the browser.
pub(crate) async fn run(
    app: &Rc<App>,
    context: &Context,
    recipe: &Recipe,
    url: &str,
    window: WindowPolicy,
) -> Result<RecipeResult, Error> {
    let progress = Progress::new(window);
    let result = private::with(app, context, async |tab| {
        let run = Run {
            app,
            context,
            recipe,
            tab,
            progress: &progress,
        };
        let result = run.pages(url).await;
        context.hop_ms("page_load", progress.load_ms());
        context.hop_ms("read", progress.read_ms());
        result
    })
    .await;
    result.map_err(|error| match error.code {
        Code::Timeout => progress.timeout(),
        _ => error,
    })
}

/// One recipe in its tab.
struct Run<'a> {
    app: &'a Rc<App>,
    context: &'a Context,
    recipe: &'a Recipe,
    tab: &'a PrivateTab,
    progress: &'a Progress,
}

/// A page that says something final.
enum Ready {
    /// What the page says, and where it was read.
    Page(PageHeader, PageState),
    /// It is another origin's, with a password field.
    LoginElsewhere(String),
}

impl Run<'_> {
    async fn pages(&self, url: &str) -> Result<RecipeResult, Error> {
        let mut pages = Pages::new(self.recipe);
        let mut asked = url.to_owned();
        loop {
            let began = now();
            let before = self.tab.load(&asked).await?;
            let (shown, step) = match self.ready(before, &asked, &pages, began).await? {
                Ready::Page(header, state) => {
                    let step = pages.take(&asked, &header.url, state)?;
                    (header.url, step)
                }
                Ready::LoginElsewhere(shown) => (shown, Step::Done(pages.login_redirect())),
            };
            match step {
                Step::Next(next) => asked = next,
                Step::Done(found) => return Ok(self.result(found, shown)),
            }
        }
    }

    fn result(&self, found: Found, source_url: String) -> RecipeResult {
        let Found {
            state,
            rows,
            complete,
            pages,
            issues,
        } = found;
        let visibility = self.progress.visibility();
        RecipeResult {
            state,
            rows,
            complete,
            pages,
            source_url,
            checked_at: stamp(),
            visibility,
            issues,
        }
    }

    /// Looks at the page until it says something final. The call's deadline ends this from outside.
    async fn ready(
        &self,
        before: u64,
        asked: &str,
        pages: &Pages<'_>,
        began: Moment,
    ) -> Result<Ready, Error> {
        let op = recipe_sets(self.recipe, pages.room());
        self.progress.loading(pages.page());
        let mut interactive: Option<Moment> = None;
        loop {
            let seen = self.committed(before, asked).await?;
            if !address::is_on(&seen.url, &self.recipe.origin) {
                match self.elsewhere(&seen).await? {
                    Some(found) => return Ok(found),
                    None => continue,
                }
            }
            let looked = now();
            let Some((header, state)) = self.look(&seen, asked, pages, &op).await? else {
                continue;
            };
            if header.ready_state > 0 {
                self.progress.interactive();
                if !matches!(state, PageState::NotReady) {
                    self.progress.add(began, looked);
                    return Ok(Ready::Page(header, state));
                }
                let since = *interactive.get_or_insert_with(now);
                if now().saturating_sub(since) >= HIDDEN && self.progress.may_move() {
                    self.tab.move_to_window().await?;
                    self.progress.moved();
                }
            }
            self.change(&seen, looked).await?;
        }
    }

    /// The newest document of this load.
    async fn committed(&self, before: u64, asked: &str) -> Result<Seen, Error> {
        match self.tab.navigation.reached(before, Phase::Commit).await {
            Ok(seen) => Ok(seen),
            Err(Trouble::Blocked(shown)) => Err(unreadable::off_origin(&self.recipe.origin, &shown)),
            Err(trouble) => Err(unreadable::trouble(&trouble, asked)),
        }
    }

    /// One look at a document of the recipe's origin; `None` if it is not the tab's document any more.
    async fn look(
        &self,
        seen: &Seen,
        asked: &str,
        pages: &Pages<'_>,
        op: &PortOp,
    ) -> Result<Option<(PageHeader, PageState)>, Error> {
        // The port gets there while the markup arrives; rows are complete once the markup is read.
        match port::ensure(self.app, self.tab.id, &seen.document, self.context.left()).await {
            Ok(()) => {}
            Err(trouble) => return self.replaced(seen, &trouble).await,
        }
        if seen.phase < Phase::DomContentLoaded {
            self.parsed(seen).await;
        }
        let columns = match port::run(self.app, self.tab.id, &seen.document, op, self.context.left()).await {
            Ok(columns) => columns,
            Err(trouble) => return self.replaced(seen, &trouble).await,
        };
        let request = ReadRequest::RecipePage {
            recipe: Box::new(self.recipe.clone()),
            page: pages.page(),
            room: pages.room(),
            redirected: !address::same_page(&seen.url, asked),
        };
        match reader::read(&request, &columns).await? {
            // By its address: a page that its own site puts into a sandbox has an opaque origin there.
            ReadReply::RecipePage { header, page } if address::is_on(&header.url, &self.recipe.origin) => {
                // What is no page never gets ready.
                if port::is_pdf(&columns) {
                    return Err(unreadable::pdf());
                }
                Ok(Some((header, page)))
            }
            ReadReply::RecipePage { header, .. } => {
                Err(unreadable::off_origin(&self.recipe.origin, &header.url))
            }
            ReadReply::NoSelector { path } => Err(Error::argument(
                &format!("recipe.{path}"),
                "is no selector the browser takes",
            )),
            ReadReply::Malformed { problem } => {
                Err(Error::internal(format!("the page's columns: {problem}")))
            }
            ReadReply::Page { .. }
            | ReadReply::WantMarkup { .. }
            | ReadReply::Markup { .. }
            | ReadReply::Failed { .. } => Err(Error::internal("the reader answered another question")),
        }
    }

    /// Waits until the markup of a document is read, or the document is gone, but not for ever.
    async fn parsed(&self, seen: &Seen) {
        let navigation = &self.tab.navigation;
        let mut at = seen.clone();
        // Late is fine: then the page is asked.
        let _ = bounded(MARKUP, async {
            while at.document == seen.document && at.phase < Phase::DomContentLoaded {
                navigation.after(&at).await;
                match navigation.seen(0) {
                    Some(newer) => at = newer,
                    None => return,
                }
            }
        })
        .await;
    }

    /// A document that gave no columns: gone is no error here, another one comes.
    async fn replaced<T>(&self, seen: &Seen, trouble: &port::Trouble) -> Result<Option<T>, Error> {
        match trouble {
            port::Trouble::Gone => {
                // The browser is ahead of its events.
                let _ = bounded(LOOK, self.tab.navigation.after(seen)).await;
                Ok(None)
            }
            port::Trouble::Unreadable(_) | port::Trouble::Late | port::Trouble::Broken(_) => {
                Err(trouble.error(&seen.url))
            }
        }
    }

    /// Waits for a change of the page or of the tab.
    async fn change(&self, seen: &Seen, looked: Moment) -> Result<(), Error> {
        let took = now().saturating_sub(looked);
        let change = async {
            let changed = port::changed(self.tab.id, &seen.document, LOOK).await;
            // Looking must not be all that a page which changes all the time gets to do.
            sleep(PACE.max(took)).await;
            changed
        };
        let newer = self.tab.navigation.after(seen);
        match futures_util::future::select(std::pin::pin!(change), std::pin::pin!(newer)).await {
            futures_util::future::Either::Left((Err(trouble), _)) => {
                self.replaced::<()>(seen, &trouble).await.map(drop)
            }
            futures_util::future::Either::Left((Ok(_), _)) | futures_util::future::Either::Right(_) => Ok(()),
        }
    }

    /// A document of another origin: a page with a password field wants a login, any other is not for this recipe.
    /// `None` if it was replaced before that was known.
    async fn elsewhere(&self, seen: &Seen) -> Result<Option<Ready>, Error> {
        let blocked = || unreadable::off_origin(&self.recipe.origin, &seen.url);
        let mut at = seen.clone();
        let until = now() + ELSEWHERE;
        loop {
            let left = until.saturating_sub(now());
            if at.phase >= Phase::DomContentLoaded {
                match self.has_password_field(&at, left).await {
                    Ok(true) => return Ok(Some(Ready::LoginElsewhere(at.url))),
                    Ok(false) if at.phase == Phase::Load => return Err(blocked()),
                    Ok(false) => {}
                    Err(port::Trouble::Gone) => return self.replaced(&at, &port::Trouble::Gone).await,
                    Err(port::Trouble::Unreadable(_) | port::Trouble::Late | port::Trouble::Broken(_)) => {
                        return Err(blocked());
                    }
                }
            }
            if bounded(left, self.tab.navigation.after(&at)).await.is_err() {
                return Err(blocked());
            }
            match self.tab.navigation.seen(0) {
                Some(newer) if newer.document == at.document => at = newer,
                _ => return Ok(None),
            }
        }
    }

    /// Nothing but this is read of a page of another origin: a recipe that looks for nothing is asked about it.
    async fn has_password_field(&self, seen: &Seen, limit: Duration) -> Result<bool, port::Trouble> {
        let recipe = blind(self.recipe);
        let op = recipe_sets(&recipe, 1);
        let columns = port::run(self.app, self.tab.id, &seen.document, &op, limit).await?;
        let request = ReadRequest::RecipePage {
            recipe: Box::new(recipe),
            page: 1,
            room: 1,
            redirected: true,
        };
        match reader::read(&request, &columns).await {
            Ok(ReadReply::RecipePage { page, .. }) => Ok(matches!(page, PageState::Login { .. })),
            Ok(_) => Err(port::Trouble::Broken(
                "the reader answered another question".to_owned(),
            )),
            Err(error) => Err(port::Trouble::Broken(error.message)),
        }
    }
}

/// The recipe with selectors that match nothing.
fn blind(recipe: &Recipe) -> Recipe {
    let nothing = || ":not(*)".to_owned();
    let field = Field {
        name: "none".to_owned(),
        selector: None,
        read: Read::TextContent,
        attribute: None,
        required: false,
    };
    Recipe {
        ready: nothing(),
        rows: nothing(),
        fields: vec![field],
        empty: None,
        login: None,
        next: None,
        limit: 1,
        max_pages: 1,
        ..recipe.clone()
    }
}
