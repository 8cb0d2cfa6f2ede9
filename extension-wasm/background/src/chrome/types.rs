//! The parts of the API's objects that are used. Pure.

use std::collections::HashMap;

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
    /// The browser's number of it; 0 is a tab's main frame. Only where all frames are asked for.
    pub(crate) frame_id: i64,
    pub(crate) document_id: String,
    pub(crate) parent_document_id: Option<String>,
    /// `active`, `prerender`, `cached` or `pending_deletion`.
    pub(crate) document_lifecycle: String,
    pub(crate) url: String,
    pub(crate) error_occurred: bool,
}

/// Frames that are alive, each after the one it is in. What hangs on a frame that is not alive is left out with it.
pub(super) fn in_order(mut all: Vec<Frame>) -> Vec<Frame> {
    all.retain(|frame| {
        !frame.document_id.is_empty() && matches!(frame.document_lifecycle.as_str(), "active" | "")
    });
    let mut below: HashMap<String, Vec<Frame>> = HashMap::new();
    let mut todo = Vec::new();
    // Backwards, so that popping gives the browser's own order.
    for frame in all.into_iter().rev() {
        match &frame.parent_document_id {
            Some(parent) if frame.frame_id != 0 => below.entry(parent.clone()).or_default().push(frame),
            Some(_) | None => todo.extend((frame.frame_id == 0).then_some(frame)),
        }
    }
    let mut ordered = Vec::new();
    while let Some(frame) = todo.pop() {
        todo.extend(below.remove(&frame.document_id).unwrap_or_default());
        ordered.push(frame);
    }
    ordered
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

    fn frame(id: i64, document: &str, parent: Option<&str>, lifecycle: &str) -> Frame {
        Frame {
            frame_id: id,
            document_id: document.to_owned(),
            parent_document_id: parent.map(str::to_owned),
            document_lifecycle: lifecycle.to_owned(),
            ..Frame::default()
        }
    }

    #[test]
    fn frames_come_after_the_one_they_are_in() {
        let frames = vec![
            frame(5, "inner", Some("second"), "active"),
            frame(3, "first", Some("main"), "active"),
            frame(4, "second", Some("main"), "active"),
            frame(0, "main", None, "active"),
            frame(6, "prerendered", None, "prerender"),
            frame(7, "below it", Some("prerendered"), "active"),
            frame(8, "gone", Some("main"), "pending_deletion"),
            frame(9, "", Some("main"), "active"),
        ];
        let ordered: Vec<String> = in_order(frames)
            .into_iter()
            .map(|frame| frame.document_id)
            .collect();
        assert_eq!(ordered, ["main", "first", "second", "inner"]);
        // A circle, should the browser ever tell one, hangs on nothing.
        let circle = vec![
            frame(1, "a", Some("b"), "active"),
            frame(2, "b", Some("a"), "active"),
        ];
        assert!(in_order(circle).is_empty());
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
