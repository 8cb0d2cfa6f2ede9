//! Recipes on saved real pages: the title, and the ingredients in order.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::recipe::{Issue, IssueKind, RecipeResult, State, Visibility};
use drawbridge_tests::project;
use drawbridge_tests::site::recipes::{SavedPage, folded};
use drawbridge_tests::world::World;

#[tokio::test(flavor = "multi_thread")]
async fn title_and_ingredients_of_every_saved_page_are_read() -> Result<()> {
    let Some(shared) = project::shared()? else {
        return Ok(());
    };
    let pages = SavedPage::all()?;
    assert_eq!(
        names(&pages),
        saved(&shared)?,
        "every saved page has its two recipes"
    );
    let world = World::shared().await?;
    let origin = &world.site.origin;
    for page in &pages {
        let expected = page.expected(&shared)?;
        ensure!(
            !expected.ingredients.is_empty(),
            "{}: nothing is expected",
            page.page
        );

        let title = world.extract(page.title_recipe(origin)).await;
        assert_eq!(texts(title?)?, [expected.title], "{}", page.page);

        let ingredients = world.extract(page.ingredients_recipe(origin)).await;
        assert_eq!(texts(ingredients?)?, expected.ingredients, "{}", page.page);
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_class_that_the_site_renamed_is_named_with_its_count_and_no_row_is_made_up() -> Result<()> {
    if project::shared()?.is_none() {
        return Ok(());
    }
    let world = World::shared().await?;
    let pages = SavedPage::all()?;
    let page = pages
        .iter()
        .find(|page| page.page == "budgetbytes_groups")
        .context("the page")?;
    let mut recipe = page.ingredients_recipe(&world.site.origin);
    let rows = recipe["rows"].as_str().context("rows")?.to_owned();
    let (_, class) = rows.rsplit_once('.').context("a class")?;
    let address = recipe["urlTemplate"].as_str().context("urlTemplate")?;
    recipe["urlTemplate"] = format!("{address}?renamed={class}").into();
    recipe["ready"] = "h1".into();

    let result = world.extract(recipe).await?;
    assert_eq!(result.state, State::SourceChanged);
    assert_eq!((result.rows.len(), result.complete, result.pages), (0, false, 1));
    let issue = Issue {
        selector: Some(rows),
        matched: Some(0),
        page: Some(1),
        ..Issue::new(IssueKind::NoRows)
    };
    assert_eq!(result.issues, [issue]);
    world.leaves_nothing().await
}

fn names(pages: &[SavedPage]) -> BTreeSet<String> {
    pages.iter().map(|page| page.page.clone()).collect()
}

/// The pages that are in the shared folder.
fn saved(shared: &std::path::Path) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(shared.join("pages/recipes"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "html") {
            let name = path.file_stem().and_then(|name| name.to_str());
            found.insert(name.context("a file name")?.to_owned());
        }
    }
    Ok(found)
}

fn texts(result: RecipeResult) -> Result<Vec<String>> {
    ensure!(
        result.state == State::Ok
            && result.complete
            && result.pages == 1
            && result.issues.is_empty()
            && result.visibility == Visibility::Background,
        "{result:?}"
    );
    result
        .rows
        .iter()
        .map(|row| {
            ensure!(row.len() == 1, "{row:?}");
            Ok(folded(row["text"].as_str().context("text")?))
        })
        .collect()
}
