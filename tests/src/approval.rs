//! The approval page, as a person sees it and answers it.

use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use tokio::time::timeout;

use crate::cdp::{Browser, Page};
use crate::wait;

/// How long an answered question may stay on the screen.
const GONE: Duration = Duration::from_secs(10);

/// What the page asks now.
const ASKED: &str = "document.querySelector('main').innerText";

/// A question that is on the screen.
pub struct Question {
    /// The page that shows it.
    pub page: Page,
    browser: Browser,
}

impl Question {
    /// Waits until the browser shows one.
    ///
    /// # Errors
    /// When none comes.
    pub async fn appears(browser: &Browser) -> Result<Self> {
        let page = browser.page(|url| url.contains("/approve.html")).await?;
        page.until("document.querySelector('main') && !document.querySelector('main').hidden")
            .await?;
        Ok(Self {
            page,
            browser: browser.clone(),
        })
    }

    /// All that it says.
    ///
    /// # Errors
    /// When it is gone.
    pub async fn text(&self) -> Result<String> {
        self.page.evaluate("document.body.innerText").await
    }

    /// Waits until Allow would do something.
    ///
    /// # Errors
    /// When it never does.
    pub async fn until_armed(&self) -> Result<()> {
        self.page
            .until("document.getElementById('allow').getAttribute('aria-disabled') === 'false'")
            .await
    }

    /// Picks one of the choices of an admission: `ask`, `everywhere` or `sites`.
    ///
    /// # Errors
    /// When there is no such choice.
    pub async fn choose(&self, choice: &str) -> Result<()> {
        self.page.click(&format!("input[value={choice}]")).await
    }

    /// Presses Allow as a person does, once it does something.
    ///
    /// # Errors
    /// When it never does.
    pub async fn allow(self) -> Result<()> {
        self.until_armed().await?;
        self.press("#allow").await
    }

    /// Presses Deny.
    ///
    /// # Errors
    /// When the page is gone.
    pub async fn deny(self) -> Result<()> {
        self.press("#deny").await
    }

    /// Closes the window.
    ///
    /// # Errors
    /// When it is gone already.
    pub async fn close(self) -> Result<()> {
        let target = self.page.target();
        self.browser
            .send("Target.closeTarget", json!({ "targetId": target }))
            .await?;
        wait::until("the window to close", GONE, async || {
            Ok((!self.is_there().await?).then_some(()))
        })
        .await
    }

    /// Whether its window is there, with this question or another.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn is_there(&self) -> Result<bool> {
        let targets = self.browser.targets().await?;
        Ok(targets.iter().any(|other| other.target_id == self.page.target()))
    }

    async fn press(self, selector: &str) -> Result<()> {
        let asked: String = self.page.evaluate(ASKED).await?;
        // The last answer closes the page, at times before the mouse is heard to have been let go.
        let pressed = self.page.click(selector).await;
        let gone = wait::until("the question to be over", GONE, async || {
            // A page that closes leaves what it is asked unanswered.
            let now = timeout(Duration::from_secs(1), self.page.evaluate::<String>(ASKED));
            let other = matches!(now.await, Ok(Ok(now)) if now != asked);
            let next = other || !self.is_there().await?;
            Ok(next.then_some(()))
        })
        .await;
        match gone {
            Ok(()) => Ok(()),
            Err(error) => Err(error.context(format!("{pressed:?}"))),
        }
    }

    /// A key on the element that has the focus; `held` as the system repeats it while it is down.
    ///
    /// # Errors
    /// When the page is gone.
    pub async fn key_down(&self, key: &str, held: bool) -> Result<()> {
        let code = if key == "Enter" { 13 } else { 9 };
        let text = if key == "Enter" { "\r" } else { "" };
        let down = json!({"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code,
                          "text": text, "autoRepeat": held});
        self.page.send("Input.dispatchKeyEvent", down).await.map(drop)
    }
}

/// Closes so many questions, one after the other, which is a no to each.
///
/// # Errors
/// When they do not come.
pub async fn close(browser: &Browser, count: usize) -> Result<()> {
    for _ in 0..count {
        Question::appears(browser).await?.close().await?;
    }
    Ok(())
}
