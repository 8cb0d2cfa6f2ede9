//! Reads of pages over the in-memory link.

mod budgets;
mod frames;
mod rest;

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::outline::{Kind, Omitted, OutlineNode, Ref};
use drawbridge_protocol::page::PageFound;
use serde_json::{Value, json};

use crate::daemon::access::Policy;
use crate::daemon::testing::{Browser, Client, ReadAsked, Stage, run};

const URL: &str = "https://shop.example/";

/// A session in `t1.a` that shows whatever the test says.
struct Bench {
    stage: Stage,
    browser: Browser,
    client: Client,
}

impl Bench {
    async fn new() -> Self {
        let (stage, browser, client) = Stage::with_session(Policy::Sandbox).await;
        Self {
            stage,
            browser,
            client,
        }
    }

    /// A call that looks at a document in which something is found.
    async fn reads(&mut self, args: Value, document: &str, found: PageFound) -> Result<Value, Error> {
        self.asked(args, document, found, 1).await.0
    }

    async fn asked(
        &mut self,
        args: Value,
        document: &str,
        found: PageFound,
        next: u32,
    ) -> (Result<Value, Error>, ReadAsked) {
        let id = self.client.begin("browser_inspect", args).await;
        self.browser.shows(document, URL).await;
        let asked = self.browser.reads(URL, found, next).await;
        (self.client.reply(id).await, asked)
    }

    /// A call that goes on in what was read: the browser says only which document is there.
    async fn goes_on(&mut self, args: Value, document: &str) -> Result<Value, Error> {
        let id = self.client.begin("browser_inspect", args).await;
        self.browser.shows(document, URL).await;
        self.client.reply(id).await
    }

    /// A call that is refused before any browser hears of it.
    async fn refused(&mut self, args: Value) -> Error {
        self.client.call("browser_inspect", args).await.unwrap_err()
    }
}

fn node(number: u32, role: &str, name: &str, kind: Kind) -> OutlineNode {
    OutlineNode {
        r#ref: (number > 0).then(|| Ref::element(number)),
        role: role.to_owned(),
        name: name.to_owned(),
        kind,
        ..OutlineNode::default()
    }
}

/// A page with a region, some buttons and some text.
fn page(buttons: u32) -> PageFound {
    let mut nodes = vec![node(0, "main", "", Kind::Region)];
    for number in 1..=buttons {
        nodes.push(OutlineNode {
            depth: 1,
            ..node(number, "button", &format!("Delete order {number}"), Kind::Control)
        });
        nodes.push(OutlineNode {
            depth: 1,
            ..node(0, "text", &format!("Ordered on day {number}"), Kind::Other)
        });
    }
    outline(nodes)
}

fn outline(nodes: Vec<OutlineNode>) -> PageFound {
    PageFound::Outline {
        nodes,
        omitted: Omitted {
            hidden: 2,
            ..Omitted::default()
        },
    }
}

fn text(text: &str) -> PageFound {
    PageFound::Text {
        text: text.to_owned(),
        omitted: Omitted::default(),
        matched: None,
    }
}
