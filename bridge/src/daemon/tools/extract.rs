//! `browser_extract`: recipes. Everything that can be wrong with one is found before a tab opens.

use drawbridge_protocol::address;
use drawbridge_protocol::error::Error;
use drawbridge_protocol::link::{BrowserCall, BrowserReply};
use drawbridge_protocol::recipe::{self, RecipeResult};
use drawbridge_protocol::tools::Access;
use drawbridge_protocol::tools::extract::ExtractArgs;

use super::super::grants::Site;
use super::super::work::{Work, mismatch};

/// Runs a recipe in a private tab.
pub async fn extract(work: &mut Work, args: ExtractArgs) -> Result<RecipeResult, Error> {
    let recipe = recipe::parse(&args.recipe, "recipe")?;
    let address = address::expand(&recipe, &args.inputs)?;
    let chosen = work.choose(args.target.as_deref())?;
    work.allow(Access::Read, Site::from(&address))?;
    let window = work.hub.settings.window();
    let call = BrowserCall::Recipe {
        recipe: Box::new(recipe),
        url: address.url,
        window,
    };
    let BrowserReply::Recipe { result } = work.browser(&chosen, call).await? else {
        return Err(mismatch());
    };
    Ok(result)
}
