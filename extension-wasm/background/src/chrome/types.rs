//! The parts of the API's objects that are used. Pure.

use serde::Deserialize;

/// <https://developer.chrome.com/docs/extensions/reference/api/tabs#type-Tab>
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Tab {
    pub(crate) id: i64,
    pub(crate) window_id: i64,
    pub(crate) index: u32,
    pub(crate) active: bool,
    pub(crate) discarded: bool,
    pub(crate) frozen: bool,
    pub(crate) incognito: bool,
    pub(crate) group_id: Option<i64>,
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) pending_url: Option<String>,
}

impl Tab {
    /// The group it is in.
    pub(crate) fn group(&self) -> Option<i64> {
        self.group_id.filter(|group| *group >= 0)
    }
}

/// <https://developer.chrome.com/docs/extensions/reference/api/windows#type-Window>
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Window {
    pub(crate) id: i64,
    pub(crate) incognito: bool,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) tabs: Vec<Tab>,
}

impl Window {
    /// Whether tabs of ours may open in it.
    pub(crate) fn is_normal(&self) -> bool {
        self.kind == "normal" && !self.incognito
    }
}

/// <https://developer.chrome.com/docs/extensions/reference/api/webNavigation#method-getFrame>
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Frame {
    pub(crate) document_id: String,
    pub(crate) url: String,
    pub(crate) error_occurred: bool,
}

/// <https://developer.mozilla.org/en-US/docs/Web/API/NavigatorUAData/brands>
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Brand {
    brand: String,
    version: String,
}

/// The browser's own name if it has one, else that of its engine.
pub(super) fn browser_of(brands: &[Brand]) -> (String, String) {
    // One brand is invented, such as `Not(A:Brand`, so that nobody relies on the list's shape.
    let real = || brands.iter().filter(|brand| !brand.brand.contains("Not"));
    let named = real()
        .find(|brand| brand.brand != "Chromium")
        .or_else(|| real().next());
    named.map_or_else(
        || ("Chromium".to_owned(), String::new()),
        |brand| (brand.brand.clone(), brand.version.clone()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brands(names: &[&str]) -> Vec<Brand> {
        names
            .iter()
            .map(|name| Brand {
                brand: (*name).to_owned(),
                version: "156".to_owned(),
            })
            .collect()
    }

    #[test]
    fn the_browser_goes_by_its_own_name() {
        assert_eq!(browser_of(&brands(&["Not(A:Brand", "Chromium"])).0, "Chromium");
        assert_eq!(
            browser_of(&brands(&["Chromium", "Google Chrome", "Not=A?Brand"])).0,
            "Google Chrome"
        );
        assert_eq!(
            browser_of(&brands(&["Microsoft Edge", "Chromium"])).0,
            "Microsoft Edge"
        );
        assert_eq!(browser_of(&[]).0, "Chromium");
    }
}
