//! `cargo xtask demo`: the main job from end to end, with the time each hop took.

use anyhow::{Context, Result};
use drawbridge_protocol::link::Hop;
use drawbridge_tests::mcp::{Called, Mcp};
use drawbridge_tests::project;
use drawbridge_tests::sandbox::{Options, Sandbox};
use drawbridge_tests::site::Site;
use drawbridge_tests::site::recipes::{SavedPage, folded};
use drawbridge_tests::world::sign_in;
use serde_json::{Value, json};

use crate::run::say;
use crate::{output, sandbox};

/// Signs in like a person, then reads like an assistant.
pub(crate) fn run(headed: bool) -> Result<()> {
    sandbox::prepare()?;
    sandbox::block_on(async {
        say("starting a local site, a bridge and a browser on a new profile");
        let site = Site::start().await?;
        let sandbox = Sandbox::start(Options {
            headed,
            ..Options::default()
        })
        .await?;
        say("signing in on the site, in the browser, with mouse and keyboard");
        sign_in(&sandbox.profile().browser().await?, &site, "ada").await?;
        say("starting an MCP client");
        let mcp = sandbox.mcp("demo", "domains").await?;
        let tools: Vec<_> = mcp
            .tools()
            .await?
            .iter()
            .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
            .collect();
        output::line(format!("tools: {}", tools.join(", ")));
        let mut hops = Hops::default();
        orders(&mcp, &site, &mut hops).await?;
        match project::shared()? {
            Some(_) => saved_pages(&mcp, &site, &mut hops).await?,
            None => say("no saved pages to read"),
        }
        hops.print();
        mcp.close(std::time::Duration::from_secs(2)).await?;
        say("cleaning up");
        sandbox.stop().await
    })
}

async fn orders(mcp: &Mcp, site: &Site, hops: &mut Hops) -> Result<()> {
    let arguments = json!({"recipe": site.orders_recipe(), "inputs": {"page": 1}});
    let called = mcp.call("browser_extract", arguments).await?;
    hops.add("orders behind the login", &called);
    let result = called.outcome.0?;
    let rows = result["rows"].as_array().context("the reply has no rows")?;
    let head = ["number", "date", "total", "note"];
    output::table(
        &format!(
            "Orders behind the login: {}, {} pages, {}",
            text(&result["state"]),
            result["pages"],
            if result["complete"] == true {
                "complete"
            } else {
                "not complete"
            }
        ),
        &head,
        rows.iter().map(|row| head.map(|name| text(&row[name]))),
    );
    Ok(())
}

async fn saved_pages(mcp: &Mcp, site: &Site, hops: &mut Hops) -> Result<()> {
    let mut rows = Vec::new();
    for page in SavedPage::all()? {
        let read = async |recipe: Value| mcp.call("browser_extract", json!({"recipe": recipe})).await;
        let title = read(page.title_recipe(&site.origin)).await?;
        let ingredients = read(page.ingredients_recipe(&site.origin)).await?;
        hops.add(&page.page, &ingredients);
        rows.push([page.page.clone(), first(&title), list(&ingredients)]);
    }
    output::table("Saved real pages", &["page", "title", "ingredients"], rows);
    Ok(())
}

/// The first row's text, or why there is none.
fn first(called: &Called) -> String {
    match &called.outcome.0 {
        Ok(result) if result["state"] == "ok" => text(&result["rows"][0]["text"]),
        Ok(result) => format!("{} {}", text(&result["state"]), result["issues"]),
        Err(error) => error.to_string(),
    }
}

/// All rows' texts, one a line, or why there are none.
fn list(called: &Called) -> String {
    match (&called.outcome.0, first(called)) {
        (Ok(result), _) if result["state"] == "ok" => {
            let rows = result["rows"].as_array().map(Vec::as_slice).unwrap_or_default();
            rows.iter()
                .map(|row| folded(&text(&row["text"])))
                .collect::<Vec<_>>()
                .join("\n")
        }
        (Ok(_) | Err(_), why) => why,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Where the time of each call went.
#[derive(Default)]
struct Hops {
    calls: Vec<(String, Vec<Hop>)>,
}

impl Hops {
    fn add(&mut self, name: &str, called: &Called) {
        let mut hops = called.hops.clone();
        hops.push(Hop {
            name: "whole call".to_owned(),
            ms: called.took.as_secs_f64() * 1000.0,
        });
        self.calls.push((name.to_owned(), hops));
    }

    fn print(&self) {
        let mut names: Vec<&str> = Vec::new();
        for hop in self.calls.iter().flat_map(|(_, hops)| hops) {
            if hop.name != "whole call" && !names.contains(&hop.name.as_str()) {
                names.push(&hop.name);
            }
        }
        names.push("whole call");
        let head: Vec<_> = ["call"].into_iter().chain(names.iter().copied()).collect();
        let rows = self.calls.iter().map(|(call, hops)| {
            let cell = |name: &&str| {
                let hops: Vec<_> = hops.iter().filter(|hop| hop.name == **name).collect();
                if hops.is_empty() {
                    return String::new();
                }
                format!("{:.1}", hops.iter().map(|hop| hop.ms).sum::<f64>())
            };
            [call.clone()]
                .into_iter()
                .chain(names.iter().map(cell))
                .collect::<Vec<_>>()
        });
        output::table("Time of each hop, in milliseconds", &head, rows);
    }
}
