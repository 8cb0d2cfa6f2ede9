//! Recipes for the site's own pages, as JSON, for a test to change what it is about.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

/// Reads the list pages: `title` and `link` are required, `price` is not.
pub fn list(origin: &str, path: &str) -> Value {
    json!({
        "version": 1,
        "name": "list",
        "description": "Items of a list page.",
        "origin": origin,
        "urlTemplate": format!("{origin}{path}"),
        "inputs": [],
        "ready": "main",
        "rows": "li.row",
        "fields": [
            {"name": "title", "selector": ".title", "read": "text", "required": true},
            {"name": "link", "selector": "a.title", "read": "attribute", "attribute": "href", "required": true},
            {"name": "price", "selector": ".price", "read": "text", "required": false},
        ],
        "limit": 100,
        "maxPages": 10,
        "empty": ".empty",
        "login": ".login",
        "next": "a.next",
    })
}

/// Reads `/orders`, from the page that the input `page` names.
pub fn orders(origin: &str) -> Value {
    json!({
        "version": 1,
        "name": "orders",
        "description": "Orders of the account that is signed in.",
        "origin": origin,
        "urlTemplate": format!("{origin}/orders?page={{page}}"),
        "inputs": ["page"],
        "ready": "main h1",
        "rows": "li.order",
        "fields": [
            {"name": "number", "selector": ".number", "read": "text", "required": true},
            {"name": "date", "selector": "time", "read": "attribute", "attribute": "datetime", "required": true},
            {"name": "total", "selector": ".total", "read": "text", "required": true},
            {"name": "note", "selector": ".note", "read": "text", "required": false},
        ],
        "limit": 100,
        "maxPages": 10,
        "empty": "p.empty",
        "login": "form.login",
        "next": "a[rel=next]",
    })
}

/// A saved real page with the selectors of its two recipes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedPage {
    /// File name under `pages/recipes`, without its ending; the expected fields are in the `.json` beside it.
    pub page: String,
    /// Selector of the one title.
    pub title: String,
    /// Selector of the rows.
    pub ingredients: String,
    /// Selector of what only a stylesheet that was not saved makes visible; the site adds that one rule.
    pub show: Option<String>,
    /// What a person sees where the markup splits or rewords the fields of the `.json`; checked by eye.
    pub rendered: Option<Rendered>,
}

/// What is to be read on a saved page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Rendered {
    /// The title.
    pub title: String,
    /// The rows, in order.
    pub ingredients: Vec<String>,
}

impl SavedPage {
    /// All of them.
    ///
    /// # Errors
    /// When the list is malformed.
    pub fn all() -> Result<Vec<Self>> {
        serde_json::from_str(include_str!("../../data/saved-pages.json")).context("saved-pages.json")
    }

    /// Reads the title.
    pub fn title_recipe(&self, origin: &str) -> Value {
        self.recipe(origin, &self.title)
    }

    /// Reads the ingredients.
    pub fn ingredients_recipe(&self, origin: &str) -> Value {
        self.recipe(origin, &self.ingredients)
    }

    /// What is to be read, white space folded: what a person sees, else the fields beside the page.
    ///
    /// # Errors
    /// When the fields beside the page cannot be read.
    pub fn expected(&self, shared: &Path) -> Result<Rendered> {
        if let Some(rendered) = &self.rendered {
            return Ok(rendered.clone());
        }
        let path = shared
            .join("pages/recipes")
            .join(&self.page)
            .with_extension("json");
        let text = std::fs::read_to_string(&path).with_context(|| format!("no {}", path.display()))?;
        let mut fields: Rendered = serde_json::from_str(&text)?;
        fields.title = folded(&fields.title);
        fields
            .ingredients
            .iter_mut()
            .for_each(|text| *text = folded(text));
        Ok(fields)
    }

    fn recipe(&self, origin: &str, rows: &str) -> Value {
        let show = self.show.as_deref().map_or(String::new(), |show| {
            format!("?show={}", show.replace('#', "%23"))
        });
        json!({
            "version": 1,
            "name": self.page,
            "description": "A saved page.",
            "origin": origin,
            "urlTemplate": format!("{origin}/saved/recipes/{}.html{show}", self.page),
            "ready": rows,
            "rows": rows,
            "fields": [{"name": "text", "read": "text", "required": true}],
            "limit": 100,
            "maxPages": 1,
        })
    }
}

/// White space as one space each.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
