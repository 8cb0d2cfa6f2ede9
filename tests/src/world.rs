//! What a test needs: a connected browser of its own for as long as it runs, a site, a client, and the look of the
//! browser before. A test ends with [`World::leaves_nothing`].

use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use drawbridge_protocol::ids::ClientId;
use serde_json::{Value, json};
use tokio::process::Child;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::cdp::Browser;
use crate::client::Client;
use crate::mcp::Mcp;
use crate::residue::Look;
use crate::sandbox::{Options, Sandbox};
use crate::site::Site;
use crate::wait;

/// How long what is started may take until it is there.
const SOON: Duration = Duration::from_secs(30);

/// Browsers that run at once; a browser wants about a core.
const BROWSERS: usize = 2;

static PERMITS: Semaphore = Semaphore::const_new(BROWSERS);

/// Sandboxes that wait for the next test. What is left at the end of the process, its watcher ends.
static IDLE: Mutex<Vec<Sandbox>> = Mutex::new(Vec::new());

/// A test's surroundings.
pub struct World {
    /// The bridge's home and the browser.
    pub sandbox: Sandbox,
    /// A site of its own.
    pub site: Site,
    /// A client with an id of its own, so that its grants are nobody else's.
    pub client: Client,
    /// The harness' eyes and hands in the first profile.
    pub browser: Browser,
    id: String,
    before: Look,
    /// Whether another test may have the sandbox afterwards.
    shared: bool,
    permits: SemaphorePermit<'static>,
}

impl World {
    /// With a sandbox of one profile that other tests used before and will use after. Not for tests that end or
    /// restart anything.
    ///
    /// # Errors
    /// When the sandbox does not start.
    pub async fn shared() -> Result<Self> {
        let permits = PERMITS.acquire().await?;
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let sandbox = match idle {
            Some(sandbox) => sandbox,
            None => Sandbox::start(Options::default()).await?,
        };
        Self::around(sandbox, true, permits).await
    }

    /// With a sandbox of its own, for tests that end or restart something or need other options.
    ///
    /// # Errors
    /// When the sandbox does not start.
    pub async fn fresh(options: Options) -> Result<Self> {
        let wanted = options.profiles.clamp(1, BROWSERS);
        let permits = PERMITS.acquire_many(u32::try_from(wanted)?).await?;
        make_room().await?;
        Self::around(Sandbox::start(options).await?, false, permits).await
    }

    async fn around(sandbox: Sandbox, shared: bool, permits: SemaphorePermit<'static>) -> Result<Self> {
        let id = format!("test-{}", uuid::Uuid::new_v4().simple());
        let browser = sandbox.profile().browser().await?;
        let before = Look::at(sandbox.profile(), &browser).await?;
        let client = sandbox.client(&id).await?;
        let site = Site::start().await?;
        Ok(Self {
            sandbox,
            site,
            client,
            browser,
            id,
            before,
            shared,
            permits,
        })
    }

    /// The client's id, the subject of its grants.
    pub fn id(&self) -> ClientId {
        ClientId::from(self.id.as_str())
    }

    /// An MCP client with the same id.
    ///
    /// # Errors
    /// When the server does not start.
    pub async fn mcp(&self, surface: &str) -> Result<Mcp> {
        self.sandbox.mcp(&self.id, surface).await
    }

    /// Signs in on the site, in a tab of the browser, by mouse and keyboard.
    ///
    /// # Errors
    /// When the site does not let the user in.
    pub async fn sign_in(&self, user: &str) -> Result<()> {
        sign_in(&self.browser, &self.site, user).await
    }

    /// Runs a recipe without inputs, whatever comes of it.
    ///
    /// # Errors
    /// What the call ended with.
    pub async fn extract(
        &self,
        recipe: Value,
    ) -> Result<drawbridge_protocol::recipe::RecipeResult, drawbridge_protocol::Error> {
        self.extract_with(recipe, Value::Null).await
    }

    /// Runs a recipe with inputs.
    ///
    /// # Errors
    /// What the call ended with.
    pub async fn extract_with(
        &self,
        recipe: Value,
        inputs: Value,
    ) -> Result<drawbridge_protocol::recipe::RecipeResult, drawbridge_protocol::Error> {
        let inputs = match inputs {
            Value::Object(map) => map.into_iter().collect(),
            _ => Default::default(),
        };
        let args = drawbridge_protocol::tools::extract::ExtractArgs {
            recipe,
            inputs,
            target: None,
            timeout_ms: None,
        };
        self.client.call(&args).await
    }

    /// Replaces the daemon by one with more variables in its environment, and connects the world's client and its browser
    /// to that. The daemon is a child of this process.
    ///
    /// # Errors
    /// When it does not start, or the browser does not find it.
    pub async fn replace_daemon(&mut self, variables: &[(&str, &str)]) -> Result<Child> {
        let daemon = self.start_daemon(variables).await?;
        wait::until("the browser", SOON, async || {
            Ok(self.client.call_raw("browser_echo", json!({})).await.ok())
        })
        .await?;
        Ok(daemon)
    }

    /// The same without waiting for the browser.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start_daemon(&mut self, variables: &[(&str, &str)]) -> Result<Child> {
        for _ in 0..20 {
            if self.sandbox.daemon().is_some() {
                self.sandbox.kill_daemon()?;
            }
            let mut child = self
                .sandbox
                .command(["daemon"])
                .envs(variables.iter().copied())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()?;
            // A native host may have been first.
            let ours = wait::until("a daemon", SOON, async || {
                Ok(match (child.try_wait()?, self.sandbox.daemon()) {
                    (Some(_), _) => Some(false),
                    (None, Some(pid)) => Some(Some(pid) == child.id()),
                    (None, None) => None,
                })
            })
            .await?;
            if !ours {
                continue;
            }
            self.client = wait::until("the client", SOON, async || {
                Ok(self.sandbox.client(&self.id).await.ok())
            })
            .await?;
            return Ok(child);
        }
        bail!("somebody else was always first")
    }

    /// Takes the look of the browser as it is now for the one to come back to.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn expects_from_now(&mut self) -> Result<()> {
        self.browser = self.sandbox.profile().browser().await?;
        self.before = Look::at(self.sandbox.profile(), &self.browser).await?;
        Ok(())
    }

    /// Waits until the browser looks as it did before.
    ///
    /// # Errors
    /// What is left.
    pub async fn looks_as_before(&self) -> Result<()> {
        self.before
            .expect_again(self.sandbox.profile(), &self.browser)
            .await
    }

    /// The end of every test: the client leaves, and the browser looks as it did before.
    ///
    /// # Errors
    /// What is left.
    pub async fn leaves_nothing(self) -> Result<()> {
        let Self {
            sandbox,
            client,
            browser,
            before,
            shared,
            permits,
            site,
            ..
        } = self;
        drop(client);
        before.expect_again(sandbox.profile(), &browser).await?;
        drop(site);
        if shared {
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(sandbox);
        } else {
            sandbox.stop().await?;
        }
        drop(permits);
        Ok(())
    }
}

/// Signs in on a site, by mouse and keyboard, in a tab that is closed afterwards.
///
/// # Errors
/// When the site does not let the user in.
pub async fn sign_in(browser: &Browser, site: &Site, user: &str) -> Result<()> {
    let page = browser.open(&site.url("/login")).await?;
    page.type_into("input[name=user]", user).await?;
    page.type_into("input[name=password]", "correct horse").await?;
    page.press_enter().await?;
    page.until("location.pathname === '/account'")
        .await
        .context("the site did not let the user in")?;
    page.close().await
}

/// Ends sandboxes that wait until there is room for those this test has permits for.
async fn make_room() -> Result<()> {
    loop {
        let idle = {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            let used = BROWSERS - PERMITS.available_permits();
            if idle.len() + used <= BROWSERS {
                None
            } else {
                idle.pop()
            }
        };
        match idle {
            Some(sandbox) => sandbox.stop().await?,
            None => return Ok(()),
        }
    }
}
