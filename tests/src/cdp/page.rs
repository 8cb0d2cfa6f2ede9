//! One page (or worker) the harness is attached to.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{BOUND, Browser, Events};
use crate::wait;

/// A session with one target.
pub struct Page {
    browser: Browser,
    target: String,
    session: String,
}

impl Page {
    pub(super) fn new(browser: Browser, target: String, session: String) -> Self {
        Self {
            browser,
            target,
            session,
        }
    }

    /// The target's id.
    pub fn target(&self) -> &str {
        &self.target
    }

    pub(crate) fn browser(&self) -> &Browser {
        &self.browser
    }

    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// Sends a command.
    ///
    /// # Errors
    /// The browser's own message, or that nothing came within [`BOUND`].
    pub async fn send(&self, method: &str, params: Value) -> Result<Value> {
        self.browser
            .send_to(Some(&self.session), method, params, BOUND)
            .await
    }

    /// Listens to this page's events from now on.
    pub fn listen(&self) -> Events {
        self.browser.listen().of_session(&self.session)
    }

    /// Loads an address and waits for its load event.
    ///
    /// # Errors
    /// With the browser's error text when the address cannot be loaded.
    pub async fn navigate(&self, url: &str) -> Result<()> {
        self.send("Page.enable", json!({})).await?;
        let mut events = self.listen();
        let answer = self.send("Page.navigate", json!({"url": url})).await?;
        if let Some(problem) = answer["errorText"].as_str() {
            bail!("{url}: {problem}");
        }
        if answer["loaderId"].is_string() {
            events.next("Page.loadEventFired").await?;
        }
        Ok(())
    }

    /// The value of an expression in the page's main world; a promise is awaited.
    ///
    /// # Errors
    /// What the expression throws, or a value of another shape.
    pub async fn evaluate<T: DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let mut answer = self
            .send(
                "Runtime.evaluate",
                json!({"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": false}),
            )
            .await?;
        if let Some(details) = answer.get("exceptionDetails") {
            let thrown = &details["exception"]["description"];
            bail!(
                "{expression}: {}",
                thrown.as_str().unwrap_or(&details["text"].to_string())
            );
        }
        let value = answer["result"]["value"].take();
        serde_json::from_value(value).with_context(|| format!("the value of {expression}"))
    }

    /// Waits until an expression is truthy. A document that goes away meanwhile does not count as an answer.
    ///
    /// # Errors
    /// When it is not within [`BOUND`].
    pub async fn until(&self, expression: &str) -> Result<()> {
        let expression = format!("!!({expression})");
        wait::until(&expression, BOUND, async || {
            Ok(self
                .evaluate::<bool>(&expression)
                .await
                .unwrap_or(false)
                .then_some(()))
        })
        .await
    }

    /// A trusted click in the middle of the one element that matches, as a person's mouse would make it.
    ///
    /// # Errors
    /// When nothing matches.
    pub async fn click(&self, selector: &str) -> Result<()> {
        let quoted = json!(selector);
        let point: Option<(f64, f64)> = self
            .evaluate(&format!(
                "(() => {{ const e = document.querySelector({quoted}); if (!e) return null;
                   e.scrollIntoView({{block: 'center', behavior: 'instant'}}); const r = e.getBoundingClientRect();
                   return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
            ))
            .await?;
        let (x, y) = point.with_context(|| format!("nothing matches {selector}"))?;
        let mouse = |kind: &str, button: &str, buttons: u32| {
            let params =
                json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
            self.send("Input.dispatchMouseEvent", params)
        };
        // A page that is not in front takes a move only when a press follows, or after five seconds.
        let moved = mouse("mouseMoved", "none", 0);
        let pressed = async {
            mouse("mousePressed", "left", 1).await?;
            mouse("mouseReleased", "left", 0).await
        };
        futures_util::future::try_join(moved, pressed).await?;
        Ok(())
    }

    /// Clicks into a field and types, key by key.
    ///
    /// # Errors
    /// When nothing matches.
    pub async fn type_into(&self, selector: &str, text: &str) -> Result<()> {
        self.click(selector).await?;
        for character in text.chars() {
            let text = character.to_string();
            self.key(&text, Some(&text)).await?;
        }
        Ok(())
    }

    /// Presses Enter.
    ///
    /// # Errors
    /// When the page is gone.
    pub async fn press_enter(&self) -> Result<()> {
        self.key("Enter", Some("\r")).await
    }

    async fn key(&self, key: &str, text: Option<&str>) -> Result<()> {
        let code = if key == "Enter" { 13 } else { 0 };
        let mut down = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if let Some(text) = text {
            down["text"] = json!(text);
        }
        self.send("Input.dispatchKeyEvent", down).await?;
        let up = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
        self.send("Input.dispatchKeyEvent", up).await.map(drop)
    }

    /// Closes the tab and sees it gone. A `beforeunload` question is answered with leaving.
    ///
    /// # Errors
    /// When it is still there after [`BOUND`].
    pub async fn close(self) -> Result<()> {
        self.send("Page.enable", json!({})).await?;
        let close = self
            .browser
            .send("Target.closeTarget", json!({"targetId": self.target}));
        close.await?;
        wait::until("the tab to close", BOUND, async || {
            let targets = self.browser.targets().await?;
            if !targets.iter().any(|target| target.target_id == self.target) {
                return Ok(Some(()));
            }
            // Fails when no dialog is open, which is what is hoped for.
            let leave = json!({"accept": true});
            let bound = Duration::from_millis(200);
            let _ = self
                .browser
                .send_to(Some(&self.session), "Page.handleJavaScriptDialog", leave, bound)
                .await;
            Ok(None)
        })
        .await?;
        self.browser.forget(&self.target);
        Ok(())
    }

    /// Lets the tab be and ends the session with it.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn detach(self) -> Result<()> {
        self.browser.forget(&self.target);
        self.browser
            .send("Target.detachFromTarget", json!({"sessionId": self.session}))
            .await
            .map(drop)
    }
}
