//! Accessible names, case by case, beside what the cases expect.

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::tools::session::StartArgs;
use drawbridge_tests::oracle::{self, element::folded};
use drawbridge_tests::site;
use drawbridge_tests::world::World;
use serde_json::json;

/// Of the cases that the browser itself passes, those that must have the expected name.
const LIMIT: f64 = 0.97;

/// What a case is found by: its number among those of its page.
const MARK: &str = "data-testid";

#[tokio::test(flavor = "multi_thread")]
async fn names_are_what_the_cases_expect() -> Result<()> {
    let pages = site::accnames()?;
    if pages.is_empty() {
        return Ok(());
    }
    let world = World::shared().await?;
    let start = StartArgs {
        url: Some(world.site.url("/states/empty")),
        ..StartArgs::default()
    };
    world.client.call(&start).await?;
    let page = world.browser.page(|url| url.ends_with("/states/empty")).await?;
    let (mut all, mut right, mut wrong) = (0, 0, Vec::new());
    for path in pages {
        let navigate = json!({"action": "navigate", "url": world.site.url(&path)});
        world.client.call_raw("browser_page", navigate).await?;
        oracle::settle(&page).await?;
        let mark = format!(
            "document.querySelectorAll('[data-expectedlabel]').forEach((one, at) => one.setAttribute('{MARK}', at))"
        );
        page.evaluate::<Option<bool>>(&format!("{mark}, null")).await?;
        let expected = oracle::names_of(&page, "data-expectedlabel").await?;
        let marks = oracle::names_of(&page, MARK).await?;
        ensure!(
            expected.len() == marks.len() && !marks.is_empty(),
            "{path}: no case"
        );
        let passes = expected
            .iter()
            .zip(&marks)
            .filter(|(case, _)| folded(&case.name) == folded(&case.value));
        let found = world
            .client
            .call_raw(
                "browser_inspect",
                json!({"action": "find", "target": {"selector": format!("[{MARK}]")}, "do": "attribute",
                       "attribute": MARK, "limit": 500, "maxTokens": 200_000}),
            )
            .await
            .with_context(|| path.clone())?;
        let matches = found["matches"].as_array().context("matches")?;
        for (case, mark) in passes {
            all += 1;
            let one = matches.iter().find(|one| one["value"] == mark.value.as_str());
            let name = one
                .and_then(|one| one["node"]["name"].as_str())
                .unwrap_or_default();
            if folded(name) == folded(&case.value) {
                right += 1;
            } else {
                wrong.push(format!("{path} {}: {:?}, not {name:?}", case.role, case.value));
            }
        }
    }
    page.detach().await?;
    eprintln!("{right} of {all} names\n{}", wrong.join("\n"));
    ensure!(
        f64::from(right) >= LIMIT * f64::from(all),
        "{right} of {all} names are right"
    );
    world.leaves_nothing().await
}
