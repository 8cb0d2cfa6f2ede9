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

/// A saved real page with its two recipes.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SavedPage {
    /// File name under `pages/recipes`, without its ending.
    pub page: String,
    /// Whether what is read equals the fields of the `.json` beside the page. Where the markup splits or rewords
    /// items it cannot, and the expected strings stand here.
    equals_json: bool,
    /// Reads the one title.
    pub title: SavedRead,
    /// Reads the ingredients.
    pub ingredients: SavedRead,
    expected_title: Option<String>,
    expected_ingredients: Option<Vec<String>>,
}

/// The selectors of one recipe for a saved page.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedRead {
    ready: String,
    rows: String,
    read: String,
    selector: Option<String>,
}

/// What is to be read on a saved page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Expected {
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

    /// What is to be read, white space folded: the fields beside the page, or the strings of the list, which were
    /// checked by eye.
    ///
    /// # Errors
    /// When the fields beside the page cannot be read, or the list holds none.
    pub fn expected(&self, shared: &Path) -> Result<Expected> {
        let expected = if self.equals_json {
            let path = shared
                .join("pages/recipes")
                .join(&self.page)
                .with_extension("json");
            let text = std::fs::read_to_string(&path).with_context(|| format!("no {}", path.display()))?;
            serde_json::from_str(&text)?
        } else {
            let (title, ingredients) = (self.expected_title.clone(), self.expected_ingredients.clone());
            Expected {
                title: title.with_context(|| format!("{}: expectedTitle", self.page))?,
                ingredients: ingredients.with_context(|| format!("{}: expectedIngredients", self.page))?,
            }
        };
        Ok(Expected {
            title: folded(&expected.title),
            ingredients: expected.ingredients.iter().map(|text| folded(text)).collect(),
        })
    }

    fn recipe(&self, origin: &str, read: &SavedRead) -> Value {
        let mut field = json!({"name": "text", "read": read.read, "required": true});
        if let Some(selector) = &read.selector {
            field["selector"] = json!(selector);
        }
        json!({
            "version": 1,
            "name": self.page,
            "description": "A saved page.",
            "origin": origin,
            "urlTemplate": format!("{origin}/saved/recipes/{}.html", self.page),
            "ready": read.ready,
            "rows": read.rows,
            "fields": [field],
            "limit": 100,
            "maxPages": 1,
        })
    }
}

/// White space as one space each.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
