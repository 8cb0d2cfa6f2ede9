//! Recipes on saved real pages.

use anyhow::{Context, Result};
use drawbridge_protocol::recipe::{RecipeResult, State};
use drawbridge_tests::project;
use drawbridge_tests::site::recipes::{SavedPage, folded};
use drawbridge_tests::world::World;

#[tokio::test(flavor = "multi_thread")]
async fn title_and_ingredients_of_every_saved_page_are_read() -> Result<()> {
    let Some(shared) = project::shared()? else {
        return Ok(());
    };
    let world = World::shared().await?;
    let origin = &world.site.origin;
    for page in SavedPage::all()? {
        let expected = page.expected(&shared)?;
        let title = texts(world.extract(page.title_recipe(origin)).await?).context(page.page.clone())?;
        assert_eq!(title, [expected.title], "{}", page.page);
        let ingredients =
            texts(world.extract(page.ingredients_recipe(origin)).await?).context(page.page.clone())?;
        assert_eq!(ingredients, expected.ingredients, "{}", page.page);
    }
    world.leaves_nothing().await
}

fn texts(result: RecipeResult) -> Result<Vec<String>> {
    anyhow::ensure!(result.state == State::Ok && result.complete, "{result:?}");
    result
        .rows
        .iter()
        .map(|row| Ok(folded(row["text"].as_str().context("text")?)))
        .collect()
}
